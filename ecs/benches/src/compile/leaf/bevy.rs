//! bevy_ecs: functions as systems in a `Schedule`, chained in tuples so that they run in order.

use super::super::Content;
use super::super::plan::{Plan, System, Third};
use super::{Saving, body, components, main, spawns};

pub(super) const SAVING: Saving = Saving {
    features: "\"bevy_reflect\"",
    dependencies: "bevy_reflect = { version = \"0.20.1\", default-features = false, features = [\"std\"] }\n\
                   serde = \"1\"\nserde_json = \"1\"",
};

/// The functions of a saved game: all registered components of all entities, as its scenes have
/// them.
const SAVE_FUNCTIONS: &str = "
fn save(world: &mut World, registry: &TypeRegistry) -> serde_json::Value {
    let mut entities = Vec::new();
    for entity in world.query::<EntityRef>().iter(world) {
        let components = registry.iter().filter_map(|registration| {
            let value = registration.data::<ReflectComponent>()?.reflect(entity)?;
            let value = ReflectSerializer::new(value.as_partial_reflect(), registry);
            Some(serde_json::to_value(value).expect(\"it can be written\"))
        });
        let components: Vec<_> = components.collect();
        if !components.is_empty() {
            entities.push(serde_json::Value::Array(components));
        }
    }
    serde_json::Value::Array(entities)
}

fn load(saved: &serde_json::Value, registry: &TypeRegistry) -> World {
    let mut world = World::new();
    for components in saved.as_array().expect(\"the entities\") {
        let mut entity = world.spawn_empty();
        for component in components.as_array().expect(\"the components\") {
            let value = ReflectDeserializer::new(registry).deserialize(component).expect(\"it was written\");
            let info = value.get_represented_type_info().expect(\"a known type\");
            let reflected = registry.get_type_data::<ReflectComponent>(info.type_id()).expect(\"a component\");
            reflected.insert(&mut entity, &*value, registry);
        }
    }
    world
}

";

/// After the last tick of a saved game.
const SAVE_AT_END: &str = "
    let registry = registry();
    let saved = save(&mut world, &registry);
    let mut loaded = load(&saved, &registry);
    assert_eq!(save(&mut loaded, &registry).as_array().map(Vec::len), saved.as_array().map(Vec::len));
    let entity = loaded.query_filtered::<Entity, With<C0>>().iter(&loaded).next().expect(\"the first kind has it\");
    let id = registry.iter().find(|of| of.type_info().type_path_table().short_path() == \"C0\").expect(\"C0\");
    let reflected = id.data::<ReflectComponent>().expect(\"a component\");
    let value = reflected.reflect(loaded.entity(entity)).expect(\"the entity has it\");
    assert!(value.reflect_path(\".4\").is_ok());
";

/// The longest tuple of systems that bevy takes; tuples can be nested.
const TUPLE: usize = 20;

pub(super) fn program(plan: &Plan) -> String {
    let steps: Vec<String> = (0..plan.systems.len()).map(|i| format!("system_{i}")).collect();
    let chain = |steps: &[String]| format!("({}).chain()", steps.join(", "));
    let chains: Vec<String> = steps.chunks(TUPLE).map(chain).collect();
    let systems: String = plan.systems.iter().enumerate().map(|(i, it)| system(plan, i, it)).collect();
    let (imports, attribute, saves, end) = match plan.content {
        Content::Numbers => ("", "#[derive(Component)]\n", String::new(), ""),
        Content::Game => ("", "#[derive(Component, Clone)]\n", String::new(), ""),
        Content::SavedGame => (
            "use bevy_reflect::serde::{ReflectDeserializer, ReflectSerializer};\n\
             use bevy_reflect::{GetPath, Reflect, TypeRegistry};\n\
             use serde::de::DeserializeSeed;\n",
            "#[derive(Component, Clone, Reflect)]\n#[reflect(Component)]\n",
            registry(plan) + SAVE_FUNCTIONS,
            SAVE_AT_END,
        ),
    };
    format!(
        "use bevy_ecs::prelude::*;\n{imports}\n{components}\n{saves}{systems}\
         fn schedule() -> Schedule {{\n    \
             let mut schedule = Schedule::default();\n    \
             schedule.add_systems({chain});\n    \
             schedule\n\
         }}\n\n\
         fn populate(world: &mut World) {{\n{spawns}}}\n\n{main}",
        components = components(plan, attribute),
        chain = chain(&chains),
        spawns = spawns(plan, |_, bundle| format!("world.spawn({bundle});")),
        main = main(
            "let (mut world, mut schedule) = (World::new(), schedule());",
            "schedule.run(&mut world);",
            end
        ),
    )
}

fn system(plan: &Plan, i: usize, system: &System) -> String {
    let System { writes, reads, third, .. } = system;
    let (name, data, filter) = match third {
        Some(Third::Reads(third)) => (", c", format!(", &C{third}"), String::new()),
        Some(Third::With(third)) => ("", String::new(), format!(", With<C{third}>")),
        None => ("", String::new(), String::new()),
    };
    let body = body(plan, system, "        ");
    format!(
        "fn system_{i}(mut query: Query<(&mut C{writes}, &C{reads}{data}){filter}>) {{\n    \
             for (mut a, b{name}) in &mut query {{\n\
                 {body}    \
             }}\n\
         }}\n\n"
    )
}

/// All components, by hand.
fn registry(plan: &Plan) -> String {
    let lines: String =
        (0..plan.components.len()).map(|i| format!("    registry.register::<C{i}>();\n")).collect();
    format!(
        "fn registry() -> TypeRegistry {{\n    \
             let mut registry = TypeRegistry::new();\n\
             {lines}    \
             registry\n\
         }}\n"
    )
}

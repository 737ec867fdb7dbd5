//! This library: a world, systems for each entity, and a schedule of one stage, in which every
//! system could clash with every other.

use super::super::Content;
use super::super::plan::{Plan, System, Third};
use super::{Saving, body, components, main, spawns};

pub(super) const SAVING: Saving = Saving {
    features: "\"json\", \"reflect\"",
    dependencies: "serde = { version = \"1\", features = [\"derive\"] }",
};

/// After the last tick of a saved game.
const SAVE_AT_END: &str = "
    let bytes = world.to_bytes().expect(\"it can be saved\");
    let text = world.to_json().expect(\"it can be written\");
    let hash = Game::load(&bytes).expect(\"it was saved\").hash();
    assert_eq!(Game::from_json(&text).expect(\"it was written\").hash(), hash);
    let mut copy = world.clone();
    assert_eq!(copy.hash(), hash);
    let entity = world.query::<Entity>().filter::<With<C0>>().iter().next().expect(\"the first kind\");
    let list = copy.reflect().read(entity, \"C0.4\").expect(\"the entity has it\");
    copy.reflect_mut().patch(entity, \"C0.2\", 0.5).expect(\"a number\");
    assert_ne!((copy.hash(), list.to_string().len()), (hash, 0));
";

pub(super) fn program(plan: &Plan) -> String {
    let names: Vec<String> = (0..plan.components.len()).map(|i| format!("C{i}")).collect();
    let steps: Vec<String> = (0..plan.systems.len()).map(|i| format!("system_{i}")).collect();
    let systems: String = plan.systems.iter().enumerate().map(|(i, it)| system(plan, i, it)).collect();
    let (imports, of_component, of_world, end) = match plan.content {
        Content::Numbers => ("", "", "", ""),
        Content::Game => ("", ", Clone", "", ""),
        Content::SavedGame => (
            "use ecs::reflect::ReflectWorld;\nuse serde::{Deserialize, Serialize};\n",
            ", Clone, Reflect",
            "#[derive(Clone, Serialize, Deserialize, Reflect)]\n    ",
            SAVE_AT_END,
        ),
    };
    format!(
        "use ecs::prelude::*;\n{imports}\n{components}\n\
         world! {{\n    {of_world}pub struct Game {{\n        components {{ {names} }}\n    }}\n    \
             schedule tick {{ {steps} }}\n\
         }}\n\n{systems}\
         fn populate(world: &mut Game) {{\n{spawns}}}\n\n{main}",
        components = components(plan, &format!("#[derive(Component{of_component})]\n")),
        names = names.join(", "),
        steps = steps.join(", "),
        spawns = spawns(plan, |_, bundle| format!("world.spawn({bundle});")),
        main = main("let mut world = Game::new();", "world.tick();", end),
    )
}

fn system(plan: &Plan, i: usize, system: &System) -> String {
    let System { writes, reads, third, .. } = system;
    let third = match third {
        Some(Third::Reads(third)) => format!(", c: &C{third}"),
        Some(Third::With(third)) => format!(", _: With<C{third}>"),
        None => String::new(),
    };
    let body = body(plan, system, "    ");
    format!("#[system(Game)]\nfn system_{i}(a: &mut C{writes}, b: &C{reads}{third}) {{\n{body}}}\n\n")
}

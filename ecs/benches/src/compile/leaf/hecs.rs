//! hecs: functions with a query. It has no schedules, so a function calls them.

use super::super::Content;
use super::super::plan::{Plan, System, Third};
use super::{Saving, body, calls, components, main, spawns};

pub(super) const SAVING: Saving = Saving {
    features: "\"row-serialize\"",
    dependencies: "serde = { version = \"1\", features = [\"derive\"] }\nserde_json = \"1\"",
};

/// After the last tick of a saved game.
const SAVE_AT_END: &str = "
    let mut text = Vec::new();
    row::serialize(&world, &mut Rows, &mut serde_json::Serializer::new(&mut text)).expect(\"it can be written\");
    let loaded = row::deserialize(&mut Rows, &mut serde_json::Deserializer::from_slice(&text));
    let loaded = loaded.expect(\"it was written\");
    let mut again = Vec::new();
    row::serialize(&loaded, &mut Rows, &mut serde_json::Serializer::new(&mut again)).expect(\"it can be written\");
    assert_eq!(again.len(), text.len());
";

pub(super) fn program(plan: &Plan) -> String {
    let systems: String = plan.systems.iter().enumerate().map(|(i, it)| system(plan, i, it)).collect();
    let (imports, attribute, rows, end) = match plan.content {
        Content::Numbers => ("", "", String::new(), ""),
        Content::Game => ("", "#[derive(Clone)]\n", String::new(), ""),
        Content::SavedGame => (
            "use hecs::serialize::row;\n\
             use serde::de::MapAccess;\n\
             use serde::ser::SerializeMap;\n\
             use serde::{Deserialize, Serialize};\n",
            "#[derive(Clone, Serialize, Deserialize)]\n",
            rows(plan),
            SAVE_AT_END,
        ),
    };
    format!(
        "use hecs::World;\n{imports}\n{components}\n{rows}{systems}{calls}\n\
         fn populate(world: &mut World) {{\n{spawns}}}\n\n{main}",
        components = components(plan, attribute),
        calls = calls(plan, "World"),
        spawns = spawns(plan, |_, bundle| format!("world.spawn({bundle});")),
        main = main("let mut world = World::new();", "tick(&mut world);", end),
    )
}

fn system(plan: &Plan, i: usize, system: &System) -> String {
    let System { writes, reads, third, .. } = system;
    let (name, data, filter) = match third {
        Some(Third::Reads(third)) => (", c", format!(", &C{third}"), String::new()),
        Some(Third::With(third)) => ("", String::new(), format!(".with::<&C{third}>()")),
        None => ("", String::new(), String::new()),
    };
    let body = body(plan, system, "        ");
    format!(
        "fn system_{i}(world: &mut World) {{\n    \
             for (a, b{name}) in world.query_mut::<(&mut C{writes}, &C{reads}{data})>(){filter} {{\n\
                 {body}    \
             }}\n\
         }}\n\n"
    )
}

/// What a program writes by hand to save the rows of its world: all components, in four places.
fn rows(plan: &Plan) -> String {
    let each = |line: fn(usize) -> String| (0..plan.components.len()).map(line).collect::<String>();
    format!(
        "#[derive(Serialize, Deserialize)]\nenum Known {{\n{known}}}\n\n\
         struct Rows;\n\n\
         impl row::SerializeContext for Rows {{\n    \
             fn serialize_entity<S: SerializeMap>(\n        \
                 &mut self,\n        \
                 entity: hecs::EntityRef<'_>,\n        \
                 mut map: S,\n    \
             ) -> Result<S::Ok, S::Error> {{\n\
                 {write}        \
                 map.end()\n    \
             }}\n\
         }}\n\n\
         impl row::DeserializeContext for Rows {{\n    \
             fn deserialize_entity<'de, M: MapAccess<'de>>(\n        \
                 &mut self,\n        \
                 mut map: M,\n        \
                 entity: &mut hecs::EntityBuilder,\n    \
             ) -> Result<(), M::Error> {{\n        \
                 while let Some(key) = map.next_key()? {{\n            \
                     match key {{\n\
                         {read}            \
                     }};\n        \
                 }}\n        \
                 Ok(())\n    \
             }}\n\
         }}\n\n",
        known = each(|i| format!("    C{i},\n")),
        write = each(|i| {
            format!("        row::try_serialize::<C{i}, _, _>(&entity, &Known::C{i}, &mut map)?;\n")
        }),
        read = each(|i| format!("                Known::C{i} => entity.add::<C{i}>(map.next_value()?),\n")),
    )
}

//! Worlds by name: `ecs::reflect`.

mod aspects;
mod changes;
#[path = "../../fuzz/names.rs"]
mod fuzz;
mod fuzzed;
mod game;
mod hidden;
mod prefabs;
mod query;
mod schema;
mod systems;
mod twin;
mod values;
mod verbs;

//! Worlds by name: `ecs::reflect`.

mod game;
mod hidden;
mod prefabs;
mod query;
mod schema;
mod systems;
mod values;
mod verbs;

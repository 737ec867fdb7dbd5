//! Worlds by name: `ecs::reflect`.

mod game;
mod hidden;
mod query;
mod schema;
mod systems;
mod values;
mod verbs;

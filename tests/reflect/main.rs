//! Worlds by name: `ecs::reflect`.

mod game;
mod hidden;
mod query;
mod schema;
mod values;
mod verbs;

//! Worlds by name: `ecs::reflect`.

mod game;
mod hidden;
mod query;
mod values;
mod verbs;

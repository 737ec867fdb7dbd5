//! Worlds by name: `ecs::reflect`.

mod game;
mod hidden;
mod values;
mod verbs;

//! Deltas, saved parts of worlds, and moves between worlds: `ecs::save::Selection`.
#![forbid(unsafe_code)]

mod game;
mod hostile;
mod model;
mod verbs;

//! Deltas, saved parts of worlds, and moves between worlds: `ecs::save::Selection`.
#![forbid(unsafe_code)]

mod access;
mod edit;
#[path = "../../fuzz/delta.rs"]
mod fuzz;
mod fuzzed;
mod game;
mod hostile;
mod model;
mod regrouped;
mod verbs;
mod wide;

//! Random edits between baselines: deltas keep a replica equal to the world.
#![no_main]

#[path = "../delta.rs"]
#[allow(dead_code, reason = "another target runs the rest")]
mod delta;
#[path = "../../tests/delta/edit.rs"]
#[allow(dead_code, reason = "another target runs the rest")]
mod edit;
#[path = "../../tests/delta/game.rs"]
#[allow(dead_code, reason = "tests use the rest")]
mod game;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| delta::rounds(data));

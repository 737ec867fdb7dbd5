//! Deltas that nobody wrote: a typed error without a change, or a world that keeps its rules.
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

fuzz_target!(|data: &[u8]| delta::apply(data));

//! Tests of the parts of models.

#![allow(elided_lifetimes_in_paths, reason = "systems are written as in a program of a user")]

#[path = "../arrays/mod.rs"]
#[allow(unreachable_pub, dead_code, reason = "benchmarks share them")]
mod arrays;
mod cells;
mod event_queue;
mod grid;
#[path = "../../examples/models/mod.rs"]
#[allow(unreachable_pub, dead_code, reason = "examples share them")]
mod models;
#[cfg(feature = "network")]
mod network;
#[path = "../arrays/pairs.rs"]
#[allow(unreachable_pub, reason = "the benchmark shares them")]
mod pairs;
mod random;
mod same_as_arrays;
mod space;
mod sweep;

//! Tests of a model in a window, without a window: egui lays it out, and clicks, keys and drags are
//! its events. One test opens a window, where a display can be made.

#![allow(elided_lifetimes_in_paths, reason = "systems are written as in a program of a user")]

mod display;
mod failures;
mod looking;
#[path = "../../examples/models/mod.rs"]
#[allow(unreachable_pub, dead_code, missing_docs, reason = "examples share them")]
mod models;
mod runs;
mod screen;

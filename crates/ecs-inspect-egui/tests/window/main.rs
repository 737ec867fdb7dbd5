//! Tests of the inspector in a window, without a window: egui lays it out, and clicks, keys and drags
//! are its events.

#![allow(elided_lifetimes_in_paths, reason = "systems are written as users write them")]
#![allow(unreachable_pub, missing_docs, reason = "a test")]

mod editing;
mod example;
mod game;
mod large;
mod random;
mod views;

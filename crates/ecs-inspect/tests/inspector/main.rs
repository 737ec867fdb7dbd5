//! Tests of the inspector, on a terminal of text.

#![allow(elided_lifetimes_in_paths, reason = "systems are written as users write them")]
#![allow(unreachable_pub, missing_docs, reason = "a test")]

mod acceptance;
mod game;
mod history;
mod host;
mod large;
mod model;
mod random;
mod verbs;
mod views;

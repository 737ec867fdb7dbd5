//! Tests of the parts of models.

#![allow(elided_lifetimes_in_paths, reason = "systems are written as in a program of a user")]

mod cells;
mod grid;
#[cfg(feature = "network")]
mod network;
mod random;
mod space;
mod sweep;

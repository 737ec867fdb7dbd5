//! Hostile files: their memory and time, while they are loaded and afterwards.
//!
//! These tests are a separate binary, because they replace the allocator.

mod counting;
mod files;
#[allow(dead_code, unused_imports)]
#[path = "../../fuzz/lib.rs"]
mod fuzz;
mod honest;
mod prefabs;
mod shrink;
mod state;
mod terrain;

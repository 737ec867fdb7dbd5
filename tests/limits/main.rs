//! Files that nobody wrote: how much memory and time they take, while they are loaded and afterwards.
//!
//! A test binary of its own, since its allocator counts.

mod counting;
mod files;
#[allow(dead_code, unused_imports)]
#[path = "../../fuzz/lib.rs"]
mod fuzz;
mod honest;
mod prefabs;
mod state;

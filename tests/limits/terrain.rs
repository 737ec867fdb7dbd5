//! A component that is small in a file and large in memory.

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

pub const MIB: usize = 1 << 20;

/// A value of one byte in a file and 16 KiB in memory.
#[derive(Component, Clone, Serialize, Deserialize)]
pub struct Terrain {
    pub seed: u8,
    #[serde(skip, default = "flat")]
    _heights: [u64; 2048],
}

pub fn flat() -> [u64; 2048] {
    [0; 2048]
}

pub fn terrain() -> Terrain {
    Terrain { seed: 1, _heights: flat() }
}

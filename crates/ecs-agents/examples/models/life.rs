//! Conway's game of life on a torus.

use ecs::prelude::*;
use ecs_agents::prelude::*;
use serde::{Deserialize, Serialize};

world! {
    #[derive(Serialize, Deserialize)]
    pub struct Life { resources { cells: Layer<bool> } }
    schedule step { live }
}

#[system(Life)]
fn live(mut cells: ResMut<Layer<bool>>) {
    cells.update_moore(|alive, near| {
        let near: u8 = near.iter().map(|&alive| u8::from(alive)).sum();
        near == 3 || near == 2 && alive
    });
}

pub fn life(seed: u64, grid: Grid) -> Life {
    let mut random = Random::new(seed);
    Life::new(Layer::from_fn(grid, |_| random.random_bool(0.3)))
}

//! Conway's game of life, whose model is in `models/life.rs`.
//!
//! `cargo run --release -p checked-ecs-agents --example life` prints the part of cells that are
//! alive, `-- --headless` only the end and its hash, `-- --sweep` means for two sizes.

#![allow(missing_docs, unreachable_pub, elided_lifetimes_in_paths, reason = "a program")]

#[path = "models/life.rs"]
mod model;
#[path = "models/program.rs"]
mod program;

use ecs::prelude::*;
use ecs_agents::prelude::*;
use model::{Life, life};

fn alive(life: &Life) -> f64 {
    let cells = life.resource::<Layer<bool>>().values();
    cells.iter().filter(|&&alive| alive).count() as f64 / cells.len() as f64
}

#[cfg(feature = "picture")]
fn picture(life: &Life) -> Picture {
    let cells = life.resource::<Layer<bool>>();
    Picture::of(&cells.grid(), 4).layer(cells, |&alive| if alive { Rgb::BLACK } else { Rgb::WHITE })
}

fn main() {
    let program = program::Program {
        model: |trial: &Trial| {
            let size = trial.value("size") as u32;
            life(trial.seed(), Grid::torus(size, size))
        },
        step: Life::step,
        steps: 100,
        figures: vec![("alive", alive)],
        hash: Life::hash,
        sweep: Sweep::new(1).vary("size", [100.0, 200.0]).replicates(8),
        #[cfg(feature = "picture")]
        picture: Some(picture),
    };
    program.main();
}

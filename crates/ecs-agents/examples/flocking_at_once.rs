//! Flocking birds that all act at once, whose model is in `models/flocking_at_once.rs`.
//!
//! `cargo run --release -p checked-ecs-agents --example flocking_at_once` prints how much the birds
//! fly in one direction, `-- --headless` only the end and its hash, `-- --sweep` means for how far
//! they see.

#![allow(missing_docs, unreachable_pub, dead_code, elided_lifetimes_in_paths, reason = "a program")]

#[path = "models/flocking.rs"]
mod flocking;
#[path = "models/flocking_at_once.rs"]
mod model;
#[path = "models/program.rs"]
mod program;

use ecs::prelude::*;
use ecs_agents::prelude::*;
use model::{Bird, Flock, Sky, flock};

/// The length of the mean of all headings: 1 if all birds fly in one direction.
fn order(flock: &Flock) -> f64 {
    let birds = flock.query::<&Bird>();
    let sum = birds.iter().fold([0.0; 2], |sum, bird| [0, 1].map(|i| sum[i] + bird.heading[i]));
    f64::hypot(sum[0], sum[1]) / birds.len() as f64
}

#[cfg(feature = "picture")]
fn picture(flock: &Flock) -> Picture {
    let (size, birds) = (flock.resource::<Sky>().size as u32, flock.query::<&Bird>());
    Picture::of(&Grid::torus(size, size), 5).points(3.0, birds.iter().map(|bird| (bird.at, Rgb::BLACK)))
}

fn main() {
    let program = program::Program {
        model: |trial: &Trial| {
            flock(trial.seed(), 200, Sky { size: 100.0, sight: trial.value("sight"), apart: 1.0 })
        },
        step: Flock::step,
        steps: 100,
        figures: vec![("order", order)],
        hash: Flock::hash,
        sweep: Sweep::new(1).vary("sight", [5.0, 10.0, 20.0]).replicates(8),
        #[cfg(feature = "picture")]
        picture: Some(picture),
    };
    program.main();
}

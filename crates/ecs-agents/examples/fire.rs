//! A forest fire, whose model is in `models/fire.rs`.
//!
//! `cargo run --release -p checked-ecs-agents --example fire` prints the burnt part of the forest,
//! `-- --headless` only the end and its hash, `-- --sweep` means for densities of trees.

#![allow(missing_docs, unreachable_pub, elided_lifetimes_in_paths, reason = "a program")]

#[path = "models/fire.rs"]
mod model;
#[path = "models/program.rs"]
mod program;

use ecs::prelude::*;
use ecs_agents::prelude::*;
use model::{Forest, Place, forest};

/// The part of all trees that do not stand any more.
fn burnt(forest: &Forest) -> f64 {
    let trees = forest.resource::<Layer<Place>>().values();
    let count = |wanted: fn(&Place) -> bool| trees.iter().filter(|&place| wanted(place)).count() as f64;
    count(|place| *place == Place::Ash) / count(|place| *place != Place::Empty)
}

#[cfg(feature = "picture")]
fn picture(forest: &Forest) -> Picture {
    let trees = forest.resource::<Layer<Place>>();
    Picture::of(&trees.grid(), 4).layer(trees, |place| match place {
        Place::Empty => Rgb::WHITE,
        Place::Green => Rgb::GREEN,
        Place::Burning => Rgb::VERMILION,
        Place::Ash => Rgb::GREY,
    })
}

fn main() {
    let program = program::Program {
        model: |trial: &Trial| forest(trial.seed(), Grid::bounded(100, 100), trial.value("density")),
        step: Forest::step,
        steps: 200,
        figures: vec![("burnt", burnt)],
        hash: Forest::hash,
        sweep: Sweep::new(1).vary("density", [0.7, 0.5, 0.55, 0.6, 0.65]).replicates(8),
        #[cfg(feature = "picture")]
        picture: Some(picture),
    };
    program.main();
}

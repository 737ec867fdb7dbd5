//! An epidemic in a network, whose model is in `models/sir.rs`.
//!
//! `cargo run --release -p checked-ecs-agents --features network --example sir` prints the parts of
//! people who are infected and recovered, `-- --headless` only the end and its hash, `-- --sweep`
//! means for probabilities of an infection.

#![allow(missing_docs, unreachable_pub, elided_lifetimes_in_paths, reason = "a program")]

#[path = "models/sir.rs"]
mod model;
#[path = "models/program.rs"]
mod program;

use ecs::prelude::*;
use ecs_agents::prelude::*;
use model::{Health, Rules, Town, town};

/// The part of people with this health.
fn part(town: &Town, wanted: Health) -> f64 {
    let people = town.query::<&Health>();
    people.iter().filter(|&&health| health == wanted).count() as f64 / people.len() as f64
}

/// The people, row by row: the network has no space.
#[cfg(feature = "picture")]
fn picture(town: &Town) -> Picture {
    let grid = Grid::bounded(40, 25);
    let people = town.query::<&Health>();
    let colour = |health: &Health| match health {
        Health::Susceptible => Rgb::GREY,
        Health::Infected => Rgb::VERMILION,
        Health::Recovered => Rgb::BLUE,
    };
    Picture::of(&grid, 10).agents(grid.cells().zip(people.iter().map(colour)))
}

fn main() {
    let program = program::Program {
        model: |trial: &Trial| {
            let rules = Rules { infection: trial.value("infection"), recovery: 0.1 };
            town(trial.seed(), 1000, rules)
        },
        step: Town::step,
        steps: 100,
        figures: vec![
            ("infected", |town| part(town, Health::Infected)),
            ("recovered", |town| part(town, Health::Recovered)),
        ],
        hash: Town::hash,
        sweep: Sweep::new(1).vary("infection", [0.05, 0.01, 0.02]).replicates(8),
        #[cfg(feature = "picture")]
        picture: Some(picture),
    };
    program.main();
}

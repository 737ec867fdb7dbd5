//! Wolves, sheep and grass, whose model is in `models/wolf_sheep.rs`.
//!
//! `cargo run --release -p checked-ecs-agents --example wolf_sheep` prints the numbers of animals,
//! `-- --headless` only the end and its hash, `-- --sweep` means for two speeds of the grass.

#![allow(missing_docs, unreachable_pub, elided_lifetimes_in_paths, reason = "a program")]

#[path = "models/wolf_sheep.rs"]
mod model;
#[path = "models/program.rs"]
mod program;

use ecs::prelude::*;
use ecs_agents::prelude::*;
use model::{Kind, Meadow, Rules, Sheep, Wolf, meadow};

/// The grass that is grown, sheep and wolves.
#[cfg(feature = "picture")]
fn picture(meadow: &Meadow) -> Picture {
    let (grass, sheep, wolves) =
        (meadow.resource::<Layer<u32>>(), meadow.query::<(&Cell, &Sheep)>(), meadow.query::<&Wolf>());
    let colour = |wait: &u32| if *wait == 0 { Rgb::GREEN } else { Rgb::GREY };
    let sheep = sheep.iter().map(|(cell, _)| (*cell, Rgb::WHITE));
    let wolves = wolves.iter().map(|wolf| (wolf.0, Rgb::BLACK));
    Picture::of(&grass.grid(), 16).layer(grass, colour).agents(sheep.chain(wolves))
}

fn main() {
    let rules =
        Rules { sheep: Kind { meal: 5, birth: 0.2 }, wolf: Kind { meal: 13, birth: 0.1 }, regrowth: 20 };
    let program = program::Program {
        model: |trial: &Trial| {
            let rules = Rules { regrowth: trial.value("regrowth") as u32, ..rules };
            meadow(trial.seed(), Grid::torus(25, 25), [60, 40], rules)
        },
        step: Meadow::step,
        steps: 100,
        figures: vec![
            ("sheep", |meadow| meadow.query::<&Sheep>().len() as f64),
            ("wolves", |meadow| meadow.query::<&Wolf>().len() as f64),
        ],
        hash: Meadow::hash,
        sweep: Sweep::new(1).vary("regrowth", [20.0, 40.0]).replicates(8),
        #[cfg(feature = "picture")]
        picture: Some(picture),
    };
    program.main();
}

//! Sugarscape, whose model is in `models/sugarscape.rs`.
//!
//! `cargo run --release -p checked-ecs-agents --example sugarscape` prints the wealth of the agents,
//! `-- --headless` only the end and its hash, `-- --sweep` means for numbers of agents.

#![allow(missing_docs, unreachable_pub, elided_lifetimes_in_paths, reason = "a program")]

#[path = "models/sugarscape.rs"]
mod model;
#[path = "models/program.rs"]
mod program;

use ecs::prelude::*;
use ecs_agents::prelude::*;
use model::{Agent, Land, land};

/// The wealth of all agents, from the poorest on.
fn wealth(land: &Land) -> Vec<f64> {
    let mut wealth: Vec<f64> = land.query::<&Agent>().iter().map(|agent| agent.wealth.into()).collect();
    wealth.sort_by(f64::total_cmp);
    wealth
}

/// The coefficient of Gini: 0 if all have the same, near 1 if one has all.
fn gini(land: &Land) -> f64 {
    let (wealth, mut below, mut area) = (wealth(land), 0.0, 0.0);
    for one in &wealth {
        area += below + one / 2.0;
        below += one;
    }
    1.0 - 2.0 * area / (below * wealth.len() as f64)
}

/// The sugar, and the agents.
#[cfg(feature = "picture")]
fn picture(land: &Land) -> Picture {
    let (sugar, homes) = (land.resource::<Layer<model::Place>>(), land.query::<&model::Home>());
    let colour = |place: &model::Place| Rgb::between(Rgb::WHITE, Rgb::YELLOW, f64::from(place.sugar) / 4.0);
    let agents = homes.iter().map(|home| (home.0, Rgb::VERMILION));
    Picture::of(&sugar.grid(), 10).layer(sugar, colour).agents(agents)
}

fn main() {
    let program = program::Program {
        model: |trial: &Trial| land(trial.seed(), Grid::bounded(50, 50), trial.value("agents") as usize),
        step: Land::step,
        steps: 100,
        figures: vec![
            ("mean wealth", |land| wealth(land).iter().sum::<f64>() / wealth(land).len() as f64),
            ("Gini", gini),
        ],
        hash: Land::hash,
        sweep: Sweep::new(1).vary("agents", [400.0, 800.0]).replicates(8),
        #[cfg(feature = "picture")]
        picture: Some(picture),
    };
    program.main();
}

//! A bank with several tellers in continuous time, whose model is in `models/queue.rs`.
//!
//! `cargo run --release -p checked-ecs-agents --example queue` prints how many customers are there,
//! and how long the served ones have waited, beside the mean of the theory; `-- --headless` only
//! the end and its hash, `-- --sweep` means for several rates of arrivals.

#![allow(missing_docs, unreachable_pub, elided_lifetimes_in_paths, reason = "a program")]

#[path = "models/queue.rs"]
mod model;
#[path = "models/program.rs"]
mod program;

use ecs::prelude::*;
use ecs_agents::prelude::*;
use model::{Bank, Customer, Hall, Rates, bank, step};

fn main() {
    let program = program::Program {
        model: |trial: &Trial| {
            bank(trial.seed(), Rates { arrivals: trial.value("arrivals"), services: 1.0, tellers: 3 })
        },
        step,
        steps: 1000,
        figures: vec![
            ("customers", |bank| bank.query::<&Customer>().len() as f64),
            ("mean wait", |bank| {
                let hall = bank.resource::<Hall>();
                hall.waited / (hall.served as f64 + hall.busy as f64)
            }),
            ("mean wait in theory", |bank| bank.resource::<Rates>().mean_wait()),
        ],
        hash: Bank::hash,
        sweep: Sweep::new(1).vary("arrivals", [1.5, 2.0, 2.5]).replicates(8),
        #[cfg(feature = "picture")]
        picture: None,
    };
    program.main();
}

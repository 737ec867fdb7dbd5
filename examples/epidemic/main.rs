//! An epidemic of many agents, on several workers: `cargo run --release --example epidemic -- --help`.
//!
//! The simulation is in `model.rs`, and knows nothing of workers except for the halo that it reads.

mod cli;
mod model;

use std::error::Error;
use std::process::ExitCode;
use std::time::Instant;

use cli::Options;
use ecs::prelude::*;
use ecs_distributed::{Exchange, InProcess, RunError, Worker};
use model::Epidemic;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("epidemic: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let options = Options::read()?;
    if options.help {
        print!("{}", cli::HELP);
        return Ok(());
    }
    let hashes = InProcess::run(options.workers, |exchange| simulate(exchange, &options))?;
    println!("hash {:016x}", hashes[0]);
    Ok(())
}

fn simulate(exchange: impl Exchange, options: &Options) -> Result<u64, RunError> {
    let model = Epidemic::new(options.agents, options.seed, options.threads);
    let model = model.map_err(|error| RunError::System(error.to_string()))?;
    let mut worker = Worker::new(model, exchange)?;
    let begin = Instant::now();
    for _ in 0..options.ticks {
        worker.tick()?;
        if options.stats {
            let sums = worker.sum(&model::count(worker.world()))?;
            println!(
                "{}: {:?} {sums:?} {:?}",
                worker.index(),
                worker.stats(),
                worker.world().entities().len()
            );
        }
    }
    if worker.index() == 0 {
        println!("{:.2} ms a tick", begin.elapsed().as_secs_f64() * 1e3 / options.ticks as f64);
    }
    worker.hash()
}

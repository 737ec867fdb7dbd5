//! An epidemic of many agents, on several workers: `cargo run --release -p epidemic -- --help`.
//!
//! The simulation is in `model.rs`, and knows nothing of workers except for the halo that it reads.

mod arrays;
mod cli;
mod draw;
mod model;
mod processes;
mod rules;

use std::error::Error;
use std::process::ExitCode;
use std::time::Instant;

use cli::Options;
use draw::{Picture, Progress};
use ecs_distributed::{Checkpoints, Exchange, RunError, TickStats, Worker};
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

/// The result of a run, which all workers have in common.
struct Done {
    hash: u64,
    picture: Option<Picture>,
}

fn run() -> Result<(), Box<dyn Error>> {
    let options = Options::read()?;
    if options.help {
        print!("{}", cli::HELP);
        return Ok(());
    }
    if options.arrays {
        println!("hash {:016x}", arrays::compare(&options)?);
        return Ok(());
    }
    // before the run, and not after it
    if let Some(path) = options.picture.as_ref().filter(|_| options.process.unwrap_or(0) == 0) {
        draw::check(path)?;
    }
    let (network, mut children) = processes::connect(&options)?;
    let first = network.process() == 0;
    let shared = options.clone();
    let mut done = network.run(move |exchange| simulate(exchange, &shared))?;
    children.wait()?;
    let Done { hash, picture } = done.swap_remove(0);
    if first {
        if let Some(picture) = picture {
            match &options.picture {
                Some(path) => picture.write(path)?,
                None => picture.print(),
            }
        }
        println!("hash {hash:016x}");
    }
    Ok(())
}

fn simulate(mut exchange: impl Exchange, options: &Options) -> Result<Done, RunError> {
    let model = Epidemic::new(options.agents, options.seed, options.threads);
    let model = model.map_err(|error| RunError::System(error.to_string()))?;
    let first = exchange.index() == 0;
    let checkpoints = options.checkpoint.as_ref();
    let checkpoints = checkpoints
        .map(|folder| Checkpoints::new(folder, options.settings()).whole_every(options.whole_every));
    let resumed = match &checkpoints {
        Some(checkpoints) => Worker::resume(model.clone(), &mut exchange, checkpoints)?,
        None => None,
    };
    let mut worker = match resumed {
        Some(worker) => worker,
        None => Worker::new(model, &mut exchange)?,
    };
    if first && worker.ticks() > 0 {
        println!("resumed after tick {}", worker.ticks());
    }
    if worker.ticks() > options.ticks {
        let text =
            format!("the checkpoint is of tick {}, after the last tick {}", worker.ticks(), options.ticks);
        return Err(RunError::System(text));
    }
    let mut progress = Progress::new(first && !options.quiet && !options.stats);
    let begin = Instant::now();
    let before = worker.ticks();
    for tick in before + 1..=options.ticks {
        worker.tick()?;
        if let Some(checkpoints) = checkpoints.as_ref().filter(|_| tick.is_multiple_of(options.every)) {
            worker.begin_checkpoint(checkpoints)?;
        }
        let stats = worker.stats();
        if options.stats || !options.quiet {
            let counts = worker.sum(&model::count(worker.world()))?;
            progress.show(tick, options.ticks, counts[1]);
            if options.stats {
                let workers = worker.gather(line(worker.index(), &stats).as_bytes())?;
                if first {
                    let [well, ill, recovered] = counts[..] else { unreachable!("three numbers") };
                    println!("tick {tick}: {well} susceptible, {ill} infectious, {recovered} recovered");
                    workers.iter().for_each(|line| println!("  {}", String::from_utf8_lossy(line)));
                }
            }
        }
    }
    worker.end_checkpoint()?;
    if first && options.ticks > before {
        let tick = begin.elapsed().as_secs_f64() * 1e3 / (options.ticks - before) as f64;
        println!("{} agents on {} workers: {tick:.2} ms a tick", options.agents, worker.workers());
    }
    let picture = match (&options.picture, options.quiet) {
        (None, true) => None,
        (path, _) => {
            let side = worker.model().side();
            let mut picture = Picture::new(if path.is_some() { side.min(800) } else { side.min(60) });
            picture.count(worker.world(), side);
            let sums = worker.sum(&picture.numbers())?;
            picture.set(&sums);
            Some(picture)
        }
    };
    Ok(Done { hash: worker.hash()?, picture })
}

/// The line of `--stats` for one worker and one tick.
fn line(worker: usize, stats: &TickStats) -> String {
    let ms = |time: std::time::Duration| time.as_secs_f64() * 1e3;
    format!(
        "worker {worker}: {:.2} ms compute, {:.2} ms migration of {} agents in {} bytes, {:.2} ms halo of {} agents with {} bytes sent, \
         {:.2} ms of it waiting, {:.2} ms checkpoint",
        ms(stats.compute),
        ms(stats.migrate),
        stats.sent_entities,
        stats.migration_bytes,
        ms(stats.halo),
        stats.mirrors,
        stats.halo_bytes,
        ms(stats.wait),
        ms(stats.checkpoint)
    )
}

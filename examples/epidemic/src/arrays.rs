//! The same epidemic on hand-written arrays, beside the worker: `--arrays` measures both.

use std::time::{Duration, Instant};

use ecs_distributed::{GlobalId, InProcess, RunError, Worker};
use rayon::prelude::*;

use crate::cli::Options;
use crate::model::{Epidemic, Health, Position};
use crate::rules::{Contacts, Illness, Point, next_illness, next_point};

/// The agents that one task handles, if there are several threads.
const PIECE: usize = 4096;

struct Arrays {
    ids: Vec<u64>,
    points: Vec<Point>,
    illnesses: Vec<Illness>,
    infectious: Contacts,
    tick: u32,
}

impl Arrays {
    fn new(model: &Epidemic) -> Self {
        let (mut ids, mut points, mut illnesses) = (Vec::new(), Vec::new(), Vec::new());
        for (id, position, health) in model.agents() {
            ids.push(id.0);
            points.push(position.0);
            illnesses.push(health.0);
        }
        Self { ids, points, illnesses, infectious: Contacts::default(), tick: 0 }
    }

    fn tick(&mut self, seed: u64, side: u32, parallel: bool) {
        let Self { ids, points, illnesses, infectious, tick } = self;
        let agents = points.iter().zip(illnesses.iter());
        let ill = agents.filter(|(_, illness)| illness.is_infectious());
        infectious.sort(ill.map(|(&point, _)| point), side);
        let tick_now = *tick;
        let infect = |ids: &[u64], points: &[Point], illnesses: &mut [Illness]| {
            for ((&id, &point), illness) in ids.iter().zip(points).zip(illnesses) {
                *illness = next_illness(*illness, || infectious.count(point, side), seed, id, tick_now);
            }
        };
        let walk = |ids: &[u64], points: &mut [Point]| {
            for (&id, point) in ids.iter().zip(points) {
                *point = next_point(*point, seed, id, tick_now, side);
            }
        };
        if parallel {
            let pieces = ids.par_chunks(PIECE).zip(points.par_chunks(PIECE));
            pieces
                .zip(illnesses.par_chunks_mut(PIECE))
                .for_each(|((ids, points), illnesses)| infect(ids, points, illnesses));
            let pieces = ids.par_chunks(PIECE).zip(points.par_chunks_mut(PIECE));
            pieces.for_each(|(ids, points)| walk(ids, points));
        } else {
            infect(ids, points, illnesses);
            walk(ids, points);
        }
        *tick += 1;
    }
}

/// Runs the arrays and one worker by turns, and prints the median time of a tick of each. Returns
/// the hash, which both must have.
pub fn compare(options: &Options) -> Result<u64, RunError> {
    let model = Epidemic::new(options.agents, options.seed, options.threads)
        .map_err(|error| RunError::System(error.to_string()))?;
    let mut arrays = Arrays::new(&model);
    let exchange = InProcess::group(1).remove(0);
    let mut worker = Worker::new(model.clone(), exchange)?;
    let (mut times_of_arrays, mut times_of_worker) = (Vec::new(), Vec::new());
    for _ in 0..options.ticks {
        let begin = Instant::now();
        match &model.threads {
            Some(threads) => threads.install(|| arrays.tick(model.seed, model.side(), true)),
            None => arrays.tick(model.seed, model.side(), false),
        }
        times_of_arrays.push(begin.elapsed());
        let begin = Instant::now();
        worker.tick()?;
        times_of_worker.push(begin.elapsed());
    }
    let (arrays_ms, worker_ms) = (median(times_of_arrays), median(times_of_worker));
    println!(
        "{} agents, {} threads: arrays {arrays_ms:.2} ms a tick, worker {worker_ms:.2} ms, ratio {:.3}",
        options.agents,
        options.threads,
        worker_ms / arrays_ms
    );
    let hash = worker.hash()?;
    let agents = arrays.ids.iter().zip(&arrays.points).zip(&arrays.illnesses);
    let agents = agents.map(|((&id, &point), &illness)| (GlobalId(id), Position(point), Health(illness)));
    let agents = agents.collect();
    let mut same = Worker::new(model.with_agents(agents), InProcess::group(1).remove(0))?;
    if same.hash()? != hash {
        return Err(RunError::System("the arrays and the worker have different agents".to_owned()));
    }
    Ok(hash)
}

/// The median in milliseconds.
fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times.get(times.len() / 2).map_or(0.0, |time| time.as_secs_f64() * 1e3)
}

//! `cargo run --release` in this folder: Schelling and flocking beside the same models on bevy_ecs,
//! with the same random numbers and the same end, bit for bit. `mesa.py` runs those of mesa.

#![allow(elided_lifetimes_in_paths, reason = "a program")]

mod bevy;
#[path = "../../../examples/models/flocking.rs"]
#[allow(dead_code, unreachable_pub, reason = "examples share it")]
mod flocking;
#[path = "../../../examples/models/schelling.rs"]
#[allow(dead_code, unreachable_pub, reason = "examples share it")]
mod schelling;

use std::time::Duration;

use ecs::prelude::*;
use ecs::schedule::Parallelism;
use ecs_agents::prelude::*;
use rustix::time::{ClockId, clock_gettime};

/// The time of the processor that this thread has used.
fn now() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Milliseconds of a run with its setup, and its end.
fn timed(run: impl FnOnce() -> Vec<u64>) -> (f64, Vec<u64>) {
    let start = now();
    let end = run();
    ((now() - start).as_secs_f64() * 1e3, end)
}

/// A row: medians of 15 seeds, and the ratio of the least times.
fn row(name: &str, ours: impl Fn(u64) -> Vec<u64>, theirs: impl Fn(u64) -> Vec<u64>) {
    let mut times = [Vec::new(), Vec::new()];
    for seed in 0..15 {
        let ((a, end), (b, other)) = (timed(|| ours(seed)), timed(|| theirs(seed)));
        assert!(end == other, "{name}: seed {seed} has two ends");
        times[0].push(a);
        times[1].push(b);
    }
    times.iter_mut().for_each(|times| times.sort_by(f64::total_cmp));
    let [ours, theirs] = times;
    let (a, b) = (ours[7], theirs[7]);
    println!("| {name} | {a:.2} | {b:.2} | {:.2} | {:.2} |", b / a, theirs[0] / ours[0]);
}

fn schelling(name: &str, width: u32, agents: usize) {
    let ours = |seed| {
        let mut town = schelling::town(seed, Grid::torus(width, width), agents, 3);
        town.set_parallelism(Parallelism::Never);
        (0..20).for_each(|_| town.step());
        let homes = town.query::<&SingleCell>();
        homes.iter().map(|cell| u64::from(cell.0.y * width + cell.0.x)).collect()
    };
    row(name, ours, |seed| bevy::schelling(seed, width, agents, 3, 20));
}

fn flocking(name: &str, birds: usize, sky: flocking::Sky) {
    let ours = |seed| {
        let mut flock = flocking::flock(seed, birds, sky);
        flock.set_parallelism(Parallelism::Never);
        (0..100).for_each(|_| flock.step());
        flock
            .query::<&flocking::Bird>()
            .iter()
            .map(|bird| bird.at[0].to_bits() ^ bird.at[1].to_bits())
            .collect()
    };
    row(name, ours, |seed| bevy::flocking(seed, birds, sky, 100));
}

fn main() {
    println!(
        "| model | checked-ecs, ms | bevy_ecs, ms | ratio | ratio of the least |\n|---|---:|---:|---:|---:|"
    );
    schelling("Schelling small", 40, 1000);
    schelling("Schelling large", 100, 8000);
    flocking("flocking small", 200, flocking::Sky { size: 100.0, sight: 5.0, apart: 1.0 });
    flocking("flocking large", 400, flocking::Sky { size: 150.0, sight: 15.0, apart: 5.0 });
}

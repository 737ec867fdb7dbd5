//! `cargo bench -p checked-ecs-agents`: the models of `examples/models` beside the same models on
//! arrays, as a table in Markdown. With names, `-- sir flocking`, only the models of these names.
//! SIR needs the feature `network`.
//!
//! Each run is that of a seed, with its setup and all steps, and its time is that of the processor.
//! Runs of a world and of arrays alternate. Both end in the same state, which is asserted, except
//! in wolf-sheep, whose animals have another order: there, the numbers of animals are compared.

#![allow(missing_docs, elided_lifetimes_in_paths, reason = "a program")]

use std::hint::black_box;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

use pairs::{Compare, End, Side, each_pair};

#[path = "../tests/arrays/mod.rs"]
#[allow(unreachable_pub, dead_code, reason = "tests share them")]
mod arrays;
#[path = "../examples/models/mod.rs"]
#[allow(unreachable_pub, dead_code, reason = "examples share them")]
mod models;
#[path = "../tests/arrays/pairs.rs"]
#[allow(unreachable_pub, reason = "tests share them")]
mod pairs;

/// The time of the processor that this thread has used.
fn now() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

struct Bench {
    /// Parts of names; all models if there are none.
    wanted: Vec<String>,
    rounds: u64,
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Runs a model of a seed: makes it, does all steps, and reads the end outside of the time.
fn timed<M>(
    side: &Side<impl Fn(u64) -> M, impl Fn(&mut M), impl Fn(&M) -> End>,
    seed: u64,
    steps: u32,
) -> (Duration, End) {
    let start = now();
    let mut model = (side.new)(seed);
    for _ in 0..steps {
        (side.step)(&mut model);
    }
    let time = now() - start;
    (time, (side.end)(black_box(&model)))
}

impl Compare for Bench {
    fn wants(&self, name: &str) -> bool {
        let is_named = |wanted: &String| name.to_lowercase().contains(wanted);
        !name.ends_with("tiny") && (self.wanted.is_empty() || self.wanted.iter().any(is_named))
    }

    fn pair<W, A>(
        &self,
        name: &str,
        is_same: bool,
        steps: u32,
        world: Side<impl Fn(u64) -> W, impl Fn(&mut W), impl Fn(&W) -> End>,
        arrays: Side<impl Fn(u64) -> A, impl Fn(&mut A), impl Fn(&A) -> End>,
    ) {
        let (mut times, mut sums) = ([Vec::new(), Vec::new()], [0, 0]);
        for seed in 0..self.rounds {
            let ((a, end_a), (b, end_b)) = if seed % 2 == 0 {
                let world = timed(&world, seed, steps);
                (world, timed(&arrays, seed, steps))
            } else {
                let arrays = timed(&arrays, seed, steps);
                (timed(&world, seed, steps), arrays)
            };
            assert!(!is_same || end_a == end_b, "{name}: seed {seed} has two ends");
            // the bits of points do not fit into a sum
            sums[0] += if is_same { 0 } else { end_a.iter().sum::<u64>() };
            sums[1] += if is_same { 0 } else { end_b.iter().sum::<u64>() };
            times[0].push(a.as_secs_f64() * 1e3);
            times[1].push(b.as_secs_f64() * 1e3);
        }
        if !is_same {
            let part = sums[0] as f64 / sums[1] as f64;
            assert!((0.9..1.1).contains(&part), "{name}: {sums:?} animals in all steps");
            eprintln!("{name}: {part:.3} times as many animals in all steps");
        }
        let least = |times: &[f64]| times.iter().copied().fold(f64::INFINITY, f64::min);
        let leasts = least(&times[0]) / least(&times[1]);
        let [world, arrays] = times.map(median);
        println!("| {name} | {world:.2} | {arrays:.2} | {:.2} | {leasts:.2} |", world / arrays);
    }
}

fn main() {
    let names = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let wanted = names.map(|name| name.to_lowercase()).collect();
    let rounds = std::env::var("ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(15);
    println!("| model | world, ms | arrays, ms | ratio | ratio of the least |");
    println!("|---|---:|---:|---:|---:|");
    each_pair(&Bench { wanted, rounds });
}

//! A loop on all threads beside one on the current thread, for calls of different cost.

use std::hint::black_box;
use std::time::Instant;

use ecs::prelude::*;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::median;

/// The rounds of arithmetic of a call, each of about a nanosecond.
const ROUNDS: [u32; 6] = [1, 4, 12, 50, 200, 1_000];
/// The nanoseconds of work of a loop, on one thread, at which threads are compared.
pub(super) const WORK: [f64; 5] = [10e3, 20e3, 100e3, 1e6, 10e6];
/// More entities than these are not asked for: loops would wait for memory, not for threads.
const MOST: u32 = 1 << 20;

/// A kind of call, with its figures.
#[derive(Serialize, Deserialize)]
pub(super) struct Body {
    /// Nanoseconds of a call.
    pub(super) cost: f64,
    /// For each of [`WORK`]; `None` where that takes too many entities.
    pub(super) loops: Vec<Option<Loop>>,
}

/// A loop over so many entities, in nanoseconds.
#[derive(Serialize, Deserialize)]
pub(super) struct Loop {
    pub(super) entities: u32,
    /// `for_each`.
    pub(super) alone: f64,
    /// `par_for_each`.
    pub(super) threads: f64,
    /// `par_iter_mut` of an array.
    pub(super) rayon: f64,
}

#[derive(Component)]
struct Number(u64);

world! {
    struct Numbers { components { Number } }
}

/// A chain in which each step waits for the one before.
#[inline]
fn work(number: &mut u64, rounds: u32) {
    for _ in 0..rounds {
        *number = number.wrapping_mul(0x5851_f42d_4c95_7f2d).rotate_left(17);
    }
}

/// Measures all kinds of calls, with so many samples of each loop.
pub(super) fn measure(samples: usize) -> Vec<Body> {
    ROUNDS.into_iter().map(|rounds| body(rounds, samples)).collect()
}

fn body(rounds: u32, samples: usize) -> Body {
    let cost = measure_loop(10_000, rounds, samples).alone / 10_000.0;
    let of_work = |work: f64| {
        let entities = (work / cost).max(1.0) as u32;
        (entities <= MOST).then(|| measure_loop(entities, rounds, samples))
    };
    Body { cost, loops: WORK.map(of_work).into() }
}

/// Samples of the three loops in turn.
fn measure_loop(entities: u32, rounds: u32, samples: usize) -> Loop {
    let mut world = Numbers::new();
    world.spawn_batch((0..entities).map(|i| Number(u64::from(i))));
    let mut array: Vec<u64> = (0..u64::from(entities)).collect();
    let mut taken = [const { Vec::new() }; 3];
    for _ in 0..samples {
        let mut take = |at: usize, run: &mut dyn FnMut()| {
            run();
            let start = Instant::now();
            run();
            let once = start.elapsed().as_secs_f64() * 1e9;
            // short loops are repeated, so that the clock does not count
            let repeats = (200e3 / once) as u32;
            let start = Instant::now();
            (0..repeats).for_each(|_| run());
            let time = start.elapsed().as_secs_f64() * 1e9;
            taken[at].push(if repeats == 0 { once } else { time / f64::from(repeats) });
        };
        take(0, &mut || {
            world.query_mut::<&mut Number>().for_each(|number| work(&mut number.0, rounds));
        });
        take(1, &mut || {
            world.query_mut::<&mut Number>().par_for_each(|number| work(&mut number.0, rounds));
        });
        take(2, &mut || array.par_iter_mut().for_each(|number| work(number, rounds)));
    }
    black_box(&mut array);
    let [alone, threads, rayon] = taken.map(median);
    Loop { entities, alone, threads, rayon }
}

//! How this library scales: with threads, by the cost of a call, and with the number of entities.
//!
//! ```text
//! cargo run --release -p ecs-bench -- --scale [--quick]
//! ```
//!
//! Peers have no part in it. The loop over threads stands beside that of `rayon` over an array, and
//! the figures of many entities stand beside those of fewer.

mod sizes;
mod table;
mod threads;

use serde::{Deserialize, Serialize};

pub(crate) use table::page;

use crate::machine::Machine;

/// All that is measured here.
#[derive(Serialize, Deserialize)]
pub(crate) struct Scale {
    pub(crate) quick: bool,
    pub(crate) machine: Machine,
    bodies: Vec<threads::Body>,
    sizes: Vec<sizes::Size>,
}

/// Measures loops on all threads, and worlds up to 100,000,000 entities, or, if it is to be
/// `quick`, up to a tenth of them.
pub(crate) fn measure(quick: bool) -> Scale {
    let bodies = threads::measure(if quick { 5 } else { 21 });
    let sizes = sizes::measure(if quick { 10_000_000 } else { 100_000_000 });
    Scale { quick, machine: Machine::read(), bodies, sizes }
}

/// The median of some samples, which are not empty.
fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    f64::midpoint(samples[(samples.len() - 1) / 2], samples[samples.len() / 2])
}

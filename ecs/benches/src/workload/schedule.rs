//! Three systems in a schedule, over four kinds: those with `A` and `B`, those that also have `C`,
//! and of these those that also have `D`, or `E`. The systems swap `A` and `B`, `C` and `D`, `C`
//! and `E`.
//!
//! The count is that of each kind; so many entities are visited by the three systems: 4 + 1 + 1.
//! Once on one thread, and once by whatever a library has to run systems at the same time: the
//! first may then run beside the others, which both write `C`.

use super::{PLAIN, Workload};

pub(crate) const SCHEDULE: Workload = Workload {
    name: "schedule",
    what: "three systems that swap components of four kinds, one thread",
    counts: &[10_000],
    visited: sixfold,
    ..PLAIN
};

pub(crate) const PARALLEL: Workload = Workload {
    name: "schedule_parallel",
    what: "the same, with the scheduler that may use all threads; arrays: the same on one thread",
    ..SCHEDULE
};

const fn sixfold(count: u32) -> u32 {
    6 * count
}

/// The values of entity `i` of a kind, for `A` to `E`.
#[inline(always)]
pub(crate) fn values(i: u32) -> [f32; 5] {
    [0.0, 1.0, 2.0, 3.0, 4.0].map(|first| first * 10_000.0 + i as f32)
}

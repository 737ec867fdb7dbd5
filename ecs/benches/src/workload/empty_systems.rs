//! A hundred systems that have one entity each: what it costs to have many of them.
//!
//! Each system has a component of its own, which one entity has. No two systems clash, so that a
//! library with parallel systems may run all of them at the same time. The figures are per system.

use super::{PLAIN, Workload};

/// The number of systems.
pub(crate) const SYSTEMS: u32 = 100;

pub(crate) const IN_TURN: Workload = Workload {
    name: "empty_systems",
    what: "100 systems of one entity each, one thread: time for each system; arrays: functions that are not inlined",
    counts: &[1],
    visited: systems,
    ..PLAIN
};

pub(crate) const PARALLEL: Workload = Workload {
    name: "empty_systems_parallel",
    what: "the same, with the scheduler that may use all threads; arrays: the same on one thread",
    visits: 10_000,
    ..IN_TURN
};

const fn systems(_: u32) -> u32 {
    SYSTEMS
}

/// The operation of a system on its entity.
#[inline(always)]
pub(crate) fn step(number: &mut f32) {
    *number += 1.0;
}

//! 65,536 entities over all 1,024 combinations of ten components, `A` to `J`: entity `i` has those
//! whose bit is set in `i % 1024`, `A` for the lowest. `A += B`, of the quarter that has both.

use super::{PLAIN, Workload};

/// The number of combinations.
pub(crate) const COMBINATIONS: u32 = 1024;

pub(crate) const SPAWNED: Workload = Workload {
    name: "combinations",
    what: "a += b over all 1,024 combinations of ten components, each spawned with all of its components",
    counts: &[65_536],
    visited: quarter,
    ..PLAIN
};

pub(crate) const INSERTED: Workload = Workload {
    name: "combinations_inserted",
    what: "the same, with entities that were spawned empty and got one component after the other",
    ..SPAWNED
};

pub(crate) const INSERTED_FOR: Workload =
    Workload { name: "combinations_inserted_for", what: "the same in a `for` loop", ..SPAWNED };

pub(crate) const REGROUPED: Workload = Workload {
    name: "combinations_regrouped",
    what: "the same, after a call that moves entities to others with the same components, in libraries that do not move them before",
    ..SPAWNED
};

const fn quarter(count: u32) -> u32 {
    count / 4
}

/// The value that every component of entity `i` begins with.
#[inline(always)]
pub(crate) fn value(i: u32) -> f32 {
    (i % 1000) as f32
}

/// The operation on an entity that has both.
#[inline(always)]
pub(crate) fn step(a: &mut f32, b: &f32) {
    *a += *b;
}

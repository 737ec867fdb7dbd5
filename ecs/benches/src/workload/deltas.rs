//! The changes of a part of a world: of 100,000 entities with four components, 100 bytes each, 1 %
//! get another position and another velocity, and what changed since a baseline is written for
//! another world. Neither the changes nor the baseline are timed.
//!
//! The figures are per entity of the world, so that they can be compared with those of the whole
//! world.

use super::{Measure, PLAIN, Workload};
use crate::math::shuffled;

pub(crate) const WHOLE: Workload = Workload {
    name: "delta_whole",
    what: "the whole world is saved in the compact form, to compare deltas with",
    counts: &[100_000],
    visits: 1_000_000,
    measure: Measure::TimeOfPrepared,
    ..PLAIN
};

pub(crate) const ADJACENT: Workload = Workload {
    name: "delta_adjacent",
    what: "a delta; the entities that changed were spawned one after the other, and components are tracked",
    ..WHOLE
};

pub(crate) const SCATTERED: Workload = Workload {
    name: "delta_scattered",
    what: "a delta; the entities that changed are anywhere, and components are tracked",
    ..WHOLE
};

pub(crate) const UNTRACKED: Workload = Workload {
    name: "delta_untracked",
    what: "a delta; the entities that changed are anywhere, and components are not tracked, so that all are compared",
    ..WHOLE
};

/// The entities that change.
pub(crate) fn adjacent(count: u32) -> Vec<u32> {
    (count / 2..count / 2 + count / 100).collect()
}

/// The entities that change.
pub(crate) fn scattered(count: u32) -> Vec<u32> {
    let mut order = shuffled(count);
    order.truncate(count as usize / 100);
    order
}

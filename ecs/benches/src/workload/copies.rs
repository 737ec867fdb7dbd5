//! Copies of a world of 1,000,000 entities with the four components of `simple_insert`, 100 bytes
//! each: made anew, made into another world, and as snapshots between which one entity in a hundred
//! changes. The changed entities are adjacent, as in the part of a game's world where the player
//! is.
//!
//! The figures are per entity of all. The arrays have no snapshots: they are copied as a whole,
//! into memory that is there.

use std::ops::Range;

use super::{Measure, PLAIN, Workload};

pub(crate) const CLONE: Workload = Workload {
    name: "clone",
    what: "the world is cloned, and the clone of the run before is dropped",
    counts: &[1_000_000],
    visits: 1_000_000,
    ..PLAIN
};

pub(crate) const CLONE_FROM: Workload = Workload {
    name: "clone_from",
    what: "`clone_from` into another world, which reuses its memory",
    ..CLONE
};

pub(crate) const SNAPSHOT: Workload = Workload {
    name: "snapshot",
    what: "a snapshot of a world with 1 % changed entities since the previous snapshot, which is dropped",
    visits: 8_000_000,
    measure: Measure::TimeOfPrepared,
    ..CLONE
};

pub(crate) const RESTORE: Workload = Workload {
    name: "restore",
    what: "a world with 1 % changed entities since its snapshot is restored",
    ..SNAPSHOT
};

/// Which entities are changed before a run of this number: a hundredth of all, other ones in each
/// run.
pub(crate) fn stripe(run: u32, count: u32) -> Range<usize> {
    let len = count / 100;
    let start = run.wrapping_mul(len).wrapping_mul(37) % (count - len);
    start as usize..(start + len) as usize
}

/// Changes one entity.
#[inline(always)]
pub(crate) fn change(transform: &mut [f32; 16], others: [&mut [f32; 3]; 3]) {
    transform[3] += 1.0;
    others.into_iter().for_each(|other| other[0] += 1.0);
}

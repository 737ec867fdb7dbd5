//! Change detection: of 1,000,000 entities some are changed, in an order and at places that look
//! random, and then one system goes through those that changed. Only that is timed: neither the
//! changes nor what they cost to note.
//!
//! The figures are per entity that changed; where none did, per run. Each run is timed by itself,
//! which adds what it takes to look at the clock, some 20 ns. Libraries that only know that some
//! entity of an archetype changed are not here. The arrays have a bit for each entity, and one for
//! each 64 of these bits.

use super::{Measure, PLAIN, Workload};
use crate::math::shuffled;

pub(crate) const NONE: Workload = Workload {
    name: "changed_0",
    what: "a system with a change filter, without changed entities: time for each run",
    counts: &[1_000_000],
    visited: once,
    visits: 16,
    measure: Measure::TimeOfPrepared,
    ..PLAIN
};

pub(crate) const THOUSANDTH: Workload = Workload {
    name: "changed_0_1",
    what: "a system that reads the changed entities, 0.1 % of all: time for each that changed",
    visited: thousandth,
    visits: 16_000,
    ..NONE
};

pub(crate) const HUNDREDTH: Workload = Workload {
    name: "changed_1",
    what: "a system that reads the changed entities, 1 % of all: time for each that changed",
    visited: hundredth,
    visits: 80_000,
    ..NONE
};

pub(crate) const ALL: Workload = Workload {
    name: "changed_100",
    what: "a system that reads the changed entities, 100 % of all",
    visited: super::all,
    visits: 1_000_000,
    ..NONE
};

/// The number of changed entities, by the number of all.
type Share = fn(u32) -> u32;

/// Each workload, and its share.
pub(crate) const SHARES: [(&Workload, Share); 4] =
    [(&NONE, |_| 0), (&THOUSANDTH, thousandth), (&HUNDREDTH, hundredth), (&ALL, super::all)];

const fn once(_: u32) -> u32 {
    1
}

const fn thousandth(count: u32) -> u32 {
    count / 1_000
}

const fn hundredth(count: u32) -> u32 {
    count / 100
}

/// Which of the entities change, in the order in which they do.
pub(crate) fn chosen(count: u32, share: Share) -> Vec<u32> {
    let mut chosen = shuffled(count);
    chosen.truncate(share(count) as usize);
    chosen
}

/// Changes one entity.
#[inline(always)]
pub(crate) fn change(position: &mut [f32; 3]) {
    position[0] += 1.0;
}

/// The contribution of an entity to the sum.
#[inline(always)]
pub(crate) fn term(position: &[f32; 3]) -> u64 {
    u64::from(position[0].to_bits())
}

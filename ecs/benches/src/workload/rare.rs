//! A component that one entity in a hundred has: `position.x += rare`, of those that have it. A
//! library that has several storages uses the one that suits the workload.

use super::{PLAIN, Workload};
use crate::math::shuffled;

pub(crate) const RANDOM: Workload = Workload {
    name: "rare_random",
    what: "a component of 1 % of the entities, which are chosen at random and get it later: iterated",
    counts: &[1_000_000],
    visited: hundredth,
    ..PLAIN
};

pub(crate) const SET: Workload = Workload {
    name: "rare_set",
    what: "the same, with the cost of adding and removing the component",
    ..RANDOM
};

pub(crate) const KIND: Workload = Workload {
    name: "rare_kind",
    what: "a component that every hundredth entity is spawned with: iterated",
    ..RANDOM
};

pub(crate) const REGROUPED: Workload = Workload {
    name: "rare_regrouped",
    what: "a component of 1 % of the entities, as in `rare_random`, after a call that moves entities to others with the same components",
    ..RANDOM
};

const fn hundredth(count: u32) -> u32 {
    count / 100
}

/// The entities that get the component, in that order.
pub(crate) fn chosen(count: u32) -> Vec<u32> {
    let mut chosen = shuffled(count);
    chosen.truncate(hundredth(count) as usize);
    chosen
}

/// The operation on an entity.
#[inline(always)]
pub(crate) fn step(position: &mut [f32; 3], rare: &f32) {
    position[0] += *rare;
}

/// The value of the rare component.
pub(crate) const VALUE: f32 = 0.5;

/// Whether entity `i` is spawned with it.
#[inline(always)]
pub(crate) fn is_of_kind(i: u32) -> bool {
    i.is_multiple_of(100)
}

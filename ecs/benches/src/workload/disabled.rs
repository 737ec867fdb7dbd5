//! Disabled entities: loops pass over them. Half of all entities are disabled, chosen at random,
//! after all were spawned alike.
//!
//! To disable an entity, bevy moves it to another table. This library sets a bit of it.

use super::{PLAIN, Workload};
use crate::math::shuffled;

pub(crate) const PASSED_OVER: Workload = Workload {
    name: "disabled_iter",
    what: "position += velocity of the enabled half of all entities, in `for_each`: time for each enabled entity",
    counts: &[10_000, 1_000_000],
    visited: half,
    visits: 4_000_000,
    ..PLAIN
};

pub(crate) const TOGGLED: Workload = Workload {
    name: "disabled_toggle",
    what: "every entity disabled, then every entity enabled, both in an order that looks random",
    ..PLAIN
};

const fn half(count: u32) -> u32 {
    count / 2
}

/// The entities that are disabled, in that order.
pub(crate) fn chosen(count: u32) -> Vec<u32> {
    let mut chosen = shuffled(count);
    chosen.truncate(half(count) as usize);
    chosen
}

//! Entities of eight kinds, spawned one by one in turn: all have a position and a velocity, and
//! entity `i` has `A`, `B`, `C` where the bits of `i % 8` say so, `A` for the lowest. Then the
//! position moves by the velocity.

use super::{PLAIN, Workload};

pub(crate) const EIGHT_KINDS: Workload = Workload {
    name: "eight_kinds",
    what: "position += velocity, with eight kinds that were spawned alternately",
    counts: &[10_000, 1_000_000],
    visits: 1_000_000,
    ..PLAIN
};

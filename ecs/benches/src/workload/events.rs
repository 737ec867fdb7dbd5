//! One system sends events one by one, another one reads them; one thread. Each run reads what it has sent, and what is
//! to be done for the events of a run to be forgotten is a part of it.

use super::{PLAIN, Workload};

pub(crate) const EVENTS: Workload = Workload {
    name: "events",
    what: "events of 8 bytes that one system sends and another one reads; arrays: a vector",
    counts: &[100_000],
    ..PLAIN
};

/// What event `i` holds.
#[inline(always)]
pub(crate) fn values(i: u32) -> (u32, u32) {
    (i, i ^ 0x5555)
}

/// What reading an event adds to the sum of all.
#[inline(always)]
pub(crate) fn term(event: (u32, u32)) -> u64 {
    u64::from(event.0).wrapping_mul(3) ^ u64::from(event.1)
}

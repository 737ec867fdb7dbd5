//! One system sends events one by one, another one reads them; one thread. Each run reads what it
//! has sent, and what is to be done for the events of a run to be forgotten is a part of it.

use super::{PLAIN, Workload};

pub(crate) const EVENTS: Workload = Workload {
    name: "events",
    what: "events of 8 bytes from one system to another; arrays: a vector",
    counts: &[100_000],
    ..PLAIN
};

/// The value of event `i`.
#[inline(always)]
pub(crate) fn values(i: u32) -> (u32, u32) {
    (i, i ^ 0x5555)
}

/// The contribution of an event to the sum.
#[inline(always)]
pub(crate) fn term(event: (u32, u32)) -> u64 {
    u64::from(event.0).wrapping_mul(3) ^ u64::from(event.1)
}

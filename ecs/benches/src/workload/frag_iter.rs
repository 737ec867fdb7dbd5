//! 26 sets of 20 entities. Each set has a component of its own, and all entities have one more,
//! which the loop changes.

use super::{PLAIN, Workload};

/// Entities of each kind.
pub(crate) const OF_EACH: u32 = 20;

pub(crate) const FRAG_ITER: Workload = Workload {
    name: "frag_iter",
    what: "one component that 26 kinds of 20 entities each have",
    counts: &[26 * OF_EACH],
    visits: 200_000,
    ..PLAIN
};

pub(crate) const FOR: Workload =
    Workload { name: "frag_iter_for", what: "the same in a `for` loop", ..FRAG_ITER };

pub(crate) const SINGLE: Workload = Workload {
    name: "frag_iter_single",
    what: "the same, with entities that were spawned one by one, of each kind in turn",
    ..FRAG_ITER
};

pub(crate) const REGROUPED: Workload = Workload {
    name: "frag_iter_regrouped",
    what: "the same, after a call that moves entities of small kinds side by side",
    ..FRAG_ITER
};

/// The operation on an entity. ecs_bench_suite doubles the value, which overflows to infinity; this
/// operation stays finite.
#[inline(always)]
pub(crate) fn step(data: &mut f32) {
    *data += 1.0;
}

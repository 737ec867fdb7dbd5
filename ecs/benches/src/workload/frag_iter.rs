//! 26 kinds of 20 entities, each with a component of its own, and one that all have, which is gone through.

use super::{PLAIN, Workload};

/// Entities of each kind.
pub(crate) const OF_EACH: u32 = 20;

pub(crate) const FRAG_ITER: Workload = Workload {
    name: "frag_iter",
    what: "one component of 26 kinds, 20 entities each",
    counts: &[26 * OF_EACH],
    visits: 200_000,
    ..PLAIN
};

/// What is done with an entity. ecs_bench_suite doubles, which ends at infinity; this stays a number.
#[inline(always)]
pub(crate) fn step(data: &mut f32) {
    *data += 1.0;
}

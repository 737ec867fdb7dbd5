//! Two components of one number each: what the compiler makes of a loop over plain numbers.

use super::{PLAIN, Workload};

pub(crate) const NUMBERS: Workload = Workload {
    name: "numbers",
    what: "a number += another one, in the form of system that has the fewest words: eight numbers fit into a wide register",
    counts: &[10_000, 1_000_000],
    ..PLAIN
};

/// The operation on an entity.
#[inline(always)]
pub(crate) fn step(a: &mut f32, b: &f32) {
    *a += *b;
}

//! The position of an entity by its id, ids in shuffled order. An id that is stale has to be
//! noticed; the arrays, which have indices for ids, do not notice.

use super::{PLAIN, Workload};

pub(crate) const RANDOM_ACCESS: Workload = Workload {
    name: "random_access",
    what: "a component read by id, ids in shuffled order",
    counts: &[10_000, 1_000_000],
    swept: true,
    ..PLAIN
};

/// The contribution of an entity to the sum, an integer: unlike a sum of floats, it does not limit
/// the speed by its latency.
#[inline(always)]
pub(crate) fn term(position: &[f32; 3]) -> u64 {
    u64::from(position[0].to_bits())
}

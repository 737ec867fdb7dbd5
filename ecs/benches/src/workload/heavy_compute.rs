//! So much arithmetic for each entity that the library hardly counts: on one thread, and on all
//! threads, as in ecs_bench_suite.

use super::{PLAIN, Workload};
use crate::math::{invert, turn};

pub(crate) const HEAVY_COMPUTE: Workload = Workload {
    name: "heavy_compute",
    what: "a matrix inverted 100 times and a position turned by it, one thread",
    counts: &[1_000],
    visits: 1_000,
    ..PLAIN
};

pub(crate) const PARALLEL: Workload = Workload {
    name: "heavy_compute_parallel",
    what: "the same on all threads, by the library's parallel loop; arrays: `rayon`",
    ..HEAVY_COMPUTE
};

/// The operation on an entity.
#[inline]
pub(crate) fn step(transform: &mut [f32; 16], position: &mut [f32; 3]) {
    for _ in 0..100 {
        *transform = invert(transform);
    }
    *position = turn(transform, position);
}

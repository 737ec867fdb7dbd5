//! The allocated bytes of a world of entities with four components, 100 bytes, which are spawned
//! one by one.

use super::{Measure, PLAIN, Workload};

pub(crate) const BODIES: Workload = Workload {
    name: "memory",
    what: "bytes that a world of entities with four components, 100 bytes each, holds",
    counts: &[1_000_000],
    measure: Measure::Memory,
    ..PLAIN
};

pub(crate) const SMALL: Workload = Workload { name: "memory_small", counts: &[1_000], ..BODIES };

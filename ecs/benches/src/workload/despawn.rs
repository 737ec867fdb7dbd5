//! Entities with four components despawned by id. The ids must be stale afterwards; the arrays only
//! mark what is gone and keep its place for the next.

use super::{Measure, PLAIN, Workload};

pub(crate) const IN_ORDER: Workload = Workload {
    name: "despawn",
    what: "all entities despawned, in the order of spawning",
    swept: true,
    visits: 10_000,
    measure: Measure::TimeOfFresh,
    ..PLAIN
};

pub(crate) const SHUFFLED: Workload = Workload {
    name: "despawn_shuffled",
    what: "half of 20,000 entities despawned, ids in shuffled order",
    swept: false,
    ..IN_ORDER
};

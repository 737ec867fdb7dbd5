//! Entities with four components, 100 bytes, put into an empty world. Making the world is not timed, growing it is.

use super::Workload;

pub(crate) const ONE_BY_ONE: Workload = Workload {
    name: "simple_insert",
    what: "entities with four components, one by one, nothing reserved",
    counts: &[10_000],
    visits: 1,
    fresh: true,
};

pub(crate) const BATCHED: Workload = Workload {
    name: "simple_insert_batched",
    what: "entities with four components, from an iterator of known length",
    ..ONE_BY_ONE
};

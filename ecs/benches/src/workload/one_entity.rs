//! A system of one entity: what it costs to run anything at all.

use super::{PLAIN, Workload};

pub(crate) const ONE_ENTITY: Workload = Workload {
    name: "one_entity",
    what: "position += velocity as a system, one entity; arrays: a function that is not inlined",
    counts: &[1],
    ..PLAIN
};

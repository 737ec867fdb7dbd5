//! Every entity has `A`; all get `B`, then all lose it.

use super::{PLAIN, Workload};

pub(crate) const ADD_REMOVE: Workload = Workload {
    name: "add_remove",
    what: "a second component added to every entity, then removed from every entity",
    counts: &[10_000, 1_000_000],
    swept: true,
    visits: 40_000,
    ..PLAIN
};

/// The checksum, of the sum over `B` after a run, which left none, and the sum once it has been
/// added again.
pub(crate) fn digest(none: u64, all: u64) -> u64 {
    none.rotate_left(32) ^ all
}

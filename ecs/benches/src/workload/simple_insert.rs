//! Entities with four components, 100 bytes, put into an empty world. Making the world is not
//! timed, growing it is.
//!
//! The time includes memory that the allocator returns to the system and asks for again. Libraries
//! with large blocks that double pay for this, libraries with small pages do not. With glibc,
//! `MALLOC_MMAP_THRESHOLD_=1073741824` and `MALLOC_TRIM_THRESHOLD_=4294967296` in the environment
//! show the libraries without it; read both figures.

use super::{Measure, PLAIN, Workload};

pub(crate) const ONE_BY_ONE: Workload = Workload {
    name: "simple_insert",
    what: "entities with four components, one by one, nothing reserved",
    counts: &[10_000, 1_000_000],
    swept: true,
    visits: 10_000,
    measure: Measure::TimeOfFresh,
    ..PLAIN
};

pub(crate) const BATCHED: Workload = Workload {
    name: "simple_insert_batched",
    what: "the same entities in one batch, in the library's fastest form: by rows or by columns",
    ..ONE_BY_ONE
};

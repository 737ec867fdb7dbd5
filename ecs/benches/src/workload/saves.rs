//! Worlds as data: entities with the four components of `simple_insert`, 100 bytes each, are saved
//! and loaded, as in ecs_bench_suite, where one run does both; hashed; and added to a world that
//! has others.
//!
//! The figures are per entity. What is saved goes into memory that is there, not into a file: a
//! disk is no part of it. The compact forms are this library's own, and postcard for those that
//! leave the format to others (bincode, which ecs_bench_suite has, has no version any more that is
//! kept up). The text is RON. Arrays are saved as a struct of vectors; no ids are in it, nor any
//! check but that of the format.

use super::{Measure, PLAIN, Workload};

pub(crate) const SAVE: Workload = Workload {
    name: "save",
    what: "a world is saved in a compact form, into allocated memory",
    counts: &[1_000, 1_000_000],
    swept: true,
    ..PLAIN
};

pub(crate) const COPY: Workload = Workload {
    name: "save_copy",
    what: "the limit of `save`: two copies of the values' bytes, into allocated memory",
    swept: false,
    ..SAVE
};

pub(crate) const LOAD: Workload = Workload {
    name: "load",
    what: "a world is loaded from a compact form; the previous one is dropped",
    ..SAVE
};

pub(crate) const SAVE_TEXT: Workload = Workload {
    name: "save_text",
    what: "a world is saved as RON",
    counts: &[1_000, 100_000],
    swept: false,
    visits: 10_000,
    ..SAVE
};

pub(crate) const LOAD_TEXT: Workload = Workload {
    name: "load_text",
    what: "a world is loaded from RON; the previous one is dropped",
    ..SAVE_TEXT
};

pub(crate) const HASH: Workload = Workload {
    name: "hash",
    what: "a hash of the whole world; arrays: the same function over the bytes of the values",
    swept: false,
    ..SAVE
};

pub(crate) const MERGE: Workload = Workload {
    name: "merge",
    what: "the entities of a file in the compact form are added to a world with as many entities",
    counts: &[100_000],
    swept: false,
    measure: Measure::TimeOfPrepared,
    ..SAVE
};

/// The checksum of `hash`, of a hash, the hash of the same once more, and the hash after one number
/// was changed: whatever the function, the first two must be the same, and the third another one.
pub(crate) fn digest(values: u64, [hash, again, other]: [u64; 3]) -> u64 {
    values ^ u64::from(hash == again) ^ u64::from(hash != other) << 1
}

//! Worlds that declare 26, 128 or 512 components `Part<N>`. Libraries that learn components at run
//! time have met them all: they are registered, or held by one entity each. Beside these, entities
//! have the first four.

use super::{Measure, PLAIN, Workload};

const SPAWN: Workload = Workload {
    name: "wide_spawn",
    what: "entities with four components spawned one by one",
    visits: 10_000,
    measure: Measure::TimeOfFresh,
    ..PLAIN
};
const ITER: Workload = Workload { name: "wide_iter", what: "first += second", visits: 1_000_000, ..PLAIN };
const INSERT: Workload =
    Workload { name: "wide_insert", what: "a fifth component added and removed", visits: 40_000, ..PLAIN };
const DESPAWN: Workload =
    Workload { name: "wide_despawn", what: "entities with four components despawned", ..SPAWN };

pub(crate) const SPAWN_26: Workload = Workload { name: "wide_spawn_26", ..SPAWN };
pub(crate) const SPAWN_128: Workload = Workload { name: "wide_spawn_128", ..SPAWN };
pub(crate) const SPAWN_512: Workload = Workload { name: "wide_spawn_512", ..SPAWN };
pub(crate) const ITER_26: Workload = Workload { name: "wide_iter_26", ..ITER };
pub(crate) const ITER_128: Workload = Workload { name: "wide_iter_128", ..ITER };
pub(crate) const ITER_512: Workload = Workload { name: "wide_iter_512", ..ITER };
pub(crate) const INSERT_26: Workload = Workload { name: "wide_insert_26", ..INSERT };
pub(crate) const INSERT_128: Workload = Workload { name: "wide_insert_128", ..INSERT };
pub(crate) const INSERT_512: Workload = Workload { name: "wide_insert_512", ..INSERT };
pub(crate) const DESPAWN_26: Workload = Workload { name: "wide_despawn_26", ..DESPAWN };
pub(crate) const DESPAWN_128: Workload = Workload { name: "wide_despawn_128", ..DESPAWN };
pub(crate) const DESPAWN_512: Workload = Workload { name: "wide_despawn_512", ..DESPAWN };

/// The workloads of one width, for the libraries to add with one function.
pub(crate) struct Width {
    pub(crate) spawn: &'static Workload,
    pub(crate) iter: &'static Workload,
    pub(crate) insert: &'static Workload,
    pub(crate) despawn: &'static Workload,
}

pub(crate) const OF_26: Width =
    Width { spawn: &SPAWN_26, iter: &ITER_26, insert: &INSERT_26, despawn: &DESPAWN_26 };
pub(crate) const OF_128: Width =
    Width { spawn: &SPAWN_128, iter: &ITER_128, insert: &INSERT_128, despawn: &DESPAWN_128 };
pub(crate) const OF_512: Width =
    Width { spawn: &SPAWN_512, iter: &ITER_512, insert: &INSERT_512, despawn: &DESPAWN_512 };

/// The values of the four components of entity `i`.
#[inline(always)]
pub(crate) fn values(i: u32) -> [f32; 4] {
    [i as f32, 1.0, 2.0, 3.0]
}

/// The value of the parts that are held by one entity each.
pub(crate) const ALONE: f32 = 9.0;
/// The value of the fifth component.
pub(crate) const FIFTH: f32 = 7.0;

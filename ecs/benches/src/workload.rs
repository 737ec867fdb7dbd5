//! The workloads. Each file describes the task of a library, and has the code that all libraries
//! share.
//!
//! To add a workload: a file with a [`Workload`], a line in [`ALL`], and a case in each library
//! that supports it.

pub(crate) mod add_remove;
pub(crate) mod changed;
pub(crate) mod churn;
pub(crate) mod combinations;
pub(crate) mod commands;
pub(crate) mod copies;
pub(crate) mod deltas;
pub(crate) mod despawn;
pub(crate) mod disabled;
pub(crate) mod eight_kinds;
pub(crate) mod empty_systems;
pub(crate) mod epidemic;
pub(crate) mod events;
pub(crate) mod frag_iter;
pub(crate) mod heavy_compute;
pub(crate) mod memory;
pub(crate) mod names;
pub(crate) mod numbers;
pub(crate) mod observers;
pub(crate) mod one_entity;
pub(crate) mod random_access;
pub(crate) mod rare;
pub(crate) mod relations;
pub(crate) mod saves;
pub(crate) mod schedule;
pub(crate) mod simple_insert;
pub(crate) mod simple_iter;
pub(crate) mod states;
pub(crate) mod timers;
pub(crate) mod transforms;
pub(crate) mod wide;

use serde::{Deserialize, Serialize};

/// A thing to measure.
pub(crate) struct Workload {
    /// The name, as `--only` takes it.
    pub(crate) name: &'static str,
    /// A description of one run.
    pub(crate) what: &'static str,
    /// The numbers of entities with which it is measured.
    pub(crate) counts: &'static [u32],
    /// Whether it is also measured from 1 to 30,000,000 entities, for the plots.
    pub(crate) swept: bool,
    /// The number of entities that a run visits, by the number of all: the figures are per visited
    /// entity.
    pub(crate) visited: fn(u32) -> u32,
    /// A sample repeats the run until it has visited about this many entities.
    pub(crate) visits: u32,
    /// The measured quantity of a run.
    pub(crate) measure: Measure,
}

/// The measured quantity of a run.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Measure {
    /// The time, in nanoseconds for each visited entity. All runs share one world.
    Time,
    /// The time of a run that consumes its world. The world of each run is made before the time is
    /// taken.
    TimeOfFresh,
    /// The time of a run in one world, which is prepared before each run. The preparation is not
    /// timed.
    TimeOfPrepared,
    /// The bytes that the allocator has given out for the world once the run is over, for each
    /// entity.
    Memory,
}

/// A run visits every entity.
const fn all(count: u32) -> u32 {
    count
}

/// The default of most workloads: the time of a run over all entities, in one world.
const PLAIN: Workload = Workload {
    name: "",
    what: "",
    counts: &[10_000],
    swept: false,
    visited: all,
    visits: 100_000,
    measure: Measure::Time,
};

/// All workloads, in the order of the report.
pub(crate) const ALL: [&Workload; 92] = [
    &simple_insert::ONE_BY_ONE,
    &simple_insert::BATCHED,
    &simple_iter::FOR,
    &simple_iter::FOR_EACH,
    &simple_iter::ROW_BY_ROW,
    &simple_iter::SYSTEM,
    &simple_iter::SLICES,
    &numbers::NUMBERS,
    &simple_iter::PARALLEL,
    &one_entity::ONE_ENTITY,
    &frag_iter::FRAG_ITER,
    &frag_iter::FOR,
    &frag_iter::SINGLE,
    &frag_iter::REGROUPED,
    &combinations::SPAWNED,
    &combinations::INSERTED,
    &combinations::INSERTED_FOR,
    &combinations::REGROUPED,
    &eight_kinds::EIGHT_KINDS,
    &schedule::SCHEDULE,
    &schedule::PARALLEL,
    &empty_systems::IN_TURN,
    &empty_systems::PARALLEL,
    &events::EVENTS,
    &commands::SPAWN,
    &commands::INSERT,
    &changed::NONE,
    &changed::THOUSANDTH,
    &changed::HUNDREDTH,
    &changed::ALL,
    &relations::DESPAWN,
    &relations::SUM,
    &relations::PARENT,
    &transforms::ALL_MOVED,
    &transforms::FEW_MOVED,
    &observers::ADDED,
    &observers::EVENTS,
    &states::TRANSITION,
    &disabled::PASSED_OVER,
    &disabled::TOGGLED,
    &timers::TIMERS,
    &copies::CLONE,
    &copies::CLONE_FROM,
    &copies::SNAPSHOT,
    &copies::RESTORE,
    &saves::SAVE,
    &saves::COPY,
    &saves::LOAD,
    &saves::SAVE_TEXT,
    &saves::LOAD_TEXT,
    &saves::HASH,
    &saves::MERGE,
    &deltas::WHOLE,
    &deltas::ADJACENT,
    &deltas::SCATTERED,
    &deltas::UNTRACKED,
    &names::READ,
    &names::READ_TYPED,
    &names::JSON,
    &names::JSON_TYPED,
    &names::QUERY,
    &names::QUERY_ROWS,
    &names::QUERY_TYPED,
    &heavy_compute::HEAVY_COMPUTE,
    &heavy_compute::PARALLEL,
    &epidemic::EPIDEMIC,
    &epidemic::PARALLEL,
    &add_remove::ADD_REMOVE,
    &random_access::RANDOM_ACCESS,
    &rare::RANDOM,
    &rare::SET,
    &rare::KIND,
    &rare::REGROUPED,
    &churn::STEP,
    &churn::BEFORE,
    &churn::AFTER,
    &despawn::IN_ORDER,
    &despawn::SHUFFLED,
    &wide::SPAWN_26,
    &wide::SPAWN_128,
    &wide::SPAWN_512,
    &wide::ITER_26,
    &wide::ITER_128,
    &wide::ITER_512,
    &wide::INSERT_26,
    &wide::INSERT_128,
    &wide::INSERT_512,
    &wide::DESPAWN_26,
    &wide::DESPAWN_128,
    &wide::DESPAWN_512,
    &memory::SMALL,
    &memory::BODIES,
];

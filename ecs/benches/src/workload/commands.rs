//! Commands: a system says what shall become of entities, and it is done when the system has ended.
//! Both are timed.
//!
//! World and commands have had as many before, so that no memory is new; what is undone between two
//! runs, so that they find the same, is not timed. The arrays are those of the components behind a
//! vector of what is to be put into them.

use super::{Measure, PLAIN, Workload};

pub(crate) const SPAWN: Workload = Workload {
    name: "commands_spawn",
    what: "entities with two components, spawned by commands",
    counts: &[100_000],
    measure: Measure::TimeOfPrepared,
    ..PLAIN
};

pub(crate) const INSERT: Workload = Workload {
    name: "commands_insert",
    what: "a second component, inserted by commands into existing entities",
    ..SPAWN
};

//! A game state that changes in each run, from one of two values to the other, with a system that
//! runs at each entry.

use super::{PLAIN, Workload};

pub(crate) const TRANSITION: Workload = Workload {
    name: "state_transition",
    what: "a game state changes, and a system runs on entering it: time for each change",
    counts: &[1],
    ..PLAIN
};

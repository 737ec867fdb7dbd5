//! Observers: code that runs because something happened, whoever did it. A system gives commands or
//! sends events, and an observer reads what they did; both are timed.
//!
//! bevy runs its observer at each insertion and at each event. This library runs it once after the
//! system, with all that is new.

use super::{Measure, PLAIN, Workload};

pub(crate) const ADDED: Workload = Workload {
    name: "observe_added",
    what: "a component, inserted by commands into existing entities, and an observer that reads each new value",
    measure: Measure::TimeOfPrepared,
    ..PLAIN
};

pub(crate) const EVENTS: Workload = Workload {
    name: "observe_events",
    what: "events that name an entity, and an observer that changes a value of it",
    ..PLAIN
};

/// The value of the `i`-th entity, and the amount of its event.
#[inline(always)]
pub(crate) const fn amount(i: u32) -> u32 {
    i % 1_000
}

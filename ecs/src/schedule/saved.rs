//! Access to the states of systems for saving and loading, and the form in which a clock of a
//! schedule is loaded.

use alloc::vec::Vec;
use core::time::Duration;

use super::fixed::{FixedTime, MAX_STEPS};
use super::plan::AnyPlan;
use super::states::ScheduleStates;
use crate::base::place::Place;
use crate::system::SystemState;

/// The saved data of a place.
pub(crate) struct SavedPlace<'s> {
    pub(crate) place: Place,
    pub(crate) state: &'s SystemState,
    /// The tick of the system's last run; 0 if no system of its schedule reads that tick, since the
    /// fast path does not record it then.
    pub(crate) last_run: u64,
    /// Whether the system is switched off.
    pub(crate) off: bool,
}

/// Access to the states of places, for saving and loading.
impl ScheduleStates {
    /// The saved data of the places of all schedules.
    pub(crate) fn saved(&self, plans: &'static [&'static AnyPlan<'static>]) -> Vec<SavedPlace<'_>> {
        let schedules = plans.iter().zip(&self.schedules).enumerate();
        let saved = schedules.flat_map(|(schedule, (plan, states))| {
            let nodes = nodes_of(plan);
            // an exclusive system that is running has its state outside of the world
            let there = states.places.iter().enumerate().filter(|(_, state)| state.is_there());
            there.map(move |(place, state)| SavedPlace {
                place: Place::Written { schedule, place },
                state,
                last_run: if plan.is_timed { state.ticks.last_run } else { 0 },
                off: nodes.get(place).copied().flatten().is_some_and(|node| states.is_disabled(node)),
            })
        });
        saved.collect()
    }

    /// Returns the state of a place, and switches its system off if `off`.
    pub(crate) fn place_mut(
        &mut self,
        plans: &[&AnyPlan<'_>],
        place: Place,
        off: bool,
    ) -> Option<&mut SystemState> {
        let Place::Written { schedule, place } = place else { return None };
        let (plan, states) = (plans.get(schedule)?, self.schedules.get_mut(schedule)?);
        if let (true, Some(node)) = (off, nodes_of(plan).get(place).copied().flatten()) {
            states.disabled.resize(plan.entries.len(), false);
            states.disabled[node] = true;
        }
        states.places.get_mut(place)
    }

    /// The states of all places.
    pub(crate) fn states(&mut self) -> impl Iterator<Item = (Place, &mut SystemState)> {
        self.schedules.iter_mut().enumerate().flat_map(|(schedule, states)| {
            let places = states.places.iter_mut().enumerate();
            places.map(move |(place, state)| (Place::Written { schedule, place }, state))
        })
    }
}

/// For each place of a plan the index of its node; `None` for the place of a condition.
fn nodes_of(plan: &AnyPlan<'_>) -> Vec<Option<usize>> {
    let nodes = plan.entries.iter().enumerate();
    nodes
        .flat_map(|(at, entry)| {
            let tasks = entry.node.tasks().count();
            (0..tasks).map(move |task| (task + 1 == tasks).then_some(at))
        })
        .collect()
}

/// Refuses a clock with a step of zero, or with a limit of steps outside of 1 to 10,000.
impl<'de> serde::Deserialize<'de> for FixedTime {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        #[serde(rename = "FixedTime")]
        struct Saved {
            step: Duration,
            behind: Duration,
            dropped: Duration,
            most: u32,
            taken: u64,
        }
        let Saved { step, behind, dropped, most, taken } = Saved::deserialize(deserializer)?;
        // files have the limits of the constructors, so that a run takes few steps and ends
        if step.is_zero() || most == 0 {
            return Err(serde::de::Error::custom(
                "a `FixedTime` has a step of zero, or allows no steps in one call",
            ));
        }
        if most > MAX_STEPS {
            let message = format_args!(
                "a `FixedTime` allows {most} steps in one call, and at most {MAX_STEPS} are allowed"
            );
            return Err(serde::de::Error::custom(message));
        }
        Ok(Self { step, behind, dropped, most, taken })
    }
}

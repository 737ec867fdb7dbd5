//! One run of a schedule that was built at run time, and the changes that are made to it meanwhile.
//!
//! The plan with which a run began is walked to its end. Between two sections, when nothing is lent and nothing waits,
//! the changes are made that were asked for since: what they remove is switched off in the plan, what they add is in
//! the next plan. A change may do anything with the schedule, put another one in its place included; then the run is over.

use alloc::sync::Arc;
use core::cell::Cell;
use core::sync::atomic::{AtomicBool, Ordering};

use super::super::panics::named;
use super::super::run::{Home, Run};
use super::super::states;
use super::Schedule;
use crate::error::SystemError;
use crate::world::World;

/// That a schedule is running: until this is dropped.
struct Running(Arc<AtomicBool>);

impl Running {
    fn begin<W: World>(schedule: &Schedule<W>) -> Self {
        let busy = schedule.busy.swap(true, Ordering::Relaxed);
        assert!(!busy, "schedule `{}` of world `{}` was called from inside itself", schedule.name, W::NAME);
        Self(schedule.busy.clone())
    }

    /// Whether this is the schedule.
    fn is<W: World>(&self, schedule: &Schedule<W>) -> bool {
        Arc::ptr_eq(&self.0, &schedule.busy)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

impl<W: World> Schedule<W> {
    /// Runs the systems that are switched on, in order. Changes that were asked for by [`Schedules::edit_schedule`](crate::Schedules::edit_schedule) are made
    /// before.
    ///
    /// # Errors
    /// That of the first system that fails; nothing after it runs, what it deferred itself is dropped, and changes that
    /// were asked for wait for the next run.
    ///
    /// # Panics
    /// If the schedule belongs to another world, or to the same in another state; if a system puts another world in the
    /// place of this one; if it is called from inside itself, by a change that a system asked for.
    pub fn run(&mut self, world: &mut W) -> Result<(), SystemError> {
        let current = Cell::new("");
        named(world, self.name, &current, |world| self.run_all(world, &current))
    }

    fn run_all(&mut self, world: &mut W, current: &Cell<&'static str>) -> Result<(), SystemError> {
        let running = Running::begin(self);
        if !self.edit(world, &running) {
            return Ok(());
        }
        if let Err(other) = self.renew(world) {
            panic!("{other}");
        }
        let planned = self.planned();
        let plan = &*planned.plan;
        let (mut start, mut measured) = (0, None);
        while start < plan.entries.len() {
            self.mark();
            let mut run = Run::new(world, plan, Home::Own(&mut self.states), current);
            let measure = *measured.get_or_insert_with(|| run.is_to_be_measured());
            while let Some(first) = plan.entries.get(start) {
                run.section(start..first.end, measure)?;
                start = first.end;
                let places = states::of(run.world);
                // a snapshot that was taken in this stage does not fit in a later one
                let stays = places.bonds.renew(&mut self.bond);
                if places.edits.count(self.name) > 0 || !stays {
                    break;
                }
            }
            drop(run);
            self.stays(world);
            current.set("");
            if !self.edit(world, &running) {
                return Ok(());
            }
            self.stays(world);
        }
        if measured == Some(true) && !self.stale {
            self.states.clock.decide(plan);
        }
        Ok(())
    }

    /// Makes sure that the world is the one that the run began with.
    fn stays(&self, world: &mut W) {
        let stays = self.bond == 0 || states::of(world).bonds.has(self.bond);
        assert!(stays, "world `{}` was replaced while schedule `{}` was running", W::NAME, self.name);
    }

    /// Makes the changes that wait; those that they ask for wait for the next time. Says whether this is still the schedule
    /// that is running.
    fn edit(&mut self, world: &mut W, running: &Running) -> bool {
        let mut waiting = states::of(world).edits.count(self.name);
        while waiting > 0 && running.is(self) {
            waiting -= 1;
            if let Some(edit) = states::of(world).edits.take(self.name) {
                edit(self, world);
            }
        }
        running.is(self)
    }
}

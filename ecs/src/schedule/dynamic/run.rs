//! One run of a [`Schedule`], and the edits that are applied to it meanwhile.
//!
//! A run follows the plan with which it began. Between two sections, when no system is running and
//! all commands were applied, it applies the edits that were requested since. Systems that an edit
//! removes are switched off in the plan; systems that it adds are in the next plan. An edit may
//! even replace the schedule by another one; then the run ends.

use core::cell::Cell;

use super::super::observers;
use super::super::panics::report_panics;
use super::super::run::{ScheduleRun, StatesLocation};
use super::super::states::{self, RunningFlag};
use super::Schedule;
use crate::error::SystemError;
use crate::raw_world::RawWorld;

impl<W: RawWorld> Schedule<W> {
    /// Runs the systems that are switched on, in order. Before that, it applies the changes that
    /// were requested with [`Schedules::edit_schedule`](crate::Schedules::edit_schedule).
    ///
    /// # Errors
    /// The error of the first system that fails. No system after it runs, and its own deferred
    /// changes are dropped. Changes of the schedule that were requested wait for the next run.
    ///
    /// # Panics
    /// If the schedule belongs to another world, or to the same world at another time; if a system
    /// replaces the world by another one; if the schedule is running already, which an edit that
    /// calls `run` causes.
    pub fn run(&mut self, world: &mut W) -> Result<(), SystemError> {
        let current = Cell::new("");
        report_panics(world, self.name, &current, |world| self.run_all(world, &current, None))
    }

    /// Runs the systems with a name, as [`run`](Self::run) does with all: those that are switched
    /// on, with the states that they have in this schedule. Their commands are applied at once.
    /// Returns whether there is a system of this name.
    ///
    /// So a schedule is a place for callbacks whose `Local`s and readers are kept from call to
    /// call, and another executor is a loop over the names of [`iter`](Self::iter), which decides
    /// for each system whether and when it runs:
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// use ecs::Schedule;
    /// # #[derive(Resource, Default)] struct Log(Vec<u32>);
    /// # world! { struct Game { resources { Log } } }
    /// # #[system(Game)] fn greet(mut calls: Local<u32>, mut log: ResMut<Log>) { *calls += 1; log.0.push(*calls); }
    /// # let mut game = Game::default();
    /// let mut callbacks = Schedule::<Game>::new("callbacks");
    /// callbacks.add::<greet>(&mut game, 0)?;                  // counts its calls in a `Local`
    /// assert!(callbacks.run_named(&mut game, "greet")?);
    /// assert!(callbacks.run_named(&mut game, "greet")?);
    /// assert_eq!(game.resource::<Log>().0, [1, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`run`](Self::run).
    ///
    /// # Panics
    /// As [`run`](Self::run).
    pub fn run_named(&mut self, world: &mut W, name: &str) -> Result<bool, SystemError> {
        let (current, is_known) = (Cell::new(""), self.has_named(name));
        report_panics(world, self.name, &current, |world| self.run_all(world, &current, Some(name)))?;
        Ok(is_known)
    }

    /// Runs all systems, or those with a name.
    fn run_all(
        &mut self,
        world: &mut W,
        current: &Cell<&'static str>,
        only: Option<&str>,
    ) -> Result<(), SystemError> {
        self.states.check_not_running::<W>(self.name);
        let running = self.states.mark_running();
        if !self.apply_edits(world, &running) {
            return Ok(());
        }
        if let Err(error) = self.renew_token(world) {
            panic!("{error}");
        }
        let planned = self.current_plan();
        let plan = &planned.plan();
        let (mut start, mut measured) = (0, None);
        if W::OBSERVERS.is_some() {
            observers::run_within(world)?;
        }
        while start < plan.entries.len() {
            self.update_disabled();
            let mut run = ScheduleRun::new(world, plan, StatesLocation::Schedule(&mut self.states), current);
            let measure = *measured.get_or_insert_with(|| run.needs_measuring());
            while let Some(first) = plan.entries.get(start) {
                let passes = only.is_none_or(|name| first.node.task.name == name);
                let end = if only.is_none() { first.end } else { start + 1 };
                if passes {
                    run.section(start..end, measure)?;
                }
                start = end;
                if only.is_some() && passes || only.is_none() && run.ends_stage(start) {
                    run.observe()?;
                }
                let places = states::of_mut(run.world);
                // after this, a copy of the world that a system of this section has made does not
                // fit the schedule any more
                let same_world = places.tokens.renew(&mut self.token);
                if places.edits.count(self.name) > 0 || !same_world {
                    break;
                }
            }
            drop(run);
            self.check_same_world(world);
            current.set("");
            if !self.apply_edits(world, &running) {
                return Ok(());
            }
            self.check_same_world(world);
        }
        if measured == Some(true) && only.is_none() && !self.plan_is_stale {
            self.states.clock.decide_parallel_waves(plan.any());
        }
        Ok(())
    }

    /// Panics if the world is not the one with which the run began.
    fn check_same_world(&self, world: &mut W) {
        let same_world = self.token == 0 || states::of_mut(world).tokens.contains(self.token);
        assert!(
            same_world,
            "world `{}` was replaced while schedule `{}` was running",
            W::WORLD_NAME,
            self.name
        );
    }

    /// Applies the waiting edits. Edits that are requested meanwhile wait for the next call.
    /// Returns whether the schedule is still the one that is running: `false` if an edit has
    /// replaced it.
    fn apply_edits(&mut self, world: &mut W, running: &RunningFlag) -> bool {
        let mut waiting = states::of_mut(world).edits.count(self.name);
        while waiting > 0 && running.is_of(&self.states) {
            waiting -= 1;
            if let Some(edit) = states::of_mut(world).edits.take(self.name) {
                edit(self, world);
            }
        }
        running.is_of(&self.states)
    }
}

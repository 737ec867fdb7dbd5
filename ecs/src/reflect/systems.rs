//! Systems, conditions and schedules by name: running, switching, measuring, and their last
//! failures.

use alloc::format;
use alloc::vec::Vec;
use core::ops::Deref;

use super::erased::ErasedWorld;
use super::error::{NameKind, ReflectError};
use super::world::{ReflectMut, Reflection, is_allowed};
use crate::error::SystemError;
use crate::schedule::SystemFailure;

impl<'w, A: Deref<Target = dyn ErasedWorld + 'w>> Reflection<A> {
    /// The names of the systems in the conditions of shown systems, in the order of the text, each
    /// once.
    pub fn conditions(&self) -> Vec<&'static str> {
        let mut names = Vec::new();
        for (system, condition) in self.world.condition_names() {
            if is_allowed(self.shows.systems.as_ref(), system) && !names.contains(&condition) {
                names.push(condition);
            }
        }
        names
    }

    /// The last failure of each system that has returned an error or panicked, the latest one last.
    /// They belong to this world, not to copies of it, and are not saved.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::reflect::ReflectWorld;
    /// # world! { #[derive(Reflect)] struct Game {} schedule tick -> Result { load } }
    /// # #[system(Game)] fn load() -> Result<(), String> { Err("no such file".into()) }
    /// let mut game = Game::new();
    /// game.tick().unwrap_err();
    /// let [failure] = &game.reflect().failures()[..] else { panic!() };
    /// assert_eq!((failure.schedule, failure.system, &*failure.reason), ("tick", "load", "no such file"));
    /// ```
    pub fn failures(&self) -> Vec<SystemFailure> {
        let all = self.world.system_failures().iter();
        all.filter(|failure| is_allowed(self.shows.systems.as_ref(), failure.system)).cloned().collect()
    }

    /// The last failure of a system, in whichever schedule.
    ///
    /// # Errors
    /// If no schedule has a system of this name.
    pub fn failure_of(&self, system: &str) -> Result<Option<SystemFailure>, ReflectError> {
        self.system(system)?;
        Ok(self.failures().into_iter().rfind(|failure| failure.system == system))
    }
}

fn failed(schedule: &str, error: &SystemError) -> ReflectError {
    ReflectError::Failed { schedule: schedule.into(), reason: format!("{error}") }
}

impl ReflectMut<'_> {
    /// Switches a system on or off in all schedules, as
    /// [`Schedules::enable`](crate::Schedules::enable). Returns the number of its places.
    ///
    /// # Errors
    /// If no schedule has a system of this name.
    pub fn enable_system(&mut self, system: &str, on: bool) -> Result<usize, ReflectError> {
        self.writable()?;
        self.system(system)?;
        Ok(self.world.enable_system(system, on))
    }

    /// Runs a schedule. A handle that is restricted to some systems runs none.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::reflect::ReflectWorld;
    /// # use serde::{Deserialize, Serialize};
    /// # #[derive(Resource, Default, Serialize, Deserialize)] struct Clock(u32);
    /// # world! { #[derive(Reflect)] struct Game { resources { Clock } } schedule tick { count } }
    /// # #[system(Game)] fn count(mut clock: ResMut<Clock>) { clock.0 += 1; }
    /// let mut game = Game::default();
    /// let mut world = game.reflect_mut();
    /// world.run_schedule("tick")?;
    /// world.enable_system("count", false)?;
    /// world.run_schedule("tick")?;
    /// assert_eq!(world.read_resource("Clock")?, 1.into());
    /// # Ok::<(), ecs::reflect::ReflectError>(())
    /// ```
    ///
    /// # Errors
    /// If the world has no schedule of this name, the schedule is running, or a system of it
    /// returns an error.
    ///
    /// # Panics
    /// If a system of the schedule panics.
    pub fn run_schedule(&mut self, schedule: &str) -> Result<(), ReflectError> {
        self.writable()?;
        let known = if self.shows.systems.is_none() { self.schedules() } else { Vec::new() };
        if !known.contains(&schedule) {
            return Err(self.unknown(NameKind::Schedules, schedule, &known));
        }
        self.idle(schedule)?;
        match self.world.run_schedule(schedule) {
            Some(Err(error)) => Err(failed(schedule, &error)),
            _ => Ok(()),
        }
    }

    /// Runs the system at one place of a schedule, given by its
    /// [`index`](super::SystemInfo::index), as a run of the schedule does: with its condition and
    /// its state, unless it is switched off. Its commands are applied at once, not at the end of
    /// its stage.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::reflect::ReflectWorld;
    /// # use serde::{Deserialize, Serialize};
    /// # #[derive(Resource, Default, Serialize, Deserialize)] struct Clock(u32);
    /// # world! { #[derive(Reflect)] struct Game { resources { Clock } } schedule tick { count; double } }
    /// # #[system(Game)] fn count(mut clock: ResMut<Clock>) { clock.0 += 1; }
    /// # #[system(Game)] fn double(mut clock: ResMut<Clock>) { clock.0 *= 2; }
    /// let mut game = Game::default();
    /// let mut world = game.reflect_mut();
    /// let systems = world.systems().len();
    /// for index in 0..systems {
    ///     let system = world.step("tick", index)?;
    ///     println!("{system}: {}", world.read_resource("Clock")?);
    /// }
    /// assert_eq!(world.read_resource("Clock")?, 2.into());
    /// # Ok::<(), ecs::reflect::ReflectError>(())
    /// ```
    ///
    /// Returns the name of the system.
    ///
    /// # Errors
    /// If the world has no such schedule or the schedule no such system, the schedule is running,
    /// or the system returns an error.
    ///
    /// # Panics
    /// If the system panics.
    pub fn step(&mut self, schedule: &str, index: usize) -> Result<&'static str, ReflectError> {
        self.writable()?;
        let known = self.schedules();
        if !known.contains(&schedule) {
            return Err(self.unknown(NameKind::Schedules, schedule, &known));
        }
        let systems = self.systems();
        let Some(at) = systems.iter().find(|info| info.schedule == schedule && info.index == index) else {
            return Err(self.unknown(NameKind::Systems, &format!("{schedule}[{index}]"), &[]));
        };
        self.idle(schedule)?;
        self.idle(at.system)?;
        match self.world.step_system(schedule, index) {
            Some(Err(error)) => Err(failed(schedule, &error)),
            _ => Ok(at.system),
        }
    }

    /// Runs a system once with a new state, whatever its condition, and even if it is switched off,
    /// as [`World::run`](crate::World::run). The system must be in a schedule of the world.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::reflect::ReflectWorld;
    /// # use serde::{Deserialize, Serialize};
    /// # #[derive(Resource, Default, Serialize, Deserialize)] struct Clock(u32);
    /// # world! { #[derive(Reflect)] struct Game { resources { Clock } } schedule tick { count } }
    /// # #[system(Game)] fn count(mut clock: ResMut<Clock>) { clock.0 += 1; }
    /// let mut game = Game::default();
    /// game.reflect_mut().run_system("count")?;
    /// let error = game.reflect_mut().run_system("cuont").unwrap_err();
    /// assert_eq!(error.to_string(), "world `Game` has no system `cuont`: did you mean `count`?");
    /// # Ok::<(), ecs::reflect::ReflectError>(())
    /// ```
    ///
    /// # Errors
    /// If no schedule has a system of this name, the system is a schedule that is running, or the
    /// system returns an error.
    ///
    /// # Panics
    /// If the system panics.
    pub fn run_system(&mut self, system: &str) -> Result<(), ReflectError> {
        self.writable()?;
        self.system(system)?;
        self.idle(system)?;
        match self.world.run_system(system) {
            Some(Err(error)) => Err(failed("", &error)),
            _ => Ok(()),
        }
    }

    /// Evaluates a system that a condition of a schedule names, once and with a new state, as
    /// [`World::run`](crate::World::run): a [`Local`](crate::Local) begins with its default, and
    /// the state that the schedule keeps does not change.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::reflect::ReflectWorld;
    /// # use serde::{Deserialize, Serialize};
    /// # #[derive(Resource, Default, Serialize, Deserialize)] struct Clock(u32);
    /// # world! { #[derive(Reflect)] struct Game { resources { Clock } } schedule tick { count if is_early } }
    /// # #[system(Game)] fn count(mut clock: ResMut<Clock>) { clock.0 += 1; }
    /// # #[system(Game)] fn is_early(clock: Res<Clock>) -> bool { clock.0 < 10 }
    /// let mut game = Game::default();
    /// assert!(game.reflect_mut().evaluate("is_early")?);
    /// game.resource_mut::<Clock>().0 = 10;
    /// assert!(!game.reflect_mut().evaluate("is_early")?);
    /// # Ok::<(), ecs::reflect::ReflectError>(())
    /// ```
    ///
    /// # Errors
    /// If no condition of a shown system names this system.
    ///
    /// # Panics
    /// If the system panics.
    pub fn evaluate(&mut self, condition: &str) -> Result<bool, ReflectError> {
        self.writable()?;
        let known = self.conditions();
        let found = known.contains(&condition).then(|| self.world.evaluate(condition)).flatten();
        found.ok_or_else(|| self.unknown(NameKind::Conditions, condition, &known))
    }

    /// Makes sure that no schedule would run inside itself: neither the schedule of this name is
    /// running, nor one that it contains.
    fn idle(&self, schedule: &str) -> Result<(), ReflectError> {
        let graph = self.world.graph();
        let (mut names, mut at) = (Vec::from([schedule]), 0);
        while let Some(&name) = names.get(at) {
            if self.world.is_schedule_running(name) {
                return Err(ReflectError::Running { schedule: name.into() });
            }
            let nodes = graph.schedules.iter().filter(|one| one.name == name).flat_map(|one| &one.nodes);
            let nested: Vec<&str> = nodes
                .filter(|node| node.exclusive)
                .map(|node| node.system)
                .filter(|one| !names.contains(one))
                .collect();
            names.extend(nested);
            at += 1;
        }
        Ok(())
    }

    /// Starts or stops measuring systems, as
    /// [`Schedules::time_systems`](crate::Schedules::time_systems).
    ///
    /// # Errors
    /// If the handle is for reading only.
    pub fn time_systems(&mut self, on: bool) -> Result<(), ReflectError> {
        self.writable()?;
        self.world.measure(on);
        Ok(())
    }
}

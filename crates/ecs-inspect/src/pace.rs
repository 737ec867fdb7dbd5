//! The pace of the program, and runs of parts of a schedule.

use ecs::reflect::{ReflectError, ReflectMut};

/// The answer of [`Inspector::pace`](crate::Inspector::pace): whether the program runs its next tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Pace {
    /// The world is not paused.
    #[default]
    Run,
    /// The world is paused.
    Wait,
    /// The world is paused, and the user asks for one tick.
    Step,
}

impl Pace {
    /// Whether the program runs a tick now.
    #[must_use]
    pub const fn runs(self) -> bool {
        matches!(self, Self::Run | Self::Step)
    }
}

/// The place of a schedule that the next step of a system runs.
#[derive(Clone, Default, Debug)]
pub(crate) struct StepCursor {
    /// The name of the schedule.
    pub(crate) schedule: String,
    /// The number of systems of the schedule that this tick has run already.
    pub(crate) done: usize,
}

/// The names of a schedule's systems, each once, in the order of their first places.
pub(crate) fn systems_of(world: &ReflectMut<'_>, schedule: &str) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = Vec::new();
    for info in world.systems() {
        if info.schedule == schedule && !names.contains(&info.system) {
            names.push(info.system);
        }
    }
    names
}

impl StepCursor {
    /// Runs the next system of the schedule that is switched on. Returns its name; `None` if the schedule has ended.
    pub(crate) fn step(
        &mut self,
        world: &mut ReflectMut<'_>,
        schedule: &str,
    ) -> Result<Option<&'static str>, ReflectError> {
        if self.schedule != schedule {
            *self = Self { schedule: schedule.to_owned(), done: 0 };
        }
        let names = systems_of(world, schedule);
        while let Some(&name) = names.get(self.done) {
            self.done += 1;
            if world.is_system_enabled(name)? {
                run_only(world, schedule, &[name])?;
                return Ok(Some(name));
            }
        }
        self.done = 0;
        Ok(None)
    }

    /// Runs the systems that are left of a tick that was begun with steps. Returns whether there were any.
    pub(crate) fn finish(&mut self, world: &mut ReflectMut<'_>) -> Result<bool, ReflectError> {
        let names = systems_of(world, &self.schedule);
        let rest = names.get(self.done..).unwrap_or_default();
        let begun = self.done > 0 && !rest.is_empty();
        self.done = 0;
        if begun {
            run_only(world, &self.schedule, rest)?;
        }
        Ok(begun)
    }
}

/// Switches systems back to their state on drop, so that a panic of a system leaves none switched off.
struct Switched<'a, 'w> {
    world: &'a mut ReflectMut<'w>,
    off: Vec<&'static str>,
}

impl Drop for Switched<'_, '_> {
    fn drop(&mut self) {
        for name in &self.off {
            // the name was accepted when the system was switched off
            let _ = self.world.enable_system(name, true);
        }
    }
}

/// Runs a schedule with all of its systems switched off but for some. A system that is off stays off.
fn run_only(world: &mut ReflectMut<'_>, schedule: &str, systems: &[&str]) -> Result<(), ReflectError> {
    let names = systems_of(world, schedule);
    let mut switched = Switched { world, off: Vec::new() };
    for name in names {
        if !systems.contains(&name) && switched.world.is_system_enabled(name)? {
            switched.world.enable_system(name, false)?;
            switched.off.push(name);
        }
    }
    switched.world.run_schedule(schedule)
}

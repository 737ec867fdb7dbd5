//! The pace of the program, and steps through the systems of a schedule.

use ecs::reflect::{ReflectError, ReflectMut};

/// The answer of [`Inspector::pace`](crate::Inspector::pace): whether the program runs its next
/// tick.
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
    /// The number of places of the schedule that this tick has passed already.
    pub(crate) done: usize,
}

impl StepCursor {
    /// Runs the next system of the schedule that is switched on. Returns its name; `None` if the
    /// schedule has ended.
    pub(crate) fn step(
        &mut self,
        world: &mut ReflectMut<'_>,
        schedule: &str,
    ) -> Result<Option<&'static str>, ReflectError> {
        if self.schedule != schedule {
            *self = Self { schedule: schedule.to_owned(), done: 0 };
        }
        let systems = world.systems();
        let mut left = systems.iter().filter(|info| info.schedule == schedule && info.index >= self.done);
        let Some(next) = left.find(|info| info.enabled) else {
            self.done = 0;
            return Ok(None);
        };
        self.done = next.index + 1;
        world.step(schedule, next.index).map(Some)
    }

    /// Runs the systems that are left of a tick that was begun with steps. Returns whether there
    /// were any.
    pub(crate) fn finish(&mut self, world: &mut ReflectMut<'_>) -> Result<bool, ReflectError> {
        let schedule = self.schedule.clone();
        let mut any = false;
        while self.done > 0 && self.step(world, &schedule)?.is_some() {
            any = true;
        }
        Ok(any)
    }
}

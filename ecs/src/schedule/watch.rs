//! [`Schedules::watch_systems`](crate::Schedules::watch_systems): a function that is called with
//! the world after each system, and after the commands of each.
//!
//! While a world is watched, its schedules take the way of runs that are measured: the fast path is
//! closed, and the general executor runs the systems of a section one after the other. So a world
//! that is not watched pays nothing.

use alloc::boxed::Box;
use core::any::Any;
use core::fmt;

use super::states;
use crate::raw_world::RawWorld;

/// The step that a world has just made while it is
/// [watched](crate::Schedules::watch_systems).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct SystemStep {
    /// The name of the schedule; empty for commands of a caller outside of schedules.
    pub schedule: &'static str,
    /// The number of the stage in the schedule, from zero.
    pub stage: usize,
    /// The name of the system; empty for commands of
    /// [`with_commands`](crate::World::with_commands).
    pub system: &'static str,
    /// Whether the system itself has run, or commands that it has sent were applied.
    pub part: StepPart,
}

/// The part of a system's work that a [`SystemStep`] names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StepPart {
    /// The system has run, or its condition has refused it.
    Run,
    /// The commands of the system were applied, at the end of its stage.
    Commands,
}

/// Writes `system`, or `system (commands)`.
impl fmt::Display for SystemStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.system)?;
        if self.part == StepPart::Commands {
            f.write_str(" (commands)")?;
        }
        Ok(())
    }
}

/// A function that watches a world; its first argument is a world of the type that has it.
type WatchFunction = dyn FnMut(&dyn Any, &SystemStep) + Send + Sync;

/// The function that watches a world, if there is one.
#[derive(Default)]
pub(super) struct Watch(Option<Box<WatchFunction>>);

impl Watch {
    /// No function.
    pub(super) const NONE: Self = Self(None);

    /// The function `watch`, of worlds of type `W`.
    pub(super) fn new<W: RawWorld>(mut watch: impl FnMut(&W, &SystemStep) + Send + Sync + 'static) -> Self {
        Self(Some(Box::new(move |world, step| {
            if let Some(world) = world.downcast_ref() {
                watch(world, step);
            }
        })))
    }

    pub(super) const fn is_some(&self) -> bool {
        self.0.is_some()
    }
}

debug!([] Watch, |this, f| f.debug_struct("Watch").field("is_some", &this.is_some()).finish());

/// Calls the function that watches a world, if there is one. A function that panics does not watch
/// any longer.
pub(crate) fn call<W: RawWorld>(world: &mut W, step: SystemStep) {
    // outside of the world during the call, which may read all of the world
    let Some(mut watch) = states::of_mut(world).watch.0.take() else { return };
    watch(world, &step);
    states::of_mut(world).watch.0.get_or_insert(watch);
}

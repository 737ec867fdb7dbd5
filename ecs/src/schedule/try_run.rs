//! `try_run`: runs that are undone if they fail. A snapshot is taken first, and restored after a
//! panic or an error.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

use super::Schedule;
use super::panics::{PanicSite, Payload, catch, site_of};
use crate::base::reader_stats::EventStats;
use crate::error::SystemError;
use crate::raw_world::RawWorld;
use crate::raw_world::{Snapshot, SnapshotWorld};

/// The result of a function that [`Schedules::try_run`](crate::Schedules::try_run) calls: `()`, or
/// `Result<T, SystemError>`. A schedule returns `()`, or `Result<(), SystemError>`.
#[diagnostic::on_unimplemented(
    message = "`try_run` takes a function that returns nothing or `Result<T, SystemError>`, and this one returns `{Self}`",
    label = "returns `{Self}`",
    note = "call a schedule last: `world.try_run(|world| world.tick())`; for another value end with `Ok(value)`"
)]
pub trait TryRunOutput {
    /// The value of a run that did not fail.
    type Value;
    #[doc(hidden)]
    fn into_result(self) -> Result<Self::Value, SystemError>;
}

impl TryRunOutput for () {
    type Value = ();
    fn into_result(self) -> Result<(), SystemError> {
        Ok(())
    }
}

impl<T> TryRunOutput for Result<T, SystemError> {
    type Value = T;
    fn into_result(self) -> Self {
        self
    }
}

/// The error of [`Schedules::try_run`](crate::Schedules::try_run): a run panicked or failed, and
/// was undone.
#[derive(Debug)]
#[non_exhaustive]
pub struct RunError {
    /// The system that panicked or failed, as its schedule spells it; empty if the panic was
    /// outside of a system.
    pub system: &'static str,
    /// The innermost schedule that ran the system; empty if the system was not run by a schedule.
    pub schedule: &'static str,
    /// The name of the world's type.
    pub world: &'static str,
    /// The panic, or the error of the system.
    pub cause: RunFailure,
    /// The events that were unread before the run, and that the run had read. They are unread
    /// again.
    pub consumed: Vec<ConsumedEvents>,
}

/// Why a run was undone.
#[derive(Debug)]
#[non_exhaustive]
pub enum RunFailure {
    /// A system panicked, or the function that `try_run` called. Holds the message of the panic,
    /// with the names of system and schedule.
    Panicked(String),
    /// A system of a schedule `-> Result` failed. Holds the error that it returned.
    Failed(Box<dyn Error + Send + Sync>),
}

/// The events that one reader read during a run that failed, of those that were unread when the run
/// began.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ConsumedEvents {
    /// The name of the event's type.
    pub event: &'static str,
    /// The schedule of the reader.
    pub schedule: &'static str,
    /// The system or condition of the reader, as its schedule spells it.
    pub system: &'static str,
    /// The number of events that the reader had read, or lost to the bound of the event. These are
    /// the oldest ones.
    pub count: usize,
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { system, schedule, world, cause, consumed } = self;
        match cause {
            RunFailure::Panicked(message) => f.write_str(message)?,
            RunFailure::Failed(source) => {
                write!(f, "system `{system}` of schedule `{schedule}` of world `{world}` failed: {source}")?;
            }
        }
        f.write_str("; the world is as it was before the run")?;
        for (at, ConsumedEvents { event, schedule, system, count }) in consumed.iter().enumerate() {
            let begin = if at == 0 { "; events that are unread again: " } else { ", " };
            write!(f, "{begin}{count} of `{event}` by `{system}` of schedule `{schedule}`")?;
        }
        Ok(())
    }
}

impl Error for RunError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.cause {
            RunFailure::Panicked(_) => None,
            RunFailure::Failed(source) => Some(&**source),
        }
    }
}

/// Calls `run`; if it panics or fails, restores the world to its state before the call.
pub(super) fn try_run<W: SnapshotWorld, R: TryRunOutput>(
    world: &mut W,
    run: impl FnOnce(&mut W) -> R,
) -> Result<R::Value, RunError> {
    let (snapshot, events) = (Snapshot::of(world), events(world));
    let error = match catch(|| run(world).into_result()) {
        Ok(Ok(value)) => return Ok(value),
        Ok(Err(error)) => innermost_error(error),
        Err(payload) => {
            let PanicSite { system, schedule, world } =
                site_of(&payload).unwrap_or(PanicSite::outside_of_systems::<W>());
            RunError { system, schedule, world, cause: message(payload), consumed: Vec::new() }
        }
    };
    let error = RunError { consumed: consumed(&events, &self::events(world)), ..error };
    snapshot.restore_to(world);
    Err(error)
}

impl<W: SnapshotWorld> Schedule<W> {
    /// Runs the systems that are switched on, as [`run`](Self::run) does. If one of them panics or
    /// fails, the world and the schedule are restored to their states before the call. For the cost
    /// and the limits see [`Schedules::try_run`](crate::Schedules::try_run).
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::Schedule;
    /// # #[derive(Resource, Default, Clone)] struct Frame(u32);
    /// # world! { #[derive(Clone)] struct Game { resources { Frame } } }
    /// # let mut game = Game::default();
    /// let mut schedule = Schedule::<Game>::new("frame");
    /// schedule.add_fn(&mut game, "count", 0, |mut frame: ResMut<Frame>| frame.0 += 1)?;
    /// schedule.add_fn(&mut game, "fail", 1, |frame: Res<Frame>| if frame.0 > 1 { Err("enough") } else { Ok(()) })?;
    /// assert!(schedule.try_run(&mut game).is_ok());
    /// let error = schedule.try_run(&mut game).unwrap_err();
    /// assert_eq!((error.schedule, error.system, game.resource::<Frame>().0), ("frame", "fail", 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a system fails or panics. Without the feature `std`, panics are not caught.
    pub fn try_run(&mut self, world: &mut W) -> Result<(), RunError> {
        let before = self.clone();
        let done = try_run(world, |world| self.run(world));
        if done.is_err() {
            *self = before;
        }
        done
    }
}

/// Turns the error of a system into a [`RunError`] that names the innermost schedule.
fn innermost_error(error: SystemError) -> RunError {
    let SystemError { system, schedule, world, source } = error;
    match source.downcast::<SystemError>() {
        Ok(inner) => innermost_error(*inner),
        Err(source) => {
            RunError { system, schedule, world, cause: RunFailure::Failed(source), consumed: Vec::new() }
        }
    }
}

/// The message of a panic.
fn message(payload: Payload) -> RunFailure {
    let text = match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => match payload.downcast_ref::<&'static str>() {
            Some(text) => String::from(*text),
            None => {
                core::mem::forget(payload); // its drop could panic
                String::from("a panic without a message")
            }
        },
    };
    RunFailure::Panicked(text)
}

/// The event queues of a world, with the positions of their readers.
fn events<W: RawWorld>(world: &W) -> Vec<EventStats> {
    let mut events = Vec::new();
    world.__event_stats(&mut |event| events.push(event));
    events
}

/// The events that were unread in `before`, and that their readers have read in `after`.
fn consumed(before: &[EventStats], after: &[EventStats]) -> Vec<ConsumedEvents> {
    let mut consumed = Vec::new();
    for (before, after) in before.iter().zip(after) {
        for reader in &before.readers {
            let same = |now: &&crate::base::reader_stats::ReaderStats| now.number == reader.number;
            let Some(now) = after.readers.iter().find(same) else { continue };
            let end = reader.read + reader.unread as u64;
            let count = now.read.min(end).saturating_sub(reader.read) as usize;
            if count > 0 {
                let (event, schedule, system) = (before.event, reader.schedule, reader.system);
                consumed.push(ConsumedEvents { event, schedule, system, count });
            }
        }
    }
    consumed
}

//! Errors of a history.

use std::fmt;

use ecs::schedule::SystemStep;

/// A history does not have a run: it is older than those that are kept, or was not made yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct NoSuchRun {
    /// The number of the run that was asked for.
    pub run: u64,
    /// The first run that the history has.
    pub first: u64,
    /// The number after the last run.
    pub end: u64,
    /// Whether the run is known, but its state was [thinned out](crate::History::thin).
    pub thinned: bool,
}

impl fmt::Display for NoSuchRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { run, first, end, thinned } = self;
        match thinned {
            true => write!(f, "the state before run {run} was thinned out"),
            false => write!(f, "the history has no run {run}: it goes from {first} to {end}"),
        }
    }
}

impl std::error::Error for NoSuchRun {}

/// A run whose repetition has another result each time.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct NotRepeatable {
    /// The number of the run.
    pub run: u64,
    /// The first step with another result; `None` if the run did it outside of its systems.
    pub step: Option<SystemStep>,
}

impl fmt::Display for NotRepeatable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "run {} has another result each time it is repeated: ", self.run)?;
        match &self.step {
            Some(step) => write!(f, "system `{step}` reads something outside of the world"),
            None => f.write_str("it reads something outside of the world, in no system of a schedule"),
        }
    }
}

impl std::error::Error for NotRepeatable {}

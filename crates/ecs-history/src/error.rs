//! Errors of a history.

use std::fmt;
#[cfg(feature = "serde")]
use std::{io, path::PathBuf};

use ecs::schedule::SystemStep;
#[cfg(feature = "serde")]
use ecs::{
    save::{LoadError, SaveError},
    schedule::RunError,
};

/// A history does not have a run: it is older than those that are kept, was not made yet, or is in
/// another branch.
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
        if *thinned {
            write!(f, "the state before run {run} was thinned out")
        } else if (first..end).contains(&run) {
            write!(f, "run {run} of the branch was given up: it is in another branch")
        } else {
            write!(f, "the history has no run {run}: it goes from {first} to {end}")
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

/// A run that has failed under a [`BlackBox`](crate::BlackBox). The world is as before the run.
#[cfg(feature = "serde")]
#[derive(Debug)]
#[non_exhaustive]
pub struct FailedRun {
    /// The failure, with system and schedule.
    pub error: RunError,
    /// The path of the file, or why there is none.
    pub file: Result<PathBuf, Box<BlackBoxError>>,
}

#[cfg(feature = "serde")]
impl fmt::Display for FailedRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Ok(path) => write!(f, "{} (recorded in {})", self.error, path.display()),
            Err(error) => write!(f, "{} (not recorded: {error})", self.error),
        }
    }
}

#[cfg(feature = "serde")]
impl std::error::Error for FailedRun {}

/// A file of a black box could not be written or read.
#[cfg(feature = "serde")]
#[derive(Debug)]
#[non_exhaustive]
pub enum BlackBoxError {
    /// The file at this path cannot be written or read.
    Io(PathBuf, io::Error),
    /// The world cannot be saved.
    Save(SaveError),
    /// A value has panicked while the world was saved.
    Panicked,
    /// The bytes are no file of a black box.
    NoBlackBox,
    /// Bytes of the file were changed, or are missing.
    Damaged,
    /// The world of the file cannot be loaded by this program.
    Load {
        /// The name and the version of the program that has written the file.
        program: String,
        /// The difference between the file and this program.
        error: LoadError,
    },
}

#[cfg(feature = "serde")]
impl fmt::Display for BlackBoxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Save(error) => write!(f, "the world cannot be saved: {error}"),
            Self::Panicked => f.write_str("a value has panicked while the world was saved"),
            Self::NoBlackBox => f.write_str("this is no file of a black box"),
            Self::Damaged => f.write_str("the file is damaged: bytes were changed, or are missing"),
            Self::Load { program, error } => {
                write!(f, "the file was written by `{program}`, and this program cannot load it: {error}")
            }
        }
    }
}

#[cfg(feature = "serde")]
impl std::error::Error for BlackBoxError {}

/// A tool has asked a [`Timeline`](crate::Timeline) for something that it does not have.
#[cfg(feature = "reflect")]
#[derive(Debug)]
#[non_exhaustive]
pub enum TimelineError {
    /// The history does not have the run.
    NoSuchRun(NoSuchRun),
    /// The handle does not have the name.
    Reflect(ecs::reflect::ReflectError),
    /// The run cannot be repeated.
    NotRepeatable(NotRepeatable),
    /// The handle is for reading only.
    ReadOnly,
    /// The handle is that of a world of another type.
    OtherWorld,
    /// A run is being made or repeated.
    Busy,
}

#[cfg(feature = "reflect")]
impl fmt::Display for TimelineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchRun(error) => error.fmt(f),
            Self::Reflect(error) => error.fmt(f),
            Self::NotRepeatable(error) => error.fmt(f),
            Self::ReadOnly => f.write_str("this handle is for reading only"),
            Self::OtherWorld => f.write_str("the history is that of a world of another type"),
            Self::Busy => {
                f.write_str("a run of this history is being made or repeated: its systems cannot use it")
            }
        }
    }
}

#[cfg(feature = "reflect")]
impl std::error::Error for TimelineError {}

#[cfg(feature = "reflect")]
impl From<NoSuchRun> for TimelineError {
    fn from(error: NoSuchRun) -> Self {
        Self::NoSuchRun(error)
    }
}

#[cfg(feature = "reflect")]
impl From<NotRepeatable> for TimelineError {
    fn from(error: NotRepeatable) -> Self {
        Self::NotRepeatable(error)
    }
}

#[cfg(feature = "reflect")]
impl From<ecs::reflect::ReflectError> for TimelineError {
    fn from(error: ecs::reflect::ReflectError) -> Self {
        Self::Reflect(error)
    }
}

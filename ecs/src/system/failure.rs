//! The failures of systems that end only themselves.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::base::tick::Tick;

/// A failure of a system: an error that it returned, or a panic.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SystemFailure {
    /// The name of the schedule; empty if the system was run by itself.
    pub schedule: &'static str,
    /// The name of the system.
    pub system: &'static str,
    /// The text of the error, or of the panic.
    pub reason: String,
    /// Whether the system has panicked.
    pub panicked: bool,
    /// The tick of the failure.
    pub tick: Tick,
}

impl fmt::Display for SystemFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { schedule, system, reason, .. } = self;
        let how = if self.panicked { "panicked" } else { "failed" };
        write!(f, "system `{system}` of schedule `{schedule}` {how}: {reason}")
    }
}

/// The failure of a system that ends only itself, until the executor takes it.
pub(crate) enum Contained {
    /// The system has returned an error, or panicked.
    One {
        /// The text of the error or of the panic.
        reason: String,
        /// Whether the system has panicked.
        panicked: bool,
    },
    /// The system is a schedule, and these are the failures of its systems.
    Nested(Vec<SystemFailure>),
}

//! Failures of systems as data: the report of a schedule in which a system that fails ends only
//! itself, `-> Failures`.

use alloc::vec::{self, Vec};
use core::error::Error;
use core::{fmt, slice};

pub use crate::system::failure::SystemFailure;

/// The failures in one run of a schedule that is declared `-> Failures`, in the order of the text:
/// each failed system has ended only itself.
///
/// What a failed system has written before stays; the events that it sent and the commands that it
/// gave are dropped. The other systems run as if it had returned, so the result does not depend on
/// the number of threads. A nested schedule adds its failures to those of the outer one.
///
/// A panic in a condition, in an observer, in a command, or in a `Drop` afterwards ends the run, as
/// in other schedules. Without the feature `std`, each panic does.
///
/// ```
/// use ecs::prelude::*;
///
/// #[derive(Resource, Default)]
/// struct Ticks(u32);
///
/// world! {
///     struct Server { resources { Ticks = Ticks::default() } }
///     schedule tick -> Failures { read; count }
/// }
///
/// #[system(Server)]
/// fn read() -> Result<(), std::num::ParseIntError> {
///     "many".parse::<u32>().map(drop)
/// }
///
/// #[system(Server)]
/// fn count(mut ticks: ResMut<Ticks>) {
///     ticks.0 += 1;
/// }
///
/// let mut server = Server::new();
/// let failures = server.tick();
/// assert_eq!(failures[0].to_string(), "system `read` of schedule `tick` failed: invalid digit found in string");
/// assert_eq!((failures.len(), server.resource::<Ticks>().0), (1, 1));
/// ```
#[derive(Clone, Default, PartialEq, Eq, Debug)]
#[must_use = "systems may have failed"]
pub struct Failures(pub(super) Vec<SystemFailure>);

impl Failures {
    pub(super) const fn new() -> Self {
        Self(Vec::new())
    }
}

deref!([] Failures => [SystemFailure], |this| &this.0);

into_iter!([] Failures: SystemFailure, vec::IntoIter<SystemFailure>, |this| this.0.into_iter());

into_iter!(['f] &'f Failures: &'f SystemFailure, slice::Iter<'f, SystemFailure>, |this| this.0.iter());

impl fmt::Display for Failures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().enumerate().try_for_each(|(at, failure)| {
            if at > 0 {
                f.write_str("\n")?;
            }
            failure.fmt(f)
        })
    }
}

// The output of a schedule that is nested in another one.
impl Error for Failures {}

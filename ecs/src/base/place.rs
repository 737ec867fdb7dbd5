//! The place of a system in a schedule, which identifies a reader of events or of removed values.

/// The place of a system in a schedule.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Place {
    /// A place in a schedule of the world.
    Written {
        /// The number of the schedule in the world.
        schedule: usize,
        /// The position of the system in the schedule.
        place: usize,
    },
    /// A place in a schedule that was built at run time.
    Built {
        /// The name of the schedule.
        schedule: &'static str,
        /// The name of the system.
        system: &'static str,
    },
}

/// A function that gives the names of the schedule and of the system at a place.
pub(crate) type SystemNames = fn(Place) -> (&'static str, &'static str);

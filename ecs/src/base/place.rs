//! The position of a system in a schedule, by which readers of events and of removed values are known.

/// Where a system stands.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Place {
    /// In a schedule of the world, by its number, at a position.
    Written {
        /// The number of the schedule.
        schedule: usize,
        /// The position in it.
        place: usize,
    },
    /// In a schedule that was built at run time.
    Built {
        /// The name of the schedule.
        schedule: &'static str,
        /// The name of the system.
        system: &'static str,
    },
}

/// Gives the names of the schedule and of the system at a place of a world.
pub(crate) type SystemNames = fn(Place) -> (&'static str, &'static str);

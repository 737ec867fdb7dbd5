//! [`earliest`]: the first of the times at which something is due.

/// The earliest of these times; `None` if nothing is due.
///
/// A program that simulates names all that may be due in its world once, and goes from one time to
/// the next. The times are of one type, such as [`Duration`](core::time::Duration) for clocks and
/// [`Delayed`](super::Delayed), or `f64` for queues with a time of their own.
///
/// ```
/// use std::time::Duration;
///
/// use ecs::prelude::*;
/// use ecs::time::{Delayed, earliest, send_due};
///
/// const HOUR: Duration = Duration::from_secs(3600);
/// #[derive(Event)]
/// struct Arrives(&'static str);
/// #[derive(Event)]
/// struct Leaves(&'static str);
///
/// world! {
///     struct Station {
///         resources { Clock = Clock::new(), Delayed<Arrives> = Delayed::new(), Delayed<Leaves> = Delayed::new() }
///         events { Arrives(external), Leaves(external) }
///     }
///     schedule step { send_due::<Arrives, ()>, send_due::<Leaves, ()> }
/// }
///
/// /// The time at which something happens, and the station is measured, every hour.
/// fn next_due(station: &Station) -> Option<Duration> {
///     let (arrives, leaves) = (station.resource::<Delayed<Arrives>>(), station.resource::<Delayed<Leaves>>());
///     let hour = station.resource::<Clock>().next_due(HOUR);
///     earliest([arrives.next_due(), leaves.next_due(), Some(hour)])
/// }
///
/// let mut station = Station::new();
/// station.resource_mut::<Delayed<Arrives>>().send_at(HOUR / 2, Arrives("the night train"));
/// station.resource_mut::<Delayed<Leaves>>().send_at(HOUR * 2 / 3, Leaves("the night train"));
/// for expected in [HOUR / 2, HOUR * 2 / 3, HOUR, HOUR * 2] {
///     let due = next_due(&station).unwrap();
///     station.resource_mut::<Clock>().advance_to(due);
///     station.step();
///     assert_eq!(due, expected);
/// }
/// ```
pub fn earliest<T: PartialOrd>(times: impl IntoIterator<Item = Option<T>>) -> Option<T> {
    times.into_iter().flatten().reduce(|first, time| if time < first { time } else { first })
}

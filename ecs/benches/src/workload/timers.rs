//! Timers: each entity has a repeating one, of another duration than its neighbours.

use std::time::Duration;

use super::{PLAIN, Workload};

pub(crate) const TIMERS: Workload = Workload {
    name: "timers",
    what: "the repeating timer of each entity ticked by a frame of 1/64 s; a tick in 64 finishes a timer",
    ..PLAIN
};

/// The time of a frame.
pub(crate) const FRAME: Duration = Duration::from_micros(15_625);

/// The duration of the timer of the entity `i`: 32 to 95 frames.
pub(crate) const fn duration(i: u32) -> Duration {
    FRAME.saturating_mul(32 + i % 64)
}

//! [`Timer`] and [`Stopwatch`]: time that is counted from a moment of the user's choice.

use core::time::Duration;

use super::saturated;

/// Counts down a duration, once or again and again. A value for a component, a resource or a
/// [`Local`](crate::Local).
///
/// [`tick`](Self::tick) takes the time that has passed, such as
/// [`Clock::delta`](super::Clock::delta), and returns how many times the timer has finished in it.
///
/// ```
/// use std::time::Duration;
/// use ecs::time::Timer;
///
/// const MS: Duration = Duration::from_millis(1);
///
/// let mut reload = Timer::once(300 * MS);
/// assert_eq!(reload.tick(200 * MS), 0);
/// assert_eq!((reload.remaining(), reload.is_finished()), (100 * MS, false));
/// assert_eq!(reload.tick(200 * MS), 1);
/// assert_eq!(reload.tick(200 * MS), 0); // it has finished already
///
/// let mut steps = Timer::repeating(300 * MS);
/// assert_eq!((steps.tick(1000 * MS), steps.elapsed()), (3, 100 * MS));
/// ```
///
/// A repeating timer with a duration of zero finishes once in each tick. Each method takes constant
/// time.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Timer {
    duration: Duration,
    elapsed: Duration,
    repeats: bool,
    finished: bool,
    paused: bool,
}

impl Timer {
    /// A timer that finishes once.
    #[must_use]
    pub const fn once(duration: Duration) -> Self {
        Self { duration, elapsed: Duration::ZERO, repeats: false, finished: false, paused: false }
    }

    /// A timer that starts again when it finishes.
    #[must_use]
    pub const fn repeating(duration: Duration) -> Self {
        Self { repeats: true, ..Self::once(duration) }
    }

    /// Counts time that has passed. Returns how many times the timer has finished in it: at most
    /// once unless it repeats, and not at all while it is paused.
    #[inline]
    pub fn tick(&mut self, passed: Duration) -> u64 {
        let elapsed = self.elapsed.saturating_add(passed);
        // most ticks finish no timer
        if !self.paused && !self.finished && elapsed < self.duration {
            self.elapsed = elapsed;
            return 0;
        }
        self.finish(elapsed)
    }

    /// The rest of [`tick`](Self::tick): the timer finishes, has finished or is paused. `elapsed`
    /// is the time since the start if it is not paused.
    #[cold]
    fn finish(&mut self, elapsed: Duration) -> u64 {
        if self.finished && !self.repeats {
            return 0;
        }
        self.finished = !self.paused && elapsed >= self.duration;
        let (times, elapsed) = match (self.finished, self.repeats) {
            (true, true) => self.times_in(elapsed),
            (true, false) => (1, self.duration),
            (false, _) if self.paused => (0, self.elapsed),
            (false, _) => (0, elapsed),
        };
        self.elapsed = elapsed;
        times
    }

    /// The number of times that the duration fits into a time that is at least as long, and the
    /// rest. A duration of zero fits once.
    fn times_in(&self, elapsed: Duration) -> (u64, Duration) {
        if self.duration.is_zero() {
            return (1, Duration::ZERO);
        }
        let rest = elapsed - self.duration;
        // a frame is shorter than most durations, and the division is slow
        if rest < self.duration {
            return (1, rest);
        }
        let (elapsed, duration) = (elapsed.as_nanos(), self.duration.as_nanos());
        (saturated(elapsed / duration), super::from_nanos(elapsed % duration))
    }

    /// Whether the timer has finished: a repeating one, in the last [`tick`](Self::tick).
    #[must_use]
    pub const fn is_finished(&self) -> bool {
        self.finished
    }

    /// The duration.
    #[must_use]
    pub const fn duration(&self) -> Duration {
        self.duration
    }

    /// The time since the start, at most the duration.
    #[must_use]
    pub const fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// The time that is left.
    #[must_use]
    pub const fn remaining(&self) -> Duration {
        self.duration.saturating_sub(self.elapsed)
    }

    /// The elapsed part of the duration, from 0 to 1; 1 for a duration of zero. For pictures: the
    /// division is that of `f32`.
    #[must_use]
    pub fn fraction(&self) -> f32 {
        if self.duration.is_zero() { 1.0 } else { self.elapsed.as_secs_f32() / self.duration.as_secs_f32() }
    }

    /// Starts again from zero, with the same duration. A pause goes on.
    pub const fn reset(&mut self) {
        (self.elapsed, self.finished) = (Duration::ZERO, false);
    }

    /// Pauses the timer: [`tick`](Self::tick) has no effect until [`resume`](Self::resume).
    pub const fn pause(&mut self) {
        self.paused = true;
    }

    /// Ends a pause.
    pub const fn resume(&mut self) {
        self.paused = false;
    }

    /// Whether the timer is paused.
    #[must_use]
    pub const fn is_paused(&self) -> bool {
        self.paused
    }
}

/// Counts time up, from zero. A value for a component, a resource or a [`Local`](crate::Local).
///
/// ```
/// use std::time::Duration;
/// use ecs::time::Stopwatch;
///
/// let mut lap = Stopwatch::new();
/// lap.tick(Duration::from_millis(20));
/// lap.pause();
/// lap.tick(Duration::from_millis(20));
/// assert_eq!(lap.elapsed(), Duration::from_millis(20));
/// ```
///
/// Times that a [`Duration`] cannot hold become [`Duration::MAX`].
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Stopwatch {
    elapsed: Duration,
    paused: bool,
}

impl Stopwatch {
    /// A stopwatch at zero, which runs.
    #[must_use]
    pub const fn new() -> Self {
        Self { elapsed: Duration::ZERO, paused: false }
    }

    /// Counts time that has passed, unless the stopwatch is paused.
    pub const fn tick(&mut self, passed: Duration) {
        if !self.paused {
            self.elapsed = self.elapsed.saturating_add(passed);
        }
    }

    /// The counted time.
    #[must_use]
    pub const fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// Starts again from zero. A pause goes on.
    pub const fn reset(&mut self) {
        self.elapsed = Duration::ZERO;
    }

    /// Pauses the stopwatch.
    pub const fn pause(&mut self) {
        self.paused = true;
    }

    /// Ends a pause.
    pub const fn resume(&mut self) {
        self.paused = false;
    }

    /// Whether the stopwatch is paused.
    #[must_use]
    pub const fn is_paused(&self) -> bool {
        self.paused
    }
}

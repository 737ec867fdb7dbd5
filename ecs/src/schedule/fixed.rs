//! [`FixedTime`]: a clock for schedules that run in steps of a fixed length, whatever the frame
//! rate.

use core::time::Duration;

use crate::resource::{IsResource, Resource, Unshared};

/// A resource that decides how often a schedule runs at each call: the clock of
/// `schedule simulate every Clock { .. }`.
///
/// [`FixedTime`] implements it. For a second clock, wrap a `FixedTime` in a newtype that implements
/// it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a clock for schedules: it does not implement `Steps`",
    label = "not a clock",
    note = "`every` takes a resource that implements `Steps`: `FixedTime`, or your own"
)]
pub trait Steps {
    /// Whether the schedule runs once more, after it has run `taken` times in this call.
    fn due(&mut self, taken: u32) -> bool;
}

/// The upper bound of the steps in one call, so that a value in a loaded file cannot block a
/// program for hours.
pub(super) const MAX_STEPS: u32 = 10_000;

/// A clock that divides the passed time into steps of one length.
///
/// Call [`advance`](Self::advance) with the time that has passed, for example once a frame, or let
/// it follow a clock by the system [`advance_fixed`](crate::time::advance_fixed). A schedule with
/// `every FixedTime` then runs once for each whole step. The remaining time counts for the next
/// frame; [`alpha`](Self::alpha) returns it as a fraction of a step, for interpolation between the
/// last two steps.
///
/// At most [`catching_up`](Self::catching_up) steps run in one call, and the time of further steps
/// is dropped. So a program that cannot keep up slows down, instead of falling behind more and
/// more.
///
/// ```
/// use std::time::Duration;
///
/// use ecs::FixedTime;
/// use ecs::prelude::*;
///
/// #[derive(Resource, Default)] struct Ticks(u32);
///
/// world! {
///     struct Game { resources { time: FixedTime = FixedTime::new(Duration::from_millis(10)), Ticks = Ticks(0) } }
///     schedule simulate every FixedTime { count }
///     schedule frame { simulate }
/// }
/// #[system(Game)]
/// fn count(mut ticks: ResMut<Ticks>) { ticks.0 += 1; }
///
/// let mut game = Game::new();
/// game.resource_mut::<FixedTime>().advance(Duration::from_millis(25));
/// game.frame();
/// assert_eq!(game.resource::<Ticks>().0, 2);
/// assert_eq!(game.resource::<FixedTime>().alpha(), 0.5);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct FixedTime {
    pub(super) step: Duration,
    pub(super) behind: Duration,
    pub(super) dropped: Duration,
    pub(super) most: u32,
    pub(super) taken: u64,
}

impl FixedTime {
    /// Creates a clock with steps of this length. At most eight steps run in one call: see
    /// [`catching_up`](Self::catching_up).
    ///
    /// # Panics
    /// If the length is zero.
    #[must_use]
    pub const fn new(step: Duration) -> Self {
        assert!(!step.is_zero(), "the step of a `FixedTime` must be longer than zero");
        Self { step, behind: Duration::ZERO, dropped: Duration::ZERO, most: 8, taken: 0 }
    }

    /// Sets the maximal number of steps in one call, from 1 to 10,000. The default is 8.
    ///
    /// # Panics
    /// If `most` is 0, or greater than 10,000.
    #[must_use]
    pub const fn catching_up(self, most: u32) -> Self {
        assert!(most > 0, "a `FixedTime` must allow at least 1 step in one call");
        assert!(most <= MAX_STEPS, "a `FixedTime` may allow at most 10,000 steps in one call");
        Self { most, ..self }
    }

    /// Adds time that has passed.
    pub fn advance(&mut self, passed: Duration) {
        self.behind = self.behind.saturating_add(passed);
    }

    /// The length of a step.
    #[must_use]
    pub const fn step(&self) -> Duration {
        self.step
    }

    /// The time since the last step as a fraction of a step: at least 0 and less than 1.
    #[must_use]
    pub fn alpha(&self) -> f64 {
        let part = self.behind.as_secs_f64() / self.step.as_secs_f64();
        part.min(1.0 - f64::EPSILON)
    }

    /// The number of steps that were run.
    #[must_use]
    pub const fn taken(&self) -> u64 {
        self.taken
    }

    /// The total time that was dropped because more steps were due than may run in one call.
    #[must_use]
    pub const fn dropped(&self) -> Duration {
        self.dropped
    }
}

impl Steps for FixedTime {
    fn due(&mut self, taken: u32) -> bool {
        if self.behind < self.step {
            return false;
        }
        if taken >= self.most {
            let rest = self.behind.as_nanos() % self.step.as_nanos();
            let rest = Duration::new((rest / 1_000_000_000) as u64, (rest % 1_000_000_000) as u32);
            self.dropped = self.dropped.saturating_add(self.behind - rest);
            self.behind = rest;
            return false;
        }
        self.behind -= self.step;
        self.taken = self.taken.saturating_add(1);
        true
    }
}

impl Resource for FixedTime {
    const RESOURCE_NAME: &'static str = "FixedTime";
}

#[diagnostic::do_not_recommend]
impl IsResource for FixedTime {}

impl Unshared for FixedTime {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_of_a_step_is_below_one_however_much_time_has_passed() {
        let mut time = FixedTime::new(Duration::from_millis(8));
        assert_eq!(time.alpha(), 0.0);
        time.advance(Duration::from_millis(2));
        assert_eq!(time.alpha(), 0.25);
        time.advance(Duration::from_secs(1));
        assert!((0.999..1.0).contains(&time.alpha()), "{}", time.alpha());
    }

    #[cfg(feature = "json")]
    #[test]
    fn a_clock_that_could_not_be_made_is_not_read() {
        let read = |step: u32, most: u32| {
            let duration = |nanos| alloc::format!(r#"{{ "secs": 0, "nanos": {nanos} }}"#);
            let (step, none) = (duration(step), duration(0));
            serde_json::from_str::<FixedTime>(&alloc::format!(
                r#"{{ "step": {step}, "behind": {none}, "dropped": {none}, "most": {most}, "taken": 0 }}"#
            ))
        };
        assert!(read(1, 1).is_ok() && read(1, MAX_STEPS).is_ok());
        assert!(read(0, 1).is_err() && read(1, 0).is_err() && read(1, MAX_STEPS + 1).is_err());
    }
}

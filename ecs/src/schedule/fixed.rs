//! Schedules that run in steps of a fixed length, however long a frame takes.

use core::time::Duration;

use crate::resource::{IsResource, Resource, Unshared};

/// A resource that says how often a schedule runs when it is called: `schedule simulate every Fixed { .. }`.
///
/// [`FixedTime`] is one; a newtype around it makes another clock.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say how often a schedule runs",
    label = "not a clock",
    note = "`every` takes a resource that implements `Steps`: `FixedTime`, or your own"
)]
pub trait Steps {
    /// Whether the schedule is to run once more, after `taken` times in this call.
    fn due(&mut self, taken: u32) -> bool;
}

/// The most steps that may be caught up with at once, so that no file can stop a program for hours.
const MOST: u32 = 10_000;

/// Time that is handed out in steps of one length.
///
/// The time that has passed is put in with [`advance`](Self::advance), for instance once a frame; a schedule with
/// `every FixedTime` then runs as often as whole steps fit in. What is left over stays for the next frame, and
/// [`alpha`](Self::alpha) says how far into the next step it reaches, for drawing what lies between two steps.
///
/// If more steps are due than may be caught up with, the rest of the time is dropped: a program that is too slow runs
/// slower rather than ever later.
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
    step: Duration,
    behind: Duration,
    dropped: Duration,
    most: u32,
    taken: u64,
}

impl FixedTime {
    /// Steps of this length, of which up to eight are caught up with at once.
    ///
    /// # Panics
    /// If the length is zero.
    #[must_use]
    pub const fn new(step: Duration) -> Self {
        assert!(!step.is_zero(), "a step of a fixed time takes longer than nothing");
        Self { step, behind: Duration::ZERO, dropped: Duration::ZERO, most: 8, taken: 0 }
    }

    /// Sets the number of steps that are caught up with at once: from 1 to 10,000, and 8 where this is not called.
    ///
    /// # Panics
    /// If `most` is 0, or greater than 10,000.
    #[must_use]
    pub const fn catching_up(self, most: u32) -> Self {
        assert!(most > 0, "a fixed time catches up with at least one step at once");
        assert!(most <= MOST, "a fixed time catches up with at most 10,000 steps at once");
        Self { most, ..self }
    }

    /// Lets time pass.
    pub fn advance(&mut self, passed: Duration) {
        self.behind = self.behind.saturating_add(passed);
    }

    /// The length of a step.
    #[must_use]
    pub const fn step(&self) -> Duration {
        self.step
    }

    /// How far the time that has passed reaches into the next step: from 0 to below 1.
    #[must_use]
    pub fn alpha(&self) -> f64 {
        let part = self.behind.as_secs_f64() / self.step.as_secs_f64();
        part.min(1.0 - f64::EPSILON)
    }

    /// How many steps were taken.
    #[must_use]
    pub const fn taken(&self) -> u64 {
        self.taken
    }

    /// The time that was dropped, since more steps were due than may be caught up with.
    #[must_use]
    pub const fn dropped(&self) -> Duration {
        self.dropped
    }
}

/// The one that was saved, if it has steps.
#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for FixedTime {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        #[serde(rename = "FixedTime")]
        struct Saved {
            step: Duration,
            behind: Duration,
            dropped: Duration,
            most: u32,
            taken: u64,
        }
        let Saved { step, behind, dropped, most, taken } = Saved::deserialize(deserializer)?;
        if step.is_zero() || most == 0 {
            return Err(serde::de::Error::custom(
                "a fixed time has a step of no length, or catches up with no steps",
            ));
        }
        if most > MOST {
            let message = format_args!(
                "a fixed time catches up with {most} steps at once, and at most {MOST} are allowed"
            );
            return Err(serde::de::Error::custom(message));
        }
        Ok(Self { step, behind, dropped, most, taken })
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
}

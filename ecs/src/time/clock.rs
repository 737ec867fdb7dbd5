//! [`Clock`]: the time of a program, of its frames or of its game.

use core::marker::PhantomData;
use core::num::NonZeroU32;
use core::time::Duration;

use super::{from_nanos, saturated};

/// A clock that runs as the program says. A resource.
///
/// [`advance`](Self::advance) takes the time that has passed, as the program has measured it or as
/// a recording says; a child clock takes the step of its parent with [`follow`](Self::follow). A
/// clock can be [paused](Self::pause), run at another [scale](Self::set_scale), and [cut long
/// steps](Self::set_max_step). Its arithmetic is exact, in nanoseconds: many small steps give the
/// same time as one big step, whatever the scale.
///
/// The tag is any type. It makes `Clock<Real>` and `Clock<Play>` two resources, and gives no value.
///
/// ```
/// use std::time::Duration;
/// use ecs::time::Clock;
///
/// const MS: Duration = Duration::from_millis(1);
///
/// let mut real: Clock = Clock::new();
/// let mut play: Clock = Clock::new().with_scale(3, 2);
///
/// real.advance(10 * MS);
/// play.follow(&real);
/// assert_eq!((real.elapsed(), play.elapsed()), (10 * MS, 15 * MS));
///
/// play.pause();
/// real.advance(10 * MS);
/// play.follow(&real);
/// assert_eq!((play.delta(), play.elapsed()), (Duration::ZERO, 15 * MS));
/// ```
///
/// Times that a [`Duration`] cannot hold (584 billion years) become [`Duration::MAX`]. Each method
/// takes constant time.
#[derive(ecs_macros::Resource)]
#[resource(crate = crate)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(bound = ""))]
pub struct Clock<Tag = ()> {
    elapsed: Duration,
    delta: Duration,
    scale: (u32, NonZeroU32),
    /// The remainder of the scale, in nanoseconds divided by the denominator.
    rest: u32,
    max_step: Option<Duration>,
    dropped: Duration,
    paused: bool,
    #[cfg_attr(feature = "serde", serde(skip))]
    tag: PhantomData<fn() -> Tag>,
}

impl<Tag> Clock<Tag> {
    /// A clock at zero, which runs as fast as real time and takes steps of any length.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            elapsed: Duration::ZERO,
            delta: Duration::ZERO,
            scale: (1, NonZeroU32::MIN),
            rest: 0,
            max_step: None,
            dropped: Duration::ZERO,
            paused: false,
            tag: PhantomData,
        }
    }

    /// The clock with this scale: see [`set_scale`](Self::set_scale).
    ///
    /// # Panics
    /// If the denominator is zero.
    #[must_use]
    pub const fn with_scale(mut self, numerator: u32, denominator: u32) -> Self {
        self.set_scale(numerator, denominator);
        self
    }

    /// The clock with this longest step: see [`set_max_step`](Self::set_max_step).
    #[must_use]
    pub const fn with_max_step(mut self, longest: Duration) -> Self {
        self.max_step = Some(longest);
        self
    }

    /// Advances the clock by time that has passed: it is cut to the longest step, and then
    /// multiplied by the scale.
    ///
    /// The result is the new [`delta`](Self::delta). If the clock is paused, that is zero.
    #[rustfmt::skip]
    pub fn advance(&mut self, passed: Duration) // of seconds: `advance(Duration::from_secs_f32(0.02))`
    {
        self.delta = Duration::ZERO;
        if self.paused {
            return;
        }
        let step = self.max_step.map_or(passed, |longest| passed.min(longest));
        self.dropped = self.dropped.saturating_add(passed - step);
        self.delta = self.scaled(step);
        self.elapsed = self.elapsed.saturating_add(self.delta);
    }

    /// Advances the clock to a time at which something is due, such as [`next_due`](Self::next_due)
    /// or that of [`Delayed`](super::Delayed::next_due): a program that simulates goes from event
    /// to event, and skips the time between them.
    ///
    /// Afterwards [`elapsed`](Self::elapsed) is this time. Scale and longest step do not count. A
    /// time that has passed already gives a [`delta`](Self::delta) of zero, as a pause does.
    ///
    /// ```
    /// use std::time::Duration;
    /// use ecs::time::{Clock, Delayed};
    ///
    /// let (mut clock, mut bells): (Clock, Delayed<&str>) = (Clock::new(), Delayed::new());
    /// bells.send_at(Duration::from_secs(90), "ring");
    /// let minute = clock.next_due(Duration::from_secs(60));
    /// clock.advance_to(bells.next_due().map_or(minute, |bell| bell.min(minute)));
    /// assert_eq!(clock.elapsed(), Duration::from_secs(60));
    /// clock.advance_to(bells.next_due().unwrap());
    /// assert_eq!((clock.delta(), bells.take_due(clock.elapsed()).next()), (Duration::from_secs(30), Some("ring")));
    /// ```
    pub fn advance_to(&mut self, time: Duration) {
        self.delta = if self.paused { Duration::ZERO } else { time.saturating_sub(self.elapsed) };
        self.elapsed += self.delta;
    }

    /// The step, multiplied by the scale. The rest of the division counts for the next step.
    fn scaled(&mut self, step: Duration) -> Duration {
        let (numerator, denominator) = (u128::from(self.scale.0), u128::from(self.scale.1.get()));
        // a duration has less than 94 bits, so that the product has less than 126
        let parts = step.as_nanos() * numerator + u128::from(self.rest);
        self.rest = (parts % denominator) as u32;
        from_nanos(parts / denominator)
    }

    /// Advances the clock by the last step of another one, its parent. Call it once after each step
    /// of the parent.
    ///
    /// A parent that is paused or slow pauses and slows its children, and what it has cut is cut
    /// for them, too.
    pub fn follow<Parent>(&mut self, parent: &Clock<Parent>) {
        self.advance(parent.delta);
    }

    /// The time of the last step, cut and scaled; zero before the first one, and while the clock is
    /// paused.
    #[must_use]
    pub const fn delta(&self) -> Duration {
        self.delta
    }

    /// The time of all steps, cut and scaled.
    #[must_use]
    pub const fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// The number of periods that the last step has completed, counted from the start of the clock;
    /// 0 for a period of zero.
    ///
    /// Every system that asks in the same step gets the same answer. To count from another moment,
    /// use a [`Timer`](super::Timer).
    ///
    /// ```
    /// use std::time::Duration;
    /// use ecs::time::Clock;
    ///
    /// let mut clock: Clock = Clock::new();
    /// let half_second = Duration::from_millis(500);
    /// clock.advance(Duration::from_millis(400));
    /// assert_eq!(clock.completed(half_second), 0);
    /// clock.advance(Duration::from_millis(700));
    /// assert_eq!(clock.completed(half_second), 2);
    /// ```
    #[must_use]
    pub fn completed(&self, period: Duration) -> u64 {
        let until = |time: Duration| time.as_nanos().checked_div(period.as_nanos()).unwrap_or(0);
        saturated(until(self.elapsed) - until(self.elapsed.saturating_sub(self.delta)))
    }

    /// The time at which the next period completes, counted from the start of the clock as in
    /// [`completed`](Self::completed); [`Duration::MAX`] for a period of zero.
    #[must_use]
    pub fn next_due(&self, period: Duration) -> Duration {
        let periods = self.elapsed.as_nanos().checked_div(period.as_nanos());
        periods.map_or(Duration::MAX, |periods| from_nanos((periods + 1) * period.as_nanos()))
    }

    /// The scale, as numerator and denominator.
    #[must_use]
    pub const fn scale(&self) -> (u32, u32) {
        (self.scale.0, self.scale.1.get())
    }

    /// Lets the clock run at `numerator / denominator` of the time that it is advanced by: 1 and 2
    /// is half as fast, 0 and 1 stands still.
    ///
    /// A fraction of a nanosecond that is left over from the old scale is dropped.
    ///
    /// # Panics
    /// If the denominator is zero.
    #[track_caller]
    pub const fn set_scale(&mut self, numerator: u32, denominator: u32) {
        let Some(denominator) = NonZeroU32::new(denominator) else {
            panic!("the denominator of a clock's scale must not be zero")
        };
        self.scale = (numerator, denominator);
        self.rest = 0;
    }

    /// The longest step; `None` if steps are not cut.
    #[must_use]
    pub const fn max_step(&self) -> Option<Duration> {
        self.max_step
    }

    /// Sets the longest step, before the scale, so that a pause of the whole program is not one
    /// huge step; `None` cuts nothing.
    pub const fn set_max_step(&mut self, longest: Option<Duration>) {
        self.max_step = longest;
    }

    /// The total time that was cut from long steps, before the scale. Time that passes while the
    /// clock is paused is not counted.
    #[must_use]
    pub const fn dropped(&self) -> Duration {
        self.dropped
    }

    /// Pauses the clock: until [`resume`](Self::resume), steps have no effect. The
    /// [`delta`](Self::delta) of the last step is zero from now on.
    pub const fn pause(&mut self) {
        self.paused = true;
        self.delta = Duration::ZERO;
    }

    /// Ends a pause, with the next step.
    pub const fn resume(&mut self) {
        self.paused = false;
    }

    /// Whether the clock is paused.
    #[must_use]
    pub const fn is_paused(&self) -> bool {
        self.paused
    }

    /// All that two clocks compare, and what is shown of one.
    const fn parts(&self) -> (Duration, Duration, (u32, NonZeroU32), u32, Option<Duration>, Duration, bool) {
        let Self { elapsed, delta, scale, rest, max_step, dropped, paused, tag: _ } = self;
        (*elapsed, *delta, *scale, *rest, *max_step, *dropped, *paused)
    }
}

// By hand, since a derive would ask the tag for the same trait.

default!([Tag] Clock<Tag>);

impl<Tag> Clone for Clock<Tag> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl<Tag> PartialEq for Clock<Tag> {
    fn eq(&self, other: &Self) -> bool {
        self.parts() == other.parts()
    }
}

impl<Tag> Eq for Clock<Tag> {}

debug!([Tag] Clock<Tag>, |this, f| {
    f.debug_struct("Clock")
        .field("elapsed", &this.elapsed)
        .field("delta", &this.delta)
        .field("scale", &this.scale)
        .field("max_step", &this.max_step)
        .field("dropped", &this.dropped)
        .field("paused", &this.paused)
        .finish_non_exhaustive()
});

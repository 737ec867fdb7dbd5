//! Methods that clocks and timers have in other libraries.

foreign! {
    /// Methods that a `Clock` does not have.
    struct ForeignClock, "a `Clock`";
    ClockDeltaSecs { pub fn delta_secs(&self) -> f32 where This: ClockDeltaSecs }
    ClockDeltaSeconds { pub fn delta_seconds(&self) -> f32 where This: ClockDeltaSeconds }
        : "its times are `Duration`s",
        "write `clock.delta().as_secs_f32()`";
    ClockDeltaSecsF64 { pub fn delta_secs_f64(&self) -> f64 where This: ClockDeltaSecsF64 }
    ClockDeltaSecondsF64 { pub fn delta_seconds_f64(&self) -> f64 where This: ClockDeltaSecondsF64 }
        : "its times are `Duration`s",
        "write `clock.delta().as_secs_f64()`";
    ClockElapsedSecs { pub fn elapsed_secs(&self) -> f32 where This: ClockElapsedSecs }
    ClockElapsedSeconds { pub fn elapsed_seconds(&self) -> f32 where This: ClockElapsedSeconds }
        : "its times are `Duration`s",
        "write `clock.elapsed().as_secs_f32()`";
    ClockElapsedSecsF64 { pub fn elapsed_secs_f64(&self) -> f64 where This: ClockElapsedSecsF64 }
        : "its times are `Duration`s",
        "write `clock.elapsed().as_secs_f64()`";
    ClockDeltaMillis { pub fn delta_millis(&self) -> u128 where This: ClockDeltaMillis }
        : "its times are `Duration`s",
        "write `clock.delta().as_millis()`";
    ClockAsSecsF32 { pub fn as_secs_f32(&self) -> f32 where This: ClockAsSecsF32 }
        : "it has the time of the step and the time since the start",
        "write `clock.delta().as_secs_f32()`, or `clock.elapsed().as_secs_f32()`";
    ClockTick { pub fn tick<A, R>(&self, _: A) -> R where This: ClockTick }
    ClockUpdate { pub fn update<R>(&self) -> R where This: ClockUpdate }
    ClockAdvanceBy { pub fn advance_by<A, R>(&self, _: A) -> R where This: ClockAdvanceBy }
        "write `clock.advance(passed)`";
    ClockRelativeSpeed { pub fn relative_speed(&self) -> f32 where This: ClockRelativeSpeed }
        : "its scale is a fraction",
        "write `clock.scale()`";
    ClockSetRelativeSpeed { pub fn set_relative_speed<A>(&self, _: A) where This: ClockSetRelativeSpeed }
        : "its scale is a fraction",
        "write `clock.set_scale(1, 2)` for half the speed";
    ClockWithRelativeSpeed { pub fn with_relative_speed<A, R>(&self, _: A) -> R where This: ClockWithRelativeSpeed }
        : "its scale is a fraction",
        "write `Clock::new().with_scale(1, 2)` for half the speed";
    ClockUnpause { pub fn unpause(&self) where This: ClockUnpause }
        "write `clock.resume()`";
    ClockSetMaxDelta { pub fn set_max_delta<A>(&self, _: A) where This: ClockSetMaxDelta }
        "write `clock.set_max_step(Some(longest))`";
}

foreign! {
    /// Methods that a `Timer` does not have.
    struct ForeignTimer, "a `Timer`";
    TimerJustFinished { pub fn just_finished(&self) -> bool where This: TimerJustFinished }
        : "`tick` returns how often it has finished",
        "write `if timer.tick(passed) > 0 {{ .. }}`";
    TimerFinished { pub fn finished(&self) -> bool where This: TimerFinished }
        "write `timer.is_finished()`";
    TimerPaused { pub fn paused(&self) -> bool where This: TimerPaused }
        "write `timer.is_paused()`";
    TimerUnpause { pub fn unpause(&self) where This: TimerUnpause }
        "write `timer.resume()`";
    TimerPercent { pub fn percent(&self) -> f32 where This: TimerPercent }
        "write `timer.fraction()`";
    TimerFractionRemaining { pub fn fraction_remaining(&self) -> f32 where This: TimerFractionRemaining }
    TimerPercentLeft { pub fn percent_left(&self) -> f32 where This: TimerPercentLeft }
        "write `1.0 - timer.fraction()`";
    TimerElapsedSecs { pub fn elapsed_secs(&self) -> f32 where This: TimerElapsedSecs }
        : "its times are `Duration`s",
        "write `timer.elapsed().as_secs_f32()`";
    TimerRemainingSecs { pub fn remaining_secs(&self) -> f32 where This: TimerRemainingSecs }
        : "its times are `Duration`s",
        "write `timer.remaining().as_secs_f32()`";
    TimerTimesFinishedThisTick { pub fn times_finished_this_tick(&self) -> u32 where This: TimerTimesFinishedThisTick }
        : "`tick` returns it",
        "write `let times = timer.tick(passed)`";
    TimerSetDuration { pub fn set_duration<A>(&self, _: A) where This: TimerSetDuration }
        : "its duration is given to the constructor",
        "write `*timer = Timer::once(duration)`";
    TimerSetElapsed { pub fn set_elapsed<A>(&self, _: A) where This: TimerSetElapsed }
        "write `timer.reset()`, and `timer.tick(passed)`";
    TimerSetMode { pub fn set_mode<A>(&self, _: A) where This: TimerSetMode }
        : "its kind is given to the constructor",
        "write `*timer = Timer::repeating(duration)`";
}

foreign! {
    /// Methods that a number does not have: `tick` of a `Timer` returns one.
    trait ForeignTicks, "`tick` returns how often the timer has finished, and";
    TicksJustFinished { fn just_finished(&self) -> bool where Self: TicksJustFinished }
    TicksFinished { fn finished(&self) -> bool where Self: TicksFinished }
    TicksIsFinished { fn is_finished(&self) -> bool where Self: TicksIsFinished }
        "write `if timer.tick(passed) > 0 {{ .. }}`";
}

impl ForeignTicks for u64 {}

//! The systems and conditions for clocks, which schedules name: they run in every world with the
//! resources.

use core::time::Duration;

use super::{Clock, Delayed, DelayedCommand};
use crate::check::StepsOf;
use crate::command::Commands;
use crate::event::EventWriter;
use crate::raw_world::HasResource;
use crate::schedule::FixedTime;
use crate::system::{In, Local, Res, ResMut};
use crate::world::World;

/// System: the clock with the tag `Child` follows that with the tag `Parent`.
///
/// Name it once in a schedule that runs once for each step of the parent, as
/// `follow::<Real, Play>`.
#[ecs_macros::system(crate = crate)]
pub fn follow<Parent: 'static, Child: 'static>(
    parent: Res<'_, Clock<Parent>>,
    mut child: ResMut<'_, Clock<Child>>,
) {
    child.follow(&parent);
}

/// System: [`FixedTime`] takes the last step of the clock with this tag, so that schedules with
/// `every FixedTime` follow the clock: its pause stops them, and its scale makes them run more or
/// less often.
///
/// Name it once in a schedule that runs once for each step of the clock, before the schedules with
/// `every FixedTime`. The program then advances the clock alone.
///
/// ```
/// use std::time::Duration;
///
/// use ecs::prelude::*;
/// use ecs::FixedTime;
/// use ecs::time::{advance_fixed, follow};
///
/// enum Play {}
/// #[derive(Resource, Default)]
/// struct Steps(u32);
///
/// world! {
///     struct Game {
///         resources {
///             Clock = Clock::new(), Clock<Play> = Clock::new().with_scale(1, 2), Steps = Steps::default(),
///             FixedTime = FixedTime::new(Duration::from_millis(10)),
///         }
///     }
///     schedule frame { follow::<(), Play>; advance_fixed::<Play>; simulate }
///     schedule simulate every FixedTime { count }
/// }
/// #[system(Game)]
/// fn count(mut steps: ResMut<Steps>) { steps.0 += 1; }
///
/// let mut game = Game::new();
/// for _ in 0..10 {
///     game.resource_mut::<Clock>().advance(Duration::from_millis(20));
///     game.frame();
/// }
/// assert_eq!(game.resource::<Steps>().0, 10);             // 200 milliseconds at half the speed
/// game.resource_mut::<Clock<Play>>().pause();
/// game.resource_mut::<Clock>().advance(Duration::from_millis(20));
/// game.frame();
/// assert_eq!(game.resource::<Steps>().0, 10);
/// ```
#[ecs_macros::system(crate = crate)]
pub fn advance_fixed<Tag: 'static>(clock: Res<'_, Clock<Tag>>, mut fixed: ResMut<'_, FixedTime>) {
    fixed.advance(clock.delta());
}

/// Condition: the last step of the clock has completed a period of so many milliseconds, at least
/// once.
///
/// The periods are counted from the start of the clock, so that all conditions with one period hold
/// at the same time. See [`Clock::completed`], which also tells how many periods a long step has
/// completed.
///
/// ```text
/// schedule frame { spawn_wave if every_millis::<Play, 500> }
/// ```
#[ecs_macros::system(crate = crate)]
pub fn every_millis<Tag: 'static, const PERIOD: u64>(clock: Res<'_, Clock<Tag>>) -> bool {
    clock.completed(Duration::from_millis(PERIOD)) > 0
}

/// Condition: holds at each `N`th run of its place in the schedule, first at the `N`th one. With 0
/// it never holds.
///
/// Each place counts for itself, and the count is saved with the world.
///
/// ```text
/// schedule tick { clean_up if every_runs::<60> }
/// ```
#[ecs_macros::system(crate = crate)]
pub fn every_runs<const N: u64>(mut runs: Local<'_, u64>) -> bool {
    *runs = runs.saturating_add(1);
    let holds = N > 0 && *runs >= N;
    if holds {
        *runs = 0;
    }
    holds
}

/// Condition: holds at each run of its place in the schedule whose number is a multiple of the
/// period. With 0 it never holds.
///
/// A schedule writes it as `clean_up every 60`, and each place counts for itself. The count is
/// saved with the world.
///
/// ```text
/// schedule tick { clean_up if every_nth(60) && !paused }
/// ```
#[ecs_macros::system(crate = crate)]
pub fn every_nth(period: In<u64>, mut runs: Local<'_, u64>) -> bool {
    *runs = runs.saturating_add(1);
    let holds = *period > 0 && *runs >= *period;
    if holds {
        *runs = 0;
    }
    holds
}

/// Condition: the last step of the clock has completed a period, at least once.
///
/// A schedule writes it as `spawn_wave every 0.5 s` for the clock without a tag. The periods are
/// counted from the start of the clock, as for [`every_millis`].
///
/// ```text
/// schedule frame { spawn_wave if every_period::<Play>(Duration::from_millis(500)) }
/// ```
#[ecs_macros::system(crate = crate)]
pub fn every_period<Tag: 'static>(period: In<Duration>, clock: Res<'_, Clock<Tag>>) -> bool {
    clock.completed(*period) > 0
}

/// System: sends the [`Delayed`] events whose time the clock with this tag has reached.
///
/// Name it after the place where the clock advances, as `send_due::<Explodes, Play>`; the tag of an
/// untagged clock is `()`.
#[ecs_macros::system(crate = crate)]
pub fn send_due<E: 'static, Tag: 'static>(
    clock: Res<'_, Clock<Tag>>,
    mut delayed: ResMut<'_, Delayed<E, Tag>>,
    mut events: EventWriter<'_, E>,
) {
    if !delayed.is_empty() {
        events.extend(delayed.take_due(clock.elapsed()));
    }
}

/// System: gives the [`Delayed`] commands whose time the clock with this tag has reached, in the
/// order of their times.
///
/// Name it after the place where the clock advances, as `apply_due::<DespawnEntity, Play>`; the tag
/// of an untagged clock is `()`. The commands are applied when the stage ends. Without a due
/// command a run is one comparison.
#[ecs_macros::system(W, crate = crate)]
pub fn apply_due<
    W: World + HasResource<Delayed<C, Tag>> + HasResource<Clock<Tag>>,
    C: DelayedCommand<W> + 'static,
    Tag: 'static,
>(
    clock: Res<'_, Clock<Tag>>,
    mut delayed: ResMut<'_, Delayed<C, Tag>>,
    mut commands: Commands<'_, W>,
) {
    if !delayed.is_empty() {
        delayed.take_due(clock.elapsed()).for_each(|command| command.apply(&mut commands));
    }
}

impl<E, Tag> StepsOf<Delayed<E, Tag>> {
    /// One of these systems sends or applies the values that are due.
    pub const STEPS: &'static [&'static str] = &["send_due", "apply_due"];
}

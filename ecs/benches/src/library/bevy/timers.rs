//! Timers.

use bevy_ecs::prelude::*;
use bevy_time::{Timer, TimerMode};

use super::Queried;
use crate::harness::Suite;
use crate::math::total;
use crate::workload::timers;

#[derive(Component)]
struct Reload(Timer);

pub(super) fn cases(suite: &mut Suite) {
    suite.case(
        &timers::TIMERS,
        |count| {
            let mut world = World::new();
            let reload = |i| Reload(Timer::new(timers::duration(i), TimerMode::Repeating));
            world.spawn_batch((0..count).map(reload));
            (Queried::<&'static mut Reload>::new(world), 0)
        },
        |(Queried(world, query), finished)| {
            query.iter_mut(world).for_each(|mut reload| {
                *finished += u64::from(reload.0.tick(timers::FRAME).times_finished_this_tick());
            });
        },
        |(Queried(world, _), finished)| {
            let mut reloads = world.query::<&Reload>();
            let elapsed = |reload: &Reload| reload.0.elapsed().as_nanos() as u64;
            total(reloads.iter(world).map(elapsed)).wrapping_add(*finished)
        },
    );
}

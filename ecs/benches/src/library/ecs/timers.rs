//! Timers.

use ecs::prelude::*;
use ecs::time::Timer;

use crate::harness::Suite;
use crate::math::total;
use crate::workload::timers;

#[derive(Component)]
struct Reload(Timer);

world! {
    struct Battery {
        components { Reload }
    }
}

pub(super) fn cases(suite: &mut Suite) {
    suite.case(
        &timers::TIMERS,
        |count| {
            let mut game = Battery::new();
            game.spawn_batch((0..count).map(|i| Reload(Timer::repeating(timers::duration(i)))));
            (game, 0)
        },
        |(game, finished)| {
            game.query_mut::<&mut Reload>().for_each(|reload| *finished += reload.0.tick(timers::FRAME));
        },
        |(game, finished)| {
            let elapsed = |reload: &Reload| reload.0.elapsed().as_nanos() as u64;
            total(game.query::<&Reload>().iter().map(elapsed)).wrapping_add(*finished)
        },
    );
}

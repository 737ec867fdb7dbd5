//! A copy of the world with the settings of its executor.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;

use ecs::command::FailurePolicy;
use ecs::prelude::*;
use ecs::schedule::Parallelism;
use ecs::{Schedule, Snapshot};
use ecs_tests::random::Random;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::step::{SYSTEMS, Step};
use super::systems::*;
use super::world::*;

/// A world with its settings.
pub(super) struct Copy {
    pub(super) game: Game,
    pub(super) built: Schedule<Game>,
    pub(super) how: How,
    /// A snapshot of the world, with the schedule.
    pub(super) kept: Option<(Snapshot<Game>, Schedule<Game>)>,
}

/// The parallelism, and whether systems are measured.
#[derive(Clone, Debug)]
pub(super) struct How {
    parallelism: Parallelism,
    timed: bool,
    /// The number of the thread pool.
    pub(super) pool: usize,
    /// Whether the settings change during the test.
    fickle: bool,
    /// Whether a system was disabled and enabled again, so that the schedules check for disabled
    /// systems.
    marked: bool,
}

pub(super) fn hows() -> Vec<How> {
    let how = |parallelism, timed, pool, fickle, marked| How { parallelism, timed, pool, fickle, marked };
    vec![
        how(Parallelism::Never, false, 0, false, false), // always the fast path
        how(Parallelism::Never, true, 0, false, false),  // the long way, always
        how(Parallelism::Never, false, 0, false, true),
        how(Parallelism::Auto, false, 1, false, false), // measures sometimes
        how(Parallelism::Auto, true, 2, true, true),
        how(Parallelism::Always, false, 0, false, false), // the parallel path with one thread
        how(Parallelism::Always, false, 1, false, false),
        how(Parallelism::Always, true, 2, false, true),
        how(Parallelism::Always, false, 2, true, false),
    ]
}

impl Copy {
    pub(super) fn new(how: How, random: u64) -> Self {
        let mut random = Random(random);
        let mut game = Game::new(Sum(0), Log(Vec::new()), Fuse(0), Back(None));
        game.on_failed_command(FailurePolicy::Ignore);
        game.set_parallelism(how.parallelism);
        game.time_systems(how.timed);
        if how.marked {
            game.enable::<pour>(false);
            game.enable::<pour>(true);
        }
        let mut ids = Vec::new();
        let count = if random.below(20) == 0 { 5000 } else { random.below(60) as u32 };
        for n in 0..count {
            ids.push(match random.below(6) {
                0 => game.spawn(Mass(n)),
                1 => game.spawn((Mass(n), Heat(n.into()))),
                2 => game.spawn((Heat(n.into()), Team(n as u8 % 6))),
                3 => game.spawn((Mass(n), Team(1), Tag)),
                4 => game.spawn((Seat(n), Label("d".into()))),
                _ => game.spawn(()),
            });
        }
        let mut built = Schedule::new("built");
        let systems = SYSTEMS.len() as u64;
        for _ in 0..3 + random.below(9) {
            SYSTEMS[random.below(systems) as usize](&mut built, &mut game, random.below(6) as i64).unwrap();
        }
        (0..random.below(3)).for_each(|_| built.add_flush(random.below(6) as i64));
        built.flush_between(random.below(12) == 0);
        built.set_parallelism(how.parallelism);
        built.time_systems(how.timed);
        Self { game, built, how, kept: None }
    }

    pub(super) fn apply(&mut self, step: &Step, random: &mut Random) -> Option<String> {
        if self.how.fickle {
            let parallelism =
                [Parallelism::Auto, Parallelism::Never, Parallelism::Always][random.below(3) as usize];
            let timed = random.below(3) == 0;
            self.game.set_parallelism(parallelism);
            self.game.time_systems(timed);
            self.built.set_parallelism(parallelism);
            self.built.time_systems(timed);
        }
        Shard::ARMED.store(true, Ordering::Relaxed);
        // a shard may panic in a step that catches nothing, such as restoring a snapshot
        let said = catch_unwind(AssertUnwindSafe(|| step.apply(self)));
        let said = said.unwrap_or_else(|payload| payload.downcast::<String>().ok().map(|text| *text));
        Shard::ARMED.store(false, Ordering::Relaxed);
        said
    }
}

pub(super) fn pools() -> Vec<ThreadPool> {
    let pool = |threads| ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    [1, 2, 16].map(pool).into()
}

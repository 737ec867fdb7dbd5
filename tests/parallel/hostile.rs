//! Callbacks of parallel systems that panic, nest or change what the filter sees: the result is
//! that of one thread.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use ecs::prelude::*;
use ecs::schedule::Parallelism;
use ecs::{Accumulate, Accumulator};
use ecs_tests::fuse::panic_message;
use ecs_tests::random::random_cases;
use proptest::prelude::*;

/// The number of noisy values that exist.
static ALIVE: AtomicI64 = AtomicI64::new(0);
/// Whether drops and clones of noisy values panic.
static ARMED: AtomicBool = AtomicBool::new(false);

/// A value that counts itself; its clones and drops panic for some numbers when armed.
#[derive(Event, Debug, PartialEq)]
struct Noisy(u32);

impl Noisy {
    fn new(number: u32) -> Self {
        ALIVE.fetch_add(1, Ordering::SeqCst);
        Self(number)
    }
}
impl Clone for Noisy {
    fn clone(&self) -> Self {
        assert!(!(ARMED.load(Ordering::SeqCst) && self.0 % 97 == 5), "clone of {}", self.0);
        Self::new(self.0)
    }
}
impl Drop for Noisy {
    fn drop(&mut self) {
        ALIVE.fetch_sub(1, Ordering::SeqCst);
        let panics = ARMED.load(Ordering::SeqCst) && self.0 % 101 == 7 && !std::thread::panicking();
        assert!(!panics, "drop of {}", self.0);
    }
}

#[derive(Component, Clone, PartialEq, Debug)]
#[component(tracked)]
struct Heat(u64);
#[derive(Component, Clone, PartialEq, Debug)]
struct Group(u64);
/// The slots for which a visit panics.
#[derive(Resource, Clone, Default)]
struct Mines(Vec<u32>);
/// Takes noisy values, and drops those that it has.
#[derive(Resource, Default)]
struct Last(Option<Noisy>, u64);
#[derive(Resource, Clone, Default, PartialEq, Debug)]
struct Sums(Vec<u64>);

impl Accumulate for Last {
    type Value = Noisy;
    fn accumulate(&mut self, value: Noisy) {
        self.1 += u64::from(value.0);
        self.0 = Some(value);
    }
}
impl Accumulate for Sums {
    type Value = u64;
    fn accumulate(&mut self, value: u64) {
        // a sum that uses threads of the pool itself
        let (left, right) = rayon::join(|| value / 2, || value - value / 2);
        self.0.push(left + right);
    }
}

world! {
    struct Game {
        components { Heat, Group }
        resources { Mines, Last, Sums }
        events { Noisy(external, keep = all) }
    }
    schedule noisy { shout }
    schedule nested { sum_of_group }
    schedule cold { warm_the_unchanged }
}

#[system(Game, par)]
fn shout(
    entity: Entity,
    _: With<Group>,
    mines: Res<Mines>,
    mut shouts: EventWriter<Noisy>,
    mut last: Accumulator<Last>,
) {
    shouts.send(Noisy::new(entity.slot()));
    last.add(Noisy::new(entity.slot()));
    assert!(!mines.0.contains(&entity.slot()), "mine {}", entity.slot());
}

/// Each visit divides a query of its own among the threads.
#[system(Game, par)]
fn sum_of_group(
    entity: Entity,
    group: &Group,
    mut heats: Query<(Entity, &Heat)>,
    mut sums: Accumulator<Sums>,
) {
    let near = |(other, heat): (Entity, &Heat)| (other.slot() % 8 == entity.slot() % 8).then_some(heat.0);
    sums.add(heats.par_filter_map(near).iter().sum::<u64>() + group.0);
}

/// A visit changes the value that the filter looks at.
#[system(Game, par)]
fn warm_the_unchanged(entity: Entity, mut heat: Mut<Heat>, _: Not<Changed<Heat>>, mines: Res<Mines>) {
    heat.0 += 1000;
    assert!(!mines.0.contains(&entity.slot()), "mine {}", entity.slot());
}

fn game(len: u64) -> Game {
    let mut game = Game::default();
    game.spawn_batch((0..len).map(|i| (Heat(i), Group(i * 3)))).for_each(drop);
    game
}

/// Runs `check` in pools of several sizes, with every setting.
fn on_threads(check: impl Fn(Parallelism) + Sync) {
    for threads in [1, 2, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for parallelism in [Parallelism::Auto, Parallelism::Never, Parallelism::Always] {
            pool.install(|| check(parallelism));
        }
    }
}

/// The test of noisy values, alone in its process or not: no other test makes such values.
#[test]
fn values_that_panic_when_cloned_or_dropped_leave_nothing_behind() {
    on_threads(|parallelism| {
        for mines in [vec![], vec![40], vec![1_500, 333]] {
            let mut game = game(2_000);
            game.set_parallelism(parallelism);
            game.resource_mut::<Mines>().0 = mines.clone();
            ARMED.store(true, Ordering::SeqCst);
            let message = panic_message(|| game.noisy());
            let expected = mines.iter().min().map_or("drop of 7".into(), |first| format!("mine {first}"));
            assert!(message.ends_with(&expected), "{message}");
            ARMED.store(false, Ordering::SeqCst);
            let sum = if mines.is_empty() { (0..=8).sum() } else { 0 };
            assert_eq!(game.resource::<Last>().1, sum);
            // the world goes on
            game.resource_mut::<Mines>().0.clear();
            *game.resource_mut::<Last>() = Last::default();
            game.drain::<Noisy>().for_each(drop);
            game.noisy();
            assert_eq!(
                game.drain::<Noisy>().map(|noisy| noisy.0).collect::<Vec<_>>(),
                (0..2_000).collect::<Vec<_>>()
            );
            assert_eq!(game.resource::<Last>().1, (0..2_000).sum::<u64>());
            drop(game);
            assert_eq!(ALIVE.load(Ordering::SeqCst), 0, "{mines:?} {parallelism:?}");
        }
    });
}

#[test]
fn parallel_calls_nest_and_end() {
    let expected: Vec<u64> =
        (0..300).map(|i| (0..300).filter(|other| other % 8 == i % 8).sum::<u64>() + i * 3).collect();
    on_threads(|parallelism| {
        let mut game = game(300);
        game.set_parallelism(parallelism);
        game.nested();
        assert_eq!(game.resource::<Sums>().0, expected);
    });
}

#[test]
fn a_parallel_call_runs_a_schedule_of_another_world() {
    fn game_of_20() -> Game {
        game(20)
    }
    thread_local! { static OTHER: RefCell<Option<Game>> = const { RefCell::new(None) }; }
    on_threads(|parallelism| {
        let mut game = game(100);
        game.set_parallelism(parallelism);
        let sums = game.query_mut::<(Entity, &Group)>().par_map(|(entity, group)| {
            // taken for the time of the call: a thread that waits in it may begin another visit
            let mut other = OTHER.with(|other| other.borrow_mut().take()).unwrap_or_else(game_of_20);
            other.resource_mut::<Sums>().0.clear();
            other.nested();
            let sum = other.resource::<Sums>().0[entity.slot() as usize % 20] + group.0;
            OTHER.with(|slot| *slot.borrow_mut() = Some(other));
            sum
        });
        let nested = |i: u64| (0..20).filter(|other| other % 8 == i % 8).sum::<u64>() + i * 3;
        assert_eq!(sums, (0..100).map(|i| nested(i % 20) + i * 3).collect::<Vec<_>>());
    });
}

#[test]
fn a_visit_that_leaves_its_own_filter_hides_no_other() {
    on_threads(|parallelism| {
        let mut game = game(1_000);
        game.set_parallelism(parallelism);
        game.cold(); // all values are new
        assert!(game.query::<&Heat>().iter().all(|heat| heat.0 < 1_000));
        game.resource_mut::<Mines>().0 = vec![900, 70, 500, 71, 3];
        let message = panic_message(|| game.cold());
        assert!(message.ends_with("mine 3"), "{message}");
        let heats: Vec<u64> = game.query::<&Heat>().iter().map(|heat| heat.0).collect();
        assert_eq!(heats, (1_000..2_000).collect::<Vec<_>>());
    });
}

proptest! {
    #![proptest_config(random_cases(24))]

    /// Random entities, random panics: every number of threads and every setting visit the same,
    /// and report the same.
    #[test]
    fn random_panics_are_those_of_one_thread(
        len in 1..900_u32,
        gone in prop::collection::vec(0..900_u32, 0..60),
        mines in prop::collection::vec(0..900_u32, 0..12),
    ) {
        let make = || {
            let mut game = game(u64::from(len));
            let gone = game.entities().iter().filter(|entity| gone.contains(&entity.slot())).collect::<Vec<_>>();
            gone.into_iter().for_each(|entity| game.despawn(entity).unwrap());
            game
        };
        let live: Vec<u32> = make().entities().iter().map(|entity| entity.slot()).collect();
        let first = live.iter().copied().find(|slot| mines.contains(slot));
        let heats: Vec<u64> = live.iter().map(|&slot| u64::from(slot) + 7).collect();
        on_threads(|parallelism| {
            let mut game = make();
            game.set_parallelism(parallelism);
            let visit = |(entity, mut heat): (Entity, Mut<Heat>)| {
                heat.0 += 7;
                assert!(!mines.contains(&entity.slot()), "mine {}", entity.slot());
                entity.slot()
            };
            match first {
                Some(first) => {
                    let message = panic_message(|| game.query_mut::<(Entity, Mut<Heat>)>().par_map(visit));
                    assert_eq!(message, format!("mine {first}"));
                }
                None => assert_eq!(game.query_mut::<(Entity, Mut<Heat>)>().par_map(visit), live),
            }
            assert_eq!(game.query::<&Heat>().iter().map(|heat| heat.0).collect::<Vec<_>>(), heats);
        });
    }
}

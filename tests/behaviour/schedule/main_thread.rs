//! Resources of the main thread: systems that use one run on the thread that runs the schedule,
//! beside the others.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use ecs::prelude::*;
use ecs::schedule::Parallelism;
use rayon::ThreadPoolBuilder;
use static_assertions::{assert_impl_all, assert_not_impl_any};

/// The threads on which systems have used the window, and the number of uses.
#[derive(Resource, Clone, Default)]
#[resource(main_thread)]
struct Window(Rc<RefCell<(BTreeSet<String>, u32)>>);

impl Window {
    fn draw(&self) {
        let mut drawn = self.0.borrow_mut();
        drawn.0.insert(format!("{:?}", thread::current().id()));
        drawn.1 += 1;
    }
}

#[derive(Component, Clone, PartialEq, Debug)]
struct Position(u64);
#[derive(Component, Clone, PartialEq, Debug)]
struct Heat(u64);
#[derive(Component, Clone, PartialEq, Debug)]
struct Thread(Vec<ThreadId>);

world! {
    #[derive(Clone)]
    struct Game {
        components { Position, Heat, Thread }
        resources { Window }
    }
    schedule tick {
        warm, draw, walk, open if is_open, note;
        close
    }
}

#[system(Game)]
fn warm(mut heats: Query<&mut Heat>) {
    heats.iter_mut().for_each(|heat| heat.0 = heat.0.wrapping_mul(31) + 1);
}
#[system(Game)]
fn walk(mut positions: Query<&mut Position>) {
    positions.iter_mut().for_each(|position| position.0 = position.0.wrapping_mul(17) + 3);
}
#[system(Game)]
fn draw(window: Res<Window>, _all: Query<Entity, With<Thread>>) {
    window.draw();
}
#[system(Game)]
fn is_open(window: Res<Window>) -> bool {
    window.draw();
    true
}
#[system(Game)]
fn open(window: ResMut<Window>) {
    window.draw();
}
#[system(Game)]
fn note(thread: &mut Thread) {
    thread.0.push(thread::current().id());
}
#[system(Game)]
fn close(game: &mut Game) {
    game.resource::<Window>().draw();
}

#[derive(Resource, Clone, Default)]
struct Plain;
world! {
    #[derive(Clone)]
    struct Sendable { components { Position } resources { Plain } }
}

assert_impl_all!(Sendable: Send, Sync);
assert_not_impl_any!(Game: Send, Sync);
assert_not_impl_any!(ecs::world::Snapshot<Game>: Send);

fn run(parallelism: Parallelism, entities: u64) -> (Game, BTreeSet<String>, u32) {
    let mut game = Game::default();
    game.set_parallelism(parallelism);
    game.spawn_batch((0..entities).map(|n| (Position(n), Heat(n))));
    game.spawn(Thread(Vec::new()));
    (0..20).for_each(|_| game.tick());
    let (threads, uses) = game.resource::<Window>().0.borrow().clone();
    (game, threads, uses)
}

#[test]
fn systems_of_the_main_thread_run_on_the_thread_that_runs_the_schedule() {
    let here = BTreeSet::from([format!("{:?}", thread::current().id())]);
    for entities in [10, 20_000] {
        let (first, ..) = run(Parallelism::Never, entities);
        for parallelism in [Parallelism::Never, Parallelism::Auto, Parallelism::Always] {
            let (game, threads, uses) = run(parallelism, entities);
            assert_eq!((&threads, uses), (&here, 80), "{parallelism:?}");
            assert!(game.query::<&Position>().iter().eq(first.query::<&Position>().iter()));
            assert!(game.query::<&Heat>().iter().eq(first.query::<&Heat>().iter()));
        }
    }
}

#[test]
fn in_a_pool_the_main_thread_is_the_one_that_has_the_world() {
    let pool = ThreadPoolBuilder::new().num_threads(4).build().unwrap();
    for _ in 0..20 {
        let (threads, own, others) = pool.install(|| {
            let (game, threads, _) = run(Parallelism::Always, 5000);
            let own = format!("{:?}", thread::current().id());
            let noted = game.query::<&Thread>().single().unwrap().0.clone();
            (threads, own, noted.len())
        });
        assert_eq!((threads, others), (BTreeSet::from([own]), 20));
    }
}

/// Whether `ring` has run.
static RUNG: AtomicBool = AtomicBool::new(false);

#[derive(Component)]
struct Bell;
world! {
    struct Tower { components { Bell } resources { Window } }
    schedule wake { wait, ring }
}

#[system(Tower)]
fn wait(window: Res<Window>) {
    let begin = Instant::now();
    while !RUNG.load(Ordering::Acquire) {
        assert!(begin.elapsed() < Duration::from_secs(60), "no other thread has rung the bell");
        thread::yield_now();
    }
    window.draw();
}
#[system(Tower)]
fn ring(bells: Query<&Bell>) {
    RUNG.store(bells.is_empty(), Ordering::Release);
}

#[test]
fn other_systems_of_the_wave_run_beside_them() {
    ThreadPoolBuilder::new().num_threads(3).build().unwrap().install(|| {
        let mut tower = Tower::default();
        tower.set_parallelism(Parallelism::Always);
        tower.wake(); // ends, since another thread rings while this one waits
        assert_eq!(tower.resource::<Window>().0.borrow().1, 1);
    });
}

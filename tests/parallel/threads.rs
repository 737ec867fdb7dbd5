//! Parallel work that begins on a thread of the pool, on one outside of it, and within destructors;
//! and work of the main thread.

use std::cell::RefCell;
use std::panic::panic_any;
use std::rc::Rc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, ThreadId};
use std::time::Duration;

use ecs::background::Background;
use ecs::prelude::*;
use ecs::schedule::Parallelism;
use ecs::{Accumulate, Accumulator};
use rayon::{ThreadPool, ThreadPoolBuilder};

#[derive(Component, Clone, PartialEq, Debug)]
struct Load(u64);
/// Runs a parallel loop over another world when it is dropped.
#[derive(Component)]
struct Looping(u64);
/// The sum of the loops of destructors.
static LOOPED: AtomicU64 = AtomicU64::new(0);

impl Drop for Looping {
    fn drop(&mut self) {
        let mut other = Other::new();
        other.spawn_batch((0..self.0).map(Load));
        let sum: u64 = other.query_mut::<&Load>().par_map(|load| load.0 + 1).iter().sum();
        other.query_mut::<&mut Load>().par_for_each(|load| load.0 += 1);
        assert_eq!(sum, other.query::<&Load>().iter().map(|load| load.0).sum::<u64>());
        LOOPED.fetch_add(sum, Ordering::SeqCst);
    }
}

#[derive(Event)]
struct Dropped(#[allow(dead_code)] Looping);

/// The payload of a panic, whose drop panics.
struct Payload(#[allow(dead_code)] u32);

impl Drop for Payload {
    fn drop(&mut self) {
        panic!("the payload was dropped");
    }
}

#[derive(Resource, Default, Clone, PartialEq, Debug)]
struct Order(Vec<u32>);

impl Accumulate for Order {
    type Value = u32;
    fn accumulate(&mut self, slot: u32) {
        self.0.push(slot);
    }
}

#[derive(Resource, Default, Clone)]
struct Mines(Vec<u32>);

/// The threads that have used it.
#[derive(Resource, Default)]
#[resource(main_thread)]
struct Window(Rc<RefCell<Vec<ThreadId>>>);

impl Window {
    fn draw(&self) {
        self.0.borrow_mut().push(thread::current().id());
    }
}

world! { struct Other { components { Load } } }

world! {
    struct Game {
        components { Load, Looping }
        resources { Order, Mines }
        events { Dropped(external) }
    }
    schedule tick { work, other_work; give }
}

world! {
    struct Shown {
        components { Load }
        resources { Window, Order }
        events { Shot(external) }
    }
    schedule tick { order, count, shoot; hear }
    observers { on_shot }
}

#[derive(Event)]
struct Shot(u32);

#[system(Game, par)]
fn work(
    entity: Entity,
    load: &mut Load,
    mut order: Accumulator<Order>,
    mut dropped: EventWriter<Dropped>,
    mines: Res<Mines>,
) {
    load.0 = (0..200).fold(load.0, |load, n| load.wrapping_mul(31).wrapping_add(n));
    order.add(entity.slot());
    if entity.slot() % 200 == 3 {
        dropped.send(Dropped(Looping(300)));
    }
    if mines.0.contains(&entity.slot()) {
        panic_any(Payload(entity.slot()));
    }
}

#[system(Game)]
fn other_work(looping: Query<&Looping>) {
    std::hint::black_box(looping.iter().map(|looping| looping.0).sum::<u64>());
}

#[system(Game, par)]
fn give(entity: Entity, load: &Load, mut commands: ParCommands<Game>) {
    if load.0.is_multiple_of(64) {
        commands.insert(entity, Looping(50)); // drops the one that the entity has
    }
}

fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}

/// Calls `f` outside of pools and inside of pools of several sizes, with every setting.
fn everywhere<R: Send>(f: impl Fn(Parallelism) -> R + Sync) -> Vec<R> {
    let mut results = Vec::new();
    for parallelism in [Parallelism::Never, Parallelism::Auto, Parallelism::Always] {
        results.push(f(parallelism));
        results.extend([1, 2, 8].map(|threads| pool(threads).install(|| f(parallelism))));
    }
    results
}

#[test]
fn destructors_may_run_parallel_loops() {
    let results = everywhere(|parallelism| {
        let mut game = Game::default();
        game.set_parallelism(parallelism);
        game.spawn_batch((0..700).map(|n| (Load(n), Looping(n % 3)))).for_each(drop);
        (0..4).for_each(|_| game.tick());
        let loads: Vec<u64> = game.query::<&Load>().iter().map(|load| load.0).collect();
        let looping: u64 = game.query::<&Looping>().iter().map(|looping| looping.0).sum();
        (loads, looping, game.resource::<Order>().clone())
    });
    assert!(results.iter().all(|result| *result == results[0]));
    assert!(LOOPED.load(Ordering::SeqCst) > 0);
}

#[test]
fn payloads_that_panic_when_dropped_are_passed_on_and_the_world_goes_on() {
    let results = everywhere(|parallelism| {
        let mut game = Game::default();
        game.set_parallelism(parallelism);
        game.spawn_batch((0..2_000).map(Load)).for_each(drop);
        game.resource_mut::<Mines>().0 = vec![1_900, 77, 400, 401, 402];
        let payload = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| game.tick())).unwrap_err();
        let slot = payload.downcast_ref::<Payload>().map(|payload| payload.0);
        std::mem::forget(payload);
        assert_eq!(slot, Some(77), "the first one");
        assert_eq!(game.resource::<Order>().0, [0; 0]);
        game.resource_mut::<Mines>().0.clear();
        game.tick();
        assert_eq!(game.resource::<Order>().0, (0..2_000).collect::<Vec<_>>());
        game.query::<&Load>().iter().map(|load| load.0).collect::<Vec<_>>()
    });
    assert!(results.iter().all(|result| *result == results[0]));
}

/// The calls of a visit use another pool than the loop.
#[test]
fn a_visit_may_use_another_pool() {
    let other = pool(3);
    let results = everywhere(|parallelism| {
        let mut game = Game::default();
        game.set_parallelism(parallelism);
        game.spawn_batch((0..120).map(Load)).for_each(drop);
        game.query_mut::<&mut Load>().par_for_each(|load| {
            load.0 += other.install(|| {
                let mut inner = Other::new();
                inner.set_parallelism(parallelism);
                inner.spawn_batch((0..100).map(Load));
                inner.query_mut::<&Load>().par_map(|load| load.0).iter().sum::<u64>()
            });
        });
        game.query::<&Load>().iter().map(|load| load.0).collect::<Vec<_>>()
    });
    assert!(results.iter().all(|result| *result == results[0]));
    assert_eq!(results[0][7], 7 + 4_950);
}

/// The first slots of a loop run before other threads are woken: the current thread becomes part of
/// a pool there.
#[test]
fn the_pool_of_the_thread_may_change_within_a_loop() {
    for parallelism in [Parallelism::Auto, Parallelism::Always] {
        thread::spawn(move || {
            let mut game = Game::default();
            game.set_parallelism(parallelism);
            game.spawn_batch((0..2_000).map(Load)).for_each(drop);
            let own = thread::current().id();
            let made = std::sync::Mutex::new(None);
            let visited = game.query_mut::<&mut Load>().par_map(|load| {
                let mut made = made.lock().unwrap();
                if made.is_none() && thread::current().id() == own {
                    *made =
                        Some(ThreadPoolBuilder::new().num_threads(6).use_current_thread().build().unwrap());
                }
                drop(made);
                load.0 = (0..500).fold(load.0, |load, n| load.wrapping_mul(31).wrapping_add(n));
                1
            });
            assert_eq!(visited.len(), 2_000);
            // and with the new pool
            assert_eq!(game.query_mut::<&Load>().par_map(|load| load.0).len(), 2_000);
        })
        .join()
        .unwrap();
    }
}

#[system(Shown, par)]
fn order(entity: Entity, _: With<Load>, mut order: Accumulator<Order>, mut commands: ParCommands<Shown>) {
    order.add(entity.slot());
    if entity.slot().is_multiple_of(700) {
        commands.run(|shown| shown.resource::<Window>().draw());
    }
}

#[system(Shown)]
fn count(loads: Query<&Load>, mut commands: Commands<Shown>) {
    let sum: u64 = loads.iter().map(|load| load.0).sum();
    commands.run(move |shown| {
        std::hint::black_box(sum);
        shown.resource_mut::<Window>().draw();
    });
}

#[system(Shown)]
fn shoot(_all: Query<&Load>, mut commands: Commands<Shown>) {
    commands.send(Shot(1));
}

#[system(Shown)]
fn on_shot(mut shots: EventReader<Shot>, window: Res<Window>) {
    (&mut shots).into_iter().for_each(|shot| assert_eq!(shot.0, 1));
    window.draw();
}

#[system(Shown)]
fn hear(window: ResMut<Window>) {
    window.draw();
}

/// Commands, observers and systems of a world with a window, whose value would be freed twice if
/// two threads counted its users.
#[test]
fn all_that_use_a_resource_of_the_main_thread_run_there() {
    everywhere(|parallelism| {
        let mut shown = Shown::default();
        shown.set_parallelism(parallelism);
        shown.spawn_batch((0..3_000).map(Load)).for_each(drop);
        (0..10).for_each(|_| shown.tick());
        let threads = shown.resource::<Window>().0.borrow().clone();
        assert_eq!(threads.len(), 10 * (5 + 3));
        assert!(threads.iter().all(|&id| id == thread::current().id()));
    });
}

/// A pool that functions in the background use.
static SHARED: OnceLock<ThreadPool> = OnceLock::new();

world! {
    #[derive(Clone)]
    struct Thinker {
        components { Load }
        resources { first: Background<u64> = Background::after(1), Order }
    }
    schedule tick { think, begin; end }
}

/// The sum of the squares, by the threads of the pool that also runs the world.
fn sum_in_the_pool(loads: Vec<u64>) -> u64 {
    let pool = SHARED.get().expect("it is set");
    pool.install(|| rayon::join(|| loads.iter().map(|load| load * load).sum(), || ()).0)
}

#[system(Thinker, background(ticks = 1))]
fn think(loads: Query<&Load>, mut order: Accumulator<Order>) {
    order.add(sum_in_the_pool(loads.iter().map(|load| load.0).collect()) as u32);
}

#[system(Thinker)]
fn begin(loads: Query<&Load>, mut first: ResMut<Background<u64>>) {
    let loads = loads.iter().map(|load| load.0).collect();
    first.start(move |_| sum_in_the_pool(loads));
}

#[system(Thinker)]
fn end(mut first: ResMut<Background<u64>>, mut loads: Query<&mut Load>) {
    let Some(Ok(sum)) = first.poll() else { return };
    loads.iter_mut().next().expect("there is one").0 += sum % 7;
}

/// Each thread of the pool waits for a function that needs the pool.
#[test]
fn functions_in_the_background_use_the_pool_whose_threads_wait_for_them() {
    let (sender, ended) = std::sync::mpsc::channel();
    thread::spawn(move || {
        let shared = SHARED.get_or_init(|| pool(2));
        let world = || {
            let mut thinker = Thinker::default();
            thinker.spawn_batch((0..100).map(Load)).for_each(drop);
            (0..6).for_each(|_| thinker.tick());
            let loads: Vec<u64> = thinker.query::<&Load>().iter().map(|load| load.0).collect();
            (loads, thinker.resource::<Order>().clone())
        };
        let results = shared.broadcast(|_| world());
        sender.send(results).unwrap();
    });
    let results = ended.recv_timeout(Duration::from_secs(60)).expect("the threads wait for each other");
    assert_eq!(results[0], results[1]);
    assert_eq!(results[0].1.0.len(), 3, "a run begins in every other tick");
}

//! Work that takes longer than a tick: its result arrives in a declared tick, whatever happens to
//! the world in between.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

use ecs::background::Background;
use ecs::prelude::*;
use ecs::schedule::Parallelism;
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Value(u64);
/// The tick, and the ticks in which a result has arrived.
#[derive(Resource, Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
struct Arrived {
    tick: u32,
    results: Vec<(u32, Result<u64, String>)>,
}
/// The time that the function takes. It is no part of the state.
#[derive(Resource, Clone, Copy, Default)]
#[resource(skip)]
struct Slowness(Duration);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Game {
        components { Value }
        resources {
            sum: Background<u64> = Background::after(3),
            arrived: Arrived = Arrived::default(),
            slowness: Slowness = Slowness::default()
        }
    }
    schedule tick { grow, start if is_idle; collect }
}

#[system(Game)]
fn grow(value: &mut Value) {
    value.0 = value.0.wrapping_mul(31).wrapping_add(7);
}
#[system(Game)]
fn is_idle(sum: Res<Background<u64>>) -> bool {
    !sum.is_running()
}
#[system(Game)]
fn start(game: &mut Game) {
    let (snapshot, slowness) = (game.snapshot(), game.resource::<Slowness>().0);
    game.resource_mut::<Background<u64>>().start(move |_| {
        std::thread::sleep(slowness);
        snapshot.query::<&Value>().iter().fold(0, |sum, value| sum.wrapping_add(value.0))
    });
}
#[system(Game)]
fn collect(mut sum: ResMut<Background<u64>>, mut arrived: ResMut<Arrived>, mut commands: Commands<Game>) {
    arrived.tick += 1;
    if let Some(result) = sum.poll() {
        let tick = arrived.tick;
        arrived.results.push((tick, result.clone().map_err(|panicked| panicked.message)));
        commands.spawn(Value(result.unwrap_or(0)));
    }
}

fn game(milliseconds: u64) -> Game {
    let mut game = Game::new();
    game.resource_mut::<Slowness>().0 = Duration::from_millis(milliseconds);
    game.spawn_batch((0..100).map(Value));
    game
}

fn run(game: &mut Game, ticks: u32) {
    (0..ticks).for_each(|_| game.tick());
}

/// Acceptance row W60: a system that takes longer than a frame stalls nobody but itself.
#[test]
fn w60_a_function_that_takes_longer_than_a_tick_does_not_stall_the_ticks_before_its_result() {
    let barrier = Arc::new(Barrier::new(2));
    let mut game = Game::new();
    *game.resource_mut::<Background<u64>>() = Background::after(5);
    let own = barrier.clone();
    game.resource_mut::<Background<u64>>().start(move |_| {
        own.wait(); // until four ticks are over
        9
    });
    run(&mut game, 4);
    assert_eq!(game.resource::<Arrived>().results, []);
    barrier.wait();
    game.tick();
    assert_eq!(game.resource::<Arrived>().results, [(5, Ok(9))]);
}

#[test]
fn a_result_arrives_in_the_declared_tick_however_long_the_function_takes() {
    let mut hashes = Vec::new();
    for (milliseconds, parallelism) in
        [(0, Parallelism::Never), (5, Parallelism::Never), (0, Parallelism::Always), (5, Parallelism::Always)]
    {
        let mut game = game(milliseconds);
        game.set_parallelism(parallelism);
        run(&mut game, 10);
        let ticks: Vec<u32> = game.resource::<Arrived>().results.iter().map(|&(tick, _)| tick).collect();
        assert_eq!(ticks, [3, 6, 9]);
        hashes.push(game.hash());
    }
    assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{hashes:?}");
}

#[test]
fn copies_restores_and_loaded_worlds_get_the_same_results() {
    for begin in 0..6 {
        let mut first = game(2);
        run(&mut first, begin);
        let (mut copy, snapshot, mut file) = (first.clone(), first.snapshot(), Vec::new());
        first.save(&mut file).unwrap();
        run(&mut first, 7);
        let expected = (first.hash(), first.resource::<Arrived>().clone());
        let state = |game: &Game| (game.hash(), game.resource::<Arrived>().clone());

        run(&mut copy, 7);
        assert_eq!(state(&copy), expected, "the copy of tick {begin}");
        first.restore(&snapshot);
        run(&mut first, 7);
        assert_eq!(state(&first), expected, "the snapshot of tick {begin}");
        let mut loaded = Game::load(&file[..]).unwrap();
        run(&mut loaded, 7);
        assert_eq!(state(&loaded), expected, "the file of tick {begin}");
    }
}

#[test]
fn worlds_that_share_a_run_call_the_function_once() {
    let calls = Arc::new(AtomicU32::new(0));
    let mut first = Background::after(2);
    let own = calls.clone();
    first.start(move |_| own.fetch_add(1, Ordering::Relaxed));
    let mut second = first.clone();
    assert_eq!((first.poll(), second.poll()), (None, None));
    assert_eq!((first.poll(), second.poll()), (Some(Ok(0)), Some(Ok(0))));
    assert_eq!((first.poll(), first.is_running(), calls.load(Ordering::Relaxed)), (None, false, 1));
}

#[test]
fn a_panic_is_the_result_of_the_run() {
    let mut sum = Background::<u32>::after(1);
    sum.start(|_| std::panic::resume_unwind(Box::new("no path".to_owned())));
    let error = sum.poll().unwrap().unwrap_err();
    assert_eq!(error.to_string(), "a function in the background has panicked: no path");
    sum.start(|_| 5);
    assert_eq!(sum.poll(), Some(Ok(5)));
}

#[test]
fn the_function_is_told_when_no_world_wants_its_result() {
    let (told, heard) = mpsc::channel();
    let endless = |told: mpsc::Sender<&'static str>, name: &'static str| {
        move |cancelled: &ecs::background::Cancelled| {
            let begin = Instant::now();
            while !cancelled.is_cancelled() && begin.elapsed() < Duration::from_secs(60) {
                std::thread::yield_now();
            }
            if cancelled.is_cancelled() {
                told.send(name).unwrap();
            }
        }
    };
    let mut work = Background::after(1);
    work.start(endless(told.clone(), "replaced"));
    work.start(endless(told.clone(), "cancelled"));
    assert_eq!(heard.recv_timeout(Duration::from_secs(60)), Ok("replaced"));
    let copy = work.clone();
    work.cancel();
    assert_eq!(work.poll(), None);
    assert!(copy.is_running() && heard.try_recv().is_err(), "the copy still wants the result");
    drop(copy);
    assert_eq!(heard.recv_timeout(Duration::from_secs(60)), Ok("cancelled"));
}

#[test]
fn a_result_when_done_is_not_waited_for() {
    let barrier = Arc::new(Barrier::new(2));
    let mut work = Background::when_done();
    let own = barrier.clone();
    work.start(move |_| {
        own.wait();
        7
    });
    assert_eq!((0..100).map(|_| work.poll()).find(Option::is_some), None);
    barrier.wait();
    let begin = Instant::now();
    let result = std::iter::repeat_with(|| work.poll())
        .find(|result| result.is_some() || begin.elapsed().as_secs() > 60);
    assert_eq!(result, Some(Some(Ok(7))));
}

#[test]
fn a_saved_background_that_contradicts_itself_is_refused() {
    for text in
        [r#"{ "delay": 0, "run": null }"#, r#"{ "delay": 2, "run": { "left": 0, "result": { "Ok": 1 } } }"#]
    {
        let error = serde_json::from_str::<Background<u64>>(text).unwrap_err();
        assert!(error.to_string().contains("after no call of `poll`"), "{error}");
    }
    let mut read = serde_json::from_str::<Background<u64>>(
        r#"{ "delay": 2, "run": { "left": 1, "result": { "Ok": 1 } } }"#,
    )
    .unwrap();
    assert_eq!(read.poll(), Some(Ok(1)));
}

#[test]
fn a_result_whose_clone_panics_is_given_again() {
    #[derive(Debug)]
    struct Shy(Arc<AtomicU32>);
    impl Clone for Shy {
        fn clone(&self) -> Self {
            assert!(self.0.fetch_add(1, Ordering::Relaxed) > 0, "not yet");
            Self(self.0.clone())
        }
    }
    let mut work = Background::after(1);
    work.start(|_| Shy(Arc::new(AtomicU32::new(0))));
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work.poll().is_some())).is_err());
    assert!(work.poll().unwrap().is_ok());
}

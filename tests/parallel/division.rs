//! The division of entities among threads: by the time that they take, not by their number.

use std::collections::HashSet;
use std::sync::Mutex;
use std::thread::ThreadId;
use std::time::Duration;

use ecs::prelude::*;
use ecs::schedule::Parallelism;

#[derive(Component, Clone)]
struct Position(u64);

world! {
    #[derive(Clone)]
    struct Game { components { Position } }
}

fn game(len: u64) -> Game {
    let mut game = Game::new();
    game.spawn_batch((0..len).map(Position));
    game
}

/// The number of threads that visit the entities of the game, in a pool of four threads, if a visit
/// takes this time.
fn threads(game: &mut Game, time: Duration) -> usize {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
    let all: Mutex<HashSet<ThreadId>> = Mutex::default();
    pool.install(|| {
        game.query_mut::<&mut Position>().par_for_each(|position| {
            all.lock().unwrap().insert(std::thread::current().id());
            position.0 += 1;
            std::thread::sleep(time);
        });
    });
    all.into_inner().unwrap().len()
}

#[test]
fn a_thousand_expensive_entities_use_all_threads() {
    let mut game = game(1_000);
    assert_eq!(threads(&mut game, Duration::from_micros(100)), 4);
    let all: Vec<u64> = game.query::<&Position>().iter().map(|position| position.0).collect();
    assert_eq!(all, (1..=1_000).collect::<Vec<_>>());
}

#[test]
fn four_very_expensive_entities_use_all_threads() {
    assert_eq!(threads(&mut game(8), Duration::from_millis(30)), 4);
}

#[test]
fn parallelism_never_uses_one_thread() {
    let mut game = game(1_000);
    game.set_parallelism(Parallelism::Never);
    assert_eq!(threads(&mut game, Duration::from_micros(50)), 1);
    game.set_parallelism(Parallelism::Always);
    assert_eq!(threads(&mut game, Duration::from_micros(50)), 4);
}

#[test]
fn the_setting_holds_for_clones_and_after_a_restore() {
    let mut game = game(100);
    let time = Duration::from_millis(1);
    game.set_parallelism(Parallelism::Never);
    let snapshot = game.snapshot();
    assert_eq!(threads(&mut game.clone(), time), 1);
    game.restore(&snapshot);
    assert_eq!(threads(&mut game, time), 1);
    game.set_parallelism(Parallelism::Auto);
    game.restore(&snapshot);
    assert_eq!(threads(&mut game, time), 4);
}

//! Histories of programs that go wrong: values and functions that panic, runs that differ when they
//! are repeated, worlds that are replaced, branches of branches.

#![allow(elided_lifetimes_in_paths, reason = "systems are written as users write them")]

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};

use ecs::prelude::*;
use ecs_history::{Cause, FirstWhen, History, Limit};
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Count(u32);

/// Equal to no value, and panics when it is compared with 13; and when it is copied, while
/// `COPIES_PANIC`.
#[derive(Component, Debug, Serialize, Deserialize)]
struct Odd(u32);

thread_local! {
    static COPIES_PANIC: Cell<bool> = const { Cell::new(false) };
}

impl Clone for Odd {
    fn clone(&self) -> Self {
        assert!(!COPIES_PANIC.get(), "copied");
        Self(self.0)
    }
}

impl PartialEq for Odd {
    fn eq(&self, other: &Self) -> bool {
        assert!(self.0 != 13 && other.0 != 13, "compared");
        false
    }
}

#[derive(Resource, Clone, Default, Serialize, Deserialize)]
struct Turn(u32);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Game { components { Count, Odd } resources { Turn } }
    schedule tick { begin; count; undo; fail; never if at_the_end }
}

#[system(Game)]
fn begin(mut turn: ResMut<Turn>) {
    turn.0 += 1;
}
#[system(Game)]
fn count(count: &mut Count) {
    count.0 += 1;
}
#[system(Game)]
fn undo(all: Query<(Entity, &Count, &Odd)>, mut commands: Commands<Game>) {
    all.iter().for_each(|(entity, count, _)| commands.insert(entity, Count(count.0 - 1)));
}
#[system(Game)]
fn fail(turn: Res<Turn>) {
    assert!(turn.0 != 3, "the third turn");
    static TIMES: AtomicU32 = AtomicU32::new(0);
    assert!(turn.0 != 77 || TIMES.fetch_add(1, Ordering::Relaxed).is_multiple_of(2), "each second time");
}
#[system(Game)]
fn never() {}
#[system(Game)]
fn at_the_end(turn: Res<Turn>) -> bool {
    turn.0 > 1000
}

fn try_run(history: &mut History<Game>, game: &mut Game) -> bool {
    catch_unwind(AssertUnwindSafe(|| history.run(game, Game::tick))).is_ok()
}

/// Six runs, of which the third panics; the hashes before each, and at the end.
fn six_runs() -> (Game, Entity, History<Game>, Vec<u64>) {
    let mut game = Game::default();
    let hero = game.spawn(Count(0));
    let mut history = History::new(Limit::runs(100));
    let mut hashes = Vec::new();
    for run in 0..6 {
        hashes.push(game.hash());
        assert_eq!(try_run(&mut history, &mut game), run != 2);
    }
    hashes.push(game.hash());
    (game, hero, history, hashes)
}

#[test]
fn a_program_goes_on_after_a_run_that_has_panicked() {
    let (mut game, hero, mut history, hashes) = six_runs();
    for (run, hash) in hashes.iter().enumerate().rev() {
        history.go_to(&mut game, run as u64).unwrap();
        assert_eq!(game.hash(), *hash);
    }
    history.go_to(&mut game, 6).unwrap();
    let whole = history.changes::<Count>(&game, hero);
    assert!(whole.iter().all(|change| change.cause.to_string() == "count") && whole.len() == 6);
    assert_eq!(history.verify(&game, Game::hash).unwrap(), [0; 0]);

    // the same where states are missing
    history.thin(0, 100);
    assert_eq!(history.changes::<Count>(&game, hero), whole);
    for run in [5, 2, 3, 6, 4] {
        history.go_to(&mut game, run).unwrap();
        assert_eq!(game.hash(), hashes[run as usize], "before run {run}");
    }
    history.go_to(&mut game, 6).unwrap();
    let counted = |count| move |game: &Game| game.get::<Count>(hero) == Some(&Count(count));
    assert_eq!(history.first_when(&game, counted(4)), FirstWhen::After(3));
    assert_eq!(history.first_when(&game, counted(0)), FirstWhen::Before);
    assert_eq!(history.first_when(&game, counted(6)), FirstWhen::After(5));
    assert_eq!(history.first_when(&game, counted(7)), FirstWhen::Never);
}

#[test]
fn a_branch_of_a_branch_follows_its_own_run() {
    let (mut game, hero, mut history, _) = six_runs();
    history.go_to(&mut game, 5).unwrap();
    history.run(&mut game, Game::tick); // the branch 5..6 of the first line
    history.run(&mut game, Game::tick);
    let end = game.hash();
    history.go_to(&mut game, 4).unwrap();
    game.get_mut::<Count>(hero).unwrap().0 += 100;
    history.run(&mut game, Game::tick); // the branch 4..7 of the second line
    assert_eq!((history.branches()[0].runs(), history.branches()[1].runs()), (5..6, 4..7));
    let hash = game.hash();

    // run 4 is another one than that of the branch
    let error = history.switch_to(&mut game, 0).unwrap_err();
    assert_eq!(error.to_string(), "run 4 of the branch was given up: it is in another branch");
    assert_eq!((game.hash(), history.runs(), history.branches().len()), (hash, 0..5, 2));
    history.switch_to(&mut game, 1).unwrap();
    assert_eq!((game.hash(), history.runs()), (end, 0..7));
    history.switch_to(&mut game, 0).unwrap();
    assert_eq!(history.runs(), 0..6);
    assert_eq!(history.verify(&game, Game::hash).unwrap(), [0; 0]);
}

#[test]
fn a_branch_whose_first_states_are_gone_begins_later() {
    let (mut game, _, mut history, _) = six_runs();
    let limit = Limit::runs(4);
    let mut short = History::new(limit);
    std::mem::swap(&mut short, &mut history);
    let mut hashes = Vec::new();
    game.resource_mut::<Turn>().0 = 10;
    for _ in 0..4 {
        hashes.push(game.hash());
        history.run(&mut game, Game::tick);
    }
    let end = game.hash();
    history.thin(1, 100);
    history.go_to(&mut game, 1).unwrap();
    for _ in 0..4 {
        history.run(&mut game, Game::tick); // run 0 is forgotten
    }
    assert_eq!(history.runs(), 1..5);
    history.switch_to(&mut game, 0).unwrap();
    assert_eq!((history.runs(), game.hash()), (3..4, end));
    assert!(history.go_to(&mut game, 1).is_err());
    history.go_to(&mut game, 3).unwrap();
    assert_eq!(game.hash(), hashes[3]);
}

#[test]
fn a_function_that_panics_is_not_taken_for_the_run() {
    let mut game = Game::default();
    let hero = game.spawn((Count(0), Odd(1)));
    let mut history = History::new(Limit::runs(100));
    // a run that catches panics
    history.run(&mut game, |game: &mut Game| game.try_run(Game::tick).is_ok());
    // within a run only: the values before and after it are compared without a panic
    let picky = move |game: &Game| {
        let count = game.get::<Count>(hero).map_or(0, |count| count.0);
        assert!(count != 1, "looked at");
        (count, game.resource::<Turn>().0)
    };
    let asked = catch_unwind(AssertUnwindSafe(|| history.changes_of(&game, picky)));
    assert_eq!(asked.unwrap_err().downcast_ref(), Some(&"looked at"));
    assert!(catch_unwind(AssertUnwindSafe(|| history.first_when(&game, |_| panic!("no")))).is_err());
    // and afterwards all is as it was
    assert_eq!(history.changes::<Count>(&game, hero), []);
    assert!(history.changes::<Odd>(&game, hero).len() >= 4);
    game.get_mut::<Odd>(hero).unwrap().0 = 13;
    assert!(catch_unwind(AssertUnwindSafe(|| history.changes::<Odd>(&game, hero))).is_err());
    assert_eq!(history.runs(), 0..1);
}

#[test]
fn a_repetition_with_fewer_steps_leaves_the_position() {
    let mut game = Game::default();
    game.spawn(Count(0));
    let mut history = History::new(Limit::runs(100));
    // two times of two ticks, then of one
    let times = AtomicU32::new(0);
    history.run(&mut game, move |game: &mut Game| {
        game.tick();
        if times.fetch_add(1, Ordering::Relaxed) < 2 {
            game.resource_mut::<Turn>().0 = 10;
            game.tick();
        }
    });
    let mut inside = history.inside(&game, 0).unwrap();
    let steps = inside.steps().len();
    let before = inside.world().hash();
    assert_eq!(inside.go_to(steps), 0);
    assert_eq!((inside.position(), inside.world().hash()), (0, before));
    assert_eq!(inside.step().map(|step| step.system), Some("begin"));
}

#[test]
fn a_system_that_panics_each_second_time_is_named() {
    let mut game = Game::default();
    game.resource_mut::<Turn>().0 = 76;
    let mut history = History::new(Limit::runs(100));
    for _ in 0..2 {
        try_run(&mut history, &mut game);
        let error = history.verify(&game, Game::hash).unwrap_err();
        assert_eq!((error.run, error.step.map(|step| step.system)), (0, Some("fail")));
    }
}

#[test]
fn an_entity_that_comes_back_is_alive() {
    let (mut game, _, _, _) = six_runs();
    let mut history = History::new(Limit::runs(100));
    game.resource_mut::<Turn>().0 = 10;
    let late = game.spawn(Count(3));
    let with = game.snapshot();
    history.run(&mut game, Game::tick);
    game.despawn(late).unwrap();
    history.run(&mut game, Game::tick);
    assert_eq!(history.when_despawned(&game, late), Some((0, Cause::Outside)));
    game.restore(&with);
    history.run(&mut game, Game::tick);
    assert_eq!(history.when_despawned(&game, late), None, "it is alive");
    assert_eq!(history.when_spawned(&game, late), None, "it was there before");
}

#[test]
fn a_world_that_is_replaced_is_outside() {
    let (mut game, hero, mut history, _) = six_runs();
    // between two runs
    game.clear();
    game.shrink_to_fit();
    history.run(&mut game, Game::tick);
    let text = |history: &History<Game>, game: &Game| {
        let all = history.changes::<Count>(game, hero);
        all.into_iter().map(|change| format!("{} {}", change.run, change.cause)).collect::<Vec<_>>()
    };
    assert_eq!(text(&history, &game).last().unwrap(), "5 outside");
    // another world
    let mut other = Game::default();
    history.run(&mut other, Game::tick);
    history.go_to(&mut other, 2).unwrap();
    assert!(other.contains(hero));
    history.go_to(&mut other, 8).unwrap();
    // in a run
    history.run(&mut other, |game: &mut Game| {
        game.tick();
        *game = Game::default();
        game.spawn(Count(5));
        game.tick();
    });
    assert!(text(&history, &other).last().unwrap().ends_with("outside"));
    assert_eq!(history.verify(&other, Game::hash).unwrap(), [5, 6]);
    assert_eq!(history.inside(&other, 8).unwrap().steps().len(), 5);
}

#[test]
fn a_move_that_panics_is_made_again() {
    let mut game = Game::default();
    game.spawn((Count(0), Odd(1)));
    game.resource_mut::<Turn>().0 = 10;
    let mut history = History::new(Limit::runs(100));
    let change = |game: &mut Game| {
        game.query_mut::<&mut Odd>().for_each(|odd| odd.0 += 1);
        game.query_mut::<&mut Count>().for_each(|count| count.0 += 1);
    };
    let mut hashes = Vec::new();
    for run in 0..4 {
        hashes.push(game.hash());
        history.run(&mut game, change);
        if run == 1 {
            // a branch with one run
            history.back(&mut game);
            history.run(&mut game, |game: &mut Game| game.resource_mut::<Turn>().0 += 1);
            history.switch_to(&mut game, 0).unwrap();
        }
    }
    hashes.push(game.hash());
    let bytes = history.bytes();
    let fails = |history: &mut History<Game>, game: &mut Game, to: &dyn Fn(&mut History<Game>, &mut Game)| {
        COPIES_PANIC.set(true);
        let moved = catch_unwind(AssertUnwindSafe(|| to(history, game)));
        COPIES_PANIC.set(false);
        assert!(moved.is_err());
    };
    for run in [0, 4, 2, 4, 1, 3, 4] {
        fails(&mut history, &mut game, &|history, game| history.go_to(game, run).unwrap());
        history.go_to(&mut game, if run == 4 { 0 } else { 4 }).unwrap();
        history.go_to(&mut game, run).unwrap();
        assert_eq!(game.hash(), hashes[run as usize], "before run {run}");
    }
    fails(&mut history, &mut game, &|history, game| history.switch_to(game, 0).unwrap());
    assert_eq!((history.branches().len(), history.bytes(), history.runs()), (1, bytes, 0..4));
    history.go_to(&mut game, 0).unwrap();
    history.switch_to(&mut game, 0).unwrap();
    assert_eq!((history.branches().len(), history.runs()), (1, 0..2));
}

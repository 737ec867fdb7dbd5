//! Worlds that are replaced, swapped and cloned while their schedules run.

use std::mem::{replace, swap, take};
use std::sync::Mutex;

use ecs::prelude::*;
use ecs_tests::fuse::{blows_up, panic_message};

use super::ground::{Ledger, Token};

#[derive(Component, Clone)]
struct Held(#[allow(dead_code)] Token);
#[derive(Resource, Clone, Default)]
struct Action(Option<fn(&mut Game)>);
#[derive(Resource, Clone, Default)]
struct Mint(Ledger);
#[derive(Event, Clone)]
struct Note(#[allow(dead_code)] Token);

/// A counting local, which shows places that are dropped or exchanged.
#[derive(Clone, Default)]
struct Kept(Option<Token>);

world! {
    #[derive(Clone)]
    struct Game {
        components { Held }
        resources { Action, Mint }
        events { Note }
    }
    schedule tick { write; act; read; act_again }
}

world! {
    #[derive(Clone)]
    struct Other {
        components { Held }
    }
    schedule tick { touch; run_away }
}

#[system(Game)]
fn write(mut notes: EventWriter<Note>, mint: Res<Mint>, mut kept: Local<Kept>) {
    notes.send(Note(mint.0.token()));
    kept.0 = Some(mint.0.token());
}

#[system(Game)]
fn act(game: &mut Game, mut kept: Local<Kept>) {
    kept.0 = Some(game.resource::<Mint>().0.token());
    if let Some(action) = game.resource_mut::<Action>().0.take() {
        action(game);
    }
    assert!(kept.0.as_ref().is_some_and(|token| token.number() > 0));
}

#[system(Game)]
fn read(mut notes: EventReader<Note>, mut kept: Local<Kept>, mint: Res<Mint>) {
    assert!(notes.iter().all(|note| note.0.number() > 0));
    kept.0 = Some(mint.0.token());
}

#[system(Game)]
fn act_again(game: &mut Game, mut runs: Local<u64>) {
    *runs += 1;
    assert!(game.entities().len() < usize::MAX);
}

#[system(Other)]
fn touch(held: Query<&Held>, mut count: Local<usize>) {
    *count += held.len();
}

#[system(Other)]
fn run_away(_other: &mut Other, mut count: Local<String>) {
    count.push('x');
}

fn game(ledger: &Ledger, action: fn(&mut Game)) -> Game {
    let mut game = Game::new(Action(None), Mint(ledger.clone()));
    game.spawn_batch((0..100).map(|_| Held(ledger.token())));
    game.tick();
    game.resource_mut::<Action>().0 = Some(action);
    game
}

fn finish(mut game: Game, ledger: &Ledger) {
    for _ in 0..3 {
        game.tick();
        let ledger = game.resource::<Mint>().0.clone();
        game.spawn(Held(ledger.token()));
    }
    assert_eq!(game.query::<&Held>().iter().count(), game.query::<&Held>().len());
    drop(game);
    ledger.assert_settled();
}

#[test]
fn a_world_is_replaced_by_a_new_one() {
    let ledger = Ledger::new();
    let mut game = game(&ledger, |game| {
        let ledger = game.resource::<Mint>().0.clone();
        *game = Game::new(Action(None), Mint(ledger));
    });
    game.tick();
    assert_eq!(game.entities().len(), 0);
    finish(game, &ledger);
}

#[test]
fn a_world_is_replaced_by_an_older_clone() {
    let ledger = Ledger::new();
    let mut game = game(&ledger, |game| {
        let copy = game.clone();
        game.clear();
        *game = copy;
    });
    game.tick();
    assert_eq!(game.entities().len(), 100);
    finish(game, &ledger);
}

#[test]
fn a_world_is_replaced_and_the_system_panics() {
    let ledger = Ledger::new();
    let mut game = game(&ledger, |game| {
        let ledger = game.resource::<Mint>().0.clone();
        *game = Game::new(Action(None), Mint(ledger));
        panic!("after the replacement");
    });
    assert!(blows_up(u32::MAX, || game.tick()));
    finish(game, &ledger);
}

#[test]
fn a_new_world_in_place_of_one_that_runs_may_run_itself() {
    let ledger = Ledger::new();
    let mut game = game(&ledger, |game| {
        let ledger = game.resource::<Mint>().0.clone();
        let old = replace(game, Game::new(Action(None), Mint(ledger)));
        game.tick();
        game.tick();
        drop(old);
    });
    game.tick();
    finish(game, &ledger);
}

#[test]
fn a_world_that_runs_is_swapped_with_one_that_runs_too() {
    static FIRST: Mutex<Option<Game>> = Mutex::new(None);
    let ledger = Ledger::new();
    let mut second = game(&ledger, |inner| {
        if let Some(first) = FIRST.lock().unwrap().as_mut() {
            swap(inner, first);
        }
    });
    let mut first = game(&ledger, |outer| *FIRST.lock().unwrap() = Some(take(outer)));
    first.tick();
    second.tick();
    let stashed = FIRST.lock().unwrap().take().unwrap();
    for mut world in [first, second, stashed] {
        let _ = blows_up(u32::MAX, || world.tick());
        assert_eq!(world.query::<&Held>().iter().count(), world.entities().len());
    }
    ledger.assert_settled();
}

#[test]
fn a_world_cannot_run_within_itself_however_it_tries() {
    let ledger = Ledger::new();
    let mut game = game(&ledger, |game| {
        assert!(panic_message(|| game.tick()).contains("`tick`"));
        assert!(panic_message(|| game.tick()).contains("`tick`"));
        game.run::<act>();
        game.run::<read>();
        game.clear();
    });
    game.tick();
    finish(game, &ledger);
}

#[test]
fn places_are_swapped_between_worlds() {
    let ledger = Ledger::new();
    let mut one = game(&ledger, |_| {});
    let mut two = game(&ledger, |_| {});
    swap(&mut one.__schedule_states, &mut two.__schedule_states);
    one.tick();
    two.tick();
    swap(&mut one.note, &mut two.note);
    one.tick();
    finish(one, &Ledger::new());
    finish(two, &ledger);
}

#[test]
fn places_of_another_world_type_are_refused_by_type() {
    let ledger = Ledger::new();
    let mut game = game(&ledger, |_| {});
    let mut other = Other::new();
    swap(&mut game.__schedule_states, &mut other.__schedule_states);
    assert!(blows_up(u32::MAX, || game.tick()));
    assert!(blows_up(u32::MAX, || other.tick()));
    swap(&mut game.__schedule_states, &mut other.__schedule_states);
    other.tick();
    finish(game, &ledger);
}

#[test]
fn places_are_thrown_away_while_an_exclusive_system_runs() {
    let ledger = Ledger::new();
    let mut game = game(&ledger, |game| {
        drop(take(&mut game.__schedule_states));
    });
    assert!(blows_up(u32::MAX, || game.tick()));
    assert_eq!(game.query::<&Held>().len(), 100);
    drop(game);
    ledger.assert_settled();
}

#[test]
fn event_queues_are_replaced_under_their_readers() {
    let ledger = Ledger::new();
    let mut game = game(&ledger, |_| {});
    for _ in 0..5 {
        game.tick();
        game.note = Default::default();
        game.send(Note(ledger.token()));
        game.tick();
    }
    drop(game);
    ledger.assert_settled();
}

//! Run-time schedules that are changed while they run, exchanged between worlds, and stopped by
//! panics.

use std::mem::{replace, swap, take};
use std::sync::{Arc, Mutex};

use ecs::prelude::*;
use ecs::schedule::Parallelism;
use ecs_tests::fuse::{blows_up, burn, panic_message};

use super::ground::{Ledger, Token};

#[derive(Component, Clone)]
struct Held(#[allow(dead_code)] Token);
#[derive(Resource, Clone, Default)]
struct Mint(Ledger);
#[derive(Event, Clone)]
struct Note(#[allow(dead_code)] Token);

world! {
    #[derive(Clone)]
    struct Game {
        components { Held }
        resources { Mint }
        events { Note(external) }
    }
    schedule tick { write; read }
}

world! {
    #[derive(Clone)]
    struct Other { components { Held } }
    schedule tick { touch }
}

#[system(Other)]
fn touch(held: Query<&Held>, mut count: Local<usize>) {
    *count += held.len();
}

/// A counted local.
#[derive(Clone, Default)]
struct Kept(Option<Token>);

#[system(Game)]
fn write(mut notes: EventWriter<Note>, mint: Res<Mint>, mut kept: Local<Kept>) {
    notes.send(Note(mint.0.token()));
    kept.0 = Some(mint.0.token());
}

#[system(Game)]
fn read(mut notes: EventReader<Note>, mut kept: Local<Kept>, mint: Res<Mint>) {
    assert!(notes.iter().all(|note| note.0.number() > 0));
    kept.0 = Some(mint.0.token());
}

#[system(Game)]
fn spawn(mut commands: Commands<Game>, mint: Res<Mint>, all: Query<Entity, With<Held>>) {
    for _ in 0..3 {
        commands.spawn(Held(mint.0.token()));
    }
    if let Some(first) = all.iter().next() {
        commands.despawn(first);
    }
}

#[system(Game)]
fn fuse(_: Query<&Held>) {
    burn("a system");
}

fn game(ledger: &Ledger) -> (Game, Schedule<Game>) {
    let mut game = Game::new(Mint(ledger.clone()));
    game.spawn_batch((0..100).map(|_| Held(ledger.token())));
    let mut schedule = Schedule::new("frame");
    let token = ledger.token();
    schedule.add::<write>(&mut game, 0).unwrap();
    schedule
        .add_fn(&mut game, "captures", 1, move |_: Query<&mut Held>| assert!(token.number() > 0))
        .unwrap();
    schedule.add::<spawn>(&mut game, 2).unwrap();
    schedule.add_exclusive(&mut game, "middle", 3, |_: &mut Game| {}).unwrap();
    schedule.add::<read>(&mut game, 4).unwrap();
    schedule.add_again::<spawn>(&mut game, 5).unwrap();
    schedule.run(&mut game).unwrap();
    (game, schedule)
}

/// Replaces the exclusive system.
fn act(game: &mut Game, schedule: &mut Schedule<Game>, action: fn(&mut Game)) {
    schedule.remove_named(game, "middle");
    schedule.add_exclusive(game, "middle", 3, action).unwrap();
}

fn finish(mut game: Game, mut schedule: Schedule<Game>, ledger: &Ledger) {
    for _ in 0..3 {
        schedule.run(&mut game).unwrap();
        game.tick();
        assert_eq!(game.query::<&Held>().iter().count(), game.query::<&Held>().len());
    }
    schedule.close(&mut game);
    assert_eq!(game.stats().events[0].readers.len(), 1);
    drop(game);
    ledger.assert_settled();
}

#[test]
fn a_schedule_that_is_dropped_leaves_a_sound_world() {
    let ledger = Ledger::new();
    let (mut game, schedule) = game(&ledger);
    drop(schedule);
    for round in 0..20 {
        let mut next = Schedule::new("next");
        next.add::<spawn>(&mut game, 0).unwrap();
        next.add::<read>(&mut game, 0).unwrap();
        next.run(&mut game).unwrap();
        game.tick();
        assert_eq!(game.query::<&Held>().iter().count(), game.query::<&Held>().len(), "round {round}");
    }
    drop(game);
    ledger.assert_settled();
}

#[test]
fn a_schedule_outlives_its_world() {
    let ledger = Ledger::new();
    let (game, mut schedule) = game(&ledger);
    drop(game);
    let mut new = Game::new(Mint(ledger.clone()));
    assert!(blows_up(u32::MAX, || schedule.run(&mut new)));
    assert!(blows_up(u32::MAX, || schedule.clear(&mut new)));
    assert!(schedule.add::<fuse>(&mut new, 0).is_err());
    drop((schedule, new));
    ledger.assert_settled();
}

#[test]
fn a_change_replaces_the_schedule_that_is_running() {
    let ledger = Ledger::new();
    let (mut game, mut schedule) = game(&ledger);
    act(&mut game, &mut schedule, |game| {
        game.edit_schedule("frame", |schedule, game| {
            let old = replace(schedule, Schedule::new("frame"));
            schedule.add::<spawn>(game, 0).unwrap();
            schedule.add::<read>(game, 1).unwrap();
            drop(old);
        });
    });
    schedule.run(&mut game).unwrap();
    assert_eq!(schedule.len(), 2);
    schedule.clear(&mut game);
    drop(schedule);
    drop(game);
    ledger.assert_settled();
}

#[test]
fn a_schedule_that_is_moved_away_while_it_runs_continues_later() {
    static AWAY: Mutex<Option<Schedule<Game>>> = Mutex::new(None);
    let ledger = Ledger::new();
    let (mut game, mut schedule) = game(&ledger);
    act(&mut game, &mut schedule, |game| {
        game.edit_schedule("frame", |schedule, game| {
            let mut old = replace(schedule, Schedule::new("frame"));
            assert!(panic_message(|| old.run(game)).contains("called from inside itself"));
            *AWAY.lock().unwrap() = Some(old);
        });
    });
    schedule.run(&mut game).unwrap();
    assert!(schedule.is_empty());
    let mut schedule = AWAY.lock().unwrap().take().unwrap();
    act(&mut game, &mut schedule, |_| {});
    finish(game, schedule, &ledger);
}

#[test]
fn a_change_runs_copies_and_other_schedules_but_not_the_same() {
    let ledger = Ledger::new();
    let (mut game, mut schedule) = game(&ledger);
    act(&mut game, &mut schedule, |game| {
        game.edit_schedule("frame", |schedule, game| {
            assert!(panic_message(|| schedule.run(game)).contains("called from inside itself"));
            let mut other = Schedule::new("other");
            other.add::<read>(game, 0).unwrap();
            other.add::<spawn>(game, 0).unwrap();
            other.run(game).unwrap();
            other.close(game);
            let (mut copy, mut copied) = (schedule.clone(), game.clone());
            copy.remove_named(&mut copied, "middle");
            copy.run(&mut copied).unwrap();
            game.tick();
            assert!(blows_up(u32::MAX, || copy.run(game)));
        });
    });
    schedule.run(&mut game).unwrap();
    act(&mut game, &mut schedule, |_| {});
    finish(game, schedule, &ledger);
}

#[test]
fn a_copy_that_runs_with_the_world_shuts_the_running_one_out() {
    let ledger = Ledger::new();
    let (mut game, mut schedule) = game(&ledger);
    act(&mut game, &mut schedule, |game| {
        game.edit_schedule("frame", |schedule, game| {
            let mut copy = schedule.clone();
            copy.remove_named(game, "middle");
            copy.run(game).unwrap();
        });
    });
    assert!(panic_message(|| schedule.run(&mut game)).contains("was replaced while schedule `frame`"));
    drop((game, schedule));
    ledger.assert_settled();
}

#[test]
fn changes_remove_and_add_in_any_order_and_request_further_changes() {
    let ledger = Ledger::new();
    let (mut game, mut schedule) = game(&ledger);
    act(&mut game, &mut schedule, |game| {
        for _ in 0..3 {
            game.edit_schedule("frame", |schedule, game| {
                schedule.remove::<spawn>(game);
                schedule.remove::<read>(game);
                schedule.add::<spawn>(game, 9).unwrap(); // replaces a system that is still in the plan
                schedule.add::<read>(game, 9).unwrap();
                schedule.add_again::<spawn>(game, -9).unwrap();
                game.edit_schedule("frame", |schedule, game| {
                    schedule.sort();
                    schedule.remove_named(game, "middle");
                    schedule.clear(game);
                    schedule.add::<write>(game, 0).unwrap();
                    game.edit_schedule("frame", |schedule, _| {
                        schedule.add_flush(0);
                        schedule.flush_between(true);
                        schedule.set_parallelism(Parallelism::Always);
                        schedule.time_systems(true);
                    });
                });
            });
        }
    });
    for _ in 0..4 {
        schedule.run(&mut game).unwrap();
    }
    assert_eq!(schedule.len(), 1);
    drop(schedule);
    drop(game);
    ledger.assert_settled();
}

#[test]
fn panics_in_changes_and_systems_leave_both_usable() {
    let ledger = Ledger::new();
    let (mut game, mut schedule) = game(&ledger);
    schedule.add::<fuse>(&mut game, 2).unwrap();
    for spread in [Parallelism::Never, Parallelism::Always] {
        schedule.set_parallelism(spread);
        act(&mut game, &mut schedule, |game| {
            game.edit_schedule("frame", |schedule, game| {
                schedule.remove::<read>(game);
                schedule.add::<read>(game, 4).unwrap();
                panic!("in a change");
            });
            game.edit_schedule("frame", |_, game| assert!(!game.query::<&Held>().is_empty()));
        });
        assert!(blows_up(u32::MAX, || schedule.run(&mut game)));
        act(&mut game, &mut schedule, |_| {});
        schedule.run(&mut game).unwrap();
        assert!(blows_up(1, || schedule.run(&mut game)));
        schedule.run(&mut game).unwrap();
    }
    finish(game, schedule, &ledger);
}

#[test]
fn a_system_puts_another_world_in_place_of_its_own() {
    let ledger = Ledger::new();
    for action in [
        |game: &mut Game| {
            let ledger = game.resource::<Mint>().0.clone();
            *game = Game::new(Mint(ledger));
        },
        |game: &mut Game| drop(take(&mut game.__schedule_states)),
        |game: &mut Game| {
            let ledger = game.resource::<Mint>().0.clone();
            let mut other = Game::new(Mint(ledger));
            let mut schedule = Schedule::new("frame");
            schedule.add::<read>(&mut other, 0).unwrap();
            swap(game, &mut other);
        },
    ] {
        let (mut game, mut schedule) = game(&ledger);
        act(&mut game, &mut schedule, action);
        assert!(panic_message(|| schedule.run(&mut game)).contains("was replaced while schedule `frame`"));
        assert!(blows_up(u32::MAX, || schedule.run(&mut game)));
        drop((game, schedule));
    }
    ledger.assert_settled();
}

#[test]
fn a_command_puts_another_world_in_place_of_its_own() {
    let ledger = Ledger::new();
    let (mut game, mut schedule) = game(&ledger);
    schedule
        .add_fn(&mut game, "replace", 2, |mut commands: Commands<Game>| {
            commands.run(|game| {
                let ledger = game.resource::<Mint>().0.clone();
                *game = Game::new(Mint(ledger));
            });
        })
        .unwrap();
    assert!(panic_message(|| schedule.run(&mut game)).contains("was replaced while schedule `frame`"));
    game.spawn_batch((0..500).map(|_| Held(ledger.token())));
    game.tick();
    drop((game, schedule));
    ledger.assert_settled();
}

#[test]
fn a_copy_of_the_world_in_its_place_from_the_same_run_is_as_good() {
    let ledger = Ledger::new();
    let (mut game, mut schedule) = game(&ledger);
    act(&mut game, &mut schedule, |game| *game = game.clone());
    schedule.run(&mut game).unwrap();
    finish(game, schedule, &ledger);
}

#[test]
fn places_are_swapped_between_worlds_and_world_types() {
    let ledger = Ledger::new();
    let (mut one, mut first) = game(&ledger);
    let (mut two, mut second) = game(&ledger);
    swap(&mut one.__schedule_states, &mut two.__schedule_states);
    for _ in 0..3 {
        // the swap has moved the tokens, so that reserved slots and readers' cursors belong to
        // another world
        let _ = blows_up(u32::MAX, || first.run(&mut two));
        let _ = blows_up(u32::MAX, || second.run(&mut one));
        for world in [&one, &two] {
            assert_eq!(world.query::<&Held>().iter().count(), world.query::<&Held>().len());
        }
    }
    let mut other = Other::new();
    one.edit_schedule("frame", |schedule, game| schedule.clear(game));
    swap(&mut one.__schedule_states, &mut other.__schedule_states);
    let mut foreign = Schedule::<Other>::new("frame");
    foreign.run(&mut other).unwrap();
    assert!(blows_up(u32::MAX, || first.run(&mut one)));
    drop((one, two, first, second, foreign, other));
    ledger.assert_settled();
}

#[test]
fn event_queues_are_replaced_under_their_readers() {
    let ledger = Ledger::new();
    let (mut game, mut schedule) = game(&ledger);
    for _ in 0..5 {
        game.note = Default::default();
        schedule.run(&mut game).unwrap();
        game.send(Note(ledger.token()));
    }
    schedule.clear(&mut game);
    drop((game, schedule));
    ledger.assert_settled();
}

/// A component with a schedule, and a schedule with a closure that owns another schedule.
#[test]
fn schedules_nest_in_closures_and_in_worlds() {
    #[derive(Component, Clone)]
    struct Inner(Option<Box<Schedule<Nest>>>);
    #[derive(Resource, Clone, Default)]
    struct Depth(u32);
    world! {
        #[derive(Clone)]
        struct Nest { components { Inner } resources { Depth } }
    }
    let mut nest = Nest::new(Depth(0));
    let mut schedule = Schedule::<Nest>::new("0");
    schedule.add_fn(&mut nest, "deepest", 0, |mut depth: ResMut<Depth>| depth.0 += 1).unwrap();
    for name in ["1", "2", "3"] {
        let mut inner = schedule;
        schedule = Schedule::new(name);
        schedule.add_exclusive(&mut nest, "run", 0, move |nest: &mut Nest| inner.run(nest)).unwrap();
    }
    for depth in 1..4 {
        schedule.run(&mut nest).unwrap();
        assert_eq!(nest.resource::<Depth>().0, depth);
    }
    let id = nest.spawn(Inner(Some(Box::new(schedule))));
    let copy = nest.clone();
    for mut nest in [nest, copy] {
        let mut schedule = nest.get_mut::<Inner>(id).unwrap().0.take().unwrap();
        schedule.run(&mut nest).unwrap();
        nest.get_mut::<Inner>(id).unwrap().0 = Some(schedule);
        assert_eq!(nest.resource::<Depth>().0, 4);
    }
}

#[test]
fn drops_of_closures_and_locals_panic() {
    #[derive(Clone)]
    struct Bomb(#[allow(dead_code)] Token);
    impl Drop for Bomb {
        fn drop(&mut self) {
            burn("a drop");
        }
    }
    let ledger = Ledger::new();
    for at in 1..4 {
        let (mut game, mut schedule) = game(&ledger);
        for name in ["a", "b", "c"] {
            let bomb = Bomb(ledger.token());
            let reader = move |notes: EventReader<Note>, _: Commands<Game>| {
                let _ = (&bomb, notes.len());
            };
            schedule.add_fn(&mut game, name, 7, reader).unwrap();
        }
        schedule.run(&mut game).unwrap();
        assert!(blows_up(at, || schedule.clear(&mut game)));
        assert!(schedule.is_empty());
        assert_eq!(game.stats().events[0].readers.len(), 1);
        schedule.add::<spawn>(&mut game, 0).unwrap();
        finish(game, schedule, &ledger);
    }
}

#[test]
fn one_closure_stands_at_many_places() {
    let ledger = Ledger::new();
    let (mut game, mut schedule) = game(&ledger);
    let shared = Arc::new(Mutex::new(Vec::new()));
    let log = shared.clone();
    let body = move |mut runs: Local<u32>, _: Res<Mint>| {
        *runs += 1;
        log.lock().unwrap().push(*runs);
    };
    for name in ["a", "b", "c", "d"] {
        schedule.add_fn(&mut game, name, 9, body.clone()).unwrap();
    }
    schedule.set_parallelism(Parallelism::Always);
    schedule.run(&mut game).unwrap();
    schedule.remove_named(&mut game, "b");
    schedule.add_fn(&mut game, "e", 9, body).unwrap();
    schedule.run(&mut game).unwrap();
    let mut seen = take(&mut *shared.lock().unwrap());
    seen[4..].sort_unstable();
    assert_eq!(seen, [1, 1, 1, 1, 1, 2, 2, 2]);
    finish(game, schedule, &ledger);
}

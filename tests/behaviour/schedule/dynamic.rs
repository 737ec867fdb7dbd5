//! Schedules that are built at run time: ordered by key, changed while they run, closures with
//! their parameters checked.

use std::cmp::Reverse;

use ecs::error::ScheduleError;
use ecs::prelude::*;
use ecs::schedule::Parallelism;
use ecs_tests::fuse::{blows_up, panic_message};
use ecs_tests::{Ledger, Token};

#[derive(Component, Clone, PartialEq, Debug)]
struct Position(i32);
#[derive(Component, Clone, PartialEq, Debug)]
struct Velocity(i32);
#[derive(Component, Clone, PartialEq, Debug)]
struct Frozen;
#[derive(Resource, Default, Clone, Debug)]
struct Log(Vec<&'static str>);
#[derive(Resource, Default, Clone, Debug)]
struct Counts(Vec<usize>);
#[derive(Event, Clone)]
struct Note(u32);
#[derive(Event, Clone)]
struct Held(#[allow(dead_code)] Token);

world! {
    #[derive(Clone)]
    struct Game {
        components { Position, Velocity, Frozen }
        resources { Log, Counts }
        events { Note(external), Held(external) }
    }
    schedule tick { notes }
}

#[system(Game)]
fn notes(mut notes: EventReader<Note>) {
    notes.clear();
}

macro_rules! writers {
    ($($name:ident)*) => {$(
        #[system(Game)]
        fn $name(mut log: ResMut<Log>) {
            log.0.push(stringify!($name));
        }
    )*};
}
writers!(first second third fourth);

#[system]
fn generic<T: Component>(all: Query<&T>, mut counts: ResMut<Counts>) {
    counts.0.push(all.len());
}

#[system(Game)]
fn fail(mut runs: Local<u32>, mut commands: Commands<Game>) -> Result<(), String> {
    *runs += 1;
    commands.spawn(Position(7));
    if *runs == 2 { Err("the second run".into()) } else { Ok(()) }
}

#[system(Game)]
fn movement(position: &mut Position, velocity: &Velocity, _: Without<Frozen>) {
    position.0 += velocity.0;
}

#[system(Game)]
fn count_notes(mut notes: EventReader<Note>, mut counts: ResMut<Counts>) {
    counts.0.push(notes.iter().count());
}

fn take(game: &mut Game) -> Vec<&'static str> {
    std::mem::take(&mut game.resource_mut::<Log>().0)
}

fn counts(game: &mut Game) -> Vec<usize> {
    std::mem::take(&mut game.resource_mut::<Counts>().0)
}

fn names(schedule: &Schedule<Game>) -> Vec<&'static str> {
    schedule.iter().map(|(name, _)| name).collect()
}

#[test]
fn systems_run_in_the_order_of_their_keys_and_then_of_adding() {
    let mut game = Game::default();
    let mut schedule = Schedule::new("s");
    schedule.add::<third>(&mut game, 5).unwrap();
    schedule.add::<second>(&mut game, -5).unwrap();
    schedule.add::<fourth>(&mut game, 5).unwrap();
    schedule.add::<first>(&mut game, i64::MIN).unwrap();
    schedule.run(&mut game).unwrap();
    assert_eq!(take(&mut game), ["first", "second", "third", "fourth"]);
    assert_eq!(schedule.iter().map(|(_, key)| key).collect::<Vec<_>>(), [i64::MIN, -5, 5, 5]);
    assert_eq!((schedule.len(), schedule.is_empty(), schedule.name()), (4, false, "s"));
}

#[test]
fn a_set_key_takes_effect_at_sort_or_with_the_next_add() {
    let mut game = Game::default();
    let mut schedule = Schedule::new("s");
    for (n, add) in
        [Schedule::add::<first>, Schedule::add::<second>, Schedule::add::<third>].iter().enumerate()
    {
        add(&mut schedule, &mut game, n as i64).unwrap();
    }
    assert_eq!(schedule.set_key::<first>(9), 1);
    assert_eq!((schedule.key::<first>(), names(&schedule)[0]), (Some(9), "first"));
    schedule.run(&mut game).unwrap();
    assert_eq!(take(&mut game), ["first", "second", "third"]);
    schedule.sort();
    schedule.run(&mut game).unwrap();
    assert_eq!(take(&mut game), ["second", "third", "first"]);
    schedule.set_key::<third>(-1);
    schedule.add::<fourth>(&mut game, 9).unwrap();
    assert_eq!(names(&schedule), ["third", "second", "first", "fourth"]);
    schedule.set_key_named("fourth", 2);
    schedule.set_key::<first>(1);
    schedule.sort();
    assert_eq!(names(&schedule), ["third", "first", "second", "fourth"], "ties are in the order of adding");
}

#[test]
fn keys_can_descend() {
    let mut priorities = [("low", -3), ("high", 8), ("middle", 0)];
    let mut game = Game::default();
    let mut schedule = Schedule::new("s");
    for (name, priority) in priorities {
        schedule.add_fn(&mut game, name, -priority, move |mut log: ResMut<Log>| log.0.push(name)).unwrap();
    }
    schedule.run(&mut game).unwrap();
    priorities.sort_by_key(|&(_, priority)| Reverse(priority));
    assert_eq!(take(&mut game), priorities.map(|(name, _)| name));
}

#[test]
fn a_system_is_added_twice_only_if_that_is_meant() {
    let mut game = Game::default();
    let mut schedule = Schedule::new("frame");
    schedule.add::<first>(&mut game, 0).unwrap();
    let error = schedule.add::<first>(&mut game, 1).unwrap_err();
    assert_eq!(error, ScheduleError::Present { system: "first", schedule: "frame", world: "Game" });
    assert_eq!(
        error.to_string(),
        "system `first` is already in schedule `frame` of world `Game`; `add_again` adds it once more"
    );
    assert!(schedule.add_fn(&mut game, "first", 0, || {}).is_err());
    assert!(schedule.add_exclusive(&mut game, "first", 0, |_: &mut Game| {}).is_err());
    schedule.add_again::<first>(&mut game, 3).unwrap();
    schedule.add::<generic<Position>>(&mut game, 0).unwrap();
    schedule.add::<generic<Velocity>>(&mut game, 0).unwrap();
    assert_eq!(schedule.len(), 4);
    schedule.run(&mut game).unwrap();
    assert_eq!(take(&mut game), ["first", "first"]);
    assert_eq!(schedule.remove::<first>(&mut game), 2);
    assert_eq!(schedule.remove_named(&mut game, "generic"), 2);
    assert!(schedule.is_empty() && !schedule.has::<first>());
}

#[test]
fn systems_are_switched_off_and_removed_between_runs() {
    let mut game = Game::default();
    let mut schedule = Schedule::new("s");
    schedule.add::<first>(&mut game, 0).unwrap();
    schedule.add::<second>(&mut game, 0).unwrap();
    assert_eq!(schedule.enable::<first>(false), 1);
    assert!(!schedule.is_enabled::<first>() && schedule.is_enabled_named("second"));
    schedule.run(&mut game).unwrap();
    assert_eq!(take(&mut game), ["second"]);
    schedule.enable_named("first", true);
    schedule.add::<third>(&mut game, -1).unwrap();
    schedule.run(&mut game).unwrap();
    assert_eq!(take(&mut game), ["third", "first", "second"]);
    assert_eq!((schedule.remove::<first>(&mut game), schedule.remove::<first>(&mut game)), (1, 0));
    schedule.run(&mut game).unwrap();
    assert_eq!(take(&mut game), ["third", "second"]);
    schedule.clear(&mut game);
    schedule.run(&mut game).unwrap();
    assert!(take(&mut game).is_empty());
}

#[test]
fn a_failing_system_stops_the_run_and_its_commands_are_dropped() {
    let mut game = Game::default();
    let mut schedule = Schedule::new("frame");
    schedule.add::<fail>(&mut game, 1).unwrap();
    schedule.add::<first>(&mut game, 2).unwrap();
    schedule.add_fn(&mut game, "closure", 3, || Err::<(), _>("always")).unwrap();
    schedule.enable_named("closure", false);
    schedule.run(&mut game).unwrap();
    let error = schedule.run(&mut game).unwrap_err();
    assert_eq!(error.to_string(), "system `fail` of schedule `frame` of world `Game` failed: the second run");
    assert_eq!((take(&mut game), game.query::<&Position>().len()), (vec!["first"], 1));
    schedule.run(&mut game).unwrap();
    assert_eq!(game.query::<&Position>().len(), 2);
    schedule.enable_named("closure", true);
    assert_eq!(schedule.run(&mut game).unwrap_err().system, "closure");
}

#[test]
fn a_panic_names_system_schedule_and_world() {
    let mut game = Game::default();
    let mut schedule = Schedule::new("frame");
    schedule.add_fn(&mut game, "boom", 0, |log: Res<Log>| assert!(!log.0.is_empty(), "nothing")).unwrap();
    let message = panic_message(|| schedule.run(&mut game));
    assert_eq!(message, "system `boom` of schedule `frame` of world `Game` panicked: nothing");
    game.resource_mut::<Log>().0.push("x");
    schedule.run(&mut game).unwrap();
}

#[test]
fn closures_take_up_to_eight_parameters() {
    let mut game = Game::default();
    let ball = game.spawn((Position(1), Velocity(2)));
    let mut schedule = Schedule::new("s");
    schedule
        .add_fn(
            &mut game,
            "all",
            0,
            |mut moving: Query<(&mut Position, &Velocity), Without<Frozen>>,
             frozen: Query<Entity, With<Frozen>>,
             mut log: ResMut<Log>,
             counts: Res<Counts>,
             mut sent: EventWriter<Held>,
             mut read: EventReader<Note>,
             mut runs: Local<i32>,
             mut commands: Commands<Game>| {
                *runs += 1;
                for (position, velocity) in &mut moving {
                    position.0 += velocity.0 * *runs;
                }
                assert!(frozen.is_empty() && counts.0.is_empty() && read.is_empty());
                read.clear();
                sent.extend([]);
                log.0.push("all");
                commands.spawn(Position(*runs));
            },
        )
        .unwrap();
    schedule.add_fn(&mut game, "none", 0, || {}).unwrap();
    schedule.add_fn(&mut game, "storage", 0, |frozen: Storage<Frozen>| _ = frozen.len()).unwrap();
    let factor = 10;
    schedule
        .add_fn(&mut game, "captures", 1, move |mut all: Query<&mut Position>| {
            all.for_each(|position| position.0 *= factor)
        })
        .unwrap();
    schedule.run(&mut game).unwrap();
    assert_eq!(game.get(ball), Some(&Position(30)));
    schedule.run(&mut game).unwrap();
    assert_eq!((game.get(ball), game.query::<&Position>().len()), (Some(&Position(340)), 3));
    assert_eq!(take(&mut game), ["all", "all"]);
}

#[test]
fn a_function_is_a_closure() {
    fn freeze(mut frozen: Storage<Frozen>, all: Query<Entity, With<Position>>) {
        all.iter().for_each(|entity| _ = frozen.insert(entity, Frozen).unwrap());
    }
    let mut game = Game::default();
    game.spawn(Position(0));
    let mut schedule = Schedule::new("s");
    schedule.add_fn(&mut game, "freeze", 0, freeze).unwrap();
    schedule.run(&mut game).unwrap();
    assert_eq!(game.query::<&Frozen>().len(), 1);
}

/// The message of `cargo check` for systems with these parameters, as in `tests/ui/system`.
#[test]
fn parameters_that_clash_are_refused_in_the_words_of_the_compile_error() {
    let mut game = Game::default();
    let mut schedule = Schedule::new("s");
    let clash = |error: Result<(), ScheduleError>| match error {
        Err(ScheduleError::Clash(text)) => text,
        other => panic!("{other:?}"),
    };
    let error = schedule.add_fn(&mut game, "two", 0, |_: Query<&mut Position>, _: Query<&Position>| {});
    assert_eq!(
        clash(error),
        "system `two` of world `Game`: parameters `1st` and `2nd` both access component `Position`, at least one of \
         them mutably; keep their entities apart with `With` and `Without`, or join them into one query, whose `split_one_mut(id)` \
         lends one entity to change and the others to read"
    );
    let error = schedule.add_fn(&mut game, "alias", 0, |_: Query<(&mut Position, &Position)>| {});
    assert_eq!(
        clash(error),
        "system `alias` of world `Game`: parameter `1st` borrows component `Position` mutably and a second time; ask for \
         it once"
    );
    let error = schedule.add_fn(&mut game, "never", 0, |_: Query<&Position, Without<Position>>| {});
    assert!(clash(error).contains("can never match"));
    let error = schedule.add_fn(&mut game, "res", 0, |_: Local<u8>, _: Res<Log>, _: ResMut<Log>| {});
    assert!(clash(error).contains("parameters `2nd` and `3rd` both access resource `Log`"));
    let error = schedule.add_fn(&mut game, "store", 0, |_: Storage<Frozen>, _: Commands<Game>| {});
    assert!(clash(error).contains("`Storage<Frozen>` can add and remove component `Frozen`"));
    assert!(schedule.is_empty());
    let apart = |_: Query<&mut Position, With<Frozen>>, _: Query<&mut Position, Without<Frozen>>| {};
    schedule.add_fn(&mut game, "apart", 0, apart).unwrap();
}

#[test]
fn commands_are_applied_at_the_end_at_flushes_and_around_exclusive_systems() {
    let build = |game: &mut Game| {
        let mut schedule = Schedule::new("s");
        for (name, key) in [("a", 1), ("b", 2), ("c", 3)] {
            let body = |all: Query<&Position>, mut counts: ResMut<Counts>, mut commands: Commands<Game>| {
                counts.0.push(all.len());
                commands.spawn(Position(0));
            };
            schedule.add_fn(game, name, key, body).unwrap();
        }
        schedule
    };
    let mut game = Game::default();
    let mut schedule = build(&mut game);
    let mut run = |schedule: &mut Schedule<Game>| {
        game.clear();
        schedule.run(&mut game).unwrap();
        let mut seen = counts(&mut game);
        seen.push(game.query::<&Position>().len());
        seen
    };
    assert_eq!(run(&mut schedule), [0, 0, 0, 3]);
    schedule.add_flush(2);
    assert_eq!(run(&mut schedule), [0, 0, 2, 3]);
    assert_eq!((schedule.remove_flush(2), schedule.remove_flush(2)), (1, 0));
    assert_eq!(run(&mut schedule), [0, 0, 0, 3]);
    // no stage is empty, whatever ends one: the arrows of a graph lead from each stage to the next
    let stages = |schedule: &Schedule<Game>| {
        schedule.graph().schedules[0].nodes.iter().map(|node| node.stage).collect::<Vec<_>>()
    };
    schedule.add_flush(2);
    schedule.add_flush(2);
    assert_eq!((stages(&schedule), run(&mut schedule)), (vec![0, 0, 1], vec![0, 0, 2, 3]));
    schedule.flush_between(true);
    assert_eq!((stages(&schedule), run(&mut schedule)), (vec![0, 1, 2], vec![0, 1, 2, 3]));
    schedule.flush_between(false);
    schedule.remove_flush(2);
    assert_eq!(schedule.len(), 3);
    schedule.clear(&mut game);
    let mut schedule = build(&mut game);
    schedule.add_exclusive(&mut game, "whole", 1, |game: &mut Game| _ = game.spawn(Position(1))).unwrap();
    game.clear();
    schedule.run(&mut game).unwrap();
    assert_eq!(counts(&mut game), [0, 2, 2]);
}

#[test]
fn a_removed_system_that_has_not_run_yet_does_not_run() {
    let mut game = Game::default();
    let mut schedule = Schedule::new("frame");
    let whole = |game: &mut Game| {
        game.edit_schedule("frame", |schedule, game| {
            schedule.remove::<second>(game);
            schedule.remove::<first>(game);
            schedule.enable::<third>(false);
            schedule.add::<fourth>(game, -10).unwrap();
            schedule.add_again::<fourth>(game, 10).unwrap();
            schedule.remove_named(game, "whole");
        });
    };
    schedule.add::<first>(&mut game, 0).unwrap();
    schedule.add_exclusive(&mut game, "whole", 1, whole).unwrap();
    schedule.add::<second>(&mut game, 2).unwrap();
    schedule.add::<third>(&mut game, 3).unwrap();
    schedule.run(&mut game).unwrap();
    assert_eq!(take(&mut game), ["first"]);
    schedule.run(&mut game).unwrap();
    assert_eq!(take(&mut game), ["fourth", "fourth"]);
    assert_eq!(names(&schedule), ["fourth", "third", "fourth"]);
}

#[test]
fn a_command_changes_the_schedule_after_its_stage() {
    for flush in [false, true] {
        let mut game = Game::default();
        let mut schedule = Schedule::new("frame");
        let ask = |mut commands: Commands<Game>| {
            commands.run(|game| {
                game.edit_schedule("frame", |schedule, game| _ = schedule.remove::<second>(game));
            });
        };
        schedule.add_fn(&mut game, "ask", 0, ask).unwrap();
        schedule.add::<first>(&mut game, 1).unwrap();
        if flush {
            schedule.add_flush(1);
        }
        schedule.add::<second>(&mut game, 2).unwrap();
        schedule.run(&mut game).unwrap();
        let ran = if flush { vec!["first"] } else { vec!["first", "second"] };
        assert_eq!((take(&mut game), schedule.has::<second>()), (ran, false));
    }
}

#[test]
fn a_change_waits_for_a_schedule_of_its_name() {
    let mut game = Game::default();
    game.edit_schedule("frame", |schedule, game| schedule.add::<first>(game, 0).unwrap());
    game.edit_schedule("frame", |_, game| {
        game.edit_schedule("frame", |schedule, game| _ = schedule.remove::<first>(game));
    });
    game.clone().edit_schedule("other", |_, _| unreachable!());
    let (mut other, mut schedule) = (Schedule::new("other"), Schedule::new("frame"));
    other.run(&mut game).unwrap();
    other.run(&mut game.clone()).unwrap();
    schedule.run(&mut game).unwrap();
    assert_eq!((take(&mut game), other.len(), schedule.len()), (vec!["first"], 0, 0));
}

#[test]
fn each_reader_sees_each_event_once_from_when_it_was_added_on() {
    let mut game = Game::default();
    game.send(Note(1));
    let mut schedule = Schedule::new("frame");
    schedule.add::<count_notes>(&mut game, 0).unwrap();
    schedule
        .add_fn(&mut game, "closure", 1, |mut notes: EventReader<Note>, mut counts: ResMut<Counts>| {
            counts.0.push(notes.iter().map(|note| note.0 as usize).sum())
        })
        .unwrap();
    schedule.run(&mut game).unwrap();
    assert_eq!(counts(&mut game), [0, 0]);
    game.send(Note(2));
    game.send(Note(3));
    schedule.run(&mut game).unwrap();
    schedule.run(&mut game).unwrap();
    assert_eq!(counts(&mut game), [2, 5, 0, 0]);
    let stats = game.stats();
    let readers: Vec<_> = stats.events[0].readers.iter().map(|r| (r.schedule, r.system, r.unread)).collect();
    assert_eq!(readers, [("tick", "notes", 3), ("frame", "count_notes", 0), ("frame", "closure", 0)]);
    game.tick();
    assert_eq!(game.stats().events[0].kept, 0);
}

#[test]
fn readers_that_are_removed_keep_nothing() {
    let ledger = Ledger::new();
    let mut game = Game::default();
    let mut schedule = Schedule::new("frame");
    let hear = |mut held: EventReader<Held>| held.clear();
    let sleep = |held: EventReader<Held>| _ = held.len();
    schedule.add_fn(&mut game, "hear", 0, hear).unwrap();
    schedule.add_fn(&mut game, "sleep", 0, sleep).unwrap();
    game.send(Held(ledger.token()));
    schedule.run(&mut game).unwrap();
    assert_eq!(ledger.alive(), 1);
    schedule.remove_named(&mut game, "sleep");
    assert_eq!(ledger.alive(), 0);
    schedule.add_fn(&mut game, "sleep", 0, sleep).unwrap();
    game.send(Held(ledger.token()));
    schedule.run(&mut game).unwrap();
    let mut other = Schedule::new("other");
    other.add_fn(&mut game, "hear", 0, hear).unwrap();
    schedule.close(&mut game);
    other.run(&mut game).unwrap();
    assert_eq!((ledger.alive(), game.stats().events[1].readers.len()), (0, 1));
    other.clear(&mut game);
    assert_eq!(game.stats().events[1].readers.len(), 0);
}

#[test]
fn reserved_slots_of_removed_systems_are_reused() {
    let mut game = Game::default();
    let mut schedule = Schedule::new("frame");
    for _ in 0..200 {
        let spawn = |mut commands: Commands<Game>| _ = commands.spawn(Position(1));
        schedule.add_fn(&mut game, "spawn", 0, spawn).unwrap();
        schedule.run(&mut game).unwrap();
        assert_eq!(game.query::<&Position>().len(), 1);
        game.clear();
        schedule.clear(&mut game);
    }
    assert!(game.stats().blocks <= 8, "{}", game.stats().blocks);
}

#[test]
fn a_schedule_is_refused_by_other_worlds() {
    let (mut one, mut two) = (Game::default(), Game::default());
    let mut schedule = Schedule::new("frame");
    schedule.add::<first>(&mut one, 0).unwrap();
    let error = ScheduleError::OtherWorld { schedule: "frame", world: "Game" };
    assert_eq!(schedule.add::<second>(&mut two, 0), Err(error.clone()));
    assert_eq!(panic_message(|| schedule.run(&mut two)), error.to_string());
    assert!(blows_up(u32::MAX, || schedule.remove::<first>(&mut two)));
    schedule.run(&mut one).unwrap();
    assert_eq!((take(&mut one).len(), take(&mut two).len(), schedule.len()), (1, 0, 1));
    schedule.clear(&mut one);
    schedule.add::<second>(&mut two, 0).unwrap();
    schedule.run(&mut two).unwrap();
    assert_eq!(take(&mut two), ["second"]);
}

#[test]
fn clones_of_world_and_schedule_are_independent() {
    let mut game = Game::default();
    let mut schedule = Schedule::new("frame");
    schedule
        .add_fn(&mut game, "count", 0, |mut runs: Local<usize>, mut counts: ResMut<Counts>| {
            *runs += 1;
            counts.0.push(*runs);
        })
        .unwrap();
    schedule.run(&mut game).unwrap();
    let (mut old_game, mut old_schedule) = (game.clone(), schedule.clone());
    schedule.run(&mut game).unwrap();
    assert!(blows_up(u32::MAX, || schedule.run(&mut old_game)));
    assert!(blows_up(u32::MAX, || old_schedule.run(&mut game)));
    old_schedule.run(&mut old_game).unwrap();
    old_schedule.add::<first>(&mut old_game, 0).unwrap();
    old_schedule.run(&mut old_game).unwrap();
    assert!(blows_up(u32::MAX, || schedule.run(&mut old_game)));
    schedule.run(&mut game).unwrap();
    assert_eq!((counts(&mut game), counts(&mut old_game)), (vec![1, 2, 3], vec![1, 2, 3]));
}

#[test]
fn two_schedules_of_a_world_have_their_own_states() {
    let mut game = Game::default();
    let mut schedules = ["a", "b"].map(Schedule::new);
    for schedule in &mut schedules {
        schedule.add::<count_notes>(&mut game, 0).unwrap();
    }
    for round in 0..3 {
        game.send(Note(round));
        for schedule in &mut schedules {
            schedule.run(&mut game).unwrap();
        }
    }
    assert_eq!(counts(&mut game), [1; 6]);
}

#[test]
fn timings_follow_the_systems() {
    let mut game = Game::default();
    let mut schedule = Schedule::new("frame");
    schedule.add::<first>(&mut game, 0).unwrap();
    schedule.run(&mut game).unwrap();
    assert!(schedule.timings().is_empty());
    schedule.time_systems(true);
    schedule.run(&mut game).unwrap();
    schedule.add::<second>(&mut game, -1).unwrap();
    schedule.run(&mut game).unwrap();
    let timings: Vec<_> =
        schedule.timings().iter().map(|timing| (timing.schedule, timing.system, timing.runs)).collect();
    assert_eq!(timings, [("frame", "second", 1), ("frame", "first", 2)]);
    schedule.remove::<second>(&mut game);
    assert_eq!((schedule.timings().len(), schedule.timings()[0].system), (1, "first"));
}

#[test]
fn systems_that_have_not_run_have_no_timings() {
    let mut game = Game::default();
    let mut schedule = Schedule::new("frame");
    schedule.add::<first>(&mut game, 0).unwrap();
    schedule.add::<second>(&mut game, 1).unwrap();
    schedule.enable::<first>(false);
    schedule.time_systems(true);
    schedule.run(&mut game).unwrap();
    let timed = |schedule: &Schedule<Game>| -> Vec<(&str, u64)> {
        schedule.timings().iter().map(|timing| (timing.system, timing.runs)).collect()
    };
    assert_eq!(timed(&schedule), [("second", 1)]);
    // a clone is timed, too, from its first run on
    let (mut game, mut copy) = (game.clone(), schedule.clone());
    assert_eq!(timed(&copy), []);
    copy.run(&mut game).unwrap();
    assert_eq!((timed(&copy), timed(&schedule)), (vec![("second", 1)], vec![("second", 1)]));
}

#[test]
fn the_keys_of_all_systems_of_a_name_are_set() {
    let mut game = Game::default();
    let mut schedule = Schedule::new("frame");
    for key in [1, 2, 3] {
        schedule.add_again::<first>(&mut game, key).unwrap();
    }
    schedule.add::<second>(&mut game, 4).unwrap();
    assert_eq!((schedule.set_key_named("first", 9), schedule.set_key_named("third", 9)), (3, 0));
    assert_eq!((schedule.set_key::<second>(-1), schedule.set_key::<third>(-1)), (1, 0));
    schedule.sort();
    assert_eq!(names(&schedule), ["second", "first", "first", "first"]);
}

#[test]
fn a_system_that_replaces_the_world_ends_the_run_with_a_panic() {
    let mut game = Game::default();
    let mut schedule = Schedule::new("frame");
    schedule.add_exclusive(&mut game, "replace", 0, |game: &mut Game| *game = Game::default()).unwrap();
    schedule.add::<first>(&mut game, 1).unwrap();
    let said = panic_message(|| schedule.run(&mut game));
    assert!(said.contains("world `Game` was replaced while schedule `frame` was running"), "{said}");
    assert_eq!(take(&mut game), [""; 0]);
}

#[test]
fn parallelism_does_not_change_the_result() {
    for spread in [Parallelism::Never, Parallelism::Always, Parallelism::Auto] {
        let mut game = Game::default();
        game.spawn_batch((0..100).map(|n| (Position(n), Velocity(1))));
        let mut schedule = Schedule::new("frame");
        schedule.set_parallelism(spread);
        schedule.add::<movement>(&mut game, 0).unwrap();
        schedule.add::<first>(&mut game, 0).unwrap();
        schedule.add::<generic<Velocity>>(&mut game, 0).unwrap();
        schedule.add::<fail>(&mut game, 0).unwrap();
        schedule.run(&mut game).unwrap();
        assert_eq!((take(&mut game), counts(&mut game)), (vec!["first"], vec![100]));
        assert_eq!(game.query::<&Position>().iter().map(|position| position.0).sum::<i32>(), 5050 + 7);
    }
}

#[test]
fn a_schedule_is_shown_and_shared() {
    fn shared<T: Send + Sync>(_: &T) {}
    let mut game = Game::default();
    let mut schedule = Schedule::new("frame");
    schedule.add::<first>(&mut game, 3).unwrap();
    shared(&schedule);
    assert_eq!(format!("{schedule:?}"), "Schedule { name: \"frame\", systems: [(\"first\", 3)], .. }");
}

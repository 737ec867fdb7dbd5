//! Deferred changes of run-time schedules that are applied, undone, or stopped by a panic.

use ecs::error::ScheduleError;
use ecs::prelude::*;
use ecs_tests::fuse::{blows_up, burn};

#[derive(Component, Clone)]
#[component(removed)]
struct Gold(#[allow(dead_code)] u32);
#[derive(Event, Clone)]
struct Click(u32);
#[derive(Event, Clone)]
struct Ping;
#[derive(Resource, Clone, Default)]
struct Log(Vec<u32>);

world! {
    #[derive(Clone)]
    struct Game {
        components { Gold }
        resources { Log }
        events { Click(external, skip = clear), Ping(external) }
    }
}

fn log(game: &mut Game) -> Vec<u32> {
    std::mem::take(&mut game.resource_mut::<Log>().0)
}

fn push(number: u32) -> impl Fn(&mut Schedule<Game>, &mut Game) + Clone {
    move |_, game| game.resource_mut::<Log>().0.push(number)
}

/// Applies the deferred changes.
fn make(game: &mut Game) -> Vec<u32> {
    Schedule::new("frame").run(game).unwrap();
    log(game)
}

type Break = fn(&mut Game, &Game);

const BREAKS: [Break; 6] = [
    |_, _| {},
    |game, _| {
        let snapshot = game.snapshot();
        game.restore(&snapshot);
    },
    |game, old| *game = old.clone(),
    |game, _| *game = game.clone(),
    |game, _| *game = Game::default(),
    // the deferred changes are applied, and undone
    |game, _| assert_eq!(make(game), [1, 2]),
];

#[test]
fn changes_that_wait_survive_a_run_that_fails_whatever_it_does_to_the_world() {
    for broken in BREAKS {
        let mut game = Game::default();
        let old = game.clone();
        game.edit_schedule("frame", push(1));
        game.edit_schedule("frame", push(2));
        for _ in 0..2 {
            let error = game.try_run(|game| -> () {
                game.edit_schedule("other", push(3));
                broken(game, &old);
                game.edit_schedule("frame", push(4));
                panic!("no");
            });
            assert_eq!(error.unwrap_err().system, "");
        }
        assert_eq!(make(&mut game), [1, 2]);
        Schedule::new("other").run(&mut game).unwrap();
        assert_eq!(log(&mut game), [0_u32; 0]);
    }
}

#[test]
fn a_change_that_a_failed_run_has_made_is_made_again() {
    let mut game = Game::default();
    let mut schedule = Schedule::<Game>::new("frame");
    schedule.add_fn(&mut game, "one", 0, |mut log: ResMut<Log>| log.0.push(1)).unwrap();
    game.edit_schedule("frame", |schedule, game| {
        schedule.add_fn(game, "two", 1, |log: Res<Log>| assert!(log.0.len() != 1, "one")).unwrap();
    });
    for _ in 0..2 {
        assert_eq!(schedule.try_run(&mut game).unwrap_err().system, "two");
        assert_eq!((schedule.len(), game.resource::<Log>().0.len()), (1, 0));
    }
    game.resource_mut::<Log>().0.push(0);
    schedule.try_run(&mut game).unwrap();
    assert_eq!(schedule.len(), 2);
}

#[test]
fn changes_that_wait_go_back_with_the_world() {
    let mut game = Game::default();
    let mut schedule = Schedule::<Game>::new("frame");
    schedule.add_fn(&mut game, "one", 0, |mut log: ResMut<Log>| log.0.push(1)).unwrap();
    game.edit_schedule("frame", |schedule, game| _ = schedule.remove_named(game, "one"));
    let (snapshot, kept) = (game.snapshot(), schedule.clone());
    let mut copy = (game.clone(), schedule.clone());
    schedule.run(&mut game).unwrap();
    assert!(schedule.is_empty());
    game.edit_schedule("frame", push(9));
    game.restore(&snapshot);
    schedule = kept;
    assert_eq!(schedule.len(), 1);
    schedule.run(&mut game).unwrap();
    assert!(schedule.is_empty() && log(&mut game).is_empty());
    copy.1.run(&mut copy.0).unwrap();
    assert!(copy.1.is_empty() && log(&mut copy.0).is_empty());
}

fn hear(mut clicks: EventReader<Click>, mut log: ResMut<Log>) {
    log.0.extend(clicks.iter().map(|click| click.0));
}

#[system(Game)]
fn hears(mut clicks: EventReader<Click>, mut log: ResMut<Log>) {
    log.0.extend(clicks.iter().map(|click| click.0));
}

/// A reader that a change removes and adds again, before it runs in the current plan.
#[test]
fn a_reader_that_is_exchanged_during_a_run_loses_no_event() {
    for exchange in [
        |schedule: &mut Schedule<Game>, game: &mut Game| {
            assert_eq!(schedule.remove::<hears>(game), 1);
            schedule.add::<hears>(game, 5).unwrap();
        },
        |schedule: &mut Schedule<Game>, game: &mut Game| {
            schedule.clear(game);
            schedule.add_fn(game, "other", 5, hear).unwrap();
            schedule.add::<hears>(game, 6).unwrap();
            assert_eq!(schedule.remove_named(game, "other"), 1);
        },
        |schedule: &mut Schedule<Game>, game: &mut Game| {
            schedule.clear(game);
            schedule.add_again::<hears>(game, -5).unwrap();
            schedule.set_key::<hears>(7);
            schedule.sort();
        },
    ] {
        let mut game = Game::default();
        let mut schedule = Schedule::<Game>::new("frame");
        schedule
            .add_exclusive(&mut game, "exchange", 0, move |game: &mut Game| {
                game.edit_schedule("frame", move |schedule, game| {
                    exchange(schedule, game);
                    game.send(Click(7)); // the new reader exists
                });
            })
            .unwrap();
        schedule.add_exclusive(&mut game, "pause", 1, |_: &mut Game| {}).unwrap();
        schedule.add::<hears>(&mut game, 5).unwrap();
        schedule.run(&mut game).unwrap();
        schedule.remove_named(&mut game, "exchange");
        schedule.run(&mut game).unwrap();
        assert_eq!(log(&mut game), [7]);
    }
}

#[test]
fn places_of_removed_systems_are_used_again_by_the_next_plan() {
    let mut game = Game::default();
    let mut schedule = Schedule::<Game>::new("frame");
    for round in 0..20 {
        schedule.add::<hears>(&mut game, 0).unwrap();
        game.send(Click(round));
        schedule.run(&mut game).unwrap();
        assert_eq!(log(&mut game), [round]);
        schedule.clear(&mut game);
        assert_eq!(game.stats().events[0].readers.len(), 0);
    }
}

/// The default of this local burns the fuse.
#[derive(Clone)]
struct Fused;

impl Default for Fused {
    fn default() -> Self {
        burn("a local");
        Self
    }
}

#[system(Game)]
fn fused(
    _: EventReader<Click>,
    _: Local<Fused>,
    _: Removed<Gold>,
    _: Commands<Game>,
    _: EventReader<Ping>,
    _: Local<Fused>,
) {
}

#[test]
fn a_system_whose_state_is_never_made_leaves_no_reader_behind() {
    type Add = fn(&mut Schedule<Game>, &mut Game) -> Result<(), ScheduleError>;
    let adds: [Add; 3] = [
        |schedule, game| schedule.add::<fused>(game, 0),
        |schedule, game| schedule.add_again::<fused>(game, 0),
        |schedule, game| {
            schedule.add_fn(
                game,
                "closure",
                0,
                |_: EventReader<Click>, _: Removed<Gold>, _: Commands<Game>, _: Local<Fused>| {},
            )
        },
    ];
    for add in adds {
        let mut game = Game::default();
        let mut schedule = Schedule::<Game>::new("frame");
        for _ in 0..100 {
            assert!(blows_up(1, || add(&mut schedule, &mut game)));
            blows_up(2, || add(&mut schedule, &mut game));
            schedule.clear(&mut game);
        }
        let stats = game.stats();
        assert!(stats.events.iter().all(|event| event.readers.is_empty()), "{stats:?}");
        assert!(
            stats
                .columns
                .iter()
                .all(|column| column.removed.as_ref().is_none_or(|removed| removed.readers.is_empty())),
            "{stats:?}"
        );
        // the commands below use the first reserved slots, so that the slots are consecutive
        let mut last = Schedule::<Game>::new("last");
        last.add_fn(&mut game, "spawn", 0, |mut commands: Commands<Game>| {
            (0..200).for_each(|n| _ = commands.spawn(Gold(n)));
        })
        .unwrap();
        last.run(&mut game).unwrap();
        assert_eq!(game.entities().iter().map(|entity| entity.slot()).max(), Some(199));
    }
}

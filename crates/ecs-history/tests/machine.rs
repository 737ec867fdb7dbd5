//! A history that tools use by names: random moves beside a plain record, handles that show less,
//! the methods of a server.

#![allow(elided_lifetimes_in_paths, reason = "systems are written as users write them")]
#![allow(missing_docs, unreachable_pub, reason = "a test")]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};

use ecs::prelude::*;
use ecs::reflect::{AllowList, DynamicValue, ReflectWorld};
use ecs::save::Saved;
use ecs_history::{Limit, Place, TimeMachine, Timeline, TimelineError};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

#[derive(Component, Clone, Serialize, Deserialize)]
pub struct Health {
    now: i32,
}

#[derive(Component, Clone, Serialize, Deserialize)]
pub struct Heat(f32);

#[derive(Component, Clone, Serialize, Deserialize)]
pub struct Secret(u32);

#[derive(Resource, Default, Clone, Serialize, Deserialize)]
pub struct Turn(u64);

world! {
    #[derive(Clone, Serialize, Deserialize, Reflect)]
    pub struct Game {
        components { Health, Heat, Secret }
        resources { Turn }
    }
    schedule tick { count, hurt; bury }
    schedule crash { count; fail }
}

#[system(Game)]
fn count(mut turn: ResMut<Turn>) {
    turn.0 += 1;
}

#[system(Game)]
fn hurt(health: &mut Health, turn: Res<Turn>) {
    health.now -= (turn.0 % 3) as i32;
}

#[system(Game)]
fn bury(all: Query<(Entity, &Health)>, mut commands: Commands<Game>) {
    for (entity, health) in &all {
        if health.now <= 0 {
            commands.despawn(entity);
            commands.spawn((Health { now: 20 }, Secret(7)));
        }
    }
}

#[system(Game)]
fn fail(_: Res<Turn>) {
    panic!("on purpose");
}

/// A game of some entities.
fn game() -> (Game, [Entity; 3]) {
    let mut game = Game::default();
    let entities = [5, 8, 13].map(|now| game.spawn((Health { now }, Secret(1))));
    (game, entities)
}

fn params(value: Value) -> Map<String, Value> {
    value.as_object().expect("it is an object").clone()
}

/// The differences of two worlds but those in the states of systems, which are brought to their end
/// after the last step of a run.
fn values(first: &Game, second: &Game) -> Vec<ecs::save::Difference> {
    let mut found = ecs::save::diff(first, second);
    found.retain(|difference| !difference.path.starts_with("system "));
    found
}

/// Each move ends in the state that a plain record has for its place.
#[test]
fn random_moves_end_where_a_record_says() {
    let mut rand = oorandom::Rand32::new(7);
    for _ in 0..5 {
        let (mut game, [first, ..]) = game();
        let machine = TimeMachine::new(Limit::runs(1000));
        // the hash before each run of this future
        let mut record = Vec::new();
        for _ in 0..100 {
            let state = machine.state().expect("no tool is at work");
            let at = state.place.run as usize;
            match rand.rand_range(0..8) {
                0..=2 => {
                    // a world inside of a run begins that run again
                    if state.place.step > 0 {
                        machine.go_to(&mut game.reflect_mut(), Place { run: at as u64, step: 0 }).unwrap();
                        machine.run(&mut game, Game::tick);
                    } else {
                        machine.run(&mut game, Game::tick);
                    }
                    record.truncate(at);
                    let run = machine.state().unwrap().place.run;
                    let mut before = game.clone();
                    machine.with(|history| before.restore(history.at(run - 1).unwrap()));
                    record.push(before.hash());
                }
                3 => {
                    let run = u64::from(rand.rand_range(0..record.len() as u32 + 1));
                    machine.go_to(&mut game.reflect_mut(), Place { run, step: 0 }).unwrap();
                    if let Some(hash) = record.get(run as usize) {
                        assert_eq!(game.hash(), *hash, "before run {run}");
                    }
                }
                4 | 5 => {
                    machine.step(&mut game.reflect_mut(), rand.rand_range(0..2) == 0).unwrap();
                }
                6 if !record.is_empty() => {
                    // all steps of a run, forward, end in the state before the next run
                    let run = u64::from(rand.rand_range(0..record.len() as u32));
                    machine.go_to(&mut game.reflect_mut(), Place { run, step: usize::MAX }).unwrap();
                    let end = game.clone();
                    assert!(machine.step(&mut game.reflect_mut(), true).unwrap());
                    assert_eq!(machine.state().unwrap().place, Place { run: run + 1, step: 0 });
                    assert_eq!(values(&end, &game), [], "after run {run}");
                    assert!(machine.step(&mut game.reflect_mut(), false).unwrap());
                    assert_eq!(game.hash(), end.hash());
                }
                _ => {
                    machine.run_to(&mut game.reflect_mut(), "bury").unwrap();
                }
            }
            let state = machine.state().unwrap();
            assert_eq!(state.runs, 0..record.len() as u64);
            assert_eq!(state.steps.is_empty(), state.place.step == 0);
        }
        drop(machine.changes(game.reflect(), Some(first), "Health.now", 10).unwrap());
    }
}

#[test]
fn a_value_that_is_no_number_does_not_change() {
    let (mut game, [first, ..]) = game();
    game.insert(first, Heat(f32::NAN)).unwrap();
    let machine = TimeMachine::new(Limit::runs(10));
    machine.run(&mut game, Game::tick);
    machine.run(&mut game, Game::tick);
    assert_eq!(machine.changes(game.reflect(), Some(first), "Heat", 10).unwrap(), []);
}

#[test]
fn changes_have_places_that_can_be_gone_to() {
    let (mut game, [first, ..]) = game();
    let machine = TimeMachine::new(Limit::runs(100));
    for _ in 0..8 {
        machine.run(&mut game, Game::tick);
    }
    assert!(!game.contains(first), "it was despawned on the way");
    let changes = machine.changes(game.reflect(), Some(first), "Health.now", 100).unwrap();
    assert_eq!(changes.first().unwrap().before, Some(DynamicValue::Int(5)));
    assert_eq!(changes.last().unwrap().after, None);
    for change in changes {
        let now = |game: &Game| game.reflect().read(first, "Health.now").ok();
        let Place { run, step } = Place { run: change.run, step: change.step };
        machine.go_to(&mut game.reflect_mut(), Place { run, step }).unwrap();
        assert_eq!(now(&game), change.after);
        machine.go_to(&mut game.reflect_mut(), Place { run, step: step - 1 }).unwrap();
        assert_eq!(now(&game), change.before);
    }
    // a resource has no entity
    let turns = machine.changes(game.reflect(), None, "Turn", 2).unwrap();
    assert_eq!(turns.last().map(|change| (change.run, change.cause.to_string())), Some((7, "count".into())));
}

#[test]
fn a_run_that_has_panicked_is_marked_and_opens_before_the_failure() {
    let (mut game, _) = game();
    let machine = TimeMachine::new(Limit::runs(10));
    machine.run(&mut game, Game::tick);
    assert!(catch_unwind(AssertUnwindSafe(|| machine.run(&mut game, Game::crash))).is_err());
    assert_eq!(machine.state().unwrap().failed, [1]);
    machine.go_to(&mut game.reflect_mut(), Place { run: 1, step: usize::MAX }).unwrap();
    let state = machine.state().unwrap();
    assert_eq!(state.steps.last().map(|step| step.system), Some("count"));
    assert_eq!(game.resource::<Turn>().0, 2);
    // the next run begins where the failed one began
    machine.run(&mut game, Game::tick);
    assert_eq!((game.resource::<Turn>().0, machine.state().unwrap().failed), (2, vec![]));
}

#[test]
fn a_handle_that_shows_less_gets_less() {
    let (mut game, [first, ..]) = game();
    let machine = TimeMachine::new(Limit::runs(10));
    machine.run(&mut game, Game::tick);
    game.insert(first, Secret(2)).unwrap();
    machine.run(&mut game, Game::tick);
    let read_only = AllowList::new().read_only();
    let guest = &mut game.reflect_mut().restrict(&read_only).unwrap();
    let refused = machine.go_to(guest, Place { run: 0, step: 0 });
    assert!(matches!(refused, Err(TimelineError::ReadOnly)), "{refused:?}");
    assert_eq!(game.resource::<Turn>().0, 2);

    let list = AllowList::new().components(["Health"]);
    let guest = game.reflect().restrict(&list).unwrap();
    assert!(matches!(
        machine.changes(guest.clone(), Some(first), "Secret", 10),
        Err(TimelineError::Reflect(_))
    ));
    let seen = |found: Vec<ecs::save::Difference>| found.iter().any(|one| one.path.starts_with("Secret"));
    assert!(!seen(machine.differences(guest, 0, 2).unwrap()));
    assert!(seen(machine.differences(game.reflect(), 0, 2).unwrap()));
    assert_eq!(machine.verify(game.reflect()).unwrap(), [0], "the insert was between the runs");

    let error = machine.go_to(&mut game.reflect_mut(), Place { run: 9, step: 0 }).unwrap_err();
    assert_eq!(error.to_string(), "the history has no run 9: it goes from 0 to 2");
    let mut other = other::Other::new();
    assert!(matches!(
        machine.go_to(&mut other.reflect_mut(), Place::default()),
        Err(TimelineError::OtherWorld)
    ));
}

mod other {
    use ecs::prelude::*;

    world! { #[derive(Reflect)] pub struct Other {} }
}

/// The systems of a run cannot use the history, also when a tool repeats the run.
#[test]
fn a_run_cannot_use_the_history() {
    static REFUSED: AtomicU32 = AtomicU32::new(0);
    let (mut game, [first, ..]) = game();
    let machine = TimeMachine::new(Limit::runs(10));
    for _ in 0..2 {
        let inner = machine.clone();
        machine.run(&mut game, move |game: &mut Game| {
            let state = inner.state();
            let moved = inner.go_to(&mut game.reflect_mut(), Place::default());
            let busy = matches!((state, moved), (Err(TimelineError::Busy), Err(TimelineError::Busy)));
            REFUSED.fetch_add(u32::from(busy), Ordering::Relaxed);
            game.tick();
        });
    }
    assert_eq!(REFUSED.load(Ordering::Relaxed), 2);
    assert_eq!(machine.changes(game.reflect(), Some(first), "Health.now", 10).unwrap().len(), 2);
    assert_eq!(REFUSED.load(Ordering::Relaxed), 4);
    let inner = machine.clone();
    let nested = move |game: &mut Game| inner.run(game, Game::tick);
    assert!(catch_unwind(AssertUnwindSafe(|| machine.run(&mut game, nested))).is_err());
    assert_eq!(machine.state().unwrap().failed, [2]);
}

#[test]
fn methods_answer_as_the_time_line_does() {
    let (mut game, [first, ..]) = game();
    let machine = TimeMachine::new(Limit::runs(10));
    for _ in 0..4 {
        machine.run(&mut game, Game::tick);
    }
    let end = game.hash();
    let mut methods = machine.methods();
    let mut call = |game: &mut Game, name: &str, given: Value| {
        let (_, method) = methods.iter_mut().find(|(known, _)| *known == name).expect("there is one");
        method(&mut game.reflect_mut(), &params(given))
    };
    let list = call(&mut game, "history.list", json!({})).unwrap();
    assert_eq!((&list["runs"], &list["run"], &list["step"]), (&json!([0, 4]), &json!(4), &json!(0)));

    let there = call(&mut game, "history.go_to", json!({ "run": 2, "step": 2 })).unwrap();
    assert_eq!(there["steps"], json!(["count", "hurt", "bury"]));
    let back = call(&mut game, "history.step", json!({ "by": -3 })).unwrap();
    assert_eq!((&back["run"], &back["step"]), (&json!(1), &json!(3)));
    let last = call(&mut game, "history.step", json!({ "by": 1_000_000 })).unwrap();
    assert_eq!((&last["run"], game.hash()), (&json!(4), end));

    let changes = call(
        &mut game,
        "history.changes",
        json!({ "entity": first.to_string(), "path": "Health.now", "limit": 1 }),
    );
    let one = json!([{ "run": 3, "step": 2, "cause": "hurt", "before": 2, "after": 1 }]);
    assert_eq!(changes.unwrap(), one);
    let bits = json!({ "entity": first.to_bits(), "path": "Health.now", "limit": 1 });
    assert_eq!(call(&mut game, "history.changes", bits).unwrap(), one);
    let differences = call(&mut game, "history.differences", json!({ "first": 0, "second": 1 })).unwrap();
    assert!(differences.as_array().unwrap().contains(&json!("resource Turn: 0 -> 1")), "{differences}");
    assert_eq!(call(&mut game, "history.verify", json!({})).unwrap(), json!({ "outside": [] }));

    let errors = [
        ("history.go_to", json!({}), "`run` is a number, and not negative"),
        ("history.go_to", json!({ "run": -1 }), "`run` is a number, and not negative"),
        ("history.go_to", json!({ "run": 77 }), "the history has no run 77: it goes from 0 to 4"),
        ("history.step", json!({ "by": "one" }), "`by` is a number"),
        ("history.changes", json!({}), "`path` is a text such as `Health.now`"),
        ("history.changes", json!({ "path": "Helth" }), "has no resource `Helth`"),
        ("history.changes", json!({ "path": "Health", "entity": [] }), "[] is no id of an entity"),
        ("history.differences", json!({ "first": 0 }), "`second` is a number"),
    ];
    for (name, given, message) in errors {
        let error = call(&mut game, name, given).unwrap_err();
        assert!(error.contains(message), "{error}");
    }
    assert_eq!(game.hash(), end);
    // the list is for everybody, the rest is not
    for (name, method) in &mut methods {
        let mut guest = game.reflect_mut().restrict(&AllowList::new().read_only()).unwrap();
        let given = json!({ "run": 1, "path": "Turn", "first": 0, "second": 1 });
        let answer = method(&mut guest, &params(given));
        assert_eq!(answer.is_ok(), *name == "history.list", "{name}: {answer:?}");
    }
}

#[test]
fn a_world_inside_of_a_run_stays_there_or_leaves_it() {
    let (mut game, _) = game();
    let machine = TimeMachine::new(Limit::runs(100));
    let mut hashes = Vec::new();
    for _ in 0..6 {
        hashes.push(game.hash());
        machine.run(&mut game, Game::tick);
    }
    let inside = Place { run: 4, step: 1 };
    machine.go_to(&mut game.reflect_mut(), inside).unwrap();
    let hash = game.hash();

    // there is no such run: all is as it was
    machine.go_to(&mut game.reflect_mut(), Place { run: 9, step: 0 }).unwrap_err();
    machine.go_to(&mut game.reflect_mut(), Place { run: 9, step: 2 }).unwrap_err();
    assert_eq!((machine.state().unwrap().place, game.hash()), (inside, hash));
    assert!(!machine.run_to(&mut game.reflect_mut(), "no such system").unwrap());
    assert_eq!((machine.state().unwrap().place, game.hash()), (inside, hash));

    // the program goes to another run
    machine.with(|history| history.go_to(&mut game, 2)).unwrap();
    assert_eq!(machine.state().unwrap().place, Place { run: 2, step: 0 });
    machine.run(&mut game, Game::tick);
    assert_eq!(game.hash(), hashes[3]);

    // to the end of a branch, whose number is that of the run
    machine.go_to(&mut game.reflect_mut(), Place { run: 2, step: 1 }).unwrap();
    machine.run(&mut game, Game::tick);
    machine.run(&mut game, Game::tick);
    machine.run(&mut game, Game::tick);
    machine.go_to(&mut game.reflect_mut(), Place { run: 3, step: 1 }).unwrap();
    machine.with(|history| history.switch_to(&mut game, 1)).unwrap();
    assert_eq!(machine.state().unwrap().place, Place { run: 3, step: 0 });
    machine.run(&mut game, Game::tick);
    assert_eq!(game.hash(), hashes[4]);
}

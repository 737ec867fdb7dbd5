//! Commands that replace the world while later commands of the flush wait, in every way in which
//! commands are applied.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ecs::command::FailurePolicy;
use ecs::prelude::*;
use ecs::schedule::Parallelism;
use ecs::{In, Schedule, Snapshot};
use serde::{Deserialize, Serialize};

use super::ground::{Ledger, Token};

#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
struct Level(u32);
#[derive(Component, Clone)]
#[component(skip)]
struct Held(#[expect(dead_code, reason = "counts drops")] Token);
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
#[component(storage = "packed")]
struct Name(String);
#[derive(Event, Clone, Serialize, Deserialize)]
struct Go;
#[derive(Event, Clone, Serialize, Deserialize)]
struct Call;

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Field {
        components { Level, Held, Name }
        events { Go(external), Call(external) }
    }
    observers { answer } max 4
    schedule tick { first, second; third }
    schedule echo { react { hear } max 4; third }
    schedule rest { third }
    schedule aside { third }
}

/// How the command replaces the world.
#[derive(Clone, Copy, PartialEq, Debug)]
enum How {
    /// Not at all.
    Keep,
    /// It undoes a run that fails: the world is as before.
    Undo,
    /// It takes the world out and puts it back.
    ThereAndBack,
    /// It restores a snapshot that the flush itself has taken.
    RestoreOfNow,
    Restore,
    Load,
    LoadText,
    New,
    Clone,
    CloneFrom,
    Swap,
    /// It restores a snapshot, and spawns where the commands that wait would.
    RestoreAndSpawn,
    /// Commands within commands.
    Nested,
}
use How::*;

const ALL: [How; 13] = [
    Keep,
    Undo,
    ThereAndBack,
    RestoreOfNow,
    Restore,
    Load,
    LoadText,
    New,
    Clone,
    CloneFrom,
    Swap,
    RestoreAndSpawn,
    Nested,
];

/// What the systems and commands of a case share, outside of the worlds.
#[derive(Default)]
struct Case {
    how: Option<How>,
    ledger: Ledger,
    /// A snapshot, a save of both forms, and another world.
    saved: Option<(Snapshot<Field>, Vec<u8>, String, Field)>,
    now: Option<Snapshot<Field>>,
    hero: Option<Entity>,
    /// The spawns that waited behind the replacement, and those before it.
    late: Vec<(Entity, u32)>,
    early: Vec<Entity>,
}

static CASE: Mutex<Option<Case>> = Mutex::new(None);

fn case() -> MutexGuard<'static, Option<Case>> {
    CASE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn with<R>(f: impl FnOnce(&mut Case) -> R) -> R {
    f(case().get_or_insert_default())
}

fn replace(field: &mut Field) {
    let Some(how) = with(|case| case.how.take()) else { return };
    replace_by(field, how);
}

fn replace_by(field: &mut Field, how: How) {
    if how == Nested {
        return field.with_commands(|mut commands| {
            commands.spawn(Level(97));
            commands.run(|field| replace_by(field, Load));
            commands.spawn(Level(96));
        });
    }
    let saved = with(|case| case.saved.take()).unwrap();
    let (snapshot, bytes, text, other) = &saved;
    match how {
        Keep | Nested => {}
        Undo => {
            let failed = field.try_run(|field| -> () {
                field.spawn(Level(99));
                field.clear();
                panic!("undone");
            });
            assert!(failed.is_err());
        }
        ThereAndBack => {
            let mut new = Field::new();
            std::mem::swap(field, &mut new);
            field.spawn(Level(98));
            std::mem::swap(field, &mut new);
        }
        RestoreOfNow => {
            let now = with(|case| case.now.take()).unwrap();
            field.restore(&now);
        }
        Restore => field.restore(snapshot),
        Load => *field = Field::load(bytes).unwrap(),
        LoadText => *field = serde_json::from_str(text).unwrap(),
        New => *field = Field::new(),
        Clone => *field = other.clone(),
        CloneFrom => field.clone_from(other),
        Swap => {
            let mut copy = other.clone();
            std::mem::swap(field, &mut copy);
        }
        RestoreAndSpawn => {
            field.restore(snapshot);
            (0..200).for_each(|_| _ = field.spawn(Level(5)));
            field.with_commands(|mut commands| (0..200).for_each(|_| _ = commands.spawn(Level(6))));
            field.aside();
        }
    }
    with(|case| case.saved = Some(saved));
}

/// Gives commands, one of which replaces the world.
fn give(commands: &mut Commands<'_, Field>) {
    let (ledger, hero) = with(|case| (case.ledger.clone(), case.hero.unwrap()));
    let early: Vec<Entity> = (0..3).map(|_| commands.spawn((Level(1), Held(ledger.token())))).collect();
    commands.run(|field| {
        let now = field.snapshot();
        with(|case| case.now = Some(now));
    });
    commands.run(replace);
    let mut late = Vec::new();
    for n in 0..10 {
        let entity = match n % 2 {
            0 => commands.spawn((Name(format!("late {n}")), Held(ledger.token()))),
            _ => commands.spawn((Name(format!("late {n}")), Level(2))),
        };
        commands.entity(entity).insert(Held(ledger.token()));
        late.push((entity, n));
    }
    commands.insert(hero, Level(7));
    commands.run(|field| _ = field.spawn(Level(8)));
    with(|case| {
        case.early.extend(early);
        case.late.extend(late);
    });
}

#[system(Field)]
fn first(mut commands: Commands<Field>) {
    give(&mut commands);
}

#[system(Field)]
fn second(mut commands: Commands<Field>) {
    for n in 10..15 {
        let entity = commands.spawn(Name(format!("late {n}")));
        with(|case| case.late.push((entity, n)));
    }
}

#[system(Field)]
fn third(mut commands: Commands<Field>) {
    commands.spawn(Level(3));
}

#[system(Field)]
fn with_input(times: In<u32>, mut commands: Commands<Field>) {
    (0..*times).for_each(|_| give(&mut commands));
}

#[system(Field)]
fn hear(mut going: EventReader<Go>, mut commands: Commands<Field>) {
    going.iter().for_each(|_| give(&mut commands));
}

#[system(Field)]
fn answer(mut calls: EventReader<Call>, mut commands: Commands<Field>) {
    calls.iter().for_each(|_| give(&mut commands));
}

type Way = (&'static str, fn(&mut Field));

const WAYS: [Way; 9] = [
    ("with_commands", |field| field.with_commands(|mut commands| give(&mut commands))),
    ("run", |field| field.run::<first>()),
    ("run_with", |field| field.run_with::<with_input>(1)),
    ("schedule", |field| field.tick()),
    ("schedule on several threads", |field| {
        field.set_parallelism(Parallelism::Always);
        field.tick();
    }),
    ("react", |field| {
        field.send(Go);
        field.echo();
    }),
    ("observer", |field| {
        field.send(Call);
        field.rest();
    }),
    ("run-time schedule", |field| {
        let mut schedule = Schedule::new("built");
        schedule.add::<first>(field, 1).unwrap();
        schedule.add::<second>(field, 2).unwrap();
        // it belongs to the world that is replaced
        let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| schedule.run(field)));
    }),
    ("commands within a command", |field| {
        field.with_commands(|mut commands| {
            commands.run(|field| field.with_commands(|mut commands| give(&mut commands)));
            let entity = commands.spawn(Name("late 20".into()));
            with(|case| case.late.push((entity, 20)));
        });
    }),
];

/// The world loads from both forms, and the loaded worlds give no id twice.
fn check_saves(field: &mut Field, what: &str) {
    let loaded = [
        Field::load(&field.to_bytes().unwrap()).map_err(|error| error.to_string()),
        serde_json::from_str(&serde_json::to_string(field).unwrap()).map_err(|error| error.to_string()),
    ];
    for loaded in loaded {
        let mut loaded: Field = loaded.unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(loaded.entities().len(), field.entities().len(), "{what}");
        check_new_ids(&mut loaded, what);
    }
}

/// New entities have ids and values of their own.
fn check_new_ids(field: &mut Field, what: &str) {
    let mut seen: BTreeSet<Entity> = field.entities().iter().collect();
    for round in 0..3 {
        let mut new: Vec<Entity> = (0..70).map(|_| field.spawn(Level(40))).collect();
        new.extend(field.spawn_batch((0..70).map(|_| Level(40))));
        field.with_commands(|mut commands| {
            new.extend((0..70).map(|_| commands.spawn(Level(40))));
        });
        for entity in new {
            assert!(seen.insert(entity), "{what}, {round}: {entity} was given twice");
            assert_eq!(field.get(entity), Some(&Level(40)), "{what}, {round}");
            assert!(!field.has::<Held>(entity) && !field.has::<Name>(entity), "{what}, {round}");
        }
    }
}

#[test]
fn commands_that_wait_behind_a_replaced_world_are_applied_or_fail() {
    for (way, run) in WAYS {
        for how in ALL {
            let what = format!("{way}, {how:?}");
            let mut field = Field::new();
            field.on_failed_command(FailurePolicy::Ignore);
            *case() = Some(Case::default());
            let hero = field.spawn(Level(0));
            (0..5).for_each(|_| _ = field.spawn((Level(1), Name("old".into()))));
            field.rest();
            let other = field.clone();
            let saved =
                (field.snapshot(), field.to_bytes().unwrap(), serde_json::to_string(&field).unwrap(), other);
            field.rest();
            let ledger = with(|case| {
                (case.how, case.saved, case.hero) = (Some(how), Some(saved), Some(hero));
                case.ledger.clone()
            });
            run(&mut field);
            let case = std::mem::take(&mut *case()).unwrap();
            assert!(case.how.is_none() && !case.late.is_empty(), "{what}: nothing has happened");
            let same = matches!(how, Keep | Undo | ThereAndBack | RestoreOfNow);
            let mut spawned = 0;
            for (entity, n) in &case.late {
                let name = field.get::<Name>(*entity).map(|name| name.0.clone());
                match name.as_deref() {
                    Some("old") | None => assert!(!same, "{what}: spawn {n} is lost"),
                    Some(name) => {
                        assert_eq!(name, format!("late {n}"), "{what}");
                        assert_eq!(field.has::<Held>(*entity), *n < 10, "{what}");
                        spawned += 1;
                    }
                }
            }
            // a spawn fails, and so does the command that inserts a component into the entity
            let failed = case.late.len() - spawned;
            let with_insert = case.late.iter().filter(|(_, n)| *n < 10).count();
            let expected = if same { 0 } else { failed + with_insert };
            // `Nested` has a waiting spawn of its own, and a new world has no hero
            let expected = expected + usize::from(how == Nested) + usize::from(how == New);
            assert_eq!(field.stats().failed_commands, expected as u64, "{what}: {failed} spawns failed");
            assert!(same || spawned == 0, "{what}: {spawned} were spawned");
            let early = case.early.iter().filter(|&&entity| field.has::<Held>(entity)).count();
            assert_eq!(early, if same { case.early.len() } else { 0 }, "{what}");
            if how != New {
                assert_eq!(field.get(hero), Some(&Level(7)), "{what}: a command for an entity that exists");
            }
            let eights = field.query::<&Level>().iter().filter(|level| level.0 == 8).count();
            assert_eq!(eights, 1, "{what}: a closure behind the replacement");
            check_saves(&mut field, &what);
            check_new_ids(&mut field, &what);
            // the next runs are as usual
            *self::case() = Some(Case { hero: Some(field.spawn(Level(0))), ..case });
            with(|case| case.late.clear());
            let before = field.stats().failed_commands;
            (0..3).for_each(|_| field.tick());
            assert_eq!(field.stats().failed_commands, before, "{what}: the run after it");
            with(|case| {
                for (entity, n) in &case.late {
                    assert_eq!(field.get(*entity), Some(&Name(format!("late {n}"))), "{what}, later");
                }
            });
            check_saves(&mut field, &what);
            drop(field);
            *self::case() = None;
            ledger.assert_settled();
        }
    }
}

#[test]
fn commands_for_ids_of_the_former_world_miss_the_entities_of_the_new_one() {
    let new_world = || {
        let mut field = Field::new();
        field.on_failed_command(FailurePolicy::Ignore);
        field
    };
    let mut field = new_world();
    field.with_commands(|mut commands| {
        let spawned = commands.spawn(Level(1));
        commands.run(move |field| {
            *field = new_world();
            field.spawn_at(spawned, Level(99)).unwrap();
        });
        commands.insert(spawned, Name("mark".into()));
        commands.despawn(spawned);
    });
    let levels: Vec<u32> = field.query::<&Level>().iter().map(|level| level.0).collect();
    assert_eq!((levels, field.query::<&Name>().len()), (vec![99], 0));
    assert_eq!(field.stats().failed_commands, 2);
}

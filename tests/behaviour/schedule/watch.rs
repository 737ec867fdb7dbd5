//! Watching a world: each step is seen, in the order of the text, and the world is the same as
//! without.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use ecs::Schedule;
use ecs::prelude::*;
use ecs::schedule::{Parallelism, StepPart, SystemStep};
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(tracked)]
struct Count(u32);
#[derive(Component, Clone, Serialize, Deserialize)]
struct Other(u32);
#[derive(Resource, Clone, Default, Serialize, Deserialize)]
struct Open(bool);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Game {
        components { Count, Other }
        resources { Open }
    }
    observers { greet }
    schedule tick { count, other, spawn; (count as gated, spawn as gated_spawn) if is_open; inner, whole; fail }
    schedule inner { other as inner_other; }
    schedule plain { count, other; count as again }
    schedule fallible -> Result { count, refuse; other }
}

#[system(Game)]
fn count(mut count: Mut<Count>) {
    count.0 += 1;
}
#[system(Game)]
fn other(other: &mut Other) {
    other.0 += 1;
}
#[system(Game)]
fn spawn(mut commands: Commands<Game>) {
    commands.spawn((Count(0), Other(0)));
}
#[system(Game)]
fn is_open(open: Res<Open>) -> bool {
    open.0
}
#[system(Game)]
fn whole(game: &mut Game) {
    game.plain();
}
#[system(Game)]
fn greet(new: Query<&mut Other, Added<Count>>) {
    new.into_iter().for_each(|other| other.0 += 10);
}
#[system(Game)]
fn fail(open: Res<Open>) {
    assert!(!open.0 || cfg!(not(panic = "unwind")), "open");
}
#[system(Game)]
fn refuse() -> Result<(), String> {
    Err("refused".into())
}

type Steps = Arc<Mutex<Vec<(SystemStep, u64)>>>;

/// The steps of a world, with its hash after each.
fn watch(game: &mut Game) -> Steps {
    let steps = Steps::default();
    let seen = steps.clone();
    game.watch_systems(move |game: &Game, step| seen.lock().unwrap().push((*step, game.hash())));
    steps
}

fn names(steps: &Steps) -> Vec<String> {
    std::mem::take(&mut *steps.lock().unwrap()).iter().map(|(step, _)| step.to_string()).collect()
}

fn game() -> Game {
    let mut game = Game::default();
    game.spawn_batch((0..200).map(|n| (Count(n), Other(n))));
    game
}

#[test]
fn each_step_is_seen_in_the_order_of_the_text() {
    let mut game = game();
    let steps = watch(&mut game);
    game.tick();
    let first = [
        "greet",
        "count",
        "other",
        "spawn",
        "spawn (commands)",
        "greet",
        "if is_open",
        "inner_other",
        "inner",
        "count",
        "other",
        "again",
        "whole",
        "fail",
    ];
    assert_eq!(names(&steps), first);
    // the world differs after each step that has changed something, and not after others
    game.tick();
    let seen = steps.lock().unwrap().clone();
    assert_eq!((seen[0].0.schedule, seen[0].0.stage, seen[0].0.part), ("tick", 0, StepPart::Run));
    let nested = seen.iter().find(|(step, _)| step.system == "again").unwrap().0;
    assert_eq!((nested.schedule, nested.stage), ("plain", 1));
    assert_eq!(seen.last().unwrap().1, game.hash());

    game.stop_watching();
    steps.lock().unwrap().clear();
    game.tick();
    assert!(steps.lock().unwrap().is_empty());
}

#[test]
fn a_world_that_is_watched_is_the_same() {
    for parallelism in [Parallelism::Auto, Parallelism::Never, Parallelism::Always] {
        let (mut plain, mut watched) = (game(), game());
        plain.set_parallelism(parallelism);
        watched.set_parallelism(parallelism);
        let steps = watch(&mut watched);
        for turn in 0..6 {
            for game in [&mut plain, &mut watched] {
                game.tick();
                game.plain();
                let error = game.fallible().unwrap_err();
                assert_eq!(error.system, "refuse");
            }
            assert_eq!(plain.hash(), watched.hash(), "{parallelism:?}, turn {turn}");
        }
        // a system that fails is no step, and neither is one whose group is closed
        let steps = names(&steps);
        assert!(!steps.contains(&"refuse".into()) && !steps.contains(&"gated".into()));
    }
}

#[test]
fn a_panic_leaves_the_same_world_and_the_function() {
    let (mut plain, mut watched) = (game(), game());
    let steps = watch(&mut watched);
    for game in [&mut plain, &mut watched] {
        game.resource_mut::<Open>().0 = true;
        assert!(catch_unwind(AssertUnwindSafe(|| game.tick())).is_err());
    }
    assert_eq!(plain.hash(), watched.hash());
    let seen = names(&steps);
    assert!(seen.contains(&"gated_spawn (commands)".into()) && !seen.contains(&"fail".into()));
    watched.plain();
    assert_eq!(names(&steps), ["count", "other", "again"]);
}

#[test]
fn a_function_that_panics_watches_no_longer() {
    let mut game = game();
    game.watch_systems(|_, step| assert_ne!(step.system, "other", "enough"));
    assert!(catch_unwind(AssertUnwindSafe(|| game.plain())).is_err());
    game.plain();
    assert!(game.query::<&Other>().len() == 200);
}

#[test]
fn copies_are_not_watched_and_a_restored_world_still_is() {
    let mut game = game();
    let steps = watch(&mut game);
    let before = game.snapshot();
    let mut copy = game.clone();
    copy.plain();
    assert!(names(&steps).is_empty());
    game.plain();
    game.restore(&before);
    game.plain();
    assert_eq!(names(&steps).len(), 8); // the observer and three systems, twice
    assert_eq!(game.hash(), copy.hash());
}

#[test]
fn a_schedule_that_was_built_at_run_time_is_watched() {
    let (mut plain, mut watched) = (game(), game());
    let steps = watch(&mut watched);
    let run = |game: &mut Game| {
        let mut schedule = Schedule::<Game>::new("frame");
        schedule.add::<count>(game, 0).unwrap();
        schedule.add::<spawn>(game, 1).unwrap();
        schedule.add_exclusive(game, "whole", 2, |game: &mut Game| game.plain()).unwrap();
        schedule.run(game).unwrap();
    };
    run(&mut plain);
    run(&mut watched);
    assert_eq!(plain.hash(), watched.hash());
    let seen = names(&steps);
    assert_eq!(seen[..3], ["greet", "count", "spawn"]);
    assert_eq!(seen.last().map(String::as_str), Some("whole"));
    assert!(seen.contains(&"spawn (commands)".into()));
}

#[test]
fn commands_of_the_program_are_steps_without_a_name() {
    let mut game = game();
    let steps = watch(&mut game);
    game.with_commands(|mut commands| _ = commands.spawn(Count(1)));
    let seen = steps.lock().unwrap().clone();
    assert_eq!((seen[0].0.schedule, seen[0].0.system, seen[0].0.part), ("", "", StepPart::Commands));
}

/// What an exclusive system does with the world while it is watched.
#[derive(Resource, Clone, Default)]
enum Act {
    #[default]
    None,
    Stop,
    Watch(fn(&mut Actor)),
    Do(fn(&mut Actor)),
    Command(fn(&mut Actor)),
}
#[derive(Component, Clone)]
struct Text(String);

world! {
    #[derive(Clone)]
    struct Actor { components { Text, ChildOf } resources { Act } }
    schedule tick { write, name_one; act; write as write_again, name_one as name_again; inner_write; inner }
    schedule inner { write as inner_write_again; send }
}

#[system(Actor, par)]
fn write(text: &mut Text) {
    text.0.push('x');
}
#[system(Actor)]
fn inner_write(text: &mut Text) {
    text.0.push('y');
}
#[system(Actor)]
fn name_one(all: Query<Entity, With<Text>>, mut commands: Commands<Actor>, mut turn: Local<usize>) {
    *turn += 1;
    let parent = all.iter().nth(*turn % 5).unwrap();
    commands.spawn((Text(turn.to_string()), ChildOf(parent)));
    let gone = all.iter().last().unwrap();
    commands.despawn(gone);
}
#[system(Actor)]
fn act(game: &mut Actor) {
    match game.resource::<Act>().clone() {
        Act::Stop => game.stop_watching(),
        Act::Watch(f) | Act::Do(f) => f(game),
        Act::None | Act::Command(_) => {}
    }
}
#[system(Actor)]
fn send(act: Res<Act>, mut commands: Commands<Actor>) {
    if let Act::Command(f) = *act {
        commands.run(f);
        commands.spawn(Text("after".into()));
    }
}

fn actor() -> Actor {
    let mut game = Actor::default();
    game.spawn_batch((0..300).map(|n| Text(n.to_string())));
    game
}

fn texts(game: &Actor) -> Vec<(Entity, String)> {
    game.query::<(Entity, &Text)>().iter().map(|(entity, text)| (entity, text.0.clone())).collect()
}

#[test]
fn worlds_are_replaced_while_they_are_watched() {
    let acts = [
        Act::None,
        Act::Stop,
        Act::Watch(|game| game.watch_systems(|game, _| drop(texts(game)))),
        Act::Do(|game| *game = actor()),
        Act::Do(|game| _ = std::mem::replace(game, actor()).snapshot()),
        Act::Do(|game| {
            let before = game.snapshot();
            game.clear();
            game.spawn_batch((0..9).map(|n| Text(n.to_string())));
            game.restore(&before);
        }),
        Act::Do(|game| {
            let before = game.snapshot();
            game.restore(&before);
            game.stop_watching();
            game.watch_systems(|game, _| drop(texts(game)));
            game.shrink_to_fit();
        }),
        Act::Command(|game| *game = actor()),
        Act::Command(|game| game.stop_watching()),
        Act::Command(|game| game.watch_systems(|game, _| drop(texts(game)))),
        Act::Command(|game| {
            let before = game.snapshot();
            game.clear();
            game.restore(&before);
            game.inner();
        }),
    ];
    for (number, act) in acts.into_iter().enumerate() {
        let (mut plain, mut watched) = (actor(), actor());
        // copies that go on by themselves, made within each step
        watched.watch_systems(|game, _| {
            let mut copy = game.clone();
            *copy.resource_mut::<Act>() = Act::None;
            let before = copy.snapshot();
            copy.tick();
            copy.restore(&before);
            copy.tick();
        });
        for turn in 0..4 {
            for game in [&mut plain, &mut watched] {
                *game.resource_mut::<Act>() = if turn == 1 { act.clone() } else { Act::None };
                _ = catch_unwind(AssertUnwindSafe(|| game.tick()));
            }
            assert_eq!(texts(&plain), texts(&watched), "act {number}, turn {turn}");
        }
    }
}

#[test]
fn functions_that_panic_at_each_step_leave_a_world_that_goes_on() {
    struct Loud;
    impl Drop for Loud {
        fn drop(&mut self) {
            assert!(std::thread::panicking(), "the function was dropped");
        }
    }
    let mut steps = 0;
    loop {
        let (mut game, mut left, loud) = (actor(), steps, Loud);
        game.watch_systems(move |game, _| {
            let _ = (&loud, texts(game));
            assert!(left > 0, "enough");
            left -= 1;
        });
        let panicked = catch_unwind(AssertUnwindSafe(|| game.tick())).is_err();
        if !panicked {
            assert!(catch_unwind(AssertUnwindSafe(|| game.stop_watching())).is_err());
        }
        let mut copy = game.clone();
        game.tick();
        copy.tick();
        assert_eq!(texts(&game), texts(&copy), "step {steps}");
        steps += 1;
        if !panicked {
            break;
        }
    }
    assert!(steps >= 12, "{steps}");
}

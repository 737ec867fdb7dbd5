//! Schedules declared `-> Failures`: a system that fails or panics ends only itself, in every
//! executor.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

use ecs::prelude::*;
use ecs::reflect::ReflectWorld;
use ecs::schedule::{Failures, Parallelism};
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, PartialEq, Debug)]
struct Number(u32);
#[derive(Component, Clone, PartialEq, Debug)]
struct Other(u32);
#[derive(Event, Clone)]
struct Sent(u32);
/// What each of the systems does in a run: 0 to succeed, 1 to fail, 2 to panic with a text, 3 to
/// panic with another payload.
#[derive(Resource, Clone, Default)]
struct Moods([u8; 6]);
#[derive(Resource, Clone, Default, PartialEq, Debug)]
struct Seen {
    read: Vec<u32>,
    runs: [u32; 6],
}

world! {
    #[derive(Clone)]
    struct Game {
        components { Number, Other }
        resources { Moods = Moods::default(), Seen = Seen::default() }
        events { Sent }
    }
    schedule tick -> Failures { first, second if ready; inner; whole; rows, third; read }
    schedule inner -> Failures { nested, quiet }
    schedule quiet { still }
}

type Outcome = Result<(), std::fmt::Error>;

fn end(moods: &Moods, system: usize) -> Outcome {
    match moods.0[system] {
        0 => Ok(()),
        1 => Err(std::fmt::Error),
        2 => panic!("system {system}"),
        _ => std::panic::panic_any(system),
    }
}

#[system(Game)]
fn ready(moods: Res<Moods>) -> bool {
    moods.0[1] < 4
}

#[system(Game)]
fn first(
    moods: Res<Moods>,
    mut numbers: Query<&mut Number>,
    mut commands: Commands<Game>,
    mut sent: EventWriter<Sent>,
    mut runs: Local<u32>,
) -> Outcome {
    *runs += 1;
    numbers.for_each(|number| number.0 += 1);
    let id = commands.spawn(Other(*runs));
    commands.insert(id, Number(0));
    sent.send(Sent(1));
    end(&moods, 0)
}

#[system(Game)]
fn second(moods: Res<Moods>, mut others: Query<&mut Other>, mut sent: EventWriter<Sent>) -> Outcome {
    others.for_each(|other| other.0 += 10);
    sent.send(Sent(2));
    end(&moods, 1)
}

#[system(Game)]
fn nested(moods: Res<Moods>, mut seen: ResMut<Seen>) -> Outcome {
    seen.runs[2] += 1;
    end(&moods, 2)
}

#[system(Game)]
fn still(mut seen: ResMut<Seen>) {
    seen.runs[0] += 1;
}

#[system(Game)]
fn whole(game: &mut Game) -> Outcome {
    game.spawn(Other(1000));
    let moods = game.resource::<Moods>().clone();
    end(&moods, 3)
}

#[system(Game, par)]
fn rows(number: &mut Number, moods: Res<Moods>, mut commands: ParCommands<Game>, entity: Entity) {
    number.0 += 100;
    if number.0.is_multiple_of(7) {
        commands.insert(entity, Other(7));
        end(&moods, 4).expect("rows");
    }
}

#[system(Game)]
fn third(moods: Res<Moods>, mut seen: ResMut<Seen>, mut commands: Commands<Game>) -> Outcome {
    seen.runs[5] += 1;
    commands.spawn(Number(5));
    end(&moods, 5)
}

#[system(Game)]
fn read(mut sent: EventReader<Sent>, mut seen: ResMut<Seen>) {
    seen.read.extend(sent.iter().map(|sent| sent.0));
}

/// What can be seen of a world, and of a run.
type Picture = (Vec<(Entity, Option<Number>, Option<Other>)>, Seen, Failures);

fn picture(game: &Game, failures: Failures) -> Picture {
    let rows = game.query::<(Entity, Option<&Number>, Option<&Other>)>();
    let rows = rows.iter().map(|(entity, number, other)| (entity, number.cloned(), other.cloned()));
    (rows.collect(), game.resource::<Seen>().clone(), failures)
}

fn names(failures: &Failures) -> Vec<(&'static str, bool)> {
    failures.iter().map(|failure| (failure.system, failure.panicked)).collect()
}

#[test]
fn what_a_failed_system_has_written_stays_and_what_it_deferred_is_dropped() {
    let mut game = Game::new();
    let entity = game.spawn((Number(0), Other(0)));
    game.resource_mut::<Moods>().0 = [1, 2, 0, 0, 0, 3];
    let failures = game.tick();
    assert_eq!(names(&failures), [("first", false), ("second", true), ("third", true)]);
    assert_eq!(failures[1].reason, "system 1");
    assert_eq!(failures[2].reason, "");
    let text = failures.to_string();
    assert!(text.starts_with("system `first` of schedule `tick` failed: an error occurred"), "{text}");
    assert_eq!(text.lines().count(), 3);
    // the writes stay; no event was sent, and nothing spawned but by `whole`
    assert_eq!((game.get(entity), game.get(entity)), (Some(&Number(101)), Some(&Other(10))));
    assert_eq!(game.entities().len(), 2);
    assert_eq!(game.resource::<Seen>(), &Seen { read: vec![], runs: [1, 0, 1, 0, 0, 1] });
    // the next run is not touched by it, and the `Local` of the failed system has counted
    *game.resource_mut::<Moods>() = Moods::default();
    assert!(game.tick().is_empty());
    assert_eq!(game.resource::<Seen>().read, [1, 2]);
    assert_eq!(game.query::<&Other>().iter().filter(|other| other.0 == 2).count(), 1);
    assert_eq!(game.entities().len(), 5);
}

#[test]
fn nested_and_exclusive_systems_are_part_of_the_report() {
    let mut game = Game::new();
    game.resource_mut::<Moods>().0 = [0, 0, 1, 2, 0, 0];
    let failures = game.tick();
    assert_eq!(names(&failures), [("nested", false), ("whole", true)]);
    assert_eq!((failures[0].schedule, failures[1].schedule), ("inner", "tick"));
    assert_eq!(game.resource::<Seen>().runs, [1, 0, 1, 0, 0, 1]);
    // alone, the inner schedule reports its own; a failure is reported once
    assert_eq!(names(&game.inner()), [("nested", false)]);
    *game.resource_mut::<Moods>() = Moods::default();
    assert_eq!(game.tick(), Failures::default());
}

#[test]
fn every_number_of_threads_gives_the_same_world() {
    let mut number = 12_345_u32;
    let mut roll = |below: u32| {
        number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (number >> 16) % below
    };
    let mut games = [Parallelism::Never, Parallelism::Always].map(|parallelism| {
        let mut game = Game::new();
        game.set_parallelism(parallelism);
        game.spawn_batch((0..500).map(Number));
        game
    });
    let mut failed = 0;
    for _ in 0..60 {
        let moods = Moods([(); 6].map(|()| if roll(3) == 0 { roll(4) as u8 + 1 } else { 0 }));
        let [one, many] = games.each_mut().map(|game| {
            *game.resource_mut::<Moods>() = moods.clone();
            let failures = game.tick();
            picture(game, failures)
        });
        assert_eq!(one, many, "{:?}", moods.0);
        failed += one.2.len();
    }
    assert!(failed > 60, "{failed}");
    // a copy of the world goes on in the same way
    let mut copy = games[0].clone();
    let [one, other] = [&mut games[0], &mut copy].map(|game| {
        let failures = game.tick();
        picture(game, failures)
    });
    assert_eq!(one, other);
}

/// Whether the hash of a key panics, once.
static IS_ARMED: AtomicBool = AtomicBool::new(false);

#[derive(Component, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[component(index)]
struct Key(u32);
impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        assert!(self.0 != 666 || !IS_ARMED.swap(false, Ordering::SeqCst), "the hash of a key");
        self.0.hash(state);
    }
}
#[derive(Component, Clone, Serialize, Deserialize)]
struct Spawned;
/// Whether the systems fail, and how.
#[derive(Resource, Clone, Default, Serialize, Deserialize)]
struct Mood(u8);
/// Panics in `Display`, or else in `Drop`.
#[derive(Debug)]
struct Bomb(bool);
impl fmt::Display for Bomb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        assert!(!self.0, "the text of an error");
        f.write_str("a bomb")
    }
}
impl std::error::Error for Bomb {}
impl Drop for Bomb {
    fn drop(&mut self) {
        assert!(self.0, "the drop of an error");
    }
}

world! {
    #[derive(Clone, Reflect)]
    struct Odd {
        components { Key, Spawned }
        resources { Mood = Mood::default() }
    }
    schedule bombs -> Failures { bomb; spawn }
    schedule indexed -> Failures { fail, mark, look }
    schedule calling -> Failures { fail; call; }
    schedule called -> Failures { spawn_and_panic }
    schedule replacing -> Failures { fail; replace; }
    schedule asking -> Failures { spawn_and_panic if spawning; spawn }
}

#[system(Odd)]
fn bomb(mood: Res<Mood>) -> Result<(), Bomb> {
    Err(Bomb(mood.0 == 0))
}

#[system(Odd)]
fn spawn(mut commands: Commands<Odd>) {
    commands.spawn(Spawned);
}

#[system(Odd)]
fn fail(mood: Res<Mood>, mut commands: Commands<Odd>) -> Outcome {
    commands.spawn(Spawned);
    if mood.0 == 0 { Err(fmt::Error) } else { Ok(()) }
}

#[system(Odd)]
fn mark(mut keys: Query<Mut<Key>>) {
    keys.iter_mut().for_each(|mut key| key.0 = 666);
}

#[system(Odd)]
fn look(keys: Query<&Key>) {
    assert!(keys.iter().all(|key| key.0 == 666));
}

#[system(Odd)]
fn call(odd: &mut Odd) {
    assert_eq!(odd.called().len(), 1);
}

#[system(Odd)]
fn replace(odd: &mut Odd) {
    *odd = odd.clone();
}

#[system(Odd)]
fn spawn_and_panic(mut commands: Commands<Odd>) {
    commands.spawn(Spawned);
    panic!("after a command");
}

#[system(Odd)]
fn spawning(mut commands: Commands<Odd>) -> bool {
    commands.spawn(Spawned);
    true
}

#[test]
fn an_error_that_panics_ends_only_its_system() {
    for (mood, reason) in [(0, "the text of an error"), (1, "the drop of an error")] {
        let mut odd = Odd::new();
        odd.resource_mut::<Mood>().0 = mood;
        let failures = odd.bombs();
        assert_eq!((&*failures[0].reason, failures[0].panicked, failures.len()), (reason, true, 1));
        assert_eq!(odd.entities().len(), 1);
    }
}

#[test]
fn a_run_that_ends_by_a_panic_leaves_no_failure_for_the_next_one() {
    for parallelism in [Parallelism::Never, Parallelism::Always] {
        let mut odd = Odd::new();
        odd.set_parallelism(parallelism);
        odd.spawn_batch((0..100).map(Key));
        assert_eq!(odd.find::<Key>(&Key(3)).count(), 1);
        IS_ARMED.store(true, Ordering::SeqCst);
        assert!(catch_unwind(AssertUnwindSafe(|| odd.indexed().len())).is_err());
        odd.resource_mut::<Mood>().0 = 1;
        assert_eq!(odd.indexed(), Failures::default(), "{parallelism:?}");
        assert_eq!(odd.entities().len(), 101);
    }
}

#[test]
fn a_schedule_that_a_system_calls_reports_by_itself() {
    assert_eq!(names(&Odd::new().calling()), [("fail", false)]);
}

#[test]
fn failures_outlive_the_world_in_which_they_happened() {
    assert_eq!(names(&Odd::new().replacing()), [("fail", false)]);
}

#[test]
fn the_condition_of_a_failed_system_has_not_failed() {
    let mut odd = Odd::new();
    assert_eq!(names(&odd.asking()), [("spawn_and_panic", true)]);
    assert_eq!(odd.entities().len(), 2);
}

#[test]
fn a_system_that_is_run_by_name_fails_as_in_any_schedule() {
    let mut odd = Odd::new();
    assert!(odd.reflect_mut().run_system("fail").is_err());
    let before = odd.entities().len();
    let run = catch_unwind(AssertUnwindSafe(|| odd.reflect_mut().run_system("spawn_and_panic")));
    assert!(!matches!(run, Ok(Ok(()))));
    assert_eq!(odd.entities().len(), before);
    assert_eq!(odd.reflect().failures().len(), 2);
}

//! Histories of random programs, beside a plain record: clones of the world before each run, and a
//! log in which each system writes what it has changed.

#![allow(elided_lifetimes_in_paths, reason = "systems are written as users write them")]

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};

use ecs::Schedule;
use ecs::prelude::*;
use ecs::reflect::ReflectWorld;
use ecs_history::{Cause, Change, FirstWhen, History, Limit};
use oorandom::Rand32;
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Health(i32);
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(tracked)]
struct Place(u32);
#[derive(Component, Clone, Serialize, Deserialize)]
struct Title(String);
#[derive(Component, Clone, Serialize, Deserialize)]
struct Weak;

#[derive(Event, Clone, Serialize, Deserialize)]
struct Hit(Entity, i32);

#[derive(States, Clone, Copy, PartialEq, Serialize, Deserialize)]
enum Weather {
    Calm,
    Storm,
}

/// The changes of health in this run: the entity, by whom, and the values before and after.
#[derive(Resource, Clone, Default, Serialize, Deserialize)]
struct Log(Vec<(Entity, String, Option<i32>, Option<i32>)>);

impl Log {
    fn note(&mut self, entity: Entity, by: &str, before: Option<i32>, after: Option<i32>) {
        self.0.push((entity, by.into(), before, after));
    }
}

world! {
    #[derive(Clone, Serialize, Deserialize, Reflect)]
    struct Game {
        components { Health, Place, Title, Weak, ChildOf }
        resources { Log, weather: State<Weather> = State::new(Weather::Calm) }
        events { Hit(external) }
    }
    observers { weaken }
    schedule tick {
        transition::<Weather>;
        grow, walk;
        fight, breed;
        storm if in_state::<weather::Storm>;
        nested;
        cull;
    }
    schedule nested { rest; }
}

#[system(Game)]
fn grow(all: Query<(Entity, &mut Health)>, mut log: ResMut<Log>) {
    for (entity, health) in all.into_iter().filter(|(entity, _)| entity.slot() % 3 == 0) {
        log.note(entity, "grow", Some(health.0), Some(health.0 + 1));
        health.0 += 1;
    }
}

#[system(Game, par)]
fn walk(place: Mut<Place>) {
    let mut place = place;
    place.0 = place.0.wrapping_mul(3) + 1;
}

#[system(Game)]
fn fight(
    mut hits: EventReader<Hit>,
    mut all: Query<&mut Health>,
    mut log: ResMut<Log>,
    mut fights: Local<u32>,
) {
    for Hit(target, damage) in &mut hits {
        *fights += 1;
        if let Some(health) = all.get_mut(*target) {
            log.note(*target, "fight", Some(health.0), Some(health.0 - damage));
            health.0 -= damage;
        }
    }
}

#[system(Game)]
fn breed(parents: Query<(Entity, &Place)>, mut commands: Commands<Game>, mut turn: Local<u32>) {
    *turn += 1;
    let chosen = parents.iter().find(|(_, place)| place.0 % 5 == *turn % 5);
    if let Some((parent, place)) = chosen {
        let child = commands.spawn((Place(place.0 / 2), ChildOf(parent)));
        commands.run(move |game: &mut Game| {
            if game.insert(child, Health(7)).is_ok() {
                game.resource_mut::<Log>().note(child, "breed (commands)", None, Some(7));
            }
        });
    }
}

#[system(Game)]
fn storm(game: &mut Game) {
    let all: Vec<(Entity, i32)> = game.query::<(Entity, &Health)>().iter().map(|(e, h)| (e, h.0)).collect();
    for (entity, health) in all.into_iter().filter(|(entity, _)| entity.slot() % 4 == 1) {
        game.get_mut::<Health>(entity).unwrap().0 = health / 2;
        game.resource_mut::<Log>().note(entity, "storm", Some(health), Some(health / 2));
    }
}

#[system(Game)]
fn rest(all: Query<(Entity, &mut Health)>, mut log: ResMut<Log>) {
    for (entity, health) in all.into_iter().filter(|(entity, _)| entity.slot() % 7 == 2) {
        log.note(entity, "rest", Some(health.0), Some(health.0 + 2));
        health.0 += 2;
    }
}

/// An observer.
#[system(Game)]
fn weaken(new: Query<(Entity, &mut Health), Added<Place>>, mut log: ResMut<Log>) {
    for (entity, health) in new {
        log.note(entity, "weaken", Some(health.0), Some(health.0 - 1));
        health.0 -= 1;
    }
}

#[system(Game)]
fn cull(all: Query<(Entity, &Health)>, mut commands: Commands<Game>) {
    for (dead, health) in all.iter().filter(|(_, health)| health.0 <= 0) {
        let before = health.0;
        commands.run(move |game: &mut Game| {
            // a despawned parent takes its children along
            let mut gone = vec![(dead, before)];
            let mut at = 0;
            while let Some(&(parent, _)) = gone.get(at) {
                let children: Vec<Entity> = game.sources::<ChildOf>(parent).to_vec();
                gone.extend(
                    children.into_iter().filter_map(|child| Some((child, game.get::<Health>(child)?.0))),
                );
                at += 1;
            }
            if game.contains(dead) && game.despawn(dead).is_ok() {
                for (entity, before) in gone {
                    game.resource_mut::<Log>().note(entity, "cull (commands)", Some(before), None);
                }
            }
        });
    }
}

/// The seed of the acts of a program between two runs.
#[derive(Clone, Copy)]
struct Plan(u64);

impl Plan {
    /// Acts on the world, as a program does between two runs.
    fn before(self, game: &mut Game, first: &[Entity]) {
        let mut rand = Rand32::new(self.0);
        game.resource_mut::<Log>().0.clear();
        let target = first[rand.rand_range(0..first.len() as u32) as usize];
        match rand.rand_range(0..6) {
            0 => game.send(Hit(target, 3)),
            1 => drop(game.insert(target, Weak)),
            2 => {
                let set = if *game.resource::<State<Weather>>().get() == Weather::Calm {
                    Weather::Storm
                } else {
                    Weather::Calm
                };
                game.resource_mut::<State<Weather>>().set(set).unwrap();
            }
            3 => drop(game.insert(target, Title(format!("number {}", self.0)))),
            4 => game.get_mut::<Health>(target).into_iter().for_each(|health| health.0 += 10),
            _ => {}
        }
    }
}

fn begin() -> (Game, Vec<Entity>) {
    let mut game = Game::default();
    let first = game.spawn_batch((0..40).map(|n| (Health(n % 9), Place(n as u32)))).collect();
    (game, first)
}

/// The changes of an entity's health in a run, one for each step, from the log of the systems.
fn logged(log: &Log, entity: Entity) -> Vec<(String, Option<i32>, Option<i32>)> {
    let mut all: Vec<(String, Option<i32>, Option<i32>)> = Vec::new();
    for (_, by, before, after) in log.0.iter().filter(|entry| entry.0 == entity) {
        match all.last_mut().filter(|last| last.0 == *by) {
            Some(last) => last.2 = *after,
            None => all.push((by.clone(), *before, *after)),
        }
    }
    all.retain(|(_, before, after)| before != after);
    all
}

fn short(change: &Change<Option<Health>>) -> (String, Option<i32>, Option<i32>) {
    let health = |health: &Option<Health>| health.as_ref().map(|health| health.0);
    (change.cause.to_string(), health(&change.before), health(&change.after))
}

/// A program with a history does what it does without, and each state of it is reached again.
#[test]
fn histories_of_random_programs_are_as_a_plain_record() {
    for seed in 0..6 {
        let (mut game, first) = begin();
        let mut plain = game.clone();
        let mut history = History::new(Limit::runs(1000));
        let (mut records, mut logs) = (Vec::new(), Vec::new());
        for run in 0..30 {
            let plan = Plan(seed * 1000 + run);
            plan.before(&mut plain, &first);
            plan.before(&mut game, &first);
            records.push(plain.clone());
            plain.tick();
            logs.push(plain.resource::<Log>().clone());
            history.run(&mut game, Game::tick);
            assert_eq!(game.hash(), plain.hash(), "seed {seed}, run {run}");
        }
        records.push(plain);

        // to every run, in a random order
        let mut rand = Rand32::new(seed);
        for _ in 0..60 {
            let run = rand.rand_range(0..31);
            history.go_to(&mut game, run.into()).unwrap();
            assert_eq!(game.hash(), records[run as usize].hash(), "seed {seed}, before run {run}");
        }
        history.go_to(&mut game, 30).unwrap();

        // who has changed which value
        let mut entities: Vec<Entity> =
            records.iter().flat_map(|game| game.entities().iter().collect::<Vec<_>>()).collect();
        entities.sort_unstable();
        entities.dedup();
        let mut found_causes = BTreeMap::new();
        for entity in entities {
            let found = history.changes::<Health>(&game, entity);
            let mut expected = Vec::new();
            for (run, log) in logs.iter().enumerate() {
                let value = |at: usize| records[at].get::<Health>(entity).map(|health| health.0);
                let (before, after) = (value(run), value(run + 1));
                if before == after {
                    continue;
                }
                let mut all = logged(log, entity);
                let reached = all.last().map_or(before, |last| last.2);
                if reached != after {
                    all.push(("outside".into(), reached, after));
                }
                expected.extend(all.into_iter().map(|change| (run as u64, change)));
            }
            let found: Vec<_> = found.iter().map(|change| (change.run, short(change))).collect();
            assert_eq!(found, expected, "seed {seed}, {entity:?}");
            let last = history.last_change::<Health>(&game, entity);
            assert_eq!(last.as_ref().map(short), expected.last().map(|(_, change)| change.clone()));
            found.into_iter().for_each(|(_, (cause, ..))| *found_causes.entry(cause).or_insert(0) += 1);
        }
        assert!(found_causes.len() >= 6, "the program does too little: {found_causes:?}");
        assert!(history.verify(&game, Game::hash).is_ok());
    }
}

/// A game and its history after some runs.
fn played(seed: u64, runs: u64) -> (Game, Vec<Entity>, History<Game>) {
    let (mut game, first) = begin();
    let mut history = History::new(Limit::runs(1000));
    for run in 0..runs {
        Plan(seed * 1000 + run).before(&mut game, &first);
        history.run(&mut game, Game::tick);
    }
    (game, first, history)
}

#[test]
fn a_run_is_gone_through_step_by_step_in_both_directions() {
    let (game, _, history) = played(3, 12);
    let hash = game.hash();
    for run in 0..12 {
        // the hash after each step, from one repetition
        let mut plain = history_state(&history, &game, run);
        let expected = std::sync::Arc::new(std::sync::Mutex::new(vec![(plain.hash(), String::new())]));
        let seen = expected.clone();
        plain.watch_systems(move |game, step| seen.lock().unwrap().push((game.hash(), step.to_string())));
        plain.tick();
        plain.stop_watching();
        let expected = expected.lock().unwrap();

        let mut inside = history.inside(&game, run).unwrap();
        assert_eq!(inside.steps().len() + 1, expected.len());
        assert!(inside.steps().iter().any(|step| step.schedule == "nested" && step.system == "rest"));
        let mut rand = Rand32::new(run);
        for _ in 0..20 {
            let to = rand.rand_range(0..expected.len() as u32) as usize;
            assert_eq!(inside.go_to(to), to);
            assert_eq!(inside.world().hash(), expected[to].0, "run {run}, step {to}");
            assert_eq!(inside.last().map(ToString::to_string).unwrap_or_default(), expected[to].1);
        }
        inside.go_to(0);
        let mut names = Vec::new();
        while let Some(step) = inside.step() {
            names.push(step.to_string());
        }
        assert!(names.iter().eq(expected[1..].iter().map(|(_, name)| name)));
        assert_eq!(inside.step(), None);
        assert_eq!(inside.back().map(ToString::to_string), names.last().cloned());
        assert_eq!(inside.world().hash(), expected[names.len() - 1].0);
    }
    assert_eq!(game.hash(), hash);
}

/// The world before a run.
fn history_state(history: &History<Game>, game: &Game, run: u64) -> Game {
    let mut world = game.clone();
    world.restore(history.at(run).unwrap());
    world
}

#[test]
fn stages_and_systems_are_gone_to() {
    let (game, _, history) = played(1, 3);
    let mut inside = history.inside(&game, 2).unwrap();
    inside.go_to(0);
    inside.stage(); // `transition`
    assert_eq!(inside.stage(), inside.position());
    assert_eq!(inside.last().map(|step| step.system), Some("walk"));
    assert!(inside.run_to("cull"));
    assert_eq!(inside.steps()[inside.position()].system, "cull");
    assert!(!inside.run_to("grow"), "it has run already");
    inside.go_to(0);
    assert!(inside.run_to("breed") && inside.run_to("breed (commands)"));
    assert_eq!(inside.steps()[inside.position()].to_string(), "breed (commands)");
    assert!(!inside.run_to("breed"), "its commands are another step");
    inside.go_to(usize::MAX);
    assert_eq!(inside.position(), inside.steps().len());
    assert_eq!(inside.stage(), inside.position());
}

#[test]
fn the_future_that_was_given_up_is_a_branch() {
    let (mut game, first, mut history) = played(2, 8);
    let end = game.hash();
    history.go_to(&mut game, 5).unwrap();
    let five = game.hash();
    game.get_mut::<Health>(first[12]).unwrap().0 += 100;
    history.run(&mut game, Game::tick);
    let other = game.hash();
    assert_eq!((history.runs(), history.position()), (0..6, 6));
    assert_eq!(history.branches().len(), 1);
    assert_eq!(history.branches()[0].runs(), 5..8);

    // the change at the earlier position belongs to the new run
    assert_eq!(history.back(&mut game), Some(5));
    assert_ne!(game.hash(), five);
    assert_eq!(history.forward(&mut game), Some(6));
    assert_eq!(game.hash(), other);
    assert_eq!(history.forward(&mut game), None);

    // from branch to branch
    history.switch_to(&mut game, 0).unwrap();
    assert_eq!((history.runs(), history.position(), game.hash()), (0..8, 8, end));
    assert_eq!(history.branches()[0].runs(), 5..6);
    history.go_to(&mut game, 5).unwrap();
    assert_eq!(game.hash(), five);
    history.switch_to(&mut game, 0).unwrap();
    assert_eq!((history.runs(), game.hash()), (0..6, other));

    let bytes = history.bytes();
    history.drop_branch(0);
    assert!(history.branches().is_empty() && history.bytes() < bytes);
}

#[test]
fn the_oldest_runs_are_forgotten_first() {
    let (mut game, first) = begin();
    let mut history = History::new(Limit::runs(5));
    for run in 0..12 {
        Plan(run).before(&mut game, &first);
        history.run(&mut game, Game::tick);
    }
    assert_eq!(history.runs(), 7..12);
    let hash = game.hash();
    let error = history.go_to(&mut game, 6).unwrap_err();
    assert_eq!(error.to_string(), "the history has no run 6: it goes from 7 to 12");
    assert!(history.at(12).is_err() && history.at(7).is_ok() && history.inside(&game, 3).is_err());
    assert!(history.go_to(&mut game, 13).is_err());
    assert_eq!((game.hash(), history.position()), (hash, 12));

    // by bytes: each run writes the places, and there is room for a few of them
    let mut history = History::new(Limit::runs(50));
    history.run(&mut game, Game::tick);
    let one = history.bytes();
    let mut bounded = History::new(Limit::bytes(one * 4));
    for _ in 0..50 {
        history.run(&mut game, Game::tick);
        bounded.run(&mut game, Game::tick);
        assert!(bounded.bytes() <= one * 4);
    }
    assert!(bounded.runs().count() > 2 && history.bytes() > bounded.bytes());
    let tiny = &mut History::new(Limit::runs(50).and_bytes(1));
    (0..3).for_each(|_| tiny.run(&mut game, Game::tick));
    assert_eq!(tiny.runs(), 2..3);
}

#[test]
fn pages_that_snapshots_share_are_counted_once() {
    let (mut game, _) = begin();
    game.enable_named("walk", false);
    let mut history = History::new(Limit::runs(100));
    history.run(&mut game, |_: &mut Game| ());
    let one = history.bytes();
    (0..20).for_each(|_| history.run(&mut game, |_: &mut Game| ()));
    assert_eq!(history.bytes(), one);
    while history.back(&mut game).is_some() {}
    assert_eq!(history.bytes(), one);
}

#[test]
fn states_that_were_thinned_out_are_reached_by_repetition() {
    let (mut game, first) = begin();
    let mut history = History::new(Limit::runs(100));
    let mut hashes = Vec::new();
    for run in 0..30 {
        hashes.push(game.hash());
        let target = first[run % 40];
        // the input is in the run
        history.run(&mut game, move |game: &mut Game| {
            game.send(Hit(target, 2));
            game.tick();
        });
    }
    hashes.push(game.hash());
    let (whole, bytes) = (history.changes::<Health>(&game, first[3]), history.bytes());
    history.thin(5, 10);
    assert!(history.bytes() < bytes);
    assert_eq!(history.at(13).unwrap_err().to_string(), "the state before run 13 was thinned out");
    assert!(history.at(20).is_ok() && history.at(0).is_ok() && history.at(25).is_ok());
    // where states are missing, a run that has changed a value and changed it back is found, too
    let mut thinned = history.changes::<Health>(&game, first[3]);
    thinned.retain(|change| change.run > 0);
    assert_eq!(thinned, whole);
    for run in [13, 29, 9, 0, 30, 21] {
        history.go_to(&mut game, run as u64).unwrap();
        assert_eq!(game.hash(), hashes[run], "before run {run}");
    }
    assert!(history.verify(&game, Game::hash).is_ok());
}

#[test]
fn a_run_that_panics_is_the_last_one() {
    let (mut game, first, mut history) = played(4, 4);
    let (hash, victim) = (game.hash(), first[9]);
    let panicking = move |game: &mut Game| {
        game.get_mut::<Health>(victim).into_iter().for_each(|health| health.0 = 77);
        game.tick();
        panic!("on purpose");
    };
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        history.run(&mut game, panicking);
    }));
    assert!(caught.is_err());
    let last = history.last_change::<Health>(&game, victim).unwrap();
    assert_eq!(last.run, 4);
    assert!(history.changes::<Health>(&game, victim).iter().any(|change| change.after == Some(Health(77))));
    assert!(history.inside(&game, 4).unwrap().steps().len() > 5);
    assert_eq!(history.back(&mut game), Some(4));
    assert_eq!(game.hash(), hash);
}

#[test]
fn a_schedule_that_was_built_at_run_time_goes_back_with_the_world() {
    let (mut game, first) = begin();
    let mut schedule = Schedule::<Game>::new("frame");
    schedule.add::<grow>(&mut game, 0).unwrap();
    schedule.add::<breed>(&mut game, 1).unwrap();
    schedule.add::<cull>(&mut game, 2).unwrap();
    let mut history = History::new(Limit::runs(100));
    let mut hashes = Vec::new();
    for _ in 0..10 {
        hashes.push(game.hash());
        history.run_schedule(&mut game, &mut schedule).unwrap();
    }
    let changes = history.changes::<Health>(&game, first[12]);
    assert_eq!(changes.len(), 9); // in the first run, an observer takes one away again
    assert!(changes.iter().all(|change| change.cause.to_string() == "grow"));
    history.go_to(&mut game, 4).unwrap();
    assert_eq!(game.hash(), hashes[4]);
    let mut schedule = history.schedule(4).unwrap().unwrap();
    for hash in &hashes[4..] {
        assert_eq!(game.hash(), *hash);
        schedule.run(&mut game).unwrap();
    }
    assert!(history.schedule(10).is_err());
}

#[test]
fn values_are_asked_for_by_name_and_conditions_by_run() {
    let (mut game, first, mut history) = played(5, 10);
    let hero = first[6];
    let by_name = history.changes_of(&game, move |game: &Game| {
        let value = game.reflect().read(hero, "Health").ok();
        value.map(|value| value.to_string())
    });
    let by_type = history.changes::<Health>(&game, hero);
    assert_eq!(by_name.len(), by_type.len());
    assert!(by_name.iter().zip(&by_type).all(|(one, two)| (one.run, one.cause) == (two.run, two.cause)));

    game.get_mut::<Health>(hero).unwrap().0 = 1000;
    history.run(&mut game, Game::tick);
    let rich = |game: &Game| game.get::<Health>(hero).is_some_and(|health| health.0 >= 900);
    assert_eq!(history.first_when(&game, rich), FirstWhen::After(9)); // the program, before run 10
    assert_eq!(history.first_when(&game, |game| game.contains(hero)), FirstWhen::Before);
    assert_eq!(history.first_when(&game, |game| !game.contains(hero)), FirstWhen::Never);

    let late = game.spawn(Weak);
    assert_eq!(history.when_spawned(&game, late), Some((10, Cause::Outside)));
    assert_eq!(history.when_spawned(&game, hero), None);
    assert_eq!(history.when_despawned(&game, hero), None);
}

#[test]
fn what_reads_outside_of_the_world_is_found() {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let (mut game, first, mut history) = played(6, 5);
    assert!(history.verify(&game, Game::hash).is_ok());
    let target = first[12];
    history.run(&mut game, move |game: &mut Game| {
        game.tick();
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        drop(game.insert(target, Title(count.to_string())));
    });
    history.run(&mut game, Game::tick);
    let error = history.verify(&game, Game::hash).unwrap_err();
    assert_eq!((error.run, error.step), (5, None));
    assert_eq!(
        error.to_string(),
        "run 5 has another result each time it is repeated: it reads something outside of the \
         world, in no system of a schedule"
    );
}

/// The runs of a history as hashes: of the world before each run, with the turn in which it was
/// made, and after the last one.
#[derive(Clone, Default)]
struct Line {
    before: Vec<(u64, u64)>,
    end: u64,
}

impl Line {
    /// The runs from a number on, with that number and the turn of the run before them.
    fn cut(&mut self, from: usize) -> (usize, Option<u64>, Line) {
        let before = self.before.split_off(from);
        (from, self.before.last().map(|run| run.1), Line { before, end: self.end })
    }
}

/// Moves in a random order lead to the states that a list of hashes has, branches too.
#[test]
fn random_moves_are_as_in_lists_of_hashes() {
    for seed in 0..8 {
        let (mut rand, (mut game, first)) = (Rand32::new(seed), begin());
        let mut history = History::new(Limit::runs(usize::MAX));
        let mut line = Line { before: Vec::new(), end: game.hash() };
        let mut branches: Vec<(usize, Option<u64>, Line)> = Vec::new();
        for turn in 0..250 {
            let (runs, position) = (line.before.len(), history.position() as usize);
            match rand.rand_range(0..9) {
                // a run, after changes of the program
                0..=3 => {
                    if rand.rand_range(0..2) == 0 {
                        Plan(seed * 1000 + turn).before(&mut game, &first);
                    }
                    if position < runs {
                        branches.push(line.cut(position));
                    }
                    line.before.push((game.hash(), turn));
                    history.run(&mut game, Game::tick);
                    line.end = game.hash();
                }
                4 => assert_eq!(history.back(&mut game), position.checked_sub(1).map(|run| run as u64)),
                5 => assert_eq!(history.forward(&mut game).is_some(), position < runs),
                6 => history.go_to(&mut game, rand.rand_range(0..runs as u32 + 1).into()).unwrap(),
                7 if !branches.is_empty() => {
                    let chosen = rand.rand_range(0..branches.len() as u32) as usize;
                    let (from, parent, _) = branches[chosen];
                    // the run before the branch is in another branch
                    if from.checked_sub(1).and_then(|last| Some(line.before.get(last)?.1)) != parent {
                        assert_eq!(history.switch_to(&mut game, chosen).unwrap_err().run, from as u64 - 1);
                        continue;
                    }
                    history.switch_to(&mut game, chosen).unwrap();
                    let (.., other) = branches.remove(chosen);
                    if from < runs {
                        branches.push(line.cut(from));
                    }
                    line.before.extend(other.before);
                    line.end = other.end;
                }
                8 if branches.len() > 3 => {
                    history.drop_branch(0);
                    branches.remove(0);
                }
                _ => {}
            }
            assert_eq!(
                (history.runs(), history.branches().len()),
                (0..line.before.len() as u64, branches.len())
            );
            let expected = line.before.get(history.position() as usize).map_or(line.end, |run| run.0);
            assert_eq!(game.hash(), expected, "seed {seed}, turn {turn}");
            for (branch, (from, _, line)) in history.branches().iter().zip(&branches) {
                assert_eq!(branch.runs(), *from as u64..(*from + line.before.len()) as u64);
            }
        }
        // each page is counted once, and none that is gone
        (0..branches.len()).for_each(|_| history.drop_branch(0));
        history.go_to(&mut game, history.runs().end).unwrap();
        let mut pages = BTreeMap::new();
        for run in history.runs() {
            history.at(run).unwrap().for_each_page(|page, bytes| _ = pages.insert(page, bytes));
        }
        assert_eq!(history.bytes(), pages.values().sum::<usize>());
    }
}

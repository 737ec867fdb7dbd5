//! Events that a system changes on their way, and events that bubble and are changed.

use ecs::prelude::*;
use ecs::relation::{Bubbling, bubble};
use ecs::schedule::Parallelism;
use serde::{Deserialize, Serialize};

#[derive(Event, Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Hit(Vec<u32>);
#[derive(Resource, Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
struct Log(Vec<String>);
#[derive(Resource, Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
struct Early(Vec<String>);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Game {
        resources { Log = Log::default(), Early = Early::default() }
        events { Hit(external) }
    }
    schedule tick { early, double, push_one, log }
    schedule failing -> Result { double, fail }
}

#[system(Game)]
fn early(mut hits: EventReader<Hit>, mut log: ResMut<Early>) {
    log.0.extend(hits.iter().map(|hit| format!("{:?}", hit.0)));
}
#[system(Game)]
fn double(mut hits: EventMutator<Hit>) {
    for hit in &mut hits {
        hit.0.iter_mut().for_each(|damage| *damage *= 2);
    }
    assert!(hits.is_empty() && hits.iter_mut().next().is_none());
}
#[system(Game)]
fn push_one(mut hits: EventMutator<Hit>) {
    assert_eq!((hits.len(), hits.missed()), (hits.iter_mut().len(), 0));
}
#[system(Game)]
fn log(mut hits: EventReader<Hit>, mut log: ResMut<Log>) {
    log.0.extend(hits.iter().map(|hit| format!("{:?}", hit.0)));
}
#[system(Game)]
fn fail() -> Result<(), std::fmt::Error> {
    Err(std::fmt::Error)
}

fn hits(game: &mut Game) {
    (1..4).for_each(|damage| game.send(Hit(vec![damage])));
}

#[test]
fn later_readers_see_the_change_and_earlier_ones_do_not() {
    let mut game = Game::new();
    hits(&mut game);
    game.tick();
    game.tick();
    assert_eq!(game.resource::<Early>().0, ["[1]", "[2]", "[3]"]);
    assert_eq!(game.resource::<Log>().0, ["[2]", "[4]", "[6]"]);
}

#[test]
fn the_result_does_not_depend_on_threads() {
    let run = |threads: Parallelism| {
        let mut game = Game::new();
        game.set_parallelism(threads);
        for _ in 0..20 {
            hits(&mut game);
            game.tick();
        }
        game.hash()
    };
    assert_eq!(run(Parallelism::Never), run(Parallelism::Always));
}

#[test]
fn changed_events_are_saved_and_a_failed_run_takes_the_change_back() {
    let mut game = Game::new();
    hits(&mut game);
    let before = game.hash();
    assert!(game.try_run(|game| game.failing()).is_err());
    assert_eq!(game.hash(), before);
    assert!(game.failing().is_err());
    let snapshot = game.snapshot();
    let continued = |mut game: Game| {
        game.tick();
        game.resource::<Log>().0.clone()
    };
    let expected = ["[4]", "[8]", "[12]"];
    assert_eq!(continued(game.clone()), expected);
    assert_eq!(continued(Game::load(&game.to_bytes().unwrap()).unwrap()), expected);
    game.tick();
    game.restore(&snapshot);
    assert_eq!(continued(game), expected);
}

#[test]
fn a_mutator_is_called_as_a_function_and_reads_in_one_run() {
    let mut events = [Hit(vec![3])];
    double(EventMutator::new(&mut events));
    assert_eq!(events, [Hit(vec![6])]);
    let mut game = Game::new();
    hits(&mut game);
    game.run::<double>();
    assert_eq!(game.drain::<Hit>().next(), Some(Hit(vec![2])));
}

/// A hit that goes up a tree, and loses damage at each shield on its way.
#[derive(Clone)]
struct Blow(i32);
#[derive(Component)]
struct Shield(i32);
#[derive(Component)]
struct Health(i32);

world! {
    struct Battle {
        components { Shield, Health, ChildOf }
        events { Bubbling<Blow> }
    }
    observers { absorb, wound, bubble::<Blow, ChildOf> } max 64
}

#[system(Battle)]
fn absorb(mut blows: EventMutator<Bubbling<Blow>>, shields: Query<&Shield>) {
    for blow in &mut blows {
        let strength = shields.get(blow.entity()).map_or(0, |shield| shield.0);
        blow.event_mut().0 -= strength;
        if blow.event().0 <= 0 {
            blow.stop_propagation();
        }
    }
}
#[system(Battle)]
fn wound(mut blows: EventReader<Bubbling<Blow>>, mut healths: Query<&mut Health>) {
    for blow in &mut blows {
        if let Some(health) = healths.get_mut(blow.entity()) {
            health.0 -= blow.event().0.max(0);
        }
    }
}

#[test]
fn a_bubbling_event_is_changed_on_its_way() {
    let mut battle = Battle::new();
    let body = battle.spawn((Health(20), Shield(1)));
    let arm = battle.spawn((Health(20), Shield(2), ChildOf(body)));
    let hand = battle.spawn((Health(20), ChildOf(arm)));
    let health = |battle: &Battle| [hand, arm, body].map(|part| battle.get::<Health>(part).unwrap().0);
    battle.send(Bubbling::new(hand, Blow(5)));
    battle.run_observers();
    assert_eq!(health(&battle), [15, 17, 18]);
    battle.send(Bubbling::new(hand, Blow(2)));
    battle.run_observers();
    assert_eq!(health(&battle), [13, 17, 18]);
}

//! `Single` and `Populated`: when they skip their system, and what a skipped system leaves.

use ecs::error::SingleError;
use ecs::prelude::*;
use ecs::schedule::Parallelism;
use ecs::{Schedule, SystemParam};

#[derive(Component, Clone, Debug, PartialEq)]
struct Position(i32);
#[derive(Component, Clone, Debug, PartialEq)]
#[component(tracked)]
struct Health(i32);
#[derive(Component, Clone)]
struct Player;
#[derive(Component, Clone)]
struct Wolf;
#[derive(Resource, Clone, Default, Debug, PartialEq)]
struct Log(Vec<String>);
#[derive(Event, Clone)]
struct Howl(i32);

world! {
    #[derive(Clone)]
    struct Game {
        components { Position, Health, Player, Wolf }
        resources { Log = Log::default() }
        events { Howl(keep = 8) }
    }
    schedule tick { howl; follow, hear, wound }
    schedule asked { note if alone, other if !alone }
    schedule careful -> Result { checked; note }
    schedule each { chase }
    schedule spread { chase_par }
    schedule maybe { optional; populated }
    schedule nested { grouped; grouped_tuple }
}

#[system(Game)]
fn howl(mut howls: EventWriter<Howl>, mut turn: Local<i32>) {
    *turn += 1;
    howls.send(Howl(*turn));
}

#[system(Game)]
fn follow(
    mut player: Single<&mut Position, With<Player>>,
    mut runs: Local<u32>,
    mut commands: Commands<Game>,
) {
    *runs += 1;
    player.0 += *runs as i32;
    commands.spawn(Wolf);
}

/// Reads events only while there is one player.
#[system(Game)]
fn hear(player: Single<Entity, With<Player>>, mut howls: EventReader<Howl>, mut log: ResMut<Log>) {
    assert_eq!((*player, player.get()), (player.entity(), player.entity()));
    log.0.extend(howls.iter().map(|Howl(turn)| format!("howl {turn}")));
}

/// Sees what has changed since it last ran.
#[system(Game)]
fn wound(_: Single<&Player>, changed: Query<&Health, Changed<Health>>, mut log: ResMut<Log>) {
    log.0.push(format!("changed {}", changed.len()));
}

#[test]
fn a_system_runs_only_while_exactly_one_entity_matches() {
    let mut game = Game::new();
    game.tick();
    assert!(game.query::<&Wolf>().is_empty(), "none matches");
    let player = game.spawn((Position(0), Player));
    game.tick();
    assert_eq!((game.get(player), game.query::<&Wolf>().len()), (Some(&Position(1)), 1));
    let second = game.spawn((Position(0), Player));
    game.tick();
    assert_eq!(game.query::<&Wolf>().len(), 1, "two match");
    game.despawn(second).unwrap();
    game.tick();
    assert_eq!(game.get(player), Some(&Position(3)), "the `Local` counted the runs");
}

#[test]
fn a_skipped_system_leaves_events_and_changes_for_its_next_run() {
    let mut game = Game::new();
    let player = game.spawn((Position(0), Player));
    game.tick();
    game.resource_mut::<Log>().0.clear();
    game.remove::<Player>(player).unwrap();
    game.spawn(Health(1));
    game.tick();
    game.spawn(Health(2));
    game.tick();
    assert!(game.resource::<Log>().0.is_empty());
    game.insert(player, Player).unwrap();
    game.tick();
    assert_eq!(game.resource::<Log>().0, ["howl 2", "howl 3", "howl 4", "changed 2"]);
}

#[system(Game)]
fn alone(_: Single<&Player>, wolves: Query<&Wolf>) -> bool {
    wolves.is_empty()
}

#[system(Game)]
fn note(mut log: ResMut<Log>) {
    log.0.push("note".into());
}

#[system(Game)]
fn other(mut log: ResMut<Log>) {
    log.0.push("other".into());
}

#[test]
fn a_condition_that_is_skipped_is_false() {
    let mut game = Game::new();
    game.asked();
    game.spawn(Player);
    game.asked();
    game.spawn(Wolf);
    game.asked();
    assert_eq!(game.resource::<Log>().0, ["other", "note", "other"]);
}

#[system(Game)]
fn checked(player: Single<&Health, With<Player>>) -> Result<(), String> {
    if player.0 > 0 { Ok(()) } else { Err("the player is dead".into()) }
}

#[test]
fn a_skipped_system_has_not_failed() {
    let mut game = Game::new();
    game.careful().unwrap();
    let player = game.spawn((Health(1), Player));
    game.careful().unwrap();
    game.get_tracked::<Health>(player).unwrap().0 = 0;
    assert_eq!(game.careful().unwrap_err().system, "checked");
    assert_eq!(game.resource::<Log>().0, ["note", "note"]);
}

#[system(Game)]
fn health(player: Single<&Health, With<Player>>) -> Option<i32> {
    Some(player.0)
}

#[test]
fn a_skipped_system_that_is_run_by_itself_returns_nothing() {
    let mut game = Game::new();
    assert_eq!((game.run::<health>(), game.run::<alone>()), (None, false));
    game.run::<follow>();
    game.spawn((Health(3), Player, Position(0)));
    assert_eq!((game.run::<health>(), game.run::<alone>()), (Some(3), true));
    game.run::<follow>();
    assert_eq!(game.query::<&Position>().single(), Ok(&Position(1)));
}

#[system(Game)]
fn chase(position: &mut Position, _: (With<Wolf>, Without<Player>), player: Single<&Position, With<Player>>) {
    position.0 += (player.0 - position.0).signum();
}

#[system(Game, par)]
fn chase_par(
    position: &mut Position,
    _: (With<Wolf>, Without<Player>),
    player: Single<&Position, With<Player>>,
) {
    position.0 += (player.0 - position.0).signum();
}

#[test]
fn per_entity_systems_share_the_single_entity() {
    let mut game = Game::new();
    game.spawn_batch((0..2000).map(|n| (Wolf, Position(n))));
    for schedule in [Game::each, Game::spread] {
        schedule(&mut game);
    }
    assert!(game.query::<&Position>().iter().map(|position| position.0).eq(0..2000), "there is no player");
    game.spawn((Player, Position(1000)));
    for schedule in [Game::each, Game::spread] {
        schedule(&mut game);
    }
    let wolves = game.query::<&Position>().filter::<With<Wolf>>();
    assert!(
        wolves
            .iter()
            .zip(0..)
            .all(|(position, n): (_, i32)| (position.0 - n).abs() == (1000 - n).abs().min(2))
    );
}

#[system(Game)]
fn optional(player: Option<Single<(Entity, &mut Position), With<Player>>>, mut log: ResMut<Log>) {
    log.0.push(match player {
        Some(player) => format!("player at {}", player.into_inner().1.0),
        None => "no player".into(),
    });
}

#[system(Game)]
fn populated(mut players: Populated<&mut Position, With<Player>>, mut log: ResMut<Log>) {
    for position in &mut players {
        position.0 += 1;
    }
    log.0.push(format!("{} players", players.len()));
}

#[test]
fn an_optional_single_skips_only_if_there_are_several() {
    let mut game = Game::new();
    game.maybe();
    game.spawn((Player, Position(4)));
    game.maybe();
    game.spawn((Player, Position(4)));
    game.maybe();
    assert_eq!(game.resource::<Log>().0, ["no player", "player at 4", "1 players", "2 players"]);
}

#[derive(SystemParam)]
struct Party<'w> {
    player: Single<'w, (Entity, &'static mut Position), With<Player>>,
    wolves: Populated<'w, &'static Wolf>,
    log: ResMut<'w, Log>,
}

#[system(Game)]
fn grouped(mut party: Party) {
    let (entity, position) = party.player.get_mut();
    position.0 += 1;
    assert_eq!(entity, party.player.entity());
    let at = party.player.get().1.0;
    party.log.0.push(format!("{} wolves, {at}", party.wolves.len()));
}

type Lonely<'w> = (Single<'w, &'static Player>, ResMut<'w, Log>);

#[system(Game)]
fn grouped_tuple((_player, mut log): Lonely<'_>) {
    log.0.push("tuple".into());
}

#[test]
fn fields_and_elements_skip_the_system_too() {
    let mut game = Game::new();
    game.nested();
    game.spawn((Player, Position(0)));
    game.nested();
    game.spawn(Wolf);
    game.nested();
    assert_eq!(game.resource::<Log>().0, ["tuple", "1 wolves, 1", "tuple"]);
}

#[test]
fn a_closure_is_skipped_like_a_system() {
    let mut game = Game::new();
    let mut schedule = Schedule::<Game>::new("closures");
    schedule
        .add_fn(&mut game, "count", 0, |_: Single<&Player>, mut log: ResMut<Log>| log.0.push("ran".into()))
        .unwrap();
    schedule.add_fn(&mut game, "fail", 1, |_: Single<&Wolf>| Err::<(), _>("a wolf")).unwrap();
    schedule.run(&mut game).unwrap();
    game.spawn(Player);
    schedule.run(&mut game).unwrap();
    game.spawn(Wolf);
    assert_eq!(schedule.run(&mut game).unwrap_err().system, "fail");
    assert_eq!(game.resource::<Log>().0, ["ran", "ran"]);
}

#[test]
fn every_executor_skips_the_same() {
    let run = |parallelism, timed, steps: &[u32]| {
        let mut game = Game::new();
        game.set_parallelism(parallelism);
        game.time_systems(timed);
        for step in steps {
            match step % 4 {
                0 => _ = game.spawn((Player, Position(0), Health(1))),
                1 => {
                    let first = game.query::<(Entity, &Player)>().iter().next().map(|(entity, _)| entity);
                    first.map(|entity| game.despawn(entity));
                }
                _ => {}
            }
            game.tick();
            game.asked();
            game.careful().unwrap();
            game.maybe();
            game.nested();
        }
        let positions: Vec<Position> = game.query::<&Position>().iter().cloned().collect();
        (game.resource::<Log>().clone(), positions, game.query::<&Wolf>().len())
    };
    let steps = [2, 0, 2, 0, 2, 1, 2, 1, 2, 2, 0, 0, 1, 2];
    let expected = run(Parallelism::Never, false, &steps);
    assert!(expected.0.0.len() > 40 && expected.2 > 3);
    for (parallelism, timed) in [
        (Parallelism::Never, true),
        (Parallelism::Auto, false),
        (Parallelism::Always, false),
        (Parallelism::Always, true),
    ] {
        assert_eq!(run(parallelism, timed, &steps), expected);
    }
}

#[test]
fn a_system_with_a_single_entity_is_called_as_a_function() {
    let mut game = Game::new();
    let error = Single::new(game.query_mut::<&mut Position>().into_query()).unwrap_err();
    assert_eq!(error, SingleError::NoEntity);
    let (wolf, player) = (game.spawn((Wolf, Position(5))), game.spawn((Player, Position(0))));
    let error = Single::new(game.query_mut::<&mut Position>().into_query()).unwrap_err();
    assert_eq!(error, SingleError::SeveralEntities);
    let mut other = game.clone();
    let single = Single::new(game.query_mut::<&Position>().filter::<With<Player>>().into_query()).unwrap();
    assert_eq!(single.entity(), player);
    let mut at = other.query_mut::<&mut Position>();
    chase(at.get_mut(wolf).unwrap(), (ecs_filter(), ecs_filter()), single);
    assert_eq!(other.get(wolf), Some(&Position(4)));
    assert!(Populated::new(other.query_mut::<&Health>().into_query()).is_none());
}

/// A filter has no values that a test could make, so this one is that of a query.
fn ecs_filter<F: ecs::query::Filter>() -> F {
    F::VALUE
}

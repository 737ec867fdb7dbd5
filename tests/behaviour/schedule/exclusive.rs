//! Systems that take the world itself.

use ecs::prelude::*;
use ecs_tests::fuse::panic_message;

#[derive(Component, Clone, PartialEq, Debug)]
struct Position(i32);
#[derive(Resource, Clone, Default, Debug, PartialEq)]
struct Log(Vec<String>);
#[derive(Resource, Clone, Default)]
struct Action(Option<fn(&mut Game)>);
#[derive(Resource, Clone, Default)]
struct Stash(Vec<Entity>);
#[derive(Event, Clone)]
struct Ping;

world! {
    #[derive(Clone, )]
    struct Game {
        components { Position }
        resources { Log, Action, Stash }
        events { Ping }
    }
    schedule tick { ping; act; count }
    schedule other { write_other }
    schedule outer { call_tick }
}

#[system(Game)]
fn ping(mut pings: EventWriter<Ping>) {
    pings.send(Ping);
}

#[system(Game)]
fn act(game: &mut Game, mut runs: Local<u32>) {
    *runs += 1;
    let text = format!("act {}", *runs);
    game.resource_mut::<Log>().0.push(text);
    if let Some(action) = game.resource_mut::<Action>().0.take() {
        action(game);
    }
}

#[system(Game)]
fn count(mut pings: EventReader<Ping>, mut log: ResMut<Log>, mut runs: Local<u32>) {
    *runs += 1;
    log.0.push(format!("count {} {}", *runs, pings.iter().count()));
}

#[system(Game)]
fn write_other(mut log: ResMut<Log>) {
    log.0.push("other".into());
}

#[system(Game)]
fn call_tick(game: &mut Game) {
    game.tick();
}

fn with(action: fn(&mut Game)) -> Game {
    let mut game = Game::default();
    game.tick();
    game.resource_mut::<Log>().0.clear();
    game.resource_mut::<Action>().0 = Some(action);
    game
}

fn log(game: &Game) -> Vec<&str> {
    game.resource::<Log>().0.iter().map(String::as_str).collect()
}

#[test]
fn an_exclusive_system_uses_every_verb() {
    let mut game = with(|game| {
        let entity = game.spawn(Position(1));
        let batch: Vec<Entity> = game.spawn_batch((0..100).map(Position)).collect();
        game.insert(entity, Position(5)).unwrap();
        game.despawn(batch[50]).unwrap();
        game.resource_mut::<Stash>().0 = vec![entity];
    });
    game.tick();
    let entity = game.resource::<Stash>().0[0];
    assert_eq!((game.get(entity), game.entities().len()), (Some(&Position(5)), 100));
    assert_eq!(log(&game), ["act 2", "count 2 1"]);
}

#[test]
fn an_exclusive_system_runs_systems_and_other_schedules() {
    let mut game = with(|game| {
        game.other();
        game.run::<count>();
        game.run::<ping>();
    });
    game.tick();
    assert_eq!(log(&game), ["act 2", "other", "count 1 1", "count 2 2"]);
}

#[test]
fn a_schedule_called_from_inside_itself_panics_with_its_name() {
    let mut game = with(|game| game.tick());
    let message = panic_message(|| game.tick());
    assert!(message.contains("`tick`") && message.contains("`Game`"), "{message}");
    game.tick();
    assert_eq!(log(&game), ["act 2", "act 3", "count 2 2"], "the world goes on where it was");
}

#[test]
fn a_schedule_called_from_inside_itself_through_another_panics_too() {
    let mut game = with(|game| game.outer());
    assert!(panic_message(|| game.tick()).contains("`tick`"));
    game.outer();
    assert_eq!(log(&game), ["act 2", "act 3", "count 2 2"]);
}

#[test]
fn a_panicking_exclusive_system_keeps_its_local() {
    let mut game = with(|_| panic!("on purpose"));
    assert_eq!(
        panic_message(|| game.tick()),
        "system `act` of schedule `tick` of world `Game` panicked: on purpose"
    );
    game.tick();
    assert_eq!(log(&game), ["act 2", "act 3", "count 2 2"]);
}

#[test]
fn the_local_of_an_exclusive_system_survives_changes_of_the_world() {
    let mut game = with(|game| game.clear());
    game.tick();
    game.tick();
    assert_eq!(log(&game), ["act 2", "count 2 1", "act 3", "count 3 1"]);
}

#[test]
fn a_world_replaced_by_an_exclusive_system_continues() {
    let mut game = with(|game| *game = Game::default());
    game.spawn(Position(1));
    game.tick();
    assert_eq!((game.entities().len(), game.resource::<Log>().0.len()), (0, 1));
    game.tick();
    game.spawn(Position(2));
    assert_eq!(game.query::<&Position>().len(), 1);
}

#[test]
fn a_world_cloned_by_an_exclusive_system_runs() {
    use std::sync::Mutex;
    static COPY: Mutex<Option<Game>> = Mutex::new(None);
    let mut game = with(|game| *COPY.lock().unwrap() = Some(game.clone()));
    game.tick();
    let mut copy = COPY.lock().unwrap().take().unwrap();
    copy.tick();
    assert_eq!(log(&copy).last().map(|line| line.starts_with("count")), Some(true));
    copy.tick();
}

#[test]
fn a_world_swapped_out_by_an_exclusive_system_runs() {
    use std::sync::Mutex;
    static OLD: Mutex<Option<Game>> = Mutex::new(None);
    let mut game = with(|game| *OLD.lock().unwrap() = Some(std::mem::take(game)));
    game.spawn(Position(1));
    game.tick();
    game.tick();
    let mut old = OLD.lock().unwrap().take().unwrap();
    assert_eq!(old.entities().len(), 1);
    old.tick();
    old.tick();
    assert_eq!(old.query::<&Position>().len(), 1);
}

#[test]
fn an_exclusive_system_is_called_as_a_function() {
    let mut game = Game::default();
    let mut runs = 7;
    act(&mut game, Local::new(&mut runs));
    assert_eq!((runs, log(&game)), (8, vec!["act 8"]));
    game.run::<act>();
    assert_eq!(log(&game), ["act 8", "act 1"]);
}

//! Systems in both forms, run by a world or called as functions.

use ecs::prelude::*;

#[derive(Component, PartialEq, Debug)]
struct Position(i32);
#[derive(Component, PartialEq, Debug)]
struct Velocity(i32);
#[derive(Component, PartialEq, Debug)]
struct Frozen;
#[derive(Resource, Default, Debug, PartialEq)]
struct Count(u32);
#[derive(Resource)]
struct Factor(i32);
#[derive(Event, PartialEq, Debug)]
struct Moved(Entity);

world! {
    struct Game {
        components { Position, Velocity, Frozen }
        resources { Count, factor: Factor = Factor(2) }
        events { Moved(external) }
    }
}

#[system(Game)]
fn movement(position: &mut Position, velocity: &Velocity, _: Without<Frozen>, factor: Res<Factor>) {
    position.0 += velocity.0 * factor.0;
}

#[system(Game)]
fn optional(
    position: Option<&mut Position>,
    velocity: Option<&Velocity>,
    is: Is<Frozen>,
    mut count: ResMut<Count>,
) {
    if let Some(position) = position {
        position.0 = velocity.map_or(-1, |velocity| velocity.0);
    }
    count.0 += u32::from(*is);
}

#[system(Game)]
fn every_entity(entity: Entity, mut count: ResMut<Count>, mut moved: EventWriter<Moved>) {
    count.0 += 1;
    moved.send(Moved(entity));
}

#[system(Game)]
fn only_filters(_: With<Frozen>, _: Or<(With<Position>, With<Velocity>)>, mut count: ResMut<Count>) {
    count.0 += 1;
}

#[system(Game)]
fn whole(
    mut movers: Query<(&mut Position, &Velocity), Without<Frozen>>,
    frozen: Query<(Entity, &Position), With<Frozen>>,
    mut count: ResMut<Count>,
) {
    let target = frozen.iter().map(|(_, position)| position.0).max().unwrap_or(0);
    movers.for_each(|(position, velocity)| position.0 = target + velocity.0);
    count.0 = frozen.len() as u32;
}

#[system(Game)]
fn lent_query(position: &mut Position, others: Query<(Entity, &Velocity)>, mut calls: Local<u32>) {
    *calls += 1;
    position.0 = others.iter().map(|(_, velocity)| velocity.0).sum::<i32>() * 10 + *calls as i32;
}

#[derive(Query)]
struct Mover<'a> {
    position: &'a mut Position,
    velocity: Option<&'a Velocity>,
}

#[system(Game)]
fn each(mut mover: Each<Mover<'_>>, entity: Entity) {
    mover.position.0 = mover.velocity.map_or(entity.slot() as i32, |velocity| velocity.0);
}

#[system(Game)]
fn nothing() {}

#[system(Game)]
fn answer(count: Res<Count>) -> Result<u32, String> {
    if count.0 > 0 { Ok(count.0) } else { Err("nothing was counted".into()) }
}

fn game() -> (Game, [Entity; 4]) {
    let mut game = Game::default();
    let entities = [
        game.spawn((Position(1), Velocity(10))),
        game.spawn((Position(2), Velocity(20), Frozen)),
        game.spawn(Position(3)),
        game.spawn(Velocity(40)),
    ];
    (game, entities)
}

fn positions(game: &Game, entities: &[Entity; 4]) -> [Option<i32>; 4] {
    entities.map(|entity| game.get::<Position>(entity).map(|position| position.0))
}

#[test]
fn a_per_entity_system_runs_for_each_match() {
    let (mut game, entities) = game();
    game.run::<movement>();
    assert_eq!(positions(&game, &entities), [Some(21), Some(2), Some(3), None]);
}

#[test]
fn optional_elements_match_every_entity() {
    let (mut game, entities) = game();
    game.run::<optional>();
    assert_eq!(positions(&game, &entities), [Some(10), Some(20), Some(-1), None]);
    assert_eq!(game.resource::<Count>(), &Count(1));
}

#[test]
fn an_id_alone_matches_every_entity() {
    let (mut game, entities) = game();
    game.run::<every_entity>();
    assert_eq!(game.resource::<Count>(), &Count(4));
    let mut sorted = entities;
    sorted.sort();
    assert!(game.drain::<Moved>().map(|moved| moved.0).eq(sorted));
}

#[test]
fn filters_alone_make_a_per_entity_system() {
    let (mut game, _) = game();
    game.spawn(Frozen);
    game.run::<only_filters>();
    assert_eq!(game.resource::<Count>(), &Count(1));
}

#[test]
fn a_whole_query_system_runs_once() {
    let (mut game, entities) = game();
    game.run::<whole>();
    assert_eq!(positions(&game, &entities), [Some(12), Some(2), Some(3), None]);
    assert_eq!(game.resource::<Count>(), &Count(1));
    game.clear();
    game.run::<whole>();
    assert_eq!(game.resource::<Count>(), &Count(0));
}

#[test]
fn parameters_other_than_elements_are_passed_to_every_call() {
    let (mut game, entities) = game();
    game.run::<lent_query>();
    assert_eq!(
        positions(&game, &entities).map(|position| position.map(|p| p / 10)),
        [Some(70), Some(70), Some(70), None]
    );
    let mut calls = positions(&game, &entities)[..3].iter().map(|p| p.unwrap() % 10).collect::<Vec<_>>();
    calls.sort_unstable();
    assert_eq!(calls, [1, 2, 3]);
}

#[test]
fn a_derived_query_is_taken_as_each() {
    let (mut game, entities) = game();
    game.run::<each>();
    let slot = entities[2].slot() as i32;
    assert_eq!(positions(&game, &entities), [Some(10), Some(20), Some(slot), None]);
}

#[test]
fn run_returns_the_output_of_the_system() {
    let (mut game, _) = game();
    game.run::<nothing>();
    assert_eq!(game.run::<answer>(), Err("nothing was counted".to_owned()));
    game.run::<every_entity>();
    assert_eq!(game.run::<answer>(), Ok(4));
}

#[test]
fn a_local_of_a_system_that_runs_once_begins_with_its_default() {
    let (mut game, entities) = game();
    for _ in 0..3 {
        game.run::<lent_query>();
        let calls = positions(&game, &entities).iter().flatten().map(|p| p % 10).max();
        assert_eq!(calls, Some(3));
    }
}

#[test]
fn a_per_entity_system_is_called_as_a_function() {
    let (mut position, factor) = (Position(1), Factor(3));
    movement(&mut position, &Velocity(5), Without::new(), Res::new(&factor));
    assert_eq!(position, Position(16));
    let mut count = Count(0);
    optional(Some(&mut position), None, Is::new(true), ResMut::new(&mut count));
    assert_eq!((position, count), (Position(-1), Count(1)));
}

#[test]
fn a_whole_query_system_is_called_as_a_function() {
    let (game, entities) = game();
    let mut count = Count(0);
    let (mut buffer, mut calls) = (Vec::new(), 5);
    let others = game.query::<(Entity, &Velocity)>().into_query();
    let mut position = Position(0);
    lent_query(&mut position, others, Local::new(&mut calls));
    assert_eq!((position, calls), (Position(706), 6));
    every_entity(entities[2], ResMut::new(&mut count), EventWriter::new(&mut buffer));
    assert_eq!((count, buffer), (Count(1), vec![Moved(entities[2])]));
    assert_eq!(answer(Res::new(&Count(7))), Ok(7));
}

#[test]
fn a_reader_is_made_from_a_slice() {
    fn total(mut moved: EventReader<'_, Moved>) -> usize {
        moved.iter().count() + moved.len()
    }
    let (_, entities) = game();
    assert_eq!(total(EventReader::new(&[Moved(entities[0]), Moved(entities[1])])), 2);
}

#[test]
fn systems_have_names_and_parameters() {
    assert_eq!(<movement as System<Game>>::DESC.name, "movement");
    let names: Vec<_> = <whole as System<Game>>::DESC.params.iter().map(|param| param.name).collect();
    assert_eq!(names, ["movers", "frozen", "count"]);
}

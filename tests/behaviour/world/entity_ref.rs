//! `EntityRef` and `EntityMut`.

use ecs::error::NoSuchEntity;
use ecs::prelude::*;

#[derive(Component, PartialEq, Debug)]
struct Position(i32);
#[derive(Component, PartialEq, Debug)]
struct Velocity(i32);
#[derive(Component, PartialEq, Debug)]
struct Frozen;

world! {
    struct Game { components { Frozen, Velocity, Position } }
}

#[test]
fn a_reference_reads_the_entity() {
    let mut game = Game::new();
    let id = game.spawn((Position(1), Frozen));
    let entity = game.entity(id).unwrap();
    assert_eq!((entity.id(), entity.get(), entity.get::<Velocity>()), (id, Some(&Position(1)), None));
    assert!(entity.has::<Frozen>() && !entity.has::<Velocity>());
    assert_eq!(entity.components().collect::<Vec<_>>(), ["Frozen", "Position"]);
    assert_eq!(format!("{entity:?}"), format!("{id} {{\"Frozen\", \"Position\"}}"));
}

#[test]
fn a_mutable_reference_changes_the_entity() {
    let mut game = Game::new();
    let id = game.spawn(Position(1));
    let mut entity = game.entity_mut(id).unwrap();
    entity.get_mut::<Position>().unwrap().0 = 2;
    assert_eq!(entity.insert((Velocity(3), Position(4))), (None, Some(Position(2))));
    assert_eq!(entity.insert(Frozen), None);
    assert_eq!(entity.remove::<(Velocity, Frozen)>(), (Some(Velocity(3)), Some(Frozen)));
    assert!(entity.has::<Position>() && !entity.has::<Velocity>());
    assert_eq!((entity.id(), entity.as_ref().components().count()), (id, 1));
    entity.despawn();
    assert!(!game.contains(id) && game.query::<&Position>().is_empty());
}

#[test]
fn a_despawned_entity_has_no_entity_ref() {
    let mut game = Game::new();
    let id = game.spawn(Position(1));
    game.despawn(id).unwrap();
    let error = NoSuchEntity { entity: id, world: "Game" };
    assert_eq!(game.entity(id).err(), Some(error));
    assert_eq!(game.entity_mut(id).err(), Some(error));
}

#[test]
fn components_of_a_neighbour_are_not_listed() {
    let mut game = Game::new();
    let one = game.spawn(Position(1));
    let two = game.spawn(Position(2));
    game.insert(two, (Velocity(1), Frozen)).unwrap();
    assert_eq!(game.entity(one).unwrap().components().collect::<Vec<_>>(), ["Position"]);
    assert_eq!(game.entity(two).unwrap().components().count(), 3);
    let empty = game.spawn(());
    assert_eq!(game.entity(empty).unwrap().components().count(), 0);
}

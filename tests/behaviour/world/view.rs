//! Views of single columns, which check that entities are alive.

use ecs::prelude::*;
use ecs::query::{View, ViewMut};

#[derive(Component, PartialEq, Clone, Debug)]
struct Position(i32);
#[derive(Component, PartialEq, Clone, Debug)]
struct Velocity(i32);
#[derive(Component, PartialEq, Clone, Debug)]
struct Frozen;

world! {
    struct Game { components { position: Position, velocity: Velocity, Frozen } }
}

fn game(count: i32) -> (Game, Vec<Entity>) {
    let mut game = Game::new();
    let entities = (0..count).map(|n| game.spawn((Position(n), Velocity(10 * n)))).collect();
    (game, entities)
}

#[test]
fn columns_are_borrowed_apart() {
    let (mut game, entities) = game(100);
    let GameColumns { mut position, velocity, mut frozen } = game.columns_mut();
    for (entity, velocity) in velocity.iter() {
        position.get_mut(entity).unwrap().0 += velocity.0;
        if velocity.0 % 20 == 0 {
            frozen.insert(entity, Frozen).unwrap();
        }
    }
    assert_eq!((position.len(), frozen.len()), (100, 50));
    for (n, &entity) in entities.iter().enumerate() {
        assert_eq!(game.get(entity), Some(&Position(11 * n as i32)));
        assert_eq!(game.has::<Frozen>(entity), n % 2 == 0);
    }
}

#[test]
fn shared_views_read_and_copy() {
    let (game, entities) = game(70);
    let columns = game.columns();
    let view: View<'_, Position> = columns.position;
    let again = view;
    assert_eq!((view.get(entities[3]), again.contains(entities[69])), (Some(&Position(3)), true));
    assert_eq!((view.len(), view.is_empty(), columns.frozen.is_empty()), (70, false, true));
    let listed: Vec<(Entity, i32)> = view.iter().map(|(entity, position)| (entity, position.0)).collect();
    let wanted: Vec<(Entity, i32)> = entities.iter().copied().zip(0..).collect();
    assert_eq!(listed, wanted);
    let mut looped = Vec::new();
    for (entity, position) in again {
        looped.push((entity, position.0));
    }
    assert_eq!(looped, wanted);
}

#[test]
fn views_tell_which_entities_are_alive() {
    let (mut game, entities) = game(3);
    game.despawn(entities[1]).unwrap();
    let next = game.spawn((Position(9), Velocity(9)));
    let mut columns = game.columns_mut();
    let view: &mut ViewMut<'_, Position> = &mut columns.position;
    assert!(view.get(entities[1]).is_none() && view.get_mut(entities[1]).is_none());
    assert_eq!(view.insert(entities[1], Position(1)), Err(Position(1)));
    assert_eq!((view.remove(entities[1]), view.contains(entities[1])), (None, false));
    assert_eq!((view.get(next), next.slot()), (Some(&Position(9)), entities[1].slot()));
    assert_eq!(game.query::<&Position>().len(), 3);
}

#[test]
fn views_insert_replace_and_remove() {
    let (mut game, entities) = game(2);
    let mut columns = game.columns_mut();
    assert_eq!(columns.position.insert(entities[0], Position(5)), Ok(Some(Position(0))));
    assert_eq!(columns.frozen.insert(entities[0], Frozen), Ok(None));
    assert_eq!(columns.frozen.insert(entities[0], Frozen), Ok(Some(Frozen)));
    assert_eq!(columns.velocity.remove(entities[1]), Some(Velocity(10)));
    assert_eq!(columns.velocity.remove(entities[1]), None);
    assert_eq!((columns.velocity.len(), columns.frozen.as_view().len()), (1, 1));
    game.despawn(entities[0]).unwrap();
    assert!(game.query::<&Frozen>().is_empty(), "what a view inserted is despawned too");
}

#[test]
fn mutable_views_are_walked() {
    let (mut game, entities) = game(100);
    let mut columns = game.columns_mut();
    for (_, position) in columns.position.iter_mut() {
        position.0 *= 2;
    }
    assert!(columns.position.iter().all(|(entity, position)| position.0 == 2 * (entity.slot() as i32)));
    assert_eq!(columns.position.iter().map(|(entity, _)| entity).collect::<Vec<_>>(), entities);
    assert!(!columns.position.is_empty());
    assert!(format!("{:?}", columns.position).contains("100"));
}

#[test]
fn a_function_may_take_a_view() {
    fn total(view: View<'_, Position>) -> i32 {
        view.iter().map(|(_, position)| position.0).sum()
    }
    fn shift(view: &mut ViewMut<'_, Position>, by: i32) {
        view.iter_mut().for_each(|(_, position)| position.0 += by);
    }
    let (mut game, _) = game(10);
    shift(&mut game.columns_mut().position, 1);
    assert_eq!(total(game.columns().position), 55);
}

//! Columns: every value is dropped exactly once.

use ecs::prelude::*;
use ecs_tests::{Ledger, Token};

#[derive(Component, Clone)]
struct Left(Token);
#[derive(Component, Clone)]
struct Right(#[allow(dead_code)] Token);
#[derive(Component, Clone)]
struct Number(u32);

world! {
    #[derive(Clone)]
    struct Game { components { Left, Right, Number } }
}

fn filled(ledger: &Ledger, count: usize) -> (Game, Vec<Entity>) {
    let mut game = Game::new();
    let entities = (0..count)
        .map(|n| game.spawn((Left(ledger.token()), Right(ledger.token()), Number(n as u32))))
        .collect();
    (game, entities)
}

#[test]
fn spawned_values_are_dropped_with_the_world() {
    let ledger = Ledger::new();
    let (game, _) = filled(&ledger, 300);
    assert_eq!(ledger.alive(), 600);
    drop(game);
    ledger.assert_settled();
    assert_eq!(ledger.made(), 600, "spawning copies nothing");
}

#[test]
fn despawn_drops_the_components_of_the_entity() {
    let ledger = Ledger::new();
    let (mut game, entities) = filled(&ledger, 100);
    for (n, &entity) in entities.iter().enumerate() {
        game.despawn(entity).unwrap();
        assert_eq!(ledger.alive(), 2 * (99 - n));
    }
    ledger.assert_settled();
}

#[test]
fn insert_gives_the_replaced_value_and_drops_nothing() {
    let ledger = Ledger::new();
    let (mut game, entities) = filled(&ledger, 1);
    let before = game.get::<Left>(entities[0]).unwrap().0.number();
    let replaced = game.insert(entities[0], Left(ledger.token())).unwrap();
    assert_eq!(replaced.as_ref().map(|left| left.0.number()), Some(before));
    assert_eq!(ledger.alive(), 3);
    drop(replaced);
    assert_eq!(ledger.alive(), 2);
    drop(game);
    ledger.assert_settled();
}

#[test]
fn a_refused_insert_drops_the_bundle() {
    let ledger = Ledger::new();
    let (mut game, entities) = filled(&ledger, 2);
    game.despawn(entities[0]).unwrap();
    assert!(game.insert(entities[0], (Left(ledger.token()), Right(ledger.token()))).is_err());
    assert!(game.insert_if_new(entities[0], Left(ledger.token())).is_err());
    assert!(game.insert_if_new(entities[1], Left(ledger.token())).is_err());
    assert_eq!(ledger.alive(), 2);
    drop(game);
    ledger.assert_settled();
}

#[test]
fn remove_gives_the_values_away() {
    let ledger = Ledger::new();
    let (mut game, entities) = filled(&ledger, 3);
    let taken = game.remove::<(Left, Right)>(entities[1]).unwrap();
    assert!(matches!(taken, (Some(_), Some(_))));
    assert_eq!(ledger.alive(), 6);
    drop(game);
    assert_eq!(ledger.alive(), 2);
    drop(taken);
    ledger.assert_settled();
}

#[test]
fn removing_twice_gives_nothing_the_second_time() {
    let ledger = Ledger::new();
    let (mut game, entities) = filled(&ledger, 1);
    assert!(game.remove::<Left>(entities[0]).unwrap().is_some());
    assert!(game.remove::<Left>(entities[0]).unwrap().is_none());
    assert_eq!(ledger.alive(), 1);
}

#[test]
fn clear_drops_everything_once() {
    let ledger = Ledger::new();
    let (mut game, _) = filled(&ledger, 200);
    game.clear();
    ledger.assert_settled();
    drop(game);
    assert_eq!(ledger.alive(), 0);
}

#[test]
fn a_slot_that_is_reused_holds_only_the_new_value() {
    let ledger = Ledger::new();
    let (mut game, entities) = filled(&ledger, 64);
    for &entity in &entities {
        game.despawn(entity).unwrap();
    }
    ledger.assert_settled();
    for _ in 0..64 {
        game.spawn(Left(ledger.token()));
    }
    assert_eq!(ledger.alive(), 64);
    assert_eq!(game.query::<&Right>().len(), 0);
    drop(game);
    ledger.assert_settled();
}

#[test]
fn a_batch_is_dropped_once() {
    let ledger = Ledger::new();
    let mut game = Game::new();
    let entities: Vec<Entity> =
        game.spawn_batch((0..500).map(|n| (Left(ledger.token()), Number(n)))).collect();
    assert_eq!((ledger.alive(), entities.len()), (500, 500));
    for &entity in &entities[100..200] {
        game.despawn(entity).unwrap();
    }
    assert_eq!(ledger.alive(), 400);
    drop(game);
    ledger.assert_settled();
}

#[test]
fn a_clone_owns_its_own_values() {
    let ledger = Ledger::new();
    let (mut game, entities) = filled(&ledger, 150);
    game.despawn(entities[7]).unwrap();
    game.remove::<Left>(entities[8]).unwrap();
    let alive = ledger.alive();
    let copy = game.clone();
    assert_eq!(ledger.alive(), 2 * alive);
    drop(game);
    assert_eq!(ledger.alive(), alive);
    assert_eq!(copy.query::<(&Left, &Right)>().len(), 148);
    assert!(!copy.contains(entities[7]) && copy.get::<Number>(entities[9]).is_some_and(|n| n.0 == 9));
    drop(copy);
    ledger.assert_settled();
}

#[test]
fn overwriting_through_a_reference_drops_the_old_value() {
    let ledger = Ledger::new();
    let (mut game, _) = filled(&ledger, 50);
    for left in game.query_mut::<&mut Left>() {
        *left = Left(ledger.token());
    }
    assert_eq!(ledger.alive(), 100);
    drop(game);
    ledger.assert_settled();
}

#[test]
fn whole_columns_can_be_moved_out_by_removal() {
    let ledger = Ledger::new();
    let (mut game, entities) = filled(&ledger, 100);
    let mut columns = game.columns_mut();
    let lefts: Vec<Left> = entities.iter().filter_map(|&entity| columns.left.remove(entity)).collect();
    assert_eq!((lefts.len(), columns.left.len(), ledger.alive()), (100, 0, 200));
    drop(game);
    assert_eq!(ledger.alive(), 100);
    drop(lefts);
    ledger.assert_settled();
}

#[test]
fn values_stay_where_they_are_once_their_page_has_its_full_length() {
    let ledger = Ledger::new();
    let (mut game, entities) = filled(&ledger, 10);
    for n in 0..4096 {
        game.spawn(Number(n));
    }
    let address = |game: &Game, entity| std::ptr::from_ref(game.get::<Number>(entity).unwrap()) as usize;
    let before: Vec<usize> = entities.iter().map(|&entity| address(&game, entity)).collect();
    for n in 0..20_000 {
        game.spawn(Number(n));
    }
    for &entity in &entities[..5] {
        game.remove::<Left>(entity).unwrap();
    }
    game.despawn(entities[9]).unwrap();
    let after: Vec<usize> = entities[..9].iter().map(|&entity| address(&game, entity)).collect();
    assert_eq!(after, before[..9]);
}

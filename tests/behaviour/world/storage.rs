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

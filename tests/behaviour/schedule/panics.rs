//! Panics in the user's code (`Drop`, `Clone`, `Default`, iterators, systems) leave a valid world.

use ecs::prelude::*;
use ecs_tests::fuse::{blows_up, burn};
use ecs_tests::{Ledger, Token};

/// A value whose `Drop` and `Clone` burn the fuse.
#[derive(Component)]
struct Bomb(Token);
#[derive(Component, Clone)]
struct Left(#[allow(dead_code)] Token);
#[derive(Component, Clone)]
struct Right(#[allow(dead_code)] Token);

impl Drop for Bomb {
    fn drop(&mut self) {
        burn("a drop");
    }
}

impl Clone for Bomb {
    fn clone(&self) -> Self {
        burn("a clone");
        Self(self.0.clone())
    }
}

world! {
    #[derive(Clone)]
    struct Game { components { Left, Bomb, Right } }
}

fn filled(ledger: &Ledger, count: usize) -> (Game, Vec<Entity>) {
    let mut game = Game::new();
    let spawn = |_| game.spawn((Left(ledger.token()), Bomb(ledger.token()), Right(ledger.token())));
    let entities = (0..count).map(spawn).collect();
    (game, entities)
}

/// Asserts that the world is valid, and that every entity has all three components or none.
fn assert_valid(game: &Game, entities: usize, ledger: &Ledger) {
    assert_eq!(game.entities().len(), entities);
    assert_eq!(game.entities().iter().count(), entities);
    assert_eq!(game.query::<&Left>().len(), entities);
    assert_eq!(game.query::<&Bomb>().len(), entities);
    assert_eq!(game.query::<&Right>().len(), entities);
    assert_eq!(game.query::<(Entity, &Left, &Bomb, &Right)>().iter().count(), entities);
    assert!(game.query::<(Entity, &Left)>().iter().all(|(entity, _)| game.contains(entity)));
    assert_eq!(ledger.alive(), entities * 3);
}

#[test]
fn a_panicking_drop_in_despawn_ends_the_entity_all_the_same() {
    let ledger = Ledger::new();
    let (mut game, entities) = filled(&ledger, 100);
    assert!(blows_up(1, || game.despawn(entities[40])));
    assert!(!game.contains(entities[40]));
    assert_valid(&game, 99, &ledger);
    game.spawn((Left(ledger.token()), Bomb(ledger.token()), Right(ledger.token())));
    assert_valid(&game, 100, &ledger);
    drop(game);
    ledger.assert_settled();
}

#[test]
fn a_panicking_drop_in_clear_leaves_an_empty_world() {
    for at in [1, 50, 100] {
        let ledger = Ledger::new();
        let (mut game, entities) = filled(&ledger, 100);
        assert!(blows_up(at, || game.clear()));
        assert!(entities.iter().all(|&entity| !game.contains(entity)));
        assert_valid(&game, 0, &ledger);
        game.spawn((Left(ledger.token()), Bomb(ledger.token()), Right(ledger.token())));
        assert_valid(&game, 1, &ledger);
        drop(game);
        ledger.assert_settled();
    }
}

#[test]
fn a_panicking_drop_of_the_world_drops_the_rest() {
    for at in [1, 30, 100] {
        let ledger = Ledger::new();
        let (game, _) = filled(&ledger, 100);
        assert!(blows_up(at, || drop(game)));
        ledger.assert_settled();
    }
}

#[test]
fn a_panicking_drop_of_a_replaced_value_is_the_callers() {
    let ledger = Ledger::new();
    let (mut game, entities) = filled(&ledger, 3);
    assert!(blows_up(1, || game.insert(entities[1], Bomb(ledger.token())).map(drop)));
    assert_valid(&game, 3, &ledger);
    assert!(blows_up(1, || game.remove::<Bomb>(entities[1]).map(drop)));
    assert_eq!((game.query::<&Bomb>().len(), ledger.alive()), (2, 8));
}

#[test]
fn a_panicking_clone_leaks_nothing_and_changes_nothing() {
    for at in [1, 20, 100] {
        let ledger = Ledger::new();
        let (game, _) = filled(&ledger, 100);
        assert!(blows_up(at, || game.clone()));
        assert_valid(&game, 100, &ledger);
        let copy = game.clone();
        drop(game);
        assert_valid(&copy, 100, &ledger);
        drop(copy);
        ledger.assert_settled();
    }
}

#[test]
fn a_panicking_iterator_keeps_the_whole_entities_of_a_batch() {
    for at in [1, 2, 64, 65, 100, 999] {
        for hint in [0, 63, 1000, 5000] {
            let ledger = Ledger::new();
            let (mut game, _) = filled(&ledger, 10);
            let bundles = Hinted(
                hint,
                (0..1000).map(|_| {
                    burn("an iterator");
                    (Left(ledger.token()), Bomb(ledger.token()), Right(ledger.token()))
                }),
            );
            assert!(blows_up(at, || game.spawn_batch(bundles).len()));
            assert_valid(&game, 10 + at as usize - 1, &ledger);
            for _ in 0..100 {
                game.spawn((Left(ledger.token()), Bomb(ledger.token()), Right(ledger.token())));
            }
            assert_valid(&game, 110 + at as usize - 1, &ledger);
            drop(game);
            ledger.assert_settled();
        }
    }
}

/// An iterator with any size hint.
struct Hinted<I>(usize, I);

impl<I: Iterator> Iterator for Hinted<I> {
    type Item = I::Item;
    fn next(&mut self) -> Option<I::Item> {
        self.1.next()
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0, None)
    }
}

#[test]
fn a_panicking_size_hint_drops_the_bundle_in_hand() {
    struct Bad(Ledger);
    impl Iterator for Bad {
        type Item = Left;
        fn next(&mut self) -> Option<Left> {
            Some(Left(self.0.token()))
        }
        fn size_hint(&self) -> (usize, Option<usize>) {
            panic!("no idea")
        }
    }
    let ledger = Ledger::new();
    let mut game = Game::new();
    assert!(blows_up(u32::MAX, || game.spawn_batch(Bad(ledger.clone())).len()));
    assert_eq!((game.entities().len(), game.query::<&Left>().len()), (0, 0));
    ledger.assert_settled();
}

#[test]
fn a_panic_within_a_loop_over_a_query_leaves_a_valid_world() {
    let ledger = Ledger::new();
    let (mut game, _) = filled(&ledger, 200);
    assert!(blows_up(120, || game.query_mut::<&mut Left>().for_each(|left| {
        *left = Left(ledger.token());
        burn("a loop");
    })));
    assert!(blows_up(7, || game.query_mut::<&mut Left>().pairs_mut(|_, _| burn("a pair"))));
    assert_valid(&game, 200, &ledger);
}

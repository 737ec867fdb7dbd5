//! Iterators that panic while they give a batch: the world has whole entities. Panics in `Drop`,
//! `Clone` and `Default` are in `soundness/panics`.

use ecs::prelude::*;
use ecs_tests::fuse::{blows_up, burn};
use ecs_tests::{Ledger, Token};

/// A value whose `Drop` burns the fuse.
#[derive(Component)]
struct Bomb(#[allow(dead_code)] Token);
#[derive(Component)]
struct Left(#[allow(dead_code)] Token);
#[derive(Component)]
struct Right(#[allow(dead_code)] Token);

impl Drop for Bomb {
    fn drop(&mut self) {
        burn("a drop");
    }
}

world! {
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

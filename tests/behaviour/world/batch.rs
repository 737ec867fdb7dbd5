//! Spawning in bulk.

use ecs::prelude::*;

#[derive(Component, Clone, PartialEq, Debug)]
struct Position(u32);

world! {
    struct Game { components { Position } }
}

#[test]
fn a_batch_fills_holes_and_keeps_the_order() {
    let mut game = Game::new();
    let before: Vec<Entity> = game.spawn_batch((0..300).map(Position)).collect();
    for &entity in before.iter().step_by(3) {
        game.despawn(entity).unwrap();
    }
    let blocks = game.stats().blocks;
    let filled: Vec<Entity> = game.spawn_batch((1000..1100).map(Position)).collect();
    assert_eq!(game.stats().blocks, blocks);
    for (n, &entity) in filled.iter().enumerate() {
        assert_eq!(game.get(entity), Some(&Position(1000 + n as u32)));
        assert!(!before.contains(&entity));
    }
    assert_eq!((game.entities().len(), game.query::<&Position>().len()), (300, 300));
}

#[test]
fn an_empty_batch_does_nothing() {
    let mut game = Game::new();
    assert_eq!(game.spawn_batch(std::iter::empty::<Position>()).count(), 0);
    assert_eq!((game.entities().len(), game.stats().blocks), (0, 0));
}

#[test]
fn the_number_of_ids_is_known() {
    let mut game = Game::new();
    let mut spawned = game.spawn_batch((0..130).map(Position));
    assert_eq!((spawned.len(), spawned.size_hint()), (130, (130, Some(130))));
    spawned.next();
    assert_eq!(spawned.len(), 129);
    assert_eq!(spawned.by_ref().count(), 129);
    assert_eq!((spawned.len(), spawned.next()), (0, None));
}

/// An iterator whose size hint is `.0` and whose items are those of `.1`.
struct Liar(usize, u32);

impl Iterator for Liar {
    type Item = Position;
    fn next(&mut self) -> Option<Position> {
        self.1 = self.1.checked_sub(1)?;
        Some(Position(self.1))
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0, Some(self.0))
    }
}

#[test]
fn iterators_may_have_any_size_hint() {
    for announced in [0, 1, 64, 1000, usize::MAX] {
        for given in [0, 1, 63, 64, 65, 1000] {
            let mut game = Game::new();
            game.spawn(Position(9));
            assert_eq!(game.spawn_batch(Liar(announced, given)).len(), given as usize);
            assert_eq!(game.entities().len(), given as usize + 1);
            assert_eq!(game.query::<&Position>().iter().count(), given as usize + 1);
            assert_eq!(game.spawn_batch((0..200).map(Position)).len(), 200);
            assert_eq!(game.query::<(Entity, &Position)>().iter().count(), given as usize + 201);
        }
    }
}

#[test]
fn slots_that_were_announced_and_not_used_are_used_later() {
    let mut game = Game::new();
    game.spawn_batch(Liar(100_000, 10));
    let blocks = game.stats().blocks;
    game.spawn_batch((0..60_000).map(Position));
    assert_eq!(game.stats().blocks, blocks);
}

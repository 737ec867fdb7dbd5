//! Chunks of a query can be given to other threads.

use ecs::prelude::*;
use rayon::iter::{IntoParallelIterator, ParallelBridge, ParallelIterator};

#[derive(Component)]
struct Position(u64);
#[derive(Component)]
struct Velocity(u64);

world! { struct Game { components { Position, Velocity } } }

#[test]
fn chunks_are_given_to_rayon() {
    let mut game = Game::new();
    game.spawn_batch((0..10_000).map(|i| (Position(i), Velocity(i))));
    let mut query = game.query_mut::<(Entity, &mut Position, &Velocity)>();
    let chunks: Vec<_> = query.chunks_mut().collect();
    fn is_send_and_sync<T: Send + Sync>(_: &[T]) {}
    is_send_and_sync(&chunks);
    chunks.into_par_iter().for_each(|(entities, positions, velocities)| {
        for ((entity, position), velocity) in entities.zip(positions).zip(velocities) {
            position.0 = u64::from(entity.slot()) + velocity.0;
        }
    });
    let sums = game.query::<(Entity, &Position, &Velocity)>();
    assert!(
        sums.iter().all(|(entity, position, velocity)| position.0 == u64::from(entity.slot()) + velocity.0)
    );
}

#[test]
fn the_iterator_over_chunks_is_given_to_rayon() {
    let mut game = Game::new();
    let all: Vec<_> = game.spawn_batch((0..20_000).map(|i| (Position(i), Velocity(i)))).collect();
    for entity in all.iter().filter(|entity| entity.slot().is_multiple_of(7)) {
        game.despawn(*entity).unwrap();
    }
    let mut query = game.query_mut::<(Entity, &mut Position, &Velocity)>();
    query.chunks_mut().par_bridge().for_each(|(entities, positions, velocities)| {
        for ((entity, position), velocity) in entities.zip(positions).zip(velocities) {
            position.0 = u64::from(entity.slot()) + velocity.0;
        }
    });
    let sums = game.query::<(Entity, &Position, &Velocity)>();
    assert!(
        sums.iter().all(|(entity, position, velocity)| position.0 == u64::from(entity.slot()) + velocity.0)
    );
}

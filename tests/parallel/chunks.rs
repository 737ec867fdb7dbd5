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

#[derive(Component)]
#[component(tracked)]
struct Heat(u32);
#[derive(Component)]
struct Cold;

world! { struct Oven { components { Heat, Cold } } }

#[test]
fn slices_of_one_word_are_marked_by_several_threads() {
    let mut number = 5_u32;
    let mut roll = |below: u32| {
        number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (number >> 16) % below
    };
    let mut oven = Oven::new();
    let all: Vec<Entity> = oven.spawn_batch((0..320).map(Heat)).collect();
    for round in 0..300 {
        if round % 20 == 0 {
            oven.remove_all::<Cold>();
            all.iter().filter(|_| roll(3) == 0).for_each(|&hole| _ = oven.insert(hole, Cold).unwrap());
        }
        let before = oven.advance_tick();
        let (mut marked, mut parts) = (Vec::new(), [const { Vec::new() }; 4]);
        let mut query = oven.query_mut::<(Entity, Mut<Heat>)>().filter::<Without<Cold>>();
        for (at, (ids, heats)) in query.chunks_mut().enumerate() {
            if roll(4) > 0 {
                marked.extend(ids);
                parts[at % 4].push(heats);
            }
        }
        std::thread::scope(|scope| {
            for part in parts {
                scope.spawn(|| part.into_iter().for_each(|mut heats| heats[0].0 += 1));
            }
        });
        let changed = oven.entities().filter::<Changed<Heat>>().since(before);
        assert_eq!(changed.iter().collect::<Vec<_>>(), marked, "round {round}");
    }
}

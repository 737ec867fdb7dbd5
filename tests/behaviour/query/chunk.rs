//! Rows as slices.

use ecs::prelude::*;

use super::fixture::{A, B, C, D, Four, all};

#[test]
fn chunks_are_the_rows_of_the_iteration() {
    for (mut world, _) in all() {
        let rows: Vec<(Entity, A, B)> =
            world.query::<(Entity, &A, &B)>().iter().map(|(e, a, b)| (e, a.clone(), b.clone())).collect();
        let mut chunked = Vec::new();
        for (entities, a, b) in world.query_mut::<(Entity, &A, &mut B)>().chunks() {
            assert_eq!((entities.len(), a.len()), (a.len(), b.len()));
            assert!(!a.is_empty());
            let zipped = entities.zip(a.iter().zip(b.iter()));
            chunked.extend(zipped.map(|(e, (a, b))| (e, a.clone(), b.clone())));
        }
        assert_eq!(chunked, rows);
    }
}

#[test]
fn chunks_obey_filters() {
    for (mut world, _) in all() {
        type F = Or<(With<D>, Without<C>)>;
        let rows: Vec<Entity> = world.query::<(Entity, &A)>().filter::<F>().iter().map(|(e, _)| e).collect();
        let mut query = world.query_mut::<(Entity, &mut A)>().filter::<F>();
        let chunked: Vec<Entity> = query.chunks().flat_map(|(entities, _)| entities).collect();
        assert_eq!(chunked, rows);
        let all: Vec<Entity> = world.query_mut::<Entity>().chunks().flatten().collect();
        assert_eq!(all, world.entities().iter().collect::<Vec<_>>());
    }
}

#[test]
fn chunks_are_as_long_as_can_be() {
    let mut world = Four::new();
    let entities: Vec<Entity> = world.spawn_batch((0..1000).map(A)).collect();
    let lengths = |world: &mut Four| -> Vec<usize> {
        world.query_mut::<&mut A>().chunks().map(|chunk| chunk.len()).collect()
    };
    assert_eq!(lengths(&mut world), [1000]);
    world.despawn(entities[100]).unwrap();
    world.remove::<A>(entities[101]).unwrap();
    world.despawn(entities[500]).unwrap();
    world.despawn(entities[999]).unwrap();
    assert_eq!(lengths(&mut world), [100, 398, 498]);
}

#[test]
fn a_chunk_ends_with_the_page() {
    let mut world = Four::new();
    world.spawn_batch((0..100_000).map(|n| (A(n), B(u64::from(n)))));
    let lengths: Vec<usize> = world.query_mut::<&A>().chunks().map(<[A]>::len).collect();
    assert_eq!(lengths.iter().sum::<usize>(), 100_000);
    assert!(lengths.len() > 1 && lengths.iter().all(|&len| len * size_of::<A>() <= 64 * 1024));
    let mut expected = 0;
    for (a, b) in world.query_mut::<(&A, &mut B)>().chunks() {
        for (a, b) in a.iter().zip(b) {
            assert_eq!((a.0, b.0), (expected, u64::from(expected)));
            expected += 1;
        }
    }
    assert_eq!(expected, 100_000);
}

#[test]
fn chunks_can_be_written_and_held_together() {
    let mut world = Four::new();
    world.spawn_batch((0..20_000).map(A));
    world.spawn_batch((0..500).map(|n| (A(n), D)));
    let mut query = world.query_mut::<&mut A>();
    let mut chunks: Vec<&mut [A]> = query.chunks().collect();
    for chunk in &mut chunks {
        chunk.fill(A(3));
    }
    assert!(world.query::<&A>().iter().all(|a| a.0 == 3));
}

#[test]
fn runs_of_ids_know_their_length() {
    let mut world = Four::new();
    world.spawn_batch((0..100).map(A));
    for (mut ids, a) in world.query_mut::<(Entity, &A)>().chunks() {
        assert_eq!((ids.len(), ids.clone().count()), (a.len(), a.len()));
        ids.next();
        assert_eq!(ids.len(), a.len() - 1);
    }
}

//! Rows as slices.

use ecs::prelude::*;
use ecs::query::MutSlice;

use super::fixture::{A, B, C, D, Four, all};

#[test]
fn chunks_are_the_rows_of_the_iteration() {
    for (mut world, _) in all() {
        let rows: Vec<(Entity, A, B)> =
            world.query::<(Entity, &A, &B)>().iter().map(|(e, a, b)| (e, a.clone(), b.clone())).collect();
        let mut chunked = Vec::new();
        for (entities, a, b) in world.query_mut::<(Entity, &A, &mut B)>().chunks_mut() {
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
        let chunked: Vec<Entity> = query.chunks_mut().flat_map(|(entities, _)| entities).collect();
        assert_eq!(chunked, rows);
        let all: Vec<Entity> = world.query_mut::<Entity>().chunks_mut().flatten().collect();
        assert_eq!(all, world.entities().iter().collect::<Vec<_>>());
    }
}

#[test]
fn chunks_are_as_long_as_can_be() {
    let mut world = Four::new();
    let entities: Vec<Entity> = world.spawn_batch((0..1000).map(A)).collect();
    let lengths = |world: &mut Four| -> Vec<usize> {
        world.query_mut::<&mut A>().chunks_mut().map(|chunk| chunk.len()).collect()
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
    let lengths: Vec<usize> = world.query_mut::<&A>().chunks_mut().map(<[A]>::len).collect();
    assert_eq!(lengths.iter().sum::<usize>(), 100_000);
    assert!(lengths.len() > 1 && lengths.iter().all(|&len| len * size_of::<A>() <= 64 * 1024));
    let mut expected = 0;
    for (a, b) in world.query_mut::<(&A, &mut B)>().chunks_mut() {
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
    let mut chunks: Vec<&mut [A]> = query.chunks_mut().collect();
    for chunk in &mut chunks {
        chunk.fill(A(3));
    }
    assert!(world.query::<&A>().iter().all(|a| a.0 == 3));
}

#[test]
fn runs_of_ids_know_their_length() {
    let mut world = Four::new();
    world.spawn_batch((0..100).map(A));
    for (mut ids, a) in world.query_mut::<(Entity, &A)>().chunks_mut() {
        assert_eq!((ids.len(), ids.clone().count()), (a.len(), a.len()));
        ids.next();
        assert_eq!(ids.len(), a.len() - 1);
    }
}

#[derive(Component, Clone, PartialEq, Debug)]
#[component(tracked)]
struct Heat(u32);
#[derive(Component, Clone, PartialEq, Eq, Hash, Debug)]
#[component(index)]
struct Team(u32);

world! { struct Tracked { components { Heat, Team, D } } }

#[test]
fn a_slice_of_tracked_values_marks_what_it_lends_mutably() {
    let mut world = Tracked::new();
    let ids: Vec<Entity> = world.spawn_batch((0..300).map(Heat)).collect();
    for &hole in &[ids[70], ids[71], ids[200]] {
        world.insert(hole, D).unwrap();
    }
    let before = world.advance_tick();
    let mut lengths = Vec::new();
    for mut slice in world.query_mut::<Mut<Heat>>().filter::<Without<D>>().chunks_mut() {
        lengths.push(slice.len());
        if slice[0].0.is_multiple_of(128) {
            slice.iter_mut().for_each(|heat| heat.0 += 1000);
            slice[0].0 += 0; // a second borrow
        }
    }
    assert_eq!((lengths.iter().sum::<usize>(), lengths.iter().max()), (297, Some(&64)));
    let changed: Vec<u32> =
        world.query::<&Heat>().filter::<Changed<Heat>>().since(before).iter().map(|heat| heat.0).collect();
    let expected: Vec<u32> =
        (0..300).filter(|n| n % 128 < 64 && ![70, 71, 200].contains(n)).map(|n| n + 1000).collect();
    assert_eq!(changed, expected);
    // to read: no change
    let before = world.advance_tick();
    let sum: u32 = world.query::<Ref<Heat>>().chunks().flatten().map(|heat| heat.0).sum();
    assert_eq!(sum, world.query::<&Heat>().iter().map(|heat| heat.0).sum::<u32>());
    assert_eq!(world.query_mut::<Mut<Heat>>().chunks_mut().map(|slice| slice.len()).sum::<usize>(), 300);
    assert!(world.query::<&Heat>().filter::<Changed<Heat>>().since(before).is_empty());
}

#[test]
fn an_index_finds_values_that_were_changed_in_slices() {
    let mut world = Tracked::new();
    world.spawn_batch((0..200).map(|n| Team(n % 4)));
    assert_eq!(world.find::<Team>(&Team(2)).count(), 50);
    world
        .query_mut::<Mut<Team>>()
        .chunks_mut()
        .map(MutSlice::into_inner)
        .for_each(|teams| teams.fill(Team(7)));
    assert_eq!([2, 7].map(|team| world.find::<Team>(&Team(team)).count()), [0, 200]);
}

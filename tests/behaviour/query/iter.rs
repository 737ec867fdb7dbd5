//! All ways to iterate over a query agree.

use std::collections::BTreeSet;

use ecs::prelude::*;

use super::fixture::{A, B, Four, all};

#[test]
fn items_of_one_query_may_be_held_together() {
    let (mut world, _) = super::fixture::by_kind(100);
    let mut all: Vec<&mut A> = world.query_mut::<&mut A>().into_iter().collect();
    all.reverse();
    for (n, a) in all.iter_mut().enumerate() {
        a.0 = n as u32;
    }
    let distinct: BTreeSet<u32> = world.query::<&A>().iter().map(|a| a.0).collect();
    assert_eq!(distinct.len(), 800);
}

#[test]
fn writes_through_a_query_reach_the_components() {
    let (mut world, _) = super::fixture::by_kind(70);
    world.query_mut::<(&mut A, &B)>().for_each(|(a, b)| a.0 = b.0 as u32 + 1);
    for (a, b) in &mut world.query_mut::<(&mut A, &B)>() {
        a.0 += b.0 as u32;
    }
    assert!(world.query::<(&A, &B)>().iter().all(|(a, b)| u64::from(a.0) == 2 * b.0 + 1));
}

#[test]
fn a_query_that_reads_can_be_walked_within_itself() {
    let mut world = Four::new();
    world.spawn_batch((0..20).map(A));
    let query = world.query::<&A>();
    let mut pairs = 0;
    for one in &query {
        for two in &query {
            pairs += u32::from(one.0 <= two.0);
        }
    }
    assert_eq!(pairs, 20 * 21 / 2);
    let copy = *query;
    assert_eq!(copy.len(), query.len());
}

#[test]
fn the_rest_of_an_iterator_is_folded_across_pages() {
    let mut world = Four::new();
    world.spawn_batch((0..30_000).map(|n| (A(n), B(u64::from(n)))));
    for taken in [1, 64, 65, 100, 4000, 4096, 4097, 9000, 29_999] {
        let query = world.query::<(&A, &B)>();
        let mut iter = query.iter();
        assert_eq!(iter.nth(taken - 1).map(|(a, _)| a.0 as usize), Some(taken - 1));
        let mut next = taken as u32;
        iter.for_each(|(a, b)| {
            assert_eq!((a.0, b.0), (next, u64::from(next)));
            next += 1;
        });
        assert_eq!(next, 30_000);
    }
}

#[test]
fn a_clone_of_a_reading_iterator_continues_from_the_same_item() {
    for (mut world, _) in all() {
        let len = world.query::<&A>().len();
        for taken in [0, 1, 5, 63, 64, 65, 100] {
            let query = world.query::<(Entity, &A)>();
            let mut iter = query.iter();
            iter.by_ref().take(taken).for_each(drop);
            let rest: Vec<(Entity, u32)> = iter.clone().map(|(entity, a)| (entity, a.0)).collect();
            assert_eq!(rest.len(), len.saturating_sub(taken));
            assert!(
                iter.clone()
                    .cycle()
                    .take(rest.len() * 2)
                    .map(|(entity, _)| entity)
                    .eq(rest.iter().chain(&rest).map(|&(entity, _)| entity))
            );
            assert!(iter.map(|(entity, a)| (entity, a.0)).eq(rest), "the original is where it was");
        }
        let mut chunks = world.query_mut::<(Entity, &A)>();
        let mut chunks = chunks.chunks_mut();
        let first = chunks.next().map_or(0, |(_, values)| values.len());
        let sum = |chunks: ecs::query::Chunks<'_, (Entity, &A), ()>| {
            chunks.map(|(_, values)| values.len()).sum::<usize>()
        };
        assert_eq!(first + sum(chunks.clone()), len);
        assert_eq!(first + sum(chunks), len);
    }
}

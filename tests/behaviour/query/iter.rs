//! All ways to iterate over a query agree.

use std::collections::BTreeSet;

use ecs::prelude::*;

use super::fixture::{A, B, Four};

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

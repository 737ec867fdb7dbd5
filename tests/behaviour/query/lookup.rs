//! Reaching single entities through a query: `get`, `get_mut`, `get_many`, `iter_many`, `single`,
//! pairs and combinations.

use std::collections::BTreeSet;

use ecs::error::{GetManyError, SingleError};
use ecs::prelude::*;

use super::fixture::{A, B, C, D, Four, all, expect, has};

#[test]
fn get_agrees_with_the_world() {
    for (mut world, expected) in all() {
        for &(entity, bits) in &expected {
            let matches = has(bits, 0) && !has(bits, 3);
            let query = world.query::<(&A, Option<&B>)>().filter::<Without<D>>();
            assert_eq!((query.contains(entity), query.get(entity).is_some()), (matches, matches));
            if let Some((a, b)) = query.get(entity) {
                assert_eq!((Some(a), b), (world.get(entity), world.get(entity)));
            }
            let mut writing = world.query_mut::<&mut A>().filter::<Without<D>>();
            assert_eq!(writing.get_mut(entity).map(|a| a.0 += 1).is_some(), matches);
        }
    }
}

#[test]
fn get_many_mut_lends_several_at_once() {
    let mut world = Four::new();
    let ids: Vec<Entity> = (0..200).map(|n| world.spawn(A(n))).collect();
    let mut query = world.query_mut::<&mut A>();
    let [one, two, three] = query.get_many_mut([ids[0], ids[199], ids[64]]).unwrap();
    std::mem::swap(one, two);
    std::mem::swap(two, three);
    assert_eq!([0, 199, 64].map(|n| world.get::<A>(ids[n]).unwrap().0), [199, 64, 0]);
    assert!(world.query_mut::<&mut A>().get_many_mut([]).is_ok());
}

#[test]
fn several_are_read_in_the_order_of_the_ids() {
    for (world, expected) in all() {
        let query = world.query::<(Entity, &A)>().filter::<Without<D>>();
        let ids: Vec<Entity> = expected.iter().map(|(entity, _)| *entity).collect();
        let asked: Vec<Entity> = ids.iter().rev().chain(&ids).copied().collect();
        let matching = |entity: &Entity| query.get(*entity).is_some();
        let there: Vec<Entity> = asked.iter().copied().filter(matching).collect();
        assert!(query.iter_many(&asked).map(|(entity, _)| entity).eq(there.iter().copied()));
        assert!(query.iter_many(there.clone()).count() == there.len());
        if let Some(&one) = there.first() {
            let [(first, a), (second, b)] = query.get_many([one, one]).unwrap();
            assert_eq!((first, second, a), (one, one, b));
        }
        if let Some(&wrong) = asked.iter().find(|entity| !matching(entity)) {
            assert_eq!(query.get_many([wrong]).err(), Some(GetManyError::NoMatch(wrong)));
        }
    }
}

#[test]
fn combinations_are_those_of_a_loop() {
    for (world, _) in all() {
        let query = world.query::<(Entity, &A)>().filter::<Without<D>>();
        let ids: Vec<Entity> = query.iter().map(|(entity, _)| entity).take(12).collect();
        let few = |entity: Entity| ids.contains(&entity);
        let (mut pairs, mut triples) = (Vec::new(), Vec::new());
        for (i, &a) in ids.iter().enumerate() {
            for (j, &b) in ids.iter().enumerate().skip(i + 1) {
                pairs.push([a, b]);
                triples.extend(ids[j + 1..].iter().map(|&c| [a, b, c]));
            }
        }
        let found = query.iter_combinations().map(|items: [_; 2]| items.map(|(entity, _)| entity));
        assert!(found.filter(|pair| pair.iter().all(|&entity| few(entity))).eq(pairs));
        if query.len() <= 40 {
            let found = query.iter_combinations::<3>().map(|items| items.map(|(entity, _)| entity));
            assert!(found.filter(|items| items.iter().all(|&entity| few(entity))).eq(triples));
        }
        assert!(
            query
                .iter_combinations::<1>()
                .map(|[(entity, _)]| entity)
                .eq(query.iter().map(|(entity, _)| entity))
        );
    }
    let mut world = Four::new();
    assert_eq!(world.query::<&A>().iter_combinations::<2>().count(), 0);
    world.spawn_batch([1, 2, 3].map(A));
    assert_eq!(
        [
            world.query::<&A>().iter_combinations::<4>().count(),
            world.query::<&A>().iter_combinations::<3>().count()
        ],
        [0, 1]
    );
}

#[test]
fn get_many_mut_refuses_an_id_that_occurs_twice() {
    let mut world = Four::new();
    let (one, two) = (world.spawn(A(1)), world.spawn(A(2)));
    let mut query = world.query_mut::<&mut A>();
    assert_eq!(query.get_many_mut([one, two, one]).err(), Some(GetManyError::Twice(one)));
    assert_eq!(query.get_many_mut([two, two]).err(), Some(GetManyError::Twice(two)));
}

#[test]
fn get_many_mut_refuses_entities_that_do_not_match() {
    let mut world = Four::new();
    let (one, two, dead) = (world.spawn(A(1)), world.spawn(B(2)), world.spawn(A(3)));
    world.despawn(dead).unwrap();
    let alive = world.spawn(A(4));
    let mut query = world.query_mut::<&mut A>();
    assert_eq!(query.get_many_mut([one, two]).err(), Some(GetManyError::NoMatch(two)));
    assert_eq!(query.get_many_mut([dead, alive]).err(), Some(GetManyError::NoMatch(dead)));
    assert_eq!(alive.slot(), dead.slot());
    assert!(query.get_many_mut([alive, one]).is_ok());
}

#[test]
fn single_wants_exactly_one() {
    let mut world = Four::new();
    assert_eq!(world.query::<&A>().single().err(), Some(SingleError::NoEntity));
    let entity = world.spawn(A(1));
    assert_eq!(world.query::<(Entity, &A)>().single(), Ok((entity, &A(1))));
    world.query_mut::<&mut A>().single_mut().unwrap().0 = 5;
    world.spawn((A(2), D));
    assert_eq!(world.query::<&A>().single().err(), Some(SingleError::SeveralEntities));
    assert_eq!(world.query_mut::<&mut A>().single_mut().err(), Some(SingleError::SeveralEntities));
    assert_eq!(world.query::<&A>().filter::<Without<D>>().single(), Ok(&A(5)));
    assert_eq!(world.query::<&C>().single().err(), Some(SingleError::NoEntity));
}

#[test]
fn pairs_are_unordered_and_complete() {
    for count in [0, 1, 2, 63, 64, 65, 130] {
        let mut world = Four::new();
        for n in 0..count {
            world.spawn((A(n), B(0)));
            world.spawn(B(1));
        }
        let mut pairs = BTreeSet::new();
        let mut calls = 0;
        world.query_mut::<(Entity, &mut A)>().pairs_mut(|(one, a), (two, b)| {
            std::mem::swap(a, b);
            assert!(one < two, "the first comes before the second");
            pairs.insert((one, two));
            calls += 1;
        });
        let n = count as usize;
        assert_eq!((calls, pairs.len()), (n * n.saturating_sub(1) / 2, calls));
    }
}

#[test]
fn pairs_obey_filters_and_holes() {
    for (mut world, expected) in all() {
        let matching = expect(&expected, |bits| has(bits, 0) && !has(bits, 1));
        let mut seen = Vec::new();
        world.query_mut::<(Entity, &A)>().filter::<Without<B>>().pairs_mut(|(one, _), (two, _)| {
            seen.push((one, two));
        });
        let wanted: Vec<_> = matching
            .iter()
            .enumerate()
            .flat_map(|(i, &one)| matching[i + 1..].iter().map(move |&two| (one, two)))
            .collect();
        assert_eq!(seen, wanted);
    }
}

#[test]
fn a_shared_borrow_of_a_writing_query_reads() {
    #[derive(Query)]
    struct Both<'a> {
        a: &'a mut A,
        b: Option<&'a mut B>,
    }
    for (mut world, expected) in all() {
        let matching = expect(&expected, |bits| has(bits, 0) && !has(bits, 3));
        let query = world.query_mut::<(Entity, &mut A, Option<&mut B>)>().filter::<Without<D>>();
        let listed: Vec<Entity> = (&query).into_iter().map(|(entity, ..)| entity).collect();
        assert_eq!(listed, matching);
        let values: Vec<(&A, Option<&B>)> = query.iter().map(|(_, a, b)| (a, b)).collect();
        for (&entity, &(a, b)) in matching.iter().zip(&values) {
            assert_eq!(query.get(entity), Some((entity, a, b)));
        }
        let copy = query.as_read_only();
        assert_eq!((copy.len(), copy.iter().count()), (matching.len(), matching.len()));
        assert_eq!(query.single().is_ok(), matching.len() == 1);
        let mut writing = world.query_mut::<Both<'_>>().filter::<Without<D>>();
        let sum: u64 = writing.iter().map(|(a, b)| u64::from(a.0) + b.map_or(0, |b| b.0)).sum();
        let mut again = 0;
        for Both { a, b } in &mut writing {
            again += u64::from(a.0) + b.map_or(0, |b| b.0);
        }
        assert_eq!(sum, again);
    }
}

//! Sets of entities: the laws of their algebra, and membership by generation.

use std::collections::BTreeSet;

use ecs::EntitySet;
use ecs::prelude::*;

use super::fixture::{A, B, C, D, Four, all};

fn model(set: &EntitySet) -> BTreeSet<Entity> {
    set.iter().collect()
}

#[test]
fn operators_agree_with_sets_of_the_standard_library() {
    for (world, _) in all() {
        let a = world.query::<&A>().to_set();
        let b = world.query::<&B>().to_set();
        let (x, y) = (model(&a), model(&b));
        assert_eq!(model(&(&a & &b)), &x & &y);
        assert_eq!(model(&(&a | &b)), &x | &y);
        assert_eq!(model(&(&a - &b)), &x - &y);
        assert_eq!(model(&(a.clone() & b.clone())), &x & &y);
        assert_eq!(model(&(a.clone() | b.clone())), &x | &y);
        assert_eq!(model(&(a.clone() - b.clone())), &x - &y);
        assert_eq!((a.len(), a.is_empty()), (x.len(), x.is_empty()));
    }
}

#[test]
fn the_laws_of_set_algebra_hold() {
    for (world, _) in all() {
        let sets = [
            EntitySet::new(),
            world.query::<&A>().to_set(),
            world.query::<&B>().to_set(),
            world.query::<(&C, &D)>().to_set(),
            world.entities().to_set(),
        ];
        let everything = world.entities().to_set();
        for a in &sets {
            assert_eq!((&(a & a), &(a | a), &(a - a)), (a, a, &EntitySet::new()));
            assert_eq!((&(a & &everything), &(a | &everything)), (a, &everything));
            for b in &sets {
                assert_eq!((a & b, a | b), (b & a, b | a));
                assert_eq!((a & &(a | b), a | &(a & b)), (a.clone(), a.clone()));
                assert_eq!(&(a - b) | &(a & b), *a);
                assert_eq!(&everything - &(a | b), &(&everything - a) & &(&everything - b));
                assert_eq!(&everything - &(a & b), &(&everything - a) | &(&everything - b));
                assert_eq!((a | b).len() + (a & b).len(), a.len() + b.len());
                for c in &sets {
                    assert_eq!((&(a & b) & c, &(a | b) | c), (a & &(b & c), a | &(b | c)));
                    assert_eq!(a & &(b | c), &(a & b) | &(a & c));
                    assert_eq!(a | &(b & c), &(a | b) & &(a | c));
                }
            }
        }
    }
}

#[test]
fn sets_agree_with_filters() {
    for (world, _) in all() {
        let [a, b, c] =
            [world.query::<&A>().to_set(), world.query::<&B>().to_set(), world.query::<&C>().to_set()];
        let filtered = world.query::<Entity>().filter::<Or<((With<A>, With<B>), With<C>)>>().to_set();
        assert_eq!(&(&a & &b) | &c, filtered);
        let filtered = world.query::<&A>().filter::<Not<Or<(With<B>, With<C>)>>>().to_set();
        assert_eq!(&a - &(&b | &c), filtered);
    }
}

#[test]
fn members_are_added_and_taken_out() {
    let mut world = Four::new();
    let ids: Vec<Entity> = (0..200).map(|n| world.spawn(A(n))).collect();
    let mut set = EntitySet::new();
    assert!(set.insert(ids[3]) && set.insert(ids[150]) && !set.insert(ids[3]));
    assert!(set.contains(ids[150]) && !set.contains(ids[4]));
    assert_eq!(set.iter().collect::<Vec<_>>(), [ids[3], ids[150]]);
    assert!(set.remove(ids[3]) && !set.remove(ids[3]) && !set.remove(ids[199]));
    assert_eq!(set.len(), 1);
    assert_eq!(format!("{set:?}"), format!("{{{}}}", ids[150]));
    assert!(set.remove(ids[150]) && set.is_empty());
    assert_eq!(set, EntitySet::new());
}

#[test]
fn a_set_is_a_snapshot() {
    let mut world = Four::new();
    let entity = world.spawn(A(1));
    let set = world.entities().to_set();
    world.despawn(entity).unwrap();
    let next = world.spawn(A(2));
    assert_eq!(next.slot(), entity.slot());
    assert!(set.contains(entity) && !set.contains(next));
    let now = world.entities().to_set();
    assert!((&set & &now).is_empty());
    assert_eq!(&now - &set, now);
}

#[test]
fn of_two_generations_a_union_keeps_the_younger() {
    let id = |slot: u64, generation: u64| Entity::from_bits(generation << 32 | slot).unwrap();
    let old: EntitySet = [id(5, 1), id(6, 1)].into_iter().collect();
    let new: EntitySet = [id(5, 2)].into_iter().collect();
    assert_eq!(model(&(&old | &new)), [id(5, 2), id(6, 1)].into());
    assert_eq!(&old | &new, &new | &old);
    let mut set = new.clone();
    assert!(!set.insert(id(5, 1)) && set.insert(id(5, 3)));
    assert_eq!(set.len(), 1);
    assert!(!set.remove(id(5, 2)) && set.remove(id(5, 3)));
}

#[test]
fn sets_are_equal_by_their_members() {
    let id = |slot: u64| Entity::from_bits(1 << 32 | slot).unwrap();
    let mut one: EntitySet = [id(1), id(1000)].into_iter().collect();
    one.remove(id(1000));
    assert_eq!(one, [id(1)].into_iter().collect());
    assert_ne!(one, [id(2)].into_iter().collect());
}

/// A query of the entities of a set matches those that the set and the query have, with the items
/// of the whole query.
#[test]
fn a_query_of_a_set_is_the_intersection() {
    for (mut world, _) in all() {
        let sets = [EntitySet::new(), world.query::<&B>().to_set(), world.entities().to_set()];
        for set in sets {
            let all: Vec<(Entity, A)> =
                world.query::<(Entity, &A)>().iter().map(|(id, a)| (id, a.clone())).collect();
            let expected: Vec<(Entity, A)> = all.into_iter().filter(|(id, _)| set.contains(*id)).collect();
            let query = world.query::<(Entity, &A)>();
            assert!(query.within(&set).map(|(id, a)| (id, a.clone())).eq(expected.iter().cloned()));
            let mut met = Vec::new();
            world
                .query_mut::<(Entity, &mut A)>()
                .into_query()
                .for_each_within(&set, |(id, a)| met.push((id, a.clone())));
            assert_eq!(met, expected);
        }
    }
}

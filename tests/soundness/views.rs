//! Views, queries and parameters that are swapped, reordered, and kept as long as the borrow
//! checker allows.

use std::mem::swap;

use ecs::prelude::*;
use ecs::query::{View, ViewMut};

use super::ground::{Ledger, Left, Number, One, Right, Tag, Two, exercise, one, wear_out};

#[test]
fn mutable_views_of_two_worlds_are_swapped() {
    let ledger = Ledger::new();
    let (mut small, few) = one(&ledger, 10);
    let (mut large, many) = one(&ledger, 5000);
    {
        let (mut a, mut b) = (small.columns_mut(), large.columns_mut());
        swap(&mut a.left, &mut b.left);
        swap(&mut a.number, &mut b.number);
        assert_eq!((a.left.len(), b.left.len()), (many.len(), few.len()));
        let id = *many.last().unwrap();
        drop(a.left.insert(id, Left(ledger.token())).ok().unwrap());
        assert!(b.left.insert(id, Left(ledger.token())).is_err(), "the view still knows its own world");
        for (_, number) in a.number.iter_mut().chain(b.number.iter_mut()) {
            number.0 += 1;
        }
        assert!(b.left.remove(few[0]).is_some());
    }
    assert!(small.get::<Left>(few[0]).is_none());
    wear_out(small, &ledger);
    wear_out(large, &ledger);
    ledger.assert_settled();
}

#[test]
fn views_of_different_world_types_are_swapped() {
    let ledger = Ledger::new();
    let (mut one, _) = one(&ledger, 500);
    let mut two = Two::new();
    let ids: Vec<Entity> = (0..9000).map(|n| two.spawn(Number(n))).collect();
    {
        let (mut a, mut b) = (one.columns_mut(), two.columns_mut());
        swap(&mut a.tag, &mut b.tag);
        swap(&mut a.right, &mut b.right);
        for &id in &ids {
            assert!(a.tag.insert(id, Tag).is_ok() && b.tag.insert(id, Tag).is_err());
            assert_eq!(a.right.insert(id, Right(ledger.token())).map(|old| old.is_some()).ok(), Some(false));
        }
    }
    assert_eq!(
        (two.query::<(&Tag, &Right)>().len(), two.entity(ids[8999]).unwrap().components().count()),
        (9000, 3)
    );
    for id in ids {
        two.despawn(id).unwrap();
    }
    assert!(two.query::<&Right>().is_empty(), "the view noted its own column");
    drop(two);
    wear_out(one, &ledger);
    ledger.assert_settled();
}

#[test]
fn queries_of_two_worlds_are_swapped() {
    let ledger = Ledger::new();
    let (mut small, few) = one(&ledger, 10);
    let (mut large, many) = one(&ledger, 5000);
    {
        let mut a = small.query_mut::<(Entity, &mut Number)>();
        let mut b = large.query_mut::<(Entity, &mut Number)>();
        swap(&mut a, &mut b);
        assert_eq!((a.len(), b.len()), (many.len(), few.len()));
        let a = a.filter::<With<Tag>>();
        let b = b.filter::<Without<Tag>>();
        let (mut a, mut b) = (a.into_query(), b.into_query());
        assert!(a.get_mut(*many.last().unwrap()).is_none() || a.get_mut(few[1]).is_some());
        a.for_each(|(_, number)| number.0 += 1);
        b.for_each(|(_, number)| number.0 += 1);
    }
    {
        let mut a = small.query_mut::<&mut Number>().into_query();
        let mut b = large.query_mut::<&mut Number>().into_query();
        swap(&mut a, &mut b);
        let mut lent = a.reborrow();
        let mut other = b.reborrow();
        swap(&mut lent, &mut other);
        lent.for_each(|number| number.0 += 1);
        a.for_each(|number| number.0 += 1);
    }
    wear_out(small, &ledger);
    wear_out(large, &ledger);
    ledger.assert_settled();
}

#[test]
fn iterators_of_two_worlds_are_swapped_half_way() {
    let ledger = Ledger::new();
    let (mut small, few) = one(&ledger, 100);
    let (mut large, many) = one(&ledger, 5000);
    {
        let mut a = small.query_mut::<&mut Number>().into_iter();
        let mut b = large.query_mut::<&mut Number>().into_iter();
        let mut held: Vec<&mut Number> = a.by_ref().take(10).chain(b.by_ref().take(70)).collect();
        swap(&mut a, &mut b);
        held.extend(a);
        held.extend(b);
        assert_eq!(held.len(), few.len() + many.len());
        for number in held {
            number.0 = 7;
        }
    }
    assert!(small.query::<&Number>().iter().chain(&large.query::<&Number>()).all(|number| number.0 == 7));
    wear_out(small, &ledger);
    wear_out(large, &ledger);
    ledger.assert_settled();
}

#[test]
fn values_are_swapped_between_worlds() {
    let ledger = Ledger::new();
    let (mut a, _) = one(&ledger, 300);
    let (mut b, _) = one(&ledger, 300);
    for (one, two) in a.query_mut::<&mut Left>().into_iter().zip(b.query_mut::<&mut Left>()) {
        swap(one, two);
    }
    let lefts = a.query_mut::<&mut Left>();
    let rights = b.query_mut::<&mut Right>();
    for (left, right) in lefts.into_iter().zip(rights) {
        swap(&mut left.0, &mut right.0);
    }
    swap(&mut a, &mut b);
    wear_out(a, &ledger);
    wear_out(b, &ledger);
    ledger.assert_settled();
}

#[test]
fn chunks_are_swapped_and_sorted_into_each_other() {
    let ledger = Ledger::new();
    let (mut world, _) = one(&ledger, 3000);
    {
        let mut query = world.query_mut::<&mut Left>();
        let mut chunks: Vec<&mut [Left]> = query.chunks_mut().collect();
        for n in 1..chunks.len() {
            let (before, after) = chunks.split_at_mut(n);
            let (one, two) = (&mut before[n - 1], &mut after[0]);
            let len = one.len().min(two.len());
            one[..len].swap_with_slice(&mut two[..len]);
        }
        chunks.iter_mut().for_each(|chunk| chunk.reverse());
    }
    wear_out(world, &ledger);
    ledger.assert_settled();
}

#[test]
fn readers_of_one_column_outlive_each_other() {
    let ledger = Ledger::new();
    let (world, alive) = one(&ledger, 100);
    let numbers: Vec<&Number>;
    let view: View<'_, Left>;
    {
        let query = world.query::<&Number>();
        numbers = query.into_iter().collect();
        view = world.columns().left;
    }
    assert_eq!((numbers.len(), view.iter().count()), (alive.len(), alive.len()));
    let first = world.query::<(Entity, &Left)>().into_iter().next().unwrap();
    assert_eq!(view.get(first.0).map(|left| left.0.number()), Some(first.1.0.number()));
}

#[test]
fn parameters_of_a_system_are_swapped() {
    #[system(One)]
    fn mix(
        mut tagged: Query<(Entity, &mut Number), With<Tag>>,
        mut plain: Query<(Entity, &mut Number), Without<Tag>>,
        mut left: Storage<Left>,
        mut right: Storage<Right>,
    ) -> usize {
        let mut one: Vec<&mut Number> = tagged.iter_mut().map(|(_, number)| number).collect();
        let mut two: Vec<&mut Number> = plain.iter_mut().map(|(_, number)| number).collect();
        swap(&mut one, &mut two);
        for (a, b) in one.iter_mut().zip(&mut two) {
            swap(*a, *b);
        }
        let count = one.len() + two.len();
        for (entity, _) in &mut tagged.reborrow() {
            if let (Some(a), Some(b)) = (left.get_mut(entity), right.get_mut(entity)) {
                swap(&mut a.0, &mut b.0);
            } else if let Some(left) = left.remove(entity) {
                drop(right.insert(entity, Right(left.0)).unwrap());
            }
        }
        count
    }
    let ledger = Ledger::new();
    let (mut world, alive) = one(&ledger, 500);
    assert_eq!(world.run::<mix>(), alive.len());
    exercise(&mut world);
    wear_out(world, &ledger);
    ledger.assert_settled();
}

#[test]
fn views_are_used_in_any_order_and_from_functions() {
    fn exchange<'w>(a: &mut ViewMut<'w, Left>, b: &mut ViewMut<'w, Left>) {
        swap(a, b);
    }
    let ledger = Ledger::new();
    let (mut a, _) = one(&ledger, 70);
    let (mut b, _) = one(&ledger, 7);
    {
        let (mut x, mut y) = (a.columns_mut().left, b.columns_mut().left);
        exchange(&mut x, &mut y);
        let (small, large) = (x.len(), y.len());
        assert!(small < large);
        let ids: Vec<Entity> = y.iter().map(|(entity, _)| entity).collect();
        let moved: Vec<Left> = ids.iter().filter_map(|&id| y.remove(id)).collect();
        assert_eq!((moved.len(), y.len()), (large, 0));
        let ids: Vec<Entity> = x.iter().map(|(entity, _)| entity).collect();
        for (id, left) in ids.into_iter().zip(moved) {
            drop(x.insert(id, left).ok().unwrap());
        }
    }
    wear_out(a, &ledger);
    wear_out(b, &ledger);
    ledger.assert_settled();
}

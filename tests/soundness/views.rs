//! Views, queries and parameters that are swapped, reordered, and kept as long as the borrow
//! checker allows.

use std::mem::swap;

use ecs::component::Disabled;
use ecs::prelude::*;
use ecs::query::{View, ViewMut};
use ecs::{ChildOf, Sources, Target};

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

#[derive(Component, Clone, PartialEq, Debug)]
#[component(tracked)]
struct Watched(u64);

#[derive(Component, Clone, Copy)]
struct Plain(u64);

#[derive(Query)]
struct Row<'q> {
    entity: Entity,
    watched: Mut<'q, Watched>,
    plain: Option<&'q mut Plain>,
    parent: Option<Target<ChildOf, Is<Plain>>>,
    sources: Sources<'q, ChildOf>,
}

#[derive(Component)]
struct Marker;

world! { struct Flock { components { Watched, Plain, Marker, ChildOf, Disabled } } }

/// The own row is written while the others are kept: none of them is the own one, over pages and
/// words of one entity, with reused slots, disabled entities, filters by change, and several threads.
#[test]
fn the_own_row_is_written_while_the_others_are_read() {
    let mut flock = Flock::new();
    let all: Vec<Entity> = (0..600).map(|n| flock.spawn((Watched(n), Marker))).collect();
    for (n, &entity) in all.iter().enumerate() {
        match n % 5 {
            0 => _ = flock.insert(entity, Plain(1)),
            1 if n > 0 => _ = flock.insert(entity, ChildOf(all[n - 1])),
            2 if n > 64 && n < 320 => flock.despawn(entity).unwrap(),
            3 => _ = flock.insert(entity, Disabled),
            _ if n / 64 == 4 && n != 300 => flock.despawn(entity).unwrap(),
            _ => {}
        }
    }
    let reused: Vec<Entity> = (0..20).map(|n| flock.spawn((Watched(n), Plain(n)))).collect();
    let mut rows = flock.query_mut::<Row>().filter::<(Changed<Watched>, Added<Watched>)>().into_query();
    let ids: Vec<Entity> = rows.iter().map(|(entity, ..)| entity).collect();
    assert!(reused.iter().all(|entity| ids.contains(entity)));
    for &own in &all {
        let Some((mut row, others)) = rows.split_one_mut(own) else {
            assert!(!ids.contains(&own));
            continue;
        };
        let kept: Vec<_> = others.iter().collect();
        assert!(kept.len() == ids.len() - 1 && kept.iter().all(|(entity, ..)| *entity != own));
        assert!(others.get(own).is_none() && !others.contains(own));
        std::thread::scope(|scope| {
            scope.spawn(|| others.iter().map(|(_, watched, ..)| watched.0).sum::<u64>());
            row.watched.0 += 1;
            row.plain.iter_mut().for_each(|plain| plain.0 += 1);
        });
        let sum: u64 = kept.iter().map(|(_, watched, plain, ..)| watched.0 + plain.map_or(0, |p| p.0)).sum();
        row.watched.0 += sum % 2;
        assert!(
            row.entity == own
                && row.sources.iter().count() <= 1
                && row.parent.is_none_or(|p| p.entity() != own)
        );
    }
    // two worlds, whose others are swapped
    let mut second = Flock::new();
    let one = second.spawn(Plain(7));
    let mut plains = second.query_mut::<&mut Plain>();
    let mut of_first = flock.query_mut::<&mut Plain>();
    let (own, mut others) = plains.split_one_mut(one).unwrap();
    let (other_own, mut other_others) = of_first.split_one_mut(reused[3]).unwrap();
    swap(&mut others, &mut other_others);
    (own.0, other_own.0) = (other_own.0, own.0);
    assert!(other_others.iter().count() == 0 && others.get(reused[3]).is_none());
    assert!(others.iter().count() > 20);
}

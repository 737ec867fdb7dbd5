//! Several queries at once, outside systems.

use ecs::prelude::*;

use super::fixture::{A, B, C, D, by_kind, has};

#[test]
fn queries_of_different_components_are_held_together() {
    let (mut world, expected) = by_kind(70);
    let (mut a, b, mut c) = world.queries::<(&mut A, (Entity, &B), (&mut C, Option<&B>))>();
    let first = b.iter().next().unwrap();
    for a in &mut a {
        a.0 = first.1.0 as u32;
    }
    for (c, b) in &mut c {
        c.0 = b.map_or(String::new(), |b| b.0.to_string());
    }
    assert_eq!(b.len(), expected.iter().filter(|(_, bits)| has(*bits, 1)).count());
    assert!(world.query::<&A>().iter().all(|a| a.0 == 0));
    assert!(world.query::<(&C, &B)>().iter().all(|(c, b)| c.0 == b.0.to_string()));
}

#[test]
fn shared_borrows_of_one_component_go_together() {
    let (mut world, _) = by_kind(3);
    let (one, two, mut b) = world.queries::<(&A, (Entity, &A), (&mut B, Is<A>))>();
    assert!(one.iter().eq(two.iter().map(|(_, a)| a)));
    b.for_each(|(b, a)| b.0 = u64::from(*a));
    assert_eq!(world.query::<&B>().iter().map(|b| b.0).sum::<u64>(), 12);
}

#[test]
fn a_query_may_look_up_while_another_is_walked() {
    let (mut world, expected) = by_kind(2);
    let (mut writers, readers) = world.queries::<((Entity, &mut A), (Option<&B>, Option<&D>))>();
    for (entity, a) in &mut writers {
        let (b, d) = readers.get(entity).unwrap();
        a.0 = b.map_or(0, |_| 1) + d.map_or(0, |_| 2);
    }
    for (entity, bits) in expected {
        if has(bits, 0) {
            let wanted = u32::from(has(bits, 1)) + 2 * u32::from(has(bits, 3));
            assert_eq!(world.get(entity), Some(&A(wanted)));
        }
    }
}

#[test]
fn a_shorter_borrow_leaves_the_query_usable() {
    let (mut world, _) = by_kind(4);
    let mut query = world.query_mut::<&mut A>();
    let count = query.reborrow().into_iter().count();
    query.iter_mut().for_each(|a| a.0 = 1);
    assert_eq!(query.into_query().len(), count);
    assert_eq!(world.query::<&A>().iter().map(|a| a.0).sum::<u32>(), count as u32);
}

#[test]
fn queries_print_how_many_they_match() {
    let (world, _) = by_kind(2);
    assert!(format!("{:?}", world.query::<&A>()).contains("16"));
}

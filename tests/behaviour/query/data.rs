//! Query data: every kind of element, tuples, and derived structs.

use ecs::prelude::*;

use super::fixture::{A, B, C, D, Four, all, expect, has};

#[test]
fn references_require_their_component() {
    for (mut world, expected) in all() {
        let seen: Vec<Entity> = world.query::<(Entity, &A, &C)>().iter().map(|(entity, ..)| entity).collect();
        assert_eq!(seen, expect(&expected, |bits| has(bits, 0) && has(bits, 2)));
        let writing: Vec<Entity> =
            world.query_mut::<(Entity, &mut B)>().into_iter().map(|(e, _)| e).collect();
        assert_eq!(writing, expect(&expected, |bits| has(bits, 1)));
    }
}

#[test]
fn options_match_every_entity_and_give_the_present_values() {
    for (mut world, expected) in all() {
        let query = world.query::<(Entity, Option<&A>, Option<&D>)>();
        let seen: Vec<_> = query.iter().map(|(e, a, d)| (e, a.is_some(), d.is_some())).collect();
        let mut wanted: Vec<_> = expected.iter().map(|&(e, bits)| (e, has(bits, 0), has(bits, 3))).collect();
        wanted.sort();
        assert_eq!(seen, wanted);
        let mut written = 0;
        world.query_mut::<(Entity, Option<&mut B>)>().for_each(|(_, b)| {
            if let Some(b) = b {
                b.0 = 5;
                written += 1;
            }
        });
        assert_eq!(written, expect(&expected, |bits| has(bits, 1)).len());
        assert!(world.query::<&B>().iter().all(|b| b.0 == 5));
    }
}

#[test]
fn options_alone_match_every_living_entity() {
    for (mut world, expected) in all() {
        assert_eq!(world.query::<Option<&A>>().iter().count(), expected.len());
        assert_eq!(world.query::<(Option<&A>, Option<&C>)>().len(), expected.len());
        assert_eq!(
            world.query_mut::<Option<&mut C>>().iter_mut().flatten().count(),
            world.query::<&C>().len()
        );
    }
}

#[test]
fn is_reads_presence_as_a_bool() {
    for (world, expected) in all() {
        let query = world.query::<(Entity, Is<A>, Is<B>, Is<C>, Is<D>)>();
        assert_eq!(query.len(), expected.len());
        for &(entity, bits) in &expected {
            let (id, a, b, c, d) = query.get(entity).unwrap();
            assert_eq!((id, [*a, *b, *c, *d]), (entity, [0, 1, 2, 3].map(|component| has(bits, component))));
        }
    }
}

#[test]
fn is_goes_with_a_borrow_of_the_same_component() {
    let (mut world, expected) = super::fixture::by_kind(3);
    let mut both = 0;
    world.query_mut::<(Is<A>, Option<&mut A>)>().for_each(|(is, a)| {
        assert_eq!(*is, a.is_some());
        both += usize::from(*is);
    });
    assert_eq!(both, expect(&expected, |bits| has(bits, 0)).len());
}

#[test]
fn tuples_nest() {
    for (world, expected) in all() {
        let query = world.query::<((&A, (Entity, &B)), (Option<&C>, (Is<D>,)))>();
        assert_eq!(query.len(), expect(&expected, |bits| bits & 3 == 3).len());
        for ((a, (entity, b)), (c, (d,))) in &query {
            assert_eq!((Some(a), Some(b)), (world.get(entity), world.get(entity)));
            assert_eq!((c, *d), (world.get::<C>(entity), world.has::<D>(entity)));
        }
    }
}

#[test]
fn values_are_those_of_the_entity() {
    for (world, _) in all() {
        for (entity, a, b, c) in &world.query::<(Entity, Option<&A>, Option<&B>, Option<&C>)>() {
            assert_eq!((a, b, c), (world.get(entity), world.get(entity), world.get(entity)));
        }
    }
}

#[test]
fn twelve_elements_fit_into_a_tuple() {
    let (mut world, _) = super::fixture::by_kind(2);
    type Twelve<'a> = (
        Entity,
        &'a mut A,
        &'a B,
        Option<&'a mut C>,
        &'a D,
        Is<A>,
        Is<B>,
        Is<C>,
        Is<D>,
        Entity,
        &'a B,
        Option<&'a B>,
    );
    assert_eq!(world.query_mut::<Twelve<'_>>().iter_mut().count(), 4);
}

/// A derived query, of any lifetime.
#[derive(Query)]
struct Mover<'a> {
    entity: Entity,
    a: &'a mut A,
    b: Option<&'a B>,
    frozen: Is<D>,
}

#[derive(Query)]
struct Reader<'a> {
    a: &'a A,
    rest: (Option<&'a B>, Is<C>),
}

#[derive(Query)]
struct Nested<'a> {
    mover: Mover<'a>,
    c: &'a C,
}

#[derive(Query)]
struct Whole {
    entity: Entity,
    c: Is<C>,
}

#[derive(Query)]
struct Of<'a, T: Component> {
    entity: Entity,
    value: &'a T,
}

#[test]
fn a_derived_struct_is_query_data() {
    for (mut world, expected) in all() {
        let mut seen = Vec::new();
        for Mover { entity, a, b, frozen } in world.query_mut::<Mover<'_>>() {
            a.0 = 1000 + u32::from(*frozen);
            seen.push((entity, b.is_some()));
        }
        let wanted = expect(&expected, |bits| has(bits, 0));
        assert_eq!(seen.iter().map(|(entity, _)| *entity).collect::<Vec<_>>(), wanted);
        for (entity, with_b) in seen {
            assert_eq!(world.get::<A>(entity).unwrap().0, 1000 + u32::from(world.has::<D>(entity)));
            assert_eq!(with_b, world.has::<B>(entity));
        }
    }
}

#[test]
fn a_derived_struct_that_only_reads_can_be_borrowed_shared() {
    let (world, expected) = super::fixture::by_kind(5);
    let query = world.query::<Reader<'_>>();
    let sum: u32 = query.iter().map(|reader| reader.a.0).sum();
    assert_eq!(sum, 8 * (1 + 2 + 3 + 4));
    for reader in &query {
        let (b, c) = reader.rest;
        assert!(b.is_none_or(|b| b.0 == u64::from(reader.a.0) * 10));
        let _: bool = *c;
    }
    assert_eq!(world.query::<Whole>().iter().filter(|whole| *whole.c).count(), expected.len() / 2);
    assert!(world.query::<Whole>().iter().all(|whole| world.contains(whole.entity)));
}

#[test]
fn derived_structs_nest_in_each_other_and_in_tuples() {
    let (mut world, expected) = super::fixture::by_kind(70);
    let mut count = 0;
    world.query_mut::<(Nested<'_>, Is<D>)>().for_each(|(nested, d)| {
        assert_eq!(*nested.mover.frozen, *d);
        assert_eq!(nested.c.0, format!("c{}", nested.mover.a.0));
        count += 1;
    });
    assert_eq!(count, expect(&expected, |bits| has(bits, 0) && has(bits, 2)).len());
}

#[test]
fn derived_structs_may_be_generic() {
    let (world, expected) = super::fixture::by_kind(5);
    let query = world.query::<Of<'_, B>>();
    assert_eq!(query.len(), expect(&expected, |bits| has(bits, 1)).len());
    assert!(query.iter().all(|of| world.get::<B>(of.entity) == Some(of.value)));
    assert_eq!(world.query::<Of<'_, D>>().len(), query.len());
}

#[test]
fn a_derived_struct_may_have_more_than_twelve_fields() {
    #[derive(Query)]
    struct Fifteen<'a> {
        e0: Entity,
        a: &'a mut A,
        b: &'a B,
        c: Option<&'a C>,
        d: &'a D,
        i0: Is<A>,
        i1: Is<B>,
        i2: Is<C>,
        i3: Is<D>,
        b2: &'a B,
        b3: Option<&'a B>,
        e1: Entity,
        inner: (Entity, &'a B),
        d2: Option<&'a D>,
        e2: Entity,
    }
    let (mut world, expected) = super::fixture::by_kind(3);
    let mut seen = Vec::new();
    for f in world.query_mut::<Fifteen<'_>>() {
        assert!(*f.i0 && *f.i1 && *f.i3 && f.d2 == Some(f.d) && *f.i2 == f.c.is_some());
        assert!(f.b == f.b2 && f.b3 == Some(f.b) && f.inner == (f.e0, f.b));
        assert_eq!((f.e0, f.e1), (f.e1, f.e2));
        f.a.0 += 1;
        seen.push(f.e2);
    }
    assert_eq!(seen, expect(&expected, |bits| bits & 0b1011 == 0b1011));
}

#[test]
fn queries_without_matches_are_empty() {
    let mut world = Four::new();
    assert!(world.query::<Entity>().is_empty() && world.query::<(Entity, Option<&A>)>().is_empty());
    assert_eq!(world.query::<&A>().iter().next(), None);
    world.spawn(A(1));
    assert!(world.query::<(&A, &B)>().is_empty() && world.query::<&B>().is_empty());
    assert_eq!(world.query_mut::<(&mut A, &D)>().iter_mut().count(), 0);
    assert_eq!(world.query_mut::<(&mut A, &D)>().chunks_mut().count(), 0);
    assert!(world.query::<(&A, &B)>().single().is_err());
    let mut pairs = 0;
    world.query_mut::<(&mut A, &B)>().pairs_mut(|_, _| pairs += 1);
    assert_eq!(pairs, 0);
}

#[derive(Query)]
struct Strip<'a> {
    entity: Entity,
    values: (&'a mut A, &'a B),
}

#[test]
fn a_derived_struct_lends_the_slices_of_its_fields() {
    for (mut world, expected) in all() {
        let mut seen = Vec::new();
        for (entities, (a, b)) in world.query_mut::<Strip<'_>>().chunks_mut() {
            assert!(a.len() == b.len() && a.len() == entities.len());
            a.iter_mut().zip(b).for_each(|(a, b)| a.0 = b.0 as u32 + 1);
            seen.extend(entities);
        }
        assert_eq!(seen, expect(&expected, |bits| has(bits, 0) && has(bits, 1)));
        for Strip { entity, values: (a, b) } in world.query_mut::<Strip<'_>>() {
            assert!(seen.contains(&entity) && u64::from(a.0) == b.0 + 1);
        }
        let query = world.query_mut::<Strip<'_>>();
        for (_, (a, b)) in query.chunks() {
            assert!(a.iter().zip(b).all(|(a, b)| u64::from(a.0) == b.0 + 1));
        }
    }
}

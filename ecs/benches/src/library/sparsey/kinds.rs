//! Worlds in which entities differ in what they have.

use std::mem::swap;

use sparsey::component::Component;
use sparsey::{Entity, World};

use super::{A, B, C, D, E, F, G, H, I, J, Position, Velocity, body};
use crate::harness::Suite;
use crate::math::digest;
use crate::workload::{churn, combinations, eight_kinds, rare, schedule, simple_iter};

pub(super) fn cases(suite: &mut Suite) {
    combinations_cases(suite);
    moving_cases(suite);
    schedule_case(suite);
    rare_cases(suite);
}

/// Gives entity `i` a letter, if its combination has that.
fn give<T: Component>(world: &mut World, id: Entity, i: u32, bit: u32, letter: fn(f32) -> T) {
    if (i % combinations::COMBINATIONS) >> bit & 1 == 1 {
        world.insert(id, (letter(combinations::value(i)),));
    }
}

/// The combinations, of entities that are spawned empty: a sparse set does not know how its
/// components came.
fn combined(count: u32) -> World {
    let mut world = World::builder().add_group::<(A, B)>().build();
    macro_rules! register {
        ($($letter:ident)*) => {
            $(world.register::<$letter>();)*
        };
    }
    register!(C D E F G H I J);
    let ids = world.extend((0..count).map(|_| ())).to_vec();
    for (i, id) in (0..count).zip(ids) {
        give(&mut world, id, i, 0, A);
        give(&mut world, id, i, 1, B);
        give(&mut world, id, i, 2, C);
        give(&mut world, id, i, 3, D);
        give(&mut world, id, i, 4, E);
        give(&mut world, id, i, 5, F);
        give(&mut world, id, i, 6, G);
        give(&mut world, id, i, 7, H);
        give(&mut world, id, i, 8, I);
        give(&mut world, id, i, 9, J);
    }
    world
}

fn combinations_cases(suite: &mut Suite) {
    for workload in [&combinations::SPAWNED, &combinations::INSERTED, &combinations::REGROUPED] {
        suite.case(
            workload,
            combined,
            |world| world.for_each::<(&mut A, &B)>(|(a, b)| combinations::step(&mut a.0, &b.0)),
            |world| sum_of_pairs(world),
        );
    }
}

fn sum_of_pairs(world: &World) -> u64 {
    let mut all = world.query_all::<(&A, &B)>();
    all.iter().fold(0, |sum, (a, b)| sum.wrapping_add(digest(&[&[a.0], &[b.0]])))
}

/// Number `n`, with the letters that the bits of its kind say.
fn spawn(world: &mut World, n: u32, kind: u32) -> Entity {
    let (_, position, _, velocity) = body(n);
    match kind {
        0 => world.create((position, velocity)),
        1 => world.create((position, velocity, A(0.0))),
        2 => world.create((position, velocity, B(0.0))),
        3 => world.create((position, velocity, A(0.0), B(0.0))),
        4 => world.create((position, velocity, C(0.0))),
        5 => world.create((position, velocity, A(0.0), C(0.0))),
        6 => world.create((position, velocity, B(0.0), C(0.0))),
        _ => world.create((position, velocity, A(0.0), B(0.0), C(0.0))),
    }
}

fn four_kinds(count: u32) -> (World, Vec<Entity>) {
    let mut world =
        World::builder().add_group::<(Position, Velocity)>().register::<A>().register::<B>().build();
    let ids = (0..count).map(|n| spawn(&mut world, n, n % 4)).collect();
    (world, ids)
}

fn churned((world, ids): &mut (World, Vec<Entity>)) {
    churn::churn(
        world,
        ids,
        |world, id| assert!(world.destroy(id), "it lives"),
        |world, n| spawn(world, n, n % 4),
    );
}

fn movement(world: &mut World) {
    world.for_each::<(&mut Position, &Velocity)>(|(position, velocity)| {
        simple_iter::step(&mut position.0, &velocity.0);
    });
}

fn sum_of_moving(world: &mut World) -> u64 {
    let mut all = world.query_all::<(&Position, &Velocity)>();
    all.iter().fold(0, |sum, (position, velocity)| sum.wrapping_add(digest(&[&position.0, &velocity.0])))
}

fn moving_cases(suite: &mut Suite) {
    suite.case(
        &eight_kinds::EIGHT_KINDS,
        |count| {
            let mut world = four_kinds(0).0;
            world.register::<C>();
            for i in 0..count {
                spawn(&mut world, i, i % 8);
            }
            world
        },
        movement,
        sum_of_moving,
    );
    suite.case(&churn::STEP, four_kinds, churned, |state| sum_of_moving(&mut state.0));
    suite.case(&churn::BEFORE, |count| four_kinds(count).0, movement, sum_of_moving);
    suite.case(
        &churn::AFTER,
        |count| {
            let mut state = four_kinds(count);
            churned(&mut state);
            state.0
        },
        movement,
        sum_of_moving,
    );
}

/// `C` can be in one group only: that with `D` is as good as that with `E`.
fn schedule_case(suite: &mut Suite) {
    suite.case(
        &schedule::SCHEDULE,
        |count| {
            let mut world =
                World::builder().add_group::<(A, B)>().add_group::<(C, D)>().register::<E>().build();
            let values = |i| schedule::values(i);
            world.extend((0..count).map(values).map(|[a, b, ..]| (A(a), B(b))));
            world.extend((0..count).map(values).map(|[a, b, c, ..]| (A(a), B(b), C(c))));
            world.extend((0..count).map(values).map(|[a, b, c, d, _]| (A(a), B(b), C(c), D(d))));
            world.extend((0..count).map(values).map(|[a, b, c, _, e]| (A(a), B(b), C(c), E(e))));
            world
        },
        |world| {
            world.for_each::<(&mut A, &mut B)>(|(a, b)| swap(&mut a.0, &mut b.0));
            world.for_each::<(&mut C, &mut D)>(|(c, d)| swap(&mut c.0, &mut d.0));
            world.for_each::<(&mut C, &mut E)>(|(c, e)| swap(&mut c.0, &mut e.0));
        },
        |world| {
            let all = world.borrow::<C>();
            let sum = sum_of_pairs(world);
            all.as_slice().iter().fold(sum, |sum, c| sum.wrapping_add(digest(&[&[c.0]])))
        },
    );
}

struct Rare(f32);

fn positions(count: u32) -> (World, Vec<Entity>) {
    let mut world = World::builder().add_group::<(Position, Rare)>().build();
    let ids = world.extend((0..count).map(|i| (body(i).1,))).to_vec();
    let ids = rare::chosen(count).into_iter().map(|i| ids[i as usize]).collect();
    (world, ids)
}

fn set((world, chosen): &mut (World, Vec<Entity>)) {
    for &id in &*chosen {
        assert!(world.insert(id, (Rare(0.5),)), "it lives");
    }
}

fn step(world: &mut World) {
    world.for_each::<(&mut Position, &Rare)>(|(position, rare)| rare::step(&mut position.0, &rare.0));
}

fn sum_of_rare(world: &mut World) -> u64 {
    let mut all = world.query_all::<(&Position, &Rare)>();
    all.iter().fold(0, |sum, (position, rare)| sum.wrapping_add(digest(&[&position.0, &[rare.0]])))
}

fn rare_cases(suite: &mut Suite) {
    for workload in [&rare::RANDOM, &rare::REGROUPED] {
        suite.case(
            workload,
            |count| {
                let mut state = positions(count);
                set(&mut state);
                state.0
            },
            step,
            sum_of_rare,
        );
    }
    suite.case(
        &rare::SET,
        positions,
        |state| {
            set(state);
            step(&mut state.0);
            let (world, chosen) = state;
            for &id in &*chosen {
                world.delete::<(Rare,)>(id);
            }
        },
        |state| {
            let all = state.0.borrow::<Position>();
            all.as_slice().iter().fold(0, |sum, position| sum.wrapping_add(digest(&[&position.0])))
        },
    );
    suite.case(
        &rare::KIND,
        |count| {
            let mut world = World::builder().add_group::<(Position, Rare)>().build();
            for i in 0..count {
                let (_, position, ..) = body(i);
                match i % 100 {
                    0 => world.create((position, Rare(0.5))),
                    _ => world.create((position,)),
                };
            }
            world
        },
        step,
        sum_of_rare,
    );
}

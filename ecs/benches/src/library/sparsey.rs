//! sparsey: sparse sets, and groups, which keep the sets of components that are queried together in
//! the same order.
//!
//! As its documentation advises, each world has the groups that its iteration wants, and so has the
//! world into which entities are spawned. It has no systems: in their place are functions.

mod kinds;
mod wide;

use std::hint::black_box;

use sparsey::{Entity, World};

use crate::harness::Suite;
use crate::math::{digest, shuffled};
use crate::workload::{
    add_remove, despawn, frag_iter, heavy_compute, memory, one_entity, random_access, simple_insert,
    simple_iter,
};

bodies!();
letters!();

/// A world for bodies that move.
fn empty() -> World {
    World::builder()
        .add_group::<(Position, Velocity)>()
        .register::<Transform>()
        .register::<Rotation>()
        .build()
}

fn bodies(count: u32) -> World {
    bodies_and_ids(count).0
}

fn bodies_and_ids(count: u32) -> (World, Vec<Entity>) {
    let mut world = empty();
    let ids = world.extend((0..count).map(body)).to_vec();
    (world, ids)
}

fn checksum(world: &mut World) -> u64 {
    let mut all = world.query_all::<(&Transform, &Position, &Rotation, &Velocity)>();
    all.iter().fold(0, |sum, (t, p, r, v)| sum.wrapping_add(digest(&[&t.0, &p.0, &r.0, &v.0])))
}

fn movement(world: &mut World) {
    world.for_each::<(&mut Position, &Velocity)>(|(position, velocity)| {
        simple_iter::step(&mut position.0, &velocity.0);
    });
}

/// Adds what sparsey does.
pub(crate) fn cases(suite: &mut Suite) {
    insert_cases(suite);
    iter_cases(suite);
    suite.case(
        &heavy_compute::HEAVY_COMPUTE,
        |count| {
            let mut world = World::builder()
                .add_group::<(Transform, Position)>()
                .register::<Rotation>()
                .register::<Velocity>()
                .build();
            world.extend((0..count).map(body));
            world
        },
        |world| {
            world.for_each::<(&mut Transform, &mut Position)>(|(transform, position)| {
                heavy_compute::step(&mut transform.0, &mut position.0);
            });
        },
        checksum,
    );
    suite.case(
        &frag_iter::FRAG_ITER,
        |_| fragments(),
        |world| world.for_each::<&mut Data>(|data| frag_iter::step(&mut data.0)),
        |world| {
            let all = world.borrow::<Data>();
            all.as_slice().iter().fold(0, |sum, data| sum.wrapping_add(digest(&[&[data.0]])))
        },
    );
    kinds::cases(suite);
    add_remove_case(suite);
    random_access_case(suite);
    despawn_cases(suite);
    wide::cases(suite);
}

fn insert_cases(suite: &mut Suite) {
    for workload in [&simple_insert::ONE_BY_ONE, &memory::SMALL, &memory::BODIES] {
        suite.case(
            workload,
            |count| (empty(), count),
            |(world, count)| {
                for i in 0..*count {
                    world.create(body(i));
                }
            },
            |state| checksum(&mut state.0),
        );
    }
    suite.case(
        &simple_insert::BATCHED,
        |count| (empty(), count),
        |(world, count)| {
            world.extend((0..*count).map(body));
        },
        |state| checksum(&mut state.0),
    );
}

fn iter_cases(suite: &mut Suite) {
    suite.case(
        &simple_iter::FOR,
        bodies,
        |world| {
            for (position, velocity) in &mut world.query_all::<(&mut Position, &Velocity)>() {
                simple_iter::step(&mut position.0, &velocity.0);
            }
        },
        checksum,
    );
    for workload in [&simple_iter::FOR_EACH, &simple_iter::SYSTEM] {
        suite.case(workload, bodies, movement, checksum);
    }
    suite.case(
        &simple_iter::SLICES,
        bodies,
        |world| {
            let mut all = world.query_all::<(&mut Position, &Velocity)>();
            let (positions, velocities) = all.slice().expect("they are a group");
            simple_iter::step_slice(positions, velocities);
        },
        checksum,
    );
    // the pointer is not known to the compiler, so that the function is not inlined
    suite.case(
        &one_entity::ONE_ENTITY,
        bodies,
        |world| black_box(movement as fn(&mut World))(world),
        checksum,
    );
}

fn fragments() -> World {
    macro_rules! spawn {
        ($world:ident $($letter:ident)*) => {
            $(
                $world.register::<$letter>();
                $world.extend((0..frag_iter::OF_EACH).map(|_| ($letter(0.0), Data(1.0))));
            )*
        };
    }
    let mut world = World::default();
    world.register::<Data>();
    each_letter!(spawn world);
    world
}

fn sum_of_b(world: &World) -> u64 {
    let all = world.borrow::<B>();
    all.as_slice().iter().fold(0, |sum, b| sum.wrapping_add(digest(&[&[b.0]])))
}

fn add((world, ids): &mut (World, Vec<Entity>)) {
    for &id in &*ids {
        assert!(world.insert(id, (B(2.0),)), "it lives");
    }
}

/// Without a group, since nothing is iterated.
fn add_remove_case(suite: &mut Suite) {
    suite.case(
        &add_remove::ADD_REMOVE,
        |count| {
            let mut world = World::builder().register::<A>().register::<B>().build();
            let ids = world.extend((0..count).map(|_| (A(1.0),))).to_vec();
            (world, ids)
        },
        |state| {
            add(state);
            let (world, ids) = state;
            for &id in &*ids {
                world.delete::<(B,)>(id);
            }
        },
        |state| {
            let none = sum_of_b(&state.0);
            add(state);
            add_remove::digest(none, sum_of_b(&state.0))
        },
    );
}

fn random_access_case(suite: &mut Suite) {
    suite.case(
        &random_access::RANDOM_ACCESS,
        |count| {
            let (world, ids) = bodies_and_ids(count);
            let ids: Vec<Entity> = shuffled(count).into_iter().map(|i| ids[i as usize]).collect();
            (world, ids, 0_u64)
        },
        |(world, ids, sum)| {
            let positions = world.borrow::<Position>();
            for &id in &*ids {
                let position = positions.get(id).expect("it lives");
                *sum = sum.wrapping_add(random_access::term(&position.0));
            }
        },
        |state| state.2,
    );
}

fn despawn_all((world, ids): &mut (World, Vec<Entity>)) {
    for &id in &*ids {
        assert!(world.destroy(id), "it lives");
    }
}

fn despawn_cases(suite: &mut Suite) {
    suite.case(&despawn::IN_ORDER, bodies_and_ids, despawn_all, |state| checksum(&mut state.0));
    suite.case(
        &despawn::SHUFFLED,
        |count| {
            let (world, ids) = bodies_and_ids(2 * count);
            (world, shuffled(2 * count).into_iter().take(count as usize).map(|i| ids[i as usize]).collect())
        },
        despawn_all,
        |state| checksum(&mut state.0),
    );
}

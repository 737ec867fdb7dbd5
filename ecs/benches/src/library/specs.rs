//! specs: a vector and a bit set for each component.

mod changed;
mod churn;
mod commands;
mod kinds;
mod rare;
mod systems;
mod wide;

use specs::{
    Builder, Component, Entity, Join, ParJoin, ReadStorage, VecStorage, World, WorldExt, WriteStorage,
};

use rayon::prelude::*;

use crate::harness::Suite;
use crate::math::{digest, shuffled};
use crate::workload::{
    add_remove, despawn, frag_iter, heavy_compute, memory, one_entity, random_access, simple_insert,
    simple_iter,
};

bodies!();
letters!();

macro_rules! stored {
    ($($component:ident)*) => {
        $(impl Component for $component {
            type Storage = VecStorage<Self>;
        })*
    };
}

stored! { Transform Position Rotation Velocity Data }
each_letter!(stored);

fn empty() -> World {
    let mut world = World::new();
    world.register::<Transform>();
    world.register::<Position>();
    world.register::<Rotation>();
    world.register::<Velocity>();
    world
}

fn spawn(world: &mut World, i: u32) -> Entity {
    let (transform, position, rotation, velocity) = body(i);
    world.create_entity().with(transform).with(position).with(rotation).with(velocity).build()
}

fn bodies(count: u32) -> World {
    bodies_and_ids(count).0
}

fn bodies_and_ids(count: u32) -> (World, Vec<Entity>) {
    let mut world = empty();
    let ids = (0..count).map(|i| spawn(&mut world, i)).collect();
    (world, ids)
}

fn checksum(world: &mut World) -> u64 {
    type All<'v> = (
        ReadStorage<'v, Transform>,
        ReadStorage<'v, Position>,
        ReadStorage<'v, Rotation>,
        ReadStorage<'v, Velocity>,
    );
    let (transforms, positions, rotations, velocities): All<'_> = world.system_data();
    let all = (&transforms, &positions, &rotations, &velocities).join();
    all.fold(0_u64, |sum, (t, p, r, v)| sum.wrapping_add(digest(&[&t.0, &p.0, &r.0, &v.0])))
}

fn movement(world: &mut World) {
    let (mut positions, velocities): (WriteStorage<'_, Position>, ReadStorage<'_, Velocity>) =
        world.system_data();
    let bodies = (&mut positions, &velocities).join();
    bodies.for_each(|(position, velocity)| simple_iter::step(&mut position.0, &velocity.0));
}

/// Adds what specs does.
pub(crate) fn cases(suite: &mut Suite) {
    for workload in [&simple_insert::ONE_BY_ONE, &memory::BODIES, &memory::SMALL] {
        suite.case(
            workload,
            |count| (empty(), count),
            |(world, count)| {
                insert(world.system_data(), *count);
                world.maintain();
            },
            |state| checksum(&mut state.0),
        );
    }
    iter_cases(suite);
    suite.case(
        &heavy_compute::HEAVY_COMPUTE,
        bodies,
        |world| {
            let (mut transforms, mut positions): (WriteStorage<'_, Transform>, WriteStorage<'_, Position>) =
                world.system_data();
            (&mut transforms, &mut positions)
                .join()
                .for_each(|(transform, position)| heavy_compute::step(&mut transform.0, &mut position.0));
        },
        checksum,
    );
    suite.case(
        &heavy_compute::PARALLEL,
        bodies,
        |world| {
            let (mut transforms, mut positions): (WriteStorage<'_, Transform>, WriteStorage<'_, Position>) =
                world.system_data();
            (&mut transforms, &mut positions)
                .par_join()
                .for_each(|(transform, position)| heavy_compute::step(&mut transform.0, &mut position.0));
        },
        checksum,
    );
    suite.case(
        &simple_iter::PARALLEL,
        bodies,
        |world| {
            let (mut positions, velocities): (WriteStorage<'_, Position>, ReadStorage<'_, Velocity>) =
                world.system_data();
            (&mut positions, &velocities)
                .par_join()
                .for_each(|(position, velocity)| simple_iter::step(&mut position.0, &velocity.0));
        },
        checksum,
    );
    suite.case(
        &frag_iter::FRAG_ITER,
        |_| fragments(),
        |world| {
            let mut all = world.write_storage::<Data>();
            (&mut all).join().for_each(|data| frag_iter::step(&mut data.0));
        },
        |world| sum_of(&world.read_storage::<Data>(), |data| data.0),
    );
    suite.case(
        &frag_iter::FOR,
        |_| fragments(),
        |world| {
            let mut all = world.write_storage::<Data>();
            for data in (&mut all).join() {
                frag_iter::step(&mut data.0);
            }
        },
        |world| sum_of(&world.read_storage::<Data>(), |data| data.0),
    );
    add_remove_case(suite);
    random_access_case(suite);
    despawn_cases(suite);
    kinds::cases(suite);
    churn::cases(suite);
    rare::cases(suite);
    systems::cases(suite);
    commands::cases(suite);
    changed::cases(suite);
    wide::cases(suite);
}

/// The storages that an insertion writes, borrowed once.
type Storages<'v> = (
    specs::Entities<'v>,
    WriteStorage<'v, Transform>,
    WriteStorage<'v, Position>,
    WriteStorage<'v, Rotation>,
    WriteStorage<'v, Velocity>,
);

fn insert(
    (entities, mut transforms, mut positions, mut rotations, mut velocities): Storages<'_>,
    count: u32,
) {
    for i in 0..count {
        let (transform, position, rotation, velocity) = body(i);
        entities
            .build_entity()
            .with(transform, &mut transforms)
            .with(position, &mut positions)
            .with(rotation, &mut rotations)
            .with(velocity, &mut velocities)
            .build();
    }
}

fn iter_cases(suite: &mut Suite) {
    suite.case(
        &simple_iter::FOR,
        bodies,
        |world| {
            let (mut positions, velocities): (WriteStorage<'_, Position>, ReadStorage<'_, Velocity>) =
                world.system_data();
            for (position, velocity) in (&mut positions, &velocities).join() {
                simple_iter::step(&mut position.0, &velocity.0);
            }
        },
        checksum,
    );
    for workload in [&simple_iter::FOR_EACH, &simple_iter::SYSTEM, &one_entity::ONE_ENTITY] {
        suite.case(workload, bodies, movement, checksum);
    }
}

fn fragments() -> World {
    macro_rules! spawn {
        ($world:ident $($letter:ident)*) => {
            $(
                $world.register::<$letter>();
                for _ in 0..frag_iter::OF_EACH {
                    $world.create_entity().with($letter(0.0)).with(Data(1.0)).build();
                }
            )*
        };
    }
    let mut world = World::new();
    world.register::<Data>();
    each_letter!(spawn world);
    world
}

fn sum_of<T: Component>(all: &ReadStorage<'_, T>, number: fn(&T) -> f32) -> u64 {
    all.join().fold(0_u64, |sum, item| sum.wrapping_add(digest(&[&[number(item)]])))
}

fn add((world, ids): &mut (World, Vec<Entity>)) {
    let mut all = world.write_storage::<B>();
    for &id in &*ids {
        all.insert(id, B(2.0)).expect("it lives");
    }
}

fn sum_of_b(world: &World) -> u64 {
    sum_of(&world.read_storage::<B>(), |b| b.0)
}

fn add_remove_case(suite: &mut Suite) {
    suite.case(
        &add_remove::ADD_REMOVE,
        |count| {
            let mut world = World::new();
            world.register::<A>();
            world.register::<B>();
            let ids = (0..count).map(|_| world.create_entity().with(A(1.0)).build()).collect();
            (world, ids)
        },
        |state| {
            add(state);
            let (world, ids) = state;
            let mut all = world.write_storage::<B>();
            for &id in &*ids {
                all.remove(id);
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
            let positions = world.read_storage::<Position>();
            for &id in &*ids {
                let position = positions.get(id).expect("it lives");
                *sum = sum.wrapping_add(random_access::term(&position.0));
            }
        },
        |state| state.2,
    );
}

fn despawn_all((world, ids): &mut (World, Vec<Entity>)) {
    world.delete_entities(ids).expect("they live");
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

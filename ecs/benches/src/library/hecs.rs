//! hecs: dynamic archetypes. It has no systems: functions that are given the world take their
//! place.

mod churn;
mod commands;
mod kinds;
mod rare;
mod saves;
mod systems;
mod wide;

use hecs::{ColumnBatchBuilder, ColumnBatchType, Entity, PreparedQuery, World};

use crate::harness::Suite;
use crate::math::{digest, shuffled, total};
use crate::workload::{
    add_remove, despawn, frag_iter, heavy_compute, memory, numbers, one_entity, random_access, simple_insert,
    simple_iter,
};

bodies!(serde::Serialize, serde::Deserialize);
letters!();

fn bodies(count: u32) -> World {
    bodies_and_ids(count).0
}

fn bodies_and_ids(count: u32) -> (World, Vec<Entity>) {
    let mut world = World::new();
    let ids = world.spawn_batch((0..count).map(body)).collect();
    (world, ids)
}

fn checksum(world: &mut World) -> u64 {
    let all = world.query_mut::<(&Transform, &Position, &Rotation, &Velocity)>();
    all.into_iter().fold(0, |sum, (t, p, r, v)| sum.wrapping_add(digest(&[&t.0, &p.0, &r.0, &v.0])))
}

/// Adds what hecs does.
pub(crate) fn cases(suite: &mut Suite) {
    insert_cases(suite);
    iter_cases(suite);
    suite.case(
        &heavy_compute::HEAVY_COMPUTE,
        bodies,
        |world| {
            world
                .query_mut::<(&mut Transform, &mut Position)>()
                .into_iter()
                .for_each(|(transform, position)| heavy_compute::step(&mut transform.0, &mut position.0));
        },
        checksum,
    );
    for (workload, make) in [
        (&frag_iter::FRAG_ITER, (|_| prepared(fragments())) as fn(u32) -> _),
        (&frag_iter::SINGLE, |_| prepared(single_fragments())),
        (&frag_iter::REGROUPED, |_| prepared(single_fragments())),
    ] {
        suite.case(
            workload,
            make,
            |(world, query)| query.query_mut(world).for_each(|data| frag_iter::step(&mut data.0)),
            |(world, _)| {
                let all = world.query_mut::<&Data>().into_iter();
                all.fold(0, |sum, data| sum.wrapping_add(digest(&[&[data.0]])))
            },
        );
    }
    suite.case(
        &frag_iter::FOR,
        |_| prepared(fragments()),
        |(world, query)| {
            for data in query.query_mut(world) {
                frag_iter::step(&mut data.0);
            }
        },
        |(world, _)| total(world.query_mut::<&Data>().into_iter().map(|data| digest(&[&[data.0]]))),
    );
    suite.case(
        &numbers::NUMBERS,
        |count| {
            let mut world = World::new();
            world.spawn_batch((0..count).map(|_| (A(0.0), B(1.0))));
            world
        },
        |world| {
            world.query_mut::<(&mut A, &B)>().into_iter().for_each(|(a, b)| numbers::step(&mut a.0, &b.0))
        },
        |world| total(world.query_mut::<&A>().into_iter().map(|a| digest(&[&[a.0]]))),
    );
    add_remove_case(suite);
    random_access_case(suite);
    despawn_cases(suite);
    kinds::cases(suite);
    churn::cases(suite);
    rare::cases(suite);
    systems::cases(suite);
    commands::cases(suite);
    saves::cases(suite);
    wide::cases(suite);
}

fn insert_cases(suite: &mut Suite) {
    let empty = |count| (World::new(), count);
    for workload in [&simple_insert::ONE_BY_ONE, &memory::BODIES, &memory::SMALL] {
        suite.case(
            workload,
            empty,
            |(world, count)| {
                for i in 0..*count {
                    world.spawn(body(i));
                }
            },
            |state| checksum(&mut state.0),
        );
    }
    suite.case(
        &simple_insert::BATCHED,
        empty,
        |(world, count)| {
            // columns are faster than `spawn_batch`
            let mut kind = ColumnBatchType::new();
            kind.add::<Transform>().add::<Position>().add::<Rotation>().add::<Velocity>();
            let mut batch = kind.into_batch(*count);
            write(&mut batch, (0..*count).map(|i| body(i).0));
            write(&mut batch, (0..*count).map(|i| body(i).1));
            write(&mut batch, (0..*count).map(|i| body(i).2));
            write(&mut batch, (0..*count).map(|i| body(i).3));
            drop(world.spawn_column_batch(batch.build().expect("all columns are full")));
        },
        |state| checksum(&mut state.0),
    );
}

fn write<T: hecs::Component>(batch: &mut ColumnBatchBuilder, values: impl Iterator<Item = T>) {
    let mut writer = batch.writer::<T>().expect("the batch has this column");
    for value in values {
        assert!(writer.push(value).is_ok(), "the column is as long as the batch");
    }
}

fn iter_cases(suite: &mut Suite) {
    suite.case(
        &simple_iter::FOR,
        bodies,
        |world| {
            for (position, velocity) in world.query_mut::<(&mut Position, &Velocity)>() {
                simple_iter::step(&mut position.0, &velocity.0);
            }
        },
        checksum,
    );
    suite.case(
        &simple_iter::FOR_EACH,
        bodies,
        |world| {
            world
                .query_mut::<(&mut Position, &Velocity)>()
                .into_iter()
                .for_each(|(position, velocity)| simple_iter::step(&mut position.0, &velocity.0));
        },
        checksum,
    );
    suite.case(
        &simple_iter::ROW_BY_ROW,
        |count| {
            let mut world = World::new();
            for i in 0..count {
                world.spawn(body(i));
            }
            world
        },
        |world| {
            world
                .query_mut::<(&mut Position, &Velocity)>()
                .into_iter()
                .for_each(|(position, velocity)| simple_iter::step(&mut position.0, &velocity.0));
        },
        checksum,
    );
    suite.case(
        &one_entity::ONE_ENTITY,
        |count| (bodies(count), PreparedQuery::new()),
        |(world, query)| movement(world, query),
        |state| checksum(&mut state.0),
    );
    suite.case(
        &simple_iter::SLICES,
        bodies,
        |world| {
            for archetype in world.archetypes() {
                let columns = (archetype.get::<&mut Position>(), archetype.get::<&Velocity>());
                if let (Some(mut positions), Some(velocities)) = columns {
                    simple_iter::step_slice(&mut positions, &velocities);
                }
            }
        },
        checksum,
    );
}

#[inline(never)]
fn movement(world: &mut World, query: &mut PreparedQuery<(&mut Position, &Velocity)>) {
    query.query_mut(world).for_each(|(position, velocity)| simple_iter::step(&mut position.0, &velocity.0));
}

fn fragments() -> World {
    macro_rules! spawn {
        ($world:ident $($letter:ident)*) => {
            $($world.spawn_batch((0..frag_iter::OF_EACH).map(|_| ($letter(0.0), Data(1.0))));)*
        };
    }
    let mut world = World::new();
    each_letter!(spawn world);
    world
}

fn prepared(world: World) -> (World, PreparedQuery<&'static mut Data>) {
    (world, PreparedQuery::new())
}

fn single_fragments() -> World {
    macro_rules! spawn {
        ($world:ident $($letter:ident)*) => {
            $($world.spawn(($letter(0.0), Data(1.0)));)*
        };
    }
    let mut world = World::new();
    for _ in 0..frag_iter::OF_EACH {
        each_letter!(spawn world);
    }
    world
}

fn sum_of_b(world: &mut World) -> u64 {
    world.query_mut::<&B>().into_iter().fold(0, |sum, b| sum.wrapping_add(digest(&[&[b.0]])))
}

fn add((world, ids): &mut (World, Vec<Entity>)) {
    for &id in &*ids {
        world.insert_one(id, B(2.0)).expect("it lives");
    }
}

fn add_remove_case(suite: &mut Suite) {
    suite.case(
        &add_remove::ADD_REMOVE,
        |count| {
            let mut world = World::new();
            let ids = world.spawn_batch((0..count).map(|_| (A(1.0),))).collect();
            (world, ids)
        },
        |state| {
            add(state);
            let (world, ids) = state;
            for &id in &*ids {
                world.remove_one::<B>(id).expect("it has one");
            }
        },
        |state| {
            let none = sum_of_b(&mut state.0);
            add(state);
            add_remove::digest(none, sum_of_b(&mut state.0))
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
            let view = world.view_mut::<&Position>();
            for &id in &*ids {
                let position = view.get(id).expect("it lives");
                *sum = sum.wrapping_add(random_access::term(&position.0));
            }
        },
        |state| state.2,
    );
}

fn despawn_all((world, ids): &mut (World, Vec<Entity>)) {
    for &id in &*ids {
        world.despawn(id).expect("it lives");
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

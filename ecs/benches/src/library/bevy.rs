//! bevy_ecs: archetypes over tables, with change detection. What removes components in a world that
//! is kept clears its trackers, as an app does in each frame: the list of what was removed would
//! grow for ever.

mod changed;
mod churn;
mod commands;
mod disabled;
mod epidemic;
mod kinds;
mod observers;
mod rare;
mod relations;
mod states;
mod systems;
mod timers;
mod transforms;
mod wide;

use bevy_ecs::prelude::*;
use bevy_ecs::query::QueryState;
use bevy_ecs::system::System;

use crate::harness::Suite;
use crate::math::{digest, shuffled};
use crate::workload::{
    add_remove, despawn, frag_iter, heavy_compute, memory, numbers, one_entity, random_access, simple_insert,
    simple_iter,
};

bodies!(bevy_ecs::component::Component);
letters!(bevy_ecs::component::Component);

/// A world and a query that is made once, as bevy wants it.
struct Queried<D: bevy_ecs::query::QueryData + 'static>(World, QueryState<D>);

type Moving = Queried<(&'static mut Position, &'static Velocity)>;

impl<D: bevy_ecs::query::QueryData> Queried<D> {
    fn new(mut world: World) -> Self {
        let query = world.query();
        Self(world, query)
    }
}

fn bodies(count: u32) -> World {
    bodies_and_ids(count).0
}

fn bodies_and_ids(count: u32) -> (World, Vec<Entity>) {
    let mut world = World::new();
    let ids = world.spawn_batch((0..count).map(body)).collect();
    (world, ids)
}

fn moving(count: u32) -> Moving {
    Queried::new(bodies(count))
}

fn checksum(world: &mut World) -> u64 {
    let mut all = world.query::<(&Transform, &Position, &Rotation, &Velocity)>();
    all.iter(world).fold(0, |sum, (t, p, r, v)| sum.wrapping_add(digest(&[&t.0, &p.0, &r.0, &v.0])))
}

fn movement(mut bodies: Query<'_, '_, (&mut Position, &Velocity)>) {
    bodies.iter_mut().for_each(|(mut position, velocity)| simple_iter::step(&mut position.0, &velocity.0));
}

/// The world, once the threads of parallel loops are started.
fn threaded(world: World) -> World {
    bevy_tasks::ComputeTaskPool::get_or_init(bevy_tasks::TaskPool::default);
    world
}

/// Adds what bevy_ecs does.
pub(crate) fn cases(suite: &mut Suite) {
    insert_cases(suite);
    iter_cases(suite);
    suite.case(
        &heavy_compute::HEAVY_COMPUTE,
        |count| Queried::<(&mut Transform, &mut Position)>::new(bodies(count)),
        |Queried(world, query)| {
            query.iter_mut(world).for_each(|(mut transform, mut position)| {
                heavy_compute::step(&mut transform.0, &mut position.0);
            });
        },
        |state| checksum(&mut state.0),
    );
    suite.case(
        &heavy_compute::PARALLEL,
        |count| Queried::<(&mut Transform, &mut Position)>::new(threaded(bodies(count))),
        |Queried(world, query)| {
            query.par_iter_mut(world).for_each(|(mut transform, mut position)| {
                heavy_compute::step(&mut transform.0, &mut position.0);
            });
        },
        |state| checksum(&mut state.0),
    );
    suite.case(
        &simple_iter::PARALLEL,
        |count| Moving::new(threaded(bodies(count))),
        |Queried(world, query)| {
            query.par_iter_mut(world).for_each(|(mut position, velocity)| {
                simple_iter::step(&mut position.0, &velocity.0);
            });
        },
        |state| checksum(&mut state.0),
    );
    suite.case(
        &frag_iter::FRAG_ITER,
        |_| Queried::<&mut Data>::new(fragments()),
        |Queried(world, query)| query.iter_mut(world).for_each(|mut data| frag_iter::step(&mut data.0)),
        |Queried(world, query)| query.iter(world).fold(0, |sum, data| sum.wrapping_add(digest(&[&[data.0]]))),
    );
    suite.case(
        &frag_iter::FOR,
        |_| Queried::<&mut Data>::new(fragments()),
        |Queried(world, query)| {
            for mut data in query.iter_mut(world) {
                frag_iter::step(&mut data.0);
            }
        },
        |Queried(world, query)| query.iter(world).fold(0, |sum, data| sum.wrapping_add(digest(&[&[data.0]]))),
    );
    suite.case(
        &numbers::NUMBERS,
        |count| {
            let mut world = World::new();
            world.spawn_batch((0..count).map(|_| (A(0.0), B(1.0))));
            Queried::<(&mut A, &B)>::new(world)
        },
        |Queried(world, query)| {
            query.iter_mut(world).for_each(|(mut a, b)| numbers::step(&mut a.0, &b.0));
        },
        |Queried(world, query)| query.iter(world).fold(0, |sum, (a, _)| sum.wrapping_add(digest(&[&[a.0]]))),
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
    relations::cases(suite);
    disabled::cases(suite);
    timers::cases(suite);
    epidemic::cases(suite);
    observers::cases(suite);
    states::cases(suite);
    transforms::cases(suite);
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
        |(world, count)| drop(world.spawn_batch((0..*count).map(body))),
        |state| checksum(&mut state.0),
    );
}

fn iter_cases(suite: &mut Suite) {
    suite.case(
        &simple_iter::FOR,
        moving,
        |Queried(world, query)| {
            for (mut position, velocity) in query.iter_mut(world) {
                simple_iter::step(&mut position.0, &velocity.0);
            }
        },
        |state| checksum(&mut state.0),
    );
    suite.case(
        &simple_iter::FOR_EACH,
        moving,
        |Queried(world, query)| {
            query
                .iter_mut(world)
                .for_each(|(mut position, velocity)| simple_iter::step(&mut position.0, &velocity.0));
        },
        |state| checksum(&mut state.0),
    );
    for workload in [&simple_iter::SYSTEM, &one_entity::ONE_ENTITY] {
        suite.case(
            workload,
            |count| {
                let (mut world, mut system) = (bodies(count), IntoSystem::into_system(movement));
                system.initialize(&mut world);
                (world, system)
            },
            |(world, system)| system.run((), world).expect("it runs"),
            |state| checksum(&mut state.0),
        );
    }
    suite.case(
        &simple_iter::SLICES,
        moving,
        |Queried(world, query)| {
            let mut bodies = query.query_mut(world);
            for (mut positions, velocities) in bodies.contiguous_iter_mut().expect("in tables") {
                simple_iter::step_slice(&mut positions, velocities);
            }
        },
        |state| checksum(&mut state.0),
    );
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

fn sum_of_b(world: &mut World) -> u64 {
    world.query::<&B>().iter(world).fold(0, |sum, b| sum.wrapping_add(digest(&[&[b.0]])))
}

fn add((world, ids): &mut (World, Vec<Entity>)) {
    for &id in &*ids {
        world.entity_mut(id).insert(B(2.0));
    }
}

fn add_remove_case(suite: &mut Suite) {
    suite.case(
        &add_remove::ADD_REMOVE,
        |count| {
            let mut world = World::new();
            let ids = world.spawn_batch((0..count).map(|_| A(1.0))).collect();
            (world, ids)
        },
        |state| {
            add(state);
            let (world, ids) = state;
            for &id in &*ids {
                world.entity_mut(id).remove::<B>();
            }
            world.clear_trackers();
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
            (Queried::<&Position>::new(world), ids, 0_u64)
        },
        |(Queried(world, query), ids, sum)| {
            let positions = query.query(world);
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
        assert!(world.despawn(id), "it lives");
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

//! legion: archetypes. Where one thread is measured, its systems are such as may not leave the
//! thread: it runs all others on those of a pool, which has to be woken.
//!
//! As it advises, what is queried together is a group where there are several archetypes, and is
//! packed once a world is filled. Nothing is added to what has been packed: version 0.4.0 then
//! makes room for what was there, not for what comes.

mod commands;
mod kinds;
mod systems;
mod wide;

use legion::storage::PackOptions;
use legion::{Entity, IntoQuery, IntoSoa, Query, Read, Resources, Schedule, SystemBuilder, World, Write};

use crate::harness::Suite;
use crate::math::{digest, shuffled};
use crate::workload::{
    add_remove, despawn, frag_iter, heavy_compute, memory, one_entity, random_access, simple_insert,
    simple_iter,
};

bodies!();
letters!();

/// A world and a query that is made once, as legion wants it.
type Queried<V> = (World, Query<V>);

type Moving = Queried<(Write<Position>, Read<Velocity>)>;

/// A world, what it runs, and what legion wants beside them.
type Scheduled = (World, Schedule, Resources);

fn queried<V: IntoQuery>(world: World) -> Queried<V> {
    (world, V::query())
}

fn bodies(count: u32) -> World {
    bodies_and_ids(count).0
}

fn bodies_and_ids(count: u32) -> (World, Vec<Entity>) {
    let mut world = World::default();
    let ids = world.extend((0..count).map(body)).to_vec();
    (world, ids)
}

fn moving(count: u32) -> Moving {
    queried(bodies(count))
}

fn movement((world, query): &mut Moving) {
    query.for_each_mut(world, |(position, velocity)| simple_iter::step(&mut position.0, &velocity.0));
}

fn checksum(world: &mut World) -> u64 {
    let mut all = <(&Transform, &Position, &Rotation, &Velocity)>::query();
    all.iter(world).fold(0, |sum, (t, p, r, v)| sum.wrapping_add(digest(&[&t.0, &p.0, &r.0, &v.0])))
}

/// Adds what legion does.
pub(crate) fn cases(suite: &mut Suite) {
    insert_cases(suite);
    iter_cases(suite);
    suite.case(
        &heavy_compute::HEAVY_COMPUTE,
        |count| queried::<(Write<Transform>, Write<Position>)>(bodies(count)),
        |(world, query)| {
            query.for_each_mut(world, |(transform, position)| {
                heavy_compute::step(&mut transform.0, &mut position.0);
            });
        },
        |state| checksum(&mut state.0),
    );
    suite.case(
        &heavy_compute::PARALLEL,
        |count| queried::<(Write<Transform>, Write<Position>)>(bodies(count)),
        |(world, query)| {
            query.par_for_each_mut(world, |(transform, position)| {
                heavy_compute::step(&mut transform.0, &mut position.0);
            });
        },
        |state| checksum(&mut state.0),
    );
    suite.case(
        &simple_iter::PARALLEL,
        moving,
        |(world, query)| {
            query.par_for_each_mut(world, |(position, velocity)| {
                simple_iter::step(&mut position.0, &velocity.0)
            });
        },
        |state| checksum(&mut state.0),
    );
    suite.case(
        &frag_iter::FRAG_ITER,
        |_| queried::<Write<Data>>(fragments()),
        |(world, query)| query.for_each_mut(world, |data| frag_iter::step(&mut data.0)),
        |(world, _)| {
            let mut all = <&Data>::query();
            all.iter(world).fold(0, |sum, data| sum.wrapping_add(digest(&[&[data.0]])))
        },
    );
    suite.case(
        &frag_iter::FOR,
        |_| queried::<Write<Data>>(fragments()),
        |(world, query)| {
            for data in query.iter_mut(world) {
                frag_iter::step(&mut data.0);
            }
        },
        |(world, _)| {
            let mut all = <&Data>::query();
            all.iter(world).fold(0, |sum, data| sum.wrapping_add(digest(&[&[data.0]])))
        },
    );
    kinds::cases(suite);
    add_remove_case(suite);
    random_access_case(suite);
    despawn_cases(suite);
    systems::cases(suite);
    commands::cases(suite);
    wide::cases(suite);
}

fn insert_cases(suite: &mut Suite) {
    for workload in [&simple_insert::ONE_BY_ONE, &memory::SMALL, &memory::BODIES] {
        suite.case(
            workload,
            |count| (World::default(), count),
            |(world, count)| {
                for i in 0..*count {
                    world.push(body(i));
                }
            },
            |state| checksum(&mut state.0),
        );
    }
    suite.case(
        &simple_insert::BATCHED,
        |count| (World::default(), count),
        |(world, count)| {
            let transforms: Vec<_> = (0..*count).map(|i| body(i).0).collect();
            let positions: Vec<_> = (0..*count).map(|i| body(i).1).collect();
            let rotations: Vec<_> = (0..*count).map(|i| body(i).2).collect();
            let velocities: Vec<_> = (0..*count).map(|i| body(i).3).collect();
            // arrays are faster than an iterator of tuples, as its documentation says, even if they
            // have to be made
            world.extend((transforms, positions, rotations, velocities).into_soa());
        },
        |state| checksum(&mut state.0),
    );
}

fn iter_cases(suite: &mut Suite) {
    suite.case(
        &simple_iter::FOR,
        moving,
        |(world, query)| {
            for (position, velocity) in query.iter_mut(world) {
                simple_iter::step(&mut position.0, &velocity.0);
            }
        },
        |state| checksum(&mut state.0),
    );
    suite.case(&simple_iter::FOR_EACH, moving, movement, |state| checksum(&mut state.0));
    for workload in [&simple_iter::SYSTEM, &one_entity::ONE_ENTITY] {
        suite.case(
            workload,
            |count| -> Scheduled {
                let movement = SystemBuilder::new("movement")
                    .with_query(<(&mut Position, &Velocity)>::query())
                    .build(|_, world, (), query| {
                        query.for_each_mut(world, |(position, velocity)| {
                            simple_iter::step(&mut position.0, &velocity.0);
                        });
                    });
                (bodies(count), Schedule::builder().add_thread_local(movement).build(), Resources::default())
            },
            |(world, schedule, resources)| schedule.execute(world, resources),
            |state| checksum(&mut state.0),
        );
    }
    suite.case(
        &simple_iter::SLICES,
        moving,
        |(world, query)| {
            query.for_each_chunk_mut(world, |chunk| {
                let (positions, velocities) = chunk.into_components();
                simple_iter::step_slice(positions, velocities);
            });
        },
        |state| checksum(&mut state.0),
    );
}

fn fragments() -> World {
    macro_rules! spawn {
        ($world:ident $($letter:ident)*) => {
            $($world.extend((0..frag_iter::OF_EACH).map(|_| ($letter(0.0), Data(1.0))));)*
        };
    }
    let mut world = World::default();
    each_letter!(spawn world);
    world.pack(PackOptions::force());
    world
}

fn sum_of_b(world: &World) -> u64 {
    <&B>::query().iter(world).fold(0, |sum, b| sum.wrapping_add(digest(&[&[b.0]])))
}

fn add((world, ids): &mut (World, Vec<Entity>)) {
    for &id in &*ids {
        world.entry(id).expect("it lives").add_component(B(2.0));
    }
}

fn add_remove_case(suite: &mut Suite) {
    suite.case(
        &add_remove::ADD_REMOVE,
        |count| {
            let mut world = World::default();
            let ids = world.extend((0..count).map(|_| (A(1.0),))).to_vec();
            (world, ids)
        },
        |state| {
            add(state);
            let (world, ids) = state;
            for &id in &*ids {
                world.entry(id).expect("it lives").remove_component::<B>();
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
            for &id in &*ids {
                let entry = world.entry(id).expect("it lives");
                let position = entry.get_component::<Position>().expect("it has one");
                *sum = sum.wrapping_add(random_access::term(&position.0));
            }
        },
        |state| state.2,
    );
}

fn despawn_all((world, ids): &mut (World, Vec<Entity>)) {
    for &id in &*ids {
        assert!(world.remove(id), "it lives");
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

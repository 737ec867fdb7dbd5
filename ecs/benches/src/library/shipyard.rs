//! shipyard: sparse sets. Without its groups, and without tracking but where changes are looked
//! for.

mod changed;
mod churn;
mod kinds;
mod rare;
mod systems;
mod wide;

use shipyard::{
    AllStoragesViewMut, Component, EntitiesViewMut, EntityId, Get, IntoIter, Remove, View, ViewMut, World,
};

use rayon::prelude::*;

use crate::harness::Suite;
use crate::math::{digest, shuffled};
use crate::workload::{
    add_remove, despawn, frag_iter, heavy_compute, memory, one_entity, random_access, simple_insert,
    simple_iter,
};

bodies!(Component);
letters!(Component);

fn bodies(count: u32) -> World {
    bodies_and_ids(count).0
}

fn bodies_and_ids(count: u32) -> (World, Vec<EntityId>) {
    let mut world = World::new();
    let ids = world.bulk_add_entity((0..count).map(body)).collect();
    (world, ids)
}

fn checksum(world: &mut World) -> u64 {
    type All<'v> = (View<'v, Transform>, View<'v, Position>, View<'v, Rotation>, View<'v, Velocity>);
    let (transforms, positions, rotations, velocities) = world.borrow::<All<'_>>().expect("not borrowed");
    let all = (&transforms, &positions, &rotations, &velocities).iter();
    all.fold(0, |sum, (t, p, r, v)| sum.wrapping_add(digest(&[&t.0, &p.0, &r.0, &v.0])))
}

fn movement(mut positions: ViewMut<'_, Position>, velocities: View<'_, Velocity>) {
    (&mut positions, &velocities)
        .iter()
        .for_each(|(position, velocity)| simple_iter::step(&mut position.0, &velocity.0));
}

/// Adds what shipyard does.
pub(crate) fn cases(suite: &mut Suite) {
    insert_cases(suite);
    iter_cases(suite);
    suite.case(
        &heavy_compute::HEAVY_COMPUTE,
        bodies,
        |world| {
            world.run(|mut transforms: ViewMut<'_, Transform>, mut positions: ViewMut<'_, Position>| {
                (&mut transforms, &mut positions).iter().for_each(|(transform, position)| {
                    heavy_compute::step(&mut transform.0, &mut position.0);
                });
            });
        },
        checksum,
    );
    suite.case(
        &heavy_compute::PARALLEL,
        bodies,
        |world| {
            world.run(|mut transforms: ViewMut<'_, Transform>, mut positions: ViewMut<'_, Position>| {
                (&mut transforms, &mut positions).par_iter().for_each(|(transform, position)| {
                    heavy_compute::step(&mut transform.0, &mut position.0);
                });
            });
        },
        checksum,
    );
    suite.case(
        &simple_iter::PARALLEL,
        bodies,
        |world| {
            world.run(|mut positions: ViewMut<'_, Position>, velocities: View<'_, Velocity>| {
                (&mut positions, &velocities)
                    .par_iter()
                    .for_each(|(position, velocity)| simple_iter::step(&mut position.0, &velocity.0));
            });
        },
        checksum,
    );
    suite.case(
        &frag_iter::FRAG_ITER,
        |_| fragments(),
        |world| {
            world.run(|mut all: ViewMut<'_, Data>| {
                (&mut all).iter().for_each(|data| frag_iter::step(&mut data.0));
            });
        },
        |world| {
            world.run(|all: View<'_, Data>| {
                all.iter().fold(0_u64, |sum, data| sum.wrapping_add(digest(&[&[data.0]])))
            })
        },
    );
    suite.case(
        &frag_iter::FOR,
        |_| fragments(),
        |world| {
            world.run(|mut all: ViewMut<'_, Data>| {
                for data in (&mut all).iter() {
                    frag_iter::step(&mut data.0);
                }
            });
        },
        |world| {
            world.run(|all: View<'_, Data>| {
                all.iter().fold(0_u64, |sum, data| sum.wrapping_add(digest(&[&[data.0]])))
            })
        },
    );
    add_remove_case(suite);
    random_access_case(suite);
    despawn_cases(suite);
    kinds::cases(suite);
    churn::cases(suite);
    rare::cases(suite);
    systems::cases(suite);
    changed::cases(suite);
    wide::cases(suite);
}

fn insert_cases(suite: &mut Suite) {
    let empty = |count| (World::new(), count);
    for workload in [&simple_insert::ONE_BY_ONE, &memory::BODIES, &memory::SMALL] {
        suite.case(
            workload,
            empty,
            |(world, count)| world.run_with_data(insert, *count),
            |state| checksum(&mut state.0),
        );
    }
    suite.case(
        &simple_insert::BATCHED,
        empty,
        |(world, count)| {
            world.bulk_add_entity((0..*count).map(body));
        },
        |state| checksum(&mut state.0),
    );
}

fn insert(
    count: u32,
    mut entities: EntitiesViewMut<'_>,
    mut transforms: ViewMut<'_, Transform>,
    mut positions: ViewMut<'_, Position>,
    mut rotations: ViewMut<'_, Rotation>,
    mut velocities: ViewMut<'_, Velocity>,
) {
    for i in 0..count {
        let storages = (&mut transforms, &mut positions, &mut rotations, &mut velocities);
        entities.add_entity(storages, body(i));
    }
}

fn iter_cases(suite: &mut Suite) {
    suite.case(
        &simple_iter::FOR,
        bodies,
        |world| {
            world.run(|mut positions: ViewMut<'_, Position>, velocities: View<'_, Velocity>| {
                for (position, velocity) in (&mut positions, &velocities).iter() {
                    simple_iter::step(&mut position.0, &velocity.0);
                }
            });
        },
        checksum,
    );
    for workload in [&simple_iter::FOR_EACH, &simple_iter::SYSTEM, &one_entity::ONE_ENTITY] {
        suite.case(workload, bodies, |world| world.run(movement), checksum);
    }
}

fn fragments() -> World {
    macro_rules! spawn {
        ($world:ident $($letter:ident)*) => {
            $($world.bulk_add_entity((0..frag_iter::OF_EACH).map(|_| ($letter(0.0), Data(1.0))));)*
        };
    }
    let mut world = World::new();
    each_letter!(spawn world);
    world
}

fn sum_of_b(world: &World) -> u64 {
    world.run(|all: View<'_, B>| all.iter().fold(0_u64, |sum, b| sum.wrapping_add(digest(&[&[b.0]]))))
}

fn add((world, ids): &mut (World, Vec<EntityId>)) {
    world.run(|entities: EntitiesViewMut<'_>, mut all: ViewMut<'_, B>| {
        for &id in &*ids {
            entities.add_component(id, &mut all, B(2.0));
        }
    });
}

fn add_remove_case(suite: &mut Suite) {
    suite.case(
        &add_remove::ADD_REMOVE,
        |count| {
            let mut world = World::new();
            let ids = world.bulk_add_entity((0..count).map(|_| (A(1.0),))).collect();
            (world, ids)
        },
        |state| {
            add(state);
            let (world, ids) = state;
            world.run(|mut all: ViewMut<'_, B>| {
                for &id in &*ids {
                    all.remove(id);
                }
            });
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
            let ids: Vec<EntityId> = shuffled(count).into_iter().map(|i| ids[i as usize]).collect();
            (world, ids, 0_u64)
        },
        |(world, ids, sum)| {
            world.run(|positions: View<'_, Position>| {
                for &id in &*ids {
                    let position = (&positions).get(id).expect("it lives");
                    *sum = sum.wrapping_add(random_access::term(&position.0));
                }
            });
        },
        |state| state.2,
    );
}

fn despawn_all((world, ids): &mut (World, Vec<EntityId>)) {
    world.run(|mut all: AllStoragesViewMut<'_>| {
        for &id in &*ids {
            assert!(all.delete_entity(id), "it lives");
        }
    });
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

//! flecs: archetypes, in C, with bindings for Rust, and with its checks of borrows, without which
//! its functions would be unsafe though they are not marked so.
//!
//! Its queries are cached, as it advises for what runs often. An entity is spawned with the builder
//! that it has for many: the chain of `set` moves it from table to table, which takes twice as
//! long. A world begins with its modules, and with the entities that describe these.

mod kinds;
mod memory;
mod systems;
mod wide;

use flecs_ecs::prelude::*;

use crate::harness::Suite;
use crate::math::{digest, shuffled};
use crate::workload::{
    add_remove, despawn, frag_iter, heavy_compute, one_entity, random_access, simple_insert, simple_iter,
};

bodies!(flecs_ecs::prelude::Component);
letters!(flecs_ecs::prelude::Component);

/// A query that is made once, and its world, which has to go after it.
type Queried<T> = (Query<T>, World);

type Moving = Queried<(&'static mut Position, &'static Velocity)>;

fn empty() -> World {
    memory::count();
    World::new()
}

fn spawn(world: &World, i: u32) -> Entity {
    let (transform, position, rotation, velocity) = body(i);
    world.entity_bulk(1).set(&[transform]).set(&[position]).set(&[rotation]).set(&[velocity]).build()[0]
}

/// From arrays, as the library wants them.
fn spawn_all(world: &World, count: u32) -> Vec<Entity> {
    let transforms: Vec<_> = (0..count).map(|i| body(i).0).collect();
    let positions: Vec<_> = (0..count).map(|i| body(i).1).collect();
    let rotations: Vec<_> = (0..count).map(|i| body(i).2).collect();
    let velocities: Vec<_> = (0..count).map(|i| body(i).3).collect();
    world.entity_bulk(count).set(&transforms).set(&positions).set(&rotations).set(&velocities).build()
}

fn bodies(count: u32) -> World {
    bodies_and_ids(count).0
}

fn bodies_and_ids(count: u32) -> (World, Vec<Entity>) {
    let world = empty();
    let ids = spawn_all(&world, count);
    (world, ids)
}

fn queried<T: QueryTuple>(world: World) -> Queried<T> {
    (world.query::<T>().set_cached().build(), world)
}

fn moving(count: u32) -> Moving {
    queried(bodies(count))
}

fn movement((query, _): &mut Moving) {
    query.each(|(position, velocity)| simple_iter::step(&mut position.0, &velocity.0));
}

fn checksum(world: &World) -> u64 {
    let mut sum = 0_u64;
    world.each::<(&Transform, &Position, &Rotation, &Velocity)>(|(t, p, r, v)| {
        sum = sum.wrapping_add(digest(&[&t.0, &p.0, &r.0, &v.0]));
    });
    sum
}

/// Adds what flecs does.
pub(crate) fn cases(suite: &mut Suite) {
    insert_cases(suite);
    iter_cases(suite);
    suite.case(
        &heavy_compute::HEAVY_COMPUTE,
        |count| queried::<(&'static mut Transform, &'static mut Position)>(bodies(count)),
        |(query, _)| {
            query.each(|(transform, position)| heavy_compute::step(&mut transform.0, &mut position.0));
        },
        |state| checksum(&state.1),
    );
    suite.case(
        &frag_iter::FRAG_ITER,
        |_| queried::<&'static mut Data>(fragments()),
        |(query, _)| query.each(|data| frag_iter::step(&mut data.0)),
        |(query, _)| {
            let mut sum = 0_u64;
            query.each(|data| sum = sum.wrapping_add(digest(&[&[data.0]])));
            sum
        },
    );
    suite.case(
        &frag_iter::FOR,
        |_| queried::<&'static mut Data>(fragments()),
        |(query, _)| {
            query.run(|mut tables| {
                while tables.next() {
                    let mut all = tables.field_mut::<Data>(0);
                    for i in tables.iter() {
                        frag_iter::step(&mut all[i].0);
                    }
                }
            });
        },
        |(query, _)| {
            let mut sum = 0_u64;
            query.each(|data| sum = sum.wrapping_add(digest(&[&[data.0]])));
            sum
        },
    );
    kinds::cases(suite);
    add_remove_case(suite);
    random_access_case(suite);
    despawn_cases(suite);
    systems::cases(suite);
    wide::cases(suite);
}

fn insert_cases(suite: &mut Suite) {
    use crate::workload::memory;

    for workload in [&simple_insert::ONE_BY_ONE, &memory::SMALL, &memory::BODIES] {
        suite.case(
            workload,
            |count| (empty(), count),
            |(world, count)| {
                for i in 0..*count {
                    spawn(world, i);
                }
            },
            |state| checksum(&state.0),
        );
    }
    suite.case(
        &simple_insert::BATCHED,
        |count| (empty(), count),
        |(world, count)| drop(spawn_all(world, *count)),
        |state| checksum(&state.0),
    );
}

fn iter_cases(suite: &mut Suite) {
    suite.case(
        &simple_iter::FOR,
        moving,
        |(query, _)| {
            query.run(|mut tables| {
                while tables.next() {
                    let mut positions = tables.field_mut::<Position>(0);
                    let velocities = tables.field::<Velocity>(1);
                    for i in tables.iter() {
                        simple_iter::step(&mut positions[i].0, &velocities[i].0);
                    }
                }
            });
        },
        |state| checksum(&state.1),
    );
    suite.case(&simple_iter::FOR_EACH, moving, movement, |state| checksum(&state.1));
    for workload in [&simple_iter::SYSTEM, &one_entity::ONE_ENTITY] {
        suite.case(
            workload,
            |count| {
                let world = bodies(count);
                let movement = world
                    .system::<(&mut Position, &Velocity)>()
                    .each(|(position, velocity)| simple_iter::step(&mut position.0, &velocity.0));
                let movement = movement.id();
                (world, movement)
            },
            |(world, movement)| {
                world.system_from(world.entity_from_id(*movement)).run();
            },
            |state| checksum(&state.0),
        );
    }
    suite.case(
        &simple_iter::SLICES,
        moving,
        |(query, _)| {
            query.run(|mut tables| {
                while tables.next() {
                    let mut positions = tables.field_mut::<Position>(0);
                    let velocities = tables.field::<Velocity>(1);
                    simple_iter::step_slice(positions.as_mut_slice(), velocities.as_slice());
                }
            });
        },
        |state| checksum(&state.1),
    );
}

fn fragments() -> World {
    macro_rules! spawn {
        ($world:ident $($letter:ident)*) => {
            $(
                for _ in 0..frag_iter::OF_EACH {
                    $world.entity_bulk(1).set(&[$letter(0.0)]).set(&[Data(1.0)]).build();
                }
            )*
        };
    }
    let world = empty();
    each_letter!(spawn world);
    world
}

fn sum_of_b(world: &World) -> u64 {
    let mut sum = 0_u64;
    world.each::<&B>(|b| sum = sum.wrapping_add(digest(&[&[b.0]])));
    sum
}

fn add((world, ids): &mut (World, Vec<Entity>)) {
    for &id in &*ids {
        world.entity_from_id(id).set(B(2.0));
    }
}

fn add_remove_case(suite: &mut Suite) {
    suite.case(
        &add_remove::ADD_REMOVE,
        |count| {
            let world = empty();
            let components: Vec<_> = (0..count).map(|_| A(1.0)).collect();
            let ids = world.entity_bulk(count).set(&components).build();
            (world, ids)
        },
        |state| {
            add(state);
            let (world, ids) = state;
            for &id in &*ids {
                world.entity_from_id(id).remove(B::id());
            }
        },
        |state| {
            let none = sum_of_b(&state.0);
            add(state);
            add_remove::digest(none, sum_of_b(&state.0))
        },
    );
}

/// `get` does not notice that an id is stale, so that one has to ask before.
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
                let entity = world.entity_from_id(id);
                assert!(entity.is_alive(), "it lives");
                let term = entity.get::<&Position>(|position| random_access::term(&position.0));
                *sum = sum.wrapping_add(term);
            }
        },
        |state| state.2,
    );
}

fn despawn_all((world, ids): &mut (World, Vec<Entity>)) {
    for &id in &*ids {
        world.entity_from_id(id).destruct();
    }
}

fn despawn_cases(suite: &mut Suite) {
    suite.case(&despawn::IN_ORDER, bodies_and_ids, despawn_all, |state| checksum(&state.0));
    suite.case(
        &despawn::SHUFFLED,
        |count| {
            let (world, ids) = bodies_and_ids(2 * count);
            (world, shuffled(2 * count).into_iter().take(count as usize).map(|i| ids[i as usize]).collect())
        },
        despawn_all,
        |state| checksum(&state.0),
    );
}

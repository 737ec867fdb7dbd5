//! gecs: archetypes that are declared with the world. Components cannot be added or removed,
//! entities not in batches, and there are at most 256 archetypes: too few for all combinations of
//! ten components and for a wide world of 512.
#![allow(clippy::too_many_arguments, reason = "a world's constructor takes a capacity for each archetype")]

mod churn;
mod kinds;
mod rare;
mod schedule;
mod wide;

use gecs::prelude::*;

use crate::harness::Suite;
use crate::math::{digest, shuffled};
use crate::workload::{
    despawn, frag_iter, heavy_compute, memory, one_entity, random_access, simple_insert, simple_iter,
};

bodies!();

/// gecs uses the name `K` itself.
mod letter {
    letters!();
}

use letter::K as LetterK;
use letter::{A, B, C, D, Data, E, F, G, H, I, J, L, M, N, O, P, Q, R, S, T, U, V, W, X, Y, Z};

ecs_world! {
    ecs_archetype!(Body, dyn, Transform, Position, Rotation, Velocity);
    ecs_archetype!(FragmentA, dyn, A, Data);
    ecs_archetype!(FragmentB, dyn, B, Data);
    ecs_archetype!(FragmentC, dyn, C, Data);
    ecs_archetype!(FragmentD, dyn, D, Data);
    ecs_archetype!(FragmentE, dyn, E, Data);
    ecs_archetype!(FragmentF, dyn, F, Data);
    ecs_archetype!(FragmentG, dyn, G, Data);
    ecs_archetype!(FragmentH, dyn, H, Data);
    ecs_archetype!(FragmentI, dyn, I, Data);
    ecs_archetype!(FragmentJ, dyn, J, Data);
    ecs_archetype!(FragmentK, dyn, LetterK, Data);
    ecs_archetype!(FragmentL, dyn, L, Data);
    ecs_archetype!(FragmentM, dyn, M, Data);
    ecs_archetype!(FragmentN, dyn, N, Data);
    ecs_archetype!(FragmentO, dyn, O, Data);
    ecs_archetype!(FragmentP, dyn, P, Data);
    ecs_archetype!(FragmentQ, dyn, Q, Data);
    ecs_archetype!(FragmentR, dyn, R, Data);
    ecs_archetype!(FragmentS, dyn, S, Data);
    ecs_archetype!(FragmentT, dyn, T, Data);
    ecs_archetype!(FragmentU, dyn, U, Data);
    ecs_archetype!(FragmentV, dyn, V, Data);
    ecs_archetype!(FragmentW, dyn, W, Data);
    ecs_archetype!(FragmentX, dyn, X, Data);
    ecs_archetype!(FragmentY, dyn, Y, Data);
    ecs_archetype!(FragmentZ, dyn, Z, Data);
}

fn bodies(count: u32) -> EcsWorld {
    bodies_and_ids(count).0
}

fn bodies_and_ids(count: u32) -> (EcsWorld, Vec<Entity<Body>>) {
    let mut world = EcsWorld::default();
    let ids = (0..count).map(|i| world.create::<Body>(body(i))).collect();
    (world, ids)
}

fn checksum(world: &mut EcsWorld) -> u64 {
    let mut sum = 0_u64;
    ecs_iter!(world, |t: &Transform, p: &Position, r: &Rotation, v: &Velocity| {
        sum = sum.wrapping_add(digest(&[&t.0, &p.0, &r.0, &v.0]));
    });
    sum
}

fn movement(world: &mut EcsWorld) {
    ecs_iter!(world, |position: &mut Position, velocity: &Velocity| {
        simple_iter::step(&mut position.0, &velocity.0);
    });
}

/// Adds what gecs does.
pub(crate) fn cases(suite: &mut Suite) {
    for workload in [&simple_insert::ONE_BY_ONE, &memory::BODIES, &memory::SMALL] {
        suite.case(
            workload,
            |count| (EcsWorld::default(), count),
            |(world, count)| {
                for i in 0..*count {
                    world.create::<Body>(body(i));
                }
            },
            |state| checksum(&mut state.0),
        );
    }
    for workload in [&simple_iter::FOR_EACH, &simple_iter::SYSTEM, &one_entity::ONE_ENTITY] {
        suite.case(workload, bodies, movement, checksum);
    }
    suite.case(
        &simple_iter::SLICES,
        bodies,
        |world| {
            let archetype = world.archetype::<Body>();
            let (mut positions, velocities) =
                (archetype.borrow_slice_mut::<Position>(), archetype.borrow_slice::<Velocity>());
            simple_iter::step_slice(&mut positions, &velocities);
        },
        checksum,
    );
    suite.case(
        &heavy_compute::HEAVY_COMPUTE,
        bodies,
        |world| {
            ecs_iter!(world, |transform: &mut Transform, position: &mut Position| {
                heavy_compute::step(&mut transform.0, &mut position.0);
            });
        },
        checksum,
    );
    suite.case(
        &frag_iter::FRAG_ITER,
        |_| fragments(),
        |world| {
            ecs_iter!(world, |data: &mut Data| {
                frag_iter::step(&mut data.0);
            });
        },
        |world| {
            let mut sum = 0_u64;
            ecs_iter!(world, |data: &Data| sum = sum.wrapping_add(digest(&[&[data.0]])));
            sum
        },
    );
    random_access_case(suite);
    despawn_cases(suite);
    kinds::cases(suite);
    schedule::cases(suite);
    churn::cases(suite);
    rare::cases(suite);
    wide::cases(suite);
}

fn fragments() -> EcsWorld {
    let mut world = EcsWorld::default();
    for _ in 0..frag_iter::OF_EACH {
        world.create::<FragmentA>((A(0.0), Data(1.0)));
        world.create::<FragmentB>((B(0.0), Data(1.0)));
        world.create::<FragmentC>((C(0.0), Data(1.0)));
        world.create::<FragmentD>((D(0.0), Data(1.0)));
        world.create::<FragmentE>((E(0.0), Data(1.0)));
        world.create::<FragmentF>((F(0.0), Data(1.0)));
        world.create::<FragmentG>((G(0.0), Data(1.0)));
        world.create::<FragmentH>((H(0.0), Data(1.0)));
        world.create::<FragmentI>((I(0.0), Data(1.0)));
        world.create::<FragmentJ>((J(0.0), Data(1.0)));
        world.create::<FragmentK>((LetterK(0.0), Data(1.0)));
        world.create::<FragmentL>((L(0.0), Data(1.0)));
        world.create::<FragmentM>((M(0.0), Data(1.0)));
        world.create::<FragmentN>((N(0.0), Data(1.0)));
        world.create::<FragmentO>((O(0.0), Data(1.0)));
        world.create::<FragmentP>((P(0.0), Data(1.0)));
        world.create::<FragmentQ>((Q(0.0), Data(1.0)));
        world.create::<FragmentR>((R(0.0), Data(1.0)));
        world.create::<FragmentS>((S(0.0), Data(1.0)));
        world.create::<FragmentT>((T(0.0), Data(1.0)));
        world.create::<FragmentU>((U(0.0), Data(1.0)));
        world.create::<FragmentV>((V(0.0), Data(1.0)));
        world.create::<FragmentW>((W(0.0), Data(1.0)));
        world.create::<FragmentX>((X(0.0), Data(1.0)));
        world.create::<FragmentY>((Y(0.0), Data(1.0)));
        world.create::<FragmentZ>((Z(0.0), Data(1.0)));
    }
    world
}

fn random_access_case(suite: &mut Suite) {
    suite.case(
        &random_access::RANDOM_ACCESS,
        |count| {
            let (world, ids) = bodies_and_ids(count);
            let ids: Vec<_> = shuffled(count).into_iter().map(|i| ids[i as usize]).collect();
            (world, ids, 0_u64)
        },
        |(world, ids, sum)| {
            for &id in &*ids {
                let found = ecs_find!(world, id, |position: &Position| {
                    *sum = sum.wrapping_add(random_access::term(&position.0));
                });
                found.expect("it lives");
            }
        },
        |state| state.2,
    );
}

fn despawn_all((world, ids): &mut (EcsWorld, Vec<Entity<Body>>)) {
    for &id in &*ids {
        assert!(world.destroy(id).is_some(), "it lives");
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

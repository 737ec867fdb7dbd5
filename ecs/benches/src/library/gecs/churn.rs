//! Entities that come and go.

use gecs::prelude::*;

use super::letter::{A, B};
use super::{Position, Velocity, body};
use crate::harness::Suite;
use crate::math::digest;
use crate::workload::{churn, simple_iter};

ecs_world! {
    ecs_archetype!(Plain, dyn, Position, Velocity);
    ecs_archetype!(WithA, dyn, Position, Velocity, A);
    ecs_archetype!(WithB, dyn, Position, Velocity, B);
    ecs_archetype!(WithAB, dyn, Position, Velocity, A, B);
}

pub(super) fn cases(suite: &mut Suite) {
    suite.case(&churn::STEP, crowd, steps, checksum);
    for (workload, make) in [(&churn::BEFORE, crowd as fn(u32) -> _), (&churn::AFTER, churned)] {
        suite.case(
            workload,
            make,
            |(world, _)| {
                ecs_iter!(world, |position: &mut Position, velocity: &Velocity| {
                    simple_iter::step(&mut position.0, &velocity.0);
                });
            },
            checksum,
        );
    }
}

fn spawn(world: &mut EcsWorld, n: u32) -> EntityAny {
    let (_, p, _, v) = body(n);
    match n % 4 {
        0 => world.create::<Plain>((p, v)).into(),
        1 => world.create::<WithA>((p, v, A(0.0))).into(),
        2 => world.create::<WithB>((p, v, B(0.0))).into(),
        _ => world.create::<WithAB>((p, v, A(0.0), B(0.0))).into(),
    }
}

fn crowd(count: u32) -> (EcsWorld, Vec<EntityAny>) {
    let mut world = EcsWorld::default();
    let ids = (0..count).map(|n| spawn(&mut world, n)).collect();
    (world, ids)
}

fn steps((world, ids): &mut (EcsWorld, Vec<EntityAny>)) {
    churn::churn(world, ids, |world, id| assert!(world.destroy(id), "it lives"), spawn);
}

fn churned(count: u32) -> (EcsWorld, Vec<EntityAny>) {
    let mut state = crowd(count);
    steps(&mut state);
    state
}

fn checksum((world, _): &mut (EcsWorld, Vec<EntityAny>)) -> u64 {
    let mut sum = 0_u64;
    ecs_iter!(world, |position: &Position, velocity: &Velocity| {
        sum = sum.wrapping_add(digest(&[&position.0, &velocity.0]));
    });
    sum
}

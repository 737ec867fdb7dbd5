//! Entities of several kinds, iterated.

use gecs::prelude::*;

use super::letter::{A, B, C};
use super::{Position, Velocity, body};
use crate::harness::Suite;
use crate::math::digest;
use crate::workload::{eight_kinds, simple_iter};

ecs_world! {
    ecs_archetype!(Plain, dyn, Position, Velocity);
    ecs_archetype!(WithA, dyn, Position, Velocity, A);
    ecs_archetype!(WithB, dyn, Position, Velocity, B);
    ecs_archetype!(WithAB, dyn, Position, Velocity, A, B);
    ecs_archetype!(WithC, dyn, Position, Velocity, C);
    ecs_archetype!(WithAC, dyn, Position, Velocity, A, C);
    ecs_archetype!(WithBC, dyn, Position, Velocity, B, C);
    ecs_archetype!(WithABC, dyn, Position, Velocity, A, B, C);
}

pub(super) fn cases(suite: &mut Suite) {
    suite.case(
        &eight_kinds::EIGHT_KINDS,
        eight_kinds,
        |world| {
            ecs_iter!(world, |position: &mut Position, velocity: &Velocity| {
                simple_iter::step(&mut position.0, &velocity.0);
            });
        },
        |world| {
            let mut sum = 0_u64;
            ecs_iter!(world, |position: &Position, velocity: &Velocity| {
                sum = sum.wrapping_add(digest(&[&position.0, &velocity.0]));
            });
            sum
        },
    );
}

fn eight_kinds(count: u32) -> EcsWorld {
    let mut world = EcsWorld::default();
    for i in 0..count {
        let (_, p, _, v) = body(i);
        match i % 8 {
            0 => EntityAny::from(world.create::<Plain>((p, v))),
            1 => EntityAny::from(world.create::<WithA>((p, v, A(0.0)))),
            2 => EntityAny::from(world.create::<WithB>((p, v, B(0.0)))),
            3 => EntityAny::from(world.create::<WithAB>((p, v, A(0.0), B(0.0)))),
            4 => EntityAny::from(world.create::<WithC>((p, v, C(0.0)))),
            5 => EntityAny::from(world.create::<WithAC>((p, v, A(0.0), C(0.0)))),
            6 => EntityAny::from(world.create::<WithBC>((p, v, B(0.0), C(0.0)))),
            _ => EntityAny::from(world.create::<WithABC>((p, v, A(0.0), B(0.0), C(0.0)))),
        };
    }
    world
}

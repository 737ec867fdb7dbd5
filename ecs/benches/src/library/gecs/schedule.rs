//! Three systems. gecs has no schedules: functions that are given the world take their place.

use gecs::prelude::*;

use super::letter::{A, B, C, D, E};
use crate::harness::Suite;
use crate::math::digest;
use crate::workload::{numbers, schedule};

ecs_world! {
    ecs_archetype!(Two, dyn, A, B);
    ecs_archetype!(Three, dyn, A, B, C);
    ecs_archetype!(WithD, dyn, A, B, C, D);
    ecs_archetype!(WithE, dyn, A, B, C, E);
}

pub(super) fn cases(suite: &mut Suite) {
    suite.case(
        &schedule::SCHEDULE,
        swaps,
        |world| {
            swap_ab(world);
            swap_cd(world);
            swap_ce(world);
        },
        |world| {
            let mut sum = 0_u64;
            ecs_iter!(world, |a: &A, b: &B| sum = sum.wrapping_add(digest(&[&[a.0], &[b.0]])));
            ecs_iter!(world, |c: &C| sum = sum.wrapping_add(digest(&[&[c.0]])));
            sum
        },
    );
    suite.case(
        &numbers::NUMBERS,
        |count| {
            let mut world = EcsWorld::default();
            for _ in 0..count {
                world.create::<Two>((A(0.0), B(1.0)));
            }
            world
        },
        |world| {
            ecs_iter!(world, |a: &mut A, b: &B| {
                numbers::step(&mut a.0, &b.0);
            });
        },
        |world| {
            let mut sum = 0_u64;
            ecs_iter!(world, |a: &A| sum = sum.wrapping_add(digest(&[&[a.0]])));
            sum
        },
    );
}

fn swap_ab(world: &mut EcsWorld) {
    ecs_iter!(world, |a: &mut A, b: &mut B| std::mem::swap(&mut a.0, &mut b.0));
}

fn swap_cd(world: &mut EcsWorld) {
    ecs_iter!(world, |c: &mut C, d: &mut D| std::mem::swap(&mut c.0, &mut d.0));
}

fn swap_ce(world: &mut EcsWorld) {
    ecs_iter!(world, |c: &mut C, e: &mut E| std::mem::swap(&mut c.0, &mut e.0));
}

fn swaps(count: u32) -> EcsWorld {
    let mut world = EcsWorld::default();
    for [a, b, c, d, e] in (0..count).map(schedule::values) {
        world.create::<Two>((A(a), B(b)));
        world.create::<Three>((A(a), B(b), C(c)));
        world.create::<WithD>((A(a), B(b), C(c), D(d)));
        world.create::<WithE>((A(a), B(b), C(c), E(e)));
    }
    world
}

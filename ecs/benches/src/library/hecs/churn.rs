//! Entities that come and go.

use hecs::{Entity, World};

use super::{A, B, Position, Velocity, body};
use crate::harness::Suite;
use crate::math::{digest, total};
use crate::workload::{churn, simple_iter};

pub(super) fn cases(suite: &mut Suite) {
    suite.case(&churn::STEP, crowd, steps, checksum);
    for (workload, make) in [(&churn::BEFORE, crowd as fn(u32) -> _), (&churn::AFTER, churned)] {
        suite.case(
            workload,
            make,
            |(world, _)| {
                world
                    .query_mut::<(&mut Position, &Velocity)>()
                    .into_iter()
                    .for_each(|(position, velocity)| simple_iter::step(&mut position.0, &velocity.0));
            },
            checksum,
        );
    }
}

fn spawn(world: &mut World, n: u32) -> Entity {
    let (_, p, _, v) = body(n);
    match n % 4 {
        0 => world.spawn((p, v)),
        1 => world.spawn((p, v, A(0.0))),
        2 => world.spawn((p, v, B(0.0))),
        _ => world.spawn((p, v, A(0.0), B(0.0))),
    }
}

fn crowd(count: u32) -> (World, Vec<Entity>) {
    let mut world = World::new();
    let ids = (0..count).map(|n| spawn(&mut world, n)).collect();
    (world, ids)
}

fn steps((world, ids): &mut (World, Vec<Entity>)) {
    churn::churn(world, ids, |world, id| world.despawn(id).expect("it lives"), spawn);
}

fn churned(count: u32) -> (World, Vec<Entity>) {
    let mut state = crowd(count);
    steps(&mut state);
    state
}

fn checksum((world, _): &mut (World, Vec<Entity>)) -> u64 {
    let all = world.query_mut::<(&Position, &Velocity)>().into_iter();
    total(all.map(|(position, velocity)| digest(&[&position.0, &velocity.0])))
}

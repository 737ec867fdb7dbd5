//! Entities that come and go.

use std::cell::Cell;

use bevy_ecs::prelude::*;

use super::{A, B, Moving, Position, Queried, Velocity, body};
use crate::harness::Suite;
use crate::math::{digest, total};
use crate::workload::{churn, simple_iter};

pub(super) fn cases(suite: &mut Suite) {
    suite.case(&churn::STEP, crowd, steps, |state| checksum(&mut state.0));
    for (workload, make) in [(&churn::BEFORE, before as fn(u32) -> _), (&churn::AFTER, after)] {
        suite.case(
            workload,
            make,
            |Queried(world, query)| {
                query
                    .iter_mut(world)
                    .for_each(|(mut position, velocity)| simple_iter::step(&mut position.0, &velocity.0));
            },
            |state| checksum(&mut state.0),
        );
    }
}

fn spawn(world: &mut World, n: u32) -> Entity {
    let (_, p, _, v) = body(n);
    match n % 4 {
        0 => world.spawn((p, v)).id(),
        1 => world.spawn((p, v, A(0.0))).id(),
        2 => world.spawn((p, v, B(0.0))).id(),
        _ => world.spawn((p, v, A(0.0), B(0.0))).id(),
    }
}

fn crowd(count: u32) -> (World, Vec<Entity>) {
    let mut world = World::new();
    let ids = (0..count).map(|n| spawn(&mut world, n)).collect();
    (world, ids)
}

fn steps((world, ids): &mut (World, Vec<Entity>)) {
    let is_new = Cell::new(true);
    churn::churn(
        world,
        ids,
        |world, id| {
            if is_new.replace(false) {
                world.clear_trackers();
            }
            assert!(world.despawn(id), "it lives");
        },
        |world, n| {
            is_new.set(true);
            spawn(world, n)
        },
    );
}

fn before(count: u32) -> Moving {
    Queried::new(crowd(count).0)
}

fn after(count: u32) -> Moving {
    let mut state = crowd(count);
    steps(&mut state);
    Queried::new(state.0)
}

fn checksum(world: &mut World) -> u64 {
    let mut all = world.query::<(&Position, &Velocity)>();
    total(all.iter(world).map(|(position, velocity)| digest(&[&position.0, &velocity.0])))
}

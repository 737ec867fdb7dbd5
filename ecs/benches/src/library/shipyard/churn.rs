//! Entities that come and go.

use shipyard::{AllStoragesViewMut, EntityId, IntoIter, View, World};

use super::{A, B, Position, Velocity, body, movement};
use crate::harness::Suite;
use crate::math::{digest, total};
use crate::workload::churn;

pub(super) fn cases(suite: &mut Suite) {
    suite.case(&churn::STEP, crowd, steps, checksum);
    for (workload, make) in [(&churn::BEFORE, crowd as fn(u32) -> _), (&churn::AFTER, churned)] {
        suite.case(workload, make, |(world, _)| world.run(movement), checksum);
    }
}

fn spawn(all: &mut AllStoragesViewMut<'_>, n: u32) -> EntityId {
    let (_, p, _, v) = body(n);
    match n % 4 {
        0 => all.add_entity((p, v)),
        1 => all.add_entity((p, v, A(0.0))),
        2 => all.add_entity((p, v, B(0.0))),
        _ => all.add_entity((p, v, A(0.0), B(0.0))),
    }
}

fn crowd(count: u32) -> (World, Vec<EntityId>) {
    let world = World::new();
    let ids = world.run(|mut all: AllStoragesViewMut<'_>| (0..count).map(|n| spawn(&mut all, n)).collect());
    (world, ids)
}

fn steps((world, ids): &mut (World, Vec<EntityId>)) {
    world.run(|mut all: AllStoragesViewMut<'_>| {
        churn::churn(&mut all, ids, |all, id| assert!(all.delete_entity(id), "it lives"), spawn);
    });
}

fn churned(count: u32) -> (World, Vec<EntityId>) {
    let mut state = crowd(count);
    steps(&mut state);
    state
}

fn checksum((world, _): &mut (World, Vec<EntityId>)) -> u64 {
    world.run(|positions: View<'_, Position>, velocities: View<'_, Velocity>| {
        let all = (&positions, &velocities).iter();
        total(all.map(|(position, velocity)| digest(&[&position.0, &velocity.0])))
    })
}

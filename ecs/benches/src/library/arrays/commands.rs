//! Commands: a vector of values that are then put into the arrays.

use super::{Position, Velocity, body};
use crate::harness::Suite;
use crate::math::{digest, total};
use crate::workload::commands;

#[derive(Default)]
struct Crew {
    positions: Vec<Position>,
    velocities: Vec<Option<Velocity>>,
    count: u32,
    spawns: Vec<(Position, Velocity)>,
    inserts: Vec<(u32, Velocity)>,
}

#[inline(never)]
fn order_spawns(crew: &mut Crew) {
    for i in 0..crew.count {
        let (_, position, _, velocity) = body(i);
        crew.spawns.push((position, velocity));
    }
}

#[inline(never)]
fn spawn(crew: &mut Crew) {
    for (position, velocity) in crew.spawns.drain(..) {
        crew.positions.push(position);
        crew.velocities.push(Some(velocity));
    }
}

#[inline(never)]
fn order_inserts(crew: &mut Crew) {
    for i in 0..crew.count {
        crew.inserts.push((i, body(i).3));
    }
}

#[inline(never)]
fn insert(crew: &mut Crew) {
    for (id, velocity) in crew.inserts.drain(..) {
        crew.velocities[id as usize] = Some(velocity);
    }
}

fn checksum(crew: &mut Crew) -> u64 {
    let all = crew.positions.iter().zip(crew.velocities.iter().flatten());
    total(all.map(|(position, velocity)| digest(&[&position.0, &velocity.0])))
}

pub(super) fn cases(suite: &mut Suite) {
    suite.prepared_case(
        &commands::SPAWN,
        |count| Crew { count, ..Crew::default() },
        |crew| {
            crew.positions.clear();
            crew.velocities.clear();
        },
        |crew| {
            order_spawns(crew);
            spawn(crew);
        },
        checksum,
    );
    suite.prepared_case(
        &commands::INSERT,
        |count| Crew {
            count,
            positions: (0..count).map(|i| body(i).1).collect(),
            velocities: vec![None; count as usize],
            ..Crew::default()
        },
        |crew| crew.velocities.fill(None),
        |crew| {
            order_inserts(crew);
            insert(crew);
        },
        checksum,
    );
}

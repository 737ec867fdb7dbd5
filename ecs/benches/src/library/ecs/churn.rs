//! Entities that come and go.

use ecs::prelude::*;

use super::{A, B, Position, Velocity, body};
use crate::harness::Suite;
use crate::math::{digest, total};
use crate::workload::{churn, simple_iter};

world! {
    struct Crowd {
        components { Position, Velocity, A, B }
    }
}

pub(super) fn cases(suite: &mut Suite) {
    suite.case(&churn::STEP, crowd, steps, checksum);
    for (workload, make) in [(&churn::BEFORE, crowd as fn(u32) -> _), (&churn::AFTER, churned)] {
        suite.case(
            workload,
            make,
            |(game, _)| {
                game.query_mut::<(&mut Position, &Velocity)>()
                    .for_each(|(position, velocity)| simple_iter::step(&mut position.0, &velocity.0));
            },
            checksum,
        );
    }
}

fn spawn(game: &mut Crowd, n: u32) -> Entity {
    let (_, p, _, v) = body(n);
    match n % 4 {
        0 => game.spawn((p, v)),
        1 => game.spawn((p, v, A(0.0))),
        2 => game.spawn((p, v, B(0.0))),
        _ => game.spawn((p, v, A(0.0), B(0.0))),
    }
}

fn crowd(count: u32) -> (Crowd, Vec<Entity>) {
    let mut game = Crowd::new();
    let ids = (0..count).map(|n| spawn(&mut game, n)).collect();
    (game, ids)
}

fn steps((game, ids): &mut (Crowd, Vec<Entity>)) {
    churn::churn(game, ids, |game, id| game.despawn(id).expect("it lives"), spawn);
}

fn churned(count: u32) -> (Crowd, Vec<Entity>) {
    let mut state = crowd(count);
    steps(&mut state);
    state
}

fn checksum((game, _): &mut (Crowd, Vec<Entity>)) -> u64 {
    let all = game.query::<(&Position, &Velocity)>();
    total(all.iter().map(|(position, velocity)| digest(&[&position.0, &velocity.0])))
}

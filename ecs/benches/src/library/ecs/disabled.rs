//! Disabled entities.

use ecs::component::Disabled;
use ecs::prelude::*;
use ecs::query::AllowDisabled;

use super::{Position, Rotation, Transform, Velocity, body};
use crate::harness::Suite;
use crate::math::{digest, shuffled, total};
use crate::workload::{disabled, simple_iter};

world! {
    struct Crew {
        components { Transform, Position, Rotation, Velocity, Disabled }
    }
}

fn crew(count: u32) -> (Crew, Vec<Entity>) {
    let mut game = Crew::new();
    let ids = game.spawn_batch((0..count).map(body)).collect();
    (game, ids)
}

/// Of all positions, and of the number of entities that are enabled.
fn checksum((game, _): &mut (Crew, Vec<Entity>)) -> u64 {
    let all = game.query::<&Position>().filter::<AllowDisabled>();
    let enabled = game.query::<&Position>().len() as u64;
    total(all.iter().map(|position| digest(&[&position.0]))).wrapping_add(enabled)
}

pub(super) fn cases(suite: &mut Suite) {
    suite.case(
        &disabled::PASSED_OVER,
        |count| {
            let (mut game, ids) = crew(count);
            for i in disabled::chosen(count) {
                game.insert(ids[i as usize], Disabled).expect("it lives");
            }
            (game, ids)
        },
        |(game, _)| {
            game.query_mut::<(&mut Position, &Velocity)>()
                .for_each(|(position, velocity)| simple_iter::step(&mut position.0, &velocity.0));
        },
        checksum,
    );
    suite.case(
        &disabled::TOGGLED,
        |count| {
            let (game, ids) = crew(count);
            (game, shuffled(count).into_iter().map(|i| ids[i as usize]).collect())
        },
        |(game, ids)| {
            for &id in &*ids {
                game.insert(id, Disabled).expect("it lives");
            }
            for &id in &*ids {
                game.remove::<Disabled>(id).expect("it lives");
            }
        },
        checksum,
    );
}

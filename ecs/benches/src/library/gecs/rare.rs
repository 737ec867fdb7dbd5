//! A component that one entity in a hundred is spawned with; it cannot be given to them later.

use gecs::prelude::*;

use super::{Position, body};
use crate::harness::Suite;
use crate::math::digest;
use crate::workload::rare;

pub struct Rare(pub f32);

ecs_world! {
    ecs_archetype!(Common, dyn, Position);
    ecs_archetype!(OfKind, dyn, Position, Rare);
}

pub(super) fn cases(suite: &mut Suite) {
    suite.case(
        &rare::KIND,
        of_kind,
        |world| {
            ecs_iter!(world, |position: &mut Position, rare: &Rare| {
                rare::step(&mut position.0, &rare.0);
            });
        },
        |world| {
            let mut sum = 0_u64;
            ecs_iter!(world, |position: &Position, rare: &Rare| {
                sum = sum.wrapping_add(digest(&[&position.0, &[rare.0]]));
            });
            sum
        },
    );
}

fn of_kind(count: u32) -> EcsWorld {
    let mut world = EcsWorld::default();
    for i in 0..count {
        let position = body(i).1;
        if rare::is_of_kind(i) {
            world.create::<OfKind>((position, Rare(rare::VALUE)));
        } else {
            world.create::<Common>((position,));
        }
    }
    world
}

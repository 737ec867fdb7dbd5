//! Disabled entities.

use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_ecs::query::Allow;

use super::{Position, Queried, Velocity, bodies_and_ids};
use crate::harness::Suite;
use crate::math::{digest, shuffled, total};
use crate::workload::{disabled, simple_iter};

type Moving = Queried<(&'static mut Position, &'static Velocity)>;

/// Of all positions, and of the number of entities that are enabled.
fn checksum(world: &mut World) -> u64 {
    let mut all = world.query_filtered::<&Position, Allow<Disabled>>();
    let sum = total(all.iter(world).map(|position| digest(&[&position.0])));
    let mut enabled = world.query::<&Position>();
    sum.wrapping_add(enabled.iter(world).count() as u64)
}

pub(super) fn cases(suite: &mut Suite) {
    suite.case(
        &disabled::PASSED_OVER,
        |count| {
            let (mut world, ids) = bodies_and_ids(count);
            for i in disabled::chosen(count) {
                world.entity_mut(ids[i as usize]).insert(Disabled);
            }
            Moving::new(world)
        },
        |Queried(world, query)| {
            query
                .iter_mut(world)
                .for_each(|(mut position, velocity)| simple_iter::step(&mut position.0, &velocity.0));
        },
        |state| checksum(&mut state.0),
    );
    suite.case(
        &disabled::TOGGLED,
        |count| {
            let (world, ids) = bodies_and_ids(count);
            let ids: Vec<Entity> = shuffled(count).into_iter().map(|i| ids[i as usize]).collect();
            (world, ids)
        },
        |(world, ids)| {
            for &id in &*ids {
                world.entity_mut(id).insert(Disabled);
            }
            for &id in &*ids {
                world.entity_mut(id).remove::<Disabled>();
            }
            world.clear_trackers();
        },
        |state| checksum(&mut state.0),
    );
}

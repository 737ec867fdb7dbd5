//! Change detection.

use bevy_ecs::prelude::*;
use bevy_ecs::system::System;

use super::{Position, body};
use crate::harness::Suite;
use crate::math::total;
use crate::workload::changed;

#[derive(Resource, Default)]
struct Sum(u64);

fn look(all: Query<'_, '_, &Position, Changed<Position>>, mut sum: ResMut<'_, Sum>) {
    sum.0 = sum.0.wrapping_add(total(all.iter().map(|position| changed::term(&position.0))));
}

pub(super) fn cases(suite: &mut Suite) {
    for (workload, share) in changed::SHARES {
        suite.prepared_case(
            workload,
            move |count| {
                let (mut world, mut system) = (World::new(), IntoSystem::into_system(look));
                world.init_resource::<Sum>();
                let ids: Vec<Entity> = world.spawn_batch((0..count).map(|i| body(i).1)).collect();
                let chosen: Vec<Entity> =
                    changed::chosen(count, share).into_iter().map(|i| ids[i as usize]).collect();
                let query = world.query::<&mut Position>();
                system.initialize(&mut world);
                system.run((), &mut world).expect("it runs"); // who was spawned is new to it
                world.resource_mut::<Sum>().0 = 0;
                (world, query, chosen, system)
            },
            |(world, query, chosen, _)| {
                for &id in &*chosen {
                    changed::change(&mut query.get_mut(world, id).expect("it lives").0);
                }
            },
            |(world, _, _, system)| system.run((), world).expect("it runs"),
            |(world, ..)| world.resource::<Sum>().0,
        );
    }
}

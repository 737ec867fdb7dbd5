//! Commands.

use bevy_ecs::prelude::*;

use super::{Position, Velocity, body, systems};
use crate::harness::Suite;
use crate::math::{digest, total};
use crate::workload::commands;

/// The number of entities to spawn, and the entities to which a velocity is added.
#[derive(Resource)]
struct Orders {
    spawn: u32,
    insert: Vec<Entity>,
}

fn spawns(orders: Res<'_, Orders>, mut commands: Commands<'_, '_>) {
    for i in 0..orders.spawn {
        let (_, position, _, velocity) = body(i);
        commands.spawn((position, velocity));
    }
}

fn inserts(orders: Res<'_, Orders>, mut commands: Commands<'_, '_>) {
    for (i, &id) in orders.insert.iter().enumerate() {
        commands.entity(id).insert(body(i as u32).3);
    }
}

type Crew = (World, Schedule);

fn crew(spawn: u32, insert: u32) -> Crew {
    let (mut world, schedule) = (World::new(), systems::schedule(false));
    let insert = world.spawn_batch((0..insert).map(|i| body(i).1)).collect();
    world.insert_resource(Orders { spawn, insert });
    (world, schedule)
}

fn checksum((world, _): &mut Crew) -> u64 {
    let mut all = world.query::<(&Position, &Velocity)>();
    total(all.iter(world).map(|(position, velocity)| digest(&[&position.0, &velocity.0])))
}

pub(super) fn cases(suite: &mut Suite) {
    suite.prepared_case(
        &commands::SPAWN,
        |count| {
            let mut crew = crew(count, 0);
            crew.1.add_systems(spawns);
            crew
        },
        |(world, _)| {
            world
                .query_filtered::<Entity, With<Position>>()
                .iter(world)
                .collect::<Vec<_>>()
                .into_iter()
                .for_each(|id| {
                    world.despawn(id);
                });
        },
        |(world, schedule)| schedule.run(world),
        checksum,
    );
    suite.prepared_case(
        &commands::INSERT,
        |count| {
            let mut crew = crew(0, count);
            crew.1.add_systems(inserts);
            crew
        },
        |(world, _)| {
            world.resource_scope(|world, orders: Mut<'_, Orders>| {
                for &id in &orders.insert {
                    world.entity_mut(id).remove::<Velocity>();
                }
            });
            world.clear_trackers();
        },
        |(world, schedule)| schedule.run(world),
        checksum,
    );
}

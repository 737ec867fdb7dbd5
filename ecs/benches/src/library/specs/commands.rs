//! Lazy updates, which are done when the world is maintained.

use specs::{Builder, Entities, Entity, Join, LazyUpdate, ReadStorage, World, WorldExt};

use super::{Position, Velocity, body, empty};
use crate::harness::Suite;
use crate::math::{digest, total};
use crate::workload::commands;

fn checksum(world: &World) -> u64 {
    let (positions, velocities): (ReadStorage<'_, Position>, ReadStorage<'_, Velocity>) = world.system_data();
    let all = (&positions, &velocities).join();
    total(all.map(|(position, velocity)| digest(&[&position.0, &velocity.0])))
}

fn spawns((world, count): &mut (World, u32)) {
    {
        let (lazy, entities): (specs::Read<'_, LazyUpdate>, Entities<'_>) = world.system_data();
        for i in 0..*count {
            let (_, position, _, velocity) = body(i);
            lazy.create_entity(&entities).with(position).with(velocity).build();
        }
    }
    world.maintain();
}

fn inserts((world, ids): &mut (World, Vec<Entity>)) {
    {
        let lazy: specs::Read<'_, LazyUpdate> = world.system_data();
        for (i, &id) in ids.iter().enumerate() {
            lazy.insert(id, body(i as u32).3);
        }
    }
    world.maintain();
}

pub(super) fn cases(suite: &mut Suite) {
    suite.prepared_case(
        &commands::SPAWN,
        |count| (empty(), count),
        |(world, _)| world.delete_all(),
        spawns,
        |(world, _)| checksum(world),
    );
    suite.prepared_case(
        &commands::INSERT,
        |count| {
            let mut world = empty();
            let ids: Vec<Entity> =
                (0..count).map(|i| world.create_entity().with(body(i).1).build()).collect();
            (world, ids)
        },
        |(world, ids)| {
            let mut all = world.write_storage::<Velocity>();
            for &id in &*ids {
                all.remove(id);
            }
        },
        inserts,
        |(world, _)| checksum(world),
    );
}

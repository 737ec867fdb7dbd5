//! Command buffers.

use hecs::{CommandBuffer, Entity, World};

use super::{Position, Velocity, body};
use crate::harness::Suite;
use crate::math::{digest, total};
use crate::workload::commands;

struct Crew {
    world: World,
    buffer: CommandBuffer,
    /// The number of entities to spawn.
    spawn: u32,
    /// The entities to which a velocity is added.
    insert: Vec<Entity>,
}

fn crew(spawn: u32, insert: u32) -> Crew {
    let mut world = World::new();
    let insert = world.spawn_batch((0..insert).map(|i| (body(i).1,))).collect();
    Crew { world, buffer: CommandBuffer::new(), spawn, insert }
}

fn checksum(crew: &mut Crew) -> u64 {
    let all = crew.world.query_mut::<(&Position, &Velocity)>().into_iter();
    total(all.map(|(position, velocity)| digest(&[&position.0, &velocity.0])))
}

pub(super) fn cases(suite: &mut Suite) {
    suite.prepared_case(
        &commands::SPAWN,
        |count| crew(count, 0),
        |crew| crew.world.clear(),
        |crew| {
            for i in 0..crew.spawn {
                let (_, position, _, velocity) = body(i);
                crew.buffer.spawn((position, velocity));
            }
            crew.buffer.run_on(&mut crew.world);
        },
        checksum,
    );
    suite.prepared_case(
        &commands::INSERT,
        |count| crew(0, count),
        |crew| {
            for &id in &crew.insert {
                let _ = crew.world.remove_one::<Velocity>(id);
            }
        },
        |crew| {
            for (i, &id) in crew.insert.iter().enumerate() {
                crew.buffer.insert_one(id, body(i as u32).3);
            }
            crew.buffer.run_on(&mut crew.world);
        },
        checksum,
    );
}

//! Command buffers.

use legion::{Entity, IntoQuery, Resources, Schedule, SystemBuilder, World};

use super::{Position, Scheduled, Velocity, body};
use crate::harness::Suite;
use crate::math::digest;
use crate::workload::commands;

fn checksum(world: &World) -> u64 {
    let mut all = <(&Position, &Velocity)>::query();
    all.iter(world).fold(0, |sum, (position, velocity)| sum.wrapping_add(digest(&[&position.0, &velocity.0])))
}

pub(super) fn cases(suite: &mut Suite) {
    suite.prepared_case(
        &commands::SPAWN,
        |count| -> Scheduled {
            let spawns = SystemBuilder::new("spawns").build(move |commands, _, (), ()| {
                for i in 0..count {
                    let (_, position, _, velocity) = body(i);
                    commands.push((position, velocity));
                }
            });
            let schedule = Schedule::builder().add_thread_local(spawns).build();
            (World::default(), schedule, Resources::default())
        },
        |(world, ..)| world.clear(),
        |(world, schedule, resources)| schedule.execute(world, resources),
        |(world, ..)| checksum(world),
    );
    suite.prepared_case(
        &commands::INSERT,
        |count| -> (Scheduled, Vec<Entity>) {
            let mut world = World::default();
            let ids = world.extend((0..count).map(|i| (body(i).1,))).to_vec();
            let orders = ids.clone();
            let inserts = SystemBuilder::new("inserts").build(move |commands, _, (), ()| {
                for (i, &id) in orders.iter().enumerate() {
                    commands.add_component(id, body(i as u32).3);
                }
            });
            let schedule = Schedule::builder().add_thread_local(inserts).build();
            ((world, schedule, Resources::default()), ids)
        },
        |((world, ..), ids)| {
            for &id in &*ids {
                world.entry(id).expect("it lives").remove_component::<Velocity>();
            }
        },
        |((world, schedule, resources), _)| schedule.execute(world, resources),
        |((world, ..), _)| checksum(world),
    );
}

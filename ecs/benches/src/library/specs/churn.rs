//! Entities that come and go.

use specs::{Builder, Entity, Join, ReadStorage, World, WorldExt};

use super::{A, B, Position, Velocity, body, movement};
use crate::harness::Suite;
use crate::math::{digest, total};
use crate::workload::churn;

pub(super) fn cases(suite: &mut Suite) {
    suite.case(&churn::STEP, crowd, steps, checksum);
    for (workload, make) in [(&churn::BEFORE, crowd as fn(u32) -> _), (&churn::AFTER, churned)] {
        suite.case(workload, make, |crowd| movement(&mut crowd.world), checksum);
    }
}

struct Crowd {
    world: World,
    ids: Vec<Entity>,
    /// The entities that a step has despawned so far. Every storage removes their components in one
    /// pass, which is faster than one pass for each entity; specs does the same for entities that
    /// its systems delete.
    gone: Vec<Entity>,
}

fn spawn(world: &mut World, n: u32) -> Entity {
    let (_, position, _, velocity) = body(n);
    let builder = world.create_entity().with(position).with(velocity);
    match n % 4 {
        0 => builder.build(),
        1 => builder.with(A(0.0)).build(),
        2 => builder.with(B(0.0)).build(),
        _ => builder.with(A(0.0)).with(B(0.0)).build(),
    }
}

fn crowd(count: u32) -> Crowd {
    let mut world = World::new();
    world.register::<Position>();
    world.register::<Velocity>();
    world.register::<A>();
    world.register::<B>();
    let ids = (0..count).map(|n| spawn(&mut world, n)).collect();
    Crowd { world, ids, gone: Vec::new() }
}

fn steps(Crowd { world, ids, gone }: &mut Crowd) {
    churn::churn(
        &mut (world, gone),
        ids,
        |(_, gone), id| gone.push(id),
        |(world, gone), n| {
            if !gone.is_empty() {
                world.delete_entities(gone).expect("they live");
                gone.clear();
            }
            spawn(world, n)
        },
    );
}

fn churned(count: u32) -> Crowd {
    let mut crowd = crowd(count);
    steps(&mut crowd);
    crowd
}

fn checksum(crowd: &mut Crowd) -> u64 {
    let (positions, velocities): (ReadStorage<'_, Position>, ReadStorage<'_, Velocity>) =
        crowd.world.system_data();
    let all = (&positions, &velocities).join();
    total(all.map(|(position, velocity)| digest(&[&position.0, &velocity.0])))
}

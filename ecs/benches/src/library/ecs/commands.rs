//! Commands.

use ecs::prelude::*;
use ecs::schedule::Parallelism;

use super::{Position, Velocity, body};
use crate::harness::Suite;
use crate::math::{digest, total};
use crate::workload::commands;

/// The number of entities to spawn, and the entities to which a velocity is added.
#[derive(Resource)]
struct Orders {
    spawn: u32,
    insert: Vec<Entity>,
}

world! {
    struct Crew {
        components { Position, Velocity }
        resources { Orders }
    }
    schedule spawning { spawns }
    schedule inserting { inserts }
}

#[system(Crew)]
fn spawns(orders: Res<'_, Orders>, mut commands: Commands<'_, Crew>) {
    for i in 0..orders.spawn {
        let (_, position, _, velocity) = body(i);
        commands.spawn((position, velocity));
    }
}

#[system(Crew)]
fn inserts(orders: Res<'_, Orders>, mut commands: Commands<'_, Crew>) {
    for (i, &id) in orders.insert.iter().enumerate() {
        commands.insert(id, body(i as u32).3);
    }
}

fn crew(spawn: u32, insert: u32) -> Crew {
    let mut game = Crew::new(Orders { spawn, insert: Vec::new() });
    game.set_parallelism(Parallelism::Never);
    let ids = game.spawn_batch((0..insert).map(|i| body(i).1)).collect();
    game.resource_mut::<Orders>().insert = ids;
    game
}

fn checksum(game: &mut Crew) -> u64 {
    let all = game.query::<(&Position, &Velocity)>();
    total(all.iter().map(|(position, velocity)| digest(&[&position.0, &velocity.0])))
}

pub(super) fn cases(suite: &mut Suite) {
    suite.prepared_case(&commands::SPAWN, |count| crew(count, 0), Crew::clear, Crew::spawning, checksum);
    suite.prepared_case(
        &commands::INSERT,
        |count| crew(0, count),
        |game| {
            let ids = std::mem::take(&mut game.resource_mut::<Orders>().insert);
            for &id in &ids {
                let _ = game.remove::<Velocity>(id);
            }
            game.resource_mut::<Orders>().insert = ids;
        },
        Crew::inserting,
        checksum,
    );
}

//! Random edits of a world.

use ecs::ChildOf;
use ecs::component::{Name, StableId};
use ecs::prelude::*;

use super::game::*;

/// The number of kinds of edits.
pub const EDITS: u8 = 34;

/// Makes one change of kind `kind % EDITS`. An operation that a rule refuses changes nothing.
pub fn edit(server: &mut Server, (kind, a, b): (u8, u8, u8)) {
    let living: Vec<Entity> = server.entities().iter().collect();
    let pick = |n: u8| living.get(usize::from(n) % living.len().max(1)).copied();
    let (Some(one), Some(two)) = (pick(a), pick(b)) else {
        server.spawn((Position([0.0, 0.0]), Shown));
        return;
    };
    match kind % EDITS {
        0 => drop(server.spawn((Position([f32::from(a), 1.0]), Health(b.into())))),
        1 => drop(server.spawn((Mind::Hunts { whom: one, path: vec![(1, 2)] }, Shown))),
        2 => drop(server.try_spawn((Ticket(u32::from(b % 8)), Label("new".into())))),
        3 | 4 => drop(server.despawn(one)),
        5 => drop(server.spawn_batch((0..a % 70).map(|n| (Health(n.into()), Team(n % 3)))).count()),
        6 => drop(server.insert(one, Position([f32::from(b), f32::NAN]))),
        7 => drop(server.insert(one, Health(b.into()))),
        8 => drop(server.insert(one, Label("x".repeat(b.into())))),
        9 => drop(server.insert(one, Mind::Recalls(vec![None, Some(two), Some(one)]))),
        10 => drop(server.insert(one, (Lit, Mind::Idle))),
        11 => drop(server.insert(one, Leader(b))),
        12 => drop(server.insert(one, Camera(b))),
        13 => {
            let holders: Vec<Entity> =
                server.query::<(Entity, &Camera)>().iter().map(|(entity, _)| entity).collect();
            holders.into_iter().for_each(|holder| drop(server.remove::<Camera>(holder)));
            drop(server.insert(one, Camera(b)));
        }
        14 => drop(server.insert(one, Ticket(u32::from(b % 8)))),
        15 => {
            let tickets = (server.remove::<Ticket>(one), server.remove::<Ticket>(two));
            if let (Ok(Some(first)), Ok(Some(second))) = tickets {
                drop(server.insert(one, second));
                drop(server.insert(two, first));
            }
        }
        16 => drop(server.insert(one, Team(b % 3))),
        17 => drop(server.insert(one, Frozen)),
        18 => drop(server.insert(one, Burning(b))),
        19 => drop((server.remove::<Frozen>(one), server.insert(one, Burning(b)))),
        20 => drop(server.relate(one, Likes { whom: two, much: b })),
        21 => drop(server.relate(one, Married(two))),
        22 => drop(server.relate(one, Knows(two))),
        23 | 24 => drop(server.insert(one, ChildOf(two))),
        25 => drop(server.insert(one, (Name::new("somebody"), Secret))),
        26 => drop(server.insert(one, StableId(b.into()))),
        27 => drop(server.remove::<(Position, Health, Label)>(one)),
        28 => drop(server.remove::<(Mind, Marked, Lit, Leader)>(one)),
        29 => drop(server.remove::<(Married, ecs::Many<Knows>, ChildOf)>(one)),
        30 => drop(server.insert(one, Shown)),
        31 => drop(server.remove::<Shown>(one)),
        32 => {
            for mut health in &mut server.query_mut::<Mut<Health>>() {
                if health.0 % 5 == i64::from(b % 5) {
                    health.0 += 1;
                }
            }
        }
        _ => server.tick(),
    }
}

//! A component that one entity in a hundred has.

use bevy_ecs::prelude::*;

use super::{Position, Queried, body};
use crate::harness::Suite;
use crate::math::{digest, total};
use crate::workload::rare;

/// In a table, which is iterated faster: 0.4 ns against 14 of a sparse set.
#[derive(Component)]
struct Rare(f32);

/// In the storage that bevy names for what is added and removed often.
#[derive(Component)]
#[component(storage = "SparseSet")]
struct Fleeting(f32);

type Rarely = Queried<(&'static mut Position, &'static Rare)>;
type Fleetingly = Queried<(&'static mut Position, &'static Fleeting)>;

pub(super) fn cases(suite: &mut Suite) {
    for (workload, make) in [(&rare::RANDOM, given as fn(u32) -> Rarely), (&rare::KIND, of_kind)] {
        suite.case(
            workload,
            make,
            |Queried(world, query)| {
                query.iter_mut(world).for_each(|(mut position, rare)| rare::step(&mut position.0, &rare.0));
            },
            |Queried(world, query)| {
                total(query.iter(world).map(|(position, rare)| digest(&[&position.0, &[rare.0]])))
            },
        );
    }
    suite.case(
        &rare::SET,
        |count| {
            let (world, chosen) = field(count);
            (Fleetingly::new(world), chosen)
        },
        |(Queried(world, query), chosen)| {
            world.insert_batch(chosen.iter().map(|&id| (id, Fleeting(rare::VALUE))));
            query.iter_mut(world).for_each(|(mut position, rare)| rare::step(&mut position.0, &rare.0));
            for &id in &*chosen {
                world.entity_mut(id).remove::<Fleeting>();
            }
            world.clear_trackers();
        },
        |(Queried(world, _), _)| {
            total(world.query::<&Position>().iter(world).map(|position| digest(&[&position.0])))
        },
    );
}

/// A world, and those who are chosen.
fn field(count: u32) -> (World, Vec<Entity>) {
    let mut world = World::new();
    let ids: Vec<Entity> = world.spawn_batch((0..count).map(|i| body(i).1)).collect();
    let chosen = rare::chosen(count).into_iter().map(|i| ids[i as usize]).collect();
    (world, chosen)
}

fn given(count: u32) -> Rarely {
    let (mut world, chosen) = field(count);
    world.insert_batch(chosen.iter().map(|&id| (id, Rare(rare::VALUE))));
    Queried::new(world)
}

fn of_kind(count: u32) -> Rarely {
    let mut world = World::new();
    for i in 0..count {
        let position = body(i).1;
        if rare::is_of_kind(i) {
            world.spawn((position, Rare(rare::VALUE)));
        } else {
            world.spawn(position);
        }
    }
    Queried::new(world)
}

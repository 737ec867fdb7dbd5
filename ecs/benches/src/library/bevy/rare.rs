//! A component that one entity in a hundred has.

use bevy_ecs::prelude::*;

use super::{Position, Queried, body};
use crate::harness::Suite;
use crate::math::{digest, total};
use crate::workload::rare;

/// Given to entities later.
#[derive(Component)]
#[component(storage = "SparseSet")]
struct Rare(f32);

/// What a kind of entities is spawned with.
#[derive(Component)]
struct OfKind(f32);

type Rarely = Queried<(&'static mut Position, &'static Rare)>;

pub(super) fn cases(suite: &mut Suite) {
    suite.case(
        &rare::RANDOM,
        |count| {
            let mut state = field(count);
            give(&mut state);
            state.0
        },
        step,
        |Queried(world, query)| {
            total(query.iter(world).map(|(position, rare)| digest(&[&position.0, &[rare.0]])))
        },
    );
    suite.case(
        &rare::SET,
        field,
        |state| {
            give(state);
            let (all, chosen) = state;
            step(all);
            for &id in &*chosen {
                all.0.entity_mut(id).remove::<Rare>();
            }
            all.0.clear_trackers();
        },
        |(Queried(world, _), _)| {
            total(world.query::<&Position>().iter(world).map(|position| digest(&[&position.0])))
        },
    );
    suite.case(
        &rare::KIND,
        of_kind,
        |Queried(world, query)| {
            query.iter_mut(world).for_each(|(mut position, rare)| rare::step(&mut position.0, &rare.0));
        },
        |Queried(world, query)| {
            total(query.iter(world).map(|(position, rare)| digest(&[&position.0, &[rare.0]])))
        },
    );
}

fn step(Queried(world, query): &mut Rarely) {
    query.iter_mut(world).for_each(|(mut position, rare)| rare::step(&mut position.0, &rare.0));
}

/// A world, and those who are chosen.
fn field(count: u32) -> (Rarely, Vec<Entity>) {
    let mut world = World::new();
    let ids: Vec<Entity> = world.spawn_batch((0..count).map(|i| body(i).1)).collect();
    let chosen = rare::chosen(count).into_iter().map(|i| ids[i as usize]).collect();
    (Queried::new(world), chosen)
}

fn give((Queried(world, _), chosen): &mut (Rarely, Vec<Entity>)) {
    world.insert_batch(chosen.iter().map(|&id| (id, Rare(rare::VALUE))));
}

fn of_kind(count: u32) -> Queried<(&'static mut Position, &'static OfKind)> {
    let mut world = World::new();
    for i in 0..count {
        let position = body(i).1;
        if rare::is_of_kind(i) {
            world.spawn((position, OfKind(rare::VALUE)));
        } else {
            world.spawn(position);
        }
    }
    Queried::new(world)
}

//! A component that one entity in a hundred has.

use shipyard::{Component, EntitiesView, EntityId, IntoIter, Remove, View, ViewMut, World};

use super::{Position, body};
use crate::harness::Suite;
use crate::math::{digest, total};
use crate::workload::rare;

#[derive(Component)]
struct Rare(f32);

pub(super) fn cases(suite: &mut Suite) {
    for (workload, make) in [(&rare::RANDOM, given as fn(u32) -> _), (&rare::KIND, of_kind)] {
        suite.case(
            workload,
            make,
            |world| world.run(step),
            |world| {
                world.run(|positions: View<'_, Position>, rares: View<'_, Rare>| {
                    let all = (&positions, &rares).iter();
                    total(all.map(|(position, rare)| digest(&[&position.0, &[rare.0]])))
                })
            },
        );
    }
    suite.case(
        &rare::SET,
        field,
        |state| {
            give(state);
            let (world, chosen) = state;
            world.run(step);
            world.run(|mut rares: ViewMut<'_, Rare>| {
                for &id in &*chosen {
                    rares.remove(id);
                }
            });
        },
        |(world, _)| {
            world.run(|positions: View<'_, Position>| {
                total(positions.iter().map(|position| digest(&[&position.0])))
            })
        },
    );
}

fn step(mut positions: ViewMut<'_, Position>, rares: View<'_, Rare>) {
    (&mut positions, &rares).iter().for_each(|(position, rare)| rare::step(&mut position.0, &rare.0));
}

/// A world, and those who are chosen.
fn field(count: u32) -> (World, Vec<EntityId>) {
    let mut world = World::new();
    let ids: Vec<EntityId> = world.bulk_add_entity((0..count).map(|i| (body(i).1,))).collect();
    let chosen = rare::chosen(count).into_iter().map(|i| ids[i as usize]).collect();
    (world, chosen)
}

fn give((world, chosen): &mut (World, Vec<EntityId>)) {
    world.run(|entities: EntitiesView<'_>, mut rares: ViewMut<'_, Rare>| {
        for &id in &*chosen {
            entities.add_component(id, &mut rares, Rare(rare::VALUE));
        }
    });
}

fn given(count: u32) -> World {
    let mut state = field(count);
    give(&mut state);
    state.0
}

fn of_kind(count: u32) -> World {
    let mut world = World::new();
    for i in 0..count {
        let position = body(i).1;
        if rare::is_of_kind(i) {
            world.add_entity((position, Rare(rare::VALUE)));
        } else {
            world.add_entity((position,));
        }
    }
    world
}

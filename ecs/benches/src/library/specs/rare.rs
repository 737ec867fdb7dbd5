//! A component that one entity in a hundred has.

use specs::{Builder, Component, Entity, HashMapStorage, Join, ReadStorage, World, WorldExt, WriteStorage};

use super::{Position, body};
use crate::harness::Suite;
use crate::math::{digest, total};
use crate::workload::rare;

struct Rare(f32);

/// The storage that specs names for rare components. The others measure about the same.
impl Component for Rare {
    type Storage = HashMapStorage<Self>;
}

pub(super) fn cases(suite: &mut Suite) {
    for (workload, make) in [(&rare::RANDOM, given as fn(u32) -> World), (&rare::KIND, of_kind)] {
        suite.case(
            workload,
            make,
            |world| step(world),
            |world| {
                let (positions, rares): (ReadStorage<'_, Position>, ReadStorage<'_, Rare>) =
                    world.system_data();
                let all = (&positions, &rares).join();
                total(all.map(|(position, rare)| digest(&[&position.0, &[rare.0]])))
            },
        );
    }
    suite.case(
        &rare::SET,
        field,
        |state| {
            give(state);
            let (world, chosen) = state;
            step(world);
            let mut rares = world.write_storage::<Rare>();
            for &id in &*chosen {
                rares.remove(id);
            }
        },
        |(world, _)| {
            let positions = world.read_storage::<Position>();
            total(positions.join().map(|position| digest(&[&position.0])))
        },
    );
}

fn step(world: &World) {
    let (mut positions, rares): (WriteStorage<'_, Position>, ReadStorage<'_, Rare>) = world.system_data();
    (&mut positions, &rares).join().for_each(|(position, rare)| rare::step(&mut position.0, &rare.0));
}

fn empty() -> World {
    let mut world = World::new();
    world.register::<Position>();
    world.register::<Rare>();
    world
}

/// A world, and those who are chosen.
fn field(count: u32) -> (World, Vec<Entity>) {
    let mut world = empty();
    let ids: Vec<Entity> = (0..count).map(|i| world.create_entity().with(body(i).1).build()).collect();
    let chosen = rare::chosen(count).into_iter().map(|i| ids[i as usize]).collect();
    (world, chosen)
}

fn give((world, chosen): &mut (World, Vec<Entity>)) {
    let mut rares = world.write_storage::<Rare>();
    for &id in &*chosen {
        rares.insert(id, Rare(rare::VALUE)).expect("it lives");
    }
}

fn given(count: u32) -> World {
    let mut state = field(count);
    give(&mut state);
    state.0
}

fn of_kind(count: u32) -> World {
    let mut world = empty();
    for i in 0..count {
        let builder = world.create_entity().with(body(i).1);
        if rare::is_of_kind(i) {
            builder.with(Rare(rare::VALUE)).build();
        } else {
            builder.build();
        }
    }
    world
}

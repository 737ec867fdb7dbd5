//! A component that one entity in a hundred has.

use hecs::{Entity, World};

use super::{Position, body};
use crate::harness::Suite;
use crate::math::{digest, total};
use crate::workload::rare;

struct Rare(f32);

pub(super) fn cases(suite: &mut Suite) {
    for (workload, make) in
        [(&rare::RANDOM, given as fn(u32) -> _), (&rare::REGROUPED, given), (&rare::KIND, of_kind)]
    {
        suite.case(workload, make, step, |world| {
            let all = world.query_mut::<(&Position, &Rare)>().into_iter();
            total(all.map(|(position, rare)| digest(&[&position.0, &[rare.0]])))
        });
    }
    suite.case(
        &rare::SET,
        field,
        |state| {
            give(state);
            let (world, chosen) = state;
            step(world);
            for &id in &*chosen {
                world.remove_one::<Rare>(id).expect("it has one");
            }
        },
        |(world, _)| total(world.query_mut::<&Position>().into_iter().map(|position| digest(&[&position.0]))),
    );
}

fn step(world: &mut World) {
    world
        .query_mut::<(&mut Position, &Rare)>()
        .into_iter()
        .for_each(|(position, rare)| rare::step(&mut position.0, &rare.0));
}

/// A world, and those who are chosen.
fn field(count: u32) -> (World, Vec<Entity>) {
    let mut world = World::new();
    let ids: Vec<Entity> = world.spawn_batch((0..count).map(|i| (body(i).1,))).collect();
    let chosen = rare::chosen(count).into_iter().map(|i| ids[i as usize]).collect();
    (world, chosen)
}

fn give((world, chosen): &mut (World, Vec<Entity>)) {
    for &id in &*chosen {
        world.insert_one(id, Rare(rare::VALUE)).expect("it lives");
    }
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
            world.spawn((position, Rare(rare::VALUE)));
        } else {
            world.spawn((position,));
        }
    }
    world
}

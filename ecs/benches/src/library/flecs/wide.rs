//! Worlds with many components. Those in use are types. The others are made at run time, without a
//! type and without data, each with an archetype of one entity: as types they would take the
//! compiler a minute.

use flecs_ecs::prelude::*;

use super::{Queried, empty, queried};
use crate::harness::Suite;
use crate::math::digest;
use crate::workload::wide;

#[derive(Component)]
struct First(f32);
#[derive(Component)]
struct Second(f32);
#[derive(Component)]
struct Third(#[allow(dead_code, reason = "only stored")] f32);
#[derive(Component)]
struct Fourth(#[allow(dead_code, reason = "only stored")] f32);
#[derive(Component)]
struct Fifth(#[allow(dead_code, reason = "only stored")] f32);

fn met<const WIDTH: usize>() -> World {
    let world = empty();
    world.entity().set(First(wide::ALONE));
    world.entity().set(Second(wide::ALONE));
    world.entity().set(Third(wide::ALONE));
    world.entity().set(Fourth(wide::ALONE));
    world.entity().set(Fifth(wide::ALONE));
    for _ in 5..WIDTH {
        world.entity().add(world.component_untyped().id());
    }
    world
}

fn spawn(world: &World, i: u32) -> Entity {
    let [a, b, c, d] = wide::values(i);
    world.entity_bulk(1).set(&[First(a)]).set(&[Second(b)]).set(&[Third(c)]).set(&[Fourth(d)]).build()[0]
}

fn make<const WIDTH: usize>(count: u32) -> (World, Vec<Entity>) {
    let world = met::<WIDTH>();
    let ids = (0..count).map(|i| spawn(&world, i)).collect();
    (world, ids)
}

fn sum(world: &World) -> u64 {
    let mut sum = 0_u64;
    world.each::<(&First, &Second)>(|(first, second)| {
        sum = sum.wrapping_add(digest(&[&[first.0], &[second.0]]));
    });
    sum
}

pub(super) fn cases(suite: &mut Suite) {
    width_cases::<26>(suite, &wide::OF_26);
    width_cases::<128>(suite, &wide::OF_128);
    width_cases::<512>(suite, &wide::OF_512);
}

fn width_cases<const WIDTH: usize>(suite: &mut Suite, width: &wide::Width) {
    suite.case(
        width.spawn,
        |count| (met::<WIDTH>(), count),
        |(world, count)| {
            for i in 0..*count {
                spawn(world, i);
            }
        },
        |state| sum(&state.0),
    );
    suite.case(
        width.iter,
        |count| -> Queried<(&'static mut First, &'static Second)> { queried(make::<WIDTH>(count).0) },
        |(query, _)| query.each(|(first, second)| first.0 += second.0),
        |state| sum(&state.1),
    );
    suite.case(
        width.insert,
        make::<WIDTH>,
        |(world, ids)| {
            for &id in &*ids {
                world.entity_from_id(id).set(Fifth(7.0));
            }
            for &id in &*ids {
                world.entity_from_id(id).remove(Fifth::id());
            }
        },
        |state| sum(&state.0),
    );
    suite.case(
        width.despawn,
        make::<WIDTH>,
        |(world, ids)| {
            for &id in &*ids {
                world.entity_from_id(id).destruct();
            }
        },
        |state| sum(&state.0),
    );
}

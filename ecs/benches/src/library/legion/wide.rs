//! Worlds with many components, and as many archetypes. 512 storages were a fifth of what the
//! compiler makes of this whole program; 26 and 128 show what they cost.

use legion::{Entity, IntoQuery, Read, World, Write};

use super::{Queried, queried};
use crate::harness::Suite;
use crate::math::digest;
use crate::workload::wide;

numbered_parts!();

fn met<const WIDTH: usize>() -> World {
    let mut world = World::default();
    macro_rules! meet {
        ($(($_:ident $__:ident $n:literal))*) => {
            $(if $n < WIDTH {
                world.push((Part::<$n>(wide::ALONE),));
            })*
        };
    }
    each_number!(128 meet);
    world
}

fn make<const WIDTH: usize>(count: u32) -> (World, Vec<Entity>) {
    let mut world = met::<WIDTH>();
    let ids = world.extend((0..count).map(parts)).to_vec();
    (world, ids)
}

fn sum(world: &World) -> u64 {
    let mut all = <(&Part<0>, &Part<1>)>::query();
    all.iter(world).fold(0, |sum, (first, second)| sum.wrapping_add(digest(&[&[first.0], &[second.0]])))
}

pub(super) fn cases(suite: &mut Suite) {
    width_cases::<26>(suite, &wide::OF_26);
    width_cases::<128>(suite, &wide::OF_128);
}

fn width_cases<const WIDTH: usize>(suite: &mut Suite, width: &wide::Width) {
    suite.case(
        width.spawn,
        |count| (met::<WIDTH>(), count),
        |(world, count)| {
            for i in 0..*count {
                world.push(parts(i));
            }
        },
        |state| sum(&state.0),
    );
    suite.case(
        width.iter,
        |count| -> Queried<(Write<Part<0>>, Read<Part<1>>)> { queried(make::<WIDTH>(count).0) },
        |(world, query)| query.for_each_mut(world, |(first, second)| first.0 += second.0),
        |state| sum(&state.0),
    );
    suite.case(
        width.insert,
        make::<WIDTH>,
        |(world, ids)| {
            for &id in &*ids {
                world.entry(id).expect("it lives").add_component(Part::<4>(wide::FIFTH));
            }
            for &id in &*ids {
                world.entry(id).expect("it lives").remove_component::<Part<4>>();
            }
        },
        |state| sum(&state.0),
    );
    suite.case(
        width.despawn,
        make::<WIDTH>,
        |(world, ids)| {
            for &id in &*ids {
                assert!(world.remove(id), "it lives");
            }
        },
        |state| sum(&state.0),
    );
}

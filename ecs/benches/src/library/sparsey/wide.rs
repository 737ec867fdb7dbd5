//! Worlds with many components. The first two are a group.

use sparsey::{Entity, World};

use crate::harness::Suite;
use crate::math::digest;
use crate::workload::wide;

numbered_parts!();

/// A world that knows every part. That none but the first four is held by anybody makes no
/// difference to sparse sets, and spares the compiler 512 bundles.
fn met<const WIDTH: usize>() -> World {
    let mut world = World::builder().add_group::<(Part<0>, Part<1>)>().build();
    macro_rules! meet {
        ($(($_:ident $__:ident $n:literal))*) => {
            $(if $n < WIDTH {
                world.register::<Part<$n>>();
            })*
        };
    }
    each_number!(512 meet);
    world
}

fn make<const WIDTH: usize>(count: u32) -> (World, Vec<Entity>) {
    let mut world = met::<WIDTH>();
    let ids = world.extend((0..count).map(parts)).to_vec();
    (world, ids)
}

fn sum(world: &World) -> u64 {
    let mut all = world.query_all::<(&Part<0>, &Part<1>)>();
    all.iter().fold(0, |sum, (first, second)| sum.wrapping_add(digest(&[&[first.0], &[second.0]])))
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
                world.create(parts(i));
            }
        },
        |state| sum(&state.0),
    );
    suite.case(
        width.iter,
        |count| make::<WIDTH>(count).0,
        |world| world.for_each::<(&mut Part<0>, &Part<1>)>(|(first, second)| first.0 += second.0),
        |world| sum(world),
    );
    suite.case(
        width.insert,
        make::<WIDTH>,
        |(world, ids)| {
            for &id in &*ids {
                assert!(world.insert(id, (Part::<4>(wide::FIFTH),)), "it lives");
            }
            for &id in &*ids {
                world.delete::<(Part<4>,)>(id);
            }
        },
        |state| sum(&state.0),
    );
    suite.case(
        width.despawn,
        make::<WIDTH>,
        |(world, ids)| {
            for &id in &*ids {
                assert!(world.destroy(id), "it lives");
            }
        },
        |state| sum(&state.0),
    );
}

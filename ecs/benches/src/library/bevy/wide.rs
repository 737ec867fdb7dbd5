//! Worlds of many components.

use bevy_ecs::prelude::*;

use super::Queried;
use crate::harness::Suite;
use crate::math::{digest, total};
use crate::workload::wide::{self, Width};

numbered_parts!(Component);

macro_rules! met {
    ($name:ident $(($_:ident $__:ident $n:literal))*) => {
        /// A world that knows every part. That none but the first four is held by anybody makes no
        /// difference here, and spares the compiler 666 bundles.
        fn $name() -> World {
            let mut world = World::new();
            $(world.register_component::<Part<$n>>();)*
            world
        }
    };
}

each_number!(26 met met_26);
each_number!(128 met met_128);
each_number!(512 met met_512);

pub(super) fn cases(suite: &mut Suite) {
    width(suite, &wide::OF_26, |count| (met_26(), count), |count| filled(met_26(), count));
    width(suite, &wide::OF_128, |count| (met_128(), count), |count| filled(met_128(), count));
    width(suite, &wide::OF_512, |count| (met_512(), count), |count| filled(met_512(), count));
}

type Filled = (Queried<(&'static mut Part<0>, &'static Part<1>)>, Vec<Entity>);

fn filled(mut world: World, count: u32) -> Filled {
    let ids = world.spawn_batch((0..count).map(parts)).collect();
    (Queried::new(world), ids)
}

fn width(suite: &mut Suite, width: &Width, empty: fn(u32) -> (World, u32), filled: fn(u32) -> Filled) {
    suite.case(
        width.spawn,
        empty,
        |(world, count)| {
            for i in 0..*count {
                world.spawn(parts(i));
            }
        },
        |state| checksum(&mut state.0),
    );
    suite.case(
        width.iter,
        filled,
        |(Queried(world, query), _)| {
            query.iter_mut(world).for_each(|(mut first, second)| first.0 += second.0)
        },
        |state| checksum(&mut state.0.0),
    );
    suite.case(
        width.insert,
        filled,
        |(Queried(world, _), ids)| {
            world.insert_batch(ids.iter().map(|&id| (id, Part::<4>(wide::FIFTH))));
            for &id in &*ids {
                world.entity_mut(id).remove::<Part<4>>();
            }
            world.clear_trackers();
        },
        |state| checksum(&mut state.0.0),
    );
    suite.case(
        width.despawn,
        filled,
        |(Queried(world, _), ids)| {
            for &id in &*ids {
                assert!(world.despawn(id), "it lives");
            }
        },
        |state| checksum(&mut state.0.0),
    );
}

fn checksum(world: &mut World) -> u64 {
    let mut all = world.query::<(&Part<0>, &Part<1>)>();
    total(all.iter(world).map(|(first, second)| digest(&[&[first.0], &[second.0]])))
}

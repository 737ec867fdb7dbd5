//! Worlds of many components.

use hecs::{Entity, EntityBuilder, World};

use crate::harness::Suite;
use crate::math::{digest, total};
use crate::workload::wide::{self, Width};

numbered_parts!();

macro_rules! met {
    ($name:ident $(($_:ident $__:ident $n:literal))*) => {
        /// A world in which each part is held by one entity. Through a builder, since each bundle
        /// is compiled for itself.
        fn $name() -> World {
            let (mut world, mut builder) = (World::new(), EntityBuilder::new());
            $(world.spawn(builder.add(Part::<$n>(wide::ALONE)).build());)*
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

type Filled = (World, Vec<Entity>);

fn filled(mut world: World, count: u32) -> Filled {
    let ids = world.spawn_batch((0..count).map(parts)).collect();
    (world, ids)
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
        |(world, _)| {
            world
                .query_mut::<(&mut Part<0>, &Part<1>)>()
                .into_iter()
                .for_each(|(first, second)| first.0 += second.0);
        },
        |state| checksum(&mut state.0),
    );
    suite.case(
        width.insert,
        filled,
        |(world, ids)| {
            for &id in &*ids {
                world.insert_one(id, Part::<4>(wide::FIFTH)).expect("it lives");
            }
            for &id in &*ids {
                world.remove_one::<Part<4>>(id).expect("it has one");
            }
        },
        |state| checksum(&mut state.0),
    );
    suite.case(
        width.despawn,
        filled,
        |(world, ids)| {
            for &id in &*ids {
                world.despawn(id).expect("it lives");
            }
        },
        |state| checksum(&mut state.0),
    );
}

fn checksum(world: &mut World) -> u64 {
    let all = world.query_mut::<(&Part<0>, &Part<1>)>().into_iter();
    total(all.map(|(first, second)| digest(&[&[first.0], &[second.0]])))
}

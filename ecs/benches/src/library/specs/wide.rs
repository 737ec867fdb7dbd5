//! Worlds of many components. 512 storages would take the compiler minutes; 26 and 128 show what
//! they cost.

use specs::{
    Builder, Component, Entities, Entity, Join, ReadStorage, VecStorage, World, WorldExt, WriteStorage,
};

use crate::harness::Suite;
use crate::math::{digest, total};
use crate::workload::wide::{self, Width};

numbered_parts!();

impl<const N: usize> Component for Part<N> {
    type Storage = VecStorage<Self>;
}

macro_rules! met {
    ($name:ident $(($_:ident $__:ident $n:literal))*) => {
        /// A world in which each part is held by one entity.
        fn $name() -> World {
            let mut world = World::new();
            $(
                world.register::<Part<$n>>();
                world.create_entity().with(Part::<$n>(wide::ALONE)).build();
            )*
            world
        }
    };
}

each_number!(26 met met_26);
each_number!(128 met met_128);

pub(super) fn cases(suite: &mut Suite) {
    width(suite, &wide::OF_26, |count| (met_26(), count), |count| filled(met_26(), count));
    width(suite, &wide::OF_128, |count| (met_128(), count), |count| filled(met_128(), count));
}

type Filled = (World, Vec<Entity>);

fn filled(mut world: World, count: u32) -> Filled {
    let mut ids = Vec::new();
    spawn(world.system_data(), count, |id| ids.push(id));
    world.maintain();
    (world, ids)
}

fn width(suite: &mut Suite, width: &Width, empty: fn(u32) -> (World, u32), filled: fn(u32) -> Filled) {
    suite.case(
        width.spawn,
        empty,
        |(world, count)| {
            spawn(world.system_data(), *count, |_| ());
            world.maintain();
        },
        |state| checksum(&mut state.0),
    );
    suite.case(
        width.iter,
        filled,
        |(world, _)| {
            let (mut firsts, seconds): (WriteStorage<'_, Part<0>>, ReadStorage<'_, Part<1>>) =
                world.system_data();
            (&mut firsts, &seconds).join().for_each(|(first, second)| first.0 += second.0);
        },
        |state| checksum(&mut state.0),
    );
    suite.case(
        width.insert,
        filled,
        |(world, ids)| {
            let mut fifths = world.write_storage::<Part<4>>();
            for &id in &*ids {
                fifths.insert(id, Part(wide::FIFTH)).expect("it lives");
            }
            for &id in &*ids {
                fifths.remove(id);
            }
        },
        |state| checksum(&mut state.0),
    );
    suite.case(
        width.despawn,
        filled,
        |(world, ids)| world.delete_entities(ids).expect("they live"),
        |state| checksum(&mut state.0),
    );
}

/// The storages that an insertion writes, borrowed once.
type Storages<'v> = (
    Entities<'v>,
    WriteStorage<'v, Part<0>>,
    WriteStorage<'v, Part<1>>,
    WriteStorage<'v, Part<2>>,
    WriteStorage<'v, Part<3>>,
);

fn spawn(
    (entities, mut firsts, mut seconds, mut thirds, mut fourths): Storages<'_>,
    count: u32,
    mut spawned: impl FnMut(Entity),
) {
    for i in 0..count {
        let (first, second, third, fourth) = parts(i);
        spawned(
            entities
                .build_entity()
                .with(first, &mut firsts)
                .with(second, &mut seconds)
                .with(third, &mut thirds)
                .with(fourth, &mut fourths)
                .build(),
        );
    }
}

fn checksum(world: &mut World) -> u64 {
    let (firsts, seconds): (ReadStorage<'_, Part<0>>, ReadStorage<'_, Part<1>>) = world.system_data();
    total((&firsts, &seconds).join().map(|(first, second)| digest(&[&[first.0], &[second.0]])))
}

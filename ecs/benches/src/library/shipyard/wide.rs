//! Worlds of many components. 512 storages would take the compiler minutes; 26 and 128 show what
//! they cost.

use shipyard::{
    AllStoragesViewMut, Component, EntitiesView, EntitiesViewMut, EntityId, IntoIter, Remove, View, ViewMut,
    World,
};

use crate::harness::Suite;
use crate::math::{digest, total};
use crate::workload::wide::{self, Width};

numbered_parts!(Component);

macro_rules! met {
    ($name:ident $(($_:ident $__:ident $n:literal))*) => {
        /// A world in which each part is held by one entity.
        fn $name() -> World {
            let mut world = World::new();
            $(world.add_entity(Part::<$n>(wide::ALONE));)*
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

type Filled = (World, Vec<EntityId>);

fn filled(mut world: World, count: u32) -> Filled {
    let ids = world.bulk_add_entity((0..count).map(parts)).collect();
    (world, ids)
}

fn width(suite: &mut Suite, width: &Width, empty: fn(u32) -> (World, u32), filled: fn(u32) -> Filled) {
    suite.case(
        width.spawn,
        empty,
        |(world, count)| world.run_with_data(spawn, *count),
        |state| checksum(&mut state.0),
    );
    suite.case(
        width.iter,
        filled,
        |(world, _)| {
            world.run(|mut firsts: ViewMut<'_, Part<0>>, seconds: View<'_, Part<1>>| {
                (&mut firsts, &seconds).iter().for_each(|(first, second)| first.0 += second.0);
            });
        },
        |state| checksum(&mut state.0),
    );
    suite.case(
        width.insert,
        filled,
        |(world, ids)| {
            world.run(|entities: EntitiesView<'_>, mut fifths: ViewMut<'_, Part<4>>| {
                for &id in &*ids {
                    entities.add_component(id, &mut fifths, Part(wide::FIFTH));
                }
            });
            world.run(|mut fifths: ViewMut<'_, Part<4>>| {
                for &id in &*ids {
                    fifths.remove(id);
                }
            });
        },
        |state| checksum(&mut state.0),
    );
    suite.case(
        width.despawn,
        filled,
        |(world, ids)| {
            world.run(|mut all: AllStoragesViewMut<'_>| {
                for &id in &*ids {
                    assert!(all.delete_entity(id), "it lives");
                }
            });
        },
        |state| checksum(&mut state.0),
    );
}

fn spawn(
    count: u32,
    mut entities: EntitiesViewMut<'_>,
    mut firsts: ViewMut<'_, Part<0>>,
    mut seconds: ViewMut<'_, Part<1>>,
    mut thirds: ViewMut<'_, Part<2>>,
    mut fourths: ViewMut<'_, Part<3>>,
) {
    for i in 0..count {
        entities.add_entity((&mut firsts, &mut seconds, &mut thirds, &mut fourths), parts(i));
    }
}

fn checksum(world: &mut World) -> u64 {
    world.run(|firsts: View<'_, Part<0>>, seconds: View<'_, Part<1>>| {
        total((&firsts, &seconds).iter().map(|(first, second)| digest(&[&[first.0], &[second.0]])))
    })
}

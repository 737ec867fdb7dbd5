//! Change detection. Outside of workloads, changes count since the last explicit clear.

use shipyard::{Component, EntityId, Get, IntoIter, ViewMut, World};

use super::body;
use crate::harness::Suite;
use crate::math::total;
use crate::workload::changed;

#[derive(Component)]
#[track(Modification)]
struct Place([f32; 3]);

fn look(all: ViewMut<'_, Place>) -> u64 {
    let sum = total(all.modified().iter().map(|place| changed::term(&place.0)));
    all.clear_all_modified();
    sum
}

struct Tracked {
    world: World,
    chosen: Vec<EntityId>,
    sum: u64,
}

pub(super) fn cases(suite: &mut Suite) {
    for (workload, share) in changed::SHARES {
        suite.prepared_case(
            workload,
            move |count| {
                let mut world = World::new();
                let ids: Vec<EntityId> =
                    world.bulk_add_entity((0..count).map(|i| Place(body(i).1.0))).collect();
                let chosen = changed::chosen(count, share).into_iter().map(|i| ids[i as usize]).collect();
                Tracked { world, chosen, sum: 0 }
            },
            |Tracked { world, chosen, .. }| {
                world.run(|mut all: ViewMut<'_, Place>| {
                    for &id in &*chosen {
                        let mut place = (&mut all).get(id).expect("it lives");
                        changed::change(&mut place.0);
                    }
                });
            },
            |Tracked { world, sum, .. }| {
                *sum = sum.wrapping_add(world.run(look));
            },
            |tracked| tracked.sum,
        );
    }
}

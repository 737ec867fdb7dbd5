//! Change detection.

use ecs::prelude::*;
use ecs::schedule::Parallelism;

use super::body;
use crate::harness::Suite;
use crate::math::total;
use crate::workload::changed;

#[derive(Component)]
#[component(tracked)]
struct Place([f32; 3]);

#[derive(Resource, Default)]
struct Sum(u64);

world! {
    struct Tracked {
        components { Place }
        resources { Sum = Sum::default() }
    }
    schedule tick { look }
}

#[system(Tracked)]
fn look(all: Query<'_, &Place, Changed<Place>>, mut sum: ResMut<'_, Sum>) {
    sum.0 = sum.0.wrapping_add(total(all.iter().map(|place| changed::term(&place.0))));
}

pub(super) fn cases(suite: &mut Suite) {
    for (workload, share) in changed::SHARES {
        suite.prepared_case(
            workload,
            move |count| {
                let mut game = Tracked::new();
                game.set_parallelism(Parallelism::Never);
                let ids: Vec<Entity> = game.spawn_batch((0..count).map(|i| Place(body(i).1.0))).collect();
                let chosen: Vec<Entity> =
                    changed::chosen(count, share).into_iter().map(|i| ids[i as usize]).collect();
                game.tick(); // who was spawned is new to it
                game.resource_mut::<Sum>().0 = 0;
                (game, chosen)
            },
            |(game, chosen)| {
                for &id in &*chosen {
                    changed::change(&mut game.get_tracked::<Place>(id).expect("it lives").0);
                }
            },
            |(game, _)| game.tick(),
            |(game, _)| game.resource::<Sum>().0,
        );
    }
}

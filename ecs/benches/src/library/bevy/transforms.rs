//! Trees of transforms, with the components and systems of `bevy_transform`, in the order of its
//! plugin. Its systems use all threads.

use bevy_ecs::prelude::*;
use bevy_transform::prelude::*;
use bevy_transform::systems::{
    StaticTransformOptimizations, mark_dirty_trees, propagate_parent_transforms, sync_simple_transforms,
};

use super::{systems, threaded};
use crate::harness::Suite;
use crate::workload::transforms;

pub(super) fn cases(suite: &mut Suite) {
    for (workload, share) in transforms::SHARES {
        suite.prepared_case(
            workload,
            move |count| {
                let (mut world, mut schedule) = (threaded(World::new()), systems::schedule(false));
                world.init_resource::<StaticTransformOptimizations>();
                schedule.add_systems(
                    (mark_dirty_trees, propagate_parent_transforms, sync_simple_transforms).chain(),
                );
                let mut roots = transforms::plant(count, |local, parent| {
                    let transforms::Local { translation, rotation, scale } = local;
                    let body = Transform { translation, rotation, scale };
                    match parent {
                        Some(parent) => world.spawn((body, ChildOf(parent))).id(),
                        None => world.spawn(body).id(),
                    }
                });
                roots = roots.into_iter().step_by(share).collect();
                (world, schedule, roots)
            },
            |(world, _, roots)| {
                for &root in &*roots {
                    transforms::step(&mut world.get_mut::<Transform>(root).expect("it lives").translation);
                }
            },
            |(world, schedule, _)| schedule.run(world),
            |(world, ..)| {
                let mut places = world.query::<&GlobalTransform>();
                places.iter(world).fold(0, |sum, place| sum.wrapping_add(transforms::term(&place.affine())))
            },
        );
    }
}

//! Trees of transforms.

use ecs::ChildOf;
use ecs::prelude::*;
use ecs::relation::{Propagate, propagate};
use ecs::schedule::Parallelism;
use glam::Affine3A;

use crate::harness::Suite;
use crate::workload::transforms;

#[derive(Component)]
struct Local(transforms::Local);
#[derive(Component, Clone)]
struct Place(Affine3A);

impl Propagate for Local {
    type Combined = Place;

    #[inline]
    fn combine(&self, above: Option<&Place>) -> Place {
        let own = self.0.affine();
        Place(above.map_or(own, |above| above.0 * own))
    }
}

world! {
    struct Scene { components { Local, Place, ChildOf } }
    schedule update { propagate::<Local, ChildOf> }
}

pub(super) fn cases(suite: &mut Suite) {
    for (workload, share) in transforms::SHARES {
        suite.prepared_case(
            workload,
            move |count| {
                let mut scene = Scene::new();
                scene.set_parallelism(Parallelism::Never);
                let mut roots = transforms::plant(count, |local, parent| {
                    let body = (Local(local), Place(Affine3A::IDENTITY));
                    match parent {
                        Some(parent) => scene.spawn((body, ChildOf(parent))),
                        None => scene.spawn(body),
                    }
                });
                roots = roots.into_iter().step_by(share).collect();
                (scene, roots)
            },
            |(scene, roots)| {
                for &root in &*roots {
                    transforms::step(&mut scene.get_mut::<Local>(root).expect("it lives").0.translation);
                }
            },
            |(scene, _)| scene.update(),
            |(scene, _)| {
                scene
                    .query::<&Place>()
                    .iter()
                    .fold(0, |sum, place| sum.wrapping_add(transforms::term(&place.0)))
            },
        );
    }
}

//! Trees of transforms. Where few of them move, changes are tracked, and `propagate_changed`
//! computes the trees that moved.

use ecs::ChildOf;
use ecs::prelude::*;
use ecs::relation::{Propagate, propagate, propagate_changed};
use ecs::schedule::Parallelism;
use glam::Affine3A;

use crate::harness::Suite;
use crate::workload::{Workload, transforms};

#[derive(Component, Clone)]
struct Place(Affine3A);

/// A module with the transforms of a world, the system that computes their places, and the case.
macro_rules! scene {
    ($module:ident, $system:ident, $get_mut:ident $(, #[$option:meta])?) => {
        mod $module {
            use super::*;

            #[derive(Component, Clone)]
            $(#[$option])?
            struct Local(transforms::Local);

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
                schedule update { $system::<Local, ChildOf> }
            }

            /// The trees, of whose roots one after `share - 1` others moves before each run.
            pub(super) fn case(suite: &mut Suite, workload: &'static Workload, share: usize) {
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
                            transforms::step(&mut scene.$get_mut::<Local>(root).expect("it lives").0.translation);
                        }
                    },
                    |(scene, _)| scene.update(),
                    |(scene, _)| {
                        let places = scene.query::<&Place>();
                        places.iter().fold(0, |sum, place| sum.wrapping_add(transforms::term(&place.0)))
                    },
                );
            }
        }
    };
}

scene!(all, propagate, get_mut);
scene!(few, propagate_changed, get_tracked, #[component(tracked, removed)]);

pub(super) fn cases(suite: &mut Suite) {
    let [(all_moved, all_share), (few_moved, few_share)] = transforms::SHARES;
    all::case(suite, all_moved, all_share);
    few::case(suite, few_moved, few_share);
}

//! Trees of transforms: parents stand before their children.

use glam::Affine3A;

use crate::harness::Suite;
use crate::workload::transforms::{self, Local};

#[derive(Default)]
struct Scene {
    locals: Vec<Local>,
    parents: Vec<Option<u32>>,
    places: Vec<Affine3A>,
    moved: Vec<u32>,
}

#[inline(never)]
fn update(scene: &mut Scene) {
    for (i, (local, parent)) in scene.locals.iter().zip(&scene.parents).enumerate() {
        let own = local.affine();
        scene.places[i] = parent.map_or(own, |parent| scene.places[parent as usize] * own);
    }
}

pub(super) fn cases(suite: &mut Suite) {
    for (workload, share) in transforms::SHARES {
        suite.prepared_case(
            workload,
            move |count| {
                let mut scene = Scene::default();
                let roots = transforms::plant(count, |local, parent| {
                    scene.locals.push(local);
                    scene.parents.push(parent);
                    scene.places.push(Affine3A::IDENTITY);
                    scene.locals.len() as u32 - 1
                });
                scene.moved = roots.into_iter().step_by(share).collect();
                scene
            },
            |scene| {
                for &root in &scene.moved {
                    transforms::step(&mut scene.locals[root as usize].translation);
                }
            },
            update,
            |scene| scene.places.iter().fold(0, |sum, place| sum.wrapping_add(transforms::term(place))),
        );
    }
}

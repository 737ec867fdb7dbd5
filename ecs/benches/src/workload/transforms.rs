//! Trees of transforms: the place of an entity in the world follows from its own transform and that
//! of its parent. 90 roots have 10 children each, who have 10 and these 10 again: 99,990 entities,
//! four deep.
//!
//! Roots move, and then a run updates the places of all that depend on them; only that is timed.
//! The figures are per entity of all trees. bevy passes over trees in which nothing has changed, by
//! default. The arrays have the index of the parent and their entities in the order of the trees,
//! parents before children, and always compute all.

use glam::{Affine3A, Quat, Vec3};

use super::{Measure, PLAIN, Workload};

/// Children of an entity that is not at the bottom, and how deep a tree is.
const CHILDREN: u32 = 10;
const DEPTH: u32 = 4;
/// Entities of a tree.
const TREE: u32 = 1_111;

pub(crate) const ALL_MOVED: Workload = Workload {
    name: "transforms_all",
    what: "90 trees of transforms, four deep, after all roots have moved",
    counts: &[90 * TREE],
    visits: 20 * 90 * TREE,
    measure: Measure::TimeOfPrepared,
    ..PLAIN
};

pub(crate) const FEW_MOVED: Workload = Workload {
    name: "transforms_few",
    what: "the same trees, after one root of 90 has moved: time for each entity of all trees",
    ..ALL_MOVED
};

/// Each workload, and the number of roots that do not move before one that does.
pub(crate) const SHARES: [(&Workload, usize); 2] = [(&ALL_MOVED, 1), (&FEW_MOVED, 90)];

/// The place, the rotation and the size of an entity relative to its parent.
#[derive(Clone, Copy)]
pub(crate) struct Local {
    pub(crate) translation: Vec3,
    pub(crate) rotation: Quat,
    pub(crate) scale: Vec3,
}

impl Local {
    #[inline(always)]
    pub(crate) fn affine(&self) -> Affine3A {
        Affine3A::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }
}

/// Moves a root.
#[inline(always)]
pub(crate) fn step(translation: &mut Vec3) {
    translation.x += 1.0;
}

/// The transform of the `i`-th entity.
fn local(i: u32) -> Local {
    let number = (i % 16) as f32;
    Local {
        translation: Vec3::new(number, 1.0, 2.0),
        rotation: Quat::from_rotation_z(number * 0.125),
        scale: Vec3::splat(1.0),
    }
}

/// The contribution of an entity to the sum.
pub(crate) fn term(place: &Affine3A) -> u64 {
    u64::from(place.translation.x.to_bits()).wrapping_add(u64::from(place.translation.y.to_bits()))
}

/// Makes all trees, parents before children: `spawn` is called with the transform of an entity and
/// its parent, and gives it. The roots.
pub(crate) fn plant<E: Copy>(count: u32, mut spawn: impl FnMut(Local, Option<E>) -> E) -> Vec<E> {
    let mut born = 0;
    let mut spawn = |parent| {
        born += 1;
        spawn(local(born), parent)
    };
    let tree = |_| {
        let root = spawn(None);
        let mut level = vec![root];
        for _ in 1..DEPTH {
            let children = level.iter().flat_map(|&parent| [parent; CHILDREN as usize]);
            level = children.map(|parent| spawn(Some(parent))).collect();
        }
        root
    };
    (0..count / TREE).map(tree).collect()
}

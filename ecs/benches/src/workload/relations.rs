//! Families: 1,000 roots with 100 children each, who have 9 children each, by the relation that the
//! library has for it.
//!
//! One workload despawns all roots with their whole trees; the others sum the children's values in
//! each parent, and read the parent's value for each child. The figures are per entity. The arrays are not here: what despawning means for them
//! has no counterpart of a cascade.

use super::{Measure, PLAIN, Workload};

/// Children of a root, and children of such a child.
pub(crate) const FAMILY: [u32; 2] = [100, 9];

/// Entities of a root's tree.
pub(crate) const TREE: u32 = 1 + FAMILY[0] * (1 + FAMILY[1]);

pub(crate) const DESPAWN: Workload = Workload {
    name: "hierarchy_despawn",
    what: "1,000 roots of 100 children with 9 children each are despawned, and all die with them",
    counts: &[1_000 * TREE],
    visits: 1_000 * TREE,
    measure: Measure::TimeOfFresh,
    ..PLAIN
};

pub(crate) const SUM: Workload = Workload {
    name: "hierarchy_sum",
    what: "each parent in these trees sums a number of its children",
    visits: 4_000 * TREE,
    measure: Measure::Time,
    ..DESPAWN
};

pub(crate) const PARENT: Workload = Workload {
    name: "hierarchy_parent",
    what: "each child in these trees adds the number of its parent to a sum",
    ..SUM
};

/// The number of the `i`-th entity.
pub(crate) const fn number(i: u32) -> u32 {
    i % 1_000
}

/// Makes all trees: `spawn` is called with the number of an entity and its parent, and gives it.
/// The roots.
pub(crate) fn plant<E: Copy>(count: u32, mut spawn: impl FnMut(u32, Option<E>) -> E) -> Vec<E> {
    let mut next = 0;
    let mut born = |parent| {
        next += 1;
        spawn(number(next), parent)
    };
    let tree = |_| {
        let root = born(None);
        for _ in 0..FAMILY[0] {
            let child = born(Some(root));
            for _ in 0..FAMILY[1] {
                born(Some(child));
            }
        }
        root
    };
    (0..count / TREE).map(tree).collect()
}

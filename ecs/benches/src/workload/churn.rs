//! Four kinds: all have a position and a velocity, and entity number `n` has `A` and `B` where the
//! bits of `n % 4` say so, `A` for the lower. In each of 200 steps, one in a hundred of the
//! entities, chosen at random, is despawned, and as many are spawned.

use super::{Measure, PLAIN, Workload};

/// The number of steps.
const STEPS: u32 = 200;

pub(crate) const STEP: Workload = Workload {
    name: "churn",
    what: "200 steps, in each of which 1 % of the entities is despawned and spawned: time for each such pair",
    counts: &[100_000],
    visited: pairs,
    visits: 1,
    measure: Measure::TimeOfFresh,
    ..PLAIN
};

pub(crate) const BEFORE: Workload = Workload {
    name: "churn_before",
    what: "position += velocity before the churn",
    counts: &[100_000],
    visits: 1_000_000,
    ..PLAIN
};

pub(crate) const AFTER: Workload =
    Workload { name: "churn_after", what: "position += velocity after the churn", ..BEFORE };

const fn pairs(count: u32) -> u32 {
    count / 100 * STEPS
}

/// The 200 steps. `ids` are those of the entities `0..ids.len()`; `spawn` is given the number of
/// the new one.
#[inline]
pub(crate) fn churn<W, I>(
    world: &mut W,
    ids: &mut Vec<I>,
    mut despawn: impl FnMut(&mut W, I),
    mut spawn: impl FnMut(&mut W, u32) -> I,
) {
    let mut number = ids.len() as u32;
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    for _ in 0..STEPS {
        let some = ids.len() / 100;
        for _ in 0..some {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let hit = (state % ids.len() as u64) as usize;
            despawn(world, ids.swap_remove(hit));
        }
        for _ in 0..some {
            ids.push(spawn(world, number));
            number += 1;
        }
    }
}

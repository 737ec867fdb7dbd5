//! Worlds of many components. Arrays that no loop reads cost nothing, so that the figures of all
//! widths are equal.

use std::hint::black_box;

use super::Column;
use crate::harness::Suite;
use crate::math::{digest, total};
use crate::workload::wide;

pub(super) fn cases(suite: &mut Suite) {
    for width in [&wide::OF_26, &wide::OF_128, &wide::OF_512] {
        suite.case(
            width.spawn,
            |count| (Parts::default(), count),
            |(parts, count)| (0..*count).for_each(|i| parts.push(i)),
            |state| state.0.checksum(),
        );
        suite.case(width.iter, filled, Parts::sum, |parts| parts.checksum());
        suite.case(
            width.insert,
            |count| (filled(count), Column::new(count)),
            |(_, fifth)| {
                fifth.add(wide::FIFTH);
                // what was added must be there, not only be known to go again
                black_box(&mut *fifth);
                fifth.remove();
            },
            |state| state.0.checksum(),
        );
        suite.case(
            width.despawn,
            |count| (filled(count), (0..count).collect::<Vec<_>>()),
            |(parts, ids)| ids.iter().for_each(|&id| parts.despawn(id)),
            |state| state.0.checksum(),
        );
    }
}

/// The first four.
#[derive(Default)]
struct Parts {
    values: [Vec<f32>; 4],
    /// One bit for each index that is gone.
    dead: Vec<u64>,
    /// The indices that are gone, for the next entities.
    free: Vec<u32>,
}

impl Parts {
    fn push(&mut self, i: u32) {
        for (values, value) in self.values.iter_mut().zip(wide::values(i)) {
            values.push(value);
        }
    }

    fn despawn(&mut self, index: u32) {
        self.dead[index as usize / 64] |= 1 << (index % 64);
        self.free.push(index);
    }

    fn sum(&mut self) {
        let [first, second, ..] = &mut self.values;
        first.iter_mut().zip(second).for_each(|(first, second)| *first += *second);
    }

    fn checksum(&self) -> u64 {
        let alive = |&i: &usize| self.dead.get(i / 64).is_none_or(|word| word >> (i % 64) & 1 == 0);
        let [first, second, ..] = &self.values;
        total((0..first.len()).filter(alive).map(|i| digest(&[&[first[i]], &[second[i]]])))
    }
}

fn filled(count: u32) -> Parts {
    let values = [0, 1, 2, 3].map(|part: usize| (0..count).map(|i| wide::values(i)[part]).collect());
    Parts { values, dead: vec![0; count.div_ceil(64) as usize], free: Vec::new() }
}

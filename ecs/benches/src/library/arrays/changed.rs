//! A bit for each entity that changed, and one for each 64 of these bits.

use super::{Position, body};
use crate::harness::Suite;
use crate::workload::changed;

struct Places {
    all: Vec<Position>,
    changed: Vec<u64>,
    words: Vec<u64>,
    chosen: Vec<u32>,
    sum: u64,
}

/// The bits of a word that are set, which it has no more.
fn take(word: &mut u64) -> impl Iterator<Item = usize> {
    let mut rest = std::mem::take(word);
    std::iter::from_fn(move || {
        let bit = (rest != 0).then_some(rest.trailing_zeros() as usize);
        rest &= rest.wrapping_sub(1);
        bit
    })
}

impl Places {
    fn change(&mut self) {
        for &id in &self.chosen {
            let id = id as usize;
            changed::change(&mut self.all[id].0);
            self.changed[id / 64] |= 1 << (id % 64);
            self.words[id / 4_096] |= 1 << (id / 64 % 64);
        }
    }

    fn look(&mut self) {
        for (at, words) in self.words.iter_mut().enumerate() {
            for word in take(words).map(|bit| at * 64 + bit) {
                let entities = take(&mut self.changed[word]).map(|bit| word * 64 + bit);
                self.sum =
                    entities.fold(self.sum, |sum, id| sum.wrapping_add(changed::term(&self.all[id].0)));
            }
        }
    }
}

pub(super) fn cases(suite: &mut Suite) {
    for (workload, share) in changed::SHARES {
        suite.prepared_case(
            workload,
            move |count| Places {
                all: (0..count).map(|i| body(i).1).collect(),
                changed: vec![0; count.div_ceil(64) as usize],
                words: vec![0; count.div_ceil(4_096) as usize],
                chosen: changed::chosen(count, share),
                sum: 0,
            },
            Places::change,
            Places::look,
            |places| places.sum,
        );
    }
}

//! Gives back the memory of stamps of slots without values.

use super::{PAGE, RUN, Stamps, recent};

impl Stamps {
    /// Frees the pages of stamps of which no slot has a value, the parts of the lists behind the
    /// last other page, and the copies that no snapshot shares. `masks` are the bits of the
    /// column's slots.
    ///
    /// A slot without stamps counts as never changed. A slot without a value is never asked, and
    /// gets new stamps with its next value.
    pub(in crate::storage) fn shrink(&mut self, masks: &[u64]) {
        for (page, stamps) in self.pages.iter_mut().enumerate() {
            let words = masks.iter().skip(page * PAGE).take(PAGE);
            if stamps.is_some() && words.copied().all(|mask| mask == 0) {
                *stamps = None;
                *self.touched[page].get_mut() = true; // it does not agree with a snapshot that has the stamps
            }
        }
        drop(self.copies.release());
        let end = self.pages.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        self.pages.truncate(end);
        self.touched.truncate(end);
        self.words.truncate(end * PAGE);
        self.recent.truncate(self.words.len().div_ceil(recent::WORDS));
        self.runs.truncate(self.words.len().div_ceil(RUN));
        self.pages.shrink_to_fit();
        self.touched.shrink_to_fit();
        self.words.shrink_to_fit();
        self.recent.shrink_to_fit();
        self.runs.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_of_slots_with_values_stay_and_the_others_are_freed() {
        let mut stamps = Stamps::default();
        stamps.insert_run(0, 100_000, 3);
        stamps.insert(10_000, 7, false);
        let mut masks = alloc::vec![0; 100_000 / 64 + 1];
        masks[10_000 / 64] = 1 << (10_000 % 64);
        stamps.shrink(&masks);
        assert_eq!(stamps.pages.iter().flatten().count(), 1);
        assert_eq!(stamps.words.len(), (10_000 / 64 / PAGE + 1) * PAGE);
        assert_eq!(stamps.changed_since(10_000 / 64, 6), 1 << (10_000 % 64));
        assert_eq!(
            stamps.next_since(0, 6),
            10_000 / 64 / recent::WORDS * recent::WORDS + 10_000 / 64 % recent::WORDS
        );
        // a slot behind the end, and one in a freed page
        stamps.insert(90_000, 9, true);
        stamps.insert(5, 9, true);
        assert_eq!(
            (stamps.changed_since(90_000 / 64, 8), stamps.changed_since(0, 8)),
            (1 << (90_000 % 64), 1 << 5)
        );
        assert_eq!((stamps.added_since(0, 8), stamps.added_since(0, 9)), (1 << 5, 0));
        stamps.shrink(&[]);
        assert!(stamps.pages.is_empty() && stamps.runs.is_empty() && stamps.next_since(0, 0) == 0);
    }

    #[test]
    fn a_snapshot_brings_freed_stamps_back() {
        let mut stamps = Stamps::default();
        stamps.insert_run(0, 10_000, 3);
        let frozen = stamps.capture();
        stamps.agree(&frozen);
        stamps.shrink(&[u64::MAX; PAGE]);
        assert_eq!(stamps.pages.len(), 1);
        stamps.restore(&frozen);
        let changed = |stamps: &Stamps, tick| -> u32 {
            (0..157).map(|word| stamps.changed_since(word, tick).count_ones()).sum()
        };
        assert_eq!((changed(&stamps, 2), changed(&stamps, 3)), (10_000, 0));
    }
}

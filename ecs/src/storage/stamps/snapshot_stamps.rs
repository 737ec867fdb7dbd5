//! The pages of stamps that a column shares with snapshots. A flag says whether stamps of a page
//! may have been changed since it last agreed with its copy.

use core::ops::Range;
use core::sync::atomic::{AtomicU64, Ordering};

use super::{PAGE, RUN, RecentChanges, StampWord, Stamps, WordChanges, recent};

/// A copy of the stamps of a page, and of the last changes in each of its words.
pub(super) struct StampPage {
    words: [StampWord; PAGE],
    changes: [WordChanges; PAGE],
}

impl Stamps {
    /// The stamps for a new snapshot.
    pub(in crate::storage) fn capture(&self) -> Self {
        let copies =
            self.copies.capture(self.pages.len(), |page, _| self.agrees(page), |page| self.copy_of(page));
        Self { copies, ..Self::default() }
    }

    /// The stamps of a snapshot, sharing all pages with these stamps of another snapshot.
    pub(in crate::storage) fn share(&self) -> Self {
        Self { copies: self.copies.clone(), ..Self::default() }
    }

    fn copy_of(&self, page: usize) -> Option<StampPage> {
        let words = self.pages[page].as_deref()?.clone();
        let changes = |i: usize| self.words.get(page * PAGE + i).cloned().unwrap_or_default();
        Some(StampPage { words, changes: core::array::from_fn(changes) })
    }

    /// Whether a page is known to agree still with the copy that it shares.
    fn agrees(&self, page: usize) -> bool {
        self.touched.get(page).is_some_and(|touched| !touched.load(Ordering::Relaxed))
    }

    /// Notes that all pages agree with those of a snapshot.
    pub(in crate::storage) fn agree(&mut self, frozen: &Self) {
        self.copies.clone_from(&frozen.copies);
        for (touched, words) in self.touched.iter_mut().zip(self.words.chunks_mut(PAGE)) {
            if core::mem::take(touched.get_mut()) {
                words.iter_mut().for_each(|changes| *changes.touched.get_mut() = false);
            }
        }
    }

    /// Whether values or stamps of these words may have changed since they last agreed with a
    /// snapshot.
    pub(in crate::storage) fn is_touched(&self, words: Range<usize>) -> bool {
        let pages = words.start / PAGE..words.end.div_ceil(PAGE);
        let touched = self.touched.get(pages.start..pages.end.min(self.touched.len())).unwrap_or_default();
        touched.iter().any(|touched| touched.load(Ordering::Relaxed))
    }

    /// Restores the stamps of a snapshot.
    pub(in crate::storage) fn restore(&mut self, frozen: &Self) {
        for (page, copied) in frozen.copies.iter() {
            if self.copies.shares(&frozen.copies, page) && self.agrees(page) {
                continue;
            }
            self.grow(page * PAGE).clone_from(&copied.words[0]);
            if let Some(words) = &mut self.pages[page] {
                words[1..].clone_from_slice(&copied.words[1..]);
            }
            self.words[page * PAGE..(page + 1) * PAGE].clone_from_slice(&copied.changes);
        }
        // remove the pages that were added since the snapshot
        for (page, words) in self.pages.iter_mut().enumerate() {
            if frozen.copies.get(page).is_none() {
                *words = None;
                self.words[page * PAGE..(page + 1) * PAGE].fill_with(WordChanges::default);
            }
        }
        self.agree(frozen);
        self.raise_runs();
    }

    /// Computes the latest change of each 512 words, and of each 8 words.
    fn raise_runs(&mut self) {
        let latest = |words: &[WordChanges]| words.iter().map(WordChanges::latest).max().unwrap_or(0);
        self.runs = self.words.chunks(RUN).map(|words| AtomicU64::new(latest(words))).collect();
        let words = self.words.chunks(recent::WORDS);
        self.recent = words.map(|words| RecentChanges::unknown(latest(words))).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(stamps: &Stamps, tick: u64) -> usize {
        (0..stamps.words.len()).map(|word| stamps.changed_since(word, tick).count_ones() as usize).sum()
    }

    #[test]
    fn restored_stamps_share_unchanged_pages() {
        let mut stamps = Stamps::default();
        stamps.insert_run(0, 10_000, 3);
        let first = stamps.capture();
        stamps.agree(&first);
        stamps.insert(9_000, 7, false);
        stamps.insert(100_000, 7, true);
        let second = stamps.capture();
        let same = first.copies.iter().filter(|&(page, _)| first.copies.shares(&second.copies, page));
        assert_eq!(same.count(), 10_000_usize.div_ceil(64 * PAGE) - 1);
        stamps.agree(&second);
        stamps.restore(&first);
        assert_eq!((changed(&stamps, 3), changed(&stamps, 2)), (0, 10_000));
        assert!(stamps.next_since(0, 3) >= stamps.words.len());
        stamps.restore(&second);
        assert_eq!((changed(&stamps, 3), changed(&stamps, 2)), (2, 10_001));
    }

    #[test]
    fn the_copy_of_a_snapshot_has_its_stamps() {
        let mut stamps = Stamps::default();
        stamps.insert_run(0, 3000, 3);
        let copy = stamps.capture().share();
        let mut restored = Stamps::default();
        restored.insert_run(0, 5000, 9);
        restored.restore(&copy);
        assert_eq!((changed(&restored, 3), changed(&restored, 2)), (0, 3000));
    }
}

//! The pages of stamps that a column shares with snapshots. A flag says whether stamps of a page may have been changed since it last
//! agreed with its copy.

use alloc::vec::Vec;
use core::ops::Range;
use core::sync::atomic::{AtomicU64, Ordering};

use super::{PAGE, RUN, RecentChanges, StampWord, Stamps, copy, copy_all, recent};

/// A copy of the stamps of a page, and the latest change in each of its words.
pub(super) struct StampPage {
    words: [StampWord; PAGE],
    latest: [AtomicU64; PAGE],
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
        let latest =
            |i: usize| self.latest.get(page * PAGE + i).map_or(0, |latest| latest.load(Ordering::Relaxed));
        let latest = core::array::from_fn(|i| AtomicU64::new(latest(i)));
        Some(StampPage { words, latest })
    }

    /// Whether a page is known to agree still with the copy that it shares.
    fn agrees(&self, page: usize) -> bool {
        self.touched.get(page).is_some_and(|touched| !touched.load(Ordering::Relaxed))
    }

    /// Notes that all pages agree with those of a snapshot.
    pub(in crate::storage) fn agree(&mut self, saved: &Self) {
        self.copies.clone_from(&saved.copies);
        for (touched, page) in self.touched.iter_mut().zip(&mut self.pages) {
            if core::mem::take(touched.get_mut()) {
                page.iter_mut()
                    .for_each(|page| page.iter_mut().for_each(|word| *word.touched.get_mut() = false));
            }
        }
    }

    /// Whether values or stamps of these words may have changed since they last agreed with a snapshot.
    pub(in crate::storage) fn is_touched(&self, words: Range<usize>) -> bool {
        let pages = words.start / PAGE..words.end.div_ceil(PAGE);
        let touched = self.touched.get(pages.start..pages.end.min(self.touched.len())).unwrap_or_default();
        touched.iter().any(|touched| touched.load(Ordering::Relaxed))
    }

    /// Restores the stamps of a snapshot.
    pub(in crate::storage) fn restore(&mut self, saved: &Self) {
        for (page, copied) in saved.copies.iter() {
            if self.copies.shares(&saved.copies, page) && self.agrees(page) {
                continue;
            }
            self.grow(page * PAGE).clone_from(&copied.words[0]);
            if let Some(words) = &mut self.pages[page] {
                words[1..].clone_from_slice(&copied.words[1..]);
            }
            copy_into(&mut self.latest[page * PAGE..(page + 1) * PAGE], &copied.latest);
        }
        // remove the pages that were added since the snapshot
        for (page, words) in self.pages.iter_mut().enumerate() {
            if saved.copies.get(page).is_none() {
                *words = None;
                self.latest[page * PAGE..(page + 1) * PAGE].fill_with(|| AtomicU64::new(0));
            }
        }
        self.agree(saved);
        self.raise_runs();
    }

    /// Computes the latest change of each 512 words, and of each 8 words.
    fn raise_runs(&mut self) {
        let runs: Vec<AtomicU64> = self
            .latest
            .chunks(RUN)
            .map(|words| words.iter().map(|latest| latest.load(Ordering::Relaxed)).max())
            .map(|latest| AtomicU64::new(latest.unwrap_or(0)))
            .collect();
        copy_all(&mut self.runs, &runs);
        let words = self.latest.chunks(recent::WORDS);
        let latest = words.map(|words| words.iter().map(|latest| latest.load(Ordering::Relaxed)).max());
        self.recent = latest.map(|latest| RecentChanges::unknown(latest.unwrap_or(0))).collect();
    }
}

fn copy_into(to: &mut [AtomicU64], from: &[AtomicU64]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to = copy(from));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(stamps: &Stamps, tick: u64) -> usize {
        (0..stamps.latest.len()).map(|word| stamps.changed_since(word, tick).count_ones() as usize).sum()
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
        assert!(stamps.next_since(0, 3) >= stamps.latest.len());
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

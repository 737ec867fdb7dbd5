//! When the values of a tracked component were added and changed.
//!
//! Stamps are ticks: numbers that only grow, from 1 on. They are kept apart from the values, in the column, and only
//! columns of tracked components have them. Above the stamps of the slots lie the latest ones of eight slots, of a
//! word, and of 64 words, so that who asks what has changed passes over what has not.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::base::mask;

mod known;

/// Words that are passed over together.
const RUN: usize = 64;

/// Words whose stamps are allocated together: of few pages, the addresses stay in the cache.
const PAGE: usize = 16;

/// The stamps of a column.
///
/// Change stamps are atomic: systems that are kept apart by their filters change values of one word at the same time.
/// Nothing of it depends on the column's bits: a slot with a value and without stamps was never changed, that is all.
///
/// # Invariants
/// 1. There is one of `runs` for each 64 words that are begun.
/// 2. What lies above a stamp is no smaller than the stamp, for whoever sees the stamp.
/// 3. There is one of `touched` for each of `pages`.
#[derive(Default)]
pub(crate) struct Stamps {
    /// The latest change in 64 words.
    runs: Vec<AtomicU64>,
    /// The latest change in a word.
    latest: Vec<AtomicU64>,
    pages: Vec<Option<Box<[Word; PAGE]>>>,
    /// Whether stamps of a page, or values whose stamps these are, have changed since it last agreed with a snapshot: if
    /// not, none of its words is touched.
    touched: Vec<AtomicBool>,
    /// The copies of pages that snapshots have; of the stamps of a snapshot, all that there is.
    known: known::SnapshotStamps,
}

/// The stamps of 64 slots; 0 where there never was a value.
#[repr(C)]
pub(crate) struct Word {
    /// The latest change in eight slots.
    eighths: [AtomicU64; 8],
    /// Whether its page is touched: beside what is looked at anyway.
    touched: AtomicBool,
    changed: [AtomicU64; 64],
    /// Changes only while the column is borrowed mutably.
    added: [u64; 64],
}

impl Word {
    const fn new() -> Self {
        Self {
            eighths: [const { AtomicU64::new(0) }; 8],
            touched: AtomicBool::new(false),
            changed: [const { AtomicU64::new(0) }; 64],
            added: [0; 64],
        }
    }

    /// When the value was added.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn added(&self, bit: usize) -> u64 {
        self.added[bit]
    }

    /// When the value was changed last.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn changed(&self, bit: usize) -> u64 {
        self.changed[bit].load(Ordering::Relaxed)
    }

    /// The slots whose stamp, as `of` gives it, is later than `tick`; none of them was changed before it was added.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn since(&self, tick: u64, of: impl Fn(usize) -> u64) -> u64 {
        let mut bits = 0;
        for (eighth, latest) in self.eighths.iter().enumerate() {
            if latest.load(Ordering::Relaxed) > tick {
                let mut part = 0;
                for i in 0..8 {
                    part |= u64::from(of(eighth * 8 + i) > tick) << i;
                }
                bits |= part << (eighth * 8);
            }
        }
        bits
    }
}

/// Makes a stamp as late as `tick`, at least.
#[inline]
fn raise(stamp: &AtomicU64, tick: u64) {
    if stamp.load(Ordering::Relaxed) < tick {
        stamp.fetch_max(tick, Ordering::Release);
    }
}

impl Stamps {
    /// The stamps of a word, if it ever had values.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn word(&self, word: usize) -> Option<&Word> {
        Some(&self.pages.get(word / PAGE)?.as_deref()?[word % PAGE])
    }

    /// Notes that the value of a slot, whose word this is, changed at `tick`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn change(&self, of: &Word, slot: usize, tick: u64) {
        // Seen here, the tick of whoever put it there is seen above, too: that is raised before, from the top down.
        if of.eighths[slot % 64 / 8].load(Ordering::Acquire) < tick {
            self.raise(of, slot, tick);
        }
        self.touch(of, slot);
        of.changed[slot % 64].store(tick, Ordering::Relaxed);
    }

    /// Notes that the value of a slot, whose word this is, may change, or its stamps: snapshots ask for it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn touch(&self, of: &Word, slot: usize) {
        if !of.touched.load(Ordering::Relaxed) {
            self.touch_first(of, slot);
        }
    }

    #[inline(never)]
    fn touch_first(&self, of: &Word, slot: usize) {
        of.touched.store(true, Ordering::Relaxed);
        if let Some(touched) = self.touched.get(slot / 64 / PAGE) {
            touched.store(true, Ordering::Relaxed);
        }
    }

    #[inline(never)]
    fn raise(&self, of: &Word, slot: usize, tick: u64) {
        let word = slot / 64;
        if let (Some(run), Some(latest)) = (self.runs.get(word / RUN), self.latest.get(word)) {
            raise(run, tick);
            raise(latest, tick);
        }
        of.eighths[slot % 64 / 8].fetch_max(tick, Ordering::Release);
    }

    /// Notes that the value of a slot was inserted at `tick`; `added` if there was none before.
    #[inline]
    pub(crate) fn insert(&mut self, slot: u32, tick: u64, added: bool) {
        let slot = slot as usize;
        let word = self.grow(slot / 64);
        if added {
            word.added[slot % 64] = tick;
        }
        if let Some(word) = self.word(slot / 64) {
            self.change(word, slot, tick);
        }
    }

    /// Notes that the values of `len` slots from `slot` on were added at `tick`.
    pub(crate) fn insert_run(&mut self, slot: u32, len: usize, tick: u64) {
        let (mut from, end) = (slot as usize, slot as usize + len);
        while from < end {
            let (word, to) = (from / 64, end.min((from / 64 + 1) * 64));
            self.grow(word).added[from % 64..][..to - from].fill(tick);
            if let Some(of) = self.word(word) {
                mask::Bits(mask::range(from % 64, to - word * 64))
                    .for_each(|bit| self.change(of, word * 64 + bit, tick));
            }
            from = to;
        }
    }

    /// The stamps of a word, which are made if there are none.
    #[inline]
    fn grow(&mut self, word: usize) -> &mut Word {
        if word >= self.latest.len() {
            self.latest.resize_with((word / PAGE + 1) * PAGE, || AtomicU64::new(0));
            self.runs.resize_with(word / RUN + 1, || AtomicU64::new(0));
            self.pages.resize_with(word / PAGE + 1, || None);
            self.touched.resize_with(word / PAGE + 1, || AtomicBool::new(true));
        }
        let page = &mut self.pages[word / PAGE];
        &mut page.get_or_insert_with(|| Box::new([const { Word::new() }; PAGE]))[word % PAGE]
    }

    /// The slots of a word whose values changed after `tick`; also slots that have lost theirs since.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn changed_since(&self, word: usize, tick: u64) -> u64 {
        self.touched_since(word, tick).map_or(0, |word| word.since(tick, |bit| word.changed(bit)))
    }

    /// The slots of a word whose values were added after `tick`; also slots that have lost theirs since.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn added_since(&self, word: usize, tick: u64) -> u64 {
        self.touched_since(word, tick).map_or(0, |word| word.since(tick, |bit| word.added(bit)))
    }

    /// A word in which something changed after `tick`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn touched_since(&self, word: usize, tick: u64) -> Option<&Word> {
        if self.latest.get(word)?.load(Ordering::Relaxed) > tick { self.word(word) } else { None }
    }

    /// The first word from `word` on in which something changed after `tick`.
    #[inline]
    pub(crate) fn next_since(&self, mut word: usize, tick: u64) -> usize {
        while let Some(run) = self.runs.get(word / RUN) {
            let end = (word / RUN + 1) * RUN;
            if run.load(Ordering::Relaxed) > tick {
                let rest = &self.latest[word.min(self.latest.len())..end.min(self.latest.len())];
                if let Some(after) = rest.iter().position(|latest| latest.load(Ordering::Relaxed) > tick) {
                    return word + after;
                }
            }
            word = end;
        }
        word
    }
}

#[cfg(feature = "serde")]
impl Stamps {
    /// How many bytes the stamps of these slots take, 64 to a word.
    pub(crate) fn bytes_for(slots: impl ExactSizeIterator<Item = u64>) -> u64 {
        let words = slots.len() as u64;
        let pages = slots.enumerate().filter(|(_, word)| *word != 0).map(|(at, _)| at / PAGE);
        let mut last = None;
        let pages = pages.filter(|&page| last.replace(page) != Some(page)).count();
        words * size_of::<u64>() as u64 + pages as u64 * size_of::<[Word; PAGE]>() as u64
    }

    /// Puts the stamps of a slot down as a file has them.
    pub(crate) fn recall(&mut self, slot: u32, added: u64, changed: u64) {
        self.insert(slot, changed, false);
        self.grow(slot as usize / 64).added[slot as usize % 64] = added;
    }
}

impl Clone for Stamps {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, source: &Self) {
        // every page counts as touched, so that the copies that snapshots have do not matter
        let Self { runs, latest, pages, touched: _, known: _ } = source;
        copy_all(&mut self.runs, runs);
        copy_all(&mut self.latest, latest);
        self.pages.clone_from(pages);
        self.touched.clear();
        self.touched.resize_with(self.pages.len(), || AtomicBool::new(true));
    }
}

impl Clone for Word {
    fn clone(&self) -> Self {
        let Self { eighths, touched: _, changed, added } = self;
        Self {
            eighths: eighths.each_ref().map(copy),
            touched: AtomicBool::new(false),
            changed: changed.each_ref().map(copy),
            added: *added,
        }
    }

    fn clone_from(&mut self, source: &Self) {
        let Self { eighths, touched: _, changed, added } = source;
        self.eighths.iter_mut().zip(eighths).for_each(|(to, from)| *to = copy(from));
        self.changed.iter_mut().zip(changed).for_each(|(to, from)| *to = copy(from));
        self.added = *added;
        *self.touched.get_mut() = false;
    }
}

fn copy_all(to: &mut Vec<AtomicU64>, from: &[AtomicU64]) {
    to.clear();
    to.extend(from.iter().map(copy));
}

fn copy(stamp: &AtomicU64) -> AtomicU64 {
    AtomicU64::new(stamp.load(Ordering::Relaxed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "serde")]
    #[test]
    fn the_memory_of_stamps_is_that_of_their_pages() {
        let (word, page) = (size_of::<u64>() as u64, size_of::<[Word; PAGE]>() as u64);
        let mut slots = [0; 3 * PAGE + 1];
        let words = slots.len() as u64 * word;
        assert_eq!(Stamps::bytes_for(slots.into_iter()), words, "no value, no page");
        slots[PAGE - 1] = 1;
        slots[3 * PAGE] = u64::MAX;
        assert_eq!(Stamps::bytes_for(slots.into_iter()), words + 2 * page);
        slots.fill(1);
        assert_eq!(Stamps::bytes_for(slots.into_iter()), words + 4 * page);
    }

    fn changed(stamps: &Stamps, tick: u64) -> Vec<usize> {
        let (mut found, mut word) = (Vec::new(), 0);
        loop {
            word = stamps.next_since(word, tick);
            if word >= stamps.latest.len() {
                return found;
            }
            found.extend(mask::Bits(stamps.changed_since(word, tick)).map(|bit| word * 64 + bit));
            word += 1;
        }
    }

    #[test]
    fn what_changed_is_found_and_nothing_else() {
        let mut stamps = Stamps::default();
        stamps.insert_run(60, 10_000, 3);
        stamps.insert(20_000, 5, true);
        stamps.insert(70, 6, false);
        assert_eq!(changed(&stamps, 6), [0; 0]);
        assert_eq!(changed(&stamps, 5), [70]);
        assert_eq!(changed(&stamps, 3), [70, 20_000]);
        assert_eq!(changed(&stamps, 2).len(), 10_001);
        assert_eq!((stamps.added_since(1, 3), stamps.added_since(20_000 / 64, 3)), (0, 1 << (20_000 % 64)));
    }

    #[test]
    fn systems_that_run_at_once_change_slots_of_one_word() {
        extern crate std;
        let mut stamps = Stamps::default();
        stamps.insert_run(0, 64, 1);
        for round in 0..500 {
            let (ticks, word) =
                ([round * 4 + 2, round * 4 + 3, round * 4 + 4, round * 4 + 5], stamps.word(0));
            std::thread::scope(|scope| {
                for (first, tick) in ticks.into_iter().enumerate() {
                    let stamps = &stamps;
                    scope.spawn(move || {
                        for slot in (first..64).step_by(4) {
                            stamps.change(word.unwrap(), slot, tick);
                            assert!(stamps.changed_since(0, tick - 1) >> slot & 1 == 1);
                        }
                    });
                }
            });
            assert_eq!(changed(&stamps, ticks[0] - 1).len(), 64);
            assert_eq!(changed(&stamps, ticks[2]).len(), 16);
        }
    }

    #[test]
    fn an_earlier_tick_does_not_hide_a_later_one() {
        let mut stamps = Stamps::default();
        stamps.insert_run(0, 64, 1);
        let word = stamps.word(0).unwrap();
        stamps.change(word, 3, 9);
        stamps.change(word, 4, 8);
        assert_eq!(changed(&stamps, 8), [3]);
        assert_eq!(changed(&stamps, 7), [3, 4]);
        assert_eq!(changed(&stamps.clone(), 7), [3, 4]);
    }
}

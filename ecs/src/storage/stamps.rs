//! The ticks at which the values of a tracked component were added and changed.
//!
//! Stamps are ticks: numbers that only grow, from 1 on. They are stored apart from the values, and
//! only columns of tracked components have them. Levels above the stamps of the slots have the
//! latest stamp of a word, of 8 words, and of 512 words, so that a query for changes skips
//! unchanged slots in bulk. For changes that were made at the latest tick, [`recent`] leads to the
//! words, and [`word_changes`] to the slots, without a look at their stamps.
//!
//! Functions with `cfg_attr(not(debug_assertions), inline(always))` are dev calls: see
//! `docs/compile-times.md`.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::base::mask;
use crate::base::shared_pages::SharedPages;

mod recent;
mod shrink;
mod snapshot_stamps;
mod word_changes;

use recent::{Candidates, RecentChanges};
use word_changes::{SlotsSince, WordChanges};

/// The number of words that have one latest stamp in `runs`.
const RUN: usize = 512;

/// The number of words whose stamps are one allocation. There are few pages, so the page table
/// stays in the cache.
const PAGE: usize = 16;

/// Change stamps are atomic, because systems with disjoint filters may change values of one word at
/// the same time. The stamps do not depend on the column's bits: a slot with a value and without
/// stamps counts as never changed.
///
/// # Invariants
/// 1. `words` has an entry for each word, `recent` one for each 8 words, and `runs` one for each
///    512 words, rounded up.
/// 2. A thread that sees a stamp also sees entries above it that are at least as late.
/// 3. `touched` has an entry for each entry of `pages`.
#[derive(Default)]
pub(crate) struct Stamps {
    /// The latest change in each 512 words.
    runs: Vec<AtomicU64>,
    /// The groups of eight slots that changed last, for each 8 words.
    recent: Vec<RecentChanges>,
    /// The slots that changed last, for each word.
    words: Vec<WordChanges>,
    pages: Vec<Option<Box<[StampWord; PAGE]>>>,
    /// By page, whether its stamps or the values of its slots may have changed since the page last
    /// agreed with a snapshot. If not, no word of the page is `touched`.
    touched: Vec<AtomicBool>,
    /// The copies of pages that are shared with snapshots. In the stamps of a snapshot, their whole
    /// content.
    copies: SharedPages<snapshot_stamps::StampPage>,
}

/// The stamps of 64 slots; 0 for a slot that never had a value. Aligned, so that the stamps of
/// eight slots are one cache line.
#[repr(C, align(64))]
pub(crate) struct StampWord {
    changed: [AtomicU64; 64],
    /// Written only while the column is borrowed mutably.
    added: [u64; 64],
}

impl StampWord {
    const fn new() -> Self {
        Self { changed: [const { AtomicU64::new(0) }; 64], added: [0; 64] }
    }

    /// The tick at which the value was added.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn added(&self, bit: usize) -> u64 {
        self.added[bit]
    }

    /// The tick of the value's last change.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn changed(&self, bit: usize) -> u64 {
        self.changed[bit].load(Ordering::Relaxed)
    }

    /// The slots whose stamp `of` is later than `tick`, among the groups of eight slots in `among`,
    /// one bit for each group.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn since_some(among: u64, tick: u64, of: impl Fn(usize) -> u64) -> u64 {
        let mut bits = 0;
        for eighth in mask::Bits(among) {
            let mut part = 0;
            for i in 0..8 {
                part |= u64::from(of(eighth * 8 + i) > tick) << i;
            }
            bits |= part << (eighth * 8);
        }
        bits
    }

    /// The slots whose stamp `of` is later than `tick`. In most words of which many slots changed,
    /// one system changed all slots, so that all stamps are equal: to see that takes a third of the
    /// instructions of 64 comparisons.
    #[inline(never)]
    fn since_all(tick: u64, of: impl Fn(usize) -> u64) -> u64 {
        let first = of(0);
        if (1..64).fold(0, |different, i| different | (of(i) ^ first)) == 0 {
            return if first > tick { u64::MAX } else { 0 };
        }
        Self::since_some(0xff, tick, of)
    }
}

/// Raises a stamp to `tick`, if it is earlier.
#[inline]
fn raise(stamp: &AtomicU64, tick: u64) {
    if stamp.load(Ordering::Relaxed) < tick {
        stamp.fetch_max(tick, Ordering::Release);
    }
}

impl Stamps {
    /// The stamps of a word, if it ever had values.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn word(&self, word: usize) -> Option<&StampWord> {
        Some(&self.pages.get(word / PAGE)?.as_deref()?[word % PAGE])
    }

    /// Stores that the value of a slot in the word `of` changed at `tick`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn change(&self, of: &StampWord, slot: usize, tick: u64) {
        if let Some(changes) = self.words.get(slot / 64) {
            // The levels are raised from the top down: a thread that sees a change here also sees
            // it in the levels above.
            if !changes.has(slot, tick) {
                self.raise(slot / 64, 1 << (slot % 64), tick);
            }
            self.touch_word(changes, slot);
        }
        of.changed[slot % 64].store(tick, Ordering::Relaxed);
    }

    /// Stores that the values of `len` slots from `slot` on, all in the word `of`, changed at `tick`.
    pub(crate) fn change_run(&self, of: &StampWord, slot: usize, len: usize, tick: u64) {
        let (word, bits) = (slot / 64, slot % 64..slot % 64 + len);
        self.raise(word, mask::range(bits.start, bits.end), tick);
        self.touch(slot);
        of.changed[bits].iter().for_each(|changed| changed.store(tick, Ordering::Relaxed));
    }

    /// Notes that the value or the stamps of a slot may change, so that the page no longer agrees
    /// with a snapshot.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn touch(&self, slot: usize) {
        if let Some(changes) = self.words.get(slot / 64) {
            self.touch_word(changes, slot);
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn touch_word(&self, changes: &WordChanges, slot: usize) {
        if !changes.touched.load(Ordering::Relaxed) {
            self.touch_first(changes, slot);
        }
    }

    #[inline(never)]
    fn touch_first(&self, changes: &WordChanges, slot: usize) {
        changes.touched.store(true, Ordering::Relaxed);
        if let Some(touched) = self.touched.get(slot / 64 / PAGE) {
            touched.store(true, Ordering::Relaxed);
        }
    }

    /// Raises all levels above the stamps of these slots of a word.
    #[inline(never)]
    fn raise(&self, word: usize, slots: u64, tick: u64) {
        let recent = self.recent.get(word / recent::WORDS);
        let (Some(run), Some(recent), Some(changes)) =
            (self.runs.get(word / RUN), recent, self.words.get(word))
        else {
            return;
        };
        raise(run, tick);
        // If the set of a word is unknown, a change of any of its slots counts as stored: all
        // groups of eight slots must be in `recent`.
        let is_full = slots == u64::MAX || changes.is_full(tick);
        let all = RecentChanges::groups(word, u64::MAX);
        recent.raise(if is_full { all } else { RecentChanges::groups(word, slots) }, tick);
        if changes.raise(slots, tick) || is_full {
            recent.raise(all, tick);
            changes.forget();
        }
    }

    /// Stores that the value of a slot was inserted at `tick`; `added` if there was none before.
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

    /// Stores that the values of `len` slots from `slot` on were added at `tick`.
    pub(crate) fn insert_run(&mut self, slot: u32, len: usize, tick: u64) {
        let (mut from, end) = (slot as usize, slot as usize + len);
        while from < end {
            let (word, to) = (from / 64, end.min((from / 64 + 1) * 64));
            let bits = from % 64..to - word * 64;
            let of = self.grow(word);
            of.added[bits.clone()].fill(tick);
            of.changed[bits.clone()].iter_mut().for_each(|changed| *changed.get_mut() = tick);
            self.touch(from);
            self.raise(word, mask::range(bits.start, bits.end), tick);
            from = to;
        }
    }

    /// The stamps of a word, which are allocated if they do not exist.
    #[inline]
    fn grow(&mut self, word: usize) -> &mut StampWord {
        if word >= self.words.len() {
            self.words.resize_with((word / PAGE + 1) * PAGE, WordChanges::default);
            self.runs.resize_with(word / RUN + 1, || AtomicU64::new(0));
            self.recent.resize_with(self.words.len().div_ceil(recent::WORDS), RecentChanges::default);
            self.pages.resize_with(word / PAGE + 1, || None);
            self.touched.resize_with(word / PAGE + 1, || AtomicBool::new(true));
        }
        let page = &mut self.pages[word / PAGE];
        &mut page.get_or_insert_with(|| Box::new([const { StampWord::new() }; PAGE]))[word % PAGE]
    }

    /// The slots of a word whose values changed after `tick`; also slots that have lost theirs
    /// since. No other thread may change a slot of the word meanwhile.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn changed_since(&self, word: usize, tick: u64) -> u64 {
        match self.words.get(word).map(|changes| changes.since(tick)) {
            None => 0,
            Some(SlotsSince::Slots(slots)) => slots,
            Some(SlotsSince::Unknown) => self.changed_by_stamps(word, tick),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn changed_by_stamps(&self, word: usize, tick: u64) -> u64 {
        self.word(word).map_or(0, |of| StampWord::since_all(tick, |bit| of.changed(bit)))
    }

    /// The slots of a word whose values were added after `tick`; also slots that have lost theirs
    /// since. A value was not changed before it was added, so the levels above the stamps are those
    /// of changes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn added_since(&self, word: usize, tick: u64) -> u64 {
        let among = self.candidates(word / recent::WORDS, tick) >> (word % recent::WORDS * 8) & 0xff;
        let of = if among == 0 { None } else { self.word(word) };
        of.map_or(0, |of| match among {
            0xff => StampWord::since_all(tick, |bit| of.added(bit)),
            among => StampWord::since_some(among, tick, |bit| of.added(bit)),
        })
    }

    /// The groups of eight slots that may have changed after `tick`, of the 8 words that the entry
    /// `at` of `recent` is for.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn candidates(&self, at: usize, tick: u64) -> u64 {
        match self.recent.get(at).map(|recent| recent.since(tick)) {
            None => 0,
            Some(Candidates::Groups(groups)) => groups,
            Some(Candidates::Unknown) => self.candidates_by_word(at, tick),
        }
    }

    /// [`candidates`](Self::candidates), by the latest changes of words.
    #[inline(never)]
    fn candidates_by_word(&self, at: usize, tick: u64) -> u64 {
        let later =
            |i: &usize| self.words.get(at * recent::WORDS + i).is_some_and(|changes| changes.latest() > tick);
        (0..recent::WORDS).filter(later).map(|i| 0xff << (i * 8)).sum()
    }

    /// The first word from `word` on in which something may have changed after `tick`.
    #[inline]
    pub(crate) fn next_since(&self, mut word: usize, tick: u64) -> usize {
        while let Some(run) = self.runs.get(word / RUN) {
            let end = (word / RUN + 1) * RUN;
            if run.load(Ordering::Relaxed) > tick {
                let mut rest = u64::MAX << (word % recent::WORDS * 8);
                for at in word / recent::WORDS..self.recent.len().min(end / recent::WORDS) {
                    let found = self.candidates(at, tick) & rest;
                    if found != 0 {
                        return at * recent::WORDS + found.trailing_zeros() as usize / 8;
                    }
                    rest = u64::MAX;
                }
            }
            word = end;
        }
        word
    }
}

impl Stamps {
    /// The number of bytes for the stamps of these slots, given as 64 bits to a word.
    pub(crate) fn bytes_for(slots: impl ExactSizeIterator<Item = u64>) -> u64 {
        let words = slots.len() as u64;
        let pages = slots.enumerate().filter(|(_, word)| *word != 0).map(|(at, _)| at / PAGE);
        let mut last = None;
        let pages = pages.filter(|&page| last.replace(page) != Some(page)).count();
        words * size_of::<WordChanges>() as u64 + pages as u64 * size_of::<[StampWord; PAGE]>() as u64
    }

    /// Sets the stamps of a slot that a file contains.
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
        // every page becomes touched, so the old copies for snapshots are not used any more
        let Self { runs, recent, words, pages, touched: _, copies: _ } = source;
        copy_all(&mut self.runs, runs);
        self.recent.clone_from(recent);
        self.words.clone_from(words);
        self.pages.clone_from(pages);
        self.touched.clear();
        self.touched.resize_with(self.pages.len(), || AtomicBool::new(true));
    }
}

impl Clone for StampWord {
    fn clone(&self) -> Self {
        let Self { changed, added } = self;
        Self { changed: changed.each_ref().map(copy), added: *added }
    }

    fn clone_from(&mut self, source: &Self) {
        let Self { changed, added } = source;
        self.changed.iter_mut().zip(changed).for_each(|(to, from)| *to = copy(from));
        self.added = *added;
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

    #[test]
    fn the_memory_of_stamps_is_their_pages() {
        let (word, page) = (size_of::<WordChanges>() as u64, size_of::<[StampWord; PAGE]>() as u64);
        let mut slots = [0; 3 * PAGE + 1];
        let words = slots.len() as u64 * word;
        assert_eq!(Stamps::bytes_for(slots.into_iter()), words, "without values there are no pages");
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
            if word >= stamps.words.len() {
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
                            // systems that ask for additions run at the same time as those that
                            // change values
                            assert_eq!(stamps.added_since(0, 0), u64::MAX);
                            assert_eq!(stamps.next_since(0, 0), 0);
                        }
                    });
                }
            });
            for (later, tick) in (0..=4).rev().zip(ticks[0] - 1..) {
                assert_eq!(changed(&stamps, tick).len(), later * 16);
            }
        }
    }

    #[test]
    fn threads_that_open_a_tick_at_once_lose_no_change() {
        extern crate std;
        let mut stamps = Stamps::default();
        stamps.insert_run(0, 512, 1);
        let barrier = std::sync::Barrier::new(4);
        std::thread::scope(|scope| {
            for thread in 0..4_u64 {
                let (stamps, barrier) = (&stamps, &barrier);
                scope.spawn(move || {
                    for round in 1..2_000 {
                        // two threads change values at one tick, the others at two later ones
                        let tick = round * 3 + thread.saturating_sub(1);
                        let slot = (thread * 128 + round * 8) as usize % 512;
                        barrier.wait();
                        if round % 4 != 3 || thread % 2 == 0 {
                            stamps.change(stamps.word(slot / 64).unwrap(), slot, tick);
                        }
                        barrier.wait();
                        let expected = if round % 4 != 3 { 4 } else { 2 };
                        assert_eq!(changed(stamps, round * 3 - 1).len(), expected);
                    }
                });
            }
        });
    }

    #[test]
    fn a_word_of_equal_stamps_is_read_as_one_of_different_stamps() {
        let mut stamps = Stamps::default();
        stamps.insert_run(0, 64, 3);
        assert_eq!((stamps.changed_since(0, 2), stamps.changed_since(0, 3)), (u64::MAX, 0));
        let word = stamps.word(0).unwrap();
        (0..64).filter(|slot| slot % 8 != 5).for_each(|slot| stamps.change(word, slot, 7));
        assert_eq!(stamps.changed_since(0, 3), !0x2020_2020_2020_2020);
        assert_eq!(stamps.added_since(0, 2), u64::MAX);
        (0..64).for_each(|slot| stamps.change(word, slot, 9));
        assert_eq!((stamps.changed_since(0, 8), stamps.changed_since(0, 9)), (u64::MAX, 0));
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

    #[test]
    fn changes_at_one_tick_in_many_groups_of_slots_are_all_found() {
        let mut stamps = Stamps::default();
        stamps.insert_run(0, 128, 1);
        for (at, slot) in [0, 8, 9, 63, 70, 17].into_iter().enumerate() {
            stamps.change(stamps.word(slot / 64).unwrap(), slot, 5);
            assert_eq!(changed(&stamps, 4).len(), at + 1, "slot {slot}");
            assert_eq!(stamps.words[slot / 64].latest(), 5);
        }
    }

    #[test]
    fn sets_of_changed_slots_agree_with_the_stamps() {
        let mut random = 1_u64;
        let mut below = |bound: u64| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            random % bound
        };
        let mut stamps = Stamps::default();
        stamps.insert_run(0, 640, 1);
        for tick in 2..3_000 {
            for _ in 0..below(12) {
                let slot = (below(2) * 576 + below(if tick % 5 == 0 { 64 } else { 12 })) as usize;
                // at times a file or a system that began earlier brings an older tick
                let tick = if below(40) == 0 { tick - below(2) } else { tick };
                if stamps.word(slot / 64).unwrap().changed(slot % 64) <= tick {
                    stamps.change(stamps.word(slot / 64).unwrap(), slot, tick);
                }
            }
            if tick % 97 == 0 {
                let frozen = stamps.capture();
                stamps.agree(&frozen);
                stamps.change(stamps.word(0).unwrap(), 3, tick + 1);
                stamps.restore(&frozen);
            }
            for since in [tick - 1, tick.saturating_sub(2), tick - below(tick.min(9))] {
                for word in [0, 9] {
                    let of = stamps.word(word).unwrap();
                    let expected = StampWord::since_some(0xff, since, |bit| of.changed(bit));
                    assert_eq!(stamps.changed_since(word, since), expected, "tick {tick}, since {since}");
                }
            }
        }
    }
}

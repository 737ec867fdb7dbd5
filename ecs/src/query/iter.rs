//! The loops over the rows of a query (a row is the values of one matching slot): [`Iter`] and
//! [`Rows`].
//!
//! For each word of 64 slots, the presence masks of the columns are combined. Consecutive words in
//! which all slots match, and a word whose matching slots are adjacent, are iterated by a counting
//! loop, which the compiler vectorises. Other words are iterated bit by bit. Pages that a column
//! lacks are skipped, and a query that demands a packed column and does not depend on changes goes
//! through the list of its slots in place of the words.
//!
//! The search for the next slots, [`Rows::next_slots`], does not depend on the types of the values:
//! in `dev` builds it is compiled once for all queries of one shape.
//!
//! Functions with `cfg_attr(not(debug_assertions), inline(always))` are dev calls: see
//! `docs/compile-times.md`.
#![expect(unsafe_code, reason = "items are made from the bits that were just seen")]

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::data::{Data, ReadData};
use super::filter::Filter;
use super::passed_over::PassedOver;
use super::slots::SlotMatcher;
use crate::base::mask::Span;
use crate::entity::allocator::Entities;
use crate::storage::packed::placement::{PlacedCursor, Placement};

/// The columns of a query's data `S` and filter `F`, with the range of words to iterate. It holds
/// no borrow of the world.
#[derive(Clone, Copy)]
pub(crate) struct Rows<S: SlotMatcher, F: SlotMatcher> {
    pub(crate) data: S,
    filter: F,
    passed_over: PassedOver,
    alive: *const u64,
    /// The end of the range of words to iterate, at most the end of each column's range.
    pub(crate) words: usize,
    /// The first word to iterate.
    pub(crate) first: usize,
}

/// The rows of a query with data `D` and filter `F`.
pub(crate) type RowsOf<D, F> = Rows<<D as Data>::Columns, <F as Filter>::Columns>;

impl<S: SlotMatcher, F: SlotMatcher> Rows<S, F> {
    /// Whether the loops go through the list of slots of a packed column. Queries that depend on
    /// changes do not: the stamps skip words without changes, and the list has a slot for each
    /// value.
    const LISTED: bool = !S::DATED && !F::DATED;

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn new(data: S, filter: F, passed_over: PassedOver, entities: &Entities) -> Self {
        let alive = entities.alive();
        let span = Span::up_to(alive.len()).and(data.words()).and(filter.words());
        let (first, words) = (span.first as usize, span.end as usize);
        Self { data, filter, passed_over, alive: alive.as_ptr(), first, words }
    }

    /// The matching slots of a word, one bit for each.
    ///
    /// # Safety
    /// `word < self.words`, and the world is still borrowed.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) unsafe fn mask(&self, word: usize) -> u64 {
        debug_assert!(word < self.words);
        // SAFETY: the caller promises `word < self.words`, which is at most the end of each
        // column's words.
        let mask = unsafe { self.data.mask(word) & self.filter.mask(word) };
        // Only live entities have components, so a query that requires a component need not read
        // `alive`. (Code that exchanges whole columns between worlds can break this, and then gets
        // rows of despawned entities, but never a missing value.) SAFETY: the caller promises
        // `word < self.words`, which is at most the number of words of `alive`.
        let mask = if S::REQUIRED || F::REQUIRED { mask } else { mask & unsafe { *self.alive.add(word) } };
        // SAFETY: the caller promises that the world is borrowed.
        if self.passed_over.is_none() { mask } else { mask & !unsafe { self.passed_over.mask(word) } }
    }

    /// The words from `first` on that may have matches, each with the mask of its matching slots.
    ///
    /// # Safety
    /// The world is borrowed for as long as the iterator is used.
    pub(crate) unsafe fn masks(self) -> impl Iterator<Item = (usize, u64)> {
        let mut word = self.first;
        core::iter::from_fn(move || {
            // SAFETY: the caller promises that the world is borrowed.
            let at = if word < self.words { unsafe { self.filter.next(word) } } else { return None };
            word = at.saturating_add(1);
            // SAFETY: `at < self.words` is tested before.
            (at < self.words).then(|| (at, unsafe { self.mask(at) }))
        })
    }

    /// The union of the masks of `EMPTY` words from `word` on.
    ///
    /// # Safety
    /// `word + EMPTY <= self.words`, and the world is still borrowed.
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn any(&self, word: usize) -> u64 {
        let (mut any, mut i) = (0, 0);
        // a `while` loop: an iterator would be more functions to compile for each query
        while i < EMPTY {
            // SAFETY: `i < EMPTY`, so `word + i` is below `self.words` by the caller's promise.
            any |= unsafe { self.mask(word + i) };
            i += 1;
        }
        any
    }

    /// The intersection of the masks of `FULL` words from `word` on.
    ///
    /// # Safety
    /// `word + FULL <= self.words`, and the world is still borrowed.
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn all(&self, word: usize) -> u64 {
        let (mut all, mut i) = (u64::MAX, 0);
        while i < FULL {
            // SAFETY: `i < FULL`, so `word + i` is below `self.words` by the caller's promise.
            all &= unsafe { self.mask(word + i) };
            i += 1;
        }
        all
    }

    /// The end of the run of words from `start` on in which all slots match. The run ends at the
    /// latest at the end of the page, which has `page` words.
    ///
    /// # Safety
    /// `start < self.words`, all slots of the word `start` match, and the world is still borrowed.
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn end_of_full(&self, start: usize, page: usize) -> usize {
        let (mut word, end) = (start + 1, self.words.min((start / page + 1) * page));
        // Masks that depend on changes are computed from stamps. They are not compared eight at a
        // time, so that none is computed twice.
        if !S::DATED && !F::DATED {
            // SAFETY: `word + FULL <= end`, and `end` is at most `self.words`.
            while word + FULL <= end && unsafe { self.all(word) } == u64::MAX {
                word += FULL;
            }
        }
        // SAFETY: `word < end`, and `end` is at most `self.words`.
        while word < end && unsafe { self.mask(word) } == u64::MAX {
            word += 1;
        }
        word
    }

    /// The next matching slots at or after the word `next`, which is set to the word after them.
    /// `page` is the number of words that the base of an item covers at most.
    ///
    /// # Safety
    /// The world is still borrowed.
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn next_slots<const SKIP: bool>(&self, next: &mut usize, page: usize) -> Option<FoundSlots> {
        let mut empty = 0;
        while *next < self.words {
            // SAFETY: the caller promises that the world is borrowed.
            let word = unsafe { self.filter.next(*next) };
            if word >= self.words {
                break;
            }
            // SAFETY: `word < self.words`, by the comparison above.
            let mask = unsafe { self.mask(word) };
            *next = word + 1;
            if mask == 0 {
                // After `EMPTY` words without a match, skip as many at a time.
                empty += 1;
                // SAFETY: `*next + EMPTY <= self.words` is tested before the call.
                while SKIP && empty >= EMPTY && *next + EMPTY <= self.words && unsafe { self.any(*next) } == 0
                {
                    *next += EMPTY;
                    // At the beginning of a page, skip all pages that some column does not have.
                    if page >= EMPTY && *next % page < EMPTY && *next < self.words {
                        // SAFETY: `*next < self.words`, which is at most the end of the columns'
                        // words.
                        *next = unsafe { self.data.next_in_a_page(*next, self.words) };
                    }
                }
                continue;
            }
            // Runs of random lengths are mispredicted at each end: only a word that is one run is
            // iterated as one.
            let Some((from, mut to)) = only_run(mask) else {
                return Some(FoundSlots { word, from: 0, to: 0, bits: mask });
            };
            if mask == u64::MAX {
                // SAFETY: `word < self.words`, and all slots of the word match.
                *next = unsafe { self.end_of_full(word, page) };
                to = (*next - word) * 64;
            }
            return Some(FoundSlots { word, from, to, bits: 0 });
        }
        None
    }

    /// Calls `f` with every item from word `from` on.
    ///
    /// # Safety
    /// The columns are those of `D`, of a world that is borrowed in such a way that every item may
    /// be given out once.
    #[inline(always)]
    pub(crate) unsafe fn each<'q, D: Data<Columns = S>>(&self, from: usize, f: impl FnMut(D::Item<'q>)) {
        if const { Self::LISTED }
            // SAFETY: the placement belongs to a column that the caller has borrowed; the address
            // is null or that of the placement.
            && let Some(placement) = unsafe { self.data.placed().or(self.filter.placed()).placement().as_ref() }
        {
            // SAFETY: the promise of the caller is that of `each_placed`.
            return unsafe { self.each_placed::<D>(placement, from, f) };
        }
        // SAFETY: the promise of the caller is that of `each_by_bits`.
        unsafe { self.each_by_bits::<D>(from, f) };
    }

    /// [`each`](Self::each) by the bits of the columns, without the list of slots of a packed
    /// column.
    ///
    /// # Safety
    /// As for [`each`](Self::each).
    #[inline(always)]
    pub(crate) unsafe fn each_by_bits<'q, D: Data<Columns = S>>(
        &self,
        from: usize,
        mut f: impl FnMut(D::Item<'q>),
    ) {
        let mut next = from;
        // SAFETY: the caller promises that the world is borrowed.
        while let Some(slots) = unsafe { self.next_slots::<true>(&mut next, D::WORDS) } {
            // SAFETY: the word is below `self.words`, and some slot of it matches.
            let base = unsafe { D::base(self.data, slots.word) };
            if slots.bits == 0 {
                for at in slots.from..slots.to {
                    // SAFETY: all slots of the run match; the run ends at the end of the base's
                    // page at the latest; each slot is visited once.
                    f(unsafe { D::at(base, at) });
                }
                continue;
            }
            let mut bits = slots.bits;
            // Two bits per iteration: a third faster when the set bits are scattered.
            while bits != 0 {
                // SAFETY: the bit is set in the mask, so the slot matches; each bit is visited
                // once.
                f(unsafe { D::at(base, bits.trailing_zeros() as usize) });
                bits &= bits - 1;
                if bits == 0 {
                    break;
                }
                // SAFETY: the bit is set in the mask, so the slot matches; each bit is visited
                // once.
                f(unsafe { D::at(base, bits.trailing_zeros() as usize) });
                bits &= bits - 1;
            }
        }
    }
}

impl<S: SlotMatcher, F: SlotMatcher> Rows<S, F> {
    /// Calls `f` with every item from word `from` on, by the list of the slots of a packed column.
    /// The bits of a rarely held component are scattered, and the processor mispredicts a branch at
    /// almost each word of them.
    ///
    /// # Safety
    /// As for [`each`](Self::each). `placement` is that of a column that the query demands.
    unsafe fn each_placed<'q, D: Data<Columns = S>>(
        &self,
        placement: &Placement,
        from: usize,
        mut f: impl FnMut(D::Item<'q>),
    ) {
        let page_words = placement.words();
        let (mut group, mut first, mut base) = (usize::MAX, 0, MaybeUninit::uninit());
        for page in from / page_words..self.words.div_ceil(page_words) {
            let word = page * page_words;
            if placement.is_dense(placement.slots(page)) {
                let rows = Self { words: self.words.min(word + page_words), ..*self };
                // SAFETY: the caller's promise is that of `each_by_bits`, for fewer words:
                // `rows.words` is at most `self.words`. The words of each page are visited once.
                unsafe { rows.each_by_bits::<D>(from.max(word), &mut f) };
                continue;
            }
            for &slot in placement.slots_in(page, from.saturating_sub(word), self.words - word) {
                let (word, bit) = (word + slot as usize / 64, slot as usize % 64);
                // SAFETY: `slots_in` returns slots of words below `self.words`.
                if unsafe { self.mask(word) } >> bit & 1 == 0 {
                    continue;
                }
                if word / D::WORDS != group {
                    (group, first) = (word / D::WORDS, word);
                    // SAFETY: the word is below `self.words`, and a slot of it matches.
                    base.write(unsafe { D::base(self.data, word) });
                }
                // SAFETY: the slot matches; it is in the `WORDS` words of the base, which was
                // written for this group; the slots are sorted, so each is visited once.
                f(unsafe { D::at(base.assume_init(), (word - first) * 64 + bit) });
            }
        }
    }
}

/// Matching slots: the run `from..to`, which begins in `word` and ends with the page of the word at
/// the latest, or the scattered slots `bits` of the word. The slots of the run are counted from the
/// first one of the word.
struct FoundSlots {
    word: usize,
    from: usize,
    to: usize,
    bits: u64,
}

/// The number of words without a match after which the loop tests this number of words at a time.
const EMPTY: usize = 8;

/// The number of words that are compared at a time to find the end of a run of full words.
const FULL: usize = 8;

/// The set bits of `mask`, which is not zero, as a range, if they are adjacent and at least four.
/// This is the usual case for entities that were spawned with the same components: they fill a
/// block of slots from its start.
#[cfg_attr(not(debug_assertions), inline(always))]
fn only_run(mask: u64) -> Option<(usize, usize)> {
    const WORTH: u64 = (1 << 4) - 1;
    let from = mask.trailing_zeros();
    let run = mask >> from;
    // `&`, not `&&`: one branch, which is rarely taken when the bits are scattered
    ((run & run.wrapping_add(1) == 0) & (run >= WORTH))
        .then(|| (from as usize, (from + run.trailing_ones()) as usize))
}

/// Iterator over the items of a query, in the order of their slots.
/// [`Query::iter`](super::Query::iter) and [`Query::iter_mut`](super::Query::iter_mut) return it.
///
/// `for_each` and `fold` are a little faster than a `for` loop: they iterate a run of adjacent
/// slots without a test per item.
pub struct Iter<'q, D: Data, F: Filter = ()> {
    /// The base of the slots that were found last. It is initialised once some were found.
    base: MaybeUninit<D::Base>,
    /// The slots that were found and not given out yet: the run `at..end`, then `bits`.
    at: usize,
    end: usize,
    bits: u64,
    rest: RemainingRows<D, F>,
    borrow: PhantomData<&'q mut ()>,
}

/// The rows after those that were found. They are a type of their own, so that a loop can keep the
/// slots that were found in registers.
struct RemainingRows<D: Data, F: Filter> {
    rows: RowsOf<D, F>,
    /// The next word to read.
    word: usize,
    /// The next slots in the list of a packed column.
    cursor: PlacedCursor,
}

impl<D: Data, F: Filter> RemainingRows<D, F> {
    /// Finds the next matching slots. A call would keep the state of the loop in memory, so it is
    /// inlined, except in `dev` builds.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_slots(&mut self) -> Option<FoundSlots> {
        if const { RowsOf::<D, F>::LISTED } {
            let placed = self.rows.data.placed().or(self.rows.filter.placed()).placement();
            // SAFETY: the address is null, or that of the placement of a column that is borrowed,
            // by the contract of `Iter::new`.
            if let Some(placement) = unsafe { placed.as_ref() } {
                // SAFETY: the world is borrowed, by the contract of `Iter::new`.
                return unsafe { self.rows.next_placed(placement, &mut self.cursor) };
            }
        }
        // SAFETY: the world is borrowed, by the contract of `Iter::new`.
        unsafe { self.rows.next_slots::<false>(&mut self.word, D::WORDS) }
    }
}

impl<S: SlotMatcher, F: SlotMatcher> Rows<S, F> {
    /// Finds the next matching slots in the list of a packed column that the query demands. A page
    /// with many slots gives those of a word together, other pages one slot at a time, since the
    /// number of slots in a word is mispredicted at almost each word.
    ///
    /// # Safety
    /// The world is still borrowed.
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn next_placed(&self, placement: &Placement, cursor: &mut PlacedCursor) -> Option<FoundSlots> {
        loop {
            let Some((word, bit)) = placement.next_slot(cursor) else {
                *cursor = placement.next_page(self.first, self.words, *cursor)?;
                continue;
            };
            // SAFETY: `next_page` gives slots of words below `self.words`.
            let mask = unsafe { self.mask(word) };
            if !cursor.is_dense() {
                if mask >> bit & 1 == 0 {
                    continue;
                }
                return Some(FoundSlots { word, from: bit, to: bit + 1, bits: 0 });
            }
            *cursor = placement.pass_over(*cursor, word);
            if mask == 0 {
                continue;
            }
            if let Some((from, to)) = only_run(mask) {
                return Some(FoundSlots { word, from, to, bits: 0 });
            }
            return Some(FoundSlots { word, from: 0, to: 0, bits: mask });
        }
    }
}

impl<'q, D: Data, F: Filter> Iter<'q, D, F> {
    /// # Safety
    /// The columns are those of `D` and `F`, of a world that is borrowed for `'q` in such a way
    /// that every item may be given out once.
    #[inline(always)]
    pub(crate) unsafe fn new(rows: RowsOf<D, F>) -> Self {
        let rest = RemainingRows { rows, word: rows.first, cursor: PlacedCursor::START };
        Self { base: MaybeUninit::uninit(), at: 0, end: 0, bits: 0, rest, borrow: PhantomData }
    }
}

impl<'q, D: Data, F: Filter> Iterator for Iter<'q, D, F> {
    type Item = D::Item<'q>;

    #[inline(always)]
    fn next(&mut self) -> Option<D::Item<'q>> {
        let i = loop {
            if self.at != self.end {
                self.at += 1;
                break self.at - 1;
            }
            if self.bits != 0 {
                let bit = self.bits.trailing_zeros();
                self.bits &= self.bits - 1;
                break bit as usize;
            }
            let slots = self.rest.next_slots()?;
            // SAFETY: the word of the slots is one of the words of the columns, and some slot of it
            // matches.
            self.base.write(unsafe { D::base(self.rest.rows.data, slots.word) });
            (self.at, self.end, self.bits) = (slots.from, slots.to, slots.bits);
        };
        // SAFETY: a slot is left, so some were found, and their base was written. All of them
        // match, and each is given out once: `at` is counted up, and the bit is cleared.
        Some(unsafe { D::at(self.base.assume_init(), i) })
    }

    #[inline(always)]
    fn fold<B, G: FnMut(B, D::Item<'q>) -> B>(self, init: B, mut f: G) -> B {
        let mut folded = Some(init);
        self.for_each(|item| {
            if let Some(value) = folded.take() {
                folded = Some(f(value, item));
            }
        });
        folded.expect("put back after every step")
    }

    // not by `fold`, which would keep its value in memory in the loop over a packed column
    #[inline(always)]
    fn for_each<G: FnMut(D::Item<'q>)>(mut self, mut f: G) {
        // the rows that remain of those that `next` has found
        while self.at < self.end || self.bits != 0 {
            self.next().into_iter().for_each(&mut f);
        }
        if self.rest.cursor.has_begun() {
            // `next` has given out slots from the list of a packed column: a loop from `word` on
            // would give slots of this word twice
            for item in self.by_ref() {
                f(item);
            }
            return;
        }
        // SAFETY: the contract of `new` covers all rows; those from `word` on were not given out
        // yet.
        unsafe { self.rest.rows.each::<D>(self.rest.word, f) };
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let known = self.end - self.at + self.bits.count_ones() as usize;
        (known, Some(known + self.rest.rows.words.saturating_sub(self.rest.word) * 64))
    }
}

impl<D: Data, F: Filter> core::iter::FusedIterator for Iter<'_, D, F> {}

/// `Iter` is `Clone` if the query only reads: the clone continues at the position of the original.
///
/// ```
/// # use ecs::prelude::*;
/// # #[derive(Component)] struct Weight(u32);
/// # world! { struct Game { components { Weight } } }
/// let mut game = Game::new();
/// game.spawn_batch([1, 2, 4].map(Weight));
/// let query = game.query::<&Weight>();
/// let mut pairs = Vec::new();
/// let mut all = query.iter();
/// while let Some(one) = all.next() {
///     pairs.extend(all.clone().map(|other| one.0 + other.0));
/// }
/// assert_eq!(pairs, [3, 5, 6]);
/// ```
impl<D: ReadData, F: Filter> Clone for Iter<'_, D, F> {
    #[inline]
    fn clone(&self) -> Self {
        // two iterators may give the same items, since `D` only reads
        let Self { base, at, end, bits, ref rest, borrow } = *self;
        let rest = RemainingRows { rows: rest.rows, word: rest.word, cursor: rest.cursor };
        Self { base, at, end, bits, rest, borrow }
    }
}

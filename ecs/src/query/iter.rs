//! The loops over the rows of a query (a row is the values of one matching slot): [`Iter`] and
//! [`Rows`].
//!
//! For each word of 64 slots, the presence masks of the columns are combined. Consecutive words in
//! which all slots match, and a word whose matching slots are adjacent, are iterated by a counting
//! loop, which the compiler vectorises. Other words are iterated bit by bit. After some words
//! without a match, a column's groups of 64 words tell which words may have one, and a query that
//! demands a packed column and does not depend on changes goes through the list of its slots in
//! place of the words.
//!
//! The search for the next word, [`Rows::next_word`], does not depend on the types of the values:
//! in `dev` builds it is compiled once for all queries of one shape.
//!
//! Functions with `cfg_attr(not(debug_assertions), inline(always))` are dev calls: see
//! `docs/compile-times.md`.
#![expect(unsafe_code, reason = "items are made from the bits that were just seen")]

use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::slice;

use super::data::{Data, ReadData};
use super::filter::Filter;
use super::passed_over::PassedOver;
use super::slots::SlotMatcher;
use crate::base::mask::Span;
use crate::entity::allocator::Entities;
use crate::storage::packed::placement::Placement;
use crate::storage::table::GROUP;

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
    /// Calls `f` with every item: see [`RemainingRows::visit`].
    ///
    /// # Safety
    /// The columns are those of `D`, of a world that is borrowed in such a way that every item may
    /// be given out once.
    #[inline(always)]
    pub(crate) unsafe fn each<'q, D: Data<Columns = S>, const LISTED: bool>(
        self,
        f: impl FnMut(D::Item<'q>),
    ) {
        // SAFETY: the caller makes the promises of both functions.
        unsafe { RemainingRows::new(self).visit::<D, LISTED>(f) };
    }

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

    /// The places of a packed column that the query demands, if the loops go through its list.
    ///
    /// # Safety
    /// The world is borrowed for `'q`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn placement<'q>(&self) -> Option<&'q Placement> {
        if !Self::LISTED {
            return None;
        }
        // SAFETY: the address is null, or that of the placement of a column of the world, which the
        // caller has borrowed.
        unsafe { self.data.placed().or(self.filter.placed()).placement().as_ref() }
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

    /// The next word at or after `next` with matching slots, and the mask of these slots. `next` is
    /// set to the word after it.
    ///
    /// # Safety
    /// The world is still borrowed.
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn next_word(&self, next: &mut usize) -> Option<(usize, u64)> {
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
            if mask != 0 {
                return Some((word, mask));
            }
            // After `EMPTY` words without a match, ask for the next word that may have some.
            empty += 1;
            if empty >= EMPTY {
                // SAFETY: the caller promises that the world is borrowed.
                *next = unsafe { self.next_used(*next) };
            }
        }
        None
    }

    /// The first word at or after `word` in which slots may match according to the groups of words,
    /// or a word at or after `self.words`.
    ///
    /// # Safety
    /// The world is still borrowed.
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn next_used(&self, word: usize) -> usize {
        let (mut group, mut among) = (word / GROUP, u64::MAX << (word % GROUP));
        while group * GROUP < self.words {
            // SAFETY: the first word of the group is below `self.words`, which is at most the end of
            // each column's words.
            let used = unsafe { self.data.used(group) & self.filter.used(group) } & among;
            if used != 0 {
                return group * GROUP + used.trailing_zeros() as usize;
            }
            (group, among) = (group + 1, u64::MAX);
        }
        self.words
    }

    /// The run of matching slots that begins in `word`, whose matching slots are `mask`, if the slots
    /// of the word are one run. They are counted from the first slot of the word. If all slots
    /// match, the run goes on up to the end of the page at the latest, which has `page` words, and
    /// `next` is set to the word after it.
    ///
    /// # Safety
    /// `word < self.words`, `mask` is not zero, and the world is still borrowed.
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn run(&self, word: usize, mask: u64, next: &mut usize, page: usize) -> Option<(usize, usize)> {
        // Runs of random lengths are mispredicted at each end: only a word that is one run is
        // iterated as one.
        let run = only_run(mask)?;
        if mask != u64::MAX {
            return Some(run);
        }
        // SAFETY: `word < self.words`, and all slots of the word match.
        *next = unsafe { self.end_of_full(word, page) };
        Some((0, (*next - word) * 64))
    }
}

/// The number of words without a match after which the loop asks the groups of words. Where words
/// without a match are scattered, the question costs more than they do.
const EMPTY: usize = 4;

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
    rest: RemainingRows<'q, D::Columns, F::Columns>,
    borrow: PhantomData<&'q mut ()>,
}

/// The rows after those that were found. They are a type of their own, so that a loop can keep the
/// slots that were found in registers.
///
/// A query that demands a packed column goes from page to page of the column: `listed` has the slots
/// of a page with few values, and the words from `word` to `rows.words` are those of another page.
/// The words of other queries are searched as those of one page.
#[derive(Clone)]
struct RemainingRows<'q, S: SlotMatcher, F: SlotMatcher> {
    /// The columns, and the end of the words to search.
    rows: Rows<S, F>,
    /// The next word to search.
    word: usize,
    /// The next slots in the list of a page, counted from the first slot of the word `listed_from`.
    listed: slice::Iter<'q, u16>,
    listed_from: usize,
    /// The next page of the packed column.
    page: usize,
    /// The end of the words of the query.
    end: usize,
}

impl<'q, S: SlotMatcher, F: SlotMatcher> RemainingRows<'q, S, F> {
    /// # Safety
    /// The world is borrowed for `'q`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn new(mut rows: Rows<S, F>) -> Self {
        let end = rows.words;
        // SAFETY: the caller promises that the world is borrowed.
        if unsafe { rows.placement() }.is_some() {
            rows.words = rows.first; // no word is searched before the first page
        }
        Self { word: rows.first, rows, listed: [].iter(), listed_from: 0, page: 0, end }
    }

    /// The word and the bit of the next matching slot in the list of a page. The slots of a list are
    /// found one by one: the number of slots in a word would be mispredicted at almost each word.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_listed(&mut self) -> Option<(usize, usize)> {
        if !Rows::<S, F>::LISTED {
            return None;
        }
        loop {
            let slot = *self.listed.next()? as usize;
            let (word, bit) = (self.listed_from + slot / 64, slot % 64);
            // SAFETY: `next_page` gives slots of words below `end`, the end of the columns' words;
            // the world is borrowed, by the contract of `new`.
            if unsafe { self.rows.mask(word) } >> bit & 1 == 1 {
                return Some((word, bit));
            }
        }
    }

    /// The next word with matching slots after those of the list, and the mask of these slots: see
    /// [`Rows::next_word`]. Of the next page with a list it is the first slot of the list.
    ///
    /// A call would keep the state of the loop in memory, so it is inlined, except in `dev` builds.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_word(&mut self) -> Option<(usize, u64)> {
        loop {
            // SAFETY: the world is borrowed, by the contract of `new`.
            let found = unsafe { self.rows.next_word(&mut self.word) };
            if found.is_some() || !const { Rows::<S, F>::LISTED } {
                return found;
            }
            // SAFETY: the world is borrowed for `'q`, by the contract of `new`.
            let placement = unsafe { self.rows.placement() }?;
            let next = placement.next_page(self.page, self.rows.first, self.end)?;
            (self.page, self.listed, self.listed_from) = (next.page + 1, next.slots.iter(), next.first_word);
            (self.word, self.rows.words) = (next.words.start, next.words.end);
            if let Some((word, bit)) = self.next_listed() {
                return Some((word, 1 << bit));
            }
        }
    }

    /// Calls `f` with every item. `LISTED` is whether a column of the world may be packed: the loop
    /// by the list is a quarter of the code of a system.
    ///
    /// # Safety
    /// The columns are those of `D`, of a world that is borrowed for `'q` in such a way that every
    /// item may be given out once.
    #[inline(always)]
    unsafe fn visit<D: Data<Columns = S>, const LISTED: bool>(mut self, mut f: impl FnMut(D::Item<'q>)) {
        loop {
            // the slots in the list of a page, with one base for several words
            let (mut group, mut first, mut base) = (usize::MAX, 0, MaybeUninit::uninit());
            while LISTED && let Some((word, bit)) = self.next_listed() {
                if word / D::WORDS != group {
                    (group, first) = (word / D::WORDS, word);
                    // SAFETY: the word is one of the words of the columns, and a slot of it matches.
                    base.write(unsafe { D::base(self.rows.data, word) });
                }
                // SAFETY: the slot matches; it is in the `WORDS` words of the base, which was
                // written for this group; the list is sorted, so each slot is visited once.
                f(unsafe { D::at(base.assume_init(), (word - first) * 64 + bit) });
            }
            let Some((word, mut bits)) = self.next_word() else { return };
            // SAFETY: the word is one of the words of the columns, and a slot of it matches.
            let base = unsafe { D::base(self.rows.data, word) };
            // SAFETY: `next_word` has found the word and the bits.
            if let Some((from, to)) = unsafe { self.rows.run(word, bits, &mut self.word, D::WORDS) } {
                for at in from..to {
                    // SAFETY: all slots of the run match; the run ends at the end of the base's
                    // page at the latest; each slot is visited once.
                    f(unsafe { D::at(base, at) });
                }
                continue;
            }
            // Two bits per iteration: a third faster when the set bits are scattered.
            while bits != 0 {
                // SAFETY: the bit is set in the mask, so the slot matches; each bit is visited
                // once.
                f(unsafe { D::at(base, bits.trailing_zeros() as usize) });
                bits &= bits - 1;
                if bits == 0 {
                    break;
                }
                // SAFETY: as for the bit before.
                f(unsafe { D::at(base, bits.trailing_zeros() as usize) });
                bits &= bits - 1;
            }
        }
    }
}

impl<'q, D: Data, F: Filter> Iter<'q, D, F> {
    /// # Safety
    /// The columns are those of `D` and `F`, of a world that is borrowed for `'q` in such a way
    /// that every item may be given out once.
    #[inline(always)]
    pub(crate) unsafe fn new(rows: RowsOf<D, F>) -> Self {
        // SAFETY: the caller promises that the world is borrowed for `'q`.
        let rest = unsafe { RemainingRows::new(rows) };
        Self { base: MaybeUninit::uninit(), at: 0, end: 0, bits: 0, rest, borrow: PhantomData }
    }
}

impl<'q, D: Data, F: Filter> Iterator for Iter<'q, D, F> {
    type Item = D::Item<'q>;

    #[inline(always)]
    fn next(&mut self) -> Option<D::Item<'q>> {
        loop {
            if self.at != self.end {
                self.at += 1;
                // SAFETY: some slots were found, and their base was written. All of them match,
                // and each is given out once: `at` is counted up.
                return Some(unsafe { D::at(self.base.assume_init(), self.at - 1) });
            }
            if self.bits != 0 {
                self.at = self.bits.trailing_zeros() as usize;
                self.end = self.at + 1;
                self.bits &= self.bits - 1;
                continue;
            }
            if let Some((word, bit)) = self.rest.next_listed() {
                // SAFETY: the word is one of the words of the columns, and a slot of it matches.
                self.base.write(unsafe { D::base(self.rest.rows.data, word) });
                (self.at, self.end) = (bit, bit + 1);
                continue;
            }
            let (word, bits) = self.rest.next_word()?;
            // SAFETY: the word is one of the words of the columns, and a slot of it matches.
            self.base.write(unsafe { D::base(self.rest.rows.data, word) });
            // SAFETY: `next_word` has found the word and the bits.
            match unsafe { self.rest.rows.run(word, bits, &mut self.rest.word, D::WORDS) } {
                Some(run) => (self.at, self.end) = run,
                None => self.bits = bits,
            }
        }
    }

    #[inline(always)]
    fn fold<B, G: FnMut(B, D::Item<'q>) -> B>(self, init: B, mut f: G) -> B {
        let mut value = MaybeUninit::new(init);
        self.for_each(|item| {
            // SAFETY: the value is written before the first step and by each step. If `f` panics,
            // the loop ends, and no one reads the value that was moved into `f`.
            value.write(f(unsafe { value.assume_init_read() }, item));
        });
        // SAFETY: the last step has written the value, or no one has read it.
        unsafe { value.assume_init() }
    }

    #[inline(always)]
    fn for_each<G: FnMut(D::Item<'q>)>(mut self, mut f: G) {
        // the slots that `next` has found
        while self.at != self.end || self.bits != 0 {
            let Some(item) = self.next() else { return };
            f(item);
        }
        // SAFETY: the contract of `new` covers all rows; those of `rest` were not given out yet.
        unsafe { self.rest.visit::<D, true>(f) };
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let known = self.end - self.at + self.bits.count_ones() as usize;
        let rest = self.rest.listed.len() + self.rest.end.saturating_sub(self.rest.word) * 64;
        (known, Some(known + rest))
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
        let rest = rest.clone();
        Self { base, at, end, bits, rest, borrow }
    }
}

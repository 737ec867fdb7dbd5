//! The loops over the rows of a query.
//!
//! Per word of 64 slots the columns' bits are combined. Full words merge into runs, and the bits of a word that are one
//! run are one, too: runs are walked by a straight loop, which vectorises. Other words go bit by bit. With debug assertions
//! all do, since `dev` builds make this anew for each query.
#![expect(unsafe_code, reason = "items are made from the bits that were just seen")]

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::data::{Data, ReadData};
use super::filter::Filter;
use super::slots::SlotMatcher;
use crate::base::mask::{Bits, Span};
use crate::entity::allocator::Entities;

/// The columns that a query looks at, without a borrow.
#[derive(Clone, Copy)]
pub(crate) struct Rows<S: SlotMatcher, F: SlotMatcher> {
    pub(crate) data: S,
    filter: F,
    alive: *const u64,
    /// How many words there are to look at: no more than any part has.
    pub(crate) words: usize,
    /// The first of them.
    pub(crate) first: usize,
}

/// The rows of a query.
pub(crate) type RowsOf<D, F> = Rows<<D as Data>::Columns, <F as Filter>::Columns>;

impl<S: SlotMatcher, F: SlotMatcher> Rows<S, F> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn new(data: S, filter: F, entities: &Entities) -> Self {
        let alive = entities.alive();
        let span = Span::up_to(alive.len()).and(data.words()).and(filter.words());
        Self { data, filter, alive: alive.as_ptr(), first: span.first as usize, words: span.end as usize }
    }

    /// The rows of a word.
    ///
    /// # Safety
    /// `word < self.words`, and the world is still borrowed.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) unsafe fn mask(&self, word: usize) -> u64 {
        debug_assert!(word < self.words);
        // SAFETY: `words` is at most each part's number of words.
        let mask = unsafe { self.data.mask(word) & self.filter.mask(word) };
        // Only the living hold components (unless whole columns were swapped, which makes a mess of entities, but of
        // values that are there): who requires a component need not ask.
        // SAFETY: `words` is at most the number of words of `alive`.
        if S::REQUIRED || F::REQUIRED { mask } else { mask & unsafe { *self.alive.add(word) } }
    }

    /// The rows of `EMPTY` words in one.
    ///
    /// # Safety
    /// As for `mask`, of all these words.
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn any(&self, word: usize) -> u64 {
        let (mut any, mut i) = (0, 0);
        // no iterator, which would be more functions for the compiler to make for each query
        while i < EMPTY {
            // SAFETY: the caller's promise.
            any |= unsafe { self.mask(word + i) };
            i += 1;
        }
        any
    }

    /// The word after the run of full words that begins with `start`; the run ends with the page of so many words, at the
    /// latest.
    ///
    /// # Safety
    /// As for `mask`; the word `start` is full.
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn end_of_full(&self, start: usize, page: usize) -> usize {
        let (mut word, end) = (start + 1, self.words.min((start / page + 1) * page));
        // SAFETY: within bounds.
        while word < end && unsafe { self.mask(word) } == u64::MAX {
            word += 1;
        }
        word
    }

    /// Calls `f` with every item from word `from` on.
    ///
    /// # Safety
    /// The columns are those of `D`, of a world that is borrowed such that every item may be given out once.
    #[inline(always)]
    pub(crate) unsafe fn each<'q, D: Data<Columns = S>>(&self, from: usize, mut f: impl FnMut(D::Item<'q>)) {
        let (mut word, mut empty) = (from, 0);
        while word < self.words {
            // SAFETY: the world is borrowed.
            let start = unsafe { self.filter.next(word) };
            if start >= self.words {
                break;
            }
            // SAFETY: within bounds.
            let mask = unsafe { self.mask(start) };
            word = start + 1;
            if mask == 0 {
                // Where nothing was for so long, there may be nothing for long.
                empty += 1;
                // SAFETY: within bounds.
                while empty >= EMPTY && word + EMPTY <= self.words && unsafe { self.any(word) } == 0 {
                    word += EMPTY;
                }
                continue;
            }
            empty = 0;
            // SAFETY: within bounds.
            let base = unsafe { D::base(self.data, start) };
            // With debug assertions: less to be made for each query. By `cfg`, since the compiler also walks through what a
            // branch that is never taken mentions.
            #[cfg(debug_assertions)]
            for bit in Bits(mask) {
                // SAFETY: the slot matches, and is given once.
                f(unsafe { D::at(base, bit) });
            }
            #[cfg(not(debug_assertions))]
            if let Some((from, mut to)) = only_run(mask) {
                if mask == u64::MAX {
                    // SAFETY: within bounds.
                    word = unsafe { self.end_of_full(start, D::WORDS) };
                    to = (word - start) * 64;
                }
                for i in from..to {
                    // SAFETY: all slots of the run match, within the base's words; each is given once.
                    f(unsafe { D::at(base, i) });
                }
            } else {
                // Two to a round, which is faster by a third where bits are scattered.
                let mut bits = Bits(mask);
                while let Some(bit) = bits.next() {
                    // SAFETY: the slot matches, and is given once.
                    f(unsafe { D::at(base, bit) });
                    let Some(bit) = bits.next() else { break };
                    // SAFETY: the slot matches, and is given once.
                    f(unsafe { D::at(base, bit) });
                }
            }
        }
    }
}

/// How many words are looked at together where there was nothing in as many.
const EMPTY: usize = 8;

/// The set bits of a word that has some as a range, if they are one run that is worth a loop of its own: so are those of
/// a kind that has not filled its block.
#[cfg(not(debug_assertions))]
#[inline(always)]
fn only_run(mask: u64) -> Option<(usize, usize)> {
    const WORTH: u64 = (1 << 4) - 1;
    let from = mask.trailing_zeros();
    let run = mask >> from;
    // both are asked, so that there is one branch, which scattered bits hardly ever take
    ((run & run.wrapping_add(1) == 0) & (run >= WORTH))
        .then(|| (from as usize, (from + run.trailing_ones()) as usize))
}

/// The items of a query, in the order of their slots.
///
/// `for_each` and `fold` are a little faster than a `for` loop: they walk runs without asking after each item.
pub struct Iter<'q, D: Data, F: Filter = ()> {
    /// The run in hand: slots from the base on, which is set when there are some.
    base: MaybeUninit<D::Base>,
    at: usize,
    end: usize,
    rest: RemainingRows<D, F>,
    borrow: PhantomData<&'q mut ()>,
}

/// What comes after the run in hand. It stands apart, so that a loop can keep the run in registers.
struct RemainingRows<D: Data, F: Filter> {
    rows: RowsOf<D, F>,
    /// The next word to look at.
    word: usize,
    /// The bits of the word before it that are left.
    bits: u64,
}

impl<D: Data, F: Filter> RemainingRows<D, F> {
    /// The base of the next run, and where it begins and ends.
    #[inline]
    fn next_run(&mut self) -> Option<(D::Base, usize, usize)> {
        while self.bits == 0 {
            if self.word >= self.rows.words {
                return None;
            }
            // SAFETY: the world is borrowed.
            let start = unsafe { self.rows.filter.next(self.word) };
            if start >= self.rows.words {
                return None;
            }
            // SAFETY: within bounds.
            self.bits = unsafe { self.rows.mask(start) };
            self.word = start + 1;
            if self.bits == u64::MAX {
                self.bits = 0;
                // SAFETY: within bounds.
                self.word = unsafe { self.rows.end_of_full(start, D::WORDS) };
                // SAFETY: within bounds, and all slots match.
                return Some((unsafe { D::base(self.rows.data, start) }, 0, (self.word - start) * 64));
            }
        }
        let from = self.bits.trailing_zeros();
        let to = from + (self.bits >> from).trailing_ones();
        self.bits &= self.bits.wrapping_add(1 << from); // the carry clears the lowest run
        // SAFETY: within bounds, since the bits are those of the word before.
        Some((unsafe { D::base(self.rows.data, self.word - 1) }, from as usize, to as usize))
    }
}

impl<'q, D: Data, F: Filter> Iter<'q, D, F> {
    /// # Safety
    /// The columns are those of `D` and `F`, of a world that is borrowed for `'q` such that every item may be given out once.
    #[inline(always)]
    pub(crate) unsafe fn new(rows: RowsOf<D, F>) -> Self {
        let rest = RemainingRows { rows, word: rows.first, bits: 0 };
        Self { base: MaybeUninit::uninit(), at: 0, end: 0, rest, borrow: PhantomData }
    }
}

impl<'q, D: Data, F: Filter> Iterator for Iter<'q, D, F> {
    type Item = D::Item<'q>;

    #[inline(always)]
    fn next(&mut self) -> Option<D::Item<'q>> {
        if self.at == self.end {
            let (base, at, end) = self.rest.next_run()?;
            self.base.write(base);
            (self.at, self.end) = (at, end);
        }
        self.at += 1;
        // SAFETY: the base was written when the run was found; all its slots match, and each is given once.
        Some(unsafe { D::at(self.base.assume_init(), self.at - 1) })
    }

    #[inline(always)]
    fn fold<B, G: FnMut(B, D::Item<'q>) -> B>(mut self, init: B, mut f: G) -> B {
        let mut folded = Some(init);
        let mut step = |item| {
            if let Some(value) = folded.take() {
                folded = Some(f(value, item));
            }
        };
        // what a loop has begun, to the end of its word
        while self.at < self.end || self.rest.bits != 0 {
            self.next().into_iter().for_each(&mut step);
        }
        // SAFETY: the rest, by the promise made in `new`.
        unsafe { self.rest.rows.each::<D>(self.rest.word, &mut step) };
        folded.expect("put back after every step")
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let known = self.end - self.at + self.rest.bits.count_ones() as usize;
        (known, Some(known + self.rest.rows.words.saturating_sub(self.rest.word) * 64))
    }
}

impl<D: Data, F: Filter> core::iter::FusedIterator for Iter<'_, D, F> {}

/// The iterator of a query that only reads is `Clone`: a clone continues where the original is.
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
        // several iterators may give the same items, since these only read
        let Self { base, at, end, ref rest, borrow } = *self;
        let rest = RemainingRows { rows: rest.rows, word: rest.word, bits: rest.bits };
        Self { base, at, end, rest, borrow }
    }
}

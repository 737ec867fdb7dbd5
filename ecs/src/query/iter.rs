//! The loops over the rows of a query.
//!
//! Per word of 64 slots the columns' bits are combined; full words merge into runs that are walked by a straight
//! loop, which vectorises; other words go bit by bit.
#![expect(unsafe_code, reason = "items are made from the bits that were just seen")]

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::data::Data;
use super::filter::Filter;
use crate::entity::allocator::Entities;
use crate::storage::mask::Bits;

/// The columns that a query looks at, without a borrow.
pub(crate) struct Rows<D: Data, F: Filter> {
    pub(crate) data: D::Columns,
    filter: F::Columns,
    alive: *const u64,
    /// How many words there are to look at: no more than any part has.
    pub(crate) words: usize,
}

impl<D: Data, F: Filter> Clone for Rows<D, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: Data, F: Filter> Copy for Rows<D, F> {}

impl<D: Data, F: Filter> Rows<D, F> {
    #[inline(always)]
    pub(crate) fn new(data: D::Columns, filter: F::Columns, entities: &Entities) -> Self {
        let alive = entities.alive();
        let words = alive.len().min(D::words(data)).min(F::words(filter));
        Self { data, filter, alive: alive.as_ptr(), words }
    }

    /// The rows of a word.
    ///
    /// # Safety
    /// `word < self.words`, and the world is still borrowed.
    #[inline(always)]
    pub(crate) unsafe fn mask(&self, word: usize) -> u64 {
        debug_assert!(word < self.words);
        // SAFETY: `words` is at most each part's number of words.
        let mask = unsafe { D::mask(self.data, word) & F::mask(self.filter, word) };
        // Only the living hold components: who requires one need not ask.
        // SAFETY: `words` is at most the number of words of `alive`.
        if D::REQUIRED || F::REQUIRED { mask } else { mask & unsafe { *self.alive.add(word) } }
    }

    /// Calls `f` with every item from word `from` on.
    ///
    /// # Safety
    /// The world is borrowed such that every item may be given out once.
    #[inline(always)]
    pub(crate) unsafe fn each<'q>(&self, from: usize, mut f: impl FnMut(D::Item<'q>)) {
        let mut word = from;
        while word < self.words {
            let start = word;
            let end = self.words.min((word / D::WORDS + 1) * D::WORDS);
            // SAFETY: the word is within bounds; the base is good until `end`.
            let base = unsafe { D::base(self.data, start) };
            while word < end {
                // SAFETY: within bounds.
                let mask = unsafe { self.mask(word) };
                if mask == u64::MAX {
                    let run = word;
                    word += 1;
                    // SAFETY: within bounds.
                    while word < end && unsafe { self.mask(word) } == u64::MAX {
                        word += 1;
                    }
                    for i in (run - start) * 64..(word - start) * 64 {
                        // SAFETY: all slots of the run match; each is given once.
                        f(unsafe { D::at(base, i) });
                    }
                } else {
                    for bit in Bits(mask) {
                        // SAFETY: the slot matches, and is given once.
                        f(unsafe { D::at(base, (word - start) * 64 + bit) });
                    }
                    word += 1;
                }
            }
        }
    }
}

/// The items of a query, in the order of their slots.
///
/// `for_each` and `fold` are faster than a `for` loop: they walk runs without asking after each item.
pub struct Iter<'q, D: Data, F: Filter = ()> {
    rows: Rows<D, F>,
    /// The next word to look at.
    word: usize,
    /// What is left of the word before.
    bits: u64,
    /// The base of that word; set when `bits` is not zero.
    base: MaybeUninit<D::Base>,
    borrow: PhantomData<&'q mut ()>,
}

impl<D: Data, F: Filter> Iter<'_, D, F> {
    /// # Safety
    /// The world is borrowed for `'q` such that every item may be given out once.
    #[inline(always)]
    pub(crate) unsafe fn new(rows: Rows<D, F>) -> Self {
        Self { rows, word: 0, bits: 0, base: MaybeUninit::uninit(), borrow: PhantomData }
    }
}

impl<'q, D: Data, F: Filter> Iterator for Iter<'q, D, F> {
    type Item = D::Item<'q>;

    #[inline(always)]
    fn next(&mut self) -> Option<D::Item<'q>> {
        while self.bits == 0 {
            if self.word >= self.rows.words {
                return None;
            }
            // SAFETY: within bounds.
            unsafe {
                self.bits = self.rows.mask(self.word);
                self.base.write(D::base(self.rows.data, self.word));
            }
            self.word += 1;
        }
        let bit = self.bits.trailing_zeros() as usize;
        self.bits &= self.bits - 1;
        // SAFETY: the base was written when the bits were read; the slot matches, and is given once.
        Some(unsafe { D::at(self.base.assume_init(), bit) })
    }

    #[inline(always)]
    fn fold<B, G: FnMut(B, D::Item<'q>) -> B>(self, init: B, mut f: G) -> B {
        let mut folded = Some(init);
        let mut step = |item| {
            if let Some(value) = folded.take() {
                folded = Some(f(value, item));
            }
        };
        for bit in Bits(self.bits) {
            // SAFETY: as in `next`.
            step(unsafe { D::at(self.base.assume_init(), bit) });
        }
        // SAFETY: the rest, by the promise made in `new`.
        unsafe { self.rows.each(self.word, &mut step) };
        folded.expect("put back after every step")
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some((self.rows.words - self.word + 1) * 64))
    }
}

impl<D: Data, F: Filter> core::iter::FusedIterator for Iter<'_, D, F> {}

//! [`SlotMatcher`]: the slots that a query or a filter matches, computed from the columns' presence
//! masks.
//!
//! The types here hold addresses of columns and do not name the types of the values. So all queries
//! of one shape, for example of two components, find their rows by the same functions, which are
//! compiled once; only the access to values is compiled for each query. In builds with debug
//! assertions (`dev`) these functions are called; in other builds they are inlined.
//!
//! Functions with `cfg_attr(not(debug_assertions), inline(always))` are dev calls: see
//! `docs/compile-times.md`.
#![expect(unsafe_code, reason = "columns' bits are read by address")]

use crate::base::mask::Span;
use crate::base::tuples::for_tuples;
use crate::storage::packed::placement::PlacedSlots;
use crate::storage::table::{GROUP, RawTable};

/// The addresses of columns, and the slots that match according to them.
///
/// # Safety
/// `mask` sets only bits of slots for which the [`Data`](super::Data) with these columns may make
/// items, or which pass the [`Filter`](super::Filter) with these columns. `mask` may be called for
/// every word below the end of `words`, and no slot beyond matches.
pub unsafe trait SlotMatcher: Copy {
    /// Whether a slot matches only if its entity has some component.
    const REQUIRED: bool = false;
    /// The range of words in which slots may match; [`Span::ALL`] if these columns do not limit it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn words(self) -> Span {
        Span::ALL
    }
    /// The slots of a packed column, if these columns demand one: no other slot matches.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn placed(self) -> PlacedSlots {
        PlacedSlots::ALL
    }
    /// The slots of `word` that match, one bit for each.
    ///
    /// # Safety
    /// `word` is below the end of `words`, and the columns are still borrowed.
    unsafe fn mask(self, word: usize) -> u64;
    /// Whether a slot matches, of any word.
    ///
    /// # Safety
    /// The columns are still borrowed.
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn has(self, slot: usize) -> bool {
        // SAFETY: the word is one of the words of the columns.
        self.words().contains(slot / 64) && unsafe { self.mask(slot / 64) } >> (slot % 64) & 1 == 1
    }
    /// The first word at or after `word` in which a slot may match.
    ///
    /// # Safety
    /// The columns are still borrowed.
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn next(self, word: usize) -> usize {
        word
    }
    /// The words of a [group](GROUP) in which slots may match, one bit for each.
    ///
    /// # Safety
    /// The first word of the group is below the end of `words`, and the columns are still borrowed.
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn used(self, _group: usize) -> u64 {
        u64::MAX
    }
    /// Whether `mask` costs about as much as `has` of each slot, so that `has` is called instead.
    const BY_SLOT: bool = false;
    /// Whether items or matches depend on what was added or changed since a tick.
    const DATED: bool = false;
    /// These columns with another tick since which values count as added or changed.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[must_use]
    fn since(self, _tick: u64) -> Self {
        self
    }
}

/// A column that the entity must have a value in.
#[derive(Clone, Copy)]
pub struct RequiredColumn(pub(crate) RawTable);

// SAFETY: the mask is the presence mask of the column.
unsafe impl SlotMatcher for RequiredColumn {
    const REQUIRED: bool = true;
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn words(self) -> Span {
        self.0.words()
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn placed(self) -> PlacedSlots {
        self.0.placed()
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn mask(self, word: usize) -> u64 {
        // SAFETY: the caller promises that `word` is below the end of `words`, the column's number
        // of words.
        unsafe { self.0.mask(word) }
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn used(self, group: usize) -> u64 {
        // SAFETY: the caller promises that the group begins below the end of `words`, the column's
        // number of words.
        unsafe { self.0.used(group) }
    }
}

/// Columns that do not restrict the query: every slot matches, and the item asks them itself.
#[derive(Clone, Copy)]
pub struct OptionalColumns<S>(pub(super) S);

// SAFETY: the items of `Option` and `Is` ask the columns, so they may be made for every slot.
unsafe impl<S: SlotMatcher> SlotMatcher for OptionalColumns<S> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn mask(self, _: usize) -> u64 {
        u64::MAX
    }
    const DATED: bool = S::DATED;
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn since(self, tick: u64) -> Self {
        Self(self.0.since(tick))
    }
}

/// A column that the entity must not have a value in.
#[derive(Clone, Copy)]
pub struct ExcludedColumn(pub(crate) RawTable);

// SAFETY: the mask is the complement of the column's presence mask.
unsafe impl SlotMatcher for ExcludedColumn {
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn mask(self, word: usize) -> u64 {
        !self.0.mask_or_empty(word)
    }
}

/// Matches no slot.
#[derive(Clone, Copy)]
pub struct MatchesNothing;

// SAFETY: the mask is always zero.
unsafe impl SlotMatcher for MatchesNothing {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn words(self) -> Span {
        Span::NONE
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn mask(self, _: usize) -> u64 {
        0
    }
}

/// Matches the slots that `S` does not match.
#[derive(Clone, Copy)]
pub struct Inverted<S>(pub(super) S);

// SAFETY: the mask is the complement of the mask of `S`; beyond the words of `S`, no slot matches
// `S`, so all match here.
unsafe impl<S: SlotMatcher> SlotMatcher for Inverted<S> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn mask(self, word: usize) -> u64 {
        // SAFETY: the word is one of the words of `S`.
        if self.0.words().contains(word) { unsafe { !self.0.mask(word) } } else { u64::MAX }
    }
    const DATED: bool = S::DATED;
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn since(self, tick: u64) -> Self {
        Self(self.0.since(tick))
    }
}

/// Matches the slots that at least one element of the tuple `S` matches.
#[derive(Clone, Copy)]
pub struct MatchesAny<S>(pub(super) S);

macro_rules! tuples {
    ($($name:ident $index:tt)*) => {
        // SAFETY: the mask is the intersection of the elements' masks.
        unsafe impl<$($name: SlotMatcher),*> SlotMatcher for ($($name,)*) {
            const REQUIRED: bool = false $(|| $name::REQUIRED)*;
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn words(self) -> Span {
                Span::ALL$(.and(self.$index.words()))*
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn placed(self) -> PlacedSlots {
                PlacedSlots::ALL$(.or(self.$index.placed()))*
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            #[allow(unused_variables)]
            unsafe fn mask(self, word: usize) -> u64 {
                let mask = u64::MAX;
                // SAFETY: the word is below the end of `words`, which is the smallest of the
                // elements' ends.
                $(let mask = mask & unsafe { self.$index.mask(word) };)*
                mask
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            #[allow(unused_variables)]
            unsafe fn has(self, slot: usize) -> bool {
                // SAFETY: the caller promises that the columns are still borrowed.
                true $(&& unsafe { self.$index.has(slot) })*
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            unsafe fn next(self, word: usize) -> usize {
                // SAFETY: the caller promises that the columns are still borrowed.
                $(let word = unsafe { self.$index.next(word) };)*
                word
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            #[allow(unused_variables)]
            unsafe fn used(self, group: usize) -> u64 {
                let used = u64::MAX;
                // SAFETY: the group begins below the end of `words`, which is the smallest of the
                // elements' ends.
                $(let used = used & unsafe { self.$index.used(group) };)*
                used
            }
            const BY_SLOT: bool = false $(|| $name::BY_SLOT)*;
            const DATED: bool = false $(|| $name::DATED)*;
            #[cfg_attr(not(debug_assertions), inline(always))]
            #[allow(unused_variables, clippy::unused_unit)]
            fn since(self, tick: u64) -> Self {
                ($(self.$index.since(tick),)*)
            }
        }
        // SAFETY: the mask is the union of the elements' masks; an element is asked for its own
        // words only, and matches nothing beyond.
        unsafe impl<$($name: SlotMatcher),*> SlotMatcher for MatchesAny<($($name,)*)> {
            const REQUIRED: bool = true $(&& $name::REQUIRED)*;
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn words(self) -> Span {
                Span::NONE$(.or(self.0.$index.words()))*
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            #[allow(unused_variables)]
            unsafe fn mask(self, word: usize) -> u64 {
                let mask = 0;
                $(let mask = mask | if self.0.$index.words().contains(word) {
                    // SAFETY: the word is one of the words of this element.
                    unsafe { self.0.$index.mask(word) }
                } else { 0 };)*
                mask
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            #[allow(unused_variables)]
            unsafe fn used(self, group: usize) -> u64 {
                let used = 0;
                $(let used = used | if self.0.$index.words().contains(group * GROUP) {
                    // SAFETY: the first word of the group is one of the words of this element.
                    unsafe { self.0.$index.used(group) }
                } else { 0 };)*
                used
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            #[allow(unused_variables)]
            unsafe fn next(self, word: usize) -> usize {
                let next = usize::MAX;
                // SAFETY: the caller promises that the columns are still borrowed.
                $(let next = next.min(unsafe { self.0.$index.next(word) });)*
                next
            }
            const DATED: bool = false $(|| $name::DATED)*;
            #[cfg_attr(not(debug_assertions), inline(always))]
            #[allow(unused_variables, clippy::unused_unit)]
            fn since(self, tick: u64) -> Self {
                Self(($(self.0.$index.since(tick),)*))
            }
        }
    };
}

tuples!();
for_tuples!(tuples);

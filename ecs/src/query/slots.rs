//! Which slots match: columns as addresses, without the types of their values.
//!
//! Queries of one shape, say of two components, look for their rows by the same functions: these are compiled once, and
//! only what reaches the values is compiled for each query. With debug assertions, as in `dev` builds, they are called, and
//! inlined without.
#![expect(unsafe_code, reason = "columns' bits are read by address")]

use crate::base::mask::Span;
use crate::storage::table::RawTable;

/// Columns as addresses, which say which slots match.
///
/// # Safety
/// `mask` has bits only of slots that may be given out by the [`Data`](super::Data), or pass the
/// [`Filter`](super::Filter), whose columns these are. It may be asked for every word below the end of `words`, and nothing
/// matches beyond.
pub unsafe trait SlotMatcher: Copy {
    /// Whether an entity must have some component to match.
    const REQUIRED: bool = false;
    /// How many words there are to look at; all if that is not for these columns to say.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn words(self) -> Span {
        Span::ALL
    }
    /// The slots of a word that match.
    ///
    /// # Safety
    /// `word` is below the end of `words`, and the columns are still borrowed.
    unsafe fn mask(self, word: usize) -> u64;
    /// The first word, `word` or a later one, of which some slot may match.
    ///
    /// # Safety
    /// The columns are still borrowed.
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn next(self, word: usize) -> usize {
        word
    }
}

/// A column whose values must be there.
#[derive(Clone, Copy)]
pub struct RequiredColumn(pub(crate) RawTable);

// SAFETY: the mask is the column's own.
unsafe impl SlotMatcher for RequiredColumn {
    const REQUIRED: bool = true;
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn words(self) -> Span {
        self.0.words()
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn mask(self, word: usize) -> u64 {
        // SAFETY: the word is within bounds.
        unsafe { self.0.mask(word) }
    }
}

/// A column whose values are given where they are: items look at the bits themselves.
#[derive(Clone, Copy)]
pub struct OptionalColumn(pub(crate) RawTable);

// SAFETY: every slot may be asked.
unsafe impl SlotMatcher for OptionalColumn {
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn mask(self, _: usize) -> u64 {
        u64::MAX
    }
}

/// A column whose values must not be there.
#[derive(Clone, Copy)]
pub struct ExcludedColumn(pub(crate) RawTable);

// SAFETY: the mask is the opposite of the column's own.
unsafe impl SlotMatcher for ExcludedColumn {
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn mask(self, word: usize) -> u64 {
        !self.0.mask_or_empty(word)
    }
}

/// Nothing matches.
#[derive(Clone, Copy)]
pub struct MatchesNothing;

// SAFETY: there are no bits.
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

/// What others do not match.
#[derive(Clone, Copy)]
pub struct Inverted<S>(pub(super) S);

// SAFETY: the mask is the opposite of the other's; beyond the other's words nothing matched it.
unsafe impl<S: SlotMatcher> SlotMatcher for Inverted<S> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn mask(self, word: usize) -> u64 {
        // SAFETY: below the end of the other's words.
        if self.0.words().contains(word) { unsafe { !self.0.mask(word) } } else { u64::MAX }
    }
}

/// What any of a tuple match.
#[derive(Clone, Copy)]
pub struct MatchesAny<S>(pub(super) S);

macro_rules! tuples {
    ($($name:ident $index:tt),*) => {
        // SAFETY: the mask is the intersection.
        unsafe impl<$($name: SlotMatcher),*> SlotMatcher for ($($name,)*) {
            const REQUIRED: bool = false $(|| $name::REQUIRED)*;
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn words(self) -> Span {
                Span::ALL$(.and(self.$index.words()))*
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            #[allow(unused_variables)]
            unsafe fn mask(self, word: usize) -> u64 {
                let mask = u64::MAX;
                // SAFETY: the word is below the smallest of their counts.
                $(let mask = mask & unsafe { self.$index.mask(word) };)*
                mask
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            unsafe fn next(self, word: usize) -> usize {
                // SAFETY: the caller's promise.
                $(let word = unsafe { self.$index.next(word) };)*
                word
            }
        }
        // SAFETY: the mask is the union; a member does not speak beyond its own words.
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
                    // SAFETY: below the end of the member's words.
                    unsafe { self.0.$index.mask(word) }
                } else { 0 };)*
                mask
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            #[allow(unused_variables)]
            unsafe fn next(self, word: usize) -> usize {
                let next = usize::MAX;
                // SAFETY: the caller's promise.
                $(let next = next.min(unsafe { self.0.$index.next(word) });)*
                next
            }
        }
    };
}

macro_rules! all_tuples {
    (@ [$($done:ident $at:tt),*]) => { tuples!($($done $at),*); };
    (@ [$($done:ident $at:tt),*] $name:ident $index:tt $($more:tt)*) => {
        tuples!($($done $at),*);
        all_tuples!(@ [$($done $at,)* $name $index] $($more)*);
    };
}
all_tuples!(@ [] A 0 B 1 C 2 D 3 E 4 G 5 H 6 I 7 J 8 K 9 L 10 M 11);

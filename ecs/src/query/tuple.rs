//! Implementations of [`Data`] and [`Filter`] for tuples of up to twelve elements.
#![expect(unsafe_code, reason = "forwards the contracts of the elements")]

use super::chunk::ChunkData;
use super::data::{Borrows, Data, QueryData, ReadData, WorldData};
use super::filter::{Filter, QueryFilter};
use crate::base::access::Access;
use crate::base::page;
use crate::base::tuples::for_tuples;
use crate::base::typeset::EmptySet;
use crate::raw_world::{RawWorld, WorldCell};

macro_rules! data_tuples {
    ($($name:ident $index:tt $before:ty),+; $last:ty) => {
        // SAFETY: `WORDS` is the smallest of the elements' `WORDS`, and all of these are powers of
        // two, so it divides each of them. Each element upholds the rest of the contract for its
        // own columns, base and item.
        unsafe impl<$($name: Data),+> Data for ($($name,)+) {
            type Columns = ($($name::Columns,)+);
            type Base = ($($name::Base,)+);
            type Item<'q> = ($($name::Item<'q>,)+);
            type ReadOnly = ($($name::ReadOnly,)+);
            const WORDS: usize = {
                let mut words = page::MAX_WORDS;
                $(if $name::WORDS < words { words = $name::WORDS; })+
                words
            };
            #[inline(always)]
            unsafe fn base(columns: Self::Columns, word: usize) -> Self::Base {
                // SAFETY: the caller's word is below the end of the tuple's `words`, which is the
                // smallest of the elements' ends.
                unsafe { ($($name::base(columns.$index, word),)+) }
            }
            #[inline(always)]
            unsafe fn at<'q>(base: Self::Base, i: usize) -> Self::Item<'q> {
                // SAFETY: the mask of the tuple is the intersection of the elements' masks, so the
                // bit is set in each of them.
                unsafe { ($($name::at(base.$index, i),)+) }
            }
        }
        // SAFETY: `ACCESS` is the union of the elements' accesses, and each element's columns are
        // those of `world`.
        unsafe impl<W: RawWorld, $($name: QueryData<W>),+> QueryData<W> for ($($name,)+) {
            const ACCESS: Access = Access::NONE$(.and($name::ACCESS))+;
            #[inline(always)]
            unsafe fn columns(world: WorldCell<'_, W>) -> Self::Columns {
                // SAFETY: `ACCESS` contains the access of every element, so the caller's promise
                // holds for each of them.
                unsafe { ($($name::columns(world),)+) }
            }
        }
        // SAFETY: every element implements `ReadData`, so no part of an item gives mutable access.
        unsafe impl<$($name: ReadData),+> ReadData for ($($name,)+) {}
        // SAFETY: every element gives access to rows `from..from + len` only, by its own
        // implementation of `ChunkData`.
        unsafe impl<$($name: ChunkData),+> ChunkData for ($($name,)+) {
            type Chunk<'q> = ($($name::Chunk<'q>,)+);
            #[inline(always)]
            unsafe fn chunk<'q>(base: Self::Base, from: usize, len: usize) -> Self::Chunk<'q> {
                // SAFETY: the rows match the tuple, so they match every element; `WORDS` of the
                // tuple is at most that of the element.
                unsafe { ($($name::chunk(base.$index, from, len),)+) }
            }
        }
        impl<W: RawWorld, S, $($name: Borrows<W, $before>),+> Borrows<W, S> for ($($name,)+) {
            type Out = $last;
        }
        impl<W: RawWorld, $($name),+> WorldData<W> for ($($name,)+)
        where
            ($($name,)+): Borrows<W, EmptySet>,
        {
        }
    };
}

macro_rules! filter_tuples {
    ($($name:ident $index:tt),*) => {
        // SAFETY: the mask of a tuple of columns is the intersection, so an entity passes only if
        // it passes every filter.
        unsafe impl<$($name: Filter),*> Filter for ($($name,)*) {
            type Columns = ($($name::Columns,)*);
            const VALUE: Self = ($($name::VALUE,)*);
        }
        // SAFETY: an entity that passes satisfies every filter's `ACCESS`; one that does not pass
        // satisfies the `NEGATED` of at least one filter.
        unsafe impl<W: RawWorld, $($name: QueryFilter<W>),*> QueryFilter<W> for ($($name,)*) {
            const ACCESS: Access = Access::NONE$(.and($name::ACCESS))*;
            const NEGATED: Access = Access::any_of(&[$($name::NEGATED),*]);
            #[inline(always)]
            #[allow(unused_variables, clippy::unused_unit)]
            unsafe fn columns(world: WorldCell<'_, W>) -> Self::Columns {
                // SAFETY: `ACCESS` contains the access of every filter, so the caller's promise
                // holds for each of them.
                $(let $name = unsafe { $name::columns(world) };)*
                ($($name,)*)
            }
            const REPLACES: bool = false $(|| $name::REPLACES)*;
            #[inline(always)]
            #[allow(unused_variables)]
            unsafe fn replaced(world: WorldCell<'_, W>, word: usize, tick: u64) -> u64 {
                // SAFETY: `ACCESS` contains the access of every filter, so the caller's promise
                // holds for each of them.
                0 $(| unsafe { $name::replaced(world, word, tick) })*
            }
        }
    };
}

macro_rules! all_tuples {
    ($first:ident $zero:tt $($name:ident $index:tt)*) => {
        all_tuples!(& [] $first $zero S; $($name $index)*);
        #[allow(non_snake_case)]
        const _: () = { filter_tuples!($first $zero $(, $name $index)*); };
    };
    (& [$($done:tt)*] $name:ident $index:tt $before:ty; $next:ident $later:tt $($more:tt)*) => {
        all_tuples!(& [$($done)* $name $index $before,] $next $later <$name as Borrows<W, $before>>::Out; $($more)*);
    };
    (& [$($n:ident $i:tt $b:ty,)*] $name:ident $index:tt $before:ty;) => {
        data_tuples!($($n $i $b,)* $name $index $before; <$name as Borrows<W, $before>>::Out);
    };
}

filter_tuples!();
for_tuples!(all_tuples);

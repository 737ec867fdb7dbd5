//! `Option<D>` as query data: every entity matches, and has no item if it does not match `D`.
#![expect(unsafe_code, reason = "forwards the contract of the data, after its mask was seen")]

use core::mem::MaybeUninit;

use super::data::{Borrows, Data, QueryData, ReadData, WorldData};
use super::slots::{OptionalColumns, SlotMatcher};
use crate::base::access::Access;
use crate::raw_world::{RawWorld, WorldCell};

/// The slots of a word that match some data, and the base of the data for this word.
///
/// # Invariants
/// If a bit of `mask` is set, the slot matches, and `base` has the base of the word.
pub struct OptionalBase<S, B> {
    columns: S,
    word: usize,
    mask: u64,
    base: MaybeUninit<B>,
}

copy!([S: Copy, B: Copy] OptionalBase<S, B>);

// SAFETY: an item is made only for a slot that matches `D`, by the mask or, with `BY_SLOT`, by
// `has`. A base is valid for one word (`WORDS` is 1).
unsafe impl<D: Data> Data for Option<D> {
    type Columns = OptionalColumns<D::Columns>;
    type Base = OptionalBase<D::Columns, D::Base>;
    type Item<'q> = Option<D::Item<'q>>;
    type ReadOnly = Option<D::ReadOnly>;
    #[inline(always)]
    unsafe fn base(OptionalColumns(columns): Self::Columns, word: usize) -> Self::Base {
        let has_mask = !D::Columns::BY_SLOT && columns.words().contains(word);
        // SAFETY: the word is one of the words of the columns, which are still borrowed.
        let mask = if has_mask { unsafe { columns.mask(word) } } else { 0 };
        let mut base = MaybeUninit::uninit();
        if mask != 0 {
            // SAFETY: a slot of the word matches.
            base.write(unsafe { D::base(columns, word) });
        }
        OptionalBase { columns, word, mask, base }
    }
    #[inline(always)]
    unsafe fn at<'q>(base: Self::Base, i: usize) -> Self::Item<'q> {
        let OptionalBase { columns, word, mask, base } = base;
        if D::Columns::BY_SLOT {
            // SAFETY: the columns are still borrowed, and the slot matches.
            return unsafe { columns.has(word * 64 + i).then(|| D::at(D::base(columns, word), i)) };
        }
        // SAFETY: if the bit of the slot is set, it matches, and the base is there. The caller
        // promises that no other item of this slot clashes.
        (mask >> i & 1 == 1).then(|| unsafe { D::at(base.assume_init(), i) })
    }
}

// SAFETY: the items give access to what those of `D` do. Entities that do not match `D` have
// `None`.
unsafe impl<D: QueryData<W>, W: RawWorld> QueryData<W> for Option<D> {
    const ACCESS: Access = D::ACCESS.without_filters();
    #[inline(always)]
    unsafe fn columns(world: WorldCell<'_, W>) -> Self::Columns {
        // SAFETY: the access without conditions reads and writes the same, so that the caller's
        // promise holds for `D`.
        OptionalColumns(unsafe { D::columns(world) })
    }
}

// SAFETY: the item is that of `D`, which only reads, or `None`.
unsafe impl<D: ReadData> ReadData for Option<D> {}

impl<D: Borrows<W, S>, W: RawWorld, S> Borrows<W, S> for Option<D> {
    type Out = D::Out;
}

impl<D: WorldData<W>, W: RawWorld> WorldData<W> for Option<D> {}

//! [`Chunks`]: iteration over a query in contiguous slices, for loops that the compiler can
//! vectorise.
#![expect(unsafe_code, reason = "slices are made over rows whose bits were seen")]

use core::marker::PhantomData;
use core::ptr::NonNull;

use super::data::{Data, EntityBase, ReadData};
use super::filter::Filter;
use super::iter::RowsOf;
use crate::entity::Entity;

/// [`Data`] that [`Query::chunks_mut`](super::Query::chunks_mut) can give as slices: `&T`, `&mut T`,
/// [`Entity`], [`Mut<T>`](crate::Mut) and [`Ref<T>`](crate::Ref) of tracked components, and tuples
/// of these. The chunk of a `#[derive(Query)]` struct whose fields are such data is the tuple of
/// their chunks.
///
/// # Safety
/// `chunk` gives access only to the slots `from..from + len` of the base.
#[diagnostic::on_unimplemented(
    message = "the rows of `{Self}` are not contiguous slices",
    label = "has no slices",
    note = "`chunks` and `chunks_mut` work with `&T`, `&mut T`, `Mut<T>`, `Ref<T>`, `Entity`, and tuples and `#[derive(Query)]` structs of these; filter with `With` and `Without`"
)]
pub unsafe trait ChunkData: Data {
    /// A slice, or a tuple of slices of equal length; for [`Entity`] an iterator.
    type Chunk<'q>;
    /// The `len` slots from slot `from` of the base on.
    ///
    /// # Safety
    /// All these slots match, they are within the `WORDS` of the base, and no other item clashes
    /// with them during `'q`.
    unsafe fn chunk<'q>(base: Self::Base, from: usize, len: usize) -> Self::Chunk<'q>;
}

// SAFETY: the slice has `len` values from slot `from` on.
unsafe impl<T: 'static> ChunkData for &T {
    type Chunk<'q> = &'q [T];
    #[inline(always)]
    unsafe fn chunk<'q>(base: NonNull<u8>, from: usize, len: usize) -> &'q [T] {
        // SAFETY: all slots match, so each has a value; all are within `WORDS` of the base, so the
        // values are in one page.
        unsafe { core::slice::from_raw_parts(base.cast::<T>().add(from).as_ptr(), len) }
    }
}

// SAFETY: the slice has `len` values from slot `from` on.
unsafe impl<T: 'static> ChunkData for &mut T {
    type Chunk<'q> = &'q mut [T];
    #[inline(always)]
    unsafe fn chunk<'q>(base: NonNull<u8>, from: usize, len: usize) -> &'q mut [T] {
        // SAFETY: all slots match, so each has a value; all are within `WORDS` of the base, so the
        // values are in one page. The caller promises that no other item clashes.
        unsafe { core::slice::from_raw_parts_mut(base.cast::<T>().add(from).as_ptr(), len) }
    }
}

// SAFETY: the run gives the ids of `len` slots from slot `from` on.
unsafe impl ChunkData for Entity {
    type Chunk<'q> = EntityRun<'q>;
    #[inline(always)]
    unsafe fn chunk<'q>(base: EntityBase, from: usize, len: usize) -> EntityRun<'q> {
        EntityRun { base, at: from, end: from + len, generations: PhantomData }
    }
}

/// Iterator over the ids of a chunk, in the order of their slots.
#[derive(Clone)]
pub struct EntityRun<'q> {
    base: EntityBase,
    at: usize,
    end: usize,
    generations: PhantomData<&'q [u32]>,
}

// SAFETY: a run reads the generations of the world that it borrows, which no one changes during the
// borrow, as a `&'q [u32]` does.
unsafe impl Send for EntityRun<'_> {}
// SAFETY: `&EntityRun` gives access to the same generations, which no one changes during the
// borrow.
unsafe impl Sync for EntityRun<'_> {}

impl Iterator for EntityRun<'_> {
    type Item = Entity;

    #[inline]
    fn next(&mut self) -> Option<Entity> {
        (self.at < self.end).then(|| {
            self.at += 1;
            // SAFETY: `ChunkData::chunk` makes runs of matching slots only, and `at` is below
            // `end`.
            unsafe { self.base.at(self.at - 1) }
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.end - self.at, Some(self.end - self.at))
    }
}

impl ExactSizeIterator for EntityRun<'_> {}

/// Iterator over a query in contiguous slices: see [`Query::chunks_mut`](super::Query::chunks_mut).
pub struct Chunks<'q, D: Data, F: Filter> {
    rows: RowsOf<D, F>,
    word: usize,
    /// The slots of word `word - 1` that were not given out yet.
    bits: u64,
    borrow: PhantomData<&'q mut ()>,
}

// SAFETY: the iterator gives ids and references to components. By the contract of `new` these are
// components of a world: `Send` and `Sync` by the contract of `Has`. The world is borrowed for as
// long as the iterator exists, which gives each item once.
unsafe impl<D: Data, F: Filter> Send for Chunks<'_, D, F> {}

impl<D: Data, F: Filter> Chunks<'_, D, F> {
    /// # Safety
    /// The columns are those of `D` and `F`, of a world that is borrowed for `'q` in such a way
    /// that every item may be given out once.
    pub(crate) unsafe fn new(rows: RowsOf<D, F>) -> Self {
        Self { word: rows.first, rows, bits: 0, borrow: PhantomData }
    }
}

/// `Chunks` is `Clone` if the query only reads: the clone continues at the position of the
/// original.
impl<D: ReadData, F: Filter> Clone for Chunks<'_, D, F> {
    fn clone(&self) -> Self {
        // two iterators may give the same rows, since `D` only reads
        let Self { rows, word, bits, borrow } = *self;
        Self { rows, word, bits, borrow }
    }
}

impl<'q, D: ChunkData, F: Filter> Iterator for Chunks<'q, D, F> {
    type Item = D::Chunk<'q>;

    fn next(&mut self) -> Option<D::Chunk<'q>> {
        while self.bits == 0 {
            if self.word >= self.rows.words {
                return None;
            }
            // SAFETY: the word is below `rows.words`, by the comparison above, and the world is
            // still borrowed.
            self.bits = unsafe { self.rows.mask(self.word) };
            self.word += 1;
        }
        let first_word = self.word - 1;
        let from = self.bits.trailing_zeros() as usize;
        let mut len = (!(self.bits >> from)).trailing_zeros() as usize;
        if from + len < 64 {
            self.bits &= !crate::base::mask::range(from, from + len);
        } else {
            self.bits = 0;
            let page_end = (first_word / D::WORDS + 1) * D::WORDS;
            while self.word < self.rows.words.min(page_end) {
                // SAFETY: the word is below `rows.words`, by the comparison above, and the world is
                // still borrowed.
                let mask = unsafe { self.rows.mask(self.word) };
                let more = (!mask).trailing_zeros() as usize;
                len += more;
                if more == 64 {
                    self.word += 1;
                    continue;
                }
                if more > 0 {
                    self.bits = mask & !crate::base::mask::range(0, more);
                    self.word += 1;
                }
                break;
            }
        }
        // SAFETY: the word is below `rows.words`. All `len` slots from `from` on match, and they
        // end before `page_end`, up to which the base of the first word is valid. `bits` and `word`
        // now point behind them, so each row is given once.
        Some(unsafe { D::chunk(D::base(self.rows.data, first_word), from, len) })
    }
}

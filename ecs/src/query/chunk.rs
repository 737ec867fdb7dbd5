//! The rows of a query as contiguous slices.
#![expect(unsafe_code, reason = "slices are made over rows whose bits were seen")]

use core::marker::PhantomData;
use core::ptr::NonNull;

use super::data::{Data, EntityBase, ReadData};
use super::filter::Filter;
use super::iter::RowsOf;
use crate::entity::Entity;

/// [`Data`] whose rows can be lent as slices: `&T`, `&mut T`, [`Entity`], and tuples of these.
///
/// # Safety
/// `chunk` gives access to the rows `from..from + len` of the base only.
#[diagnostic::on_unimplemented(
    message = "the rows of `{Self}` are not contiguous slices",
    label = "has no slices",
    note = "`chunks` works with `&T`, `&mut T`, `Entity` and tuples of these; filter with `With` and `Without`"
)]
pub unsafe trait ChunkData: Data {
    /// A slice, or a tuple of slices of one length.
    type Chunk<'q>;
    /// The rows from `from` on.
    ///
    /// # Safety
    /// All `len` rows match, lie within `WORDS` of the base, and nobody else has items of them that clash.
    unsafe fn chunk<'q>(base: Self::Base, from: usize, len: usize) -> Self::Chunk<'q>;
}

// SAFETY: the slice is over the rows asked for.
unsafe impl<T: 'static> ChunkData for &T {
    type Chunk<'q> = &'q [T];
    #[inline(always)]
    unsafe fn chunk<'q>(base: NonNull<u8>, from: usize, len: usize) -> &'q [T] {
        // SAFETY: every row has a value, all in one page.
        unsafe { core::slice::from_raw_parts(base.cast::<T>().add(from).as_ptr(), len) }
    }
}

// SAFETY: the slice is over the rows asked for.
unsafe impl<T: 'static> ChunkData for &mut T {
    type Chunk<'q> = &'q mut [T];
    #[inline(always)]
    unsafe fn chunk<'q>(base: NonNull<u8>, from: usize, len: usize) -> &'q mut [T] {
        // SAFETY: every row has a value, all in one page, and is nobody else's.
        unsafe { core::slice::from_raw_parts_mut(base.cast::<T>().add(from).as_ptr(), len) }
    }
}

// SAFETY: the ids are of the rows asked for.
unsafe impl ChunkData for Entity {
    type Chunk<'q> = EntityRun<'q>;
    #[inline(always)]
    unsafe fn chunk<'q>(base: EntityBase, from: usize, len: usize) -> EntityRun<'q> {
        EntityRun { base, at: from, end: from + len, generations: PhantomData }
    }
}

/// The ids of a chunk, in order.
#[derive(Clone)]
pub struct EntityRun<'q> {
    base: EntityBase,
    at: usize,
    end: usize,
    generations: PhantomData<&'q [u32]>,
}

impl Iterator for EntityRun<'_> {
    type Item = Entity;

    #[inline]
    fn next(&mut self) -> Option<Entity> {
        (self.at < self.end).then(|| {
            self.at += 1;
            // SAFETY: the run was made over slots that exist.
            unsafe { self.base.at(self.at - 1) }
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.end - self.at, Some(self.end - self.at))
    }
}

impl ExactSizeIterator for EntityRun<'_> {}

/// The rows of a query as slices: longest runs of matching slots, none longer than a page. See
/// [`Query::chunks`](super::Query::chunks).
pub struct Chunks<'q, D: Data, F: Filter> {
    rows: RowsOf<D, F>,
    word: usize,
    /// The bits of `word - 1` that are left, all below them cleared.
    bits: u64,
    borrow: PhantomData<&'q mut ()>,
}

impl<D: Data, F: Filter> Chunks<'_, D, F> {
    /// # Safety
    /// As for [`Iter::new`](super::Iter).
    pub(crate) unsafe fn new(rows: RowsOf<D, F>) -> Self {
        Self { word: rows.first, rows, bits: 0, borrow: PhantomData }
    }
}

/// The chunks of a query that only reads are `Clone`, as its [`Iter`](super::Iter) is.
impl<D: ReadData, F: Filter> Clone for Chunks<'_, D, F> {
    fn clone(&self) -> Self {
        // several may be given the same rows, since they are only read
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
            // SAFETY: within bounds.
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
                // SAFETY: within bounds.
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
        // SAFETY: the word is within bounds; all rows from `from` on match, and lie in one page, to which the base
        // of its first word is good; each row is given once.
        Some(unsafe { D::chunk(D::base(self.rows.data, first_word), from, len) })
    }
}

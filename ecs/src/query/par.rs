//! Iteration over a query on several threads: [`Query::par_for_each`], and systems that are marked `par`.
#![expect(unsafe_code, reason = "chunks of rows are given to different threads")]

use super::data::Data;
use super::filter::Filter;
use super::iter::{Rows, RowsOf};
use super::param::Query;
use crate::raw_world::{RawWorld, WorldCell};

impl<D: Data, F: Filter> Query<'_, D, F> {
    /// Calls `f` with every item, on the threads of the current `rayon` pool.
    ///
    /// The query is split into chunks of at most 4,096 slots, whatever the number of threads. The result does not depend on the
    /// number of threads as long as `f` changes only its item; changes to an atomic or behind a lock happen in any order. Without the
    /// feature `parallel`, the calls are made on the current thread, in the order of the slots.
    ///
    /// # Panics
    /// If a call of `f` panics. The rest of its chunk is not visited, every other chunk is, and then the panic of the first chunk that
    /// panicked is resumed. Without the feature `std` the first panic ends the iteration.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Component)] struct Heat(f64);
    /// # world! { struct Stove { components { Heat } } }
    /// # let mut stove = Stove::new();
    /// # stove.spawn_batch((0..10_000).map(|i| Heat(f64::from(i))));
    /// stove.query_mut::<&mut Heat>().par_for_each(|heat| heat.0 = heat.0.sqrt());
    /// ```
    pub fn par_for_each(&mut self, f: impl Fn(D::Item<'_>) + Send + Sync) {
        // SAFETY: `&mut self` borrows the query exclusively, so no other item of it exists during this call.
        unsafe { par_chunks::<D, F>(self.rows(), f) };
    }
}

/// Calls `f` with every item, chunk by chunk, on any thread.
///
/// # Safety
/// The world is borrowed in such a way that every item may be given out once.
unsafe fn par_chunks<D: Data, F: Filter>(rows: RowsOf<D, F>, f: impl Fn(D::Item<'_>) + Send + Sync) {
    let chunks = ParChunks::<D, F>(rows);
    // SAFETY: the caller promises that each item may be given out once; chunks do not overlap, and each is visited once.
    each_chunk(chunks.len(), &|chunk| unsafe { chunks.each(chunk, &f) });
}

/// Calls `each` with each number below `count`, on any thread. If some calls panic, all others are still made, so that the result
/// does not depend on which calls had begun; then the panic of the call with the lowest number is resumed. The function is not
/// generic, so that it is compiled once.
fn each_chunk(count: usize, each: &(dyn Fn(usize) + Sync)) {
    if count == 1 {
        return each(0);
    }
    #[cfg(feature = "std")]
    {
        use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
        use std::sync::{Mutex, PoisonError};

        let first = Mutex::new(None);
        let each = |chunk: usize| {
            if let Err(payload) = catch_unwind(AssertUnwindSafe(|| each(chunk))) {
                let mut first = first.lock().unwrap_or_else(PoisonError::into_inner);
                let other = match &*first {
                    Some((before, _)) if *before < chunk => Some(payload),
                    _ => first.replace((chunk, payload)).map(|(_, payload)| payload),
                };
                core::mem::forget(other); // the drop of a panic payload could panic
            }
        };
        #[cfg(feature = "parallel")]
        {
            use rayon::iter::{IntoParallelIterator, ParallelIterator};
            (0..count).into_par_iter().for_each(each);
        }
        #[cfg(not(feature = "parallel"))]
        (0..count).for_each(each);
        if let Some((_, payload)) = first.into_inner().unwrap_or_else(PoisonError::into_inner) {
            resume_unwind(payload);
        }
    }
    #[cfg(not(feature = "std"))]
    (0..count).for_each(each);
}

/// Calls a per-entity system that is marked `par` with every item: see [`each`](crate::system::each::each).
///
/// # Safety
/// As for [`query`](crate::system::param::query).
pub unsafe fn par_each<W: RawWorld, D: Data, F: Filter>(
    world: WorldCell<'_, W>,
    data: D::Columns,
    filter: F::Columns,
    f: impl Fn(D::Item<'_>) + Send + Sync,
) {
    // SAFETY: the columns are those of `D` and `F` by the contract of `query`. Every item is given out once, to `f`, which accepts any
    // lifetime and so cannot keep it.
    unsafe { par_chunks::<D, F>(Rows::new(data, filter, world.entities()), f) };
}

// SAFETY: `&Query` gives ids and shared references to components. By the contract of `Query::new` these are components of a
// world, and `Sync` by the contract of `Has`.
unsafe impl<D: Data, F: Filter> Sync for Query<'_, D, F> {}

/// The number of words (of 64 slots) in a chunk.
const WORDS: usize = 64;

/// The rows of a query, split into chunks of [`WORDS`] words.
struct ParChunks<D: Data, F: Filter>(RowsOf<D, F>);

// SAFETY: rows give ids and references to components. The rows are those of a `Query` or of `par_each`, whose contracts say that
// these are components of a world: `Send` and `Sync` by the contract of `Has`. The callers of `each` promise that no two items
// clash.
unsafe impl<D: Data, F: Filter> Sync for ParChunks<D, F> {}

impl<D: Data, F: Filter> ParChunks<D, F> {
    fn len(&self) -> usize {
        self.0.words.div_ceil(WORDS)
    }

    /// Calls `f` with the items of a chunk.
    ///
    /// # Safety
    /// The world is borrowed in such a way that every item of the chunk may be given out once.
    unsafe fn each(&self, chunk: usize, f: impl Fn(D::Item<'_>)) {
        let mut rows = self.0;
        rows.words = rows.words.min((chunk + 1) * WORDS);
        // SAFETY: the columns are those of `D`; the caller promises that every item of the chunk may be given out once.
        unsafe { rows.each::<D>((chunk * WORDS).max(rows.first), f) };
    }
}

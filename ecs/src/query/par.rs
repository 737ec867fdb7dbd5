//! Going through a query on several threads.
#![expect(unsafe_code, reason = "chunks of rows are given to different threads")]

use super::data::Data;
use super::filter::Filter;
use super::iter::Rows;
use super::param::Query;

impl<D: Data, F: Filter> Query<'_, D, F> {
    /// Calls `f` with every item, on the threads of the `rayon` pool that the caller is in.
    ///
    /// Each call is given 4,096 slots or fewer, whatever the number of threads: what `f` does to its item is the same
    /// for any number, as long as `f` does nothing else. Without the feature `parallel` this is
    /// [`for_each`](Self::for_each).
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
        let chunks = Chunked(self.rows());
        #[cfg(feature = "parallel")]
        {
            use rayon::iter::{IntoParallelIterator, ParallelIterator};
            if chunks.len() > 1 {
                // SAFETY: `&mut self` makes every item this call's alone, and chunks do not overlap.
                (0..chunks.len()).into_par_iter().for_each(|chunk| unsafe { chunks.each(chunk, &f) });
                return;
            }
        }
        // SAFETY: as above.
        (0..chunks.len()).for_each(|chunk| unsafe { chunks.each(chunk, &f) });
    }
}

/// How many words of slots are given to a thread at once.
const WORDS: usize = 64;

/// Rows in pieces.
struct Chunked<D: Data, F: Filter>(Rows<D, F>);

// SAFETY: what rows give are ids and references to components, which are `Send` and `Sync`; addresses may be copied, and
// whoever makes items of them promises that they do not clash.
unsafe impl<D: Data, F: Filter> Sync for Chunked<D, F> {}

impl<D: Data, F: Filter> Chunked<D, F> {
    fn len(&self) -> usize {
        self.0.words.div_ceil(WORDS)
    }

    /// Calls `f` with the items of a chunk.
    ///
    /// # Safety
    /// The world is borrowed such that every item of the chunk may be given out once.
    unsafe fn each(&self, chunk: usize, f: impl Fn(D::Item<'_>)) {
        let mut rows = self.0;
        rows.words = rows.words.min((chunk + 1) * WORDS);
        // SAFETY: the caller's promise.
        unsafe { rows.each((chunk * WORDS).max(rows.first), f) };
    }
}

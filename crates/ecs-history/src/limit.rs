//! [`Limit`], the count of the memory that a history holds, and memory that it has in reserve.

use std::collections::{HashMap, VecDeque};

use ecs::{RawWorld, Snapshot};

/// How much a [`History`](crate::History) keeps. [Branches](crate::History::branches) are forgotten
/// first, the one that was given up first before the others, each as a whole; then the oldest runs.
/// The last run is always kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limit {
    pub(crate) runs: usize,
    pub(crate) bytes: usize,
}

impl Limit {
    /// At most this many runs, and in all branches together at most as many again.
    pub const fn runs(runs: usize) -> Self {
        Self { runs, bytes: usize::MAX }
    }

    /// At most about this many bytes, as [`History::bytes`](crate::History::bytes) counts them, in
    /// runs and branches together.
    pub const fn bytes(bytes: usize) -> Self {
        Self { runs: usize::MAX, bytes }
    }

    /// The same limit, and at most this many bytes.
    #[must_use]
    pub const fn and_bytes(self, bytes: usize) -> Self {
        Self { bytes, ..self }
    }
}

/// The pages of all snapshots of a history, each counted once.
#[derive(Default)]
pub(crate) struct Pages {
    /// For each page, the number of snapshots that share it.
    shared_by: HashMap<usize, usize>,
    pub(crate) bytes: usize,
}

impl Pages {
    /// Counts the pages of a snapshot that the history keeps from now on.
    pub(crate) fn add<W: RawWorld>(&mut self, snapshot: &Snapshot<W>) {
        snapshot.for_each_page(|page, bytes| {
            let count = self.shared_by.entry(page).or_insert(0);
            if *count == 0 {
                self.bytes += bytes;
            }
            *count += 1;
        });
    }

    /// Removes the pages of a snapshot that is about to be dropped.
    pub(crate) fn remove<W: RawWorld>(&mut self, snapshot: &Snapshot<W>) {
        snapshot.for_each_page(|page, bytes| {
            let Some(count) = self.shared_by.get_mut(&page) else { return };
            *count -= 1;
            if *count == 0 {
                self.shared_by.remove(&page);
                self.bytes -= bytes;
            }
        });
    }
}

/// Memory that was written once, so that the system does not have to provide it when a snapshot
/// copies pages into it.
#[derive(Default)]
pub(crate) struct Reserve(VecDeque<Vec<u8>>);

impl Reserve {
    /// The size of a block: that of the longest page of values.
    const BLOCK: usize = 64 * 1024;

    pub(crate) fn add(&mut self, bytes: usize) {
        // ones, since zeros would be memory that the system provides at the first write
        self.0.extend((0..bytes.div_ceil(Self::BLOCK)).map(|_| vec![1; Self::BLOCK]));
    }

    /// Gives memory to the allocator, for the next allocations. The oldest blocks come first: an
    /// allocator returns memory at the end of its heap to the system.
    pub(crate) fn free(&mut self, bytes: usize) {
        self.0.drain(..bytes.div_ceil(Self::BLOCK).min(self.0.len()));
    }

    #[cfg(test)]
    pub(crate) fn blocks(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn clear(&mut self) {
        self.0 = VecDeque::new();
    }
}

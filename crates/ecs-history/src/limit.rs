//! [`Limit`], and the count of the memory that a history holds.

use std::collections::HashMap;

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

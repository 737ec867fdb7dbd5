//! [`SharedPages`]: copies of pages that a world and its snapshots share.
//!
//! A snapshot has copies in place of pages of its own. A copy never changes, and any number of
//! snapshots share it. A world has for each of its pages the copy with which the page last agreed.
//! Only the owner of the pages knows whether a page *still* agrees with that copy: a flag says that
//! a page may have been changed, or the page is compared with the copy.
//!
//! - A new snapshot shares the copies of the pages that still agree, and gets new copies of the
//!   others ([`SharedPages::capture`]).
//! - A rollback overwrites the pages that do not agree with the snapshot's copy: those that do not
//!   [share](SharedPages::shares) it, or do not agree with it any more.
//! - After both, all pages of the world agree with the snapshot's copies
//!   ([`SharedPages::replace`]).
//! - A world whose snapshots were dropped still has their last copies, for the next snapshot to
//!   share. It can give them up at any time ([`SharedPages::release`]).

use alloc::sync::Arc;
use alloc::vec::Vec;

/// Copies of pages, by page: those with which the pages of a world last agreed, or the whole
/// content of a snapshot.
pub(crate) struct SharedPages<P>(Vec<Option<Arc<P>>>);

impl<P> SharedPages<P> {
    pub(crate) const fn new() -> Self {
        Self(Vec::new())
    }

    /// The number of pages, with and without a copy.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The copy of a page; `None` if the page has no values, or agrees with no copy.
    pub(crate) fn get(&self, page: usize) -> Option<&P> {
        self.0.get(page)?.as_deref()
    }

    /// The copies with their pages, in the order of the pages.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &P)> {
        self.0.iter().enumerate().filter_map(|(page, copy)| Some((page, copy.as_deref()?)))
    }

    /// Whether a page has the same copy in both lists.
    pub(crate) fn shares(&self, other: &Self, page: usize) -> bool {
        let copy = |pages: &Self| pages.0.get(page).and_then(Option::as_ref).map(Arc::as_ptr);
        copy(self) == copy(other)
    }

    /// The copies for a new snapshot of a world with this many pages: these ones of pages that
    /// still agree with them, and new ones of the others.
    pub(crate) fn capture(
        &self,
        pages: usize,
        agrees: impl Fn(usize, &P) -> bool,
        copy: impl Fn(usize) -> Option<P>,
    ) -> Self {
        let shared = |page: usize| self.0.get(page)?.as_ref().filter(|copy| agrees(page, copy)).cloned();
        Self((0..pages).map(|page| shared(page).or_else(|| copy(page).map(Arc::new))).collect())
    }

    /// Removes and returns the copies that nothing else shares.
    pub(crate) fn release(&mut self) -> Vec<Arc<P>> {
        let unshared = |copy: &mut Arc<P>| Arc::strong_count(copy) == 1;
        let released = self.0.iter_mut().filter_map(|copy| copy.take_if(unshared)).collect();
        let used = self.0.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        self.0.truncate(used);
        self.0.shrink_to_fit();
        released
    }

    /// Replaces the copies by those of a snapshot, and calls `replaced` with each page whose copy
    /// is another one now, and with the former copy.
    pub(crate) fn replace(&mut self, frozen: &Self, mut replaced: impl FnMut(usize, Option<Arc<P>>)) {
        self.0.resize_with(self.len().max(frozen.len()), || None);
        for page in 0..self.len() {
            if !self.shares(frozen, page) {
                let copy = frozen.0.get(page).cloned().flatten();
                replaced(page, core::mem::replace(&mut self.0[page], copy));
            }
        }
    }
}

default!([P] SharedPages<P>);

impl<P> Clone for SharedPages<P> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    fn clone_from(&mut self, source: &Self) {
        self.0.clone_from(&source.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_that_agree_are_shared_and_the_others_are_copied() {
        let world = [Some('a'), Some('b'), None];
        let first = SharedPages::new().capture(3, |_, _| unreachable!(), |page| world[page]);
        assert_eq!(first.iter().collect::<Vec<_>>(), [(0, &'a'), (1, &'b')]);
        let mut shared = SharedPages::new();
        let mut replaced = Vec::new();
        shared.replace(&first, |page, old| replaced.push((page, old.as_deref().copied())));
        assert_eq!(replaced, [(0, None), (1, None)]);

        let world = [Some('a'), Some('c')];
        let second = shared.capture(2, |page, copy| world[page] == Some(*copy), |page| world[page]);
        assert!(second.shares(&first, 0) && !second.shares(&first, 1) && second.shares(&first, 2));
        replaced.clear();
        shared.replace(&second, |page, old| replaced.push((page, old.as_deref().copied())));
        assert_eq!(replaced, [(1, Some('b'))]);
        assert_eq!((first.get(1), shared.get(1), shared.get(2)), (Some(&'b'), Some(&'c'), None));
    }
}

//! What a column shares with snapshots.
//!
//! A snapshot of a world is a world whose columns are *saved*: in place of pages that live they have copies of pages,
//! which never change and are shared. A column that lives remembers for each page with which copy it last agreed, and
//! the page notes when one of its values may have been changed since (of a tracked component, the page of its stamps). Bits are not noted but compared: they are an
//! eighth of a byte for each slot, and whoever changes them need not know about snapshots.
//!
//! So a snapshot copies the pages that no longer agree with a copy, and shares the copies of the others; going back
//! copies the pages that do not agree with the snapshot's copy.
#![expect(unsafe_code, reason = "pages are read by their bits")]

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::cold_fields::ErasedBox;
use super::column::Column;
use crate::base::mask::Runs;

/// Copies of pages, those that a column last agreed with, or those of a saved column.
pub(crate) struct SnapshotPages<T> {
    /// `None` where a page has no values, or agrees with no copy.
    pages: Vec<Option<Arc<ValuePage<T>>>>,
    /// Whether these are the column's only values.
    saved: bool,
}

/// The values of a page, side by side, and where they were.
struct ValuePage<T> {
    masks: Box<[u64]>,
    values: Vec<T>,
}

impl<T> ValuePage<T> {
    fn bytes(&self) -> usize {
        size_of_val(&*self.masks) + self.values.capacity() * size_of::<T>()
    }
}

impl<T> Default for SnapshotPages<T> {
    fn default() -> Self {
        Self { pages: Vec::new(), saved: false }
    }
}

impl<T> SnapshotPages<T> {
    pub(super) fn is_saved(column: &Column<T>) -> bool {
        column.rare().known.as_ref().is_some_and(|known| known.saved)
    }

    fn copy(&self, page: usize) -> Option<&Arc<ValuePage<T>>> {
        self.pages.get(page)?.as_ref()
    }
}

impl<T> Column<T> {
    /// A saved column without values.
    pub(super) fn saved() -> Self {
        let mut column = Self::new();
        column.rare_mut().known = ErasedBox::some(SnapshotPages { pages: Vec::new(), saved: true });
        column
    }

    /// The column of a snapshot, made by `clone_from`, which is that of [`Clone`]. What it copies is known from now on.
    pub(crate) fn save(&mut self, clone_from: fn(&mut Self, &Self)) -> Self {
        let mut saved = Self::saved();
        clone_from(&mut saved, self);
        self.agree(&saved);
        saved
    }

    /// The copy that a page agrees with, as far as that is known.
    fn agreed(&self, page: usize) -> Option<&Arc<ValuePage<T>>> {
        let copy = self.rare().known.as_ref()?.copy(page)?;
        let touched = |touched: &core::sync::atomic::AtomicBool| {
            touched.load(core::sync::atomic::Ordering::Relaxed) // all who set it are done
        };
        let words = page * Self::WORDS..(page + 1) * Self::WORDS;
        let changed = Self::SHAPE.sized()
            && (self.table.touched.get(page).is_none_or(touched)
                || self.stamps.as_ref().is_some_and(|stamps| stamps.is_touched(words)));
        (!changed && *copy.masks == *self.page_masks(page)).then_some(copy)
    }

    /// Takes note that all pages agree with those of a saved column.
    fn agree(&mut self, saved: &Self) {
        let Some(theirs) = saved.rare().known.as_ref() else { return };
        let (mut more, mut less, mut old) = (0, 0, Vec::new());
        let known = self.rare_mut().known.get_or_insert_with(SnapshotPages::default);
        let len = known.pages.len().max(theirs.pages.len());
        known.pages.resize_with(len, || None);
        for (page, mine) in known.pages.iter_mut().enumerate() {
            let copy = theirs.copy(page);
            if mine.as_ref().map(Arc::as_ptr) != copy.map(Arc::as_ptr) {
                let bytes = |copy: &Arc<ValuePage<T>>| copy.bytes();
                more += copy.map_or(0, bytes);
                less += mine.as_ref().map_or(0, bytes);
                old.push(core::mem::replace(mine, copy.cloned()));
            }
        }
        self.table.copied = (self.table.copied + more).saturating_sub(less); // less, if it is no column of that world
        self.table.touched.iter_mut().for_each(|touched| *touched.get_mut() = false);
        if let (Some(stamps), Some(saved)) = (&mut self.stamps, &saved.stamps) {
            stamps.agree(saved);
        }
        drop(old); // last of all: values may panic
    }

    /// The same pages as another saved column.
    pub(super) fn share(&mut self, source: &Self)
    where
        T: Clone,
    {
        self.take_extras(source);
        self.stamps = source.stamps.as_ref().map(|stamps| Box::new(stamps.share()));
        if let (Some(known), Some(theirs)) = (self.rare_mut().known.as_mut(), source.rare().known.as_ref()) {
            known.pages.clone_from(&theirs.pages);
        }
    }
}

impl<T: Clone> Column<T> {
    /// Makes a saved column of a column that lives.
    pub(super) fn capture(&mut self, source: &Self) {
        let pages = (0..source.page_count()).map(|page| {
            let masks = source.page_masks(page);
            if masks.iter().all(|&mask| mask == 0) {
                return None;
            }
            Some(source.agreed(page).map_or_else(|| Arc::new(source.copy_of(page)), Arc::clone))
        });
        let pages = pages.collect();
        self.take_extras(source);
        self.stamps = source.stamps.as_ref().map(|stamps| Box::new(stamps.capture()));
        self.rare_mut().known = ErasedBox::some(SnapshotPages { pages, saved: true });
    }

    fn copy_of(&self, page: usize) -> ValuePage<T> {
        let masks: Box<[u64]> = self.page_masks(page).into();
        let mut values = Vec::with_capacity(masks.iter().map(|mask| mask.count_ones() as usize).sum());
        for (from, len) in Runs::new(&masks) {
            // SAFETY: these are runs of the column's own bits.
            values.extend_from_slice(unsafe { self.run(page, from, len) });
        }
        ValuePage { masks, values }
    }

    /// Makes a column that lives have what a saved one has.
    pub(super) fn restore(&mut self, saved: &Self) {
        self.take_extras(saved);
        let theirs = saved.rare().known.as_ref().map_or(&[][..], |known| &known.pages);
        for page in 0..self.page_count().max(theirs.len()) {
            let Some(copy) = theirs.get(page).and_then(Option::as_ref) else {
                self.empty(page);
                continue;
            };
            if self.agreed(page).is_some_and(|agreed| Arc::ptr_eq(agreed, copy)) {
                continue;
            }
            let mut rest = &*copy.values;
            self.assign(page, &copy.masks, |_, len| {
                let (run, after) = rest.split_at(len);
                rest = after;
                run
            });
        }
        // only now: stamps know which values were changed
        match (&mut self.stamps, &saved.stamps) {
            (Some(stamps), Some(saved)) => stamps.restore(saved),
            (stamps, Some(saved)) => stamps.insert(Box::default()).restore(saved),
            (stamps, None) => *stamps = None,
        }
        self.agree(saved);
        self.table.narrow();
    }
}

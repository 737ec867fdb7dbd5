//! Query elements and filters that look at when a tracked component was changed.
#![expect(unsafe_code, reason = "elements are reached by address, after their bits were seen")]

use core::fmt;
use core::marker::PhantomData;
use core::ptr;

use super::data::{Data, ReadData};
use super::filter::{Filter, QueryFilter, filter_type};
use crate::change::{Mut, Ref, Ticks};
use crate::component::{ComponentSet, Has, HasStamps};
use crate::storage::column::{Column, RawColumn};
use crate::storage::mask::Span;
use crate::storage::stamps::{Stamps, Word};
use crate::system::access::Access;
use crate::world::WorldCell;

/// A column with its stamps, as addresses.
///
/// # Invariants
/// `stamps` is null, or those of the column, of which whoever holds this has a borrow, shared at least.
pub struct TrackedColumn<T> {
    column: RawColumn<T>,
    stamps: *const Stamps,
    ticks: Ticks,
}

impl<T> Clone for TrackedColumn<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for TrackedColumn<T> {}

impl<T> TrackedColumn<T> {
    #[inline(always)]
    pub(crate) fn new(column: &Column<T>, ticks: Ticks) -> Self {
        Self { column: column.raw(), stamps: column.stamps().map_or(ptr::null(), ptr::from_ref), ticks }
    }

    /// # Safety
    /// As for [`WorldCell::raw_column`].
    #[inline(always)]
    pub(super) unsafe fn of<W: Has<T>>(world: WorldCell<'_, W>) -> Self
    where
        T: 'static,
    {
        // SAFETY: the caller's promise.
        Self::new(unsafe { world.column() }, world.ticks())
    }

    /// # Safety
    /// The column is still borrowed.
    #[inline(always)]
    unsafe fn stamps<'q>(self) -> Option<&'q Stamps> {
        // SAFETY: by the invariant, and the caller's promise.
        unsafe { self.stamps.as_ref() }
    }

    /// The stamps of a word.
    ///
    /// # Safety
    /// The column is still borrowed.
    #[inline(always)]
    unsafe fn word<'q>(self, word: usize) -> Option<&'q Word> {
        // SAFETY: the caller's promise.
        unsafe { self.stamps() }.and_then(|stamps| stamps.word(word))
    }
}

/// The addresses of the values of a word and of their stamps.
pub struct TrackedBase<T> {
    values: *mut T,
    /// Which of them are there.
    mask: u64,
    stamps: *const Stamps,
    /// Null where there are none.
    word: *const Word,
    first: usize,
    ticks: Ticks,
}

impl<T> Clone for TrackedBase<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for TrackedBase<T> {}

impl<T> TrackedBase<T> {
    /// # Safety
    /// The column is still borrowed.
    #[inline(always)]
    unsafe fn new(column: TrackedColumn<T>, word: usize) -> Self {
        let TrackedColumn { column: raw, stamps, ticks } = column;
        // SAFETY: the caller's promise.
        let of = unsafe { column.word(word) };
        let mask = raw.raw.mask_or_empty(word);
        let word_ptr = of.map_or(ptr::null(), ptr::from_ref);
        Self { values: raw.base(word), mask, stamps, word: word_ptr, first: word * 64, ticks }
    }

    /// # Safety
    /// The slot has a value, and nobody changes it.
    #[inline(always)]
    unsafe fn shared<'q>(self, i: usize) -> Ref<'q, T> {
        // SAFETY: the value is there by the caller's promise; stamps are lent as long as the column is borrowed.
        unsafe { Ref::of(&*self.values.add(i), self.word.as_ref(), i, self.ticks) }
    }

    /// # Safety
    /// The slot has a value and stamps, and nobody else reaches the value.
    #[inline(always)]
    unsafe fn unique<'q>(self, i: usize) -> Mut<'q, T> {
        debug_assert!(!self.word.is_null());
        // SAFETY: all are there by the caller's promise; stamps are lent as long as the column is borrowed.
        unsafe { Mut::of(&mut *self.values.add(i), &*self.stamps, &*self.word, self.first + i, self.ticks) }
    }
}

macro_rules! tracked_elements {
    ($($element:ident, $required:literal, |$columns:ident, $word:ident| $mask:expr,
       |$base:ident, $i:ident| $at:expr;)*) => {$(
        // SAFETY: the mask is the column's own, without words that have no stamps; bases are good for a word.
        unsafe impl<T: 'static> Data for $element<'_, T> {
            type Columns = TrackedColumn<T>;
            type Base = TrackedBase<T>;
            type Item<'q> = $element<'q, T>;
            type ReadOnly = Ref<'static, T>;
            const REQUIRED: bool = true;
            #[inline(always)]
            fn words(columns: Self::Columns) -> Span {
                columns.column.raw.words()
            }
            #[inline(always)]
            unsafe fn mask($columns: Self::Columns, $word: usize) -> u64 {
                $mask
            }
            #[inline(always)]
            unsafe fn base(columns: Self::Columns, word: usize) -> Self::Base {
                // SAFETY: the caller's promise.
                unsafe { TrackedBase::new(columns, word) }
            }
            #[inline(always)]
            unsafe fn at<'q>($base: Self::Base, $i: usize) -> Self::Item<'q> {
                $at
            }
        }
        // SAFETY: the mask is all ones; items look at the bit themselves.
        unsafe impl<T: 'static> Data for Option<$element<'_, T>> {
            type Columns = TrackedColumn<T>;
            type Base = TrackedBase<T>;
            type Item<'q> = Option<$element<'q, T>>;
            type ReadOnly = Option<Ref<'static, T>>;
            #[inline(always)]
            fn words(_: Self::Columns) -> Span {
                Span::ALL
            }
            #[inline(always)]
            unsafe fn mask(_: Self::Columns, _: usize) -> u64 {
                u64::MAX
            }
            #[inline(always)]
            unsafe fn base(columns: Self::Columns, word: usize) -> Self::Base {
                // SAFETY: the caller's promise.
                unsafe { TrackedBase::new(columns, word) }
            }
            #[inline(always)]
            unsafe fn at<'q>(base: Self::Base, i: usize) -> Self::Item<'q> {
                let there = base.mask >> i & 1 == 1 && (!$required || !base.word.is_null());
                // SAFETY: the value is there, and the stamps if they are needed.
                there.then(|| unsafe { <$element<'static, T> as Data>::at(base, i) })
            }
        }
    )*};
}

tracked_elements! {
    Ref, false, |columns, word|
        // SAFETY: the word is within bounds.
        unsafe { columns.column.raw.mask(word) },
        |base, i|
        // SAFETY: the bit is set, so the value exists; the access sets keep writers away.
        unsafe { base.shared(i) };
    Mut, true, |columns, word|
        // SAFETY: the word is within bounds, and the columns are borrowed.
        unsafe { if columns.word(word).is_some() { columns.column.raw.mask(word) } else { 0 } },
        |base, i|
        // SAFETY: the bit is set, so the value exists, and its word has stamps; the access sets keep everybody else
        // away.
        unsafe { base.unique(i) };
}

// SAFETY: these give shared references only.
unsafe impl<T: 'static> ReadData for Ref<'_, T> {}
// SAFETY: as above.
unsafe impl<T: 'static> ReadData for Option<Ref<'_, T>> {}

filter_type! {
    /// The entity has the tracked component `T`, which was changed, or added, since the last run.
    ///
    /// In a system: since its last run at this place in a schedule; if there was none, since the world began. What the
    /// system changes itself is no news to it in its next run. Outside of systems: since the world began, so that all
    /// that have the component pass.
    ///
    /// Cost: follows the number of changes. Words of 64 slots in which nothing changed cost one comparison, 64 such
    /// words in a row as much.
    ///
    /// ```
    /// use ecs::prelude::*;
    ///
    /// #[derive(Component)]
    /// #[component(tracked)]
    /// struct Health(u32);
    ///
    /// world! {
    ///     struct Game { components { Health } resources { Seen } }
    ///     schedule tick { look }
    /// }
    ///
    /// #[derive(Resource, Default)]
    /// struct Seen(Vec<u32>);
    ///
    /// #[system(Game)]
    /// fn look(health: &Health, _: Changed<Health>, mut seen: ResMut<Seen>) {
    ///     seen.0.push(health.0);
    /// }
    ///
    /// let mut game = Game::new(Seen::default());
    /// let ids: Vec<Entity> = game.spawn_batch([1, 2, 3].map(Health)).collect();
    /// game.tick();
    /// game.get_tracked::<Health>(ids[1]).unwrap().0 = 20;
    /// game.tick();
    /// assert_eq!(game.resource::<Seen>().0, [1, 2, 3, 20]);
    /// ```
    Changed<T>
}
filter_type! {
    /// The entity has the tracked component `T`, and got it since the last run: see [`Changed`]. A value that replaces
    /// another one is changed, not added.
    Added<T>
}

/// As [`Access::presence`], of entities that have the component.
const fn having(index: usize) -> Access {
    let access = Access::presence(index);
    Access { with: access.presence, ..access }
}

macro_rules! tracked_filters {
    ($($filter:ident, $since:ident, |$index:ident| $access:expr;)*) => {$(
        // SAFETY: the mask is a part of the column's own.
        unsafe impl<T: 'static> Filter for $filter<T> {
            type Columns = TrackedColumn<T>;
            const REQUIRED: bool = true;
            const VALUE: Self = Self::new();
            #[inline(always)]
            fn words(columns: Self::Columns) -> Span {
                columns.column.raw.words()
            }
            #[inline(always)]
            unsafe fn mask(columns: Self::Columns, word: usize) -> u64 {
                // SAFETY: the columns are borrowed.
                let since = unsafe { columns.stamps() }
                    .map_or(0, |stamps| stamps.$since(word, columns.ticks.last_run));
                if since == 0 { 0 } else { since & columns.column.raw.mask_or_empty(word) }
            }
            #[inline(always)]
            unsafe fn next(columns: Self::Columns, word: usize) -> usize {
                // SAFETY: the columns are borrowed.
                let stamps = unsafe { columns.stamps() };
                stamps.map_or(usize::MAX, |stamps| stamps.next_since(word, columns.ticks.last_run))
            }
        }
        // SAFETY: presence is read, and stamps.
        unsafe impl<T: 'static, W: HasStamps<T>> QueryFilter<W> for $filter<T> {
            const ACCESS: Access = {
                let $index = W::INDEX;
                $access
            };
            const NEGATED: Access = Access { with: ComponentSet::EMPTY, ..<Self as QueryFilter<W>>::ACCESS };
            #[inline(always)]
            unsafe fn columns(world: WorldCell<'_, W>) -> Self::Columns {
                // SAFETY: the caller's promise.
                unsafe { TrackedColumn::of(world) }
            }
        }
    )*};
}

tracked_filters! {
    Changed, changed_since, |index| Access { stamps: ComponentSet::EMPTY.with(index), ..having(index) };
    Added, added_since, |index| having(index);
}

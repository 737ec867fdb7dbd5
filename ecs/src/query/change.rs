//! Query elements and filters that look at when a tracked component was changed.
#![expect(unsafe_code, reason = "elements are reached by address, after their bits were seen")]

use core::fmt;
use core::marker::PhantomData;
use core::ptr;

use super::data::{Data, ReadData};
use super::filter::{Filter, QueryFilter, filter_type};
use super::slots::SlotMatcher;
use crate::base::component_set::ComponentSet;
use crate::base::mask::Span;
use crate::base::page::Shape;
use crate::base::tick::Ticks;
use crate::change::{Mut, Ref};
use crate::component::{Has, HasStamps};
use crate::storage::column::Column;
use crate::storage::stamps::{Stamps, Word};
use crate::storage::table::RawTable;
use crate::system::access::Access;
use crate::world::WorldCell;

/// A column with its stamps, as addresses.
///
/// # Invariants
/// `stamps` is null, or those of the column, of which whoever holds this has a borrow, shared at least.
#[derive(Clone, Copy)]
pub struct TrackedColumn {
    table: RawTable,
    stamps: *const Stamps,
    ticks: Ticks,
}

impl TrackedColumn {
    #[inline(always)]
    pub(crate) fn new<T>(column: &Column<T>, ticks: Ticks) -> Self {
        Self { table: column.raw(), stamps: column.stamps().map_or(ptr::null(), ptr::from_ref), ticks }
    }

    /// # Safety
    /// As for [`WorldCell::raw_column`].
    #[inline(always)]
    pub(super) unsafe fn of<T: 'static, W: Has<T>>(world: WorldCell<'_, W>) -> Self {
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

// SAFETY: the mask is the column's own, without words that have no stamps.
unsafe impl SlotMatcher for TrackedColumn {
    const REQUIRED: bool = true;
    #[inline(always)]
    fn words(self) -> Span {
        self.table.words()
    }
    #[inline(always)]
    unsafe fn mask(self, word: usize) -> u64 {
        // SAFETY: the word is within bounds, and the columns are borrowed.
        unsafe { if self.word(word).is_some() { self.table.mask(word) } else { 0 } }
    }
}

/// The same, whose values are given where they are: items look at the bits themselves.
#[derive(Clone, Copy)]
pub struct OptionalTrackedColumn(pub(super) TrackedColumn);

// SAFETY: every slot may be asked.
unsafe impl SlotMatcher for OptionalTrackedColumn {
    #[inline(always)]
    unsafe fn mask(self, _: usize) -> u64 {
        u64::MAX
    }
}

/// The addresses of the values of a word and of their stamps.
#[derive(Clone, Copy)]
pub struct TrackedBase {
    values: *mut u8,
    /// Which of them are there, with their stamps.
    mask: u64,
    stamps: *const Stamps,
    /// Null where there are none.
    word: *const Word,
    first: usize,
    ticks: Ticks,
}

impl TrackedBase {
    /// # Safety
    /// The column is still borrowed, and the shape is that of its values.
    #[inline(always)]
    unsafe fn new(column: TrackedColumn, word: usize, shape: Shape) -> Self {
        let TrackedColumn { table, stamps, ticks } = column;
        // SAFETY: the caller's promise.
        let (of, values) = unsafe { (column.word(word), table.base(word, shape)) };
        let mask = if of.is_some() { table.mask_or_empty(word) } else { 0 };
        Self { values, mask, stamps, word: of.map_or(ptr::null(), ptr::from_ref), first: word * 64, ticks }
    }

    /// # Safety
    /// The column is of `T`, the slot has a value and stamps, and nobody changes it.
    #[inline(always)]
    unsafe fn shared<'q, T>(self, i: usize) -> Ref<'q, T> {
        debug_assert!(!self.word.is_null());
        // SAFETY: all are there by the caller's promise; stamps are lent as long as the column is borrowed.
        unsafe { Ref::of(&*(self.values as *mut T).add(i), &*self.word, i, self.ticks) }
    }

    /// # Safety
    /// The column is of `T`, the slot has a value and stamps, and nobody else reaches the value.
    #[inline(always)]
    unsafe fn unique<'q, T>(self, i: usize) -> Mut<'q, T> {
        debug_assert!(!self.word.is_null());
        // SAFETY: all are there by the caller's promise; stamps are lent as long as the column is borrowed.
        unsafe {
            let value = &mut *(self.values as *mut T).add(i);
            Mut::of(value, &*self.stamps, &*self.word, self.first + i, self.ticks)
        }
    }
}

macro_rules! tracked_elements {
    ($($element:ident, |$base:ident, $i:ident| $at:expr;)*) => {$(
        // SAFETY: bits are the column's own, of words that have stamps, and bases are good for a word.
        unsafe impl<T: 'static> Data for $element<'_, T> {
            type Columns = TrackedColumn;
            type Base = TrackedBase;
            type Item<'q> = $element<'q, T>;
            type ReadOnly = Ref<'static, T>;
            #[inline(always)]
            unsafe fn base(columns: TrackedColumn, word: usize) -> TrackedBase {
                // SAFETY: the caller's promise; the shape is that of `T`.
                unsafe { TrackedBase::new(columns, word, Column::<T>::SHAPE) }
            }
            #[inline(always)]
            unsafe fn at<'q>($base: TrackedBase, $i: usize) -> Self::Item<'q> {
                $at
            }
        }
        // SAFETY: items look at the bit themselves.
        unsafe impl<T: 'static> Data for Option<$element<'_, T>> {
            type Columns = OptionalTrackedColumn;
            type Base = TrackedBase;
            type Item<'q> = Option<$element<'q, T>>;
            type ReadOnly = Option<Ref<'static, T>>;
            #[inline(always)]
            unsafe fn base(columns: OptionalTrackedColumn, word: usize) -> TrackedBase {
                // SAFETY: the caller's promise; the shape is that of `T`.
                unsafe { TrackedBase::new(columns.0, word, Column::<T>::SHAPE) }
            }
            #[inline(always)]
            unsafe fn at<'q>(base: TrackedBase, i: usize) -> Self::Item<'q> {
                let there = base.mask >> i & 1 == 1;
                // SAFETY: the value is there with its stamps.
                there.then(|| unsafe { <$element<'static, T> as Data>::at(base, i) })
            }
        }
    )*};
}

tracked_elements! {
    Ref, |base, i|
        // SAFETY: the bit is set, so the value exists, and its word has stamps; the access sets keep writers away.
        unsafe { base.shared(i) };
    Mut, |base, i|
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

/// As [`Access::presence`], of entities that have the component, since when.
const fn having(index: usize) -> Access {
    let access = Access::presence(index).timed();
    Access { with: access.presence, ..access }
}

/// Of a tracked column, who was changed since the last run.
#[derive(Clone, Copy)]
pub struct ChangedColumn(TrackedColumn);

/// Of a tracked column, who got its component since the last run.
#[derive(Clone, Copy)]
pub struct AddedColumn(TrackedColumn);

macro_rules! tracked_filters {
    ($($filter:ident, $slots:ident, $since:ident, |$index:ident| $access:expr;)*) => {$(
        // SAFETY: the mask is a part of the column's own.
        unsafe impl SlotMatcher for $slots {
            const REQUIRED: bool = true;
            #[inline(always)]
            fn words(self) -> Span {
                self.0.table.words()
            }
            #[inline(always)]
            unsafe fn mask(self, word: usize) -> u64 {
                // SAFETY: the columns are borrowed.
                let since = unsafe { self.0.stamps() }
                    .map_or(0, |stamps| stamps.$since(word, self.0.ticks.last_run));
                if since == 0 { 0 } else { since & self.0.table.mask_or_empty(word) }
            }
            #[inline(always)]
            unsafe fn next(self, word: usize) -> usize {
                // SAFETY: the columns are borrowed.
                let stamps = unsafe { self.0.stamps() };
                stamps.map_or(usize::MAX, |stamps| stamps.next_since(word, self.0.ticks.last_run))
            }
        }
        // SAFETY: who passes has the component.
        unsafe impl<T: 'static> Filter for $filter<T> {
            type Columns = $slots;
            const VALUE: Self = Self::new();
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
                $slots(unsafe { TrackedColumn::of::<T, W>(world) })
            }
        }
    )*};
}

tracked_filters! {
    Changed, ChangedColumn, changed_since, |index| Access { stamps: ComponentSet::EMPTY.with(index), ..having(index) };
    Added, AddedColumn, added_since, |index| having(index);
}

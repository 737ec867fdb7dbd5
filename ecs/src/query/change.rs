//! Query elements and filters for tracked components, which have change ticks: [`Ref`], [`Mut`],
//! [`Changed`] and [`Added`].
#![expect(unsafe_code, reason = "elements are reached by address, after their bits were seen")]

use core::marker::PhantomData;
use core::ptr;

use super::chunk::ChunkData;
use super::data::{Data, ReadData};
use super::filter::{Filter, QueryFilter, filter_type};
use super::param::Query;
use super::slots::SlotMatcher;
use crate::base::access::Access;
use crate::base::component_set::ComponentSet;
use crate::base::mask::Span;
use crate::base::page::Shape;
use crate::base::tick::Ticks;
use crate::change::{Mut, MutSlice, Ref};
use crate::component::{Has, HasStamps};
use crate::raw_world::WorldCell;
use crate::storage::column::Column;
use crate::storage::stamps::{StampWord, Stamps};
use crate::storage::table::RawTable;

/// The addresses of a tracked column and of its stamps (the ticks at which values were added and
/// changed).
///
/// # Invariants
/// `stamps` is null, or points to the stamps of the column `table`. They may be read for as long as
/// the column is borrowed.
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
        // SAFETY: the caller's promise is that of `WorldCell::raw_column`, which includes shared
        // access to the column.
        Self::new(unsafe { world.column() }, world.ticks())
    }

    /// The stamps of the column; `None` if no value was stamped yet.
    ///
    /// # Safety
    /// The column is still borrowed.
    #[inline(always)]
    unsafe fn stamps<'q>(self) -> Option<&'q Stamps> {
        // SAFETY: by the invariant the pointer is null or valid while the column is borrowed, which
        // the caller promises.
        unsafe { self.stamps.as_ref() }
    }

    /// The stamps of the 64 slots of a word; `None` if the column has none for this word.
    ///
    /// # Safety
    /// The column is still borrowed.
    #[inline(always)]
    unsafe fn word<'q>(self, word: usize) -> Option<&'q StampWord> {
        // SAFETY: the caller promises that the column is still borrowed.
        unsafe { self.stamps() }.and_then(|stamps| stamps.word(word))
    }
}

impl<T: 'static, F: Filter> Query<'_, Ref<'_, T>, F> {
    /// The tick after which a value counts as changed.
    pub(crate) fn last_run(&self) -> u64 {
        self.data.ticks.last_run
    }
}

// SAFETY: the mask is the presence mask of the column, or zero if the word has no stamps.
unsafe impl SlotMatcher for TrackedColumn {
    const REQUIRED: bool = true;
    #[inline(always)]
    fn words(self) -> Span {
        self.table.words()
    }
    #[inline(always)]
    unsafe fn mask(self, word: usize) -> u64 {
        // SAFETY: the caller promises that `word` is below the end of `words` and that the column
        // is borrowed.
        unsafe { if self.word(word).is_some() { self.table.mask(word) } else { 0 } }
    }
    #[inline(always)]
    unsafe fn used(self, group: usize) -> u64 {
        // SAFETY: the caller promises that the group begins below the end of `words`.
        unsafe { self.table.used(group) }
    }
    const DATED: bool = true;
    #[inline(always)]
    fn since(self, tick: u64) -> Self {
        Self { ticks: Ticks { last_run: tick, ..self.ticks }, ..self }
    }
}

/// The addresses of the values of one word of a tracked column, and of their stamps.
#[derive(Clone, Copy)]
pub struct TrackedBase {
    values: *mut u8,
    stamps: *const Stamps,
    /// The stamps of this word; null if it has none.
    word: *const StampWord,
    first: usize,
    ticks: Ticks,
}

impl TrackedBase {
    /// # Safety
    /// The column is still borrowed, and the shape is that of its values.
    #[inline(always)]
    unsafe fn new(column: TrackedColumn, word: usize, shape: Shape) -> Self {
        let TrackedColumn { table, stamps, ticks } = column;
        // SAFETY: the caller promises that the column is borrowed and that `shape` is the shape of
        // its values.
        let (word_stamps, values) = unsafe { (column.word(word), table.base(word, shape)) };
        let word_stamps = word_stamps.map_or(ptr::null(), ptr::from_ref);
        Self { values, stamps, word: word_stamps, first: word * 64, ticks }
    }

    /// # Safety
    /// The column holds values of type `T`, the slot has a value and stamps, and no one else
    /// changes the value during `'q`.
    #[inline(always)]
    unsafe fn shared<'q, T>(self, i: usize) -> Ref<'q, T> {
        debug_assert!(!self.word.is_null());
        // SAFETY: the caller promises a value of type `T` and stamps for the slot; the stamps live
        // as long as the column's borrow.
        unsafe { Ref::of(&*(self.values as *mut T).add(i), &*self.word, i, self.ticks) }
    }

    /// # Safety
    /// The column holds values of type `T` and has stamps, `i` is below 64, the slot at `i` has a
    /// value and stamps, and no one else accesses the value during `'q`.
    #[inline(always)]
    unsafe fn unique<'q, T>(self, i: usize) -> Mut<'q, T> {
        debug_assert!(!self.word.is_null() && i < 64);
        // SAFETY: the caller promises a value of type `T` and stamps for the slot, which is one of
        // the word; the stamps live as long as the column's borrow.
        unsafe {
            // a `Mut` without stamps is one of a test: the loop need not ask each
            core::hint::assert_unchecked(!self.stamps.is_null() && i < 64);
            let value = &mut *(self.values as *mut T).add(i);
            Mut::of(value, &*self.stamps, &*self.word, self.first | i, self.ticks)
        }
    }
}

impl TrackedBase {
    /// # Safety
    /// The column holds values of type `T`; `len` slots from `from` on, all in the word of the base,
    /// have a value and stamps, and no one else accesses these values during `'q`.
    unsafe fn slice<'q, T>(self, from: usize, len: usize) -> MutSlice<'q, T> {
        debug_assert!(!self.word.is_null() && from + len <= 64);
        // SAFETY: the caller promises values of type `T` and stamps for the slots; the stamps live
        // as long as the column's borrow.
        unsafe {
            let values = core::slice::from_raw_parts_mut((self.values as *mut T).add(from), len);
            MutSlice::of(values, &*self.stamps, &*self.word, self.first + from, self.ticks)
        }
    }
}

// SAFETY: the slice has `len` values from slot `from` on, all in one word, since `WORDS` is 1.
unsafe impl<T: 'static> ChunkData for Mut<'_, T> {
    type Chunk<'q> = MutSlice<'q, T>;
    unsafe fn chunk<'q>(base: TrackedBase, from: usize, len: usize) -> MutSlice<'q, T> {
        // SAFETY: all slots match, so each has a value and stamps; the caller promises that no
        // other item clashes.
        unsafe { base.slice(from, len) }
    }
}

// SAFETY: the slice has `len` values from slot `from` on, all in one word, since `WORDS` is 1.
unsafe impl<T: 'static> ChunkData for Ref<'_, T> {
    type Chunk<'q> = &'q [T];
    unsafe fn chunk<'q>(base: TrackedBase, from: usize, len: usize) -> &'q [T] {
        // SAFETY: all slots match, so each has a value; they are in one page.
        unsafe { core::slice::from_raw_parts((base.values as *const T).add(from), len) }
    }
}

macro_rules! tracked_elements {
    ($($element:ident, |$base:ident, $i:ident| $at:expr;)*) => {$(
        // SAFETY: `TrackedColumn` sets only bits of slots that have a value and stamps; a base is
        // valid for one word (`WORDS` is 1).
        unsafe impl<T: 'static> Data for $element<'_, T> {
            type Columns = TrackedColumn;
            type Base = TrackedBase;
            type Item<'q> = $element<'q, T>;
            type ReadOnly = Ref<'static, T>;
            #[inline(always)]
            unsafe fn base(columns: TrackedColumn, word: usize) -> TrackedBase {
                // SAFETY: the caller promises that the columns are still borrowed; the shape is
                // that of `T`.
                unsafe { TrackedBase::new(columns, word, Column::<T>::SHAPE) }
            }
            #[inline(always)]
            unsafe fn at<'q>($base: TrackedBase, $i: usize) -> Self::Item<'q> {
                $at
            }
        }
    )*};
}

tracked_elements! {
    Ref, |base, i|
        // SAFETY: the bit is set, so the value exists and its word has stamps; `ACCESS` declares
        // the read, so no one writes it.
        unsafe { base.shared(i) };
    Mut, |base, i|
        // SAFETY: the bit is set, so the value exists and its word has stamps; `ACCESS` declares
        // the write, so no one else accesses the value.
        unsafe { base.unique(i) };
}

// SAFETY: `Ref` gives a shared reference only.
unsafe impl<T: 'static> ReadData for Ref<'_, T> {}

filter_type! {
    /// Filter: entities whose tracked component `T` was added or changed since the last run of the
    /// system.
    ///
    /// `T` must be declared with `#[component(tracked)]`. A component counts as changed when it was
    /// added, replaced, or borrowed mutably through [`Mut`].
    ///
    /// In a system, the last run is that of the same system at the same place in a schedule; in the
    /// first run, every entity that has `T` passes. Changes that the system makes itself do not
    /// pass in its next run. In a query outside systems, every entity that has `T` passes, unless
    /// [`since`](crate::query::WorldQuery::since) names a tick.
    ///
    /// Cost: proportional to the number of changes. A word of 64 slots in which nothing changed
    /// costs one comparison, and so do 64 unchanged words in a row.
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
    /// Filter: entities to which the tracked component `T` was added since the last run of the
    /// system.
    ///
    /// A value that replaces another one counts as changed, not as added. For the meaning of the
    /// last run and for the cost see [`Changed`].
    ///
    /// ```
    /// use ecs::prelude::*;
    ///
    /// #[derive(Component)]
    /// #[component(tracked)]
    /// struct Health(u32);
    /// #[derive(Resource, Default)]
    /// struct Births(usize);
    ///
    /// world! {
    ///     struct Game { components { Health } resources { Births } }
    ///     schedule tick { count }
    /// }
    ///
    /// #[system(Game)]
    /// fn count(new: Query<Entity, Added<Health>>, mut births: ResMut<Births>) {
    ///     births.0 += new.len();
    /// }
    ///
    /// let mut game = Game::new(Births::default());
    /// let entity = game.spawn(Health(1));
    /// game.tick();
    /// game.insert(entity, Health(2)).unwrap(); // replaces the value
    /// game.tick();
    /// assert_eq!(game.resource::<Births>().0, 1);
    /// ```
    Added<T>
}

/// The access of a filter that demands the component with this index and reads its stamps.
const fn having(index: usize) -> Access {
    let access = Access::presence(index).timed();
    Access { with: access.presence, ..access }
}

/// The columns of [`Changed`]: matches slots whose value was changed since the last run.
#[derive(Clone, Copy)]
pub struct ChangedColumn(TrackedColumn);

/// The columns of [`Added`]: matches slots to which a value was added since the last run.
#[derive(Clone, Copy)]
pub struct AddedColumn(TrackedColumn);

macro_rules! tracked_filters {
    ($($filter:ident, $slots:ident, $since:ident, |$index:ident| $access:expr;)*) => {$(
        // SAFETY: the mask is a subset of the column's presence mask.
        unsafe impl SlotMatcher for $slots {
            const REQUIRED: bool = true;
            #[inline(always)]
            fn words(self) -> Span {
                self.0.table.words()
            }
            #[inline(always)]
            unsafe fn mask(self, word: usize) -> u64 {
                // SAFETY: the caller promises that the columns are still borrowed.
                let since = unsafe { self.0.stamps() }
                    .map_or(0, |stamps| stamps.$since(word, self.0.ticks.last_run));
                if since == 0 { 0 } else { since & self.0.table.mask_or_empty(word) }
            }
            #[inline(always)]
            unsafe fn next(self, word: usize) -> usize {
                // SAFETY: the caller promises that the columns are still borrowed.
                let stamps = unsafe { self.0.stamps() };
                stamps.map_or(usize::MAX, |stamps| stamps.next_since(word, self.0.ticks.last_run))
            }
            const DATED: bool = true;
            #[inline(always)]
            fn since(self, tick: u64) -> Self {
                Self(self.0.since(tick))
            }
        }
        // SAFETY: the mask is a subset of the presence mask, so an entity that passes has the
        // component, as `ACCESS` says.
        unsafe impl<T: 'static> Filter for $filter<T> {
            type Columns = $slots;
            const VALUE: Self = Self::new();
        }
        // SAFETY: `ACCESS` declares the presence and the stamps that are read; entities that do not
        // pass may have `T` or not, as `NEGATED` says.
        unsafe impl<T: 'static, W: HasStamps<T>> QueryFilter<W> for $filter<T> {
            const ACCESS: Access = {
                let $index = W::INDEX;
                $access
            };
            const NEGATED: Access = Access { with: ComponentSet::EMPTY, ..<Self as QueryFilter<W>>::ACCESS };
            #[inline(always)]
            unsafe fn columns(world: WorldCell<'_, W>) -> Self::Columns {
                // SAFETY: the caller promises that no clashing access happens while the columns are
                // used.
                $slots(unsafe { TrackedColumn::of::<T, W>(world) })
            }
        }
    )*};
}

tracked_filters! {
    Changed, ChangedColumn, changed_since, |index| Access { stamps: ComponentSet::EMPTY.with(index), ..having(index) };
    Added, AddedColumn, added_since, |index| having(index);
}

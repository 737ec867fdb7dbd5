//! [`WorldCell`]: a borrow of a world through which its fields are reached one by one.
#![expect(unsafe_code, reason = "splits the borrow of a world into borrows of its fields")]

use core::marker::PhantomData;
use core::ptr;

use super::{ErasedStates, RawWorld};
use crate::base::tick::Ticks;
use crate::component::Has;
use crate::entity::allocator::Entities;
use crate::event::{Events, HasEvent};
use crate::resource::HasResource;
use crate::storage::column::Column;
use crate::storage::column_offset::{ColumnOffset, DropMode};
use crate::storage::kind::ColumnKind;
use crate::storage::table::{RawTable, Table};

/// A world, borrowed for `'w`, from which several fields can be borrowed at the same time.
///
/// # Invariants
/// 1. `world` is the address of a world that is borrowed for `'w`: mutably, or shared if the cell
///    is used for reading only.
/// 2. Safe code of a user never has a cell: every public function that takes or returns a cell is
///    `unsafe`, and so is every trait whose methods take one.
/// 3. `ticks` is null, or points to ticks that are borrowed for `'w`.
/// 4. `&mut` of a field is made only where access sets, or `&mut W`, prove that no other borrow of
///    that field is alive.
pub struct WorldCell<'w, W> {
    world: *mut W,
    /// The ticks of the system that is running; null outside of systems.
    ticks: *const Ticks,
    borrow: PhantomData<&'w mut W>,
}

copy!([W] WorldCell<'_, W>);
debug!([W] WorldCell<'_, W>, |_, f| f.write_str("WorldCell"));

impl<'w, W: RawWorld> WorldCell<'w, W> {
    #[inline(always)]
    pub(crate) fn new(world: &'w mut W) -> Self {
        Self { world, ticks: ptr::null(), borrow: PhantomData }
    }

    /// This cell for a system that runs at these ticks.
    #[inline(always)]
    pub(crate) fn at(self, ticks: &'w Ticks) -> Self {
        Self { ticks, ..self }
    }

    /// The ticks of the system's last run and of this run. Outside of systems, every value counts
    /// as changed since the last run, and new changes are later than the last run of every system.
    #[inline(always)]
    pub(crate) fn ticks(self) -> Ticks {
        // SAFETY: by invariant 3 the address is null, or that of ticks that are borrowed for `'w`.
        match unsafe { self.ticks.as_ref() } {
            Some(ticks) => {
                debug_assert!(ticks.this_run != 0, "a system that reads ticks sets `Access::timed`");
                *ticks
            }
            None => self.entities().ticks(),
        }
    }

    /// The tick of changes that are made through this cell.
    #[inline(always)]
    pub(crate) fn this_run(self) -> u64 {
        self.ticks().this_run
    }

    /// A cell for reading only.
    #[inline(always)]
    pub(crate) fn shared(world: &'w W) -> Self {
        Self { world: ptr::from_ref(world).cast_mut(), ticks: ptr::null(), borrow: PhantomData }
    }

    /// The entities of the world.
    #[inline(always)]
    pub(crate) fn entities(self) -> &'w Entities {
        // SAFETY: invariant 1; only `entities_mut` borrows the entities mutably, whose contract
        // excludes this borrow.
        unsafe { &*W::__entities(self.world) }
    }

    /// The entities of the world, mutable.
    ///
    /// # Safety
    /// No other borrow of the entities is used during this one.
    #[inline(always)]
    pub(crate) unsafe fn entities_mut(self) -> &'w mut Entities {
        // SAFETY: invariant 1; by the caller's contract no other borrow is used.
        unsafe { &mut *W::__entities(self.world) }
    }

    /// The address of the states of the schedules, whose type `schedule` knows.
    #[inline(always)]
    pub(crate) fn schedule_states_ptr(self) -> *mut ErasedStates {
        // SAFETY: invariant 1.
        unsafe { W::__schedule_states(self.world) }
    }

    /// The addresses of the masks and pages of the column of `T`.
    ///
    /// # Safety
    /// `T` is not added or removed while the addresses are used, and values are borrowed as
    /// invariant 4 demands.
    #[inline(always)]
    pub(crate) unsafe fn raw_column<T: 'static>(self) -> RawTable
    where
        W: Has<T>,
    {
        // SAFETY: invariant 1; a column begins with its table (`repr(C)`), which by the caller's
        // contract does not change.
        let table = unsafe { &*(W::__column_ptr(self.world) as *const Table) };
        if const { W::Kind::PACKED } { table.raw_packed() } else { table.raw() }
    }

    /// The column of `T`, shared.
    ///
    /// # Safety
    /// `T` is not added or removed during this borrow, and values are borrowed as invariant 4
    /// demands.
    #[inline(always)]
    pub(crate) unsafe fn column<T: 'static>(self) -> &'w Column<T>
    where
        W: Has<T>,
    {
        // SAFETY: invariant 1; by the caller's contract the column is not borrowed mutably.
        unsafe { &*W::__column_ptr(self.world) }
    }

    /// The column of `T`, mutable.
    ///
    /// # Safety
    /// No other borrow of this column is used during this one.
    #[inline(always)]
    pub(crate) unsafe fn column_mut<T: 'static>(self) -> &'w mut Column<T>
    where
        W: Has<T>,
    {
        // SAFETY: invariant 1; by the caller's contract no other borrow is used.
        unsafe { &mut *W::__column_ptr(self.world) }
    }

    /// The address of the column at an offset, as the part of a column that does not depend on its
    /// type.
    ///
    /// # Safety
    /// The offset is one of `W`, of a column that exists. The caller upholds invariant 4 for each
    /// use of the address.
    #[inline(always)]
    pub(crate) unsafe fn table(self, offset: ColumnOffset) -> *mut Table {
        // SAFETY: the caller's contract.
        unsafe { self.table_at(offset.bytes) }
    }

    /// [`table`](Self::table) of an offset in bytes.
    ///
    /// # Safety
    /// As for [`table`](Self::table).
    #[inline(always)]
    pub(crate) unsafe fn table_at(self, bytes: usize) -> *mut Table {
        // SAFETY: invariant 1; an offset is within the world, and a column begins with its table.
        unsafe { self.world.byte_add(bytes).cast() }
    }

    /// The address of the world.
    #[inline(always)]
    pub(crate) fn address(self) -> *const u8 {
        self.world.cast()
    }

    /// The address of a resource.
    #[inline(always)]
    pub(crate) fn resource_ptr<R: 'static>(self) -> *mut R
    where
        W: HasResource<R>,
    {
        // SAFETY: invariant 1.
        unsafe { W::__resource_ptr(self.world) }
    }

    /// The address of an event queue.
    #[inline(always)]
    pub(crate) fn events_ptr<E: 'static>(self) -> *mut Events<E>
    where
        W: HasEvent<E>,
    {
        // SAFETY: invariant 1.
        unsafe { W::__events_ptr(self.world) }
    }

    /// The world itself.
    ///
    /// # Safety
    /// No reference to a part of the world is used during this borrow.
    #[inline(always)]
    pub unsafe fn world_mut(self) -> &'w mut W {
        // SAFETY: invariant 1; by the caller's contract no other borrow is used.
        unsafe { &mut *self.world }
    }
}

/// A borrow of a world through which its entities are reached, and which components they have.
///
/// # Invariants
/// During `'w` no one adds or removes components.
pub(crate) struct PresenceCell<'w, W>(WorldCell<'w, W>);

copy!([W] PresenceCell<'_, W>);

impl<'w, W: RawWorld> PresenceCell<'w, W> {
    /// # Safety
    /// During `'w` no one adds or removes components.
    #[inline(always)]
    pub(crate) const unsafe fn new(world: WorldCell<'w, W>) -> Self {
        Self(world)
    }

    /// A cell of a world that no one else uses.
    pub(crate) fn of(world: &'w mut W) -> Self {
        Self(WorldCell::new(world))
    }

    /// The entities of the world.
    #[inline(always)]
    pub(crate) fn entities(self) -> &'w Entities {
        self.0.entities()
    }

    /// Whether a slot has a component, by the component's index.
    pub(crate) fn has(self, slot: u32, component: usize) -> bool {
        // SAFETY: by the invariant no one adds or removes components, and the borrow ends with this
        // function.
        unsafe { table_of(self.0, component) }.is_some_and(|table| table.contains(slot))
    }
}

/// The part of a column that does not depend on its type, by the component's index; `None` for a
/// component that is compiled out.
///
/// # Safety
/// While the result is used, the column is not borrowed mutably, and its component is not added or
/// removed.
pub(crate) unsafe fn table_of<W: RawWorld>(world: WorldCell<'_, W>, index: usize) -> Option<&Table> {
    let offset = *W::OFFSETS.get(index)?;
    // SAFETY: the offset is one of `W`, and the column exists, since its values are not `None`; by
    // the caller's contract it is not borrowed mutably.
    (!matches!(offset.values, DropMode::None)).then(|| unsafe { &*world.table(offset) })
}

//! [`WorldCell`]: a borrow of a world through which its fields are reached one by one.
#![expect(unsafe_code, reason = "splits the borrow of a world into borrows of its fields")]

use core::marker::PhantomData;
use core::ptr;

use super::{ErasedStates, RawWorld};
use crate::base::tick::Ticks;
use crate::component::excludes::excluded_by;
use crate::component::{ComponentKind, Has};
use crate::entity::Entity;
use crate::entity::allocator::Entities;
use crate::entity::journal::RecordedAction;
use crate::error::{Reason, Refused};
use crate::event::{Events, HasEvent};
use crate::raw_world::journal;
use crate::resource::HasResource;
use crate::storage::column::Column;
use crate::storage::column_offset::{ColumnOffset, DropMode};
use crate::storage::kind::ColumnKind;
use crate::storage::rule_state::ChangeContext;
use crate::storage::rules::Rule;
use crate::storage::table::{RawTable, Table};

/// A world, borrowed for `'w`, from which several fields can be borrowed at the same time.
///
/// # Invariants
/// 1. `world` is the address of a world that is borrowed for `'w`: mutably, or shared if the cell is used for reading only.
/// 2. Safe code of a user never has a cell: every public function that takes or returns a cell is `unsafe`, and so is every
///    trait whose methods take one.
/// 3. `ticks` is null, or points to ticks that are borrowed for `'w`.
/// 4. `&mut` of a field is made only where access sets, or `&mut W`, prove that no other borrow of that field is alive.
pub struct WorldCell<'w, W> {
    world: *mut W,
    /// The ticks of the system that is running; null outside of systems.
    ticks: *const Ticks,
    borrow: PhantomData<&'w mut W>,
}

impl<W> Clone for WorldCell<'_, W> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<W> Copy for WorldCell<'_, W> {}

impl<W> core::fmt::Debug for WorldCell<'_, W> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("WorldCell")
    }
}

/// A function that returns the reason for which a rule refuses a value for an entity, or for a new one; `None` if it accepts the
/// value.
///
/// # Safety
/// The contract of [`WorldCell::put`].
pub(crate) type Refuse<P, W> = unsafe fn(&P, WorldCell<'_, W>, Option<Entity>) -> Option<Refused>;

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

    /// The ticks of the system's last run and of this run. Outside of systems, every value counts as changed since the last run,
    /// and new changes are later than the last run of every system.
    #[inline(always)]
    pub(crate) fn ticks(self) -> Ticks {
        // SAFETY: invariant 3.
        match unsafe { self.ticks.as_ref() } {
            Some(ticks) => {
                debug_assert!(ticks.this_run != 0, "a system that reads ticks sets `Access::timed`");
                *ticks
            }
            None => Ticks { last_run: 0, this_run: self.entities().tick() },
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
        // SAFETY: invariant 1; only `entities_mut` borrows the entities mutably, whose contract excludes this borrow.
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
    /// `T` is not added or removed while the addresses are used, and values are borrowed as invariant 4 demands.
    #[inline(always)]
    pub(crate) unsafe fn raw_column<T: 'static>(self) -> RawTable
    where
        W: Has<T>,
    {
        // SAFETY: invariant 1; a column begins with its table (`repr(C)`), which by the caller's contract does not change.
        unsafe { (*(W::__column_ptr(self.world) as *const Table)).raw() }
    }

    /// The column of `T`, shared.
    ///
    /// # Safety
    /// `T` is not added or removed during this borrow, and values are borrowed as invariant 4 demands.
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

    /// The address of the column at an offset, as the part of a column that does not depend on its type.
    ///
    /// # Safety
    /// The offset is one of `W`, of a column that exists. The caller upholds invariant 4 for each use of the address.
    #[inline(always)]
    pub(crate) unsafe fn table(self, offset: ColumnOffset) -> *mut Table {
        // SAFETY: invariant 1; an offset is within the world, and a column begins with its table.
        unsafe { self.world.byte_add(offset.bytes).cast() }
    }

    /// Whether `slot` has a value of `T`.
    ///
    /// # Safety
    /// The column is not borrowed mutably, and `T` is not added or removed, during the call.
    #[inline]
    pub(crate) unsafe fn has<T: 'static>(self, slot: u32) -> bool
    where
        W: Has<T>,
    {
        // SAFETY: by the caller's contract the column is not borrowed mutably.
        unsafe { self.column::<T>() }.contains(slot)
    }

    /// Inserts a value at `slot`, and returns the replaced one.
    ///
    /// # Safety
    /// The cell's world is borrowed mutably, and no reference to a part of that world is used during the call.
    #[inline]
    pub(crate) unsafe fn put<T: 'static>(self, slot: u32, value: T) -> Option<T>
    where
        W: Has<T>,
    {
        // SAFETY: by the contract of `put` no reference to a part of the world is used.
        let column = unsafe { self.column_mut::<T>() };
        if let Some(insert) = const { Rule::<T, W::Kind>::INSERT } {
            return insert(column, self.context::<T>(slot), value);
        }
        let (old, first) = column.insert(slot, value);
        if W::Kind::TRACKED {
            column.stamp(slot, self.this_run(), old.is_none());
        }
        if first {
            self.entities().note(slot, W::INDEX);
        }
        if old.is_none() {
            journal::record_at(self, RecordedAction::Inserted(W::INDEX), slot);
        }
        if old.is_none()
            && let Some(note_added) = const { Rule::<T, W::Kind>::NOTE_ADDED }
        {
            note_added(column, slot);
        }
        old
    }

    /// Removes and returns the value of `slot`.
    ///
    /// # Safety
    /// The contract of [`put`](Self::put).
    #[inline]
    pub(crate) unsafe fn take<T: 'static>(self, slot: u32) -> Option<T>
    where
        W: Has<T>,
    {
        // SAFETY: by the contract of `put` no reference to a part of the world is used.
        let column = unsafe { self.column_mut::<T>() };
        if let Some(remove) = const { Rule::<T, W::Kind>::REMOVE } {
            return remove(column, self.context::<T>(slot));
        }
        let old = if W::Kind::LOGGED {
            column.remove_logged(self.entities().at(slot as usize))
        } else {
            column.remove(slot)
        };
        if old.is_some() {
            journal::record_at(self, RecordedAction::Removed(W::INDEX), slot);
        }
        old
    }

    /// The context of a change of component `T` at `slot`, whose entity is alive.
    pub(crate) fn context<T: 'static>(self, slot: u32) -> ChangeContext<'w>
    where
        W: Has<T>,
    {
        let entities = self.entities();
        ChangeContext { entity: entities.at(slot as usize), entities, index: W::INDEX, tick: self.this_run() }
    }

    /// The reason for which a rule refuses the value for `entity`, or for a new entity; `None` if no rule does.
    ///
    /// # Safety
    /// The contract of [`put`](Self::put).
    #[inline]
    pub(crate) unsafe fn refuse<T: 'static>(self, entity: Option<Entity>, value: &T) -> Option<Refused>
    where
        W: Has<T>,
    {
        // a function constant: see `docs/compile-times.md`
        let refuse: Option<Refuse<T, W>> =
            const { if W::Kind::REFUSES { Some(refuse_by_rule) } else { None } };
        match refuse {
            // SAFETY: the caller's contract is that of `Refuse`.
            Some(refuse) => unsafe { refuse(value, self, entity) },
            None => None,
        }
    }

    /// A component of the entity that excludes `T`, as the reason of the refusal.
    ///
    /// # Safety
    /// The contract of [`put`](Self::put).
    unsafe fn excluded<T: 'static>(self, entity: Option<Entity>) -> Option<Reason>
    where
        W: Has<T>,
    {
        let slot = entity?.slot();
        let mut excluded = const { excluded_by::<W>(<W as Has<T>>::INDEX) }.indices();
        // SAFETY: by the contract of `put` no reference to a part of the world is used.
        let present =
            |&index: &usize| unsafe { table_of(self, index) }.is_some_and(|table| table.contains(slot));
        Some(Reason::Excluded(W::COMPONENT_NAMES[excluded.find(present)?]))
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

/// The part of [`WorldCell::refuse`] for components with a rule that may refuse values.
///
/// # Safety
/// The contract of [`WorldCell::put`].
unsafe fn refuse_by_rule<W: Has<T>, T: 'static>(
    value: &T,
    world: WorldCell<'_, W>,
    entity: Option<Entity>,
) -> Option<Refused> {
    // SAFETY: the caller's contract is that of `put`.
    let excluded = if W::Kind::EXCLUDES { unsafe { world.excluded::<T>(entity) } } else { None };
    let reason = excluded.or_else(|| {
        // SAFETY: the caller's contract is that of `put`.
        let column = unsafe { world.column_mut::<T>() };
        column.refuse::<W::Kind>(world.entities(), entity, value)
    })?;
    Some(Refused { entity, component: W::COMPONENT_NAMES[W::INDEX], world: W::WORLD_NAME, reason })
}

/// The part of a column that does not depend on its type, by the component's index; `None` for a component that is compiled out.
pub(crate) fn table<W: RawWorld>(world: &W, index: usize) -> Option<&Table> {
    // SAFETY: `world` is borrowed shared.
    unsafe { table_of(WorldCell::shared(world), index) }
}

/// [`table`] for a world that is borrowed in parts.
///
/// # Safety
/// While the result is used, the column is not borrowed mutably, and its component is not added or removed.
pub(crate) unsafe fn table_of<W: RawWorld>(world: WorldCell<'_, W>, index: usize) -> Option<&Table> {
    let offset = *W::OFFSETS.get(index)?;
    // SAFETY: the offset is one of `W`, and the column exists, since its values are not `None`; by the caller's contract it is not
    // borrowed mutably.
    (!matches!(offset.values, DropMode::None)).then(|| unsafe { &*world.table(offset) })
}

//! A borrow of a world whose fields are reached one by one.
#![expect(unsafe_code, reason = "splits the borrow of a world into borrows of its fields")]

use core::marker::PhantomData;
use core::ptr;

use super::World;
use crate::base::tick::Ticks;
use crate::component::excludes::excluded_by;
use crate::component::{ComponentKind, Has};
use crate::entity::Entity;
use crate::entity::allocator::Entities;
use crate::error::{Reason, Refused};
use crate::event::{Events, HasEvent};
use crate::resource::HasResource;
use crate::schedule::ScheduleStates;
use crate::storage::column::Column;
use crate::storage::column_offset::{ColumnOffset, Values};
use crate::storage::kind::ColumnKind;
use crate::storage::rule_state::ChangeContext;
use crate::storage::rules::Rule;
use crate::storage::table::{RawTable, Table};

/// A world, borrowed for `'w`, from which several fields can be reached at once.
///
/// # Invariants
/// 1. The address is that of a world that is borrowed for `'w`: mutably, or shared if the cell is used for reading only.
/// 2. Safe code of a user never gets hold of one: every public function that takes or gives a cell is `unsafe`, and so is every
///    trait that is implemented with one.
/// 3. `ticks` is null, or lent for `'w`.
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

/// A function that gives the reason why an entity, or a new one, cannot have a value; `None` if it can.
///
/// # Safety
/// As for [`WorldCell::put`].
pub(crate) type Refuse<P, W> = unsafe fn(&P, WorldCell<'_, W>, Option<Entity>) -> Option<Refused>;

impl<'w, W: World> WorldCell<'w, W> {
    #[inline(always)]
    pub(crate) fn new(world: &'w mut W) -> Self {
        Self { world, ticks: ptr::null(), borrow: PhantomData }
    }

    /// The same for a system that runs at these ticks.
    #[inline(always)]
    pub(crate) fn at(self, ticks: &'w Ticks) -> Self {
        Self { ticks, ..self }
    }

    /// The ticks of the system's last run and of this run. Outside of systems every value counts as changed, and changes are
    /// later than the last run of any system.
    #[inline(always)]
    pub(crate) fn ticks(self) -> Ticks {
        // SAFETY: invariant 3.
        match unsafe { self.ticks.as_ref() } {
            Some(ticks) => {
                debug_assert!(ticks.this_run != 0, "who asks says so: `Access::timed`");
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
        // SAFETY: invariant 1; it is borrowed mutably only by `entities_mut`.
        unsafe { &*W::__entities(self.world) }
    }

    /// # Safety
    /// No other borrow of the entities is used during this one.
    #[inline(always)]
    pub(crate) unsafe fn entities_mut(self) -> &'w mut Entities {
        // SAFETY: invariant 1, and the caller's promise.
        unsafe { &mut *W::__entities(self.world) }
    }

    /// # Safety
    /// As for `entities_mut`, of the places.
    #[inline(always)]
    pub(crate) unsafe fn schedule_states_mut(self) -> &'w mut ScheduleStates {
        // SAFETY: invariant 1, and the caller's promise.
        unsafe { &mut *W::__schedule_states(self.world) }
    }

    /// # Safety
    /// The places are not borrowed mutably.
    pub(crate) unsafe fn schedule_states(self) -> &'w ScheduleStates {
        // SAFETY: invariant 1, and the caller's promise.
        unsafe { &*W::__schedule_states(self.world) }
    }

    /// The column as addresses.
    ///
    /// # Safety
    /// `T` is not added or removed while the addresses are used; values are reached by invariant 4.
    #[inline(always)]
    pub(crate) unsafe fn raw_column<T: 'static>(self) -> RawTable
    where
        W: Has<T>,
    {
        // SAFETY: invariant 1, and the caller's promise; a column begins with its table.
        unsafe { (*(W::__column_ptr(self.world) as *const Table)).raw() }
    }

    /// The column, shared.
    ///
    /// # Safety
    /// As for `raw_column`.
    #[inline(always)]
    pub(crate) unsafe fn column<T: 'static>(self) -> &'w Column<T>
    where
        W: Has<T>,
    {
        // SAFETY: invariant 1, and the caller's promise.
        unsafe { &*W::__column_ptr(self.world) }
    }

    /// # Safety
    /// No other borrow of this column is alive.
    #[inline(always)]
    pub(crate) unsafe fn column_mut<T: 'static>(self) -> &'w mut Column<T>
    where
        W: Has<T>,
    {
        // SAFETY: invariant 1, and the caller's promise.
        unsafe { &mut *W::__column_ptr(self.world) }
    }

    /// A column whose type is not known.
    ///
    /// # Safety
    /// The offset is one of `W`, of a column that is there. What the address is used for is the caller's business.
    #[inline(always)]
    pub(crate) unsafe fn table(self, offset: ColumnOffset) -> *mut Table {
        // SAFETY: invariant 1; an offset is within the world, and a column begins with its table.
        unsafe { self.world.byte_add(offset.bytes).cast() }
    }

    /// Whether `slot` has a `T`.
    ///
    /// # Safety
    /// The column is not borrowed mutably, and `T` is not added or removed, during the call.
    #[inline]
    pub(crate) unsafe fn has<T: 'static>(self, slot: u32) -> bool
    where
        W: Has<T>,
    {
        // SAFETY: the caller's promise.
        unsafe { self.column::<T>() }.contains(slot)
    }

    /// Gives `slot` a `T`.
    ///
    /// # Safety
    /// The cell was made of a world that is borrowed mutably, and nothing of that world is lent, to anybody, during the call.
    #[inline]
    pub(crate) unsafe fn put<T: 'static>(self, slot: u32, value: T) -> Option<T>
    where
        W: Has<T>,
    {
        // SAFETY: the caller's promise.
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
        if old.is_none()
            && let Some(note_added) = const { Rule::<T, W::Kind>::NOTE_ADDED }
        {
            note_added(column, slot);
        }
        old
    }

    /// Takes the `T` of `slot` away.
    ///
    /// # Safety
    /// As for [`put`](Self::put).
    #[inline]
    pub(crate) unsafe fn take<T: 'static>(self, slot: u32) -> Option<T>
    where
        W: Has<T>,
    {
        // SAFETY: the caller's promise.
        let column = unsafe { self.column_mut::<T>() };
        if let Some(remove) = const { Rule::<T, W::Kind>::REMOVE } {
            remove(column, self.context::<T>(slot))
        } else if W::Kind::LOGGED {
            column.remove_logged(self.entities().at(slot as usize))
        } else {
            column.remove(slot)
        }
    }

    /// Where something happens to the `T` of `slot`, whose entity lives.
    pub(crate) fn context<T: 'static>(self, slot: u32) -> ChangeContext<'w>
    where
        W: Has<T>,
    {
        let entities = self.entities();
        ChangeContext { entity: entities.at(slot as usize), entities, index: W::INDEX, tick: self.this_run() }
    }

    /// Why `entity`, or a new one, cannot have the value.
    ///
    /// # Safety
    /// As for [`put`](Self::put).
    #[inline]
    pub(crate) unsafe fn refuse<T: 'static>(self, entity: Option<Entity>, value: &T) -> Option<Refused>
    where
        W: Has<T>,
    {
        // an address, as in `Rule`
        let refuse: Option<Refuse<T, W>> =
            const { if W::Kind::REFUSES { Some(refuse_by_rule) } else { None } };
        match refuse {
            // SAFETY: the caller's promise.
            Some(refuse) => unsafe { refuse(value, self, entity) },
            None => None,
        }
    }

    /// What an entity has that does not go together with `T`.
    ///
    /// # Safety
    /// As for [`put`](Self::put).
    unsafe fn excluded<T: 'static>(self, entity: Option<Entity>) -> Option<Reason>
    where
        W: Has<T>,
    {
        let slot = entity?.slot();
        let mut excluded = const { excluded_by::<W>(<W as Has<T>>::INDEX) }.indices();
        // SAFETY: the caller's promise.
        let present =
            |&index: &usize| unsafe { table_of(self, index) }.is_some_and(|table| table.contains(slot));
        Some(Reason::Excluded(W::COMPONENTS[excluded.find(present)?]))
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
    /// Nothing of the world is lent for as long as the reference lives.
    #[inline(always)]
    pub unsafe fn world_mut(self) -> &'w mut W {
        // SAFETY: invariant 1, and the caller's promise.
        unsafe { &mut *self.world }
    }
}

/// What [`WorldCell::refuse`] does, of a component with a rule that may say no.
///
/// # Safety
/// As for [`WorldCell::put`].
unsafe fn refuse_by_rule<W: Has<T>, T: 'static>(
    value: &T,
    world: WorldCell<'_, W>,
    entity: Option<Entity>,
) -> Option<Refused> {
    // SAFETY: the caller's promise.
    let excluded = if W::Kind::EXCLUDES { unsafe { world.excluded::<T>(entity) } } else { None };
    let reason = excluded.or_else(|| {
        // SAFETY: the caller's promise.
        let column = unsafe { world.column_mut::<T>() };
        column.refuse::<W::Kind>(world.entities(), entity, value)
    })?;
    Some(Refused { entity, component: W::COMPONENTS[W::INDEX], world: W::NAME, reason })
}

/// What a column is apart from its type, by the component's index; nothing for one that is compiled out.
pub(crate) fn table<W: World>(world: &W, index: usize) -> Option<&Table> {
    // SAFETY: the world is borrowed shared.
    unsafe { table_of(WorldCell::shared(world), index) }
}

/// The same, of a world that is borrowed in parts.
///
/// # Safety
/// For as long as it is used nobody borrows the column mutably, or adds or removes components of it.
pub(crate) unsafe fn table_of<W: World>(world: WorldCell<'_, W>, index: usize) -> Option<&Table> {
    let offset = *W::OFFSETS.get(index)?;
    // SAFETY: the column is there; the rest is the caller's promise.
    (!matches!(offset.values, Values::None)).then(|| unsafe { &*world.table(offset) })
}

//! [`WorldFields`]: the fields of a world that is borrowed as a whole, by safe functions.
//!
//! A [`WorldCell`] borrows one field beside others, and its caller must know that the borrows do
//! not clash. Most of the library has `&W` or `&mut W`, which proves more than that; it reaches the
//! fields by this trait and needs no unsafe code.
#![expect(unsafe_code, reason = "the borrow of the whole world is the proof for the borrow of a field")]

use super::cell::{WorldCell, table_of};
use super::{RawWorld, journal, targets};
use crate::base::component_set::ComponentSet;
use crate::component::excludes::excluded_by;
use crate::component::{ComponentKind, Has};
use crate::entity::Entity;
use crate::entity::allocator::Entities;
use crate::entity::journal::RecordedAction;
use crate::error::{Reason, Refused};
use crate::event::{Events, HasEvent};
use crate::resource::HasResource;
use crate::storage::column::Column;
use crate::storage::column_offset::{ColumnOffset, DropMode};
use crate::storage::erased_column::ErasedColumn;
use crate::storage::kind::ColumnKind;
use crate::storage::rule_state::ChangeContext;
use crate::storage::table::Table;

/// A function that returns the reason for which a rule refuses a value for an entity, or for a new
/// one; `None` if it accepts the value.
pub(crate) type Refuse<P, W> = fn(&P, &mut W, Option<Entity>) -> Option<Refused>;

/// The fields of a world that is borrowed shared or mutably as a whole. Implemented for every
/// world.
///
/// The trait is not public: code of a user has no columns and no allocator in its hands.
pub(crate) trait WorldFields: RawWorld {
    /// The column of `T`.
    #[inline(always)]
    fn column<T: 'static>(&self) -> &Column<T>
    where
        Self: Has<T>,
    {
        // SAFETY: `self` is borrowed shared for as long as the column, so that no one changes the
        // column or adds values.
        unsafe { WorldCell::shared(self).column::<T>() }
    }

    /// The column of `T`, mutable.
    #[inline(always)]
    fn column_mut<T: 'static>(&mut self) -> &mut Column<T>
    where
        Self: Has<T>,
    {
        // SAFETY: `self` is borrowed mutably for as long as the column, so that no other borrow of
        // the column exists.
        unsafe { WorldCell::new(self).column_mut::<T>() }
    }

    /// The column of `T`, mutable, and the entities.
    #[inline(always)]
    fn column_and_entities<T: 'static>(&mut self) -> (&mut Column<T>, &Entities)
    where
        Self: Has<T>,
    {
        let cell = WorldCell::new(self);
        // SAFETY: `self` is borrowed mutably for as long as the column. The entities are another
        // field, by the contract of `Has`.
        (unsafe { cell.column_mut::<T>() }, cell.entities())
    }

    /// The column of `T`, and the context of a change of `T` of an entity that is alive.
    #[inline(always)]
    fn change<T: 'static>(&mut self, entity: Entity) -> (&mut Column<T>, ChangeContext<'_>)
    where
        Self: Has<T>,
    {
        let (column, entities) = self.column_and_entities::<T>();
        (column, ChangeContext { entity, entities, index: Self::INDEX, tick: entities.tick() })
    }

    /// Gives a live entity a value, and returns the one that it replaces.
    #[inline]
    fn put<T: 'static>(&mut self, entity: Entity, value: T) -> Option<T>
    where
        Self: Has<T>,
    {
        let (column, context) = self.change::<T>(entity);
        let old = column.put::<Self::Kind>(context, value);
        if old.is_none() {
            journal::record_unguarded::<Self, T>(context, RecordedAction::Inserted(Self::INDEX));
        }
        old
    }

    /// Removes the value of a live entity, and returns it.
    #[inline]
    fn take<T: 'static>(&mut self, entity: Entity) -> Option<T>
    where
        Self: Has<T>,
    {
        let old = self.detach::<T>(entity);
        self.drop_expelled::<T>();
        old
    }

    /// Drops the values of `T` that have left the bounded log of removed values. Their `Drop` may
    /// panic.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn drop_expelled<T: 'static>(&mut self)
    where
        Self: Has<T>,
    {
        if const { Self::Kind::LOGGED } {
            self.column_mut::<T>().drop_expelled();
        }
    }

    /// Moves a value of a live entity to another one. Returns the value that it replaces there;
    /// `None` if there was no value to move.
    fn move_value<T: 'static>(&mut self, from: Entity, to: Entity) -> Option<T>
    where
        Self: Has<T>,
    {
        let value = self.detach::<T>(from)?;
        let replaced = self.put(to, value);
        self.drop_expelled::<T>();
        replaced
    }

    /// Removes the value of a live entity, and returns it. [`drop_expelled`](Self::drop_expelled)
    /// follows when the value is in its place.
    #[inline]
    fn detach<T: 'static>(&mut self, entity: Entity) -> Option<T>
    where
        Self: Has<T>,
    {
        let (column, context) = self.change::<T>(entity);
        let old = column.take::<Self::Kind>(context);
        if old.is_some() {
            journal::record_unguarded::<Self, T>(context, RecordedAction::Removed(Self::INDEX));
        }
        old
    }

    /// The entities, mutable.
    #[inline(always)]
    fn entities_mut(&mut self) -> &mut Entities {
        // SAFETY: `self` is borrowed mutably for as long as the entities, so that no other borrow
        // of them exists.
        unsafe { WorldCell::new(self).entities_mut() }
    }

    /// The resource `R`.
    #[inline(always)]
    fn resource_of<R: 'static>(&self) -> &R
    where
        Self: HasResource<R>,
    {
        // SAFETY: `self` is borrowed shared for as long as the resource, so that no one changes it.
        unsafe { &*WorldCell::shared(self).resource_ptr::<R>() }
    }

    /// The resource `R`, mutable.
    #[inline(always)]
    fn resource_of_mut<R: 'static>(&mut self) -> &mut R
    where
        Self: HasResource<R>,
    {
        // SAFETY: `self` is borrowed mutably for as long as the resource, so that no other borrow
        // of it exists.
        unsafe { &mut *WorldCell::new(self).resource_ptr::<R>() }
    }

    /// The queue of the event `E`.
    #[inline(always)]
    fn events_of<E: 'static>(&self) -> &Events<E>
    where
        Self: HasEvent<E>,
    {
        // SAFETY: `self` is borrowed shared for as long as the queue, so that no one changes it.
        unsafe { &*WorldCell::shared(self).events_ptr::<E>() }
    }

    /// The queue of the event `E`, mutable.
    #[inline(always)]
    fn events_of_mut<E: 'static>(&mut self) -> &mut Events<E>
    where
        Self: HasEvent<E>,
    {
        // SAFETY: `self` is borrowed mutably for as long as the queue, so that no other borrow of
        // it exists.
        unsafe { &mut *WorldCell::new(self).events_ptr::<E>() }
    }

    /// The reason for which a rule refuses the value for `entity`, or for a new entity; `None` if
    /// no rule does.
    #[inline]
    fn refuse<T: 'static>(&mut self, entity: Option<Entity>, value: &T) -> Option<Refused>
    where
        Self: Has<T>,
    {
        // a function constant: see `docs/compile-times.md`
        let refuse: Option<Refuse<T, Self>> =
            const { if Self::Kind::REFUSES { Some(refuse_by_rule) } else { None } };
        refuse.and_then(|refuse| refuse(value, self, entity))
    }
}

impl<W: RawWorld> WorldFields for W {}

/// The part of [`WorldFields::refuse`] for components with a rule that may refuse values.
fn refuse_by_rule<W: Has<T>, T: 'static>(
    value: &T,
    world: &mut W,
    entity: Option<Entity>,
) -> Option<Refused> {
    let excluded = if W::Kind::EXCLUDES { excluded::<W, T>(world, entity) } else { None };
    let reason = excluded.or_else(|| {
        let (column, entities) = world.column_and_entities::<T>();
        column.refuse::<W::Kind>(entities, entity, value)
    });
    let reason = reason.or_else(|| targets::refuse::<W, T>(world, value))?;
    Some(Refused { entity, component: W::COMPONENT_NAMES[W::INDEX], world: W::WORLD_NAME, reason })
}

/// A component of the entity that excludes `T`, as the reason of the refusal.
fn excluded<W: Has<T>, T: 'static>(world: &W, entity: Option<Entity>) -> Option<Reason> {
    excluded_unless::<W, T>(world, entity?, ComponentSet::EMPTY)
}

/// A component of the entity that excludes `T` and is not among those that it loses at the same
/// time.
pub(crate) fn excluded_unless<W: Has<T>, T: 'static>(
    world: &W,
    entity: Entity,
    lost: ComponentSet,
) -> Option<Reason> {
    let slot = entity.slot();
    let mut excluded = const { excluded_by::<W>(<W as Has<T>>::INDEX) }.minus(lost).indices();
    let present = |&index: &usize| table(world, index).is_some_and(|table| table.contains(slot));
    Some(Reason::Excluded(W::COMPONENT_NAMES[excluded.find(present)?]))
}

/// A column without its type, by the component's index.
///
/// # Panics
/// If the component is compiled out.
pub(crate) fn erased_column<W: RawWorld>(world: &W, index: usize) -> &ErasedColumn {
    // SAFETY: a column begins with its `ErasedColumn`; `world` is borrowed shared for as long as
    // the result.
    unsafe { &*WorldCell::shared(world).table(listed::<W>(index)).cast() }
}

/// A column without its type, by the component's index, and the entities.
///
/// # Panics
/// As [`erased_column`] does.
pub(crate) fn erased_column_mut<W: RawWorld>(world: &mut W, index: usize) -> (&mut ErasedColumn, &Entities) {
    let cell = WorldCell::new(world);
    // SAFETY: as in `erased_column`; `world` is borrowed mutably for as long as the result, and the
    // entities are another field.
    (unsafe { &mut *cell.table(listed::<W>(index)).cast() }, cell.entities())
}

/// The offset of a component that is compiled in.
fn listed<W: RawWorld>(index: usize) -> ColumnOffset {
    let offset = W::OFFSETS[index];
    assert!(!matches!(offset.values, DropMode::None), "the component is listed where it is compiled in");
    offset
}

/// The part of a column that does not depend on its type, by the component's index; `None` for a
/// component that is compiled out.
pub(crate) fn table<W: RawWorld>(world: &W, index: usize) -> Option<&Table> {
    // SAFETY: `world` is borrowed shared for as long as the result.
    unsafe { table_of(WorldCell::shared(world), index) }
}

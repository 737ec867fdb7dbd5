//! Views of single columns, for direct access to one component: `game.columns()` and
//! `game.columns_mut()`.
//!
//! A view checks that an entity is alive, which a column by itself cannot.

use core::borrow::Borrow;
use core::ops::RangeBounds;

use crate::base::tick::Ticks;
use crate::component::kind::{Unique, UniqueItem};
use crate::component::{
    Compatible, Component, ComponentKind, EntityRange, FoundEntities, Groups, IndexForm, Indexed, Ordered,
    index, ordered,
};
use crate::entity::Entity;
use crate::entity::allocator::Entities;
use crate::entity::journal::RecordedAction;
use crate::error::Reason;
use crate::query::Iter;
use crate::query::param::{iter_mut_of_column, iter_of_column};
use crate::storage::column::Column;
use crate::storage::kind::ColumnKind;
use crate::storage::rule_state::ChangeContext;

/// The mode in which the columns of a world are borrowed: [`Shared`] or [`Exclusive`].
pub trait Mode {
    /// The type of view of a column of `T`.
    type View<'w, T: 'static>;
}

/// The mode of `columns()`: the columns are borrowed shared.
#[derive(Clone, Copy, Debug)]
pub struct Shared;

/// The mode of `columns_mut()`: the columns are borrowed mutably.
#[derive(Clone, Copy, Debug)]
pub struct Exclusive;

impl Mode for Shared {
    type View<'w, T: 'static> = View<'w, T>;
}

impl Mode for Exclusive {
    type View<'w, T: 'static> = ViewMut<'w, T>;
}

/// A shared view of the column of a component: `game.columns().position`.
pub struct View<'w, T> {
    column: &'w Column<T>,
    entities: &'w Entities,
}

copy!([T] View<'_, T>);

impl<'w, T> View<'w, T> {
    #[doc(hidden)]
    pub const fn new(column: &'w Column<T>, entities: &'w Entities) -> Self {
        Self { column, entities }
    }

    pub(crate) const fn column(self) -> &'w Column<T> {
        self.column
    }

    /// The value of `entity`; `None` if the entity is not alive or lacks the component.
    #[inline]
    pub fn get(self, entity: Entity) -> Option<&'w T> {
        if self.entities.contains(entity) { self.column.get(entity.slot()) } else { None }
    }

    /// Whether `entity` is alive and has the component.
    #[inline]
    pub fn contains(self, entity: Entity) -> bool {
        self.entities.contains(entity) && self.column.contains(entity.slot())
    }

    /// The number of entities with the component. Counts the bits of the mask, in time proportional
    /// to the number of slots.
    pub fn len(self) -> usize {
        self.column.len()
    }

    /// Whether no entity has the component.
    pub fn is_empty(self) -> bool {
        self.column.len() == 0
    }
}

impl<'w, T: 'static> View<'w, T> {
    /// Iterator over all values with their entities, in the order of the slots.
    pub fn iter(self) -> Iter<'w, (Entity, &'static T)> {
        iter_of_column(self.column, self.entities)
    }
}

impl<'w, T: Indexed> View<'w, T> {
    /// The entities whose key equals `key`, in the order of their slots: see [`Indexed`].
    pub fn find<Q: ?Sized>(self, key: &Q) -> FoundEntities<'w>
    where
        T::Key: Borrow<Q>,
        T::Form: IndexForm<Q>,
    {
        index::find(self.column, self.entities, key)
    }

    /// The first entity, in the order of the slots, whose key equals `key`: see [`Indexed`].
    pub fn find_one<Q: ?Sized>(self, key: &Q) -> Option<Entity>
    where
        T::Key: Borrow<Q>,
        T::Form: IndexForm<Q>,
    {
        index::find_one(self.column, self.entities, key)
    }
}

impl<'w, T: Indexed> View<'w, T> {
    /// The values, each with the entities whose keys are equal: see
    /// [`World::group_by`](crate::World::group_by).
    pub fn group_by(self) -> Groups<'w, T> {
        Groups::new(self.column, self.entities)
    }

    /// The entities whose key is in a range, in ascending order of the keys: see [`Ordered`].
    pub fn find_range(self, range: impl RangeBounds<T::Key>) -> EntityRange<'w>
    where
        T: Ordered,
    {
        ordered::find_range(self.column, self.entities, &range)
    }

    /// The smallest value and its entity: see [`Ordered`].
    pub fn find_first(self) -> Option<(Entity, &'w T)>
    where
        T: Ordered,
    {
        ordered::find_end(self.column, self.entities, false)
    }

    /// The greatest value and its entity: see [`Ordered`].
    pub fn find_last(self) -> Option<(Entity, &'w T)>
    where
        T: Ordered,
    {
        ordered::find_end(self.column, self.entities, true)
    }
}

into_iter!(['w, T: 'static] View<'w, T>: (Entity, &'w T), Iter<'w, (Entity, &'static T)>, |this| this.iter());

/// A mutable view of the column of a component: `game.columns_mut().position`.
///
/// An insertion does not add the components that `T` requires, since the view has access to one
/// column only. Mutable values are borrowed as [`Mut`](crate::Mut) if the component is tracked, and
/// else as `&mut T`.
pub struct ViewMut<'w, T> {
    column: &'w mut Column<T>,
    entities: &'w Entities,
    index: usize,
}

impl<'w, T> ViewMut<'w, T> {
    #[inline(always)]
    pub(crate) fn new(column: &'w mut Column<T>, entities: &'w Entities, index: usize) -> Self {
        Self { column, entities, index }
    }

    #[inline(always)]
    pub(crate) fn reborrow(&mut self) -> ViewMut<'_, T> {
        ViewMut { column: self.column, entities: self.entities, index: self.index }
    }

    /// The context of a change of the value of `entity`; `None` if the entity is not alive.
    pub(crate) fn context(&self, entity: Entity, ticks: Ticks) -> Option<ChangeContext<'w>> {
        self.entities.contains(entity).then_some(self.change(entity, ticks))
    }

    /// The context of a change of the value of a live entity.
    #[inline(always)]
    const fn change(&self, entity: Entity, ticks: Ticks) -> ChangeContext<'w> {
        ChangeContext { entity, entities: self.entities, index: self.index, tick: ticks.this_run }
    }

    /// The column and the list of entities.
    pub(crate) fn column_and_entities(&self) -> (&Column<T>, &Entities) {
        (self.column, self.entities)
    }

    /// The column.
    pub(crate) fn column_mut(&mut self) -> &mut Column<T> {
        self.column
    }

    /// A shared view of the same column.
    pub fn as_view(&self) -> View<'_, T> {
        View { column: self.column, entities: self.entities }
    }

    /// The value of `entity`; `None` if the entity is not alive or lacks the component.
    #[inline]
    pub fn get(&self, entity: Entity) -> Option<&T> {
        self.as_view().get(entity)
    }

    /// Whether `entity` is alive and has the component.
    #[inline]
    pub fn contains(&self, entity: Entity) -> bool {
        self.as_view().contains(entity)
    }

    /// The number of entities with the component. Counts the bits of the mask, in time proportional
    /// to the number of slots.
    pub fn len(&self) -> usize {
        self.column.len()
    }

    /// Whether no entity has the component.
    pub fn is_empty(&self) -> bool {
        self.column.len() == 0
    }
}

impl<T: 'static> ViewMut<'_, T> {
    /// Iterator over all values with their entities, in the order of the slots.
    pub fn iter(&self) -> Iter<'_, (Entity, &'static T)> {
        self.as_view().iter()
    }
}

impl<T: Indexed> ViewMut<'_, T> {
    /// The entities whose key equals `key`, in the order of their slots: see [`Indexed`].
    pub fn find<Q: ?Sized>(&self, key: &Q) -> FoundEntities<'_>
    where
        T::Key: Borrow<Q>,
        T::Form: IndexForm<Q>,
    {
        self.as_view().find(key)
    }

    /// The first entity, in the order of the slots, whose key equals `key`: see [`Indexed`].
    pub fn find_one<Q: ?Sized>(&self, key: &Q) -> Option<Entity>
    where
        T::Key: Borrow<Q>,
        T::Form: IndexForm<Q>,
    {
        self.as_view().find_one(key)
    }
}

impl<T: Component> ViewMut<'_, T> {
    /// The ticks outside of systems, where every value counts as changed. If `T` is not tracked and
    /// has no rule, they are not used and not computed.
    #[inline(always)]
    fn ticks(&self) -> Ticks {
        if T::Kind::TRACKED || T::Kind::GUARDED { self.entities.ticks() } else { Ticks::default() }
    }

    /// The mutable value of `entity`: `&mut T`, or `Mut<T>` if `T` is tracked; shared, `&T`, if it
    /// is a key. `None` if the entity is not alive or lacks the component.
    #[inline]
    pub fn get_mut(&mut self, entity: Entity) -> Option<UniqueItem<'_, T>> {
        self.get_mut_at(entity, self.ticks())
    }

    #[inline(always)]
    pub(crate) fn get_mut_at(&mut self, entity: Entity, ticks: Ticks) -> Option<UniqueItem<'_, T>> {
        if self.entities.contains(entity) { T::Kind::unique(self.column, entity.slot(), ticks) } else { None }
    }

    /// Iterator over all mutable values with their entities, in the order of the slots. The values
    /// are `&mut T`, or `Mut<T>` if `T` is tracked.
    pub fn iter_mut(&mut self) -> Iter<'_, (Entity, Unique<T>)> {
        self.iter_mut_at(self.ticks())
    }

    pub(crate) fn iter_mut_at(&mut self, ticks: Ticks) -> Iter<'_, (Entity, Unique<T>)> {
        iter_mut_of_column(self.column, self.entities, ticks)
    }

    /// Inserts a value into `entity`, and returns the replaced value.
    ///
    /// A component that excludes others does not have this method, since the view has access to one
    /// column only: `insert` it through the world, as a relation with `target(..)`, for which the
    /// method does not compile.
    ///
    /// # Errors
    /// If the entity is not alive, or a rule of the component refuses the value. The error is the
    /// value.
    pub fn insert(&mut self, entity: Entity, value: T) -> Result<Option<T>, T>
    where
        T::Kind: Compatible<T>,
    {
        let mut value = value; // the signature is shown in errors
        if let Some(replaced) = self.replace_at(entity, &mut value, self.ticks()) {
            return if replaced.is_ok() { Ok(Some(value)) } else { Err(value) };
        }
        if self.refuse(entity, &value).is_some() {
            return Err(value);
        }
        self.insert_at(entity, value, self.ticks())
    }

    /// Inserts a value that [`refuse`](Self::refuse) has not refused. The error is the value, if the
    /// entity is not alive.
    #[inline(always)]
    pub(crate) fn insert_at(&mut self, entity: Entity, value: T, ticks: Ticks) -> Result<Option<T>, T> {
        const {
            assert!(
                !T::Kind::EXCLUDES,
                "this component excludes others, which a view of its column cannot see: `insert` it through the world"
            );
            assert!(
                !T::Kind::RULES.has_target_rule(),
                "targets of this relation have components that a view of its column cannot see: `insert` it through the world"
            );
        }
        if !self.entities.contains(entity) {
            return Err(value);
        }
        let context = self.change(entity, ticks);
        let old = self.column.put::<T::Kind>(context, value);
        if !T::Kind::GUARDED && old.is_none() {
            context.record(RecordedAction::Inserted(self.index));
        }
        Ok(old)
    }

    /// Exchanges the value of a live entity for another one, if the component has a hook, which is
    /// called once; `None` without a hook, and if there is no value to replace.
    #[inline(always)]
    pub(crate) fn replace_at(
        &mut self,
        entity: Entity,
        value: &mut T,
        ticks: Ticks,
    ) -> Option<Result<(), Reason>> {
        let replace = const { Column::<T>::replace_function::<T::Kind>() }?;
        if !self.entities.contains(entity) {
            return None;
        }
        replace(self.column, entity, ticks.this_run, value)
    }

    /// The reason for which a rule refuses the value for `entity`; `None` if no rule does.
    #[inline(always)]
    pub(crate) fn refuse(&mut self, entity: Entity, value: &T) -> Option<Reason> {
        if !T::Kind::REFUSES {
            return None;
        }
        self.column.refuse::<T::Kind>(self.entities, Some(entity), value)
    }

    /// Removes and returns the value of `entity`; `None` if the entity is not alive or lacks the
    /// component.
    ///
    /// # Panics
    /// If a relation of the world names the component in `target(..)`: the view has access to one
    /// column only. `remove` it through the world.
    pub fn remove(&mut self, entity: Entity) -> Option<T> {
        assert!(
            !self.entities.is_of_targets(self.index),
            "component `{}` is one that targets of a relation have, which a view of its column cannot see: `remove` it through the world",
            T::COMPONENT_NAME
        );
        self.remove_at(entity, self.ticks())
    }

    pub(crate) fn remove_at(&mut self, entity: Entity, ticks: Ticks) -> Option<T> {
        if !self.entities.contains(entity) {
            return None;
        }
        let context = self.change(entity, ticks);
        let old = self.column.take::<T::Kind>(context);
        if !T::Kind::GUARDED && old.is_some() {
            context.record(RecordedAction::Removed(self.index));
        }
        if const { T::Kind::LOGGED } {
            self.column.drop_expelled();
        }
        old
    }
}

debug!([T] View<'_, T>, |this, f| f.debug_struct("View").field("len", &this.len()).finish_non_exhaustive());
debug!([T] ViewMut<'_, T>, |this, f| {
    f.debug_struct("ViewMut").field("len", &this.len()).finish_non_exhaustive()
});

/// Makes the view of a column, for the expansion of `columns()`.
pub const fn view<'w, T>(column: &'w Column<T>, entities: &'w Entities) -> View<'w, T> {
    View { column, entities }
}

/// Makes the mutable view of a column, for the expansion of `columns_mut()`.
pub fn view_mut<'w, T>(column: &'w mut Column<T>, entities: &'w Entities, index: usize) -> ViewMut<'w, T> {
    ViewMut::new(column, entities, index)
}

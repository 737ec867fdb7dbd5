//! One entity of a world, looked at or changed.

use core::fmt;

use super::World;
use super::cell::table;
use crate::bundle::{Bundle, Replaced};
use crate::change::{Mut, Ref};
use crate::component::{Has, HasMut, HasStamps, HasTracked};
use crate::entity::Entity;
use crate::error::{InsertError, PresentError, refuse};

/// An entity that lives, shared: see [`World::entity`].
pub struct EntityRef<'w, W> {
    world: &'w W,
    entity: Entity,
}

impl<W> Clone for EntityRef<'_, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W> Copy for EntityRef<'_, W> {}

impl<'w, W: World> EntityRef<'w, W> {
    pub(super) fn new(world: &'w W, entity: Entity) -> Self {
        Self { world, entity }
    }

    /// Its id.
    pub fn id(self) -> Entity {
        self.entity
    }

    /// Its `T`.
    pub fn get<T: 'static>(self) -> Option<&'w T>
    where
        W: Has<T>,
    {
        self.world.get(self.entity)
    }

    /// Its tracked `T`, and when it was changed.
    pub fn get_ref<T: 'static>(self) -> Option<Ref<'w, T>>
    where
        W: HasStamps<T>,
    {
        self.world.get_ref(self.entity)
    }

    /// Whether it has a `T`.
    pub fn has<T: 'static>(self) -> bool
    where
        W: Has<T>,
    {
        self.world.has::<T>(self.entity)
    }

    /// The names of its components, in the order of the declaration.
    pub fn components(self) -> impl Iterator<Item = &'static str> + use<'w, W> {
        let slot = self.entity.slot();
        let held = self.world.__living().columns_of(slot);
        held.filter(move |&index| table(self.world, index).is_some_and(|column| column.contains(slot)))
            .map(|index| W::COMPONENTS[index])
    }
}

impl<W: World> fmt::Debug for EntityRef<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.entity)?;
        f.debug_set().entries(self.components()).finish()
    }
}

/// An entity that lives, mutable: see [`World::entity_mut`].
pub struct EntityMut<'w, W> {
    world: &'w mut W,
    entity: Entity,
}

/// What cannot happen while an `EntityMut` exists.
const LIVES: &str = "an entity lives as long as it is borrowed";

impl<'w, W: World> EntityMut<'w, W> {
    pub(super) fn new(world: &'w mut W, entity: Entity) -> Self {
        Self { world, entity }
    }

    /// Its id.
    pub fn id(&self) -> Entity {
        self.entity
    }

    /// The same, shared.
    pub fn as_ref(&self) -> EntityRef<'_, W> {
        EntityRef { world: self.world, entity: self.entity }
    }

    /// Its `T`.
    pub fn get<T: 'static>(&self) -> Option<&T>
    where
        W: Has<T>,
    {
        self.world.get(self.entity)
    }

    /// Its tracked `T`, mutable.
    pub fn get_tracked<T: 'static>(&mut self) -> Option<Mut<'_, T>>
    where
        W: HasTracked<T>,
    {
        self.world.get_tracked(self.entity)
    }

    /// Its `T`, mutable.
    pub fn get_mut<T: 'static>(&mut self) -> Option<&mut T>
    where
        W: HasMut<T>,
    {
        self.world.get_mut(self.entity)
    }

    /// Whether it has a `T`.
    pub fn has<T: 'static>(&self) -> bool
    where
        W: Has<T>,
    {
        self.world.has::<T>(self.entity)
    }

    /// Gives it components, and the values that they replace.
    ///
    /// # Panics
    /// If a rule of a component refuses its value; [`try_insert`](Self::try_insert) says so instead.
    pub fn insert<B: Bundle<W>>(&mut self, bundle: B) -> Replaced<W, B> {
        match self.world.insert(self.entity, bundle) {
            Ok(replaced) => replaced,
            Err(InsertError::Refused(refused)) => refuse(refused),
            Err(InsertError::NoSuchEntity(_)) => unreachable!("{LIVES}"),
        }
    }

    /// Gives it components of which it has none; else nothing changes and the bundle is dropped.
    ///
    /// # Errors
    /// If it has one of the components, or a rule of one refuses its value.
    pub fn try_insert<B: Bundle<W>>(&mut self, bundle: B) -> Result<(), PresentError> {
        self.world.try_insert(self.entity, bundle)
    }

    /// Takes components away, those that it has.
    pub fn remove<B: Bundle<W>>(&mut self) -> Replaced<W, B> {
        self.world.remove::<B>(self.entity).expect(LIVES)
    }

    /// Ends its life.
    pub fn despawn(self) {
        self.world.despawn(self.entity).expect(LIVES);
    }
}

impl<W: World> fmt::Debug for EntityMut<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_ref().fmt(f)
    }
}

//! Handles of one entity: [`EntityRef`] for reading, [`EntityMut`] for reading and changing.

use core::fmt;

use super::World;
use crate::bundle::{Bundle, BundleComponents, Replaced};
use crate::change::{Mut, Ref};
use crate::component::{Has, HasMut, HasStamps, HasTracked};
use crate::entity::Entity;
use crate::error::{InsertError, PresentError, refuse};
use crate::raw_world::fields::table;

/// A handle for reading one entity, which is alive as long as the handle exists: see
/// [`World::entity`].
pub struct EntityRef<'w, W> {
    world: &'w W,
    entity: Entity,
}

copy!([W] EntityRef<'_, W>);

impl<'w, W: World> EntityRef<'w, W> {
    pub(super) fn new(world: &'w W, entity: Entity) -> Self {
        Self { world, entity }
    }

    /// The world of the entity.
    #[cfg(feature = "reflect")]
    pub(crate) fn world(self) -> &'w W {
        self.world
    }

    /// The id of the entity.
    pub fn id(self) -> Entity {
        self.entity
    }

    /// The component `T` of the entity; `None` if it has none.
    pub fn get<T: 'static>(self) -> Option<&'w T>
    where
        W: Has<T>,
    {
        self.world.get(self.entity)
    }

    /// The tracked component `T` of the entity, with its change ticks; `None` if it has none.
    pub fn get_ref<T: 'static>(self) -> Option<Ref<'w, T>>
    where
        W: HasStamps<T>,
    {
        self.world.get_ref(self.entity)
    }

    /// Whether the entity has the component `T`.
    #[rustfmt::skip]
    pub fn has<T: 'static>(self) -> bool // a type: `has::<A>()`
    where
        W: Has<T>,
    {
        self.world.has::<T>(self.entity)
    }

    /// The names of the entity's components, in the order of the world's declaration.
    pub fn components(self) -> impl Iterator<Item = &'static str> + use<'w, W> {
        self.held().map(|index| W::COMPONENTS[index])
    }

    /// The numbers of the entity's components.
    fn held(self) -> impl Iterator<Item = usize> + use<'w, W> {
        let slot = self.entity.slot();
        let held = self.world.__living().columns_of(slot);
        held.filter(move |&index| table(self.world, index).is_some_and(|column| column.contains(slot)))
    }
}

/// Prints the id and the names of the components; in a world with `#[derive(Reflect)]`, also the
/// values of components that are not hidden: `12v3 {Health: {now: 3, max: 7}, Socket: _}`.
impl<W: World> fmt::Debug for EntityRef<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.entity)?;
        #[cfg(feature = "reflect")]
        if values::are_known(*self) {
            return values::print(*self, f);
        }
        f.debug_set().entries(self.components()).finish()
    }
}

/// `Debug` of the values of components, in a world that can be read by names.
#[cfg(feature = "reflect")]
mod values {
    use core::fmt;

    use super::EntityRef;
    use crate::world::World;

    /// Whether the world can print a value of the entity.
    pub(super) fn are_known<W: World>(entity: EntityRef<'_, W>) -> bool {
        entity.held().any(|index| entity.world.__printed(index, entity.entity.slot()).is_some())
    }

    pub(super) fn print<W: World>(entity: EntityRef<'_, W>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut map = f.debug_map();
        for index in entity.held() {
            let value = entity.world.__printed(index, entity.entity.slot());
            let value: &dyn fmt::Debug = match &value {
                Some(value) => value,
                None => &format_args!("_"),
            };
            map.entry(&format_args!("{}", W::COMPONENTS[index]), value);
        }
        map.finish()
    }
}

/// A handle for reading and changing one entity, which is alive as long as the handle exists, unless
/// [`remove`](Self::remove) despawns it: see [`World::entity_mut`].
pub struct EntityMut<'w, W> {
    world: &'w mut W,
    entity: Entity,
}

impl<'w, W: World> EntityMut<'w, W> {
    pub(super) fn new(world: &'w mut W, entity: Entity) -> Self {
        Self { world, entity }
    }

    /// The id of the entity.
    pub fn id(&self) -> Entity {
        self.entity
    }

    /// A handle for reading the same entity.
    pub fn as_ref(&self) -> EntityRef<'_, W> {
        EntityRef { world: self.world, entity: self.entity }
    }

    /// The component `T` of the entity; `None` if it has none.
    pub fn get<T: 'static>(&self) -> Option<&T>
    where
        W: Has<T>,
    {
        self.world.get(self.entity)
    }

    /// The mutable, tracked component `T` of the entity; `None` if it has none.
    pub fn get_tracked<T: 'static>(&mut self) -> Option<Mut<'_, T>>
    where
        W: HasTracked<T>,
    {
        self.world.get_tracked(self.entity)
    }

    /// The mutable component `T` of the entity; `None` if it has none.
    pub fn get_mut<T: 'static>(&mut self) -> Option<&mut T>
    where
        W: HasMut<T>,
    {
        self.world.get_mut(self.entity)
    }

    /// Whether the entity has the component `T`.
    #[rustfmt::skip]
    pub fn has<T: 'static>(&self) -> bool // a type: `has::<A>()`
    where
        W: Has<T>,
    {
        self.world.has::<T>(self.entity)
    }

    /// Inserts components, with the components that they require. Returns the replaced values.
    ///
    /// # Panics
    /// If a rule of a component refuses its value, or if [`remove`](Self::remove) has despawned the
    /// entity. [`World::insert`] returns an error instead.
    #[track_caller]
    pub fn insert<B: Bundle<W>>(&mut self, bundle: B) -> Replaced<W, B> {
        match self.world.insert(self.entity, bundle) {
            Ok(replaced) => replaced,
            Err(InsertError::Refused(refused)) => refuse(refused),
            Err(InsertError::NoSuchEntity(dead)) => panic!("{dead}: a relation has despawned it"),
        }
    }

    /// Inserts components if the entity has none of them. On an error the world is unchanged and
    /// the bundle is dropped.
    ///
    /// # Errors
    /// If the entity already has one of the components, or a rule of a component refuses its value.
    pub fn insert_if_new<B: Bundle<W>>(&mut self, bundle: B) -> Result<(), PresentError> {
        self.world.insert_if_new(self.entity, bundle)
    }

    /// Removes components, and returns the values of those that the entity had. Relations with
    /// `gone = cascade` and `target(..)` that lead back to the entity despawn it.
    pub fn remove<B: Bundle<W>>(&mut self) -> Replaced<W, B> {
        self.world.remove::<B>(self.entity).unwrap_or_else(|_| B::BundleComponents::none().into())
    }

    /// Despawns the entity and drops its components.
    pub fn despawn(self) {
        // no error: a relation may have despawned it with one to it
        let _ = self.world.despawn(self.entity);
    }
}

debug!([W: World] EntityMut<'_, W>, |this, f| this.as_ref().fmt(f));

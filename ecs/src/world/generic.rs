//! [`GenericComponents`]: inserting and removing in code that is generic over the component.

use super::verbs::{World, no_such};
use crate::component::Has;
use crate::component::requires::RequiredInserter;
use crate::entity::Entity;
use crate::error::{InsertError, NoSuchEntity};
use crate::raw_world::{RawWorld, WorldFields, targets};

/// Methods of every world for code that is generic over a component, with the bound `W: Has<T>`.
/// Import it to call them: `use ecs::world::GenericComponents;`.
pub trait GenericComponents: RawWorld {
    /// Inserts one component into an entity: [`insert`](crate::World::insert) for code that is
    /// generic over the component.
    ///
    /// # Errors
    /// If the entity is not alive, or a rule of the component refuses the value.
    ///
    /// # Panics
    /// If the `Default` of a required component panics, or code that a rule calls. A value that was
    /// inserted before stays inserted.
    #[inline]
    fn insert_one<T: 'static>(&mut self, entity: Entity, value: T) -> Result<Option<T>, InsertError>
    where
        Self: Has<T>,
    {
        if !self.contains(entity) {
            return Err(no_such::<Self>(entity).into());
        }
        if let Some(refused) = self.refuse(Some(entity), &value) {
            return Err(refused.into());
        }
        let replaced = self.put(entity, value);
        RequiredInserter::new(self, entity).fill::<T>();
        Ok(replaced)
    }

    /// Removes one component from an entity: [`remove`](crate::World::remove) for code that is
    /// generic over the component.
    ///
    /// # Errors
    /// If the entity is not alive.
    #[inline]
    fn remove_one<T: 'static>(&mut self, entity: Entity) -> Result<Option<T>, NoSuchEntity>
    where
        Self: Has<T>,
    {
        if !self.contains(entity) {
            return Err(no_such::<Self>(entity));
        }
        let losing = targets::losing(self, [entity]);
        let taken = losing.world.take::<T>(entity);
        drop(losing);
        Ok(taken)
    }
}

#[diagnostic::do_not_recommend]
impl<W: RawWorld> GenericComponents for W {}

//! [`Aspects`], the methods of worlds for aspects.

use super::{Aspect, MetaAspect};
use crate::bundle::{Bundle, BundleComponents};
use crate::entity::Entity;
use crate::error::{MissingError, NoneOfError, PresentError};
use crate::world::verbs::no_such;
use crate::world::{MoveComponents, World};

/// Methods of every world that add, remove and test whole aspects. An aspect is also an ordinary
/// bundle: `spawn`, `insert` and `remove` take it.
pub trait Aspects: World {
    /// Adds an aspect to an entity that has none of its components.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::Aspect;
    /// # #[derive(Component, Default, PartialEq, Debug)] struct Health(u32);
    /// # #[derive(Component, Default, PartialEq, Debug)] struct Speed(u32);
    /// # world! { struct Game { components { Health, Speed } } }
    /// #[derive(Aspect)]
    /// struct Body { health: Health, speed: Speed }
    ///
    /// # let mut game = Game::new();
    /// let ghost = game.spawn(Speed(3));
    /// let error = game.add_aspect(ghost, Body::fresh()).unwrap_err();
    /// assert!(error.to_string().ends_with("of world `Game` already has component `Speed`"));
    /// assert!(!game.has::<Health>(ghost));
    /// ```
    ///
    /// # Errors
    /// If the entity is not alive, has one of the components, or one of the values is refused.
    /// Nothing changes then, and the aspect is dropped.
    fn add_aspect<A: Aspect + Bundle<Self>>(
        &mut self,
        entity: Entity,
        aspect: A,
    ) -> Result<(), PresentError> {
        self.insert_if_new(entity, aspect)
    }

    /// Whether an entity is alive and has all components of an aspect.
    fn has_aspect<A: Aspect + Bundle<Self>>(&self, entity: Entity) -> bool {
        has_all::<Self, A>(self, entity)
    }

    /// Removes all components of an aspect from an entity, and returns them as the aspect.
    ///
    /// # Errors
    /// If the entity is not alive, or lacks one of the components. Nothing changes then.
    fn remove_aspect<A: Aspect + Bundle<Self>>(&mut self, entity: Entity) -> Result<A, MissingError> {
        self.try_remove(entity)
    }

    /// Removes and returns the first alternative of which an entity has all components: see
    /// [`MetaAspect`].
    ///
    /// # Errors
    /// If the entity is not alive, or no alternative fits. Nothing changes then.
    fn take_one_of<M: MetaAspect<Self>>(&mut self, entity: Entity) -> Result<M, NoneOfError> {
        if !self.contains(entity) {
            return Err(no_such::<Self>(entity).into());
        }
        M::take_from(self, entity).ok_or(NoneOfError::NoneOf {
            entity,
            meta: M::META_ASPECT_NAME,
            alternatives: M::ALTERNATIVES,
            world: Self::NAME,
        })
    }

    /// Adds the components of an alternative to an entity that has none of them.
    ///
    /// # Errors
    /// If the entity is not alive, has one of the components, or one of the values is refused.
    /// Nothing changes then, and the values are dropped.
    fn add_one_of<M: MetaAspect<Self>>(&mut self, entity: Entity, one: M) -> Result<(), PresentError> {
        one.add_to(self, entity)
    }

    /// Whether an entity is alive and has all components of at least one alternative.
    fn has_one_of<M: MetaAspect<Self>>(&self, entity: Entity) -> bool {
        M::is_in(self, entity)
    }
}

impl<W: World> Aspects for W {}

/// Whether an entity is alive and has all components of a bundle.
pub fn has_all<W: World, B: Bundle<W>>(world: &W, entity: Entity) -> bool {
    let lacks = || B::BundleComponents::find(world, entity.slot(), false);
    world.contains(entity) && lacks().is_none()
}

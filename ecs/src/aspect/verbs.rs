//! What can be done with the aspects of entities.

use super::{Aspect, MetaAspect};
use crate::bundle::{Bundle, BundleComponents};
use crate::entity::Entity;
use crate::error::{MissingError, NoneOfError, PresentError};
use crate::world::verbs::no_such;
use crate::world::{World, WorldCell};

/// The verbs of aspects, of every world. An aspect is a bundle like any other, too: `spawn`, `insert` and `remove` take it.
pub trait Aspects: World {
    /// Gives an entity an aspect of which it has no component; else nothing changes and the aspect is dropped.
    ///
    /// ```
    /// # use ecs::prelude::*;
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
    /// If it does not live, has one of the components, or may not have one of the values.
    fn add_aspect<A: Aspect + Bundle<Self>>(
        &mut self,
        entity: Entity,
        aspect: A,
    ) -> Result<(), PresentError> {
        self.try_insert(entity, aspect)
    }

    /// Whether an entity lives and has all components of an aspect.
    fn has_aspect<A: Aspect + Bundle<Self>>(&self, entity: Entity) -> bool {
        has_all::<Self, A>(self, entity)
    }

    /// Takes an aspect away and gives it; if one of its components is missing nothing changes.
    ///
    /// # Errors
    /// If it does not live, or lacks one of the components.
    fn remove_aspect<A: Aspect + Bundle<Self>>(&mut self, entity: Entity) -> Result<A, MissingError> {
        self.try_remove(entity)
    }

    /// Takes away the first alternative that an entity has all of, and gives it: see [`MetaAspect`].
    ///
    /// # Errors
    /// If it does not live, or has all of none of them; nothing changes then.
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

    /// Gives an entity the components of an alternative, of which it has none; else nothing changes and they are dropped.
    ///
    /// # Errors
    /// If it does not live, has one of the components, or may not have one of the values.
    fn add_one_of<M: MetaAspect<Self>>(&mut self, entity: Entity, one: M) -> Result<(), PresentError> {
        one.add_to(self, entity)
    }

    /// Whether an entity lives and has all of one of the alternatives.
    fn has_one_of<M: MetaAspect<Self>>(&self, entity: Entity) -> bool {
        M::is_in(self, entity)
    }
}

impl<W: World> Aspects for W {}

/// Whether an entity lives and has all components of a bundle.
pub fn has_all<W: World, B: Bundle<W>>(world: &W, entity: Entity) -> bool {
    #[expect(unsafe_code, reason = "the world is borrowed shared")]
    // SAFETY: the world is borrowed shared, so that nothing writes to it.
    let lacks = || unsafe { B::BundleComponents::find(WorldCell::shared(world), entity.slot(), false) };
    world.contains(entity) && lacks().is_none()
}

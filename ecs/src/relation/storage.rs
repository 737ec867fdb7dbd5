//! Methods of the system parameter [`Storage`] for relations.

use super::{Many, Related, Relation, Stored};
use crate::component::{Component, IsComponent};
use crate::entity::Entity;
use crate::error::{InsertError, NoSuchEntity, Refused};
use crate::system::Storage;

impl<S: Stored<Relation: Relation<Stored = S>>> Storage<'_, S> {
    /// Returns read access to the relation, from both ends. It shows the changes that this system
    /// has made through the storage.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// #[derive(Relation)]
    /// #[relation(exclusive)]
    /// struct Holds(Entity);
    ///
    /// # world! { struct Game { components { Holds } } }
    /// /// Each entity holds the first other entity that is not held yet.
    /// #[system(Game)]
    /// fn grab(all: Query<Entity>, mut hands: Storage<Holds>) {
    ///     for entity in &all {
    ///         let is_free = |thing: &Entity| *thing != entity && hands.related().sources(*thing).is_empty();
    ///         if let Some(thing) = all.iter().find(is_free) {
    ///             hands.insert(entity, Holds(thing)).expect("both are alive");
    ///         }
    ///     }
    /// }
    /// # let mut game = Game::new();
    /// # let [a, b] = [game.spawn(()), game.spawn(())];
    /// # game.run::<grab>();
    /// # assert_eq!((game.target::<Holds>(a), game.target::<Holds>(b)), (Some(b), Some(a)));
    /// ```
    pub fn related(&self) -> Related<'_, S::Relation> {
        let (values, entities) = self.view.column_and_entities();
        Related { values, entities }
    }
}

impl<R: Relation<Stored = Many<R>> + Send + Sync> Storage<'_, Many<R>> {
    /// Adds a relation at once, or replaces the relation to the same target and returns the
    /// replaced one: see [`Relations::relate`](crate::Relations::relate).
    ///
    /// # Errors
    /// If `source` is not alive, or the relation is refused.
    pub fn relate(&mut self, source: Entity, relation: R) -> Result<Option<R>, InsertError> {
        let (value, world) = (Many::one(relation), self.world);
        if let Some(reason) = self.view.refuse(source, &value) {
            let component = <Many<R> as Component>::COMPONENT_NAME;
            return Err(Refused { entity: Some(source), component, world, reason }.into());
        }
        let Some(context) = self.view.context(source, self.ticks) else {
            return Err(NoSuchEntity { entity: source, world }.into());
        };
        let Some(edge) = value.into_iter().next() else { return Ok(None) };
        Ok(self.view.column_mut().relate::<<Many<R> as IsComponent>::Kind>(context, edge, None))
    }

    /// Removes and returns the relation to `target` at once; `None` if there is none, or `source`
    /// is not alive.
    pub fn unrelate(&mut self, source: Entity, target: Entity) -> Option<R> {
        let context = self.view.context(source, self.ticks)?;
        self.view.column_mut().unrelate(context, target)
    }
}

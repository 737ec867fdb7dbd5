//! A relation through its storage: what both ends know of each other, and single edges of one with many targets.

use super::{Many, Related, Relation, Stored};
use crate::component::Component;
use crate::entity::Entity;
use crate::error::{InsertError, NoSuchEntity, Refused};
use crate::system::Storage;

impl<S: Stored<Relation: Relation<Stored = S>>> Storage<'_, S> {
    /// The relation for reading, from both ends, as it is *now*.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// #[derive(Relation)]
    /// #[relation(exclusive)]
    /// struct Holds(Entity);
    ///
    /// # world! { struct Game { components { Holds } } }
    /// /// Everybody holds the first thing that nobody else holds.
    /// #[system(Game)]
    /// fn grab(all: Query<Entity>, mut hands: Storage<Holds>) {
    ///     for who in &all {
    ///         let is_free = |thing: &Entity| *thing != who && hands.related().sources(*thing).is_empty();
    ///         if let Some(thing) = all.iter().find(is_free) {
    ///             hands.insert(who, Holds(thing)).expect("both live");
    ///         }
    ///     }
    /// }
    /// # let mut game = Game::new();
    /// # let [a, b] = [game.spawn(()), game.spawn(())];
    /// # game.run::<grab>();
    /// # assert_eq!((game.target::<Holds>(a), game.target::<Holds>(b)), (Some(b), Some(a)));
    /// ```
    pub fn related(&self) -> Related<'_, S::Relation> {
        let (values, entities) = self.view.parts();
        Related { values, entities }
    }
}

impl<R: Relation<Stored = Many<R>>> Storage<'_, Many<R>> {
    /// Adds an edge *now*, or replaces the one to the same target: see [`Relations::relate`](crate::Relations::relate).
    ///
    /// # Errors
    /// If the entity does not live, or the relation is refused.
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
        Ok(self.view.column_mut().relate::<<Many<R> as Component>::Kind>(context, edge, None))
    }

    /// Takes the edge to a target away *now*; `None` if there is none, or the entity does not live.
    pub fn unrelate(&mut self, source: Entity, target: Entity) -> Option<R> {
        let context = self.view.context(source, self.ticks)?;
        self.view.column_mut().unrelate(context, target)
    }
}

//! Single edges of a relation of many targets through its storage.

use super::{Many, Relation};
use crate::component::Component;
use crate::entity::Entity;
use crate::error::{InsertError, NoSuchEntity, Refused};
use crate::system::Storage;

impl<R: Relation<Stored = Many<R>>> Storage<'_, Many<R>> {
    /// Adds an edge *now*, or replaces the one to the same target: see [`Relations::relate`](crate::Relations::relate).
    ///
    /// # Errors
    /// If the entity does not live, or the relation is refused.
    pub fn relate(&mut self, source: Entity, relation: R) -> Result<Option<R>, InsertError> {
        let (value, world) = (Many::from(relation), self.world);
        if let Some(reason) = self.view.refuse(source, &value) {
            let component = <Many<R> as Component>::NAME;
            return Err(Refused { entity: Some(source), component, world, reason }.into());
        }
        let Some(site) = self.view.site(source, self.ticks) else {
            return Err(NoSuchEntity { entity: source, world }.into());
        };
        let Some(edge) = value.into_iter().next() else { return Ok(None) };
        Ok(self.view.column_mut().relate::<<Many<R> as Component>::Kind>(site, edge, None))
    }

    /// Takes the edge to a target away *now*; `None` if there is none, or the entity does not live.
    pub fn unrelate(&mut self, source: Entity, target: Entity) -> Option<R> {
        let site = self.view.site(source, self.ticks)?;
        self.view.column_mut().unrelate(site, target)
    }
}

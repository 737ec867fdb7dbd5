//! Iterators over the ancestors and descendants of an entity along an exclusive relation. They do
//! not recurse, and end even in a cycle, since each visits at most as many entities as the world
//! has slots.

use alloc::vec::Vec;
use core::slice;

use super::related::Related;
use super::{ExclusiveRelation, Relation};
use crate::entity::Entity;

/// Iterator over the ancestors of an entity: see [`Related::ancestors`].
pub struct Ancestors<'w, R: Relation> {
    related: Related<'w, R>,
    at: Entity,
    /// The number of entities that may still be visited, so that a cycle ends.
    left: usize,
}

impl<'w, R: ExclusiveRelation> Ancestors<'w, R> {
    pub(super) fn new(related: Related<'w, R>, entity: Entity) -> Self {
        Self { related, at: entity, left: related.entities.blocks() * 64 }
    }
}

impl<R: ExclusiveRelation> Iterator for Ancestors<'_, R> {
    type Item = Entity;

    fn next(&mut self) -> Option<Entity> {
        self.left = self.left.checked_sub(1)?;
        let entities = self.related.entities;
        self.at = self.related.target(self.at).filter(|&target| entities.contains(target))?;
        Some(self.at)
    }
}

/// Iterator over the descendants of an entity, parents first: see [`Related::descendants`].
pub struct Descendants<'w, R: Relation> {
    related: Related<'w, R>,
    /// The sources of each level that are still to be visited.
    levels: Vec<slice::Iter<'w, Entity>>,
    left: usize,
}

impl<'w, R: ExclusiveRelation> Descendants<'w, R> {
    pub(super) fn new(related: Related<'w, R>, entity: Entity) -> Self {
        let levels = alloc::vec![related.sources(entity).iter()];
        Self { related, levels, left: related.entities.blocks() * 64 }
    }
}

impl<R: ExclusiveRelation> Iterator for Descendants<'_, R> {
    type Item = Entity;

    fn next(&mut self) -> Option<Entity> {
        loop {
            match self.levels.last_mut()?.next() {
                Some(&entity) => {
                    self.left = self.left.checked_sub(1)?;
                    self.levels.push(self.related.sources(entity).iter());
                    return Some(entity);
                }
                None => self.levels.pop(),
            };
        }
    }
}

/// Iterator over the descendants of an entity, children first: see
/// [`Related::descendants_bottom_up`].
pub struct DescendantsBottomUp<'w, R: Relation> {
    related: Related<'w, R>,
    /// For each level the target, and its sources that are still to be visited.
    levels: Vec<(Entity, slice::Iter<'w, Entity>)>,
    left: usize,
}

impl<'w, R: ExclusiveRelation> DescendantsBottomUp<'w, R> {
    pub(super) fn new(related: Related<'w, R>, entity: Entity) -> Self {
        let levels = alloc::vec![(entity, related.sources(entity).iter())];
        Self { related, levels, left: related.entities.blocks() * 64 }
    }
}

impl<R: ExclusiveRelation> Iterator for DescendantsBottomUp<'_, R> {
    type Item = Entity;

    fn next(&mut self) -> Option<Entity> {
        loop {
            let (owner, level) = self.levels.last_mut()?;
            let owner = *owner;
            match level.next() {
                Some(&entity) => {
                    self.left = self.left.checked_sub(1)?;
                    self.levels.push((entity, self.related.sources(entity).iter()));
                }
                None => {
                    self.levels.pop();
                    return (!self.levels.is_empty()).then_some(owner);
                }
            }
        }
    }
}

clone!([R: Relation] Ancestors<'_, R> { related, at, left });
clone!([R: Relation] Descendants<'_, R> { related, levels, left });
clone!([R: Relation] DescendantsBottomUp<'_, R> { related, levels, left });

debug!([R: Relation] Ancestors<'_, R>, |_, f| f.write_str("Ancestors"));
debug!([R: Relation] Descendants<'_, R>, |_, f| f.write_str("Descendants"));
debug!([R: Relation] DescendantsBottomUp<'_, R>, |_, f| f.write_str("DescendantsBottomUp"));

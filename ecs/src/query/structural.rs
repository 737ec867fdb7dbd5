//! The journal of structural changes as data: [`StructuralChange`], and the differences that follow
//! from it.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use crate::base::tick::Tick;
use crate::entity::Entity;
use crate::entity::allocator::Entities;
use crate::entity::journal::{Record, RecordedAction};
use crate::error::JournalGap;

/// One structural change of a world: see
/// [`ChangesSince::journal_since`](crate::query::ChangesSince::journal_since).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct StructuralChange {
    /// The tick of the change.
    pub tick: Tick,
    /// The entity that changed.
    pub entity: Entity,
    /// The kind of the change.
    pub action: StructuralAction,
}

/// The kind of a [`StructuralChange`]. Components have the names of the world's declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum StructuralAction {
    /// The entity was spawned.
    Spawn,
    /// The entity was despawned. The removals of its components come before.
    Despawn,
    /// The entity got this component, which it did not have.
    Insert(&'static str),
    /// The entity lost this component.
    Remove(&'static str),
}

impl fmt::Display for StructuralChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tick, entity, action } = self;
        write!(f, "tick {}: {entity} ", tick.to_bits())?;
        match action {
            StructuralAction::Spawn => f.write_str("was spawned"),
            StructuralAction::Despawn => f.write_str("was despawned"),
            StructuralAction::Insert(component) => write!(f, "got {component}"),
            StructuralAction::Remove(component) => write!(f, "lost {component}"),
        }
    }
}

/// Iterator over structural changes, oldest first: see
/// [`ChangesSince::journal_since`](crate::query::ChangesSince::journal_since).
#[derive(Clone, Debug)]
pub struct StructuralChanges {
    records: vec::IntoIter<Record>,
    components: &'static [&'static str],
}

impl StructuralChanges {
    pub(super) fn since(
        entities: &Entities,
        components: &'static [&'static str],
        tick: Tick,
    ) -> Result<Self, JournalGap> {
        Ok(Self { records: entities.recorded_since(tick)?.into_iter(), components })
    }
}

impl Iterator for StructuralChanges {
    type Item = StructuralChange;

    fn next(&mut self) -> Option<StructuralChange> {
        let record = self.records.next()?;
        let name = |index: usize| self.components.get(index).copied().unwrap_or_default();
        let action = match record.action() {
            RecordedAction::Spawned => StructuralAction::Spawn,
            RecordedAction::Despawned => StructuralAction::Despawn,
            RecordedAction::Inserted(component) => StructuralAction::Insert(name(component)),
            RecordedAction::Removed(component) => StructuralAction::Remove(name(component)),
        };
        Some(StructuralChange { tick: Tick(record.tick), entity: record.entity, action })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.records.size_hint()
    }
}

impl ExactSizeIterator for StructuralChanges {}

/// The entities of which the first recorded change of a kind says that they had something before,
/// and that lack it now.
fn differences(
    records: Vec<Record>,
    first: impl Fn(RecordedAction) -> Option<bool>,
    now: impl Fn(Entity) -> bool,
) -> Vec<Entity> {
    let mut found: Vec<(Entity, bool)> =
        records.into_iter().filter_map(|record| Some((record.entity, first(record.action())?))).collect();
    found.sort_by_key(|(entity, _)| *entity); // stable: the first change of an entity stays first
    found.dedup_by_key(|(entity, _)| *entity);
    found.into_iter().filter(|&(entity, passes)| passes && now(entity)).map(|(entity, _)| entity).collect()
}

/// The entities that had the component with this index at `tick`, and for which `has` is now false.
pub(super) fn removed(
    entities: &Entities,
    component: usize,
    tick: Tick,
    has: impl Fn(Entity) -> bool,
) -> Result<Vec<Entity>, JournalGap> {
    let first = |action| match action {
        RecordedAction::Removed(of) => (of == component).then_some(true),
        RecordedAction::Inserted(of) => (of == component).then_some(false),
        _ => None,
    };
    Ok(differences(entities.recorded_since(tick)?, first, |entity| !has(entity)))
}

/// The entities that were spawned after `tick` and are alive.
pub(super) fn spawned(entities: &Entities, tick: Tick) -> Result<Vec<Entity>, JournalGap> {
    let first = |action| (action == RecordedAction::Spawned).then_some(true);
    Ok(differences(entities.recorded_since(tick)?, first, |entity| entities.contains(entity)))
}

/// The entities that were alive at `tick` and are despawned.
pub(super) fn despawned(entities: &Entities, tick: Tick) -> Result<Vec<Entity>, JournalGap> {
    let first = |action| match action {
        RecordedAction::Spawned => Some(false),
        RecordedAction::Despawned => Some(true),
        _ => None,
    };
    Ok(differences(entities.recorded_since(tick)?, first, |entity| !entities.contains(entity)))
}

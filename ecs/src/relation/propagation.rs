//! [`Propagate`], components whose value is combined with that of the entity above, and the systems
//! that combine them: [`propagate`] for all entities, [`propagate_changed`] for entities whose
//! combined value may have changed.

use alloc::vec::Vec;
use core::mem;

use super::reverse_index::ReverseIndex;
use super::{ExclusiveRelation, HasRelation, Related};
use crate::change::Ref;
use crate::component::{Component, Has, HasRemoved, HasStamps};
use crate::entity::Entity;
use crate::query::{AllowDisabled, Changed, Query, Without};
use crate::system::Removed;
use crate::world::World;

/// A component whose value is relative to the entity above, for instance to the parent by
/// [`ChildOf`](crate::ChildOf): a place, an angle, a visibility. The system [`propagate`] computes
/// the absolute values of all entities, [`propagate_changed`] those that may have changed.
///
/// ```
/// use ecs::prelude::*;
/// use ecs::relation::{ChildOf, Propagate, propagate};
///
/// /// The place relative to the parent.
/// #[derive(Component, Clone, Copy)]
/// struct Offset { x: i32, y: i32 }
/// /// The place in the room.
/// #[derive(Component, Clone, Copy, Default, PartialEq, Debug)]
/// struct Place { x: i32, y: i32 }
///
/// impl Propagate for Offset {
///     type Combined = Place;
///     fn combine(&self, above: Option<&Place>) -> Place {
///         let above = above.copied().unwrap_or_default();
///         Place { x: above.x + self.x, y: above.y + self.y }
///     }
/// }
///
/// world! {
///     struct Room { components { ChildOf, Offset, Place } }
///     schedule frame { propagate::<Offset, ChildOf> }
/// }
///
/// let mut room = Room::new();
/// let table = room.spawn((Offset { x: 10, y: 5 }, Place::default()));
/// let lamp = room.spawn((Offset { x: 1, y: 0 }, Place::default(), ChildOf(table)));
/// room.frame();
/// assert_eq!(room.get(lamp), Some(&Place { x: 11, y: 5 }));
/// ```
pub trait Propagate: Component {
    /// The absolute value: that of the entity above, combined with this one. A component that is
    /// not tracked.
    type Combined: Component + Clone;

    /// Combines this value with that of the entity above; `None` if no entity above has one.
    fn combine(&self, above: Option<&Self::Combined>) -> Self::Combined;
}

/// System: sets the [`Combined`](Propagate::Combined) of each entity with a `T`, parents before
/// their children.
///
/// Name it in a schedule as `propagate::<Offset, ChildOf>`, with the component and an exclusive
/// relation that leads to the entity above.
///
/// The value above an entity is that of the nearest entity above that has a `T`: one without a `T`
/// passes on the value above it. An entity with a `T` and without a `Combined` is not changed, and
/// its own sources are computed with its value. An entity whose target is no longer alive has none
/// above. Disabled entities are computed, too. Entities in a cycle, which only a relation that is
/// not `acyclic` may have, are not changed.
///
/// # Cost
/// Each entity with a `T` or with sources is visited once in each run, whether it changed or not;
/// [`propagate_changed`] visits only those that changed and those below them. Entities are reached
/// through the lists of sources, not in the order of slots.
#[ecs_macros::system(W, crate = crate)]
pub fn propagate<
    W: World + Has<T> + Has<T::Combined> + HasRelation<R>,
    T: Propagate,
    R: ExclusiveRelation,
>(
    tree: Related<'_, R>,
    values: Query<'_, &T, AllowDisabled>,
    alone: Query<'_, (Entity, &T), (Without<R::Stored>, AllowDisabled)>,
    combined: Query<'_, &mut T::Combined, AllowDisabled>,
) {
    // without an index, no entity is related
    let none = ReverseIndex::default();
    let index = tree.reverse_index().unwrap_or(&none);
    let value_of = |entity| values.get(entity);
    let alone = alone.iter().map(|(entity, _)| entity);
    Descent { tree, index, value_of, combined, below: Vec::new() }.compute_all(alone);
}

/// System: does what [`propagate`] does, for the entities whose combined value may have changed
/// since its last run.
///
/// Name it in a schedule as `propagate_changed::<Offset, ChildOf>`. The component is tracked, and
/// keeps removed values for this system: `#[component(tracked, removed)]`. Let it require its
/// `Combined`, so that an entity gets both at once.
///
/// An entity is computed, and with it all entities below, if its `T` was added, changed or removed,
/// or if its target got a source: that entity, or another one. All entities are computed if an
/// entity has lost its relation, other than for a new target or by being despawned; in the first
/// run after the world was loaded; and in each run if the relation is not `acyclic`.
///
/// After each run the values are those that [`propagate`] computes, with one exception: a
/// `Combined` that another system changes, or that an entity gets later than its `T`, stays as it
/// is until the entity is computed again.
///
/// Columns that a program exchanges between worlds with `mem::swap` or `mem::replace`, in the
/// module that declares the world, are not seen as changes: entities whose values came with such a
/// column are computed when they change next.
///
/// ```
/// use ecs::prelude::*;
/// use ecs::relation::{ChildOf, Propagate, propagate_changed};
///
/// /// The place relative to the parent.
/// #[derive(Component, Clone, Copy)]
/// #[component(tracked, removed, requires(Place))]
/// struct Offset(i32);
/// /// The place in the room.
/// #[derive(Component, Clone, Copy, Default, PartialEq, Debug)]
/// struct Place(i32);
///
/// impl Propagate for Offset {
///     type Combined = Place;
///     fn combine(&self, above: Option<&Place>) -> Place {
///         Place(above.map_or(0, |above| above.0) + self.0)
///     }
/// }
///
/// world! {
///     struct Room { components { ChildOf, Offset, Place } }
///     schedule frame { propagate_changed::<Offset, ChildOf> }
/// }
///
/// let mut room = Room::new();
/// let table = room.spawn(Offset(10));
/// let lamp = room.spawn((Offset(1), ChildOf(table)));
/// room.spawn(Offset(30));
/// room.frame();
/// room.get_tracked::<Offset>(table).unwrap().0 = 20;
/// room.frame(); // computes the table and the lamp
/// assert_eq!(room.get(lamp), Some(&Place(21)));
/// ```
///
/// # Cost
/// Each entity that is computed is visited once. For each entity that changed, the entities above
/// it are visited until one has changed, too; for each target of the relation, one comparison tells
/// whether it got a source.
#[ecs_macros::system(W, crate = crate)]
pub fn propagate_changed<
    W: World + HasStamps<T> + HasRemoved<T> + Has<T::Combined> + HasRelation<R>,
    T: Propagate,
    R: ExclusiveRelation,
>(
    tree: Related<'_, R>,
    changed: Query<'_, (Entity, Ref<'_, T>), (Changed<T>, AllowDisabled)>,
    mut removed: Removed<'_, T>,
    values: Query<'_, Ref<'_, T>, AllowDisabled>,
    alone: Query<'_, (Entity, &T), (Without<R::Stored>, AllowDisabled)>,
    combined: Query<'_, &mut T::Combined, AllowDisabled>,
) {
    // without an index, no entity is related
    let none = ReverseIndex::default();
    let index = tree.reverse_index().unwrap_or(&none);
    let last_run = values.last_run();
    let value_of = |entity| values.get(entity).map(Ref::into_inner);
    let missed = removed.missed() > 0;
    let lost_value = |&entity: &Entity| tree.entities.contains(entity) && !values.contains(entity);
    // the values count as read at the end: if `combine` panics, the next run computes what this one
    // has not
    let mut lost_value: Vec<Entity> = removed.peek().map(|(entity, _)| entity).filter(lost_value).collect();
    lost_value.sort_unstable();
    lost_value.dedup();

    let mut descent = Descent { tree, index, value_of, combined, below: Vec::new() };
    // a world that was loaded does not know which relations were lost before
    let last_loss = index.last_loss().max(tree.entities.loaded_at());
    if !R::RELATION_ACYCLIC || missed || last_loss > last_run {
        descent.compute_all(alone.iter().map(|(entity, _)| entity));
        return removed.clear();
    }
    let value_changed = |entity| {
        values.get(entity).map_or_else(|| lost_value.binary_search(&entity).is_ok(), Ref::is_changed)
    };
    let changes = ChangedTrees { tree, index, last_run, value_changed };
    let valued = changed.iter().map(|(entity, _)| entity);
    let related = index.sources_since(last_run).filter(|&entity| !(changes.value_changed)(entity));
    for entity in valued.chain(lost_value.iter().copied()).chain(related) {
        if !changes.above(entity) {
            descent.compute_below(entity);
        }
    }
    removed.clear();
}

/// The values and relations that have changed since the last run of [`propagate_changed`].
struct ChangedTrees<'w, R: ExclusiveRelation, F> {
    tree: Related<'w, R>,
    index: &'w ReverseIndex,
    last_run: u64,
    /// Whether a value was added to an entity, changed or removed.
    value_changed: F,
}

impl<R: ExclusiveRelation, F: Fn(Entity) -> bool> ChangedTrees<'_, R, F> {
    /// Whether an entity above this one is computed anew, and this one with it.
    fn above(&self, entity: Entity) -> bool {
        let mut ancestors = self.tree.ancestors(entity);
        let Some(mut ancestor) = ancestors.next() else { return false };
        loop {
            if (self.value_changed)(ancestor) {
                return true;
            }
            let Some(next) = ancestors.next() else { return false };
            if self.index.linked_since(next, self.last_run) {
                return true;
            }
            ancestor = next;
        }
    }
}

/// Sets the combined values of entities and of all that are below them.
struct Descent<'w, 'c, T: Propagate, R: ExclusiveRelation, V> {
    tree: Related<'w, R>,
    index: &'w ReverseIndex,
    value_of: V,
    combined: Query<'w, &'c mut T::Combined, AllowDisabled>,
    /// The sources that are still to be visited, with the value above them. Empty between two
    /// calls.
    below: Vec<(&'w [Entity], Option<T::Combined>)>,
}

impl<'w, 'v, T: Propagate, R: ExclusiveRelation, V: Fn(Entity) -> Option<&'v T>> Descent<'w, '_, T, R, V> {
    /// Computes all entities. `alone` are the entities that have a value and no relation.
    fn compute_all(&mut self, alone: impl Iterator<Item = Entity>) {
        for entity in alone {
            self.compute(entity, None);
        }
        for root in self.tree.roots() {
            if (self.value_of)(root).is_none() {
                self.compute(root, None);
            }
        }
        for (entity, _) in self.tree.dangling() {
            self.compute(entity, None);
        }
    }

    /// Computes an entity that has others above it, and all entities below.
    fn compute_below(&mut self, entity: Entity) {
        let above = self.value_above(entity);
        self.compute(entity, above);
    }

    /// The combined value of the nearest entity above that has a value.
    fn value_above(&self, entity: Entity) -> Option<T::Combined> {
        let mut above = None;
        // values of entities without a combined one, from the bottom
        let mut not_stored = Vec::new();
        for ancestor in self.tree.ancestors(entity) {
            let Some(value) = (self.value_of)(ancestor) else { continue };
            if let Some(combined) = self.combined.get(ancestor) {
                above = Some(combined.clone());
                break;
            }
            not_stored.push(value);
        }
        not_stored.into_iter().rev().fold(above, |above, value| Some(value.combine(above.as_ref())))
    }

    /// Computes an entity, which has this value above it, and all entities below.
    fn compute(&mut self, entity: Entity, above: Option<T::Combined>) {
        let Some((mut entities, mut above)) = self.step(entity, above.as_ref()) else { return };
        // only code that swaps parts of worlds can lead into a cycle, which then ends
        let mut left = self.tree.entities.blocks() * 64;
        while left > 0 {
            let Some((&entity, rest)) = entities.split_first() else {
                let Some(next) = self.below.pop() else { return };
                (entities, above) = next;
                continue;
            };
            (entities, left) = (rest, left - 1);
            if let Some((sources, value)) = self.step(entity, above.as_ref()) {
                self.below.push((entities, mem::replace(&mut above, value)));
                entities = sources;
            }
        }
        self.below.clear();
    }

    /// Sets the combined value of an entity; returns its sources, if it has any, with the value
    /// above them.
    #[inline(always)]
    fn step(
        &mut self,
        entity: Entity,
        above: Option<&T::Combined>,
    ) -> Option<(&'w [Entity], Option<T::Combined>)> {
        let value = (self.value_of)(entity).map(|value| value.combine(above));
        let sources = self.index.sources(entity);
        let value = match value {
            Some(value) if sources.is_empty() => {
                self.set(entity, value);
                None
            }
            Some(value) => {
                self.set(entity, value.clone());
                Some(value)
            }
            None => above.cloned(),
        };
        (!sources.is_empty()).then_some((sources, value))
    }

    #[inline(always)]
    fn set(&mut self, entity: Entity, value: T::Combined) {
        if let Some(combined) = self.combined.get_mut(entity) {
            *combined = value;
        }
    }
}

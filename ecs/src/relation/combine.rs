//! [`Propagate`], components whose value is combined with that of the entity above, and [`propagate`], the system that does it.

use alloc::vec::Vec;

use super::reverse_index::ReverseIndex;
use super::{ExclusiveRelation, HasRelation, Related};
use crate::component::{Component, Has};
use crate::entity::Entity;
use crate::query::{AllowDisabled, Query, Without};
use crate::world::World;

/// A component whose value is relative to the entity above, for instance to the parent by [`ChildOf`](crate::ChildOf): a place, an angle, a
/// visibility. The system [`propagate`] computes the absolute values.
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
    /// The absolute value: that of the entity above, combined with this one. A component that is not tracked.
    type Combined: Component + Clone;

    /// Combines this value with that of the entity above; `None` if no entity above has one.
    fn combine(&self, above: Option<&Self::Combined>) -> Self::Combined;
}

/// System: sets the [`Combined`](Propagate::Combined) of each entity with a `T`, parents before their children.
///
/// Name it in a schedule as `propagate::<Offset, ChildOf>`, with the component and an exclusive relation that leads to the entity above.
///
/// The value above an entity is that of the nearest entity above that has a `T`: one without a `T` passes on the value above it. An entity
/// with a `T` and without a `Combined` is not changed, and its own sources are computed with its value. An entity whose target is no longer
/// alive has none above. Disabled entities are computed, too. Entities in a cycle, which only a relation that is not `acyclic` may have, are not changed.
///
/// # Cost
/// Each entity with a `T` or with sources is visited once in each run, whether it changed or not. Entities are reached through the
/// lists of sources, not in the order of slots.
#[ecs_macros::system(W, crate = crate)]
pub fn propagate<
    W: World + Has<T> + Has<T::Combined> + HasRelation<R>,
    T: Propagate,
    R: ExclusiveRelation,
>(
    tree: Related<'_, R>,
    values: Query<'_, &T, AllowDisabled>,
    alone: Query<'_, (Entity, &T), (Without<R::Stored>, AllowDisabled)>,
    mut combined: Query<'_, &mut T::Combined, AllowDisabled>,
) {
    let mut below = Vec::new();
    // without an index, no entity is related
    let none = ReverseIndex::default();
    let tree_index = tree.reverse_index().unwrap_or(&none);
    let mut begin = |entity, value: Option<&T>| {
        let (value, sources) = (value.map(|value| value.combine(None)), tree_index.sources(entity));
        if let Some(value) = &value {
            set(&mut combined, entity, value.clone());
        }
        descend(tree_index, &values, &mut combined, (sources, value), &mut below);
    };
    for (entity, value) in &alone {
        begin(entity, Some(value));
    }
    for root in tree.roots().filter(|&root| !values.contains(root)) {
        begin(root, None);
    }
    for (entity, _) in tree.dangling() {
        begin(entity, values.get(entity));
    }
}

fn set<C: Clone + 'static>(combined: &mut Query<'_, &mut C, AllowDisabled>, entity: Entity, value: C) {
    if let Some(of) = combined.get_mut(entity) {
        *of = value;
    }
}

/// Sets the values of these entities, which have this value above them, and of all below them. `below` is empty before and afterwards.
fn descend<'w, T: Propagate>(
    tree: &'w ReverseIndex,
    values: &Query<'_, &T, AllowDisabled>,
    combined: &mut Query<'_, &mut T::Combined, AllowDisabled>,
    (mut entities, mut above): (&'w [Entity], Option<T::Combined>),
    below: &mut Vec<(&'w [Entity], Option<T::Combined>)>,
) {
    loop {
        let Some((&entity, rest)) = entities.split_first() else {
            let Some(next) = below.pop() else { return };
            (entities, above) = next;
            continue;
        };
        entities = rest;
        let value = values.get(entity).map(|value| value.combine(above.as_ref()));
        let sources = tree.sources(entity);
        if sources.is_empty() {
            if let Some(value) = value {
                set(combined, entity, value);
            }
            continue;
        }
        let value = match value {
            Some(value) => {
                set(combined, entity, value.clone());
                Some(value)
            }
            None => above.clone(),
        };
        below.push((entities, above));
        (entities, above) = (sources, value);
    }
}

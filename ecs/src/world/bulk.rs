//! Verbs for many entities at a time: despawn or keep by a condition, remove a component
//! everywhere, insert in a batch, give memory back.

use alloc::vec::Vec;

use super::World;
use crate::bundle::{Bundle, BundleComponents};
use crate::component::Has;
use crate::entity::Entity;
use crate::error::InsertError;
use crate::query::{AllowDisabled, QueryFilter, ReadData, WorldData};
use crate::raw_world::discard::despite_panics;
use crate::raw_world::{ComponentVisitor, RawWorld, WorldFields, targets};

/// See [`World::despawn_all`].
pub(crate) fn despawn_all<W: World, F: QueryFilter<W>>(world: &mut W) -> usize {
    let entities: Vec<Entity> = world.entities().filter::<F>().iter().collect();
    despawn_each(world, entities)
}

/// See [`World::retain`].
pub(crate) fn retain<W: World, D: WorldData<W> + ReadData>(
    world: &mut W,
    mut keep: impl FnMut(D::Item<'_>) -> bool,
) -> usize {
    let query = world.query::<D>();
    // both iterators are in the order of the slots
    let matching = query.to_set();
    let rejected =
        query.iter().zip(matching.iter()).filter_map(|(item, entity)| (!keep(item)).then_some(entity));
    let rejected = rejected.collect();
    despawn_each(world, rejected)
}

/// Despawns these entities, and returns the number of entities that the world has lost, including
/// those that relations despawn with them. If a drop panics, the others are still despawned.
fn despawn_each<W: World>(world: &mut W, entities: Vec<Entity>) -> usize {
    let before = world.__living().len();
    despite_panics_of(entities, |entity| {
        // no error: a relation may have despawned the entity with one before it
        let _ = world.despawn(entity);
    });
    before - world.__living().len()
}

/// See [`World::remove_all`].
pub(crate) fn remove_all<W: World, B: Bundle<W>>(world: &mut W) -> usize {
    let has_one = |entity: &Entity| B::BundleComponents::find(world, entity.slot(), true).is_some();
    let mut entities = Vec::new();
    // a loop in closures, which is faster than one that asks for the next entity
    world
        .entities()
        .filter::<AllowDisabled>()
        .iter()
        .filter(has_one)
        .for_each(|entity| entities.push(entity));
    let number = entities.len();
    despite_panics_of(entities, |entity| {
        let losing = targets::losing(world, [entity]);
        drop(B::BundleComponents::take(losing.world, entity));
    });
    number
}

/// See [`WorldMemory::shrink_to_fit`](crate::world::WorldMemory::shrink_to_fit).
pub(crate) fn shrink<W: World>(world: &mut W) {
    struct Shrink<'w, W>(&'w mut W);
    impl<W: RawWorld> ComponentVisitor<W> for Shrink<'_, W> {
        fn visit<T: 'static>(&mut self)
        where
            W: Has<T>,
        {
            self.0.column_mut::<T>().shrink();
        }
    }
    W::__visit_components(&mut Shrink(world));
    world.entities_mut().shrink();
}

/// See [`World::insert_batch`].
pub(crate) fn insert_batch<W: World, B: Bundle<W>>(
    world: &mut W,
    batch: impl Iterator<Item = (Entity, B)>,
) -> Result<usize, InsertError> {
    let mut number = 0;
    for (entity, bundle) in batch {
        world.insert(entity, bundle)?;
        number += 1;
    }
    Ok(number)
}

/// Calls `f` with each entity. If a call panics, it is still called with the others before the
/// panic goes on.
fn despite_panics_of(entities: Vec<Entity>, mut f: impl FnMut(Entity)) {
    let mut entities = entities.into_iter();
    despite_panics(&mut || entities.next().map(&mut f).is_some());
}

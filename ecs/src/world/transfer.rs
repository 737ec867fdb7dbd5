//! Moving entities to another world of the same type, with all their components:
//! [`MoveComponents::move_entities`](crate::world::MoveComponents::move_entities).

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::World;
use super::verbs::no_such;
use crate::base::component_set::ComponentSet;
use crate::component::Has;
use crate::entity::Entity;
use crate::entity::journal::RecordedAction;
use crate::error::{InsertError, Refused};
use crate::raw_world::discard::{self, despite_panics};
use crate::raw_world::fields::table;
use crate::raw_world::{ComponentVisitor, WorldFields, journal, targets};
use crate::storage::kind::ColumnKind;

/// See [`MoveComponents::move_entities`](crate::world::MoveComponents::move_entities).
pub(crate) fn transfer_entities<W: World>(
    world: &mut W,
    entities: &[Entity],
    to: &mut W,
) -> Result<Vec<Entity>, InsertError> {
    if let Some(&dead) = entities.iter().find(|entity| !world.contains(**entity)) {
        return Err(no_such::<W>(dead).into());
    }
    let mut check = TransferCheck { world, to, entities, refused: None };
    W::__visit_components(&mut check);
    if let Some(refused) = check.refused {
        return Err(refused.into());
    }
    let mut ids = BTreeMap::new();
    let mut order = Vec::new(); // without entities that are listed twice
    for &entity in entities {
        ids.entry(entity).or_insert_with(|| {
            order.push(entity);
            spawn_like(world, entity, to)
        });
    }
    let new = entities.iter().map(|entity| ids[entity]).collect();
    // a panic leaves the entities in their world, without some of their components
    let losing = targets::losing_each(world, order.iter().copied(), None);
    let world = &mut *losing.world;
    let mut arriving = ArrivingEntities { world: to, ids, order: &order };
    W::__visit_components(&mut MoveValues { world, arriving: &mut arriving });
    arriving.ids.clear();
    let mut left = order.iter();
    // no error: a relation may have despawned the entity with one before it
    despite_panics(&mut || left.next().map(|&entity| discard::despawn(world, entity)).is_some());
    Ok(new)
}

/// Spawns an entity without components in `to`, in the slots for entities with the components of
/// `entity`.
fn spawn_like<W: World>(world: &W, entity: Entity, to: &mut W) -> Entity {
    let slot = entity.slot();
    let held = world.__living().columns_of(slot);
    let held = held.filter(|&index| table(world, index).is_some_and(|table| table.contains(slot)));
    let set = held.fold(ComponentSet::EMPTY, ComponentSet::with);
    let new = to.entities_mut().spawn(&set.spawn_set(W::COMPONENTS.len()));
    journal::record(to, RecordedAction::Spawned, new);
    new
}

/// Checks that no rule of the other world refuses a value: a key that it has, a unique component, a
/// hook.
struct TransferCheck<'w, W> {
    world: &'w W,
    to: &'w mut W,
    entities: &'w [Entity],
    refused: Option<Refused>,
}

impl<W: World> ComponentVisitor<W> for TransferCheck<'_, W> {
    fn visit<T: 'static>(&mut self)
    where
        W: Has<T>,
    {
        if !W::Kind::REFUSES || self.refused.is_some() {
            return;
        }
        let (column, living) = self.to.column_and_entities::<T>();
        for entity in self.entities {
            let Some(value) = self.world.column::<T>().get(entity.slot()) else { continue };
            if let Some(reason) = column.refuse_newcomer::<W::Kind>(living, value) {
                let component = W::COMPONENTS[W::INDEX];
                self.refused = Some(Refused { entity: None, component, world: W::NAME, reason });
                return;
            }
        }
    }
}

/// The entities that arrive in a world. If a panic drops it, they are despawned, since they are not
/// complete.
struct ArrivingEntities<'w, W: World> {
    world: &'w mut W,
    /// The new id by the old one.
    ids: BTreeMap<Entity, Entity>,
    order: &'w [Entity],
}

impl<W: World> Drop for ArrivingEntities<'_, W> {
    fn drop(&mut self) {
        let ids = core::mem::take(&mut self.ids);
        ids.into_values().for_each(|entity| _ = discard::despawn(self.world, entity));
    }
}

struct MoveValues<'m, 'w, W: World> {
    world: &'m mut W,
    arriving: &'m mut ArrivingEntities<'w, W>,
}

impl<W: World> ComponentVisitor<W> for MoveValues<'_, '_, W> {
    fn visit<T: 'static>(&mut self)
    where
        W: Has<T>,
    {
        for &entity in self.arriving.order {
            let Some(mut value) = self.world.detach::<T>(entity) else { continue };
            let ArrivingEntities { world: to, ids, .. } = &mut *self.arriving;
            if <W::Kind as ColumnKind>::GUARDED {
                let column = self.world.column::<T>();
                if !column.keep_targets(&mut value, &|target| ids.contains_key(&target))
                    || !column.map_ids(&mut value, &|target| ids.get(&target).copied())
                {
                    continue;
                }
            }
            drop(to.put(ids[&entity], value));
        }
        self.world.drop_expelled::<T>();
    }
}

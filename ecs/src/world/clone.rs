//! Cloning of entities, by [`World::clone_entity`] and
//! [`MoveComponents::clone_entities`](crate::world::MoveComponents::clone_entities), and the trait
//! [`CloneEntity`] that they need, and of whole worlds.

use alloc::vec::Vec;

use super::World;
use crate::base::component_set::ComponentSet;
use crate::bundle::batch::Incomplete;
use crate::component::Has;
use crate::entity::Entity;
use crate::entity::journal::RecordedAction;
use crate::error::{Reason, Refused};
use crate::raw_world::fields::table;
use crate::raw_world::targets::TargetRules;
use crate::raw_world::{RawWorld, WorldFields, discard, journal, targets};
use crate::schedule::states;
use crate::storage::kind::ColumnKind;

/// Clones one component of an entity into another one, if the first has it and no rule refuses the
/// clone.
pub type CloneComponent<W> = fn(&mut W, from: Entity, to: Entity, clones: &CloneMap);

/// The clones of entities, by which the targets of cloned relations are replaced.
#[derive(Default)]
pub struct CloneMap {
    /// An entity and its clone, by the slot of the entity.
    clones: Vec<(Entity, Entity)>,
}

impl CloneMap {
    fn new(from: &[Entity], to: &[Entity]) -> Self {
        let mut clones: Vec<_> = from.iter().copied().zip(to.iter().copied()).collect();
        clones.sort_by_key(|(entity, _)| entity.slot());
        Self { clones }
    }

    fn clone_of(&self, entity: Entity) -> Option<Entity> {
        let at = self.clones.binary_search_by_key(&entity.slot(), |(entity, _)| entity.slot()).ok()?;
        let (known, clone) = self.clones[at];
        (known == entity).then_some(clone)
    }
}

/// A world whose components are all `Clone`, as [`World::clone_entity`] needs it. `world!`
/// implements the trait for worlds with `#[derive(Clone)]`.
#[diagnostic::on_unimplemented(
    message = "entities of world `{Self}` cannot be cloned, since it is not `Clone`",
    label = "not `Clone`",
    note = "write `#[derive(Clone)]` before the `struct` in the `world!` of `{Self}`; every component is `Clone` then"
)]
pub trait CloneEntity: World {
    #[doc(hidden)]
    const CLONES: &'static [Option<CloneComponent<Self>>];
}

/// The [`CloneComponent`] function of component `T`.
pub fn clone_component<W: Has<T>, T: Clone + 'static>(
    world: &mut W,
    from: Entity,
    to: Entity,
    clones: &CloneMap,
) {
    let Some(mut value) = world.column::<T>().get(from.slot()).cloned() else { return };
    if <W::Kind as ColumnKind>::GUARDED
        && !world.column::<T>().map_ids(&mut value, &|entity| clones.clone_of(entity))
    {
        return;
    }
    if !is_left_out(world.refuse(Some(to), &value)) {
        drop(world.put(to, value));
    }
}

/// Whether a component is not cloned. The clone of a target has its components later than a relation
/// to it may be cloned.
fn is_left_out(refused: Option<Refused>) -> bool {
    refused.is_some_and(|refused| !matches!(refused.reason, Reason::TargetLacks(..)))
}

/// Spawns an entity for each of `from`, which are alive, with clones of their components. A cloned
/// relation to one of `from` points to its clone. The components of `left_out` are not cloned. If a
/// `Clone` panics, the new entities are despawned.
pub(crate) fn clone_entities<W: CloneEntity>(
    world: &mut W,
    from: &[Entity],
    left_out: ComponentSet,
) -> Vec<Entity> {
    // all entities first, without values, so that a relation finds the clone of a target that comes
    // later
    let mut guard = Incomplete { world, entities: Vec::with_capacity(from.len()) };
    let mut sets = Vec::with_capacity(from.len());
    for entity in from {
        let held = guard.world.__living().columns_of(entity.slot());
        // a column of the block need not have a value of this entity
        let held = held
            .filter(|&index| table(guard.world, index).is_some_and(|table| table.contains(entity.slot())));
        let set = held.fold(ComponentSet::EMPTY, ComponentSet::with).minus(left_out);
        let clone = guard.world.entities_mut().spawn(&set.spawn_set(W::COMPONENTS.len()));
        guard.entities.push(clone);
        journal::record(guard.world, RecordedAction::Spawned, clone);
        sets.push(set);
    }
    // then the values; the guard despawns the new entities if a `Clone` panics
    let clones = CloneMap::new(from, &guard.entities);
    for (at, (&entity, set)) in from.iter().zip(sets).enumerate() {
        for clone in set.indices().filter_map(|index| W::CLONES.get(index).copied().flatten()) {
            clone(guard.world, entity, guard.entities[at], &clones);
        }
    }
    // complete: the guard has nothing to despawn; the clone of a target may lack a component
    let (clones, world) = (core::mem::take(&mut guard.entities), &mut *guard.world);
    if !TargetRules::<W>::NONE {
        let of_clones =
            from.iter().zip(&clones).map(|(&entity, &clone)| (clone, targets::held(world, entity)));
        let of_clones: Vec<_> = of_clones.collect();
        targets::lost_by(world, &of_clones, None);
    }
    clones
}

/// Copies the state of `source` into `world`; `f` copies columns, resources and events.
///
/// If `f` panics half way, all entities of the world are despawned, since it would have ids of one
/// world with components of the other. The list of entities and the states of systems, which store
/// slots, ticks and ids, are both those of `source` then.
#[inline]
pub fn become_another<W: RawWorld>(world: &mut W, source: &W, f: impl FnOnce(&mut W)) {
    struct Emptied<'w, W: RawWorld>(&'w mut W);
    impl<W: RawWorld> Drop for Emptied<'_, W> {
        fn drop(&mut self) {
            discard::clear(self.0);
        }
    }
    let mut copy = states::of(source).clone(); // a `Clone` that panics here changes nothing
    let unfinished = Emptied(world);
    unfinished.0.entities_mut().clone_from(source.__living());
    states::of_mut(unfinished.0).exchange(&mut copy);
    f(unfinished.0);
    drop(copy); // before `forget`, since the drop of a system's state may panic
    core::mem::forget(unfinished);
}

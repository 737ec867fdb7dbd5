//! Cloning of single entities, by [`World::clone_entity`] and the trait [`CloneEntity`] that it needs, and of whole worlds.

use super::World;
use crate::base::component_set::ComponentSet;
use crate::bundle::batch::DespawnGuard;
use crate::component::Has;
use crate::entity::Entity;
use crate::entity::journal::RecordedAction;
use crate::raw_world::fields::table;
use crate::raw_world::{RawWorld, WorldFields, discard, journal};
use crate::schedule::states;

/// Clones one component of entity `from` into entity `to`, if `from` has it and no rule refuses the clone.
pub type CloneComponent<W> = fn(&mut W, from: Entity, to: Entity);

/// A world whose components are all `Clone`, as [`World::clone_entity`] needs it. `world!` implements the trait for worlds
/// with `#[derive(Clone)]`.
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
pub fn clone_component<W: Has<T>, T: Clone + 'static>(world: &mut W, from: Entity, to: Entity) {
    let Some(value) = world.column::<T>().get(from.slot()).cloned() else { return };
    if world.refuse(Some(to), &value).is_none() {
        drop(world.put(to, value));
    }
}

/// Spawns an entity with clones of the components of `from`, which is alive. If a `Clone` panics, the new entity is despawned.
pub(super) fn clone_entity<W: CloneEntity>(world: &mut W, from: Entity) -> Entity {
    let held = world.__living().columns_of(from.slot());
    let held = held.filter(|&index| table(world, index).is_some_and(|table| table.contains(from.slot())));
    let set = held.fold(ComponentSet::EMPTY, ComponentSet::with);
    let to = world.entities_mut().spawn(&set.spawn_set(W::COMPONENTS.len()));
    journal::record(world, RecordedAction::Spawned, to);
    let mut guard = DespawnGuard { world, slots: to.slot()..to.slot() + 1 };
    for clone in set.indices().filter_map(|index| W::CLONES.get(index).copied().flatten()) {
        clone(guard.world, from, to);
    }
    guard.slots.end = guard.slots.start;
    to
}

/// Copies the state of `source` into `world`; `f` copies columns, resources and events.
///
/// If `f` panics half way, all entities of the world are despawned, since it would have ids of one world with components of the
/// other. The list of entities and the states of systems, which store slots, ticks and ids, are both those of `source` then.
#[inline]
pub fn become_another<W: RawWorld>(world: &mut W, source: &W, f: impl FnOnce(&mut W)) {
    struct Unfinished<'w, W: RawWorld>(&'w mut W);
    impl<W: RawWorld> Drop for Unfinished<'_, W> {
        fn drop(&mut self) {
            discard::clear(self.0);
        }
    }
    let mut copy = states::of(source).clone(); // a `Clone` that panics here changes nothing
    let unfinished = Unfinished(world);
    unfinished.0.entities_mut().clone_from(source.__living());
    states::of_mut(unfinished.0).exchange(&mut copy);
    f(unfinished.0);
    drop(copy); // before `forget`, since the drop of a system's state may panic
    core::mem::forget(unfinished);
}

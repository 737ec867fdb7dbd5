//! Cloning of single entities: [`World::clone_entity`] and the trait [`CloneEntity`] that it needs.
#![expect(unsafe_code, reason = "the world is borrowed mutably, and its columns are reached one by one")]

use super::World;
use crate::base::component_set::ComponentSet;
use crate::bundle::batch::DespawnGuard;
use crate::component::Has;
use crate::entity::Entity;
use crate::entity::journal::RecordedAction;
use crate::raw_world::WorldCell;
use crate::raw_world::cell::table;
use crate::raw_world::journal;

/// Clones one component of entity `from` into entity `to`, if `from` has it and no rule refuses the clone.
///
/// # Safety
/// The cell is that of a world that is borrowed mutably, and no part of that world is borrowed elsewhere during the call.
pub type CloneComponent<W> = unsafe fn(WorldCell<'_, W>, from: Entity, to: Entity);

/// A world whose components are all `Clone`, as [`World::clone_entity`] needs it. `world!` implements the trait for worlds
/// with `#[derive(Clone)]`.
///
/// # Safety
/// The functions of `CLONES` use the cell only to clone the component, and give it to no other code.
#[diagnostic::on_unimplemented(
    message = "entities of world `{Self}` cannot be cloned, since it is not `Clone`",
    label = "not `Clone`",
    note = "write `#[derive(Clone)]` before the `struct` in the `world!` of `{Self}`; every component is `Clone` then"
)]
pub unsafe trait CloneEntity: World {
    #[doc(hidden)]
    const CLONES: &'static [Option<CloneComponent<Self>>];
}

/// The [`CloneComponent`] function of component `T`.
///
/// # Safety
/// The contract of [`CloneComponent`].
pub unsafe fn clone_component<W: Has<T>, T: Clone + 'static>(
    world: WorldCell<'_, W>,
    from: Entity,
    to: Entity,
) {
    // SAFETY: by the contract of `CloneComponent` the world is borrowed mutably, and no part of it elsewhere. The `Clone` of the
    // value cannot access the world, since user code has no cell (invariant 2 of `WorldCell`).
    let Some(value) = (unsafe { world.column::<T>() }).get(from.slot()).cloned() else { return };
    // SAFETY: by the contract of `CloneComponent` the world is borrowed mutably, and no part of it elsewhere; `value` is owned.
    let old = unsafe {
        match world.refuse(Some(to), &value) {
            None => world.put(to.slot(), value),
            Some(_) => return,
        }
    };
    drop(old);
}

/// Spawns an entity with clones of the components of `from`, which is alive. If a `Clone` panics, the new entity is despawned.
pub(super) fn clone_entity<W: CloneEntity>(world: &mut W, from: Entity) -> Entity {
    let held = world.__living().columns_of(from.slot());
    let held = held.filter(|&index| table(world, index).is_some_and(|table| table.contains(from.slot())));
    let set = held.fold(ComponentSet::EMPTY, ComponentSet::with);
    let cell = WorldCell::new(world);
    // SAFETY: `world` is borrowed mutably, and the borrow of the entities ends with the statement.
    let to = unsafe { cell.entities_mut() }.spawn(&set.spawn_set(W::COMPONENTS.len()));
    journal::record(cell, RecordedAction::Spawned, to);
    let mut guard = DespawnGuard { world: cell, slots: to.slot()..to.slot() + 1 };
    for clone in set.indices().filter_map(|index| W::CLONES.get(index).copied().flatten()) {
        // SAFETY: `world` is borrowed mutably, and no reference to a part of it exists.
        unsafe { clone(cell, from, to) };
    }
    guard.slots.end = guard.slots.start;
    to
}

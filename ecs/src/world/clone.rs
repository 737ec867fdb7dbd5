//! Clones of single entities.
#![expect(unsafe_code, reason = "the world is borrowed mutably, and its columns are reached one by one")]

use super::cell::table;
use super::{World, WorldCell};
use crate::base::component_set::ComponentSet;
use crate::bundle::batch::Unfilled;
use crate::component::Has;
use crate::entity::Entity;

/// Gives an entity a clone of what another one has, unless a rule refuses it.
///
/// # Safety
/// The cell is that of a world that is borrowed mutably, and no part of that world is borrowed elsewhere during the call.
pub type CloneComponent<W> = unsafe fn(WorldCell<'_, W>, from: Entity, to: Entity);

/// A world whose components are all `Clone`: what [`World::clone_entity`] asks for. Implemented by `world!` for worlds with
/// `#[derive(Clone)]`.
///
/// # Safety
/// The functions of `CLONES` use the cell only to clone the component, and hand it to no other code.
#[diagnostic::on_unimplemented(
    message = "entities of world `{Self}` cannot be cloned, since it is not `Clone`",
    label = "not `Clone`",
    note = "write `#[derive(Clone)]` before the `struct` in the `world!` of `{Self}`; every component is `Clone` then"
)]
pub unsafe trait CloneEntity: World {
    #[doc(hidden)]
    const CLONES: &'static [Option<CloneComponent<Self>>];
}

/// See [`CloneComponent`].
///
/// # Safety
/// As for [`CloneComponent`].
pub unsafe fn clone_component<W: Has<T>, T: Clone + 'static>(
    world: WorldCell<'_, W>,
    from: Entity,
    to: Entity,
) {
    // SAFETY: the caller's promise. The `Clone` of the value cannot reach the world: only the library has the cell.
    let Some(value) = (unsafe { world.column::<T>() }).get(from.slot()).cloned() else { return };
    // SAFETY: the caller's promise; `value` is not a part of the world.
    let old = unsafe {
        match world.refuse(Some(to), &value) {
            None => world.put(to.slot(), value),
            Some(_) => return,
        }
    };
    drop(old);
}

/// A new entity with clones of what `from` has, which lives. If a clone panics there is none.
pub(super) fn clone_entity<W: CloneEntity>(world: &mut W, from: Entity) -> Entity {
    let held = world.__living().columns_of(from.slot());
    let held = held.filter(|&index| table(world, index).is_some_and(|table| table.contains(from.slot())));
    let set = held.fold(ComponentSet::EMPTY, ComponentSet::with);
    let cell = WorldCell::new(world);
    // SAFETY: the world is borrowed mutably, and the borrow of the entities ends with the statement.
    let to = unsafe { cell.entities_mut() }.spawn(&set.kind(W::COMPONENTS.len()));
    let mut guard = Unfilled { world: cell, slots: to.slot()..to.slot() + 1 };
    for clone in set.indices().filter_map(|index| W::CLONES.get(index).copied().flatten()) {
        // SAFETY: the world is borrowed mutably, and nothing of it is lent.
        unsafe { clone(cell, from, to) };
    }
    guard.slots.end = guard.slots.start;
    to
}

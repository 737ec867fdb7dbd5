//! Recording of structural changes in the journal of a world. In a world without a journal, every function here is empty.

use crate::base::component_set::ComponentSet;
use crate::entity::Entity;
use crate::entity::journal::RecordedAction;
use crate::raw_world::cell::table_of;
use crate::raw_world::{RawWorld, WorldCell};

/// Records a change of an entity.
#[inline(always)]
pub(crate) fn record<W: RawWorld>(world: WorldCell<'_, W>, action: RecordedAction, entity: Entity) {
    if const { W::JOURNAL > 0 } {
        world.entities().record(action, entity, world.this_run());
    }
}

/// Records the insertion of the component with this index, if the slot had none, or its removal.
#[inline(always)]
pub(crate) fn record_at<W: RawWorld>(world: WorldCell<'_, W>, action: RecordedAction, slot: u32) {
    if const { W::JOURNAL > 0 } {
        record(world, action, world.entities().at(slot as usize));
    }
}

/// Records that entities in consecutive slots were spawned.
pub(crate) fn record_spawned<W: RawWorld>(world: WorldCell<'_, W>, slots: impl Iterator<Item = u32>) {
    if const { W::JOURNAL > 0 } {
        slots.for_each(|slot| record_at(world, RecordedAction::Spawned, slot));
    }
}

/// Records that a living entity loses its components and is despawned.
///
/// # Safety
/// No column is borrowed mutably during the call.
#[inline(always)]
#[expect(unsafe_code, reason = "the columns are reached by their offsets")]
pub(crate) unsafe fn record_despawn<W: RawWorld>(world: WorldCell<'_, W>, entity: Entity) {
    if const { W::JOURNAL > 0 } {
        let slot = entity.slot();
        // SAFETY: by the caller's contract no column is borrowed mutably.
        let has =
            |&index: &usize| unsafe { table_of(world, index) }.is_some_and(|table| table.contains(slot));
        let held =
            world.entities().columns_of(slot).filter(has).fold(ComponentSet::EMPTY, ComponentSet::with);
        for component in held.indices() {
            record(world, RecordedAction::Removed(component), entity);
        }
        record(world, RecordedAction::Despawned, entity);
    }
}

//! Recording of structural changes in the journal of a world. In a world without a journal, every
//! function here is empty.

use crate::base::component_set::ComponentSet;
use crate::component::Has;
use crate::entity::Entity;
use crate::entity::journal::RecordedAction;
use crate::raw_world::RawWorld;
use crate::raw_world::fields::table;
use crate::storage::kind::ColumnKind;
use crate::storage::rule_state::ChangeContext;

/// Records a change of an entity.
#[inline(always)]
pub(crate) fn record<W: RawWorld>(world: &W, action: RecordedAction, entity: Entity) {
    if const { W::JOURNAL > 0 } {
        world.__living().record(action, entity, world.__living().tick());
    }
}

/// Records the insertion of the component `T`, if the entity had none, or its removal; of a
/// component without a rule only, since the column itself records the changes of one with a rule,
/// in order with those that the rule makes.
#[inline(always)]
pub(crate) fn record_unguarded<W: Has<T>, T: 'static>(context: ChangeContext<'_>, action: RecordedAction) {
    if const { W::JOURNAL > 0 && !<W::Kind as ColumnKind>::GUARDED } {
        context.record(action);
    }
}

/// Records the insertion of the component with this index, if the slot had none, or its removal.
#[inline(always)]
pub(crate) fn record_at<W: RawWorld>(world: &W, action: RecordedAction, slot: u32) {
    if const { W::JOURNAL > 0 } {
        record(world, action, world.__living().at(slot as usize));
    }
}

/// Records that entities in consecutive slots were spawned.
pub(crate) fn record_spawned<W: RawWorld>(world: &W, slots: impl Iterator<Item = u32>) {
    if const { W::JOURNAL > 0 } {
        slots.for_each(|slot| record_at(world, RecordedAction::Spawned, slot));
    }
}

/// Records that a living entity loses its components and is despawned.
#[inline(always)]
pub(crate) fn record_despawn<W: RawWorld>(world: &W, entity: Entity) {
    if const { W::JOURNAL > 0 } {
        let slot = entity.slot();
        let has = |&index: &usize| table(world, index).is_some_and(|table| table.contains(slot));
        let held =
            world.__living().columns_of(slot).filter(has).fold(ComponentSet::EMPTY, ComponentSet::with);
        for component in held.indices() {
            record(world, RecordedAction::Removed(component), entity);
        }
        record(world, RecordedAction::Despawned, entity);
    }
}

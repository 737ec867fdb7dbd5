//! The functions of columns for [`WorldMemory::regroup`](crate::world::WorldMemory::regroup):
//! values move from slot to slot with their change ticks.

use alloc::vec::Vec;

use super::column::Column;
use super::kind::ColumnKind;
use crate::entity::regrouped::Regrouped;
use crate::storage::rule_state::ChangeContext;

impl<T: 'static> Column<T> {
    /// Moves the values of entities to their present slots, with the ticks at which they were added
    /// and changed, and replaces ids in the log of removed values. The component's rule does not
    /// hear of it: see [`regroup_rule`](Self::regroup_rule).
    pub(crate) fn regroup<K: ColumnKind>(&mut self, moved: &Regrouped) {
        let mut values = Vec::new();
        let mut ticks = Vec::new();
        // first all values leave their slots, since one may get the slot of another
        for (former, present) in moved.iter() {
            let Some(value) = self.remove(former.slot()) else { continue };
            values.push((present.slot(), value));
            if K::TRACKED {
                let slot = former.slot() as usize;
                let stamps = self.stamps().and_then(|stamps| stamps.word(slot / 64));
                ticks.push(stamps.map_or((0, 0), |word| (word.added(slot % 64), word.changed(slot % 64))));
            }
        }
        self.erased.table.narrow();
        let mut replaced = Vec::new();
        let mut ticks = ticks.into_iter();
        for (slot, value) in values {
            replaced.extend(self.insert(slot, value).0);
            // a column without stamps was loaded from a file without them
            if let Some((added, changed)) = ticks.next().filter(|_| self.erased.stamps.is_some()) {
                self.restore_stamps(slot, added, changed);
            }
        }
        if let Some(removals) = self.cold_mut().removals.as_mut() {
            removals.log.values.iter_mut().for_each(|(entity, _)| _ = moved.update(entity));
        }
        drop(replaced); // values of dead slots, which only code that swaps parts of worlds can cause
    }

    /// Tells the component's rule of the moved entities, after all columns have moved their values.
    pub(crate) fn regroup_rule(&mut self, context: ChangeContext<'_>, moved: &Regrouped) {
        self.with_rule_state(|rule_state, column| rule_state.regrouped(column, context, moved));
    }
}

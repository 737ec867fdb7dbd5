//! The functions of a column for change detection: the ticks at which its values were added and
//! changed, and the log of removed values.
//!
//! The component's kind decides which of the two a column has. A column with neither has no stamps
//! and no log.

use super::column::Column;
use super::removals::{LateReader, Removals};
use super::stamps::Stamps;
use crate::base::mask::Bits;
use crate::base::tick::Ticks;
use crate::change::{Mut, Ref};
use crate::entity::Entity;
use crate::entity::allocator::Entities;

impl<T> Column<T> {
    /// Removes the value of an entity and returns it, and adds a copy to the log of removed values.
    /// If the copy panics, nothing has changed. [`drop_expelled`](Self::drop_expelled) follows when
    /// the change is complete.
    #[inline]
    pub(crate) fn remove_logged(&mut self, entity: Entity) -> Option<T> {
        let Some(removals) = self.cold_mut().removals.as_mut() else { return self.remove(entity.slot()) };
        if removals.was_added(entity.slot()) {
            return self.remove(entity.slot());
        }
        let copy = removals.copy();
        let copied = copy(self.get(entity.slot())?);
        let value = self.remove(entity.slot());
        self.cold_mut().removals.as_mut()?.push(entity, copied);
        value
    }

    /// Moves the value of an entity to the log of removed values; returns the value if it is not
    /// logged. Calls no code of users: [`drop_expelled`](Self::drop_expelled) follows when the
    /// change is complete.
    pub(crate) fn move_to_log(&mut self, entity: Entity) -> Option<T> {
        let value = self.remove(entity.slot())?;
        self.log(entity, value)
    }

    /// Adds a value that was removed to the log; returns it if it is not logged.
    /// [`drop_expelled`](Self::drop_expelled) follows when the change is complete.
    pub(crate) fn log(&mut self, entity: Entity, value: T) -> Option<T> {
        let Some(removals) = self.cold_mut().removals.as_mut() else { return Some(value) };
        if removals.was_added(entity.slot()) {
            return Some(value);
        }
        removals.push(entity, value);
        None
    }

    /// Drops the values that have left the log because of its bound.
    #[inline]
    pub(crate) fn drop_expelled(&mut self) {
        if let Some(removals) = self.cold_mut().removals.as_mut() {
            removals.drop_expelled();
        }
    }

    /// Moves the value of an entity that has just been despawned to the log of removed values.
    pub(crate) fn discard_logged(&mut self, entity: Entity) {
        if self.cold_mut().removals.as_mut().is_none_or(|removals| removals.was_added(entity.slot())) {
            return self.discard(entity.slot());
        }
        if let (Some(value), Some(removals)) = (self.remove(entity.slot()), self.cold_mut().removals.as_mut())
        {
            removals.push(entity, value);
            removals.drop_expelled();
        }
    }

    /// Moves the values of all live entities to the log of removed values.
    pub(crate) fn log_all(&mut self, entities: &Entities) {
        if self.cold().removals.is_none() {
            return;
        }
        for word in 0..self.erased.table.masks.len().min(entities.alive().len()) {
            for bit in Bits(self.erased.table.masks[word] & entities.alive()[word]) {
                let entity = entities.at(word * 64 + bit);
                if let (Some(value), Some(removals)) =
                    (self.remove(entity.slot()), self.cold_mut().removals.as_mut())
                {
                    removals.append(entity, value);
                }
            }
        }
    }

    /// The log of removed values, if it exists.
    pub(crate) fn removals(&self) -> Option<&Removals<T>> {
        self.cold().removals.as_ref()
    }

    /// The log of removed values, mutable.
    pub(crate) fn log_mut(&mut self) -> Option<&mut Removals<T>> {
        self.cold_mut().removals.as_mut()
    }

    /// The log of removed values, which is made if it does not exist. `most` is the bound, see
    /// [`Removals`], and `copy` copies a value for the log.
    pub(crate) fn removals_mut(&mut self, most: usize, copy: fn(&T) -> T) -> &mut Removals<T> {
        self.cold_mut().removals.get_or_insert_with(|| Removals::new(most, copy))
    }

    /// Notes that `slot`, which had no value, has got one: a value that the same flush adds and
    /// removes is not logged.
    pub(crate) fn note_added(&mut self, slot: u32) {
        if let Some(removals) = self.cold_mut().removals.as_mut() {
            removals.note_added(slot);
        }
    }

    /// Notes that a flush begins or ends.
    pub(crate) fn set_flushing(&mut self, on: bool) {
        if let Some(removals) = self.cold_mut().removals.as_mut() {
            removals.set_flushing(on);
        }
    }

    /// Frees the removed values that all readers have read, and those beyond the bound. Returns the
    /// slowest reader if a loss is to be reported.
    pub(crate) fn trim_removals(&mut self) -> Option<LateReader> {
        self.cold_mut().removals.as_mut()?.trim()
    }

    /// Stores the tick at which the value of `slot` was inserted; `added` if the slot had no value
    /// before.
    #[inline]
    pub(crate) fn stamp(&mut self, slot: u32, tick: u64, added: bool) {
        self.erased.stamps.get_or_insert_default().insert(slot, tick, added);
    }

    /// Stores the tick at which values of `len` slots from `slot` on were added.
    pub(crate) fn stamp_run(&mut self, slot: u32, len: usize, tick: u64) {
        self.erased.stamps.get_or_insert_default().insert_run(slot, len, tick);
    }

    /// Sets the ticks of a slot.
    pub(crate) fn restore_stamps(&mut self, slot: u32, added: u64, changed: u64) {
        self.erased.stamps.get_or_insert_default().recall(slot, added, changed);
    }

    /// The ticks at which values were added and changed.
    #[inline(always)]
    pub(crate) fn stamps(&self) -> Option<&Stamps> {
        self.erased.stamps.as_deref()
    }

    /// The value of `slot`, if it has one, with the tick of its last change.
    #[inline]
    pub(crate) fn get_ref(&self, slot: u32, ticks: Ticks) -> Option<Ref<'_, T>> {
        let value = self.get(slot)?;
        let word = self.stamps()?.word(slot as usize / 64)?;
        Some(Ref::of(value, word, slot as usize % 64, ticks))
    }

    /// The value of `slot`, if it has one, mutable, in a wrapper that stores the tick of a change.
    #[inline]
    pub(crate) fn get_tracked(&mut self, slot: u32, ticks: Ticks) -> Option<Mut<'_, T>> {
        let (value, stamps) = self.find_stamped(slot)?;
        let word = stamps.word(slot as usize / 64)?;
        Some(Mut::of(value, stamps, word, slot as usize, ticks))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_in_any_word_is_borrowed_with_its_stamps() {
        let mut column = Column::<u32>::new();
        for slot in [3, 70, 5000] {
            column.insert_new(slot, slot);
            column.stamp(slot, 5, true);
        }
        for slot in [3, 70, 5000] {
            let value = column.get_ref(slot, Ticks { this_run: 9, last_run: 4 });
            assert!(value.is_some_and(|value| *value == slot && value.is_added()), "slot {slot}");
            let value = column.get_ref(slot, Ticks { this_run: 9, last_run: 5 });
            assert!(value.is_some_and(|value| !value.is_changed()), "slot {slot}");
        }
        assert!(column.get_ref(71, Ticks { this_run: 9, last_run: 4 }).is_none());
    }

    #[test]
    fn the_values_of_all_live_entities_are_logged() {
        let mut entities = Entities::with(1, 1);
        let set = crate::base::component_set::ComponentSet::EMPTY.with(0).spawn_set(1);
        let mut column = Column::<u32>::new();
        column.removals_mut(usize::MAX, |value| *value);
        let all: alloc::vec::Vec<Entity> = (0..200).map(|_| entities.spawn(&set)).collect();
        all.iter().for_each(|entity| column.insert_new(entity.slot(), entity.slot()));
        column.log_all(&entities);
        let ([logged, rest], missed) = column.removals().unwrap().after(0);
        assert!(logged.iter().chain(rest).copied().eq(all.iter().map(|&entity| (entity, entity.slot()))));
        assert_eq!((column.len(), missed), (0, 0));
    }
}

//! Ids that are chosen by the caller in place of the allocator, and ranges of slots in which the
//! allocator chooses none.
//!
//! The blocks of such a range are [`BlockOwner::External`]: no entity is spawned in them, except by
//! [`Entities::spawn_at`].

use core::ops::Range;

use super::{DEAD, Entities};
use crate::base::component_set::{SpawnSet, Words};
use crate::entity::Entity;
use crate::entity::blocks::{BlockOwner, MOST_SLOTS};
use crate::error::IdConflict;

impl Entities {
    /// The reason why no entity can be spawned with this id.
    pub(crate) fn conflict(&self, entity: Entity) -> Option<IdConflict> {
        let (slot, block) = (entity.slot(), entity.slot() / 64);
        if slot as usize >= MOST_SLOTS {
            return Some(IdConflict::NoSuchSlot);
        }
        let current = self.generations.get(slot as usize).copied().unwrap_or(self.first_generation | DEAD);
        if current & DEAD == 0 {
            return Some(IdConflict::Occupied(self.at(slot as usize)));
        }
        let known = (block as usize) < self.blocks.len();
        let retired = known && self.blocks.get(block).retired >> (slot % 64) & 1 == 1;
        if retired || entity.generation().get() < current & !DEAD {
            return Some(IdConflict::Used);
        }
        (self.owner_of(block) == Some(BlockOwner::Reserved)).then_some(IdConflict::ReservedByCommands)
    }

    /// Spawns an entity with an id for which there is no [`conflict`](Self::conflict), in a block
    /// that has the columns of `set`.
    pub(crate) fn spawn_at(&mut self, entity: Entity, set: &SpawnSet) {
        debug_assert!(self.conflict(entity).is_none());
        let (slot, block, bit) = (entity.slot() as usize, entity.slot() / 64, 1 << (entity.slot() % 64));
        self.grow_to(block as usize + 1);
        self.leave_run(block);
        if self.blocks.get(block).owner() == BlockOwner::Free {
            let group = self.group_of(set);
            self.own(block, group);
        }
        self.hold_set(block, &set.components);
        if let BlockOwner::Group(group) = self.blocks.get(block).owner()
            && self.groups[group].open == block
        {
            self.groups[group].free &= !bit;
        }
        self.alive[block as usize] |= bit;
        self.generations[slot] = entity.generation().get();
        self.blocks.get_mut(block).touched = true; // the generation of the slot may have changed
    }

    /// Keeps the blocks with these slots for [`spawn_at`](Self::spawn_at). On an error nothing
    /// changes.
    ///
    /// # Errors
    /// The first slot of a block that already belongs to a group; `None` if there are not so many
    /// slots.
    pub(crate) fn reserve_slots(&mut self, slots: &Range<u32>) -> Result<(), Option<u32>> {
        let blocks = slots.start / 64..slots.end.div_ceil(64);
        if slots.is_empty() {
            return Ok(());
        }
        if blocks.end as usize * 64 > MOST_SLOTS {
            return Err(None);
        }
        let in_use = |block: &u32| match self.owner_of(*block) {
            None | Some(BlockOwner::Free | BlockOwner::External) => false,
            Some(BlockOwner::Reserved) => true,
            Some(BlockOwner::Group(group)) => !self.groups[group].run.contains(block),
        };
        if let Some(block) = blocks.clone().find(in_use) {
            return Err(Some(block * 64));
        }
        self.grow_to(blocks.end as usize);
        for block in blocks {
            self.leave_run(block);
            if self.blocks.get(block).owner() == BlockOwner::Free {
                self.give_block(block, BlockOwner::External, &Words::EMPTY);
            }
        }
        Ok(())
    }

    /// If a block is one of those that its group has not opened yet, ends the run of the group
    /// before it: the rest of the run is free.
    fn leave_run(&mut self, block: u32) {
        let BlockOwner::Group(group) = self.blocks.get(block).owner() else { return };
        let run = &mut self.groups[group].run;
        if !run.contains(&block) {
            return;
        }
        let rest = block..run.end;
        run.end = block;
        rest.for_each(|block| self.blocks.release(block));
    }
}

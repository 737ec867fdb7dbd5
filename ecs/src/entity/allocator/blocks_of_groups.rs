//! Which blocks of slots an allocation group owns, and which of them it fills next.

use super::shared_blocks::shared_run;
use super::{CACHE, Entities, SHARED};
use crate::base::component_set::SpawnSet;
use crate::base::page;
use crate::entity::allocation_group::AllocationGroup;
use crate::entity::blocks::BlockOwner;

impl Entities {
    /// The index of the allocation group of `set`, which is made if it does not exist.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::entity) fn group_of(&mut self, set: &SpawnSet) -> usize {
        let cached = self.cache[set.hash % CACHE];
        match self.groups.get(cached as usize) {
            Some(group) if group.is_of(set) => cached as usize,
            _ => self.find_group(set),
        }
    }

    #[cold]
    #[inline(never)]
    fn find_group(&mut self, set: &SpawnSet) -> usize {
        let next = self.groups.len() as u32;
        let index = *self.group_of_set.entry(set.components).or_insert(next);
        if index == next {
            self.groups.push(AllocationGroup::new(set.components));
        }
        self.cache[set.hash % CACHE] = index;
        index as usize
    }

    /// Opens a block with a free slot for `group`: a block with holes, or else a free block, as
    /// part of a run of `want` blocks.
    #[cold]
    #[inline(never)]
    pub(super) fn open_next(&mut self, group: usize, want: usize) {
        self.groups[group].free = 0;
        while self.groups[group].free == 0 {
            let entry = &mut self.groups[group];
            let open = match entry.holes.last() {
                Some(block) => {
                    entry.holes.len -= 1;
                    if self.blocks.get(block).group() != group as u32 {
                        continue;
                    }
                    block
                }
                None => {
                    if entry.run.is_empty() {
                        let len = if group == SHARED { shared_run(entry.next_run) } else { entry.next_run };
                        entry.next_run = (entry.next_run * 2).min(page::MAX_WORDS as u32);
                        let set = entry.set;
                        self.groups[group].run = self.take_run(group as u32, want.max(len as usize), &set);
                    }
                    let run = &mut self.groups[group].run;
                    run.start += 1;
                    run.start - 1
                }
            };
            let entry = &mut self.groups[group];
            entry.open = open;
            entry.free = !(self.alive[entry.open as usize] | self.blocks.get(entry.open).retired);
        }
    }

    /// The slots of a block that have no live entity and are not retired.
    pub(in crate::entity) fn free_of(&self, block: u32) -> u64 {
        !(self.alive[block as usize] | self.blocks.get(block).retired)
    }

    /// Moves a block with holes from a group to the reserved slots, and returns the block.
    pub(in crate::entity) fn take_hole(&mut self, group: usize) -> Option<u32> {
        loop {
            let entry = &mut self.groups[group];
            if entry.has_parts() {
                return None;
            }
            let block = entry.holes.last()?;
            entry.holes.len -= 1;
            if self.blocks.get(block).group() == group as u32 && entry.open != block {
                let set = entry.set;
                self.give_block(block, BlockOwner::Reserved, &set);
                return Some(block);
            }
        }
    }

    /// Gives a block of reserved slots to a group; makes it free if it has no entities.
    pub(in crate::entity) fn return_block(&mut self, block: u32, group: usize) {
        if self.alive[block as usize] == 0 {
            self.blocks.release(block);
        } else {
            self.own(block, group);
        }
    }
}

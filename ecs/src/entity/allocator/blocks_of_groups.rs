//! Which blocks of slots an allocation group owns, and which of them it fills next.

use core::sync::atomic::AtomicU64;

use super::shared_blocks::shared_run;
use super::{CACHE, DEAD, Entities, RESERVED, SHARED};
use crate::base::component_set::SpawnSet;
use crate::base::component_set::Words;
use crate::base::page;
use crate::entity::allocation_group::AllocationGroup;

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

    /// Opens a block with a free slot for `group`: a block with holes, or else a free block, as part of a run of `want` blocks.
    #[cold]
    #[inline(never)]
    pub(super) fn open_next(&mut self, group: usize, want: usize) {
        self.groups[group].free = 0;
        while self.groups[group].free == 0 {
            let entry = &mut self.groups[group];
            let open = match entry.holes.last() {
                Some(block) => {
                    entry.holes.len -= 1;
                    if self.blocks.get(block).group != group as u32 {
                        continue;
                    }
                    block
                }
                None => {
                    if entry.run.is_empty() {
                        let len = if group == SHARED { shared_run(entry.next_run) } else { entry.next_run };
                        entry.run = self.blocks.take_run(group as u32, want.max(len as usize));
                        entry.next_run = (entry.next_run * 2).min(page::MAX_WORDS as u32);
                        self.cover_blocks();
                    }
                    let run = &mut self.groups[group].run;
                    let block = run.start;
                    run.start += 1;
                    self.hold(block, group);
                    block
                }
            };
            let entry = &mut self.groups[group];
            entry.open = open;
            entry.free = !(self.alive[entry.open as usize] | self.blocks.get(entry.open).retired);
        }
    }

    /// Makes the lists by block and by slot as long as the list of blocks.
    fn cover_blocks(&mut self) {
        let blocks = self.blocks.len();
        self.alive.resize(blocks, 0);
        self.generations.resize(blocks * 64, self.first_generation | DEAD);
        self.held.resize_with(blocks * self.stride, || AtomicU64::new(0));
    }

    /// Adds free blocks until there are `blocks` blocks.
    pub(in crate::entity) fn grow_to(&mut self, blocks: usize) {
        if self.blocks.len() < blocks {
            self.blocks.grow_to(blocks);
            self.cover_blocks();
        }
    }

    /// Sets the columns of a block to those of a group.
    pub(in crate::entity) fn hold(&mut self, block: u32, group: usize) {
        let held = &mut self.held[block as usize * self.stride..][..self.stride];
        for (to, from) in held.iter_mut().zip(&self.groups[group].set.0) {
            *to.get_mut() = *from;
        }
    }

    /// Adds a set of columns to those of a block.
    pub(in crate::entity) fn hold_set(&mut self, block: u32, set: &Words) {
        let held = &mut self.held[block as usize * self.stride..][..self.stride];
        for (to, from) in held.iter_mut().zip(&set.0) {
            *to.get_mut() |= *from;
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
            let state = self.blocks.get_mut(block);
            if state.group == group as u32 && entry.open != block {
                state.group = RESERVED;
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

    /// Clears the list of reserved blocks with holes: only their [`ReservedSlots`](super::reserved_slots::ReservedSlots) fill them.
    pub(in crate::entity) fn clear_reserved_holes(&mut self) {
        self.groups[RESERVED as usize].holes.len = 0;
    }
}

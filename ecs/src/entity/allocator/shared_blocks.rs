//! Shared blocks: the slots of groups with few entities, which have no blocks of their own.
//!
//! A small batch gets slots side by side. A group whose entities are spawned one by one gets parts
//! of [`PART`] slots, and fills its parts before it gets the next one: of several groups that are
//! spawned in turn, the parts lie side by side and are full, so that a query for a component that
//! all of them have visits full words. A slot that becomes free in a part is used again by the
//! group.
//!
//! The open shared block is handed out from its first slot to its last one;
//! [`Entities::handed_out`] is the number of slots that were handed out. The parts of a group are
//! hints: their free slots are free like others, another way to spawn may use them, and the group
//! passes over those that it finds in use. So lists of free slots need no entries for parts.
//!
//! A group that grows gets blocks of its own. If all slots that were handed out of the shared block
//! with its parts were handed out to this group, the shared block becomes the first of them.

use alloc::vec::Vec;
use core::ops::Range;

use super::{Entities, SHARED, SHARED_SLOTS};
use crate::base::component_set::Words;
use crate::base::mask;
use crate::entity::Entity;
use crate::entity::blocks::{BlockOwner, NONE};

/// The number of slots of a part.
pub(in crate::entity) const PART: u32 = 4;

/// The number of parts of a block.
pub(in crate::entity) const PARTS: u32 = 64 / PART;

/// The most slots that a group receives in parts that lie among those of other groups. Half of a
/// block: a group with more entities fills at least half of a block of its own.
const SCATTERED: u32 = 32;

/// The largest `next_run` of the shared group for which parts are handed out. The field is doubled
/// for each run, and shared blocks are taken in runs of 1, 2, 3 and 4 blocks, and then of 16, 32
/// and so on. So 10 blocks of a world, 640 slots, are taken for parts: a query for components of
/// few groups visits the slots of parts bit by bit.
const LONGEST_RUN: u32 = 8;

/// The number of blocks of the next run of shared blocks, by the field `next_run`.
pub(super) fn shared_run(next_run: u32) -> u32 {
    if next_run > LONGEST_RUN { next_run } else { next_run.ilog2() + 1 }
}

impl Entities {
    /// The free slots of the open shared block that were not handed out.
    fn shared_free(&self) -> u64 {
        let shared = &self.groups[SHARED];
        shared.free & !mask::range(0, self.handed_out as usize)
    }

    /// Opens shared blocks until one has a slot that was not handed out.
    fn open_shared(&mut self, want: usize) {
        while self.shared_free() == 0 {
            let open = self.groups[SHARED].open;
            if open != NONE && self.alive[open as usize] == 0 && self.groups[SHARED].free != 0 {
                self.give_to_group(open, SHARED); // a despawn releases no open block, so it is used again
            } else {
                self.open_next(SHARED, want);
            }
            self.handed_out = 0;
        }
    }

    /// Whether `count` entities of a group that are spawned together get slots in shared blocks.
    pub(super) fn is_small_batch(&self, group: usize, count: usize) -> bool {
        let entry = &self.groups[group];
        entry.open == NONE && entry.received() as usize + count <= SHARED_SLOTS as usize
    }

    /// Spawns `count` entities of a group side by side in shared blocks.
    pub(super) fn share_many(&mut self, group: usize, count: usize, ranges: &mut Vec<Range<u32>>) {
        self.groups[group].shared += count as u32;
        let set = self.groups[group].set;
        let mut left = count;
        while left > 0 {
            self.open_shared(left.div_ceil(64));
            let (open, free) = (self.groups[SHARED].open, self.shared_free());
            self.hold_set(open, &set);
            left -= self.spawn_run(SHARED, open, free, left, ranges);
            self.handed_out = ranges.last().map_or(0, |slots| slots.end) - open * 64;
        }
    }

    /// Spawns an entity of a group in a part of a shared block. `None` if the group has blocks of
    /// its own, or needs one now.
    pub(super) fn spawn_in_part(&mut self, group: usize, set: &Words) -> Option<Entity> {
        let entry = &self.groups[group];
        if !entry.has_parts() {
            return None;
        }
        let last = entry.holes.last();
        let slot = match last.and_then(|part| first_free(part, self.free_if_shared(part / PARTS))) {
            Some(slot) => slot,
            None => self.free_in_parts(group).or_else(|| self.take_part(group))?,
        };
        let (block, bit) = (slot / 64, 1 << (slot % 64));
        self.hold_set(block, set);
        let shared = &mut self.groups[SHARED];
        if shared.open == block {
            shared.free &= !bit;
        }
        self.set_alive(slot as usize);
        Some(self.at(slot as usize))
    }

    /// The first free slot of the parts of a group.
    fn free_in_parts(&self, group: usize) -> Option<u32> {
        let (mut block, mut free) = (NONE, 0);
        self.groups[group].holes.all().iter().find_map(|&part| {
            if part / PARTS != block {
                block = part / PARTS;
                free = self.free_if_shared(block);
            }
            first_free(part, free)
        })
    }

    /// The free slots of a block; none if the block is not shared, or was not opened. A block with
    /// parts may have become free since, and belong to another group.
    fn free_if_shared(&self, block: u32) -> u64 {
        match self.blocks.all.get(block as usize) {
            Some(state)
                if state.owner() == BlockOwner::Group(SHARED)
                    && !self.groups[SHARED].run.contains(&block) =>
            {
                !(self.alive[block as usize] | state.retired)
            }
            _ => 0,
        }
    }

    /// Hands out a part of a shared block to a group whose parts are full, and returns its first
    /// free slot.
    fn take_part(&mut self, group: usize) -> Option<u32> {
        let (entry, shared) = (&self.groups[group], &self.groups[SHARED]);
        let received = entry.received();
        let follows = entry
            .holes
            .last()
            .is_some_and(|last| last / PARTS == shared.open && (last % PARTS + 1) * PART == self.handed_out);
        if received + PART > SHARED_SLOTS || received >= SCATTERED && !follows {
            return None;
        }
        if self.shared_free() == 0 {
            if shared.holes.len == 0 && shared.run.is_empty() && shared.next_run > LONGEST_RUN {
                return None;
            }
            self.open_shared(1);
        }
        let (open, bit) = (self.groups[SHARED].open, self.shared_free().trailing_zeros());
        self.handed_out = (bit + 1).next_multiple_of(PART);
        let slot = open * 64 + bit;
        self.groups[group].holes.push_if(true, slot / PART);
        Some(slot)
    }

    /// Ends the time of a group in shared blocks: from now on it has blocks of its own. A shared
    /// block of which the group has all parts that were handed out becomes its open block.
    pub(super) fn leave_parts(&mut self, group: usize) {
        if !self.groups[group].has_parts() {
            return;
        }
        let parts = self.groups[group].leave_parts();
        let (count, Some(block)) = (parts.len as u32, parts.last().map(|part| part / PARTS)) else { return };
        let shared = &self.groups[SHARED];
        let handed_out = if shared.open == block { self.handed_out } else { 64 };
        if self.blocks.get(block).owner() != BlockOwner::Group(SHARED)
            || shared.run.contains(&block)
            || handed_out != count * PART
            || parts.all().iter().any(|part| part / PARTS != block)
            || self.alive[block as usize] & !mask::range(0, handed_out as usize) != 0
        {
            return;
        }
        let shared = &mut self.groups[SHARED];
        if shared.open == block {
            (shared.open, shared.free, self.handed_out) = (NONE, 0, 0);
        }
        // `next_run` bounds the number of blocks that small groups share, and this block is no
        // longer one of them
        shared.next_run = (shared.next_run / 2).max(1);
        self.give_to_group(block, group);
        let free = self.free_of(block);
        let entry = &mut self.groups[group];
        (entry.open, entry.free) = (block, free);
        entry.has_first_block();
    }

    /// Gives a block with or without free slots to a group, which has blocks of its own from now
    /// on.
    pub(in crate::entity) fn own(&mut self, block: u32, group: usize) {
        self.give_to_group(block, group);
        let free = self.free_of(block);
        let entry = &mut self.groups[group];
        if entry.has_parts() {
            entry.leave_parts();
            entry.has_first_block();
        }
        entry.holes.push_if(free != 0, block);
    }
}

/// The first free slot of a part; `free` are the free slots of its block.
fn first_free(part: u32, free: u64) -> Option<u32> {
    let bits = free >> (part % PARTS * PART) & mask::range(0, PART as usize);
    (bits != 0).then(|| part * PART + bits.trailing_zeros())
}

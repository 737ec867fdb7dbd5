//! Blocks of 64 slots, their owners, and the set of free blocks.
//!
//! A block has one [`BlockOwner`], and each change of it is in this file: `ARCHITECTURE.md` has the
//! table. A block gets an owner by [`Entities::give_block`] and [`Entities::take_run`] alone, which
//! also record the owner's columns: a despawn visits the columns that the record of the block has.
//! The functions that write an owner without the record are private to this file.
//!
//! Functions with `cfg_attr(not(debug_assertions), inline(always))` are dev calls: see
//! `docs/compile-times.md`.

use alloc::vec::Vec;
use core::ops::Range;
use core::sync::atomic::AtomicU64;

use super::allocator::{DEAD, Entities};
use crate::base::component_set::Words;
use crate::base::mask::Bits;

/// In place of an index: no block, or no group.
pub(super) const NONE: u32 = u32::MAX;

/// In place of the index of a group: the block belongs to reserved slots.
const RESERVED: u32 = u32::MAX - 1;

/// In place of the index of a group: the block is kept for ids that are chosen by the caller.
const EXTERNAL: u32 = u32::MAX - 2;

/// The owner of a block: who may put entities into its free slots.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BlockOwner {
    /// Nobody: each group may take the block, and reserved slots may. It has no entities.
    Free,
    /// One of the [`ReservedSlots`](super::reserved_slots::ReservedSlots), which alone knows it.
    Reserved,
    /// [`Entities::spawn_at`], for ids that the caller chooses. No group gets the block any more.
    External,
    /// An allocation group, by its index: the shared group, or that of one set of components.
    Group(usize),
}

/// The largest number of blocks.
const MOST: usize = (u32::MAX / 64) as usize;

/// The largest number of slots.
pub(super) const MOST_SLOTS: usize = MOST * 64;

/// 64 slots.
#[derive(Clone, Copy)]
pub(super) struct Block {
    /// The slots whose generations are used up: no entity gets them any more.
    pub(super) retired: u64,
    /// The owner: the index of a group, or `NONE`, `RESERVED` or `EXTERNAL`.
    owner: u32,
    /// Whether an entity of the block was despawned since the block last agreed with a snapshot.
    pub(super) touched: bool,
    /// The tick of the block's last despawn; 0 before the first one.
    pub(super) last_despawn: u64,
}

impl Block {
    pub(super) const NEW: Self = Self { retired: 0, owner: NONE, touched: false, last_despawn: 0 };

    /// The owner of the block.
    #[cfg_attr(not(debug_assertions), inline)]
    pub(super) fn owner(&self) -> BlockOwner {
        match self.owner {
            NONE => BlockOwner::Free,
            RESERVED => BlockOwner::Reserved,
            EXTERNAL => BlockOwner::External,
            group => BlockOwner::Group(group as usize),
        }
    }

    /// The index of the group that owns the block; beyond the indices of all groups if none does.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn group(&self) -> u32 {
        self.owner
    }
}

/// The word up to which [`Blocks::nth_free`] has counted free blocks.
#[derive(Clone, Copy, Default)]
pub(super) struct FreeBlockCursor {
    word: usize,
    /// The number of free blocks before the word.
    before: usize,
}

#[derive(Default)]
pub(super) struct Blocks {
    pub(super) all: Vec<Block>,
    /// One bit for each block.
    free: Vec<u64>,
    free_count: usize,
    /// No block below 64 times this word is free.
    first_free: usize,
}

impl Blocks {
    /// Copies all fields except the blocks themselves.
    pub(super) fn take_rest(&mut self, source: &Self) {
        let Self { all: _, free, free_count, first_free } = source;
        self.free.clone_from(free);
        (self.free_count, self.first_free) = (*free_count, *first_free);
    }

    /// `count` free blocks; `None` if that is more than a world can have.
    pub(super) fn new(count: usize) -> Option<Self> {
        let mut blocks = Self::default();
        (count <= MOST).then(|| blocks.grow_to(count))?;
        Some(blocks)
    }

    /// Gives back memory that the lists do not need.
    pub(super) fn shrink(&mut self) {
        self.all.shrink_to_fit();
        self.free.shrink_to_fit();
    }

    #[cfg_attr(not(debug_assertions), inline)]
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    pub(super) fn free_count(&self) -> usize {
        self.free_count
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn get(&self, block: u32) -> &Block {
        &self.all[block as usize]
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn get_mut(&mut self, block: u32) -> &mut Block {
        &mut self.all[block as usize]
    }

    /// Gives `group` up to `want` consecutive blocks: the first free ones, or new ones at the end
    /// if no block is free.
    fn take_run(&mut self, group: u32, want: usize) -> Range<u32> {
        let run = match self.first_free_run(want) {
            Some(run) => run,
            None => {
                let start = self.all.len();
                self.resize(start + want);
                start..start + want
            }
        };
        for block in run.clone() {
            self.all[block].owner = group;
        }
        run.start as u32..run.end as u32
    }

    /// Adds blocks up to `end`. They belong to no group and are not in the set of free blocks yet.
    fn resize(&mut self, end: usize) {
        assert!(end <= MOST, "a world holds at most {} entities", MOST * 64);
        self.all.resize(end, Block::NEW);
        self.free.resize(end.div_ceil(64), 0);
    }

    /// Adds free blocks until there are `end`.
    fn grow_to(&mut self, end: usize) {
        let start = self.all.len();
        if start < end {
            self.resize(end);
            (start..end).for_each(|block| self.release(block as u32));
        }
    }

    /// The block that has `nth` free blocks before it. Blocks beyond the end of the list count as
    /// free.
    pub(super) fn nth_free(&self, nth: usize, cursor: &mut FreeBlockCursor) -> u32 {
        if nth >= self.free_count {
            let block = self.all.len() + nth - self.free_count;
            assert!(block < MOST, "a world holds at most {} entities", MOST * 64);
            return block as u32;
        }
        loop {
            let word = self.free[cursor.word];
            let count = word.count_ones() as usize;
            if nth < cursor.before + count {
                let bit = Bits(word).nth(nth - cursor.before).unwrap_or(0);
                return (cursor.word * 64 + bit) as u32;
            }
            cursor.before += count;
            cursor.word += 1;
        }
    }

    /// Gives a block, which is free or not, to an owner.
    fn claim(&mut self, block: u32, owner: BlockOwner) {
        self.all[block as usize].owner = match owner {
            BlockOwner::Free => return self.release(block),
            BlockOwner::Reserved => RESERVED,
            BlockOwner::External => EXTERNAL,
            BlockOwner::Group(group) => group as u32,
        };
        let (word, bit) = (&mut self.free[block as usize / 64], 1 << (block % 64));
        if *word & bit != 0 {
            *word &= !bit;
            self.free_count -= 1;
        }
    }

    fn first_free_run(&mut self, want: usize) -> Option<Range<usize>> {
        if self.free_count == 0 {
            return None;
        }
        while self.free[self.first_free] == 0 {
            self.first_free += 1;
        }
        let start = self.first_free * 64 + self.free[self.first_free].trailing_zeros() as usize;
        let is_free =
            |free: &[u64], block: usize| free.get(block / 64).is_some_and(|w| w >> (block % 64) & 1 == 1);
        let mut end = start;
        while end - start < want && is_free(&self.free, end) {
            self.free[end / 64] &= !(1 << (end % 64));
            end += 1;
        }
        self.free_count -= end - start;
        Some(start..end)
    }

    /// Makes a block free, so that any group may take it.
    #[inline(never)]
    pub(super) fn release(&mut self, block: u32) {
        self.all[block as usize].owner = NONE;
        let (word, bit) = (block as usize / 64, 1 << (block % 64));
        debug_assert!(self.free[word] & bit == 0, "block {block} is free already");
        self.free[word] |= bit;
        self.free_count += 1;
        self.first_free = self.first_free.min(word);
    }
}

impl Entities {
    /// Gives a block to a group, and records that the block may have values of the columns in
    /// `set`: those of the entities that the owner will have there. The columns of entities that
    /// are there already stay in the record.
    pub(super) fn give_block(&mut self, block: u32, owner: BlockOwner, set: &Words) {
        self.blocks.claim(block, owner);
        self.record_columns(block, set);
    }

    /// Gives a group up to `want` consecutive blocks: the first free ones, or new ones at the end
    /// if no block is free. Records the columns of `set` for each of them.
    pub(super) fn take_run(&mut self, group: u32, want: usize, set: &Words) -> Range<u32> {
        let run = self.blocks.take_run(group, want);
        self.cover_blocks();
        run.clone().for_each(|block| self.record_columns(block, set));
        run
    }

    /// Gives a block to a group, with the columns of its set.
    pub(super) fn give_to_group(&mut self, block: u32, group: usize) {
        let set = self.groups[group].set;
        self.give_block(block, BlockOwner::Group(group), &set);
    }

    /// The owner of a block; `None` if there is no such block.
    pub(super) fn owner_of(&self, block: u32) -> Option<BlockOwner> {
        self.blocks.all.get(block as usize).map(Block::owner)
    }

    /// The blocks of reserved slots.
    pub(super) fn reserved_blocks(&self) -> Vec<u32> {
        let blocks = 0..self.blocks.len() as u32;
        blocks.filter(|&block| self.blocks.get(block).owner() == BlockOwner::Reserved).collect()
    }

    /// Sets the record of a block's columns to `set`; adds `set` to it if the block has entities.
    fn record_columns(&mut self, block: u32, set: &Words) {
        if self.alive[block as usize] == 0 {
            self.held_of(block).iter_mut().for_each(|word| *word.get_mut() = 0);
        }
        self.hold_set(block, set);
    }

    /// Adds a set of columns to the record of a block, whose owner has entities with other sets of
    /// components.
    pub(super) fn hold_set(&mut self, block: u32, set: &Words) {
        for (to, from) in self.held_of(block).iter_mut().zip(&set.0) {
            *to.get_mut() |= *from;
        }
    }

    fn held_of(&mut self, block: u32) -> &mut [AtomicU64] {
        &mut self.held[block as usize * self.stride..][..self.stride]
    }

    /// Makes the lists by block and by slot as long as the list of blocks.
    fn cover_blocks(&mut self) {
        let blocks = self.blocks.len();
        self.alive.resize(blocks, 0);
        self.generations.resize(blocks * 64, self.first_generation | DEAD);
        self.held.resize_with(blocks * self.stride, || AtomicU64::new(0));
    }

    /// Adds free blocks until there are `blocks` blocks.
    pub(super) fn grow_to(&mut self, blocks: usize) {
        if self.blocks.len() < blocks {
            self.blocks.grow_to(blocks);
            self.cover_blocks();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_blocks_are_counted_in_order_and_continue_behind_the_last_one() {
        let mut blocks = Blocks::default();
        assert_eq!(blocks.take_run(5, 200), 0..200);
        for block in [3, 64, 199] {
            blocks.release(block);
        }
        let mut cursor = FreeBlockCursor::default();
        let found: Vec<u32> = (0..6).map(|nth| blocks.nth_free(nth, &mut cursor)).collect();
        assert_eq!(found, [3, 64, 199, 200, 201, 202]);
    }

    #[test]
    fn a_run_is_not_longer_than_wanted() {
        let mut blocks = Blocks::default();
        blocks.take_run(5, 200);
        (60..70).for_each(|block| blocks.release(block));
        assert_eq!(blocks.take_run(6, 2), 60..62);
        assert_eq!((blocks.free_count(), blocks.get(62).owner()), (8, BlockOwner::Free));
        assert_eq!(blocks.take_run(6, 100), 62..70, "runs cross words and end with the free blocks");
        assert_eq!((blocks.free_count(), blocks.take_run(6, 3)), (0, 200..203));
    }
}

//! Blocks of 64 slots, and the set of free blocks.
//!
//! Functions with `cfg_attr(not(debug_assertions), inline(always))` are dev calls: see `docs/compile-times.md`.

use alloc::vec::Vec;

use crate::base::mask::Bits;

/// In place of an index: no block, or no group.
pub(super) const NONE: u32 = u32::MAX;

/// The largest number of blocks.
const MOST: usize = (u32::MAX / 64) as usize;

/// The largest number of slots.
pub(super) const MOST_SLOTS: usize = MOST * 64;

/// 64 slots.
#[derive(Clone, Copy)]
pub(super) struct Block {
    /// The slots whose generations are used up: no entity gets them any more.
    pub(super) retired: u64,
    /// The allocation group that owns the block; `NONE` if the block is free.
    pub(super) group: u32,
    /// Whether an entity of the block was despawned since the block last agreed with a snapshot.
    pub(super) touched: bool,
    /// The tick of the block's last despawn; 0 before the first one.
    pub(super) last_despawn: u64,
}

impl Block {
    pub(super) const NEW: Self = Self { retired: 0, group: NONE, touched: false, last_despawn: 0 };
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

    /// Gives `group` up to `want` consecutive blocks: the first free ones, or new ones at the end if no block is free.
    pub(super) fn take_run(&mut self, group: u32, want: usize) -> core::ops::Range<u32> {
        let run = match self.first_free_run(want) {
            Some(run) => run,
            None => {
                let start = self.all.len();
                self.resize(start + want);
                start..start + want
            }
        };
        for block in run.clone() {
            self.all[block].group = group;
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
    pub(super) fn grow_to(&mut self, end: usize) {
        let start = self.all.len();
        if start < end {
            self.resize(end);
            (start..end).for_each(|block| self.release(block as u32));
        }
    }

    /// The block that has `nth` free blocks before it. Blocks beyond the end of the list count as free.
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

    /// Gives a free block to a group.
    pub(super) fn claim(&mut self, block: u32, group: u32) {
        self.all[block as usize].group = group;
        let (word, bit) = (&mut self.free[block as usize / 64], 1 << (block % 64));
        if *word & bit != 0 {
            *word &= !bit;
            self.free_count -= 1;
        }
    }

    fn first_free_run(&mut self, want: usize) -> Option<core::ops::Range<usize>> {
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
        self.all[block as usize].group = NONE;
        let word = block as usize / 64;
        self.free[word] |= 1 << (block % 64);
        self.free_count += 1;
        self.first_free = self.first_free.min(word);
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
        assert_eq!((blocks.free_count(), blocks.get(62).group), (8, NONE));
        assert_eq!(blocks.take_run(6, 100), 62..70, "runs cross words and end with the free blocks");
        assert_eq!((blocks.free_count(), blocks.take_run(6, 3)), (0, 200..203));
    }
}

//! Kinds of entities: which blocks each fills, and which of them have holes.

use alloc::vec::Vec;
use core::hint::select_unpredictable;
use core::ops::Range;

use super::blocks::{Blocks, NONE};
use crate::base::component_set::Words;

/// Entities that are spawned with one set of components.
pub(super) struct AllocationGroup {
    pub(super) set: Words,
    /// The block that is being filled, or `NONE`.
    pub(super) open: u32,
    /// The slots of this block that can be handed out.
    pub(super) free: u64,
    /// Blocks that were taken and not opened yet.
    pub(super) run: Range<u32>,
    pub(super) next_run: usize,
    pub(super) holes: Holes,
    /// How many slots of shared blocks it was given.
    pub(super) shared: usize,
}

impl AllocationGroup {
    pub(super) const fn new(set: Words) -> Self {
        Self { set, open: NONE, free: 0, run: 0..0, next_run: 1, holes: Holes::new(), shared: 0 }
    }

    /// Opens the next block with holes, if the open one is full. Which hole is the last one of its block is the toss of
    /// a coin: there is no branch.
    #[inline]
    pub(super) fn open_hole(&mut self, kind: u32, blocks: &Blocks, alive: &[u64]) {
        if let Some(next) = self.holes.last() {
            let block = blocks.get(next);
            let holes = !(alive[next as usize] | block.retired);
            let full = (self.free == 0) & (block.kind == kind);
            self.open = select_unpredictable(full, next, self.open);
            self.free = select_unpredictable(full, holes, self.free);
            self.holes.len -= usize::from(full);
        }
    }
}

impl Clone for AllocationGroup {
    fn clone(&self) -> Self {
        let mut copy = Self::new(self.set);
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, source: &Self) {
        let Self { set, open, free, run, next_run, holes, shared } = source;
        (self.set, self.open, self.free, self.shared) = (*set, *open, *free, *shared);
        (self.run, self.next_run) = (run.clone(), *next_run);
        self.holes.blocks.clear();
        self.holes.blocks.extend_from_slice(&holes.blocks[..holes.len]);
        self.holes.len = holes.len;
    }
}

/// The blocks of a kind that have holes; the last one is filled next.
///
/// A block that empties is free for any kind, and stays in here: who takes a block out looks whether it still is what
/// it was. A kind takes free blocks only when it has none in here. A lane takes them at any time, and may give such a block
/// back to the kind, so that the block is in here twice: the second time it is taken out, it is open or full.
pub(super) struct Holes {
    /// The first `len` count. Those after them are there to be written to.
    blocks: Vec<u32>,
    pub(super) len: usize,
}

impl Holes {
    const fn new() -> Self {
        Self { blocks: Vec::new(), len: 0 }
    }

    /// Puts a block in, `if` that is so. It takes no branch: to whoever guesses, the condition is the toss of a coin.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn push_if(&mut self, condition: bool, block: u32) {
        match self.blocks.get_mut(self.len) {
            Some(after) => {
                *after = block;
                self.len += usize::from(condition);
            }
            None => self.grow(condition, block),
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, condition: bool, block: u32) {
        self.blocks.resize((self.len * 2).max(4), NONE);
        self.push_if(condition, block);
    }

    #[cfg(feature = "serde")]
    pub(super) fn all(&self) -> &[u32] {
        &self.blocks[..self.len]
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn last(&self) -> Option<u32> {
        self.blocks.get(self.len.wrapping_sub(1)).copied()
    }
}

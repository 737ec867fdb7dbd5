//! Allocation groups: entities that were spawned with one set of components, and the blocks that such a group fills.
//!
//! Functions with `cfg_attr(not(debug_assertions), inline(always))` are dev calls: see `docs/compile-times.md`.

use alloc::vec::Vec;
use core::hint::select_unpredictable;
use core::ops::Range;

use super::allocator::shared_blocks::PART;
use super::blocks::{Blocks, NONE};
use crate::base::component_set::{SpawnSet, Words};

/// The blocks of entities that are spawned with one set of components. 128 bytes, so that its address is one shift of its index.
pub(super) struct AllocationGroup {
    pub(super) set: Words,
    /// The block that is being filled, or `NONE`.
    pub(super) open: u32,
    /// The free slots of the open block, one bit each.
    pub(super) free: u64,
    /// Consecutive blocks that belong to the group and were not opened yet.
    pub(super) run: Range<u32>,
    /// The number of blocks of the group's next run: 1 at first, doubled with each run, up to the blocks of a page. For the shared group see
    /// `shared_run`. 1 while the group has its entities in parts of shared blocks;
    /// `leave_parts` and `own` set 2. A regrouping sets 1 if it leaves the group without blocks.
    pub(super) next_run: u32,
    /// Blocks with holes. If [`has_parts`](Self::has_parts): the parts of shared blocks, each by its first slot divided by [`PART`].
    pub(super) holes: Holes,
    /// The number of slots that the group has received for batches in shared blocks, or by a regrouping. Of the shared group itself: the number of
    /// slots of the open block, from its first slot on, that were handed out since the block was opened.
    pub(super) shared: u32,
    /// Whether the blocks are kept for ids that are chosen from outside: no set of components has this group.
    pub(super) external: bool,
}

const _: () = assert!(size_of::<usize>() < 8 || size_of::<AllocationGroup>() == 128);

impl AllocationGroup {
    pub(super) const fn new(set: Words) -> Self {
        Self {
            set,
            open: NONE,
            free: 0,
            run: 0..0,
            next_run: 1,
            holes: Holes::new(),
            shared: 0,
            external: false,
        }
    }

    /// Whether this is the group of the entities that are spawned with `set`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn is_of(&self, set: &SpawnSet) -> bool {
        self.set.0[..set.words] == set.components.0[..set.words]
    }

    /// Whether the group has no blocks of its own, so that `holes` lists its parts of shared blocks, of which there may be none. Only for
    /// groups of entities.
    pub(super) fn has_parts(&self) -> bool {
        self.open == NONE && self.next_run == 1 && !self.external
    }

    /// The number of slots that the group has received in shared blocks, if it has no blocks of its own.
    pub(super) fn received(&self) -> u32 {
        self.shared + if self.has_parts() { self.holes.len as u32 * PART } else { 0 }
    }

    /// Opens the next block with holes if the open block is full. Has no branch, because the processor cannot predict which hole
    /// is the last one of its block.
    #[inline]
    pub(super) fn open_hole(&mut self, group: u32, blocks: &Blocks, alive: &[u64]) {
        if let Some(next) = self.holes.last() {
            let block = blocks.get(next);
            let holes = !(alive[next as usize] | block.retired);
            let full = (self.free == 0) & (block.group() == group);
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
        let Self { set, open, free, run, next_run, holes, shared, external } = source;
        (self.set, self.open, self.free) = (*set, *open, *free);
        (self.shared, self.external) = (*shared, *external);
        (self.run, self.next_run) = (run.clone(), *next_run);
        self.holes.blocks.clear();
        self.holes.blocks.extend_from_slice(&holes.blocks[..holes.len]);
        self.holes.len = holes.len;
    }
}

/// The blocks of a group that have both entities and free slots; the last block is filled next.
///
/// A block whose last entity is despawned becomes free for any group and stays in this list: code that takes a block out checks
/// that the block still belongs to the group. A group takes free blocks only when this list is empty.
/// [`ReservedSlots`](super::reserved_slots::ReservedSlots) take free blocks at any time and may return such a block to the group, so
/// that the list has the block twice: when it is taken out for the second time, it is open or full.
#[derive(Default)]
pub(super) struct Holes {
    /// The first `len` elements are the list. The elements after them are spare room that `push_if` writes to.
    blocks: Vec<u32>,
    pub(super) len: usize,
}

impl Holes {
    const fn new() -> Self {
        Self { blocks: Vec::new(), len: 0 }
    }

    /// Adds a block if `condition` is true. Has no branch on the condition, because the processor cannot predict it.
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

    /// Gives back memory that the list does not need.
    pub(super) fn shrink(&mut self) {
        self.blocks.truncate(self.len);
        self.blocks.shrink_to_fit();
    }

    pub(super) fn all(&self) -> &[u32] {
        &self.blocks[..self.len]
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn last(&self) -> Option<u32> {
        self.blocks.get(self.len.wrapping_sub(1)).copied()
    }
}

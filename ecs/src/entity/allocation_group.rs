//! Allocation groups: entities that were spawned with one set of components, and the blocks that
//! such a group fills.
//!
//! Functions with `cfg_attr(not(debug_assertions), inline(always))` are dev calls: see
//! `docs/compile-times.md`.

use alloc::vec::Vec;
use core::hint::select_unpredictable;
use core::ops::Range;

use super::allocator::shared_blocks::PART;
use super::blocks::{Blocks, NONE};
use crate::base::component_set::{SpawnSet, Words};

/// The blocks of entities that are spawned with one set of components. 128 bytes, so that its
/// address is one shift of its index.
pub(super) struct AllocationGroup {
    pub(super) set: Words,
    /// The block that is being filled, or `NONE`.
    pub(super) open: u32,
    /// The free slots of the open block, one bit each.
    pub(super) free: u64,
    /// Consecutive blocks that belong to the group and were not opened yet.
    pub(super) run: Range<u32>,
    /// The number of blocks of the group's next run: 1 at first, doubled with each run, up to the
    /// blocks of a page. For the shared group see `shared_run`.
    pub(super) next_run: u32,
    /// [`Home::Blocks`]: the blocks with holes. [`Home::Parts`]: the parts, each by its first slot
    /// divided by [`PART`].
    pub(super) holes: Holes,
    /// The number of slots that the group has received for batches in shared blocks, or by a
    /// regrouping.
    pub(super) shared: u32,
    home: Home,
}

/// The place of a group's entities.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Home {
    /// Shared blocks alone: the group has no open block and no run, and `next_run` is 1.
    Parts,
    /// Blocks of the group's own, from the first one on. [`AllocationGroup::start_over`] ends this.
    Blocks,
}

const _: () = assert!(size_of::<usize>() < 8 || size_of::<AllocationGroup>() == 128);

impl AllocationGroup {
    pub(super) fn new(set: Words) -> Self {
        Self {
            set,
            open: NONE,
            free: 0,
            run: 0..0,
            next_run: 1,
            holes: Holes::new(),
            shared: 0,
            home: Home::Parts,
        }
    }

    /// The group of the shared blocks, which has blocks of its own.
    pub(super) fn shared() -> Self {
        Self { home: Home::Blocks, ..Self::new(Words::EMPTY) }
    }

    /// From now on the group has blocks of its own. Returns the parts that it had in shared blocks.
    pub(super) fn leave_parts(&mut self) -> Holes {
        match core::mem::replace(&mut self.home, Home::Blocks) {
            Home::Parts => core::mem::take(&mut self.holes),
            Home::Blocks => Holes::new(),
        }
    }

    /// The first block of a group that had parts is not one of a run: the group's next run has two
    /// blocks.
    pub(super) fn has_first_block(&mut self) {
        self.next_run = self.next_run.max(2);
    }

    /// The group has no blocks any more, as a new one.
    pub(super) fn start_over(&mut self) {
        debug_assert!(self.open == NONE && self.run.is_empty() && self.holes.len == 0);
        (self.home, self.next_run) = (Home::Parts, 1);
    }

    /// Whether this is the group of the entities that are spawned with `set`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn is_of(&self, set: &SpawnSet) -> bool {
        self.set.0[..set.words] == set.components.0[..set.words]
    }

    /// Whether the group has no blocks of its own, so that `holes` lists its parts of shared
    /// blocks, of which there may be none.
    pub(super) fn has_parts(&self) -> bool {
        self.home == Home::Parts
    }

    /// The number of slots that the group has received in shared blocks, if it has no blocks of its
    /// own.
    pub(super) fn received(&self) -> u32 {
        self.shared + if self.has_parts() { self.holes.len as u32 * PART } else { 0 }
    }

    /// Opens the next block with holes if the open block is full. Has no branch, because the
    /// processor cannot predict which hole is the last one of its block.
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
        let Self { set, open, free, run, next_run, holes, shared, home } = source;
        (self.set, self.open, self.free) = (*set, *open, *free);
        (self.shared, self.home) = (*shared, *home);
        (self.run, self.next_run) = (run.clone(), *next_run);
        self.holes.blocks.clear();
        self.holes.blocks.extend_from_slice(&holes.blocks[..holes.len]);
        self.holes.len = holes.len;
    }
}

/// The blocks of a group that have both entities and free slots; the last block is filled next.
///
/// A block whose last entity is despawned becomes free for any group and stays in this list: code
/// that takes a block out checks that the block still belongs to the group. A group takes free
/// blocks only when this list is empty. [`ReservedSlots`](super::reserved_slots::ReservedSlots)
/// take free blocks at any time and may return such a block to the group, so that the list has the
/// block twice: when it is taken out for the second time, it is open or full.
#[derive(Default)]
pub(super) struct Holes {
    /// The first `len` elements are the list. The elements after them are spare room that `push_if`
    /// writes to.
    blocks: Vec<u32>,
    pub(super) len: usize,
}

impl Holes {
    const fn new() -> Self {
        Self { blocks: Vec::new(), len: 0 }
    }

    /// Adds a block if `condition` is true. Has no branch on the condition, because the processor
    /// cannot predict it.
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

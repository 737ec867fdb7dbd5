//! Blocks of 64 slots, and which of them are free.
//!
//! The list of blocks with holes of each kind is threaded through the blocks themselves, so that a block joins
//! and leaves it in constant time.

use alloc::vec::Vec;

/// No block.
pub(super) const NONE: u32 = u32::MAX;

/// What a block is to its kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    /// Nobody's: any kind may take it.
    Free,
    /// Taken by a kind, not used yet or the one that it fills right now, or without a hole.
    Owned,
    /// In its kind's list of blocks with holes.
    Holes,
}

/// 64 slots.
#[derive(Clone)]
pub(super) struct Block {
    /// The slots that cannot be handed out: alive, or retired because their generations are used up.
    pub(super) taken: u64,
    pub(super) kind: u32,
    pub(super) state: State,
    /// When one of its entities died last.
    pub(super) died: u64,
    previous: u32,
    next: u32,
}

#[derive(Clone, Default)]
pub(super) struct Blocks {
    all: Vec<Block>,
    /// One bit for each block.
    free: Vec<u64>,
    free_count: usize,
    /// No block below 64 times this word is free.
    first_free: usize,
}

impl Blocks {
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    pub(super) fn free_count(&self) -> usize {
        self.free_count
    }

    #[inline(always)]
    pub(super) fn get_mut(&mut self, block: u32) -> Option<&mut Block> {
        self.all.get_mut(block as usize)
    }

    pub(super) fn get(&self, block: u32) -> &Block {
        &self.all[block as usize]
    }

    /// Up to `want` blocks in a row for `kind`: the first free ones, else new ones at the end.
    pub(super) fn take_run(&mut self, kind: u32, want: usize) -> core::ops::Range<u32> {
        let run = match self.first_free_run(want) {
            Some(run) => run,
            None => {
                let start = self.all.len();
                let end = start + want;
                assert!(
                    end <= (u32::MAX / 64) as usize,
                    "a world holds at most {} entities",
                    u32::MAX / 64 * 64
                );
                let fresh = Block { taken: 0, kind, state: State::Free, died: 0, previous: NONE, next: NONE };
                self.all.resize(end, fresh);
                self.free.resize(end.div_ceil(64), 0);
                start..end
            }
        };
        for block in run.clone() {
            self.all[block].kind = kind;
            self.all[block].state = State::Owned;
        }
        run.start as u32..run.end as u32
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

    /// Gives a block back to everybody.
    pub(super) fn release(&mut self, block: u32) {
        self.all[block as usize].state = State::Free;
        let word = block as usize / 64;
        self.free[word] |= 1 << (block % 64);
        self.free_count += 1;
        self.first_free = self.first_free.min(word);
    }

    /// Puts a block at the front of the list of those with holes that begins with `head`.
    pub(super) fn link(&mut self, head: &mut u32, block: u32) {
        if let Some(next) = self.get_mut(*head) {
            next.previous = block;
        }
        let entry = &mut self.all[block as usize];
        entry.state = State::Holes;
        entry.previous = NONE;
        entry.next = *head;
        *head = block;
    }

    /// Takes a block out of the list that begins with `head`.
    pub(super) fn unlink(&mut self, head: &mut u32, block: u32) {
        let entry = &mut self.all[block as usize];
        entry.state = State::Owned;
        let (previous, next) = (entry.previous, entry.next);
        match self.get_mut(previous) {
            Some(entry) => entry.next = next,
            None => *head = next,
        }
        if let Some(entry) = self.get_mut(next) {
            entry.previous = previous;
        }
    }
}

//! Copies of the allocator, and the pages of slots that it shares with snapshots.
//!
//! The state of slots and blocks is copied page by page, as columns are: a snapshot's allocator has
//! copies of pages in place of its own lists. Whether a page still agrees with its copy is found by
//! comparing the two. Only generations are not compared, because they are by far the largest part:
//! a generation changes when an entity is spawned, which the slot's bit shows, and when an entity
//! is despawned, which sets `touched` of its block.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;
use core::sync::atomic::{AtomicU64, Ordering};

use super::Entity;
use super::allocator::{DEAD, Entities, id};
use super::blocks::Block;
use crate::base::mask::Bits;
use crate::base::shared_pages::SharedPages;

/// The number of blocks in a page.
const PAGE: usize = 64;

/// Copies of pages of slots.
#[derive(Default)]
pub(super) struct SnapshotSlots {
    pages: SharedPages<SlotPage>,
    /// Whether this belongs to a snapshot: then the allocator has no slots and blocks beside these
    /// copies.
    frozen: bool,
    /// The same for a world and for the snapshots of it that were taken since it was last restored:
    /// from such a snapshot to the world, ticks only grow.
    history: Arc<()>,
}

/// A copy of the slots of `PAGE` blocks.
struct SlotPage {
    generations: Vec<u32>,
    alive: Vec<u64>,
    blocks: Vec<Block>,
    held: Vec<u64>,
}

/// The fields of a block that a copy must agree with: all but `touched`.
fn compared(block: &Block) -> (u64, u32, u64) {
    let Block { retired, touched: _, last_despawn, .. } = *block;
    (retired, block.group(), last_despawn)
}

fn load(word: &AtomicU64) -> u64 {
    word.load(Ordering::Relaxed)
}

impl Entities {
    /// Whether the entity is alive in the allocator of a snapshot.
    pub(crate) fn frozen_contains(&self, entity: Entity) -> bool {
        self.frozen_generation(entity.slot() as usize) == Some(entity.generation().get())
    }

    /// The id of the live entity in `slot` of the allocator of a snapshot; `None` if the slot is in
    /// no block.
    pub(crate) fn frozen_at(&self, slot: usize) -> Option<Entity> {
        Some(id(slot as u32, self.frozen_generation(slot)?))
    }

    /// The slots that have live entities in the allocator of a snapshot, ascending.
    pub(crate) fn frozen_alive(&self) -> impl Iterator<Item = usize> {
        let words = self.copies().iter().flat_map(|(_, copy)| &copy.alive);
        words.enumerate().flat_map(|(word, &mask)| Bits(mask).map(move |bit| word * 64 + bit))
    }

    /// The number of words of slots in the allocator of a snapshot.
    pub(crate) fn frozen_words(&self) -> usize {
        let last = self.copies().len().saturating_sub(1);
        self.copies().get(last).map_or(0, |copy| last * PAGE + copy.alive.len())
    }

    /// The slots of a word that have live entities in the allocator of a snapshot.
    pub(crate) fn frozen_alive_in(&self, word: usize) -> u64 {
        self.copies().get(word / PAGE).and_then(|copy| copy.alive.get(word % PAGE)).copied().unwrap_or(0)
    }

    fn frozen_generation(&self, slot: usize) -> Option<u32> {
        self.copies().get(slot / (PAGE * 64))?.generations.get(slot % (PAGE * 64)).copied()
    }

    /// The allocator of a new snapshot. The pages of this allocator agree with the snapshot's
    /// copies from now on.
    pub(crate) fn freeze(&mut self) -> Self {
        let history = self.snapshot_slots.get_or_insert_default().history.clone();
        let mut frozen = self.like(true);
        frozen.clone_from(self);
        if let Some(slots) = &mut frozen.snapshot_slots {
            slots.history = history;
        }
        self.agree(&frozen);
        frozen
    }

    /// Drops the copies of pages that no snapshot shares.
    pub(super) fn release_copies(&mut self) {
        if let Some(shared) = &mut self.snapshot_slots {
            drop(shared.pages.release());
        }
    }

    /// Replaces this allocator by a copy of it that has more entities. The mark of the world stays,
    /// and so do the pages that it shares with snapshots.
    pub(crate) fn replace(&mut self, copy: Self) {
        let (mark, division, snapshot_slots) = (self.mark, self.division, self.snapshot_slots.take());
        *self = Self { mark, division, snapshot_slots, ..copy };
    }

    /// The history of the world, which a restore ends; `None` before the first snapshot.
    #[cfg(feature = "reflect")]
    pub(crate) fn history(&self) -> Option<Arc<()>> {
        self.snapshot_slots.as_ref().map(|slots| Arc::clone(&slots.history))
    }

    /// Whether the world of this allocator was not restored since the snapshot with the allocator
    /// `frozen` was taken of it.
    pub(crate) fn descends_from(&self, frozen: &Self) -> bool {
        let histories = self.snapshot_slots.as_ref().zip(frozen.snapshot_slots.as_ref());
        histories.is_some_and(|(ours, theirs)| Arc::ptr_eq(&ours.history, &theirs.history))
    }

    /// Two lists of words with one bit for each slot: the slots that have live entities in the
    /// snapshot's allocator `frozen`, and those that have the same live entities in both
    /// allocators.
    pub(crate) fn alive_since(&self, frozen: &Self) -> (Vec<u64>, Vec<u64>) {
        let (mut before, mut same) = (Vec::new(), Vec::new());
        for (page, copy) in frozen.copies().iter() {
            before.extend_from_slice(&copy.alive);
            let range = self.page(page);
            let both = |(i, alive): (usize, &u64)| alive & self.alive.get(page * PAGE + i).unwrap_or(&0);
            // without a despawn, the entities of the copy are the same
            let mut blocks = self.blocks.all[range].iter();
            if self.copies().shares(frozen.copies(), page) && blocks.all(|block| !block.touched) {
                same.extend(copy.alive.iter().enumerate().map(both));
                continue;
            }
            same.extend(copy.alive.iter().enumerate().map(|(i, alive)| {
                let equal = |bit: &usize| {
                    self.generations[(page * PAGE + i) * 64 + bit] == copy.generations[i * 64 + bit]
                };
                Bits(both((i, alive))).filter(equal).map(|bit| 1 << bit).sum::<u64>()
            }));
        }
        (before, same)
    }

    /// A new allocator for the same type of world; that of a snapshot if `frozen`.
    fn like(&self, frozen: bool) -> Self {
        let snapshot_slots = frozen.then(|| Box::new(SnapshotSlots { frozen, ..SnapshotSlots::default() }));
        let mut new = Self::with(self.stride, self.first_generation);
        new.snapshot_slots = snapshot_slots;
        new
    }

    fn is_frozen(&self) -> bool {
        self.snapshot_slots.as_ref().is_some_and(|shared| shared.frozen)
    }

    fn copies(&self) -> &SharedPages<SlotPage> {
        const NONE: &SharedPages<SlotPage> = &SharedPages::new();
        self.snapshot_slots.as_ref().map_or(NONE, |shared| &shared.pages)
    }

    /// The range of the blocks of a page.
    fn page(&self, page: usize) -> Range<usize> {
        let blocks = self.blocks.len();
        (page * PAGE).min(blocks)..((page + 1) * PAGE).min(blocks)
    }

    /// Whether a page is known to agree still with the copy that it shares.
    fn agrees(&self, page: usize, copy: &SlotPage) -> bool {
        let range = self.page(page);
        let blocks = &self.blocks.all[range.clone()];
        let held = &self.held[range.start * self.stride..range.end * self.stride];
        self.alive[range] == *copy.alive
            && blocks.iter().all(|block| !block.touched)
            && blocks.iter().map(compared).eq(copy.blocks.iter().map(compared))
            && held.iter().map(load).eq(copy.held.iter().copied())
    }

    /// Makes this the allocator of a snapshot, with the content of a world's allocator `source`.
    fn capture(&mut self, source: &Self) {
        let (count, copies) = (source.blocks.len().div_ceil(PAGE), source.copies());
        let pages =
            copies.capture(count, |page, copy| source.agrees(page, copy), |page| Some(source.copy_of(page)));
        self.snapshot_slots = Some(Box::new(SnapshotSlots { pages, frozen: true, history: Arc::default() }));
    }

    fn copy_of(&self, page: usize) -> SlotPage {
        let range = self.page(page);
        let mut blocks = self.blocks.all[range.clone()].to_vec();
        blocks.iter_mut().for_each(|block| block.touched = false);
        SlotPage {
            generations: self.generations[range.start * 64..range.end * 64].to_vec(),
            alive: self.alive[range.clone()].to_vec(),
            held: self.held[range.start * self.stride..range.end * self.stride].iter().map(load).collect(),
            blocks,
        }
    }

    /// Notes that all pages agree with those of the snapshot's allocator `frozen`.
    fn agree(&mut self, frozen: &Self) {
        let mut shared = self.snapshot_slots.take().unwrap_or_default();
        shared.pages.replace(frozen.copies(), |page, _| {
            let range = self.page(page);
            self.blocks.all[range].iter_mut().for_each(|block| block.touched = false);
        });
        self.snapshot_slots = Some(shared);
    }

    /// Gives a world's allocator the content of the snapshot's allocator `frozen`.
    fn restore(&mut self, frozen: &Self) {
        let blocks = frozen.copies().iter().map(|(_, copy)| copy.blocks.len()).sum();
        self.alive.resize(blocks, 0);
        self.generations.resize(blocks * 64, DEAD);
        self.held.resize_with(blocks * self.stride, AtomicU64::default);
        self.blocks.all.resize(blocks, Block::NEW);
        for (page, copy) in frozen.copies().iter() {
            if self.copies().shares(frozen.copies(), page) && self.agrees(page, copy) {
                continue;
            }
            let range = self.page(page);
            let SlotPage { generations, alive, blocks, held } = copy;
            self.alive[range.clone()].copy_from_slice(alive);
            self.generations[range.start * 64..range.end * 64].copy_from_slice(generations);
            let to = &mut self.held[range.start * self.stride..range.end * self.stride];
            to.iter_mut().zip(held).for_each(|(to, from)| *to.get_mut() = *from);
            self.blocks.all[range].copy_from_slice(blocks);
        }
        self.agree(frozen);
        if let Some(slots) = &mut self.snapshot_slots {
            slots.history = Arc::default();
        }
    }
}

impl Clone for Entities {
    /// The clone has slots of its own, also if `self` is the allocator of a snapshot.
    fn clone(&self) -> Self {
        let mut copy = self.like(false);
        copy.division = self.division;
        copy.clone_from(self);
        copy
    }

    /// Reuses memory. Shares whole pages if `self` or `source` is the allocator of a snapshot.
    fn clone_from(&mut self, source: &Self) {
        self.take_rest(source);
        match (self.is_frozen(), source.is_frozen()) {
            (false, false) => {
                self.snapshot_slots = None;
                self.generations.clone_from(&source.generations);
                self.alive.clone_from(&source.alive);
                self.blocks.all.clone_from(&source.blocks.all);
                self.held.clear();
                self.held.extend(source.held.iter().map(|word| AtomicU64::new(load(word))));
            }
            (false, true) => self.restore(source),
            (true, false) => self.capture(source),
            (true, true) => {
                let pages = source.copies().clone();
                self.snapshot_slots =
                    Some(Box::new(SnapshotSlots { pages, frozen: true, history: Arc::default() }));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;

    use super::*;
    use crate::base::component_set::{ComponentSet, SpawnSet};

    static A: SpawnSet = ComponentSet::EMPTY.with(0).with(100).spawn_set(190);
    static B: SpawnSet = ComponentSet::EMPTY.with(70).spawn_set(190);
    const STRIDE: usize = 3;

    fn spawn(entities: &mut Entities, set: &SpawnSet, count: usize) -> Vec<Entity> {
        (0..count).map(|_| entities.spawn(set)).collect()
    }

    /// The pages that two snapshots share.
    fn shared(one: &Entities, two: &Entities) -> Vec<usize> {
        let pages = one.copies().iter().map(|(page, _)| page);
        pages.filter(|&page| one.copies().shares(two.copies(), page)).collect()
    }

    /// All lists by block and by slot.
    fn content(entities: &Entities) -> String {
        // not by `compared`, which the tests are to check
        let fields = |block: &Block| (block.retired, block.group(), block.last_despawn);
        let blocks: Vec<_> = entities.blocks.all.iter().map(fields).collect();
        format!("{:?} {:?} {blocks:?} {:?}", entities.generations, entities.alive, entities.held)
    }

    fn restored(frozen: &Entities) -> Entities {
        let mut entities = Entities::with(STRIDE, 1);
        entities.clone_from(frozen);
        entities
    }

    #[test]
    fn snapshots_share_the_pages_of_slots_in_which_nothing_was_changed() {
        let mut entities = Entities::with(STRIDE, 1);
        let all = spawn(&mut entities, &A, 5 * PAGE * 64);
        let first = entities.freeze();
        assert_eq!(shared(&first, &entities.freeze()), [0, 1, 2, 3, 4, 5]);
        assert!(entities.despawn(all[PAGE * 64 + 7]));
        let second = entities.freeze();
        assert_eq!(shared(&first, &second), [0, 2, 3, 4, 5]);
        entities.note(2 * 64 * PAGE as u32, 71);
        let third = entities.freeze();
        assert_eq!(shared(&second, &third), [0, 1, 3, 4, 5], "the columns of a block are compared");
        for frozen in [&first, &second, &third, &first] {
            entities.clone_from(frozen);
            assert!(content(&entities) == content(&restored(frozen)));
            assert_eq!(shared(frozen, &entities.freeze()), [0, 1, 2, 3, 4, 5]);
        }
        assert!(restored(&third).columns_of(2 * 64 * PAGE as u32).eq([0, 71, 100]));
        assert!(restored(&second).columns_of(2 * 64 * PAGE as u32).eq([0, 100]));
    }

    #[test]
    fn a_snapshot_has_the_group_of_blocks_that_were_taken_and_not_filled_yet() {
        let mut entities = Entities::with(STRIDE, 1);
        let all = spawn(&mut entities, &A, 200 * 64);
        all.into_iter().for_each(|entity| _ = entities.despawn(entity));
        let first = entities.freeze();
        let before = content(&entities);
        // the runs of the new group double until one begins in the first page and ends in the
        // second
        let group = entities.group_of(&B) as u32;
        while entities.blocks.get(PAGE as u32).group() != group {
            entities.spawn(&B);
        }
        assert!(entities.alive[PAGE..2 * PAGE].iter().all(|&alive| alive == 0), "no slot there is used");
        let (second, after) = (entities.freeze(), content(&entities));
        assert!(content(&restored(&second)) == after);
        entities.clone_from(&first);
        assert!(content(&entities) == before, "the blocks are free again");
        entities.clone_from(&second);
        assert!(content(&entities) == after);
    }
}

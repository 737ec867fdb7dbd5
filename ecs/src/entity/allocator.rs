//! Who is alive, and which slot a new entity gets.
//!
//! Slots are handed out *by kind*: entities that are spawned with the same set of components share blocks of 64
//! slots, so that the masks of a kind are full words and a query walks straight runs. A kind takes blocks in runs
//! that double up to a page. A despawned slot goes back to its block; a block that empties is free for any kind.
//!
//! Kinds of which there are only a few, spawned in small batches, do without blocks of their own: the batches lie side
//! by side in blocks that are shared, so that what many small kinds have in common is full words, too.
//!
//! Each block also keeps the set of columns that ever held something in it since it was taken, so that despawning
//! costs what the entities of the block have held, not what the world declares.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::num::NonZeroU32;
use core::ops::Range;
use core::sync::atomic::{AtomicU64, Ordering};

use super::Entity;
use super::allocation_group::AllocationGroup;
use super::blocks::{Block, Blocks, MOST_SLOTS, NONE};
use super::snapshot_slots::SnapshotSlots;
use crate::base::component_set::{ComponentSet, SpawnSet, Words};
use crate::base::mask::Bits;
use crate::base::page;
use crate::base::tick::TURN;
use crate::world::World;

const CACHE: usize = 64;

/// The kind that owns the blocks which small kinds share.
pub(super) const SHARED: usize = 0;

/// The kind that owns the blocks of lanes, each of which one lane alone fills.
pub(super) const LANES: u32 = 1;

/// In the generation of a slot: nobody lives there. No id has this bit, so that comparing generations is all it takes
/// to know that an entity lives. The other bits are never zero.
pub(crate) const DEAD: u32 = 1 << 31;

/// The entities of a world: liveness, generations, kinds.
pub struct Entities {
    /// For each slot that of its entity, or `DEAD` and that of the next one.
    pub(super) generations: Vec<u32>,
    /// One bit for each slot; as long as `blocks`.
    pub(super) alive: Vec<u64>,
    pub(super) blocks: Blocks,
    /// The first stands for all that share blocks, the second for all lanes.
    pub(super) kinds: Vec<AllocationGroup>,
    pub(super) kind_of_set: BTreeMap<Words, u32>,
    /// Kinds by the hash of their set.
    pub(super) cache: [u32; CACHE],
    /// `stride` words for each block: the columns that ever held something in it.
    pub(super) held: Vec<AtomicU64>,
    pub(super) stride: usize,
    pub(super) first_generation: u32,
    /// How many lanes there are, and the numbers of those that were closed.
    pub(super) lanes: usize,
    pub(super) closed_lanes: Vec<usize>,
    /// When what happens outside of systems happens: later than what any system has seen.
    pub(super) tick: u64,
    /// The copies that snapshots have of what is kept for blocks and slots, if there ever was a snapshot.
    pub(super) known: Option<Box<SnapshotSlots>>,
}

/// The id of a slot's entity, alive or next.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn id(slot: u32, generation: u32) -> Entity {
    let generation = NonZeroU32::new(generation & !DEAD).expect("generations start above zero and only grow");
    Entity::new(slot, generation)
}

impl Entities {
    /// No entities.
    pub fn new<W: World>() -> Self {
        Self::with(ComponentSet::words_for(W::COMPONENTS.len()), W::GENERATION)
    }

    pub(super) fn with(stride: usize, first_generation: u32) -> Self {
        Self {
            generations: Vec::new(),
            alive: Vec::new(),
            blocks: Blocks::default(),
            kinds: alloc::vec![AllocationGroup::new(Words::EMPTY); 2],
            kind_of_set: BTreeMap::new(),
            cache: [NONE; CACHE],
            held: Vec::new(),
            stride,
            first_generation: (first_generation & !DEAD).max(1),
            lanes: 0,
            closed_lanes: Vec::new(),
            tick: TURN,
            known: None,
        }
    }

    /// When what happens now happens, outside of systems.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn tick(&self) -> u64 {
        self.tick
    }

    /// The first tick of so many systems, one after the other by [`TURN`]; what happens after them is later.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn next_ticks(&mut self, systems: usize) -> u64 {
        let first = self.tick;
        self.tick += systems as u64 * TURN;
        first
    }

    /// One bit for each slot that is alive.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn alive(&self) -> &[u64] {
        &self.alive
    }

    pub(crate) fn len(&self) -> usize {
        self.alive.iter().map(|mask| mask.count_ones() as usize).sum()
    }

    /// The number of entities that can still be added, if no slot is retired.
    pub(crate) fn room(&self) -> usize {
        MOST_SLOTS - self.len()
    }

    pub(crate) fn blocks(&self) -> usize {
        self.blocks.len()
    }

    pub(crate) fn free_blocks(&self) -> usize {
        self.blocks.free_count()
    }

    pub(crate) fn kinds(&self) -> usize {
        self.kind_of_set.len()
    }

    /// Whether the entity lives.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn contains(&self, entity: Entity) -> bool {
        self.generations.get(entity.slot() as usize) == Some(&entity.generation().get())
    }

    /// The id of the entity that holds `slot`; of the next one, if it is free.
    ///
    /// # Panics
    /// If there never was such a slot.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn at(&self, slot: usize) -> Entity {
        id(slot as u32, self.generations[slot])
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn generations(&self) -> &[u32] {
        &self.generations
    }

    /// When an entity of a word's slots died last, if its slot is used again.
    pub(crate) fn last_death(&self, word: usize) -> u64 {
        self.blocks.get(word as u32).died
    }

    /// Notes that a column, by its index, holds something in the block of `slot`.
    #[inline]
    pub(crate) fn note(&self, slot: u32, column: usize) {
        if let Some(word) = self.held.get(slot as usize / 64 * self.stride + column / 64) {
            // Bits are never taken back while others may note, and looking is cheaper than writing.
            let bit = 1 << (column % 64);
            if word.load(Ordering::Relaxed) & bit == 0 {
                word.fetch_or(bit, Ordering::Relaxed);
            }
        }
    }

    /// The columns that may hold something for `slot`, 64 to a word.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn held(&self, slot: u32) -> &[AtomicU64] {
        self.held
            .get(slot as usize / 64 * self.stride..)
            .and_then(|held| held.get(..self.stride))
            .unwrap_or(&[])
    }

    /// The indices of the columns that may hold something for `slot`.
    pub(crate) fn columns_of(&self, slot: u32) -> impl Iterator<Item = usize> + use<> {
        let mut copy = Words::EMPTY;
        for (to, from) in copy.0.iter_mut().zip(self.held(slot)) {
            *to = from.load(Ordering::Relaxed);
        }
        copy.0.into_iter().enumerate().flat_map(|(word, held)| Bits(held).map(move |bit| word * 64 + bit))
    }

    /// A new entity in a slot of the kind of `set`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn spawn(&mut self, kind: &SpawnSet) -> Entity {
        let kind = self.kind(kind);
        let mut entry = &mut self.kinds[kind];
        if entry.free == 0 {
            self.open_next(kind, 1);
            entry = &mut self.kinds[kind];
        }
        let (open, bit) = (entry.open, entry.free.trailing_zeros());
        entry.free &= entry.free.wrapping_sub(1);
        self.alive[open as usize] |= 1 << bit;
        let slot = open * 64 + bit;
        let generation = &mut self.generations[slot as usize];
        *generation &= !DEAD;
        let entity = id(slot, *generation);
        if entry.holes.len > 0 {
            entry.open_hole(kind as u32, &self.blocks, &self.alive);
        }
        entity
    }

    /// `count` new entities in slots of a kind: in one range where no holes are left to fill. Up to 64 entities of a
    /// kind that comes in batches only are put where other small kinds are.
    pub(crate) fn spawn_many(&mut self, kind: &'static SpawnSet, count: usize, ranges: &mut Vec<Range<u32>>) {
        let kind = self.kind(kind);
        let entry = &mut self.kinds[kind];
        let small = entry.open == NONE && entry.shared + count <= 64;
        let owner = if small { SHARED } else { kind };
        if small {
            entry.shared += count;
        }
        let mut left = count;
        while left > 0 {
            if self.kinds[owner].free == 0 {
                self.open_next(owner, left.div_ceil(64));
            }
            let AllocationGroup { open, free, .. } = self.kinds[owner];
            let from = free.trailing_zeros();
            let run = (!(free >> from)).trailing_zeros().min(left.min(64) as u32);
            let bits = crate::base::mask::range(from as usize, (from + run) as usize);
            self.kinds[owner].free &= !bits;
            self.alive[open as usize] |= bits;
            if small {
                let held = &mut self.held[open as usize * self.stride..][..self.stride];
                for (to, from) in held.iter_mut().zip(&self.kinds[kind].set.0) {
                    *to.get_mut() |= *from;
                }
            }
            let slots = open * 64 + from..open * 64 + from + run;
            for generation in &mut self.generations[slots.start as usize..slots.end as usize] {
                *generation &= !DEAD;
            }
            append(ranges, slots);
            left -= run as usize;
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn kind(&mut self, kind: &SpawnSet) -> usize {
        let cached = self.cache[kind.hash % CACHE];
        match self.kinds.get(cached as usize) {
            Some(known) if known.set.0[..kind.words] == kind.set.0[..kind.words] => cached as usize,
            _ => self.find_kind(kind),
        }
    }

    #[cold]
    #[inline(never)]
    fn find_kind(&mut self, kind: &SpawnSet) -> usize {
        let next = self.kinds.len() as u32;
        let index = *self.kind_of_set.entry(kind.set).or_insert(next);
        if index == next {
            self.kinds.push(AllocationGroup::new(kind.set));
        }
        self.cache[kind.hash % CACHE] = index;
        index as usize
    }

    /// Opens a block with a free slot for `kind`: one with holes, or a new one, as part of a run of `want`.
    #[cold]
    #[inline(never)]
    fn open_next(&mut self, kind: usize, want: usize) {
        self.kinds[kind].free = 0;
        while self.kinds[kind].free == 0 {
            let entry = &mut self.kinds[kind];
            let open = match entry.holes.last() {
                Some(block) => {
                    entry.holes.len -= 1;
                    if self.blocks.get(block).kind != kind as u32 {
                        continue;
                    }
                    block
                }
                None => {
                    if entry.run.is_empty() {
                        entry.run = self.blocks.take_run(kind as u32, want.max(entry.next_run));
                        entry.next_run = (entry.next_run * 2).min(page::MAX_WORDS);
                        self.cover_blocks();
                    }
                    let run = &mut self.kinds[kind].run;
                    let block = run.start;
                    run.start += 1;
                    self.hold(block, kind);
                    block
                }
            };
            let entry = &mut self.kinds[kind];
            entry.open = open;
            entry.free = !(self.alive[entry.open as usize] | self.blocks.get(entry.open).retired);
        }
    }

    /// Makes what is kept for each block and slot as long as the list of blocks.
    fn cover_blocks(&mut self) {
        let blocks = self.blocks.len();
        self.alive.resize(blocks, 0);
        self.generations.resize(blocks * 64, self.first_generation | DEAD);
        self.held.resize_with(blocks * self.stride, || AtomicU64::new(0));
    }

    /// Adds free blocks until there are `blocks`.
    pub(super) fn grow_to(&mut self, blocks: usize) {
        if self.blocks.len() < blocks {
            self.blocks.grow_to(blocks);
            self.cover_blocks();
        }
    }

    /// A block begins to hold what entities of a kind have.
    pub(super) fn hold(&mut self, block: u32, kind: usize) {
        let held = &mut self.held[block as usize * self.stride..][..self.stride];
        for (to, from) in held.iter_mut().zip(&self.kinds[kind].set.0) {
            *to.get_mut() = *from;
        }
    }

    /// A block holds what these have, too.
    #[cfg(feature = "serde")]
    pub(super) fn hold_set(&mut self, block: u32, set: &Words) {
        let held = &mut self.held[block as usize * self.stride..][..self.stride];
        for (to, from) in held.iter_mut().zip(&set.0) {
            *to.get_mut() |= *from;
        }
    }

    /// The slots of a block that nobody lives in, and that are not retired.
    pub(super) fn free_of(&self, block: u32) -> u64 {
        !(self.alive[block as usize] | self.blocks.get(block).retired)
    }

    /// Gives a block of a kind with holes to a lane.
    pub(super) fn take_hole(&mut self, kind: usize) -> Option<u32> {
        loop {
            let entry = &mut self.kinds[kind];
            let block = entry.holes.last()?;
            entry.holes.len -= 1;
            let known = self.blocks.get_mut(block);
            if known.kind == kind as u32 && entry.open != block {
                known.kind = LANES;
                return Some(block);
            }
        }
    }

    /// Gives a block of a lane to a kind, or to everybody if nobody lives in it.
    pub(super) fn leave(&mut self, block: u32, kind: usize) {
        let (alive, free) = (self.alive[block as usize], self.free_of(block));
        self.blocks.get_mut(block).kind = kind as u32;
        if alive == 0 {
            self.blocks.release(block);
        } else {
            self.kinds[kind].holes.push_if(free != 0, block);
        }
    }

    /// The blocks of lanes are filled by the lanes: nobody looks for holes in them.
    pub(super) fn forget_holes_of_lanes(&mut self) {
        self.kinds[LANES as usize].holes.len = 0;
    }

    /// The entity of a slot lives from now on.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn begin(&mut self, slot: usize) {
        self.alive[slot / 64] |= 1 << (slot % 64);
        self.generations[slot] &= !DEAD;
    }

    /// Ends the life of an entity; `false` if it does not live. What its columns hold is the caller's business.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn despawn(&mut self, entity: Entity) -> bool {
        let (slot, next) = (entity.slot(), DEAD | (entity.generation().get() + 1));
        match self.generations.get_mut(slot as usize) {
            Some(generation) if *generation == entity.generation().get() => *generation = next,
            _ => return false,
        }
        if next == DEAD {
            self.retire(slot);
        } else {
            self.give_back(slot);
        }
        true
    }

    /// Takes a slot that has no generation left out of use.
    #[cold]
    #[inline(never)]
    fn retire(&mut self, slot: u32) {
        self.generations[slot as usize] = DEAD | (DEAD - 1);
        let (block, bit) = (slot / 64, 1 << (slot % 64));
        self.alive[block as usize] &= !bit;
        let block = self.blocks.get_mut(block);
        (block.retired, block.died, block.touched) = (block.retired | bit, self.tick, true);
    }

    /// Takes a slot back that was handed out and never used: its generation stays.
    pub(crate) fn unspawn(&mut self, slot: u32) {
        self.generations[slot as usize] |= DEAD;
        self.give_back(slot);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn give_back(&mut self, slot: u32) {
        let (block, bit) = (slot / 64, 1 << (slot % 64));
        let alive = &mut self.alive[block as usize];
        let before = *alive;
        *alive = before & !bit;
        let known = self.blocks.get_mut(block);
        (known.died, known.touched) = (self.tick, true);
        let Block { retired, kind, .. } = *known;
        // a block in which an entity lived is of a kind, unless lists of entities were exchanged between worlds
        let Some(kind) = self.kinds.get_mut(kind as usize) else { return };
        if kind.open == block {
            kind.free |= bit;
        } else if before == bit {
            self.empty(block);
        } else {
            kind.holes.push_if(before | retired == u64::MAX, block);
        }
    }

    /// A block that nobody lives in any more is everybody's, unless a lane fills it.
    #[inline(never)]
    fn empty(&mut self, block: u32) {
        if self.blocks.get(block).kind != LANES {
            self.blocks.release(block);
        }
    }

    /// Ends every life.
    pub(crate) fn clear(&mut self) {
        for word in 0..self.alive.len() {
            for bit in Bits(self.alive[word]) {
                let entity = self.at(word * 64 + bit);
                self.despawn(entity);
            }
        }
    }
}

impl Entities {
    /// Takes over all but what is kept for blocks and slots.
    pub(super) fn take_rest(&mut self, source: &Self) {
        let Self {
            generations: _,
            alive: _,
            blocks,
            kinds,
            kind_of_set,
            cache,
            held: _,
            stride,
            first_generation,
            lanes,
            closed_lanes,
            tick,
            known: _,
        } = source;
        self.blocks.take_rest(blocks);
        self.kinds.clone_from(kinds);
        self.kind_of_set.clone_from(kind_of_set);
        self.closed_lanes.clone_from(closed_lanes);
        (self.cache, self.stride, self.lanes) = (*cache, *stride, *lanes);
        (self.first_generation, self.tick) = (*first_generation, *tick);
    }
}

impl core::fmt::Debug for Entities {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Entities").field("len", &self.len()).finish_non_exhaustive()
    }
}

/// Adds slots to ranges of them: to the last one, if they come right after it.
#[inline]
pub(crate) fn append(ranges: &mut Vec<Range<u32>>, slots: Range<u32>) {
    match ranges.last_mut() {
        Some(last) if last.end == slots.start => last.end = slots.end,
        _ => ranges.push(slots),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: SpawnSet = ComponentSet::EMPTY.with(0).kind(2);
    const B: SpawnSet = ComponentSet::EMPTY.with(1).kind(2);

    #[test]
    fn a_slot_without_generations_left_is_retired() {
        let mut entities = Entities::with(1, DEAD - 1);
        let last = entities.spawn(&A);
        assert_eq!(last.generation().get(), DEAD - 1);
        assert!(entities.despawn(last) && !entities.contains(last) && !entities.despawn(last));
        for _ in 0..200 {
            assert_ne!(entities.spawn(&A).slot(), last.slot());
        }
    }

    #[test]
    fn a_retired_slot_leaves_the_others_of_its_block_as_they_are() {
        let mut entities = Entities::with(1, DEAD - 1);
        let all: Vec<Entity> = (0..130).map(|_| entities.spawn(&A)).collect();
        let before = entities.tick();
        entities.next_ticks(3);
        let retired = [70, 75, 127].map(|at| all[at]);
        assert!(retired.iter().all(|&entity| entities.despawn(entity)));
        assert!(all.iter().all(|&entity| entities.contains(entity) != retired.contains(&entity)));
        assert_eq!((entities.len(), entities.room()), (127, MOST_SLOTS - 127));
        assert_eq!(entities.alive()[0..2], [u64::MAX, !(1 << 6 | 1 << 11 | 1 << 63)]);
        assert_eq!(entities.free_of(1), 0, "a retired slot is not free");
        assert_eq!(retired.map(|entity| entities.at(entity.slot() as usize)), retired);
        assert_eq!(entities.last_death(1), before + 3 * TURN);
        assert_eq!(entities.last_death(0), 0, "nothing died in the first block");
        for _ in 0..300 {
            let slot = entities.spawn(&A).slot();
            assert!(all.iter().all(|entity| entity.slot() != slot));
        }
    }

    #[test]
    fn kinds_do_not_share_blocks() {
        let mut entities = Entities::with(1, 1);
        let slots: Vec<(u32, u32)> =
            (0..1000).map(|_| (entities.spawn(&A).slot() / 64, entities.spawn(&B).slot() / 64)).collect();
        assert!(slots.iter().all(|a| slots.iter().all(|b| a.0 != b.1)));
        assert_eq!(entities.kinds(), 2);
    }

    #[test]
    fn kinds_with_one_place_in_the_cache_do_not_share_blocks() {
        let mut entities = Entities::with(1, 1);
        let kinds: Vec<SpawnSet> = (0..60).map(|column| ComponentSet::EMPTY.with(column).kind(60)).collect();
        let mut kind_of = BTreeMap::new();
        for _ in 0..3 {
            for (column, kind) in kinds.iter().enumerate() {
                let slot = entities.spawn(kind).slot();
                assert_eq!(*kind_of.entry(slot / 64).or_insert(column), column, "slot {slot}");
                assert!(entities.columns_of(slot).eq([column]));
            }
        }
        assert_eq!((entities.kinds(), kind_of.len()), (60, 60));
    }

    #[test]
    fn an_empty_block_serves_any_kind() {
        let mut entities = Entities::with(1, 1);
        let all: Vec<Entity> = (0..640).map(|_| entities.spawn(&A)).collect();
        let blocks = entities.blocks();
        for entity in all {
            assert!(entities.despawn(entity));
        }
        let free = entities.free_blocks();
        assert!(free > 0);
        for _ in 0..free * 64 {
            entities.spawn(&B);
        }
        assert_eq!((entities.blocks(), entities.free_blocks()), (blocks, 0));
    }

    #[test]
    fn a_block_that_emptied_is_not_filled_by_its_last_kind() {
        let mut entities = Entities::with(1, 1);
        let all: Vec<Entity> = (0..128).map(|_| entities.spawn(&A)).collect();
        for entity in &all[..64] {
            entities.despawn(*entity);
        }
        let mut others: Vec<u32> = (0..64).map(|_| entities.spawn(&B).slot()).collect();
        others.sort_unstable();
        assert!(others.iter().copied().eq(0..64));
        assert!((0..256).all(|_| entities.spawn(&A).slot() >= 64));
        entities.despawn(entities.at(7));
        assert_eq!(entities.spawn(&B).slot(), 7);
    }

    #[test]
    fn holes_are_filled_before_new_blocks() {
        let mut entities = Entities::with(1, 1);
        let all: Vec<Entity> = (0..256).map(|_| entities.spawn(&A)).collect();
        for entity in all.iter().step_by(3) {
            entities.despawn(*entity);
        }
        let blocks = entities.blocks();
        for _ in (0..256).step_by(3) {
            entities.spawn(&A);
        }
        assert_eq!((entities.len(), entities.blocks()), (256, blocks));
    }

    #[test]
    fn small_batches_share_blocks_until_their_kind_is_large() {
        let mut entities = Entities::with(1, 1);
        let batch = |entities: &mut Entities, kind, count| {
            let mut ranges = Vec::new();
            entities.spawn_many(kind, count, &mut ranges);
            assert_eq!(ranges.len(), 1);
            ranges.remove(0)
        };
        assert_eq!(batch(&mut entities, &A, 20), 0..20);
        assert_eq!(batch(&mut entities, &B, 20), 20..40);
        assert_eq!(batch(&mut entities, &A, 44), 40..84);
        assert_eq!((entities.kinds(), entities.columns_of(0).collect::<Vec<_>>()), (2, alloc::vec![0, 1]));
        let own = batch(&mut entities, &A, 1);
        assert!(own.start % 64 == 0 && entities.columns_of(own.start).eq([0]));
        let single = entities.spawn(&B).slot();
        assert!(single / 64 != own.start / 64 && entities.columns_of(single).eq([1]));
        assert_eq!(batch(&mut entities, &B, 5), single + 1..single + 6);
    }

    #[test]
    fn a_batch_is_one_range_where_there_are_no_holes() {
        let mut entities = Entities::with(1, 1);
        entities.spawn(&A);
        let mut ranges = Vec::new();
        entities.spawn_many(&A, 10_000, &mut ranges);
        assert!(ranges.len() == 1 && ranges[0] == (1..10_001));
        assert_eq!(entities.len(), 10_001);
    }
}

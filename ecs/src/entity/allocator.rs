//! The allocator of entities: which entities are alive, and which slot a new entity gets.
//!
//! Slots are allocated by *allocation group*: entities that are spawned with the same set of
//! components share blocks of 64 slots, so that the masks of a group's columns are full words and a
//! query visits long runs. A group takes blocks in runs whose length doubles up to a page. The slot
//! of a despawned entity goes back to its block; a block without entities is free for any group.
//!
//! A group with few entities has no blocks of its own. Its entities lie in shared blocks, so that
//! the components that many small groups have in common are full words, too: small batches side by
//! side, and entities that are spawned one by one in parts of four slots (`shared_blocks`).
//!
//! Each block also has the set of columns that ever had a value in it since a group took the block,
//! so that the cost of a despawn depends on the components of the block's entities, not on the
//! number of components in the world.
//!
//! Functions with `cfg_attr(not(debug_assertions), inline(always))` are dev calls: see
//! `docs/compile-times.md`.

mod blocks_of_groups;
mod chosen_ids;
pub(crate) mod regroup;
pub(super) mod shared_blocks;

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::num::{NonZeroU32, NonZeroU64};
use core::ops::Range;
use core::sync::atomic::{AtomicU64, Ordering};

use super::Entity;
use super::allocation_group::AllocationGroup;
use super::blocks::{Blocks, MOST_SLOTS, NONE};
use super::journal::ChangeJournal;
use super::mark::WorldMark;
use super::resource_ticks::ResourceTicks;
use super::snapshot_slots::SnapshotSlots;
use super::spawn_sites::{SpawnSite, SpawnSites};
use crate::base::component_set::{ComponentSet, SpawnSet, Words};
use crate::base::division::Division;
use crate::base::mask::Bits;
#[cfg(feature = "reflect")]
use crate::base::mask::Runs;
use crate::base::tick::{TURN, Ticks};

/// The length of [`Entities::cache`].
const CACHE: usize = 64;

/// The index of the group that owns the blocks which small groups share.
pub(super) const SHARED: usize = 0;

/// The most slots that a group receives in shared blocks.
const SHARED_SLOTS: u32 = 64;

/// A bit in the generation of a slot that has no live entity. No id has this bit, so an entity is
/// alive exactly if its generation equals that of its slot. The other bits are never all zero.
pub(crate) const DEAD: u32 = 1 << 31;

/// The generation of the next entity of a slot, with [`DEAD`].
#[derive(Clone, Copy)]
pub(crate) struct NextGeneration(u32);

impl NextGeneration {
    /// Whether the slot has a next generation: if not, it is retired.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn exists(self) -> bool {
        self.0 != DEAD
    }
}

/// The allocator of a world's entities: live slots, generations, blocks and allocation groups.
pub struct Entities {
    /// For each slot the generation of its entity; if it has none, `DEAD` and the generation of the
    /// next entity.
    pub(super) generations: Vec<u32>,
    /// One word for each block, with the bits of the slots whose entity is alive.
    pub(super) alive: Vec<u64>,
    pub(super) blocks: Blocks,
    /// The allocation groups. The first one is [`SHARED`], each other one is that of a set of
    /// components.
    pub(super) groups: Vec<AllocationGroup>,
    /// The number of slots of the open shared block, from its first slot on, that were handed out
    /// since the block was opened.
    pub(super) handed_out: u32,
    pub(super) group_of_set: BTreeMap<Words, u32>,
    /// The group that was found last for each hash of a set, modulo `CACHE`; `NONE` if none was.
    pub(super) cache: [u32; CACHE],
    /// `stride` words for each block: the set of columns that ever had a value in it.
    pub(super) held: Vec<AtomicU64>,
    pub(super) stride: usize,
    pub(super) first_generation: u32,
    /// The number of [`ReservedSlots`](super::reserved_slots::ReservedSlots), the closed ones
    /// included.
    pub(super) reserved_count: usize,
    /// For each number of [`ReservedSlots`](super::reserved_slots::ReservedSlots) their present
    /// key; 0 for closed ones. Neither saved nor hashed.
    pub(super) reserved_keys: Vec<u64>,
    /// The numbers of closed [`ReservedSlots`](super::reserved_slots::ReservedSlots), to be used
    /// again.
    pub(super) closed_reserved: Vec<usize>,
    /// The tick of changes that are made outside of systems: later than the ticks of all runs of
    /// systems so far.
    pub(super) tick: u64,
    /// The tick of the world when it was loaded from a file; 0 if it was not. Neither saved nor
    /// hashed.
    pub(super) loaded_at: u64,
    /// The copies of pages that this allocator shares with snapshots, if there ever was a snapshot.
    pub(super) snapshot_slots: Option<Box<SnapshotSlots>>,
    /// For each resource the tick of its last change; of resources that are not tracked, that of
    /// the world's beginning.
    pub(super) resource_ticks: ResourceTicks,
    /// The last structural changes, if the world keeps a journal.
    pub(super) journal: Option<Box<ChangeJournal>>,
    /// The mark of the world, which no copy of the allocator shares.
    pub(super) mark: WorldMark,
    /// The division of loops over the entities among threads: a setting, which a restore does not
    /// change.
    pub(super) division: Division,
    /// The places where entities were spawned. They are neither saved nor hashed.
    pub(super) spawn_sites: SpawnSites,
    /// The components that relations name in `target(..)`.
    pub(super) of_targets: ComponentSet,
}

/// The id of a slot's entity: of the live one, or of the next one if there is none.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn id(slot: u32, generation: u32) -> Entity {
    let generation = NonZeroU32::new(generation & !DEAD).expect("generations start above zero and only grow");
    Entity::from_parts(slot, generation)
}

impl Entities {
    /// An allocator without entities, with `stride` words of component bits for each block.
    pub(crate) fn with(stride: usize, first_generation: u32) -> Self {
        Self {
            generations: Vec::new(),
            alive: Vec::new(),
            blocks: Blocks::default(),
            groups: alloc::vec![AllocationGroup::shared()],
            handed_out: 0,
            group_of_set: BTreeMap::new(),
            cache: [NONE; CACHE],
            held: Vec::new(),
            stride,
            first_generation: (first_generation & !DEAD).max(1),
            reserved_count: 0,
            reserved_keys: Vec::new(),
            closed_reserved: Vec::new(),
            tick: TURN,
            loaded_at: 0,
            snapshot_slots: None,
            resource_ticks: ResourceTicks::default(),
            journal: None,
            mark: WorldMark::next(),
            division: Division::default(),
            spawn_sites: SpawnSites::default(),
            of_targets: ComponentSet::EMPTY,
        }
    }

    /// Whether a relation names the component with this index in `target(..)`.
    pub(crate) fn is_of_targets(&self, component: usize) -> bool {
        self.of_targets.contains(component)
    }

    pub(crate) fn set_of_targets(&mut self, components: ComponentSet) {
        self.of_targets = components;
    }

    /// The places where entities were spawned.
    pub(crate) fn spawn_sites(&self) -> &SpawnSites {
        &self.spawn_sites
    }

    /// Records the place where an entity was spawned.
    #[inline(always)]
    pub(crate) fn note_site(&mut self, entity: Entity, site: SpawnSite) {
        self.spawn_sites.note(entity, site);
    }

    /// The tick of the world when it was loaded from a file; 0 if it was not.
    pub(crate) fn loaded_at(&self) -> u64 {
        self.loaded_at
    }

    /// The division of loops over the entities among threads.
    pub(crate) fn division(&self) -> Division {
        self.division
    }

    pub(crate) fn set_division(&mut self, division: Division) {
        self.division = division;
    }

    /// The mark of the world.
    pub(crate) fn mark(&self) -> WorldMark {
        self.mark
    }

    pub(crate) fn set_mark(&mut self, mark: WorldMark) {
        self.mark = mark;
    }

    /// The tick of changes that are made now, outside of systems.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn tick(&self) -> u64 {
        self.tick
    }

    /// The ticks outside of systems: every value counts as changed since the last run, and new
    /// changes are later than the last run of every system.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn ticks(&self) -> Ticks {
        Ticks { last_run: 0, this_run: self.tick }
    }

    /// Reserves the ticks of `systems` runs and returns the first one; each next one is later by
    /// [`TURN`]. Changes made outside of systems get a later tick from now on.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn next_ticks(&mut self, systems: usize) -> u64 {
        let first = self.tick;
        self.tick += systems as u64 * TURN;
        first
    }

    /// One bit for each slot, set if the slot has a live entity.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn alive(&self) -> &[u64] {
        &self.alive
    }

    /// Appends the ids of the entities in the slots of a word whose bits are set in `bits`, run by
    /// run.
    #[cfg(feature = "reflect")]
    pub(crate) fn append_ids(&self, word: usize, bits: u64, to: &mut Vec<Entity>) {
        let generations = &self.generations[word * 64..];
        for (from, len) in Runs::new(&[bits]) {
            let first = (word * 64 + from) as u32;
            to.extend((first..).zip(&generations[from..from + len]).map(|(slot, &of)| id(slot, of)));
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.alive.iter().map(|mask| mask.count_ones() as usize).sum()
    }

    /// The number of entities that can still be added, if no slot is retired.
    pub(crate) fn room(&self) -> usize {
        MOST_SLOTS - self.len()
    }

    #[cfg_attr(not(debug_assertions), inline)]
    pub(crate) fn blocks(&self) -> usize {
        self.blocks.len()
    }

    pub(crate) fn free_blocks(&self) -> usize {
        self.blocks.free_count()
    }

    pub(crate) fn groups(&self) -> usize {
        self.group_of_set.len()
    }

    /// Whether the entity is alive.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn contains(&self, entity: Entity) -> bool {
        self.generations.get(entity.slot() as usize) == Some(&entity.generation().get())
    }

    /// The live entity in a slot.
    pub(crate) fn living_at(&self, slot: usize) -> Option<Entity> {
        let generation = *self.generations.get(slot)?;
        (generation & DEAD == 0).then(|| id(slot as u32, generation))
    }

    /// The id of the live entity in `slot`; of the next one if the slot is free.
    ///
    /// # Panics
    /// If `slot` is in no block.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn at(&self, slot: usize) -> Entity {
        id(slot as u32, self.generations[slot])
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn generations(&self) -> &[u32] {
        &self.generations
    }

    /// The tick of the last despawn in a word of slots.
    pub(crate) fn last_despawn(&self, word: usize) -> u64 {
        self.blocks.get(word as u32).last_despawn
    }

    /// Notes that the column with this index has a value in the block of `slot`.
    #[inline]
    pub(crate) fn note(&self, slot: u32, column: usize) {
        if let Some(word) = self.held.get(slot as usize / 64 * self.stride + column / 64) {
            // No thread clears bits while others call this, and a load is cheaper than a write.
            let bit = 1 << (column % 64);
            if word.load(Ordering::Relaxed) & bit == 0 {
                word.fetch_or(bit, Ordering::Relaxed);
            }
        }
    }

    /// The set of columns that may have a value for `slot`, 64 to a word.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn held(&self, slot: u32) -> &[AtomicU64] {
        self.held
            .get(slot as usize / 64 * self.stride..)
            .and_then(|held| held.get(..self.stride))
            .unwrap_or(&[])
    }

    /// [`held`](Self::held) in a world whose sets of columns are one word; 0 for a slot that is not
    /// there.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn held_word(&self, slot: u32) -> u64 {
        self.held.get(slot as usize / 64).map_or(0, |word| word.load(Ordering::Relaxed))
    }

    /// The indices of the columns that may have a value for `slot`.
    pub(crate) fn columns_of(&self, slot: u32) -> impl Iterator<Item = usize> + use<> {
        let mut copy = Words::EMPTY;
        for (to, from) in copy.0.iter_mut().zip(self.held(slot)) {
            *to = from.load(Ordering::Relaxed);
        }
        copy.0.into_iter().enumerate().flat_map(|(word, held)| Bits(held).map(move |bit| word * 64 + bit))
    }

    /// Spawns an entity in a slot of the allocation group of `set`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn spawn(&mut self, set: &SpawnSet) -> Entity {
        let group = self.cache[set.hash % CACHE] as usize;
        match self.groups.get(group) {
            Some(entry) if entry.is_of(set) && entry.free != 0 => self.spawn_in(group),
            _ => self.spawn_in_new_block(set),
        }
    }

    /// [`spawn`](Self::spawn) if the group was not found last, or has no open block with a free
    /// slot.
    #[cold]
    #[inline(never)]
    fn spawn_in_new_block(&mut self, set: &SpawnSet) -> Entity {
        let group = self.group_of(set);
        if self.groups[group].free == 0 {
            if let Some(entity) = self.spawn_in_part(group, &set.components) {
                return entity;
            }
            self.leave_parts(group);
            if self.groups[group].free == 0 {
                self.open_next(group, 1);
            }
        }
        self.spawn_in(group)
    }

    /// Spawns an entity in the open block of a group, which has a free slot.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn spawn_in(&mut self, group: usize) -> Entity {
        let entry = &mut self.groups[group];
        let free = NonZeroU64::new(entry.free).expect("the open block has a free slot");
        let (open, bit) = (entry.open, free.trailing_zeros());
        entry.free = free.get() & (free.get() - 1);
        self.alive[open as usize] |= 1 << bit;
        let slot = open * 64 + bit;
        let generation = &mut self.generations[slot as usize];
        *generation &= !DEAD;
        let entity = id(slot, *generation);
        if entry.holes.len > 0 {
            entry.open_hole(group as u32, &self.blocks, &self.alive);
        }
        entity
    }

    /// Spawns `count` entities in slots of the allocation group of `set`, and adds the slots to
    /// `ranges`: one range if the group has no holes to fill. A group that has no blocks of its own
    /// gets slots in shared blocks, if it has received at most 64 slots with these.
    pub(crate) fn spawn_many(&mut self, set: &'static SpawnSet, count: usize, ranges: &mut Vec<Range<u32>>) {
        let group = self.group_of(set);
        if self.is_small_batch(group, count) {
            return self.share_many(group, count, ranges);
        }
        if count > 0 {
            self.leave_parts(group);
        }
        let mut left = count;
        while left > 0 {
            if self.groups[group].free == 0 {
                self.open_next(group, left.div_ceil(64));
            }
            let AllocationGroup { open, free, .. } = self.groups[group];
            left -= self.spawn_run(group, open, free, left, ranges);
        }
    }

    /// Spawns up to `most` entities in the first run of the slots `free` of a group's open block,
    /// and returns their number.
    fn spawn_run(
        &mut self,
        group: usize,
        open: u32,
        free: u64,
        most: usize,
        ranges: &mut Vec<Range<u32>>,
    ) -> usize {
        let from = free.trailing_zeros();
        let run = (!(free >> from)).trailing_zeros().min(most.min(64) as u32);
        let bits = crate::base::mask::range(from as usize, (from + run) as usize);
        self.groups[group].free &= !bits;
        self.alive[open as usize] |= bits;
        let slots = open * 64 + from..open * 64 + from + run;
        for generation in &mut self.generations[slots.start as usize..slots.end as usize] {
            *generation &= !DEAD;
        }
        append(ranges, slots);
        run as usize
    }

    /// Marks the entity of a slot as alive.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn set_alive(&mut self, slot: usize) {
        self.alive[slot / 64] |= 1 << (slot % 64);
        self.generations[slot] &= !DEAD;
    }

    /// Despawns an entity; `false` if it is not alive. Its values stay in the columns: the caller
    /// removes them.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn despawn(&mut self, entity: Entity) -> bool {
        let Some(next) = self.end(entity) else { return false };
        self.free(entity.slot(), next);
        true
    }

    /// The first half of [`despawn`](Self::despawn): gives the slot of a live entity its next
    /// generation, and returns it, to be passed to the second half, [`free`](Self::free). `None` if
    /// the entity is not alive.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn end(&mut self, entity: Entity) -> Option<NextGeneration> {
        let next = DEAD | entity.generation().get().wrapping_add(1); // wraps for an id that no entity ever has
        match self.generations.get_mut(entity.slot() as usize) {
            Some(generation) if *generation == entity.generation().get() => *generation = next,
            _ => return None,
        }
        Some(NextGeneration(next))
    }

    /// The second half of [`despawn`](Self::despawn): gives back the slot, or retires it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn free(&mut self, slot: u32, next: NextGeneration) {
        if next.exists() {
            self.give_back(slot);
        } else {
            self.retire(slot);
        }
    }

    /// Retires a slot that has no generation left: no entity gets it any more.
    #[cold]
    #[inline(never)]
    fn retire(&mut self, slot: u32) {
        self.generations[slot as usize] = DEAD | (DEAD - 1);
        let (block, bit) = (slot / 64, 1 << (slot % 64));
        self.alive[block as usize] &= !bit;
        let block = self.blocks.get_mut(block);
        (block.retired, block.last_despawn, block.touched) = (block.retired | bit, self.tick, true);
    }

    /// Takes back the slot of an entity that was spawned and whose id no caller has received. The
    /// next entity has the same id.
    pub(crate) fn unspawn(&mut self, slot: u32) {
        self.generations[slot as usize] |= DEAD;
        self.give_back(slot);
    }

    /// Gives a slot back to its block. Each call is the last action of its path, so that the caller
    /// keeps nothing in registers for it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn give_back(&mut self, slot: u32) {
        let (block, bit) = (slot / 64, 1 << (slot % 64));
        let (alive, state) = (self.alive.get_mut(block as usize), self.blocks.all.get_mut(block as usize));
        let (Some(alive), Some(state)) = (alive, state) else { return };
        let before = *alive;
        *alive = before & !bit;
        (state.last_despawn, state.touched) = (self.tick, true);
        let (retired, group) = (state.retired, state.group());
        // blocks of reserved slots and for chosen ids belong to no group: they stay what they are
        let Some(group) = self.groups.get_mut(group as usize) else { return };
        if group.open == block {
            group.free |= bit;
        } else if before == bit {
            self.blocks.release(block);
        } else {
            group.holes.push_if(before | retired == u64::MAX, block);
        }
    }

    /// Gives back memory that the lists do not need. The generations of all slots stay, so that no
    /// id becomes current again.
    pub(crate) fn shrink(&mut self) {
        self.generations.shrink_to_fit();
        self.alive.shrink_to_fit();
        self.held.shrink_to_fit();
        self.spawn_sites.shrink(&self.alive);
        self.blocks.shrink();
        self.groups.iter_mut().for_each(|group| group.holes.shrink());
        self.release_copies();
    }

    /// Despawns all entities.
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
    /// Copies all fields except the lists by block and by slot.
    pub(super) fn take_rest(&mut self, source: &Self) {
        let Self {
            generations: _,
            alive: _,
            blocks,
            groups,
            handed_out,
            group_of_set,
            cache,
            held: _,
            stride,
            first_generation,
            reserved_count,
            reserved_keys,
            closed_reserved,
            tick,
            loaded_at,
            snapshot_slots: _,
            resource_ticks,
            journal,
            mark: _,
            division: _,
            spawn_sites,
            of_targets,
        } = source;
        self.blocks.take_rest(blocks);
        self.groups.clone_from(groups);
        self.group_of_set.clone_from(group_of_set);
        self.reserved_keys.clone_from(reserved_keys);
        self.closed_reserved.clone_from(closed_reserved);
        self.journal.clone_from(journal);
        self.spawn_sites.clone_from(spawn_sites);
        self.resource_ticks.clone_from(resource_ticks);
        (self.cache, self.stride, self.reserved_count) = (*cache, *stride, *reserved_count);
        (self.handed_out, self.of_targets) = (*handed_out, *of_targets);
        (self.first_generation, self.tick, self.loaded_at) = (*first_generation, *tick, *loaded_at);
    }
}

debug!([] Entities, |this, f| f.debug_struct("Entities").field("len", &this.len()).finish_non_exhaustive());

/// Adds a range of slots to a list of ranges; extends the last one if `slots` follows it directly.
#[inline]
pub(crate) fn append(ranges: &mut Vec<Range<u32>>, slots: Range<u32>) {
    match ranges.last_mut() {
        Some(last) if last.end == slots.start => last.end = slots.end,
        _ => ranges.push(slots),
    }
}

#[cfg(test)]
mod tests;

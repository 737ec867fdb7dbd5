//! The allocator, and lanes, as they are saved: what decides which slot a new entity gets, and nothing else.
//!
//! What follows from it, or from the columns, is made anew. An [`Image`] comes from a file: [`Entities::of_image`] accepts
//! none in which a slot could be handed out twice.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::sync::atomic::AtomicU64;

use serde::{Deserialize, Serialize};

use super::Entity;
use super::allocation_group::AllocationGroup;
use super::allocator::{DEAD, Entities, LANES, SHARED, id};
use super::blocks::{Block, Blocks, NONE};
use super::reserved_slots::ReservedSlots;
use crate::base::component_set::{ComponentSet, Words};
use crate::base::mask;
use crate::base::page;
use crate::save::memory::{self, TooMuch};
use crate::world::World;

/// The latest tick, and the highest count, that a file has: a world has as many left to live. Only forged files come near;
/// a world that got beyond it, since it was loaded from one, is saved as if all that is later had happened then.
pub(crate) const LATEST: u64 = 1 << 62;

/// The number of lanes a file may have beyond those of its places: the lanes of schedules that were built at run time. Each
/// makes entities lie 64 slots further apart, so that a forged number of them would take memory without end.
const SPARE_LANES: usize = 1024;

/// A set of components, by index.
pub(crate) type ComponentIndices = Vec<u16>;

/// All that decides which slot a new entity gets.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Image {
    pub(crate) tick: u64,
    first_generation: u32,
    lanes: u32,
    closed_lanes: Vec<u32>,
    kinds: Vec<AllocationGroupImage>,
    blocks: Vec<BlockImage>,
    /// Of the slots, one after the other: a generation, and how many have it. Who is dead has the highest bit.
    generations: Vec<(u32, u32)>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct AllocationGroupImage {
    set: ComponentIndices,
    open: Option<u32>,
    run: (u32, u32),
    next_run: u32,
    holes: Vec<u32>,
    shared: u32,
}

/// Whose it is, which of its slots are retired, when one of its entities died last.
#[derive(Serialize, Deserialize)]
struct BlockImage(Option<u32>, u64, u64);

/// The blocks of a lane.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReservedSlotsImage {
    pub(super) number: u32,
    pub(super) kinds: Vec<ReservedGroupImage>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReservedGroupImage {
    pub(super) set: ComponentIndices,
    pub(super) wanted: u32,
    /// Each with the slots that can be handed out.
    pub(super) blocks: Vec<(u32, u64)>,
}

/// The indices in a set.
pub(super) fn indices(set: &Words) -> ComponentIndices {
    let words = set.0.iter().enumerate();
    words.flat_map(|(word, &bits)| mask::Bits(bits).map(move |bit| (word * 64 + bit) as u16)).collect()
}

/// The set of a file, by the indices of this world.
pub(super) fn words(set: &[u16], index_of: &dyn Fn(u16) -> Option<usize>) -> Words {
    let mut words = Words::EMPTY;
    for index in set.iter().filter_map(|&index| index_of(index)) {
        words.0[index / 64] |= 1 << (index % 64);
    }
    words
}

impl Image {
    /// How many slots there are.
    pub(crate) fn slots(&self) -> usize {
        self.blocks.len() * 64
    }
}

impl Entities {
    /// What is saved.
    pub(crate) fn image(&self) -> Image {
        // the rest follows from these, or from the columns
        let Self {
            generations,
            alive: _,
            blocks,
            kinds,
            kind_of_set: _,
            cache: _,
            held: _,
            stride: _,
            first_generation,
            lanes,
            closed_lanes,
            tick,
            known: _,
        } = self;
        let generations = generations.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u32));
        let kinds = kinds.iter().enumerate().map(|(at, kind)| {
            let AllocationGroup { set, open, free: _, run, next_run, holes, shared } = kind;
            AllocationGroupImage {
                set: indices(set),
                open: (*open != NONE).then_some(*open),
                run: (run.start, run.end),
                next_run: *next_run as u32,
                // the lists of the lanes are cleared whenever they are read
                holes: if at == LANES as usize { Vec::new() } else { holes.all().to_vec() },
                shared: *shared as u32,
            }
        });
        let blocks = (0..blocks.len() as u32).map(|block| {
            let Block { retired, kind, touched: _, died } = *blocks.get(block);
            BlockImage((kind != NONE).then_some(kind), retired, died.min(LATEST))
        });
        Image {
            tick: (*tick).min(LATEST),
            first_generation: *first_generation,
            lanes: *lanes as u32,
            closed_lanes: closed_lanes.iter().map(|&lane| lane as u32).collect(),
            kinds: kinds.collect(),
            blocks: blocks.collect(),
            generations: generations.collect(),
        }
    }

    /// The allocator of a world whose living entities these are, sorted and one for each slot, and nothing more is known.
    pub(crate) fn of_living<W: World>(living: &[Entity]) -> Result<Self, TooMuch> {
        let mut entities = Self::new::<W>();
        let blocks = living.last().map_or(0, |last| last.slot() as usize / 64 + 1);
        entities.charge(blocks)?;
        entities.grow_to(blocks);
        for entity in living {
            entities.generations[entity.slot() as usize] = entity.generation().get();
            entities.alive[entity.slot() as usize / 64] |= 1 << (entity.slot() % 64);
        }
        for block in 0..blocks as u32 {
            let alive = entities.alive[block as usize];
            if alive != 0 {
                entities.blocks.claim(block, SHARED as u32);
                entities.kinds[SHARED].holes.push_if(alive != u64::MAX, block);
            }
        }
        Ok(entities)
    }

    /// Charges the memory of `blocks` blocks to the file.
    fn charge(&self, blocks: usize) -> Result<(), TooMuch> {
        let slots = 64 * size_of::<u32>();
        let block = slots + size_of::<Block>() + (1 + self.stride) * size_of::<u64>();
        memory::charge((blocks * block) as u64)
    }

    /// The allocator of an image.
    ///
    /// # Errors
    /// If it does not hold together.
    pub(crate) fn of_image<W: World>(
        image: &Image,
        index_of: &dyn Fn(u16) -> Option<usize>,
    ) -> Result<Self, String> {
        let mut entities = Self::new::<W>();
        let count = image.blocks.len();
        if image.tick == 0 || image.tick > LATEST {
            return Err(format!("the tick {} is out of range", image.tick));
        }
        if image.first_generation == 0 || image.first_generation & DEAD != 0 {
            return Err(format!("{} is not a generation", image.first_generation));
        }
        entities.charge(count).map_err(|error| error.to_string())?;
        entities.tick = image.tick;
        entities.first_generation = image.first_generation;
        entities.blocks = Blocks::new(count).ok_or_else(|| format!("{count} blocks are too many"))?;
        entities.expand(image)?;
        entities.take_kinds(image, index_of)?;
        entities.take_blocks(image)?;
        for at in 0..entities.kinds.len() {
            entities.open_again(at, image)?;
        }
        entities.take_lanes(image)?;
        let stride = ComponentSet::words_for(W::COMPONENTS.len());
        entities.held.resize_with(count * stride, || AtomicU64::new(0));
        for block in 0..count as u32 {
            let kind = entities.blocks.get(block).kind;
            if kind != NONE {
                entities.hold(block, kind as usize);
            }
        }
        Ok(entities)
    }

    /// The generations, and who is alive.
    fn expand(&mut self, image: &Image) -> Result<(), String> {
        let slots = image.slots();
        let announced = image.generations.iter().map(|&(_, count)| u64::from(count)).sum::<u64>();
        if announced != slots as u64 {
            return Err(format!("{announced} generations for {slots} slots"));
        }
        self.generations.reserve_exact(slots);
        for &(generation, count) in &image.generations {
            if generation & !DEAD == 0 {
                return Err(format!("slot {} has no generation", self.generations.len()));
            }
            self.generations.resize(self.generations.len() + count as usize, generation);
        }
        let alive = self.generations.as_chunks::<64>().0.iter();
        self.alive = alive
            .map(|block| block.iter().rev().fold(0, |bits, of| bits << 1 | u64::from(of & DEAD == 0)))
            .collect();
        Ok(())
    }

    fn take_kinds(&mut self, image: &Image, index_of: &dyn Fn(u16) -> Option<usize>) -> Result<(), String> {
        if image.kinds.len() < 2 {
            return Err("the kinds of shared blocks and of lanes are missing".into());
        }
        self.kinds.clear();
        for (at, kind) in image.kinds.iter().enumerate() {
            let set = words(&kind.set, index_of);
            if at > LANES as usize {
                // two that have become one, since a component is gone, are one from now on
                self.kind_of_set.entry(set).or_insert(at as u32);
            }
            let (next_run, shared) = (kind.next_run as usize, kind.shared as usize);
            if !next_run.is_power_of_two() || next_run > page::MAX_WORDS || shared > 64 {
                return Err(format!("kind {at} takes {next_run} blocks next, and {shared} shared slots"));
            }
            self.kinds.push(AllocationGroup { next_run, shared, ..AllocationGroup::new(set) });
        }
        Ok(())
    }

    fn take_blocks(&mut self, image: &Image) -> Result<(), String> {
        for (block, &BlockImage(kind, retired, died)) in image.blocks.iter().enumerate() {
            let alive = self.alive[block];
            if died > self.tick {
                return Err(format!(
                    "the last despawn in block {block} is at tick {died}, later than the tick of the file"
                ));
            }
            let is_spent = |bit| self.generations[block * 64 + bit] == DEAD | (DEAD - 1);
            if alive & retired != 0 || !mask::Bits(retired).all(is_spent) {
                return Err(format!("block {block} has retired slots that have generations left"));
            }
            if let Some(kind) = kind {
                if kind as usize >= self.kinds.len() {
                    return Err(format!("block {block} is of kind {kind}, which is not there"));
                }
                self.blocks.claim(block as u32, kind);
            } else if alive != 0 {
                return Err(format!("block {block} is free, and has a live entity"));
            }
            let known = self.blocks.get_mut(block as u32);
            (known.retired, known.died) = (retired, died);
        }
        Ok(())
    }

    /// The blocks that a kind fills, and will fill.
    fn open_again(&mut self, at: usize, image: &Image) -> Result<(), String> {
        let (count, kind) = (self.blocks.len(), &image.kinds[at]);
        let is_own =
            |blocks: &Blocks, block: u32| (block as usize) < count && blocks.get(block).kind == at as u32;
        let (start, end) = kind.run;
        if start < end && end as usize > count {
            return Err(format!("the run of kind {at} ends at block {end} of {count}"));
        }
        if !(start..end).all(|block| is_own(&self.blocks, block) && self.alive[block as usize] == 0) {
            return Err(format!("the run of kind {at} has blocks that are not its own, or not empty"));
        }
        if let Some(open) = kind.open {
            if at == LANES as usize || !is_own(&self.blocks, open) || (start..end).contains(&open) {
                return Err(format!("the open block {open} of kind {at} is not its own"));
            }
            self.kinds[at].open = open;
            self.kinds[at].free = self.free_of(open);
        }
        for &hole in &kind.holes {
            if hole as usize >= count || (start..end).contains(&hole) {
                return Err(format!("block {hole} with holes of kind {at} is not there, or not opened yet"));
            }
            self.kinds[at].holes.push_if(true, hole);
        }
        self.kinds[at].run = start..end.max(start);
        Ok(())
    }

    fn take_lanes(&mut self, image: &Image) -> Result<(), String> {
        let mut seen = BTreeSet::new();
        if !image.closed_lanes.iter().all(|&lane| lane < image.lanes && seen.insert(lane)) {
            return Err("a closed lane does not exist, or is listed twice".into());
        }
        self.lanes = image.lanes as usize;
        self.closed_lanes = image.closed_lanes.iter().map(|&lane| lane as usize).collect();
        Ok(())
    }

    /// Takes note of the lanes that places have: those of a file, and new ones. What is a lane's and no place has any more
    /// is everybody's.
    pub(crate) fn adopt(&mut self, lanes: &mut [(&mut ReservedSlots, bool)]) -> Result<(), String> {
        let mut numbers: BTreeSet<usize> = self.closed_lanes.iter().copied().collect();
        let mut owned = BTreeSet::new();
        for (lane, _) in lanes.iter().filter(|(_, saved)| *saved) {
            if lane.number() >= self.lanes || !numbers.insert(lane.number()) {
                return Err(format!("lane {} is not there, or there twice", lane.number()));
            }
            for block in lane.blocks() {
                if block as usize >= self.blocks.len()
                    || self.blocks.get(block).kind != LANES
                    || !owned.insert(block)
                {
                    return Err(format!("block {block} of lane {} is not its own", lane.number()));
                }
            }
        }
        if self.lanes > lanes.len() + SPARE_LANES {
            self.number_again(lanes);
        } else {
            self.closed_lanes.extend((0..self.lanes).filter(|lane| !numbers.contains(lane)));
        }
        for (lane, saved) in lanes {
            if *saved {
                lane.fill_again(self);
            } else {
                **lane = ReservedSlots::new(self.open_lane());
            }
        }
        for block in 0..self.blocks.len() as u32 {
            if self.blocks.get(block).kind == LANES && !owned.contains(&block) {
                self.leave(block, SHARED);
            }
        }
        Ok(())
    }

    /// Gives the lanes that were saved the first numbers, in their order, and forgets the others.
    fn number_again(&mut self, lanes: &mut [(&mut ReservedSlots, bool)]) {
        let mut saved: Vec<&mut ReservedSlots> =
            lanes.iter_mut().filter(|(_, saved)| *saved).map(|(lane, _)| &mut **lane).collect();
        saved.sort_unstable_by_key(|lane| lane.number());
        self.lanes = saved.len();
        self.closed_lanes.clear();
        saved.into_iter().enumerate().for_each(|(number, lane)| lane.set_number(number));
    }

    /// The entity that lives in a slot.
    pub(crate) fn living_at(&self, slot: usize) -> Option<Entity> {
        let generation = *self.generations.get(slot)?;
        (generation & DEAD == 0).then(|| id(slot as u32, generation))
    }

    /// All that live.
    pub(crate) fn living(&self) -> impl Iterator<Item = Entity> + '_ {
        let words = self.alive.iter().enumerate();
        words.flat_map(move |(word, &bits)| mask::Bits(bits).map(move |bit| self.at(word * 64 + bit)))
    }

    /// A new entity with a set of components that is known only now.
    pub(crate) fn spawn_set(&mut self, set: Words, words: usize) -> Entity {
        self.spawn(&crate::base::component_set::SpawnSet::of(set, words))
    }

    /// An id that nobody has or will have; nothing if there is none left.
    pub(crate) fn nobody(&mut self) -> Entity {
        let nobody = self.spawn_set(Words::EMPTY, 1);
        self.despawn(nobody);
        nobody
    }
}

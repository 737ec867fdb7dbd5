//! The saved form of the allocator and of reserved slots: the state that decides which slot a new
//! entity gets, and nothing else.
//!
//! State that follows from the saved state or from the columns is computed while loading. An
//! [`Image`] comes from a file: [`Entities::of_image`] refuses an image with which a slot could be
//! allocated twice.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::sync::atomic::AtomicU64;

use serde::{Deserialize, Serialize};

use crate::base::component_set::{SpawnSet, Words};
use crate::base::mask;
use crate::base::page;
use crate::entity::Entity;
use crate::entity::allocation_group::AllocationGroup;
use crate::entity::allocator::shared_blocks::PARTS;
use crate::entity::allocator::{DEAD, Entities, SHARED};
use crate::entity::blocks::{Block, BlockOwner, Blocks, NONE};
use crate::entity::reserved_slots::ReservedSlots;
use crate::persist::memory::{self, TooMuch};

/// The latest tick and the highest count that a file may contain, so that a loaded world can count
/// as far again. Only forged files have values close to it. A world that was loaded from such a
/// file and got beyond is saved with this tick in place of later ones.
pub(crate) const LATEST: u64 = 1 << 62;

/// The number of reserved slots that a file may have beyond those of the world's systems: those of
/// schedules that were built at run time. Each of them makes entities lie 64 slots further apart,
/// so that a forged number would take memory without bound.
const SPARE_RESERVED: usize = 1024;

/// The index of the group that stands in a file for all reserved slots.
const RESERVED: usize = 1;

/// The set of the group that stands in a file for the blocks of chosen ids. No component has this
/// index.
const EXTERNAL: [u16; 1] = [u16::MAX];

/// A set of components, by index.
pub(crate) type ComponentIndices = Vec<u16>;

/// The saved form of [`Entities`].
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Image {
    pub(crate) tick: u64,
    first_generation: u32,
    reserved_count: u32,
    closed_reserved: Vec<u32>,
    groups: Vec<AllocationGroupImage>,
    blocks: Vec<BlockImage>,
    /// The generations of the slots in their order, run-length encoded: a generation, and the
    /// number of consecutive slots that have it. A slot without a live entity has the highest bit
    /// set.
    generations: Vec<(u32, u32)>,
}

/// The saved form of an [`AllocationGroup`]. The groups of a file are the shared group, one without
/// content that stands for all reserved slots, those of the sets of components, and one for the
/// blocks of chosen ids, if there are any.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct AllocationGroupImage {
    set: ComponentIndices,
    open: Option<u32>,
    run: (u32, u32),
    next_run: u32,
    /// Blocks, or parts if the group has no blocks of its own.
    holes: Vec<u32>,
    /// Of the shared group: the number of slots of its open block that were handed out.
    shared: u32,
}

impl AllocationGroupImage {
    /// A group without blocks.
    fn empty(set: ComponentIndices) -> Self {
        Self { set, open: None, run: (0, 0), next_run: 1, holes: Vec::new(), shared: 0 }
    }
}

/// The saved form of a [`Block`]: the index of its group in the file, its retired slots, the tick
/// of its last despawn.
#[derive(Serialize, Deserialize)]
struct BlockImage(Option<u32>, u64, u64);

/// The saved form of [`ReservedSlots`].
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReservedSlotsImage {
    pub(super) number: u32,
    pub(super) groups: Vec<ReservedGroupImage>,
}

/// The saved form of the reserved blocks for one set of components.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReservedGroupImage {
    pub(super) set: ComponentIndices,
    pub(super) wanted: u32,
    /// The blocks, each with the slots that can be handed out.
    pub(super) blocks: Vec<(u32, u64)>,
}

/// The indices of the components in a set.
pub(super) fn indices(set: &Words) -> ComponentIndices {
    mask::Slots::new(&set.0).map(|index| index as u16).collect()
}

/// The set with a file's component indices `set`, in the indices of this world. Components that the
/// world lacks are left out.
pub(super) fn words(set: &[u16], index_of: &dyn Fn(u16) -> Option<usize>) -> Words {
    let mut words = Words::EMPTY;
    for index in set.iter().filter_map(|&index| index_of(index)) {
        words.0[index / 64] |= 1 << (index % 64);
    }
    words
}

/// Refuses blocks to spawn entities in for a group that stands for reserved slots or for chosen
/// ids.
fn has_no_blocks_to_fill(at: usize, image: &Image) -> Result<(), String> {
    let group = &image.groups[at];
    match group.open {
        Some(open) => Err(format!("the open block {open} of group {at} does not belong to it")),
        None if group.run.0 < group.run.1 => {
            let kept = if at == RESERVED { "slots" } else { "ids" };
            Err(format!("group {at}, of reserved {kept}, has a run of blocks"))
        }
        None => Ok(()),
    }
}

/// The length of the parts of a run that are compared at once.
const PART: usize = 16;

/// Encodes generations by the lengths of their runs.
fn runs(mut generations: &[u32]) -> Vec<(u32, u32)> {
    let mut runs = Vec::new();
    while let Some(&first) = generations.first() {
        // without a branch for each slot: most worlds are a few long runs
        let parts = generations.as_chunks::<PART>().0.iter();
        let parts = parts.take_while(|part| part.iter().fold(0, |sum, slot| sum | (slot ^ first)) == 0);
        let known = parts.count() * PART;
        let rest = generations[known..].iter().take_while(|slot| **slot == first).count();
        runs.push((first, (known + rest) as u32));
        generations = &generations[known + rest..];
    }
    runs
}

impl Image {
    /// The number of slots.
    pub(crate) fn slots(&self) -> usize {
        self.blocks.len() * 64
    }
}

impl Entities {
    /// The saved form.
    pub(crate) fn image(&self) -> Image {
        // the fields that are left out follow from the others or from the columns
        let Self {
            generations,
            alive: _,
            blocks,
            groups,
            handed_out,
            group_of_set: _,
            cache: _,
            held: _,
            stride: _,
            first_generation,
            reserved_count,
            reserved_keys: _,
            closed_reserved,
            tick,
            loaded_at: _,
            snapshot_slots: _,
            resource_ticks: _,
            journal: _,
            mark: _,
            division: _,
            spawn_sites: _,
            of_targets: _,
        } = self;
        let mut groups: Vec<AllocationGroupImage> = groups
            .iter()
            .map(|group| AllocationGroupImage {
                set: indices(&group.set),
                open: (group.open != NONE).then_some(group.open),
                run: (group.run.start, group.run.end),
                next_run: group.next_run,
                holes: group.holes.all().to_vec(),
                shared: group.shared,
            })
            .collect();
        groups[SHARED].shared = *handed_out;
        groups.insert(RESERVED, AllocationGroupImage::empty(Vec::new()));
        if blocks.all.iter().any(|block| block.owner() == BlockOwner::External) {
            groups.push(AllocationGroupImage::empty(EXTERNAL.to_vec()));
        }
        let blocks = blocks.all.iter().map(|state| {
            let group = match state.owner() {
                BlockOwner::Free => None,
                BlockOwner::Reserved => Some(RESERVED),
                BlockOwner::External => Some(groups.len() - 1),
                BlockOwner::Group(SHARED) => Some(SHARED),
                BlockOwner::Group(group) => Some(group + 1),
            };
            let Block { retired, touched: _, last_despawn, .. } = *state;
            BlockImage(group.map(|group| group as u32), retired, last_despawn.min(LATEST))
        });
        let blocks = blocks.collect();
        Image {
            tick: (*tick).min(LATEST),
            first_generation: *first_generation,
            reserved_count: *reserved_count as u32,
            closed_reserved: closed_reserved.iter().map(|&slots| slots as u32).collect(),
            groups,
            blocks,
            generations: runs(generations),
        }
    }

    /// The allocator `entities`, which is empty, with these live entities, sorted and at most one
    /// for each slot: for a file that contains no allocator.
    pub(crate) fn of_living(mut entities: Self, living: &[Entity]) -> Result<Self, TooMuch> {
        let blocks = living.last().map_or(0, |last| last.slot() as usize / 64 + 1);
        entities.loaded_at = entities.tick;
        entities.restart_journal();
        entities.charge(blocks)?;
        entities.grow_to(blocks);
        for entity in living {
            entities.generations[entity.slot() as usize] = entity.generation().get();
            entities.alive[entity.slot() as usize / 64] |= 1 << (entity.slot() % 64);
        }
        for block in 0..blocks as u32 {
            let alive = entities.alive[block as usize];
            if alive != 0 {
                entities.give_to_group(block, SHARED);
                entities.groups[SHARED].holes.push_if(alive != u64::MAX, block);
            }
        }
        Ok(entities)
    }

    /// Counts the memory of `blocks` blocks towards the limit for the file.
    fn charge(&self, blocks: usize) -> Result<(), TooMuch> {
        let slots = 64 * size_of::<u32>();
        let block = slots + size_of::<Block>() + (1 + self.stride) * size_of::<u64>();
        memory::charge((blocks * block) as u64)
    }

    /// The allocator of an image, from `entities`, which is the empty allocator of the world.
    ///
    /// # Errors
    /// The reason if the image contradicts itself.
    pub(crate) fn of_image(
        mut entities: Self,
        image: &Image,
        index_of: &dyn Fn(u16) -> Option<usize>,
    ) -> Result<Self, String> {
        let count = image.blocks.len();
        if image.tick == 0 || image.tick > LATEST {
            return Err(format!("the tick {} is out of range", image.tick));
        }
        if image.first_generation == 0 || image.first_generation & DEAD != 0 {
            return Err(format!("{} is not a generation", image.first_generation));
        }
        entities.charge(count).map_err(|error| error.to_string())?;
        (entities.tick, entities.loaded_at) = (image.tick, image.tick);
        entities.restart_journal();
        entities.restart_resource_ticks();
        entities.first_generation = image.first_generation;
        entities.blocks = Blocks::new(count).ok_or_else(|| format!("{count} blocks are too many"))?;
        entities.held.resize_with(count * entities.stride, || AtomicU64::new(0));
        entities.expand(image)?;
        let owners = entities.take_groups(image, index_of)?;
        entities.take_blocks(image, &owners)?;
        for (at, &owner) in owners.iter().enumerate() {
            match owner {
                BlockOwner::Group(group) => entities.open_again(group, at, image)?,
                _ => has_no_blocks_to_fill(at, image)?,
            }
        }
        entities.take_reserved(image)?;
        Ok(entities)
    }

    /// Decodes the generations, from which also follows which slots have a live entity.
    fn expand(&mut self, image: &Image) -> Result<(), String> {
        let slots = image.slots();
        let announced = image.generations.iter().map(|&(_, count)| u64::from(count)).sum::<u64>();
        if announced != slots as u64 {
            return Err(format!("the file has {announced} generations for {slots} slots"));
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

    /// Makes the groups of the image, without blocks. Returns the owner for which each group of the
    /// file stands.
    fn take_groups(
        &mut self,
        image: &Image,
        index_of: &dyn Fn(u16) -> Option<usize>,
    ) -> Result<Vec<BlockOwner>, String> {
        if image.groups.len() < 2 {
            return Err("the groups of shared blocks and of reserved slots are missing".into());
        }
        let mut owners = Vec::new();
        for (at, group) in image.groups.iter().enumerate() {
            let (next_run, shared) = (group.next_run, group.shared);
            if !next_run.is_power_of_two() || next_run > page::MAX_WORDS as u32 || shared > 64 {
                return Err(format!(
                    "group {at} has `next_run` {next_run} and {shared} shared slots: `next_run` is a power of two up to {}, and \
                     a group has at most 64 shared slots",
                    page::MAX_WORDS
                ));
            }
            owners.push(match at {
                SHARED => {
                    (self.groups[SHARED].next_run, self.handed_out) = (next_run, shared);
                    BlockOwner::Group(SHARED)
                }
                RESERVED => BlockOwner::Reserved,
                _ if group.set == EXTERNAL => BlockOwner::External,
                _ => {
                    let set = words(&group.set, index_of);
                    // two groups with the same set, because the world lacks a component of the
                    // file, are one group from now on
                    self.group_of_set.entry(set).or_insert(self.groups.len() as u32);
                    let mut new = AllocationGroup::new(set);
                    (new.next_run, new.shared) = (next_run, shared);
                    if group.open.is_some() || next_run > 1 {
                        new.leave_parts();
                    }
                    self.groups.push(new);
                    BlockOwner::Group(self.groups.len() - 1)
                }
            });
        }
        Ok(owners)
    }

    fn take_blocks(&mut self, image: &Image, owners: &[BlockOwner]) -> Result<(), String> {
        for (block, &BlockImage(group, retired, last_despawn)) in image.blocks.iter().enumerate() {
            let alive = self.alive[block];
            if last_despawn > self.tick {
                return Err(format!(
                    "the last despawn in block {block} is at tick {last_despawn}, later than the file's tick {}",
                    self.tick
                ));
            }
            let is_spent = |bit| self.generations[block * 64 + bit] == DEAD | (DEAD - 1);
            if alive & retired != 0 || !mask::Bits(retired).all(is_spent) {
                return Err(format!("block {block} has retired slots that have generations left"));
            }
            if let Some(group) = group {
                let Some(&owner) = owners.get(group as usize) else {
                    return Err(format!("block {block} belongs to group {group}, which does not exist"));
                };
                let mut set = Words::EMPTY;
                if let BlockOwner::Group(group) = owner {
                    set = self.groups[group].set;
                    // versions that knew no parts left `next_run` at 1 if the only blocks of a
                    // group had entities whose ids were chosen
                    if self.groups[group].has_parts() {
                        self.groups[group].leave_parts();
                        self.groups[group].has_first_block();
                    }
                }
                self.give_block(block as u32, owner, &set);
            } else if alive != 0 {
                return Err(format!("block {block} belongs to no group but has a live entity"));
            }
            let state = self.blocks.get_mut(block as u32);
            (state.retired, state.last_despawn) = (retired, last_despawn);
        }
        Ok(())
    }

    /// Restores the open block, the run and the holes or parts of a group, which has the index `at`
    /// in the image.
    fn open_again(&mut self, group: usize, at: usize, image: &Image) -> Result<(), String> {
        let (count, from) = (self.blocks.len(), &image.groups[at]);
        let is_own = |block: u32| self.owner_of(block) == Some(BlockOwner::Group(group));
        let (start, end) = from.run;
        if !(start..end).all(|block| is_own(block) && self.alive[block as usize] == 0) {
            return Err(format!(
                "the run of group {at} has a block that does not exist, belongs to another group or is not empty"
            ));
        }
        if let Some(open) = from.open {
            if !is_own(open) || (start..end).contains(&open) {
                return Err(format!("the open block {open} of group {at} does not belong to it"));
            }
            (self.groups[group].open, self.groups[group].free) = (open, self.free_of(open));
        } else if group != SHARED && start < end {
            return Err(format!("group {at} has a run of blocks but no open block"));
        }
        let entry = &mut self.groups[group];
        if entry.has_parts() {
            if from.holes.len() > PARTS as usize
                || from.holes.iter().any(|part| (part / PARTS) as usize >= count)
            {
                return Err(format!(
                    "group {at} has a part of a block that does not exist, or more than {PARTS} parts"
                ));
            }
        } else if let Some(hole) =
            from.holes.iter().find(|&&hole| hole as usize >= count || (start..end).contains(&hole))
        {
            return Err(format!("block {hole} with holes of group {at} does not exist or is not opened yet"));
        } else {
            entry.run = start..end.max(start);
        }
        from.holes.iter().for_each(|&hole| entry.holes.push_if(true, hole));
        Ok(())
    }

    fn take_reserved(&mut self, image: &Image) -> Result<(), String> {
        let mut seen = BTreeSet::new();
        if !image.closed_reserved.iter().all(|&slots| slots < image.reserved_count && seen.insert(slots)) {
            return Err("a number in `closed_reserved` is out of range or listed twice".into());
        }
        self.reserved_count = image.reserved_count as usize;
        self.closed_reserved = image.closed_reserved.iter().map(|&slots| slots as usize).collect();
        Ok(())
    }

    /// Checks and registers the reserved slots of the world's systems; `true` marks those that the
    /// file has, the others get a new number. Reserved blocks of the file that no system owns any
    /// more become free, or shared if they have entities.
    pub(crate) fn register_reserved(
        &mut self,
        reserved: &mut [(&mut ReservedSlots, bool)],
    ) -> Result<(), String> {
        let mut numbers: BTreeSet<usize> = self.closed_reserved.iter().copied().collect();
        let mut owned = BTreeSet::new();
        for (slots, _) in reserved.iter().filter(|(_, saved)| *saved) {
            if slots.number() >= self.reserved_count || !numbers.insert(slots.number()) {
                return Err(format!(
                    "the number {} of reserved slots is out of range or occurs twice",
                    slots.number()
                ));
            }
            for block in slots.blocks() {
                if self.owner_of(block) != Some(BlockOwner::Reserved) || !owned.insert(block) {
                    return Err(format!(
                        "block {block} does not belong to the reserved slots {}",
                        slots.number()
                    ));
                }
            }
        }
        if self.reserved_count > reserved.len() + SPARE_RESERVED {
            self.number_again(reserved);
        } else {
            self.closed_reserved.extend((0..self.reserved_count).filter(|slots| !numbers.contains(slots)));
        }
        for (slots, saved) in reserved {
            if *saved {
                slots.fill_again(self);
            } else {
                **slots = self.open_reserved();
            }
        }
        for block in self.reserved_blocks().into_iter().filter(|block| !owned.contains(block)) {
            self.return_block(block, SHARED);
        }
        Ok(())
    }

    /// Takes back all reserved blocks and numbers: no system of the world has any.
    pub(crate) fn drop_reserved(&mut self) {
        (self.reserved_count, self.reserved_keys, self.closed_reserved) = (0, Vec::new(), Vec::new());
        for block in self.reserved_blocks() {
            self.return_block(block, SHARED);
        }
    }

    /// Gives the saved reserved slots the first numbers, in the order of their old ones, and drops
    /// all other numbers.
    fn number_again(&mut self, reserved: &mut [(&mut ReservedSlots, bool)]) {
        let mut saved: Vec<&mut ReservedSlots> =
            reserved.iter_mut().filter(|(_, saved)| *saved).map(|(slots, _)| &mut **slots).collect();
        saved.sort_unstable_by_key(|slots| slots.number());
        self.reserved_count = saved.len();
        self.closed_reserved.clear();
        saved.into_iter().enumerate().for_each(|(number, slots)| slots.set_number(number));
    }

    /// All live entities.
    pub(crate) fn living(&self) -> impl Iterator<Item = Entity> + '_ {
        mask::Slots::new(&self.alive).map(|slot| self.at(slot as usize))
    }

    /// Spawns an entity with a set of components that is known only at run time.
    pub(crate) fn spawn_set(&mut self, set: Words) -> Entity {
        self.spawn(&SpawnSet::of(set, self.stride))
    }

    /// An id that no entity has or will have.
    pub(crate) fn dead_id(&mut self) -> Entity {
        let entity = self.spawn_set(Words::EMPTY);
        self.despawn(entity);
        entity
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use serde_json::{Value, json};

    use super::*;
    use crate::base::component_set::ComponentSet;
    use crate::entity::allocator::id;

    #[test]
    fn runs_have_the_generations_in_their_order() {
        for lengths in [&[][..], &[1], &[16], &[17], &[15, 1], &[1, 16, 33, 2, 64], &[1, 1, 1, 48, 1]] {
            let expected: Vec<(u32, u32)> = (7..).zip(lengths.iter().copied()).collect();
            let slots: Vec<u32> =
                expected.iter().flat_map(|&(first, len)| vec![first; len as usize]).collect();
            assert_eq!(runs(&slots), expected);
        }
    }

    static A: SpawnSet = ComponentSet::EMPTY.with(0).spawn_set(100);

    fn read(image: &Value) -> Result<Entities, String> {
        let image: Image = serde_json::from_value(image.clone()).unwrap();
        Entities::of_image(Entities::with(2, 1), &image, &|index| Some(index.into()))
    }

    #[test]
    fn live_entities_without_an_allocator_have_their_slots_and_leave_the_holes_of_their_blocks() {
        let slots = (0..64).chain([130, 320]);
        let living: Vec<Entity> = slots.map(|slot| id(slot, 7 + slot)).collect();
        let mut entities = Entities::of_living(Entities::with(2, 1), &living).unwrap();
        assert!(entities.living().eq(living.iter().copied()) && entities.len() == 66);
        assert_eq!((entities.blocks(), entities.free_blocks()), (6, 3));
        let mut batch = Vec::new();
        entities.spawn_many(&A, 60, &mut batch);
        let blocks: BTreeSet<u32> = batch.into_iter().flatten().map(|slot| slot / 64).collect();
        assert_eq!(blocks, BTreeSet::from([5]), "a small batch fills the last block with holes");
        assert_eq!(Entities::of_living(Entities::with(2, 1), &[]).unwrap().blocks(), 0);
    }

    #[test]
    fn the_memory_of_slots_counts_towards_the_limit() {
        let block = (64 * size_of::<u32>() + size_of::<Block>() + 3 * size_of::<u64>()) as u64;
        let limited = |bytes, blocks: u32| {
            let last = [id(blocks * 64 - 1, 1)];
            let load = || Entities::of_living(Entities::with(2, 1), &last).is_ok();
            memory::limited(Some(bytes), 0, load)
        };
        for blocks in [1, 3, 1000] {
            assert!(limited(block * u64::from(blocks), blocks), "{blocks} blocks");
            assert!(!limited(block * u64::from(blocks) - 1, blocks), "{blocks} blocks in less memory");
        }
    }

    /// The image of an allocator with holes, a run that was not opened yet, a free block and
    /// retired slots.
    fn image() -> Value {
        let mut entities = Entities::with(2, 1);
        let all: Vec<Entity> = (0..64 * 4).map(|_| entities.spawn(&A)).collect();
        for entity in all.into_iter().filter(|entity| entity.slot() < 64 || entity.slot() % 3 == 0) {
            entities.despawn(entity);
        }
        let mut image = serde_json::to_value(entities.image()).unwrap();
        assert!(read(&image).is_ok());
        // the group `2` is that of `A`: its blocks are 0 to 6, of which 0 is empty and free, and 4
        // to 6 are its run
        assert_eq!(image["groups"][2]["run"], json!([4, 7]));
        assert_eq!(image["blocks"][0][0], json!(null));
        image["closed_reserved"] = json!([]);
        image
    }

    #[test]
    fn an_image_that_contradicts_itself_is_refused() {
        let valid = image();
        let with = |path: &str, value: Value| {
            let mut image = valid.clone();
            *image.pointer_mut(path).unwrap_or_else(|| panic!("{path} is not in {valid}")) = value;
            read(&image).map(drop)
        };
        let accepted = [
            ("/tick", json!(LATEST)),
            ("/first_generation", json!(DEAD - 1)),
            ("/groups/2/next_run", json!(page::MAX_WORDS)),
            ("/groups/2/shared", json!(64)),
            ("/groups/2/run", json!([9999, 9999])),
            ("/groups/2/run", json!([7, 4])),
            ("/groups/2/holes", json!([0, 1, 2, 1])),
            ("/blocks/3/2", valid["tick"].clone()),
        ];
        for (path, value) in accepted {
            assert_eq!(with(path, value.clone()), Ok(()), "{path}: {value}");
        }
        let refused = [
            ("/tick", json!(0), "out of range"),
            ("/tick", json!(LATEST + 1), "out of range"),
            ("/first_generation", json!(0), "is not a generation"),
            ("/first_generation", json!(DEAD), "is not a generation"),
            ("/first_generation", json!(DEAD | 5), "is not a generation"),
            ("/generations/0/0", json!(0), "has no generation"),
            ("/generations/0/0", json!(DEAD), "has no generation"),
            ("/generations/0/1", json!(1), "generations for"),
            ("/groups", json!([]), "are missing"),
            ("/groups/2/next_run", json!(0), "power of two"),
            ("/groups/2/next_run", json!(3), "power of two"),
            ("/groups/2/next_run", json!(page::MAX_WORDS * 2), "power of two"),
            ("/groups/2/shared", json!(65), "at most 64 shared"),
            ("/blocks/1/0", json!(null), "belongs to no group"),
            ("/blocks/1/0", json!(3), "does not exist"),
            ("/blocks/3/1", json!(1), "retired slots that have generations left"),
            ("/blocks/3/1", json!(2), "retired slots that have generations left"),
            ("/blocks/3/2", json!(valid["tick"].as_u64().unwrap() + 1), "later than"),
            ("/groups/2/run", json!([4, 8]), "does not exist, belongs to another group or is not empty"),
            ("/groups/2/run", json!([3, 7]), "is not empty"),
            ("/groups/2/run", json!([7, 5000]), "does not exist"),
            ("/groups/2/open", json!(7), "does not belong to it"),
            ("/groups/2/open", json!(u32::MAX), "does not belong to it"),
            ("/groups/2/open", json!(0), "does not belong to it"),
            ("/groups/2/open", json!(5), "does not belong to it"),
            ("/groups/1/open", json!(3), "does not belong to it"),
            ("/groups/2/open", json!(null), "group 2 has a run of blocks but no open block"),
            ("/groups/2/holes", json!([7]), "does not exist or is not opened yet"),
            ("/groups/2/holes", json!([5]), "does not exist or is not opened yet"),
            ("/closed_reserved", json!([0]), "out of range or listed twice"),
        ];
        for (path, value, reason) in refused {
            let error = with(path, value.clone()).expect_err(path);
            assert!(error.contains(reason), "{path}: {value}: {error}");
        }
        let mut reserved = valid.clone();
        reserved["reserved_count"] = json!(2);
        for (closed, valid) in [(json!([1, 0]), true), (json!([1, 1]), false), (json!([2]), false)] {
            reserved["closed_reserved"] = closed;
            assert_eq!(read(&reserved).is_ok(), valid);
        }
        // a reserved block cannot be open, though it belongs to the group
        let mut open = valid.clone();
        open["blocks"][3][0] = json!(1);
        open["groups"][1]["open"] = json!(3);
        assert!(read(&open).is_err_and(|error| error.contains("the open block 3 of group 1")));
        // and reserved blocks have no run, from which a block could be opened while a system owns
        // it
        let mut run = valid.clone();
        (run["blocks"][6][0], run["groups"][2]["run"]) = (json!(1), json!([4, 6]));
        assert!(read(&run).is_ok());
        run["groups"][1]["run"] = json!([6, 7]);
        assert!(read(&run).is_err_and(|error| error.contains("of reserved slots, has a run of blocks")));
        // nor have blocks that are kept for chosen ids
        let mut kept = run["groups"][1].take();
        run["groups"][1] = valid["groups"][1].clone();
        kept["set"] = json!(EXTERNAL);
        run["groups"].as_array_mut().unwrap().push(kept);
        assert!(read(&run).is_err_and(|error| error.contains("of reserved ids, has a run of blocks")));
    }

    #[test]
    fn the_id_of_no_entity_takes_no_slot_of_another_group() {
        const WORDS: usize = 2;
        let empty = SpawnSet::of(Words::EMPTY, WORDS);
        // a set of the second word alone that the allocator caches at the place of the empty set
        let set = (64..128).flat_map(|a| (a..128).map(move |b| ComponentSet::EMPTY.with(a).with(b)));
        let sets: Vec<SpawnSet> = set.map(|set| set.spawn_set(128)).collect();
        let same = sets.iter().find(|set| set.hash % 64 == empty.hash % 64).unwrap();
        let mut entities = Entities::with(WORDS, 1);
        let other = entities.spawn(same);
        let before = entities.group_of_set.len();
        let dead = entities.dead_id();
        assert!(!entities.contains(dead) && dead.slot() != other.slot());
        assert_eq!(entities.group_of_set.len(), before + 1, "the empty set has a group of its own");
    }

    #[test]
    fn retired_slots_of_a_file_stay_retired() {
        let mut entities = Entities::with(2, DEAD - 1);
        let all: Vec<Entity> = (0..70).map(|_| entities.spawn(&A)).collect();
        let retired = [3, 63, 64].map(|at| all[at]);
        assert!(retired.iter().all(|&entity| entities.despawn(entity)));
        let image = serde_json::to_value(entities.image()).unwrap();
        let mut read = read(&image).unwrap();
        assert_eq!(vec![read.free_of(0), read.free_of(1)], vec![0, u64::MAX << 6]);
        for _ in 0..200 {
            let slot = read.spawn(&A).slot();
            assert!(retired.iter().all(|entity| entity.slot() != slot));
        }
        let mut wrong = image.clone();
        wrong["blocks"][0][1] = json!(1_u64 << 3 | 1 << 62 | 1 << 63);
        assert!(self::read(&wrong).is_err(), "slot 62 has a live entity");
    }

    #[test]
    fn parts_of_a_file_are_checked_and_no_slot_of_them_is_used_twice() {
        static B: SpawnSet = ComponentSet::EMPTY.with(1).spawn_set(100);
        let mut entities = Entities::with(2, 1);
        let all: Vec<Entity> = (0..5).flat_map(|_| [&A, &B].map(|set| entities.spawn(set))).collect();
        let valid = serde_json::to_value(entities.image()).unwrap();
        assert_eq!(
            (&valid["groups"][2]["holes"], &valid["groups"][3]["holes"]),
            (&json!([0, 2]), &json!([1, 3]))
        );
        let with = |holes: Value| {
            let mut image = valid.clone();
            image["groups"][2]["holes"] = holes;
            read(&image)
        };
        for holes in [json!([16]), json!([0, u32::MAX]), json!(vec![0; 17])] {
            assert!(with(holes).is_err_and(|error| error.contains("group 2 has a part")));
        }
        for holes in [json!([]), json!([0, 2]), json!([3, 3, 1]), json!((0..16).collect::<Vec<_>>())] {
            let mut read = with(holes).unwrap();
            let mut used: BTreeSet<u32> = all.iter().map(|entity| entity.slot()).collect();
            for _ in 0..100 {
                assert!([&A, &B].iter().all(|set| used.insert(read.spawn(set).slot())));
            }
        }
    }

    #[test]
    fn a_group_with_blocks_and_no_open_one_lists_blocks() {
        let mut entities = Entities::with(2, 1);
        entities.spawn_at(id(70, 1), &A);
        let mut image = serde_json::to_value(entities.image()).unwrap();
        assert_eq!((&image["groups"][2]["open"], &image["groups"][2]["holes"]), (&json!(null), &json!([1])));
        for next_run in [1, 2] {
            image["groups"][2]["next_run"] = json!(next_run);
            let mut read = read(&image).unwrap();
            assert_eq!([64, 65].map(|_| read.spawn(&A).slot()), [64, 65]);
        }
    }
}

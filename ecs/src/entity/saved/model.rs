//! Random tests of the allocator: it is compared with a plain map from slots to entities, and with
//! copies of itself, which must allocate the same ids from then on. Sets have components in two
//! words.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::num::NonZeroU32;
use core::ops::Range;

use super::image::{Image, ReservedSlotsImage, indices};
use crate::base::component_set::{ComponentSet, SpawnSet, Words};
use crate::base::mask::Bits;
use crate::entity::Entity;
use crate::entity::allocator::shared_blocks::PARTS;
use crate::entity::allocator::{DEAD, Entities, SHARED};
use crate::entity::blocks::{BlockOwner, NONE};
use crate::entity::reserved_slots::ReservedSlots;
use crate::error::IdConflict;

const COMPONENTS: usize = 128;
const WORDS: usize = 2;
/// The number of sets of a world with few groups.
const FEW: usize = 5;
/// The sets of a world with many groups; the first ones are those of a world with few.
static SETS: [SpawnSet; 45] = {
    let mut sets = [ComponentSet::EMPTY.spawn_set(COMPONENTS); 45];
    sets[0] = ComponentSet::EMPTY.with(0).spawn_set(COMPONENTS);
    sets[1] = ComponentSet::EMPTY.with(1).with(70).spawn_set(COMPONENTS);
    sets[2] = ComponentSet::EMPTY.with(70).spawn_set(COMPONENTS);
    sets[3] = ComponentSet::EMPTY.with(5).with(64).with(127).spawn_set(COMPONENTS);
    let mut set = FEW;
    while set < sets.len() {
        sets[set] = ComponentSet::EMPTY.with(set).with(set + 64).spawn_set(COMPONENTS);
        set += 1;
    }
    sets
};

/// The allocator of a world with two systems that spawn, and the entities that it must have.
#[derive(Clone)]
struct AllocatorModel {
    entities: Entities,
    reserved: [ReservedSlots; 2],
    /// By slot: the entity, and the columns that have a value for it, one bit each.
    alive: BTreeMap<u32, (Entity, u128)>,
    /// All ids that were ever given to an entity.
    used: BTreeSet<Entity>,
    /// The slots that are kept for chosen ids.
    kept: Vec<Range<u32>>,
    /// The number of sets of which entities are spawned.
    sets: usize,
}

fn columns(set: usize) -> u128 {
    let few = [1, 1 << 1 | 1 << 70, 1 << 70, 1 << 5 | 1 << 64 | 1 << 127, 0];
    few.get(set).copied().unwrap_or(1 << set | 1 << (set + 64))
}

impl AllocatorModel {
    fn new(sets: usize) -> Self {
        let mut entities = Entities::with(WORDS, 1);
        let reserved = [0, 1].map(|_| entities.open_reserved());
        Self { entities, reserved, alive: BTreeMap::new(), used: BTreeSet::new(), kept: Vec::new(), sets }
    }

    fn add(&mut self, entity: Entity, set: usize) {
        assert!(self.used.insert(entity), "the id {entity} was allocated twice");
        let before = self.alive.insert(entity.slot(), (entity, columns(set)));
        assert!(before.is_none(), "the slot of {entity} was allocated twice");
    }

    fn spawn(&mut self, set: usize) -> Entity {
        let entity = self.entities.spawn(&SETS[set]);
        assert!(!self.is_kept(entity.slot()), "{entity} is in a range of reserved ids");
        self.add(entity, set);
        entity
    }

    fn spawn_many(&mut self, set: usize, count: usize) {
        let mut ranges = Vec::new();
        self.entities.spawn_many(&SETS[set], count, &mut ranges);
        let slots: Vec<u32> = ranges.into_iter().flatten().collect();
        assert_eq!(slots.len(), count);
        for slot in slots {
            assert!(!self.is_kept(slot), "slot {slot} is in a range of reserved ids");
            self.add(self.entities.at(slot as usize), set);
        }
    }

    /// Spawns an entity with a chosen id in a slot from `slot` on, if the slot has none and is not
    /// reserved for commands; then asserts that the id is refused from now on.
    fn spawn_at(&mut self, slot: u32, ahead: u32, set: usize) {
        let next = self.entities.generations().get(slot as usize).map_or(1, |of| of & !DEAD);
        let entity = Entity::from_parts(slot, NonZeroU32::new(next + ahead).unwrap());
        match self.entities.conflict(entity) {
            None => {
                assert!(!self.alive.contains_key(&slot));
                self.entities.spawn_at(entity, &SETS[set]);
                self.add(entity, set);
            }
            Some(IdConflict::Occupied(other)) => assert_eq!(self.alive[&slot].0, other),
            Some(conflict) => {
                assert_eq!(conflict, IdConflict::ReservedByCommands);
                assert_eq!(self.entities.blocks.get(slot / 64).owner(), BlockOwner::Reserved);
            }
        }
        let used = self.used.range(..entity).next_back().copied();
        for id in used.into_iter().chain(self.alive.get(&slot).map(|of| of.0)) {
            assert!(self.entities.conflict(id).is_some(), "{id} was used before");
        }
    }

    /// Keeps the blocks of a range for chosen ids, unless one of them is in use.
    fn reserve_slots(&mut self, slots: Range<u32>) {
        let before = self.entities.blocks();
        match self.entities.reserve_slots(&slots) {
            Ok(()) => self.kept.push(slots.start / 64 * 64..slots.end.next_multiple_of(64)),
            Err(slot) => {
                let slot = slot.expect("the range is within the slots of a world");
                assert!(slot < before as u32 * 64 && slots.contains(&slot.max(slots.start)));
            }
        }
    }

    fn is_kept(&self, slot: u32) -> bool {
        self.kept.iter().any(|slots| slots.contains(&slot))
    }

    /// Lets each system spawn entities by commands, and flushes them; an id in seven is given up.
    fn flush(&mut self, counts: [usize; 2], set: usize) {
        let mut ids = Vec::new();
        for (system, count) in counts.into_iter().enumerate() {
            for i in 0..count {
                let set = if i % 3 == 0 { (set + 1) % self.sets } else { set };
                ids.push((self.reserved[system].reserve(&self.entities, &SETS[set]), set));
            }
        }
        self.reserved.iter_mut().for_each(|slots| _ = self.entities.flush_reserved(slots));
        for (at, (entity, set)) in ids.into_iter().enumerate() {
            if at % 7 == 6 {
                self.entities.give_up(entity);
                assert!(!self.entities.contains(entity) && self.used.insert(entity));
                continue;
            }
            assert!(!self.is_kept(entity.slot()), "{entity} is in a range of reserved ids");
            assert!(self.entities.revive(entity), "the slot of {entity}, which was reserved, is not free");
            self.add(entity, set);
        }
        self.reserved.iter_mut().for_each(|slots| self.entities.refill(slots));
    }

    fn despawn(&mut self, which: impl Fn(u32) -> bool) {
        let slots: Vec<u32> = self.alive.keys().copied().filter(|&slot| which(slot)).collect();
        for slot in slots {
            let (entity, _) = self.alive.remove(&slot).unwrap();
            assert!(self.entities.despawn(entity) && !self.entities.despawn(entity), "{entity}");
        }
    }

    /// Gives an entity a component as `insert` does.
    fn note(&mut self, slot: u32, column: usize) {
        self.entities.note(slot, column);
        self.alive.get_mut(&slot).unwrap().1 |= 1 << column;
    }

    /// Regroups the entities, and gives them their present ids.
    fn regroup(&mut self) {
        let alive = &self.alive;
        let word_of = |column: usize, block: usize| {
            let here = alive.range(block as u32 * 64..(block as u32 + 1) * 64);
            here.fold(0, |bits, (slot, (_, columns))| bits | ((columns >> column & 1) as u64) << (slot % 64))
        };
        let plan = self.entities.plan_regroup(word_of);
        let moved = self.entities.regroup(&plan);
        let former: Vec<_> = moved.iter().map(|(old, _)| self.alive.remove(&old.slot()).unwrap().1).collect();
        for ((_, present), columns) in moved.iter().zip(former) {
            assert!(self.used.insert(present), "the id {present} was allocated twice");
            assert!(self.alive.insert(present.slot(), (present, columns)).is_none(), "{present}");
        }
    }

    /// The record of a block has the columns of the entities that its owner will have there.
    fn check_record(&self, block: u32, set: &Words) {
        let held: BTreeSet<usize> = self.entities.columns_of(block * 64).collect();
        let missing = indices(set).into_iter().find(|&column| !held.contains(&usize::from(column)));
        assert_eq!(missing, None, "block {block} has {held:?}, and its owner {:?}", indices(set));
    }

    /// The groups agree with the blocks.
    fn check_groups(&self) {
        let blocks = &self.entities.blocks;
        let owners: BTreeSet<u32> = blocks.all.iter().map(|block| block.group()).collect();
        for block in 0..blocks.len() as u32 {
            let owner = blocks.get(block).group() as usize;
            self.entities.groups.get(owner).iter().for_each(|group| self.check_record(block, &group.set));
        }
        let reserved = self.reserved.iter().flat_map(ReservedSlots::blocks_with_sets);
        reserved.for_each(|(block, set)| self.check_record(block, &set.components));
        for (at, group) in self.entities.groups.iter().enumerate() {
            assert!(group.run.clone().all(|block| blocks.get(block).group() == at as u32), "group {at}");
            if group.open != NONE {
                assert_eq!(blocks.get(group.open).group(), at as u32);
                assert_eq!(group.free, self.entities.free_of(group.open), "group {at}");
            } else if group.has_parts() {
                assert!(!owners.contains(&(at as u32)) && group.run.is_empty(), "group {at}");
                assert!(group.holes.len <= PARTS as usize && group.received() <= 128, "group {at}");
                assert!(group.next_run == 1 && at != SHARED, "group {at}");
            }
        }
    }

    fn check(&self) {
        self.check_groups();
        assert_eq!(self.entities.len(), self.alive.len());
        assert!(self.entities.living().eq(self.alive.values().map(|&(entity, _)| entity)));
        let mut free = 0;
        for block in 0..self.entities.blocks() as u32 {
            let live = self.alive.range(block * 64..(block + 1) * 64);
            free += usize::from(self.entities.blocks.get(block).owner() == BlockOwner::Free);
            for (slot, (entity, columns)) in live {
                assert!(self.entities.contains(*entity));
                let held = self.entities.columns_of(*slot).fold(0_u128, |held, column| held | 1 << column);
                assert_eq!(columns & !held, 0, "{entity} has {columns:#b}, but {held:#b} are held");
            }
        }
        assert_eq!(free, self.entities.free_blocks());
    }

    /// The ids that are allocated next, by each way and for each set.
    fn next_ids(&self) -> Vec<Entity> {
        let mut copy = self.clone();
        for round in 0..2 {
            for set in 0..self.sets {
                (0..if self.sets == FEW { 70 } else { 7 }).for_each(|_| _ = copy.spawn(set));
                copy.spawn_many(set, 100 / self.sets);
                copy.flush([150 / self.sets, 400 / self.sets], set);
            }
            copy.despawn(|slot| slot % 4 == round);
        }
        copy.check();
        copy.alive.into_values().map(|(entity, _)| entity).collect()
    }

    fn images(&self) -> (Image, Vec<ReservedSlotsImage>) {
        (self.entities.image(), self.reserved.iter().map(ReservedSlots::image).collect())
    }

    /// The model with an allocator that was saved and loaded.
    fn loaded(&self) -> Self {
        let (image, reserved) = self.images();
        let image = serde_json::from_str(&serde_json::to_string(&image).unwrap()).unwrap();
        let index_of = |index: u16| Some(usize::from(index));
        let mut entities = Entities::of_image(Entities::with(WORDS, 1), &image, &index_of).unwrap();
        let mut reserved: Vec<ReservedSlots> =
            reserved.into_iter().map(|image| ReservedSlots::of_image(image, &index_of, WORDS)).collect();
        let mut of_file: Vec<_> = reserved.iter_mut().map(|slots| (slots, true)).collect();
        entities.register_reserved(&mut of_file).unwrap();
        // loading a world notes the columns with values, as their values are read
        for (slot, (_, columns)) in &self.alive {
            Bits(*columns as u64).for_each(|column| entities.note(*slot, column));
            Bits((*columns >> 64) as u64).for_each(|column| entities.note(*slot, 64 + column));
        }
        Self { entities, reserved: reserved.try_into().ok().unwrap(), ..self.clone() }
    }

    fn text(&self) -> String {
        let (image, reserved) = self.images();
        format!("{}{}", serde_json::to_string(&image).unwrap(), serde_json::to_string(&reserved).unwrap())
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

#[test]
fn copies_snapshots_and_saves_allocate_as_the_original_and_no_id_twice() {
    (0..6).for_each(|seed| run(seed, FEW, [1, 3, 40, 64, 130, 700]));
}

#[test]
fn copies_snapshots_and_saves_of_many_small_groups_allocate_as_the_original_and_no_id_twice() {
    (0..4).for_each(|seed| run(seed, SETS.len(), [1, 1, 2, 4, 5, 30]));
}

/// Random operations on an allocator with so many sets. The number of entities of an operation is
/// one of `counts`.
fn run(seed: u64, sets: usize, counts: [usize; 6]) {
    let mut random = Random(seed * 7919 + 1);
    let mut model = AllocatorModel::new(sets);
    let mut snapshots: Vec<AllocatorModel> = Vec::new();
    for step in 0..80 {
        let (set, count) = (random.below(sets), counts[random.below(6)]);
        match random.below(19) {
            0 | 1 => (0..count).for_each(|_| _ = model.spawn(set)),
            2 | 3 => model.spawn_many(set, count),
            4 | 5 => model.flush([count, random.below(200 * FEW / sets)], set),
            6 => model.despawn(|slot| slot % 5 != 0),
            7 => model.despawn(|slot| slot as usize / 64 % 3 == set % 3),
            8 if step % 4 == 0 => model.despawn(|_| true),
            9 => {
                let (every, column) = (1 + random.below(20), random.below(COMPONENTS));
                let slots: Vec<u32> = model.alive.keys().copied().step_by(every).collect();
                slots.into_iter().for_each(|slot| model.note(slot, column));
            }
            16 => model.regroup(),
            17 => {
                // entities of all sets in turn, of which some go and come again
                for round in 0..counts[random.below(6)].min(12) {
                    (0..sets).for_each(|set| _ = model.spawn(set));
                    model.despawn(|slot| slot as usize % 7 == round);
                }
            }
            14 => {
                let (first, ahead) = (random.below(6000) as u32, random.below(3) as u32);
                (0..count.min(70) as u32).for_each(|i| model.spawn_at(first + i * i % 97, ahead, set));
            }
            15 => {
                let first = random.below(9000) as u32;
                model.reserve_slots(first..first + count as u32);
            }
            10 => {
                model.entities.next_ticks(1 + random.below(3));
                let mut saved = model.clone();
                saved.entities = model.entities.freeze();
                assert!(saved.alive.keys().map(|&slot| slot as usize).eq(saved.entities.frozen_alive()));
                snapshots.push(saved);
            }
            11 if !snapshots.is_empty() => {
                let saved = &snapshots[random.below(snapshots.len())];
                let mut entities = core::mem::replace(&mut model.entities, Entities::with(1, 1));
                entities.clone_from(&saved.entities);
                model = AllocatorModel { entities, ..saved.clone() };
                let mut fresh = AllocatorModel { entities: Entities::with(WORDS, 1), ..saved.clone() };
                fresh.entities.clone_from(&saved.entities);
                assert_eq!(model.text(), fresh.text(), "seed {seed}, step {step}");
                assert_eq!(model.next_ids(), fresh.next_ids(), "seed {seed}, step {step}");
            }
            12 if step % 3 == 0 => {
                let loaded = model.loaded();
                loaded.check();
                assert_eq!(loaded.text(), model.text(), "seed {seed}, step {step}");
                assert_eq!(loaded.next_ids(), model.next_ids(), "seed {seed}, step {step}");
                model = loaded;
            }
            _ => {
                let mut into = AllocatorModel::new(sets);
                into.spawn_many(set, count);
                into.entities.clone_from(&model.entities);
                let copy = AllocatorModel { entities: into.entities, ..model.clone() };
                assert_eq!(copy.text(), model.text(), "seed {seed}, step {step}");
                assert_eq!(copy.next_ids(), model.next_ids(), "seed {seed}, step {step}");
            }
        }
        model.check();
    }
}

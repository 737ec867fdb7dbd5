//! Regrouping: the plan by which entities move to blocks of their present components, and the allocator's part of the move.
//!
//! The entities with one set of components are a *kind* here. A kind of more than [`SMALL`] entities has blocks of its own: it keeps those
//! in which it has most slots, and the rest of its entities fill the gaps. Smaller kinds lie side by side in the blocks of the shared
//! group. Kinds follow each other in the order of a Gray code, so that neighbours differ in few components, and a query finds the entities
//! that it matches in few runs.
//!
//! The plan depends on the live entities, their components, and the saved state of the allocator, so that equal worlds get equal plans.

use alloc::collections::{BTreeMap, BTreeSet, BinaryHeap};
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::{DEAD, Entities, RESERVED, SHARED};
use crate::base::component_set::{SpawnSet, Words};
use crate::base::mask::Bits;
use crate::entity::Entity;
use crate::entity::blocks::NONE;
use crate::entity::regrouped::Regrouped;

/// The most entities of a kind that goes to shared blocks: with more, its own blocks are half full at least.
const SMALL: usize = 32;

/// The most entities of a kind that stays in shared blocks if it is there already: a batch of so many is spawned there.
const SETTLED: usize = 64;

/// The number of entities of a kind from which on it keeps a block that belongs to another group.
const MAJORITY: usize = 32;

/// The owner of a block after a regrouping.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// The block is not touched: it belongs to reserved slots, or to a range of reserved ids.
    Fixed,
    /// None: the block becomes free, unless the plan assigns it.
    Nobody,
    /// The shared group.
    Shared,
    /// The kind with this index.
    Kind(usize),
}

/// The entities with one set of components.
struct Kind {
    set: Words,
    /// Their slots, ascending.
    slots: Vec<u32>,
    /// Whether they lie side by side in shared blocks, and stay there.
    settled: bool,
}

impl Kind {
    fn is_small(&self) -> bool {
        self.settled || self.slots.len() <= SMALL
    }
}

/// A move of an entity to another slot, with the index of its kind.
struct SlotMove {
    from: u32,
    to: u32,
    kind: usize,
}

/// The plan of a regrouping.
pub(crate) struct RegroupPlan {
    /// Sorted by `from`.
    moves: Vec<SlotMove>,
    kinds: Vec<Kind>,
    /// By block, the new ones included.
    owners: Vec<Owner>,
}

impl RegroupPlan {
    /// The slots that entities leave, ascending.
    pub(crate) fn left_slots(&self) -> impl Iterator<Item = u32> {
        self.moves.iter().map(|one| one.from)
    }
}

/// The position of a set in the order of a Gray code in which the first component of the world is the most significant digit: two
/// neighbours differ in one component, if all sets occur.
fn gray_position(set: &Words) -> [u64; 8] {
    let mut odd = 0;
    set.0.map(|word| {
        // bit `i` becomes the parity of the bits up to `i`
        let mut sums = word;
        for shift in [1, 2, 4, 8, 16, 32] {
            sums ^= sums << shift;
        }
        sums ^= odd;
        odd = 0_u64.wrapping_sub(sums >> 63);
        sums.reverse_bits()
    })
}

/// The blocks that the plan may assign: those without an owner, ascending, and then new ones.
struct Pool<'e> {
    entities: &'e Entities,
    owners: Vec<Owner>,
    next: usize,
}

impl Pool<'_> {
    /// Assigns the next block to `owner`, and returns the block.
    fn take(&mut self, owner: Owner) -> usize {
        while self.owners.get(self.next).is_some_and(|&owner| owner != Owner::Nobody) {
            self.next += 1;
        }
        if self.next == self.owners.len() {
            self.owners.push(Owner::Nobody);
        }
        self.owners[self.next] = owner;
        self.next
    }

    /// The slots of a block that an entity may have after the regrouping, if it does not have its slot already.
    fn usable(&self, block: usize) -> u64 {
        self.entities.usable_after(block)
    }
}

impl Entities {
    /// Plans a regrouping. `word_of` returns the bits of a column, by its index, in a word of slots.
    pub(crate) fn plan_regroup(&self, word_of: impl Fn(usize, usize) -> u64) -> RegroupPlan {
        let mut kinds = self.kinds(word_of);
        let mut owners: Vec<Owner> = (0..self.blocks.len())
            .map(|block| if self.is_fixed(block) { Owner::Fixed } else { Owner::Nobody })
            .collect();
        for block in self.settle(&mut kinds) {
            owners[block as usize] = Owner::Shared;
        }
        self.keep_blocks(&kinds, &mut owners);
        let (mut pool, mut moves) = (Pool { entities: self, owners, next: 0 }, Vec::new());
        place_large(&kinds, &mut pool, &mut moves);
        self.place_small(&kinds, &mut pool, &mut moves);
        moves.sort_unstable_by_key(|one| one.from);
        RegroupPlan { moves, owners: pool.owners, kinds }
    }

    /// Whether the entities of a block keep their slots.
    fn is_fixed(&self, block: usize) -> bool {
        let group = self.blocks.get(block as u32).group;
        group == RESERVED || self.groups.get(group as usize).is_some_and(|group| group.external)
    }

    /// The slots of a block that are not retired, and not by the move of their entity.
    fn usable_after(&self, block: usize) -> u64 {
        if block >= self.blocks.len() {
            return u64::MAX;
        }
        let generations = &self.generations[block * 64..block * 64 + 64];
        let spent = Bits(self.alive[block]).filter(|&bit| generations[bit] == DEAD - 1);
        let spent = spent.fold(0, |bits, bit| bits | 1 << bit);
        !(self.blocks.get(block as u32).retired | spent)
    }

    /// The kinds of the entities that may move, in the order of a Gray code.
    fn kinds(&self, word_of: impl Fn(usize, usize) -> u64) -> Vec<Kind> {
        let (mut kinds, mut index_of) = (Vec::<Kind>::new(), BTreeMap::new());
        for (block, &alive) in self.alive.iter().enumerate() {
            if alive == 0 || self.is_fixed(block) {
                continue;
            }
            let mut sets = [Words::EMPTY; 64];
            for column in self.columns_of(block as u32 * 64) {
                for bit in Bits(word_of(column, block) & alive) {
                    sets[bit].0[column / 64] |= 1 << (column % 64);
                }
            }
            let mut last: Option<usize> = None;
            for bit in Bits(alive) {
                let set = sets[bit];
                let at = match last {
                    Some(at) if kinds[at].set == set => at,
                    _ => *index_of.entry(set).or_insert_with(|| {
                        kinds.push(Kind { set, slots: Vec::new(), settled: false });
                        kinds.len() - 1
                    }),
                };
                kinds[at].slots.push((block * 64 + bit) as u32);
                last = Some(at);
            }
        }
        kinds.sort_by_cached_key(|kind| gray_position(&kind.set));
        kinds
    }

    /// Notes which kinds lie side by side in shared blocks already, and returns these blocks. If less than half of the slots of these
    /// blocks are theirs, all small kinds are placed anew.
    fn settle(&self, kinds: &mut [Kind]) -> BTreeSet<u32> {
        let (mut blocks, mut total) = (BTreeSet::new(), 0);
        for kind in &mut *kinds {
            let (slots, count) = (&kind.slots, kind.slots.len());
            let is_shared = |slot: &u32| self.blocks.get(slot / 64).group == SHARED as u32;
            let parts = slots.chunk_by(|a, b| a / 64 == b / 64);
            let width: u32 = parts.clone().map(|part| part[part.len() - 1] - part[0] + 1).sum();
            kind.settled = count <= SETTLED
                && parts.count() <= 2
                && width as usize <= count + count / 2
                && slots.iter().all(is_shared);
            if kind.settled {
                blocks.extend(slots.iter().map(|slot| slot / 64));
                total += count;
            }
        }
        if blocks.len() > 2 * total.div_ceil(64) + 1 {
            kinds.iter_mut().for_each(|kind| kind.settled = false);
            blocks.clear();
        }
        blocks
    }

    /// Lets each large kind keep as many blocks as it needs, of those of its group and those in which it has most slots.
    fn keep_blocks(&self, kinds: &[Kind], owners: &mut [Owner]) {
        let mut claims = Vec::new();
        for (at, kind) in kinds.iter().enumerate().filter(|(_, kind)| !kind.is_small()) {
            for slots in kind.slots.chunk_by(|a, b| a / 64 == b / 64) {
                let block = slots[0] / 64;
                let group = self.blocks.get(block).group as usize;
                let is_own =
                    group != SHARED && self.groups.get(group).is_some_and(|group| group.set == kind.set);
                if slots.len() >= MAJORITY || is_own {
                    claims.push((Reverse(slots.len()), block as usize, at));
                }
            }
        }
        claims.sort_unstable();
        let mut kept = alloc::vec![0; kinds.len()];
        for (_, block, at) in claims {
            if owners[block] == Owner::Nobody && kept[at] < kinds[at].slots.len().div_ceil(64) {
                owners[block] = Owner::Kind(at);
                kept[at] += 1;
            }
        }
    }

    /// Places the small kinds that are not settled: behind the entities of a shared block, or in new shared blocks.
    fn place_small(&self, kinds: &[Kind], pool: &mut Pool<'_>, moves: &mut Vec<SlotMove>) {
        let mut occupied = BTreeMap::<usize, u64>::new();
        for slot in kinds.iter().filter(|kind| kind.settled).flat_map(|kind| &kind.slots) {
            *occupied.entry(*slot as usize / 64).or_default() |= 1 << (slot % 64);
        }
        // the lengths of the tails of shared blocks, with the last block first among equals
        let mut tails = BinaryHeap::new();
        for (block, bits) in occupied {
            let tail = bits.leading_zeros();
            if tail > 0 && pool.usable(block) >> (64 - tail) == u64::MAX >> (64 - tail) {
                tails.push((tail as usize, block));
            }
        }
        let mut fresh = Vec::new(); // free slots of the block that is being filled, the last one first
        for (at, kind) in kinds.iter().enumerate().filter(|(_, kind)| kind.is_small() && !kind.settled) {
            let count = kind.slots.len();
            let mut to = |from, to| moves.extend((from != to).then_some(SlotMove { from, to, kind: at }));
            if let Some(&(tail, block)) = tails.peek()
                && tail >= count
            {
                tails.pop();
                let first = (block * 64 + 64 - tail) as u32;
                (first..).zip(&kind.slots).for_each(|(slot, &from)| to(from, slot));
                if tail > count {
                    tails.push((tail - count, block));
                }
                continue;
            }
            for &from in &kind.slots {
                while fresh.is_empty() {
                    let block = pool.take(Owner::Shared);
                    fresh.extend(Bits(pool.usable(block)).map(|bit| (block * 64 + bit) as u32));
                    fresh.reverse();
                }
                to(from, fresh.pop().unwrap_or(from));
            }
        }
    }
}

/// Places the kinds that have blocks of their own: in the gaps of the blocks that they keep, and in blocks of the pool.
fn place_large(kinds: &[Kind], pool: &mut Pool<'_>, moves: &mut Vec<SlotMove>) {
    let mut kept = alloc::vec![Vec::new(); kinds.len()];
    for (block, owner) in pool.owners.iter().enumerate() {
        if let Owner::Kind(at) = owner {
            kept[*at].push(block);
        }
    }
    for ((at, kind), mut blocks) in
        kinds.iter().enumerate().zip(kept).filter(|((_, kind), _)| !kind.is_small())
    {
        let room = |pool: &Pool<'_>, block| {
            (pool.usable(block) | occupied(&kind.slots, block)).count_ones() as usize
        };
        let mut capacity: usize = blocks.iter().map(|&block| room(pool, block)).sum();
        while capacity < kind.slots.len() {
            blocks.push(pool.take(Owner::Kind(at)));
            capacity += blocks.last().map_or(0, |&block| room(pool, block));
        }
        blocks.sort_unstable();
        let gaps = |&block: &usize| {
            Bits(pool.usable(block) & !occupied(&kind.slots, block)).map(move |bit| block * 64 + bit)
        };
        let gaps: Vec<usize> = blocks.iter().flat_map(gaps).collect();
        let leaving = kind.slots.iter().filter(|&slot| blocks.binary_search(&(*slot as usize / 64)).is_err());
        moves.extend(leaving.zip(gaps).map(|(&from, to)| SlotMove { from, to: to as u32, kind: at }));
    }
}

/// The slots of a block among `slots`, which are ascending.
fn occupied(slots: &[u32], block: usize) -> u64 {
    let from = slots.partition_point(|&slot| (slot as usize) < block * 64);
    let here = slots[from..].iter().take_while(|&&slot| slot as usize / 64 == block);
    here.fold(0, |bits, slot| bits | 1 << (slot % 64))
}

impl Entities {
    /// Moves the entities of a plan to their slots, and gives all blocks to the groups of the plan. The values of the entities are not
    /// moved: the caller moves them.
    ///
    /// # Panics
    /// If the plan needs more slots than a world can have. Nothing is changed then.
    pub(crate) fn regroup(&mut self, plan: &RegroupPlan) -> Regrouped {
        self.grow_to(plan.owners.len());
        let former: Vec<Entity> = plan.moves.iter().map(|one| self.leave(one.from)).collect();
        self.assign_blocks(plan);
        for one in &plan.moves {
            self.hold_set(one.to / 64, &plan.kinds[one.kind].set);
            self.set_alive(one.to as usize);
            self.blocks.get_mut(one.to / 64).touched = true;
        }
        let pairs =
            former.into_iter().zip(&plan.moves).map(|(former, one)| (former, self.at(one.to as usize)));
        let regrouped = Regrouped::of(pairs.collect());
        self.open_blocks(plan);
        regrouped
    }

    /// Ends the use of a slot by its entity, whose id it returns. The slot is retired if it has no generation left.
    fn leave(&mut self, slot: u32) -> Entity {
        let (entity, bit) = (self.at(slot as usize), 1 << (slot % 64));
        let next = entity.generation().get() + 1;
        let block = self.blocks.get_mut(slot / 64);
        if next == DEAD {
            block.retired |= bit;
        }
        (block.last_despawn, block.touched) = (self.tick, true);
        self.generations[slot as usize] = DEAD | next.min(DEAD - 1);
        self.alive[slot as usize / 64] &= !bit;
        entity
    }

    /// Gives the blocks to the groups of the plan, while the entities that move are in no slot.
    fn assign_blocks(&mut self, plan: &RegroupPlan) {
        let groups: Vec<u32> = plan
            .kinds
            .iter()
            .map(|kind| self.group_of(&SpawnSet::of(kind.set, self.stride)) as u32)
            .collect();
        for (block, owner) in plan.owners.iter().enumerate() {
            let owner = match *owner {
                Owner::Fixed => continue,
                Owner::Nobody => NONE,
                Owner::Shared => SHARED as u32,
                Owner::Kind(at) => groups[at],
            };
            if owner != NONE {
                self.blocks.claim(block as u32, owner);
            } else if self.blocks.get(block as u32).group != NONE {
                self.blocks.release(block as u32);
            }
            if self.alive[block] == 0 {
                let held = &mut self.held[block * self.stride..][..self.stride];
                held.iter_mut().for_each(|word| *word.get_mut() = 0);
            }
            if let Some(group) = self.groups.get(owner as usize) {
                let set = group.set;
                self.hold_set(block as u32, &set);
            }
        }
    }

    /// Opens a block of each group, and lists the other blocks with holes.
    fn open_blocks(&mut self, plan: &RegroupPlan) {
        for (at, group) in self.groups.iter_mut().enumerate().filter(|(at, _)| *at != RESERVED as usize) {
            if !group.external {
                (group.open, group.free, group.run, group.holes.len) = (NONE, 0, 0..0, 0);
                group.shared = if at == SHARED { group.shared } else { 0 };
            }
        }
        for kind in plan.kinds.iter().filter(|kind| kind.is_small()) {
            let group = self.group_of(&SpawnSet::of(kind.set, self.stride));
            self.groups[group].shared = kind.slots.len();
        }
        // the lowest block with holes is filled first: lists are filled from their ends
        for block in (0..self.blocks.len() as u32).rev() {
            let owner = self.blocks.get(block).group;
            let is_fixed = plan.owners.get(block as usize) == Some(&Owner::Fixed);
            if owner == NONE || is_fixed {
                continue;
            }
            let free = self.free_of(block);
            let Some(group) = self.groups.get_mut(owner as usize) else { continue };
            if group.open == NONE || group.free == 0 && free != 0 {
                (group.open, group.free) = (block, free);
            } else {
                group.holes.push_if(free != 0, block);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::component_set::ComponentSet;

    fn set_of(columns: &[usize]) -> Words {
        columns.iter().fold(ComponentSet::EMPTY, |set, &column| set.with(column)).words()
    }

    /// Entities with sets of components, of a world with three columns.
    struct Model {
        entities: Entities,
        /// By slot, the components of the entity.
        columns: BTreeMap<u32, Vec<usize>>,
    }

    impl Model {
        fn new() -> Self {
            Self { entities: Entities::with(1, 1), columns: BTreeMap::new() }
        }

        /// Spawns an entity with `born`, which has the components `now` later.
        fn spawn(&mut self, born: &[usize], now: &[usize]) -> u32 {
            let set = born.iter().fold(ComponentSet::EMPTY, |set, &column| set.with(column));
            let slot = self.entities.spawn(&set.spawn_set(3)).slot();
            now.iter().for_each(|&column| self.entities.note(slot, column));
            self.columns.insert(slot, now.to_vec());
            slot
        }

        fn despawn(&mut self, slot: u32) {
            self.columns.remove(&slot);
            assert!(self.entities.despawn(self.entities.at(slot as usize)));
        }

        fn regroup(&mut self) -> Regrouped {
            let columns = &self.columns;
            let word_of = |column, word: usize| {
                let range = word as u32 * 64..word as u32 * 64 + 64;
                let with = columns.range(range).filter(|(_, all)| all.contains(&column));
                with.fold(0, |bits, (slot, _)| bits | 1 << (slot % 64))
            };
            let plan = self.entities.plan_regroup(word_of);
            let moved = self.entities.regroup(&plan);
            let taken: Vec<_> = moved
                .iter()
                .map(|(old, new)| (new.slot(), self.columns.remove(&old.slot()).unwrap()))
                .collect();
            for (slot, columns) in taken {
                assert!(self.columns.insert(slot, columns).is_none(), "slot {slot} is taken");
            }
            self.check();
            moved
        }

        /// The allocator agrees with itself and with the map.
        fn check(&self) {
            let slots: Vec<u32> = self.columns.keys().copied().collect();
            let alive = self.entities.alive().iter().enumerate();
            let alive: Vec<u32> =
                alive.flat_map(|(word, &bits)| Bits(bits).map(move |bit| (word * 64 + bit) as u32)).collect();
            assert_eq!(slots, alive);
            for (&slot, columns) in &self.columns {
                assert_eq!(self.entities.living_at(slot as usize), Some(self.entities.at(slot as usize)));
                let held: Vec<usize> = self.entities.columns_of(slot).collect();
                assert!(columns.iter().all(|column| held.contains(column)), "slot {slot}");
            }
            for (at, group) in self.entities.groups.iter().enumerate() {
                assert!(group.open == NONE || self.entities.blocks.get(group.open).group == at as u32);
                assert!(group.open == NONE || group.free == self.entities.free_of(group.open));
            }
        }

        /// The slots of the entities that have exactly these components.
        fn slots(&self, columns: &[usize]) -> Vec<u32> {
            self.columns.iter().filter(|(_, all)| *all == columns).map(|(slot, _)| *slot).collect()
        }
    }

    #[test]
    fn neighbours_in_the_order_differ_in_one_component() {
        let mut sets: Vec<Vec<usize>> = (0..32_usize)
            .map(|set| {
                [0, 1, 63, 64, 130]
                    .into_iter()
                    .enumerate()
                    .filter(|(i, _)| set >> i & 1 == 1)
                    .map(|(_, column)| column)
                    .collect()
            })
            .collect();
        sets.sort_by_cached_key(|set| gray_position(&set_of(set)));
        for pair in sets.windows(2) {
            let differ = pair[0]
                .iter()
                .chain(&pair[1])
                .filter(|column| pair[0].contains(column) != pair[1].contains(column));
            assert_eq!(differ.count(), 1, "{pair:?}");
        }
        assert!(
            sets[..16].iter().all(|set| !set.contains(&0)) && sets[16..].iter().all(|set| set.contains(&0))
        );
    }

    #[test]
    fn entities_that_grew_lie_in_full_blocks_of_their_kind() {
        let mut model = Model::new();
        let kinds: [&[usize]; 4] = [&[0], &[1], &[0, 1], &[]];
        for i in 0..4 * 640 {
            model.spawn(&[], kinds[i % 4]);
        }
        let blocks_before = model.entities.blocks();
        let moved = model.regroup();
        assert!(moved.len() <= 3 * 640 + 630);
        for kind in kinds {
            let blocks: BTreeSet<u32> = model.slots(kind).iter().map(|slot| slot / 64).collect();
            assert_eq!(blocks.len(), 10, "{kind:?}");
        }
        assert_eq!(model.entities.blocks(), blocks_before, "no block is added");
        assert!(model.regroup().is_empty(), "nothing is left to move");
    }

    #[test]
    fn a_block_of_one_kind_stays_where_it_is_whatever_its_entities_were_born_with() {
        let mut model = Model::new();
        (0..6400).for_each(|_| _ = model.spawn(&[], &[0, 2]));
        assert!(model.regroup().is_empty());
        let next = model.spawn(&[0, 2], &[0, 2]);
        assert!(next >= 6400, "the blocks belong to the kind now, and are full");
        assert_eq!(model.entities.blocks.get(0).group, model.entities.blocks.get(next / 64).group);
    }

    #[test]
    fn small_kinds_lie_side_by_side() {
        let mut model = Model::new();
        let kinds: [&[usize]; 8] = [&[], &[0], &[1], &[2], &[0, 1], &[0, 2], &[1, 2], &[0, 1, 2]];
        for i in 0..8 * 20 {
            model.spawn(kinds[i % 8], kinds[i % 8]);
        }
        assert_eq!(model.regroup().len(), 140, "all but those that lie in the first block already");
        let mut with_first: Vec<u32> =
            kinds.iter().filter(|kind| kind.contains(&0)).flat_map(|kind| model.slots(kind)).collect();
        with_first.sort_unstable();
        assert_eq!(with_first.last().unwrap() - with_first[0], 79, "{with_first:?}");
        assert!(model.regroup().is_empty());
        let grown = model.spawn(&[], &[2]);
        let moved = model.regroup();
        assert!(moved.len() <= 21 && moved.get(model.entities.at(0)).is_none(), "{grown}: {moved:?}");
        assert!(model.regroup().is_empty());
    }

    #[test]
    fn holes_are_closed() {
        let mut model = Model::new();
        let slots: Vec<u32> = (0..6400).map(|_| model.spawn(&[0], &[0])).collect();
        slots.iter().filter(|&slot| !slot.is_multiple_of(10)).for_each(|&slot| model.despawn(slot));
        let _ = model.regroup();
        let blocks: BTreeSet<u32> = model.slots(&[0]).iter().map(|slot| slot / 64).collect();
        assert_eq!(blocks.len(), 10);
        assert!(model.regroup().is_empty());
        assert_eq!(model.entities.free_blocks(), model.entities.blocks() - 10);
    }

    #[test]
    fn ids_from_before_are_not_current_and_spent_slots_are_retired() {
        let mut model = Model { entities: Entities::with(1, DEAD - 1), ..Model::new() };
        for i in 0..300 {
            model.spawn(&[], if i % 2 == 0 { &[0] } else { &[1] });
        }
        let before: Vec<Entity> =
            model.columns.keys().map(|&slot| model.entities.at(slot as usize)).collect();
        let moved = model.regroup();
        assert!(!moved.is_empty());
        for id in before {
            assert_eq!(model.entities.contains(id), moved.get(id).is_none(), "{id}");
            assert!(model.entities.contains(moved.current(id)));
        }
        for (former, _) in moved.iter() {
            assert_eq!(model.entities.free_of(former.slot() / 64) >> (former.slot() % 64) & 1, 0, "retired");
        }
    }

    #[test]
    fn after_random_changes_the_allocator_agrees_with_a_map() {
        let kinds: [&[usize]; 6] = [&[], &[0], &[1], &[0, 1], &[0, 2], &[0, 1, 2]];
        for seed in 1..40_u64 {
            let (mut model, mut state) = (Model::new(), seed);
            let mut random = |below: usize| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) as usize % below
            };
            for _ in 0..12 {
                for _ in 0..random(700) {
                    let (born, now) = (kinds[random(6)], kinds[random(6)]);
                    model.spawn(born, now);
                }
                let slots: Vec<u32> = model.columns.keys().copied().collect();
                let rate = random(5) + 1;
                slots.into_iter().filter(|_| random(rate) == 0).for_each(|slot| model.despawn(slot));
                let (count, moved) = (model.columns.len(), model.regroup());
                assert_eq!(model.columns.len(), count);
                assert!(moved.iter().all(|(former, present)| former.slot() != present.slot()));
                assert!(model.regroup().is_empty(), "seed {seed}");
            }
        }
    }
}

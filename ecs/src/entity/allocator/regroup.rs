//! Regrouping: the plan by which entities move to blocks of their present components, and the
//! allocator's part of the move.
//!
//! The entities with one set of components are a *kind* here. A kind of more than [`SMALL`]
//! entities has blocks of its own: it keeps those in which it has most slots, and the rest of its
//! entities fill the gaps. Smaller kinds lie side by side in the blocks of the shared group. Kinds
//! follow each other in the order of a Gray code, so that neighbours differ in few components, and
//! a query finds the entities that it matches in few runs.
//!
//! The plan depends on the live entities, their components, and the saved state of the allocator,
//! so that equal worlds get equal plans.

use alloc::collections::{BTreeMap, BTreeSet, BinaryHeap};
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::{DEAD, Entities, SHARED};
use crate::base::component_set::{SpawnSet, Words};
use crate::base::mask::Bits;
use crate::entity::Entity;
use crate::entity::allocation_group::AllocationGroup;
use crate::entity::blocks::{BlockOwner, NONE};
use crate::entity::regrouped::Regrouped;

/// The most entities of a kind that goes to shared blocks: with more, its own blocks are half full
/// at least.
const SMALL: usize = 32;

/// The most entities of a kind that stays in shared blocks if it is there already: a batch of as
/// many is spawned in shared blocks.
const SETTLED: usize = 64;

/// The least number of entities of a kind in a block of another group with which the kind may keep
/// the block.
const MAJORITY: usize = 32;

/// The number of entities of a kind in a block from which on the block counts as full, when the
/// blocks that the kind keeps are chosen.
const NEARLY_FULL: usize = 48;

/// The owner of a block after a regrouping.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// The block is not touched: it belongs to reserved slots, or to a range of reserved ids.
    Fixed,
    /// No group: the block is free, unless the plan assigns it.
    Free,
    /// The shared group.
    Shared,
    /// The kind with this index.
    Kind(usize),
}

/// The entities with one set of components.
struct RegroupKind {
    set: Words,
    /// The slots of the entities, ascending.
    slots: Vec<u32>,
    /// Whether the entities lie side by side in shared blocks, and stay there.
    settled: bool,
}

impl RegroupKind {
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
    kinds: Vec<RegroupKind>,
    /// The owner of each block, new blocks included.
    owners: Vec<Owner>,
}

impl RegroupPlan {
    /// The slots that entities leave, ascending.
    pub(crate) fn left_slots(&self) -> impl Iterator<Item = u32> {
        self.moves.iter().map(|one| one.from)
    }
}

/// The position of a set in the order of a Gray code in which the first component of the world is
/// the most significant digit: two neighbours differ in one component, if all sets occur.
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
        while self.owners.get(self.next).is_some_and(|&owner| owner != Owner::Free) {
            self.next += 1;
        }
        if self.next == self.owners.len() {
            self.owners.push(Owner::Free);
        }
        self.owners[self.next] = owner;
        self.next
    }

    /// The slots of a block to which an entity may move.
    fn usable(&self, block: usize) -> u64 {
        self.entities.usable_after(block)
    }
}

impl Entities {
    /// Plans a regrouping. `word_of` returns the bits of a column, by its index, in a word of
    /// slots.
    pub(crate) fn plan_regroup(&self, word_of: impl Fn(usize, usize) -> u64) -> RegroupPlan {
        let mut kinds = self.kinds(word_of);
        let mut owners: Vec<Owner> = (0..self.blocks.len())
            .map(|block| if self.is_fixed(block) { Owner::Fixed } else { Owner::Free })
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
        matches!(self.blocks.get(block as u32).owner(), BlockOwner::Reserved | BlockOwner::External)
    }

    /// The slots of a block that are not retired, and that the move of their entity would not
    /// retire.
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
    fn kinds(&self, word_of: impl Fn(usize, usize) -> u64) -> Vec<RegroupKind> {
        let (mut kinds, mut index_of, mut some) = (Vec::<RegroupKind>::new(), BTreeMap::new(), Vec::new());
        for (block, &alive) in self.alive.iter().enumerate() {
            if alive == 0 || self.is_fixed(block) {
                continue;
            }
            // the components that all entities of the block have, and those that some have
            let mut common = Words::EMPTY;
            some.clear();
            for column in self.columns_of(block as u32 * 64) {
                match word_of(column, block) & alive {
                    0 => {}
                    bits if bits == alive => common.0[column / 64] |= 1 << (column % 64),
                    bits => some.push((column, bits)),
                }
            }
            let mut sets = [common; 64];
            for &(column, bits) in &some {
                Bits(bits).for_each(|bit| sets[bit].0[column / 64] |= 1 << (column % 64));
            }
            let mut last: Option<usize> = None;
            for bit in Bits(alive) {
                let set = sets[bit];
                let at = match last {
                    Some(at) if some.is_empty() || kinds[at].set == set => at,
                    _ => *index_of.entry(set).or_insert_with(|| {
                        kinds.push(RegroupKind { set, slots: Vec::new(), settled: false });
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

    /// Notes which kinds lie side by side in shared blocks already, and returns these blocks. If
    /// less than half of the slots of the shared blocks would be in use, all small kinds are placed
    /// anew.
    fn settle(&self, kinds: &mut [RegroupKind]) -> BTreeSet<u32> {
        let (mut blocks, mut total) = (BTreeSet::new(), 0);
        for kind in &mut *kinds {
            let (slots, count) = (&kind.slots, kind.slots.len());
            let is_shared = |slot: &u32| self.blocks.get(slot / 64).owner() == BlockOwner::Group(SHARED);
            let by_block = slots.chunk_by(|a, b| a / 64 == b / 64);
            let width: u32 = by_block.clone().map(|part| part[part.len() - 1] - part[0] + 1).sum();
            kind.settled = count <= SETTLED
                && by_block.count() <= 2
                && width as usize <= count + count / 2
                && slots.iter().all(is_shared);
            if kind.settled {
                blocks.extend(slots.iter().map(|slot| slot / 64));
                total += count;
            }
        }
        // the small kinds that are not settled count as well: they will lie in shared blocks, and
        // the next regrouping must find the same sum
        let others = kinds.iter().filter(|kind| kind.is_small() && !kind.settled);
        let others: usize = others.map(|kind| kind.slots.len()).sum();
        if blocks.len() + others.div_ceil(64) > 2 * (total + others).div_ceil(64) + 1 {
            kinds.iter_mut().for_each(|kind| kind.settled = false);
            blocks.clear();
        }
        blocks
    }

    /// Lets each large kind keep as many blocks as it needs: blocks of its group, and blocks in
    /// which it has most slots. Of blocks that are nearly full the kind keeps the first ones, so
    /// that the blocks which it gives up lie side by side, for the kind that gets them.
    fn keep_blocks(&self, kinds: &[RegroupKind], owners: &mut [Owner]) {
        let mut claims = Vec::new();
        for (at, kind) in kinds.iter().enumerate().filter(|(_, kind)| !kind.is_small()) {
            for slots in kind.slots.chunk_by(|a, b| a / 64 == b / 64) {
                let block = slots[0] / 64;
                let group = self.blocks.get(block).group() as usize;
                let is_own =
                    group != SHARED && self.groups.get(group).is_some_and(|group| group.set == kind.set);
                if slots.len() >= MAJORITY || is_own {
                    let room = self.usable_after(block as usize) | occupied(slots, block as usize);
                    let filled = slots.len().min(NEARLY_FULL);
                    claims.push((Reverse(filled), block as usize, at, room.count_ones() as usize));
                }
            }
        }
        claims.sort_unstable();
        let mut rooms = alloc::vec![0; kinds.len()];
        for (_, block, at, room) in claims {
            if owners[block] == Owner::Free && rooms[at] < kinds[at].slots.len() {
                owners[block] = Owner::Kind(at);
                rooms[at] += room;
            }
        }
    }

    /// Places the small kinds that are not settled: behind the entities of a shared block, or in
    /// new shared blocks.
    fn place_small(&self, kinds: &[RegroupKind], pool: &mut Pool<'_>, moves: &mut Vec<SlotMove>) {
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

/// Places the kinds that have blocks of their own: in the gaps of the blocks that they keep, and in
/// blocks of the pool.
fn place_large(kinds: &[RegroupKind], pool: &mut Pool<'_>, moves: &mut Vec<SlotMove>) {
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
        let leaving = kind.slots.iter().filter(|&slot| pool.owners[*slot as usize / 64] != Owner::Kind(at));
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
    /// Makes the blocks of a plan.
    ///
    /// # Panics
    /// If the plan needs more slots than a world can have. Nothing is changed then.
    pub(crate) fn grow_for(&mut self, plan: &RegroupPlan) {
        self.grow_to(plan.owners.len());
    }

    /// Moves the entities of a plan to their slots, and gives all blocks to the groups of the plan.
    /// The values of the entities are not moved: the caller moves them.
    ///
    /// # Panics
    /// If the plan needs more slots than a world can have. Nothing is changed then.
    pub(crate) fn regroup(&mut self, plan: &RegroupPlan) -> Regrouped {
        self.grow_for(plan);
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

    /// Ends the use of a slot by its entity, whose id it returns. The slot is retired if it has no
    /// generation left.
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
        let groups: Vec<usize> =
            plan.kinds.iter().map(|kind| self.group_of(&SpawnSet::of(kind.set, self.stride))).collect();
        for (block, owner) in plan.owners.iter().enumerate() {
            match *owner {
                Owner::Fixed => {}
                Owner::Free if self.blocks.get(block as u32).owner() == BlockOwner::Free => {}
                Owner::Free => self.blocks.release(block as u32),
                Owner::Shared => self.give_to_group(block as u32, SHARED),
                Owner::Kind(at) => self.give_to_group(block as u32, groups[at]),
            }
        }
    }

    /// Opens a block of each group, and lists the other blocks with holes.
    fn open_blocks(&mut self, plan: &RegroupPlan) {
        for group in &mut self.groups {
            group.leave_parts();
            (group.open, group.free, group.run, group.holes.len) = (NONE, 0, 0..0, 0);
            group.shared = 0; // set below for small kinds, as if they had come in a batch
        }
        self.handed_out = 0;
        for kind in plan.kinds.iter().filter(|kind| kind.is_small()) {
            let group = self.group_of(&SpawnSet::of(kind.set, self.stride));
            self.groups[group].shared = kind.slots.len() as u32;
        }
        // the lowest block with holes is filled first: lists are filled from their ends
        for block in (0..self.blocks.len() as u32).rev() {
            let BlockOwner::Group(group) = self.blocks.get(block).owner() else { continue };
            let free = self.free_of(block);
            let group = &mut self.groups[group];
            if group.open == NONE || group.free == 0 && free != 0 {
                (group.open, group.free) = (block, free);
            } else {
                group.holes.push_if(free != 0, block);
            }
        }
        // a group without blocks is like a new one: its next entities get parts of shared blocks
        self.groups[SHARED + 1..]
            .iter_mut()
            .filter(|group| group.open == NONE)
            .for_each(AllocationGroup::start_over);
    }
}

#[cfg(test)]
mod tests;

//! Slots that a system reserves for entities that its commands spawn at the next flush.
//!
//! `Commands::spawn` returns an id at once. Systems that run at the same time must not wait for
//! each other to find a free slot, and the slots must not depend on the order in which threads run.
//! So the state of each system with commands has [`ReservedSlots`]: blocks of 64 slots that only
//! this system fills and, of the free blocks in their order, every n-th block, where n is the
//! number of `ReservedSlots` in the world. The allocator does not change between two flushes, so
//! all of them see the same free blocks.
//!
//! A *reservation* is a number among those of the world, and a key that no other reservation of the
//! process has. The allocator has the keys, too, and so do its copies: a world that was restored,
//! loaded or replaced has the keys of its own state. So slots that were reserved in another world,
//! or in this one at another time, are recognized, and are neither flushed nor returned to it.
//!
//! At a flush the allocator learns which blocks were taken ([`Entities::flush_reserved`]), the
//! entities become alive ([`Entities::revive`]), and blocks with holes are assigned for the time
//! until the next flush ([`Entities::refill`]).
//!
//! Functions with `cfg_attr(not(debug_assertions), inline(always))` are dev calls: see
//! `docs/compile-times.md`.

use alloc::vec::Vec;
use core::sync::atomic::{AtomicU64, Ordering};

use super::Entity;
use super::allocator::{DEAD, Entities, id};
use super::blocks::{BlockOwner, FreeBlockCursor};
use crate::base::component_set::SpawnSet;

/// The number of a [`ReservedSlots`] in its world, and the key by which the allocator recognizes
/// it. Each flush of ids changes the key, so that it stands for the ids that were reserved since
/// the flush before.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Reservation {
    /// The number among all `ReservedSlots` of the world.
    pub(super) number: usize,
    /// 0 if the allocator does not know the slots.
    key: u64,
}

impl Reservation {
    /// The reservation with this number, and a key that no other one has.
    fn next(number: usize) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self { number, key: NEXT.fetch_add(1, Ordering::Relaxed) }
    }

    /// A reservation that no allocator knows.
    pub(super) const fn unknown(number: usize) -> Self {
        Self { number, key: 0 }
    }
}

/// The slots that the commands of one system spawn entities in. A clone owns the same blocks and
/// has no ids handed out.
#[derive(Default)]
#[allow(unreachable_pub, reason = "with `serde`, a public trait for the saved state of systems names it")]
pub struct ReservedSlots {
    pub(super) reservation: Reservation,
    pub(super) groups: Vec<ReservedGroup>,
    /// The index of the group that was used last.
    pub(super) last: usize,
    /// The number of free blocks that were taken since the last flush.
    pub(super) taken: usize,
    /// The position from which the next free block is searched.
    pub(super) cursor: FreeBlockCursor,
    /// Whether the slots were flushed and not refilled since.
    pub(super) flushed: bool,
}

/// The reserved blocks for entities with one set of components.
pub(super) struct ReservedGroup {
    pub(super) set: SpawnSet,
    /// The constant with which the group was requested last, to find the group by address; `None`
    /// after loading.
    pub(super) requested: Option<&'static SpawnSet>,
    /// The blocks. All but the first `used` are unchanged since the last flush.
    pub(super) blocks: Vec<ReservedBlock>,
    pub(super) used: usize,
    /// The number of slots handed out since the last flush.
    pub(super) spawned: usize,
    /// The number of free slots that the next flush provides.
    pub(super) wanted: usize,
}

/// A block of 64 reserved slots.
#[derive(Clone, Copy)]
pub(super) struct ReservedBlock {
    pub(super) block: u32,
    /// The slots that can be handed out.
    pub(super) free: u64,
    /// The slots that were handed out since the flush.
    pub(super) given: u64,
    /// Whether the allocator does not know yet whose it is.
    pub(super) fresh: bool,
}

impl ReservedSlots {
    /// Reserves the id of an entity with the components of `set`. The entity is not alive until it
    /// is [revived](Entities::revive).
    #[inline]
    pub(crate) fn reserve(&mut self, entities: &Entities, set: &'static SpawnSet) -> Entity {
        let index = match self.groups.get(self.last) {
            Some(group) if group.requested.is_some_and(|requested| core::ptr::eq(requested, set)) => {
                self.last
            }
            _ => self.find(set),
        };
        self.take(entities, index)
    }

    /// Reserves an id as [`reserve`](Self::reserve) does, for a set that is known only at run time.
    pub(crate) fn reserve_of(&mut self, entities: &Entities, set: &SpawnSet) -> Entity {
        let index = self.group_index(set);
        self.take(entities, index)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take(&mut self, entities: &Entities, index: usize) -> Entity {
        self.last = index;
        let entry = &mut self.groups[index];
        entry.spawned += 1;
        loop {
            if let Some(taken) =
                entry.blocks.get_mut(entry.used.saturating_sub(1)).filter(|one| one.free != 0)
            {
                entry.used = entry.used.max(1);
                let bit = taken.free.trailing_zeros();
                taken.free &= taken.free - 1;
                taken.given |= 1 << bit;
                return entities.next_of(taken.block * 64 + bit);
            }
            if entry.used < entry.blocks.len() {
                entry.used += 1;
                continue;
            }
            let nth = self.taken * entities.reserved_count() + self.reservation.number;
            self.taken += 1;
            let (block, free) = entities.nth_free(nth, &mut self.cursor);
            entry.blocks.push(ReservedBlock { block, free, given: 0, fresh: true });
            entry.used = entry.blocks.len();
        }
    }

    #[cold]
    #[inline(never)]
    fn find(&mut self, set: &'static SpawnSet) -> usize {
        let index = self.group_index(set);
        self.groups[index].requested = Some(set);
        index
    }

    /// The index of the group of a set, which is made if it does not exist.
    fn group_index(&mut self, set: &SpawnSet) -> usize {
        let index = self.groups.iter().position(|group| group.set.components == set.components);
        index.unwrap_or_else(|| {
            self.groups.push(ReservedGroup {
                set: *set,
                requested: None,
                blocks: Vec::new(),
                used: 0,
                spawned: 0,
                wanted: 0,
            });
            self.groups.len() - 1
        })
    }
}

impl ReservedGroup {
    /// A copy in which no slots were handed out since the last flush.
    fn unused(&self) -> Self {
        let Self { set, requested, blocks, used: _, spawned: _, wanted } = self;
        let registered = blocks.iter().filter(|taken| !taken.fresh);
        let blocks = registered.map(|&ReservedBlock { block, free, given, fresh }| ReservedBlock {
            block,
            free: free | given,
            given: 0,
            fresh,
        });
        Self {
            set: *set,
            requested: *requested,
            blocks: blocks.collect(),
            used: 0,
            spawned: 0,
            wanted: *wanted,
        }
    }
}

impl Clone for ReservedSlots {
    fn clone(&self) -> Self {
        let Self { reservation, groups, last: _, taken: _, cursor: _, flushed: _ } = self;
        let groups = groups.iter().map(ReservedGroup::unused).collect();
        Self { reservation: *reservation, groups, ..Self::default() }
    }
}

impl Entities {
    /// New [`ReservedSlots`], with the number of closed ones, or a new one.
    pub(crate) fn open_reserved(&mut self) -> ReservedSlots {
        let number = self.closed_reserved.pop().unwrap_or_else(|| {
            self.reserved_count += 1;
            self.reserved_count - 1
        });
        ReservedSlots { reservation: self.new_key(number), ..ReservedSlots::default() }
    }

    /// Gives the reserved slots with this number a new key.
    pub(super) fn new_key(&mut self, number: usize) -> Reservation {
        let reservation = Reservation::next(number);
        self.reserved_keys.resize(self.reserved_keys.len().max(number + 1), 0);
        self.reserved_keys[number] = reservation.key;
        reservation
    }

    /// Whether a reservation is one of this allocator in its present state, so that no other one
    /// has its number, its blocks or its ids.
    pub(crate) fn knows(&self, Reservation { number, key }: Reservation) -> bool {
        key != 0 && self.reserved_keys.get(number) == Some(&key)
    }

    /// The number of [`ReservedSlots`] in the world, at least 1.
    pub(crate) fn reserved_count(&self) -> usize {
        self.reserved_count.max(1)
    }

    /// The id that the next entity in a slot will have.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_of(&self, slot: u32) -> Entity {
        id(
            slot,
            self.generations().get(slot as usize).map_or(self.first_generation, |&generation| generation),
        )
    }

    /// The free block that has `nth` free blocks before it, and the block's free slots.
    fn nth_free(&self, nth: usize, cursor: &mut FreeBlockCursor) -> (u32, u64) {
        let block = self.blocks.nth_free(nth, cursor);
        (block, if (block as usize) < self.blocks.len() { self.free_of(block) } else { u64::MAX })
    }

    /// Notes the blocks that `slots` took since the last flush, so that they are not free any more.
    /// Returns the reservation of the ids that were handed out: the allocator knows it until the
    /// next flush. If `slots` belong to another allocator, they become new ones of this, and the
    /// allocator does not know the ids.
    pub(crate) fn flush_reserved(&mut self, slots: &mut ReservedSlots) -> Reservation {
        if !self.knows(slots.reservation) {
            return core::mem::replace(slots, self.open_reserved()).reservation;
        }
        (slots.taken, slots.cursor, slots.flushed) = (0, FreeBlockCursor::default(), true);
        if slots.groups.iter().any(|entry| entry.spawned > 0) {
            slots.reservation = self.new_key(slots.reservation.number);
        }
        for entry in slots.groups.iter_mut().filter(|entry| entry.spawned > 0) {
            for taken in &mut entry.blocks[..entry.used] {
                // from now on the entities may be alive, so a clone must not hand out these slots
                // again
                taken.given = 0;
                if core::mem::take(&mut taken.fresh) {
                    self.grow_to(taken.block as usize + 1);
                    self.give_block(taken.block, BlockOwner::Reserved, &entry.set.components);
                }
            }
        }
        slots.reservation
    }

    /// Makes an entity alive whose id was reserved by a reservation that the allocator
    /// [knows](Self::knows); `false` if its slot is not free any more.
    #[inline]
    pub(crate) fn revive(&mut self, entity: Entity) -> bool {
        let slot = entity.slot() as usize;
        let dead = Some(&(entity.generation().get() | DEAD));
        if self.generations().get(slot) != dead {
            return false;
        }
        self.set_alive(slot);
        true
    }

    /// Gives up a reserved id whose entity is not alive: no entity will have this id.
    pub(crate) fn give_up(&mut self, entity: Entity) {
        if self.revive(entity) {
            self.despawn(entity);
        }
    }

    /// Prepares `slots` for the time until the next flush: with as many free slots as were used
    /// since the last one, in blocks with holes if there are any. Returns superfluous blocks to
    /// their allocation groups. Does nothing if the slots were not flushed in this allocator: a
    /// command has replaced the world.
    pub(crate) fn refill(&mut self, slots: &mut ReservedSlots) {
        if !core::mem::take(&mut slots.flushed) || !self.knows(slots.reservation) {
            return;
        }
        for entry in slots.groups.iter_mut().filter(|entry| entry.spawned > 0 || entry.wanted > 0) {
            let group = self.group_of(&entry.set);
            entry.wanted = entry.spawned.max(entry.wanted / 2);
            (entry.spawned, entry.used) = (0, 0);
            let (mut ready, mut kept) = (0, 0);
            for at in 0..entry.blocks.len() {
                let block = entry.blocks[at].block;
                if !self.is_reserved(block) {
                    continue; // the caller has swapped parts of two worlds
                }
                let free = self.free_of(block);
                if free == 0 || (ready >= entry.wanted && kept > 0) {
                    self.return_block(block, group);
                    continue;
                }
                ready += free.count_ones() as usize;
                entry.blocks[kept] = ReservedBlock { block, free, given: 0, fresh: false };
                kept += 1;
            }
            entry.blocks.truncate(kept);
            while ready < entry.wanted
                && let Some(block) = self.take_hole(group)
            {
                let free = self.free_of(block);
                ready += free.count_ones() as usize;
                entry.blocks.push(ReservedBlock { block, free, given: 0, fresh: false });
            }
        }
    }

    /// Takes back the blocks and the number of `slots`, if they belong to this allocator.
    pub(crate) fn close(&mut self, slots: &mut ReservedSlots) {
        let ReservedSlots { reservation, groups, .. } = core::mem::take(slots);
        if !self.knows(reservation) {
            return;
        }
        self.closed_reserved.push(reservation.number);
        self.reserved_keys[reservation.number] = 0;
        for entry in groups {
            let group = self.group_of(&entry.set);
            for taken in entry.blocks {
                if !taken.fresh && self.is_reserved(taken.block) {
                    self.return_block(taken.block, group);
                }
            }
        }
    }

    /// Whether a block belongs to reserved slots.
    fn is_reserved(&self, block: u32) -> bool {
        self.owner_of(block) == Some(BlockOwner::Reserved)
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;

    use super::*;
    use crate::base::component_set::ComponentSet;

    const A: SpawnSet = ComponentSet::EMPTY.with(0).spawn_set(2);
    const B: SpawnSet = ComponentSet::EMPTY.with(1).spawn_set(2);

    /// Does what a flush does with two [`ReservedSlots`] that have handed out `ids`.
    fn flush(entities: &mut Entities, reserved: &mut [ReservedSlots; 2], ids: &[Entity]) {
        reserved.iter_mut().for_each(|slots| _ = entities.flush_reserved(slots));
        for &entity in ids {
            assert!(entities.revive(entity), "the slot of {entity}, which was handed out, is not free");
        }
        reserved.iter_mut().for_each(|slots| entities.refill(slots));
    }

    #[test]
    fn no_slot_is_handed_out_twice_when_fewer_blocks_are_needed() {
        let mut entities = Entities::with(1, 1);
        let mut reserved = [0, 1].map(|_| entities.open_reserved());
        let mut alive = BTreeSet::new();
        // many blocks are needed, then few, so that blocks are returned and filled by other groups
        for round in 0..60_usize {
            let mut ids = Vec::new();
            let [first, second] = &mut reserved;
            for _ in 0..[700, 3, 700, 0, 40, 700][round % 6] {
                ids.push(first.reserve(&entities, &A));
            }
            for _ in 0..[0, 0, 300, 1, 90, 0][round % 6] {
                ids.push(second.reserve(&entities, &A));
                ids.push(second.reserve(&entities, &B));
            }
            flush(&mut entities, &mut reserved, &ids);
            ids.extend((0..300).flat_map(|_| [&A, &B]).map(|set| entities.spawn(set)));
            for entity in ids {
                assert!(
                    entities.contains(entity) && alive.insert(entity.slot()),
                    "{entity} was handed out twice"
                );
            }
            let despawned: Vec<u32> = alive.iter().copied().filter(|slot| slot % 5 != 0).collect();
            for slot in despawned {
                assert!(entities.despawn(entities.at(slot as usize)) && alive.remove(&slot));
            }
            assert_eq!(entities.len(), alive.len());
        }
    }

    #[test]
    fn blocks_of_closed_reserved_slots_are_used_by_other_groups() {
        let mut entities = Entities::with(1, 1);
        let mut reserved = [0, 1].map(|_| entities.open_reserved());
        let ids: Vec<Entity> = (0..200).map(|_| reserved[0].reserve(&entities, &A)).collect();
        flush(&mut entities, &mut reserved, &ids);
        for &entity in &ids {
            entities.despawn(entity);
        }
        let blocks = entities.blocks();
        reserved.iter_mut().for_each(|slots| entities.close(slots));
        for _ in 0..blocks * 64 {
            entities.spawn(&B);
        }
        assert_eq!(entities.blocks(), blocks, "blocks of closed reserved slots are not used");
    }

    #[test]
    fn commands_spawn_in_the_holes_of_their_group_after_the_first_flush() {
        let mut entities = Entities::with(1, 1);
        let mut reserved = [0, 1].map(|_| entities.open_reserved());
        let all: Vec<Entity> = (0..640).map(|_| entities.spawn(&A)).collect();
        all.iter().filter(|entity| entity.slot() % 6 == 0).for_each(|&entity| _ = entities.despawn(entity));
        let ids: Vec<Entity> = (0..50).map(|_| reserved[0].reserve(&entities, &A)).collect();
        flush(&mut entities, &mut reserved, &ids);
        let blocks = entities.blocks();
        for _ in 0..2 {
            let ids: Vec<Entity> = (0..40).map(|_| reserved[0].reserve(&entities, &A)).collect();
            assert!(ids.iter().all(|id| id.slot() < blocks as u32 * 64), "{ids:?}");
            flush(&mut entities, &mut reserved, &ids);
        }
        assert_eq!(entities.blocks(), blocks);
    }

    #[test]
    fn the_reserved_slots_of_a_system_that_spawns_less_go_back_to_their_group() {
        let mut entities = Entities::with(1, 1);
        let mut reserved = [0, 1].map(|_| entities.open_reserved());
        let ids: Vec<Entity> = (0..640).map(|_| reserved[0].reserve(&entities, &A)).collect();
        flush(&mut entities, &mut reserved, &ids);
        assert!(reserved[0].groups[0].blocks.is_empty(), "full blocks go back at once");
        // each of these blocks has one free slot
        ids.iter().filter(|entity| entity.slot() % 64 == 9).for_each(|&entity| _ = entities.despawn(entity));
        let holes = |entities: &Entities, reserved: &ReservedSlots| {
            let kept = &reserved.groups[0].blocks;
            assert!(kept.iter().all(|taken| entities.is_reserved(taken.block) && taken.free != 0));
            (kept.len(), kept.iter().map(|taken| taken.free.count_ones()).sum::<u32>())
        };
        let mut last = 640;
        for wanted in [320, 160, 80, 40, 20, 10, 5, 2, 1] {
            flush(&mut entities, &mut reserved, &[]);
            assert_eq!(reserved[0].groups[0].wanted, wanted);
            let (blocks, free) = holes(&entities, &reserved[0]);
            assert!(blocks as u32 <= free && free <= last, "{blocks} blocks with {free} free slots");
            assert!(blocks == 1 || free - 1 < wanted as u32 + 64, "{free} slots for {wanted}");
            last = free;
        }
        assert_eq!(holes(&entities, &reserved[0]), (1, 1), "a block with a free slot is kept");
        // the group fills the blocks that went back before it takes new ones
        let blocks = entities.blocks();
        (0..9).for_each(|_| assert_eq!(entities.spawn(&A).slot() % 64, 9));
        assert_eq!(entities.blocks(), blocks);
    }

    #[test]
    fn a_clone_hands_out_the_slots_that_were_handed_out_since_the_flush() {
        let mut entities = Entities::with(1, 1);
        let mut reserved = [0, 1].map(|_| entities.open_reserved());
        let ids: Vec<Entity> = (0..30).map(|_| reserved[0].reserve(&entities, &A)).collect();
        flush(&mut entities, &mut reserved, &ids);
        let ids: Vec<Entity> = (0..20).map(|_| reserved[0].reserve(&entities, &A)).collect();
        let mut copy = reserved[0].clone();
        let again: Vec<Entity> = (0..20).map(|_| copy.reserve(&entities, &A)).collect();
        assert_eq!(again, ids, "the entities of the original are not alive in the clone");
    }

    #[test]
    fn slots_are_neither_flushed_nor_returned_to_an_allocator_that_has_not_reserved_them() {
        let mut entities = Entities::with(1, 1);
        let mut reserved = [0, 1].map(|_| entities.open_reserved());
        let earlier = entities.clone();
        let ids: Vec<Entity> = (0..300).map(|_| reserved[0].reserve(&entities, &A)).collect();
        flush(&mut entities, &mut reserved, &ids);
        // the same allocator at an earlier time, and another one, which ends before the last block
        for mut other in [earlier, Entities::with(1, 1)] {
            let mut slots = reserved[0].clone();
            let before = slots.reservation;
            other.refill(&mut slots);
            assert!(!other.knows(before) && entities.knows(before) && slots.reservation == before);
            other.close(&mut reserved[0].clone());
            assert_eq!((other.closed_reserved.len(), other.free_blocks()), (0, 0));
            // slots that got there are exchanged for new ones
            assert!(other.flush_reserved(&mut slots) == before);
            assert!(other.knows(slots.reservation) && slots.groups.is_empty());
        }
        // a copy knows what was reserved before it was made, until the next flush of ids
        let (copy, id) = (entities.clone(), reserved[1].reserve(&entities, &B));
        assert!(copy.knows(reserved[0].reservation) && copy.knows(reserved[1].reservation));
        let of_ids = entities.flush_reserved(&mut reserved[1]);
        assert!(entities.knows(of_ids) && !copy.knows(of_ids) && entities.revive(id));
        entities.close(&mut reserved[1]);
        assert!(!entities.knows(of_ids) && entities.closed_reserved == [1]);
    }
}

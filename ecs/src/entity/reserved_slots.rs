//! Slots for entities that will live later: what `Commands::spawn` gives an id from.
//!
//! Systems that run at the same time must not ask each other which slot is free, and the answer must be the same
//! whichever of them comes first. So each place in a schedule that has commands owns a *lane*: blocks of 64 slots that
//! nobody else fills, and of the blocks that nobody has, in their order, every n-th, where n is the number of lanes.
//! Between two flushes the allocator does not change, so all lanes see the same free blocks.
//!
//! At a flush lanes say what they took ([`Entities::settle`]), entities begin to live ([`Entities::revive`]), and
//! lanes are given blocks with holes to fill next ([`Entities::refill`]).

use alloc::vec::Vec;

use super::Entity;
use super::allocator::{DEAD, Entities, LANES, id};
use super::blocks::Cursor;
#[cfg(feature = "serde")]
use super::image::{self, ReservedGroupImage, ReservedSlotsImage};
use crate::base::component_set::SpawnSet;

/// The slots that one place hands out. A clone owns the same blocks, and has handed out nothing.
#[derive(Default)]
#[cfg_attr(not(feature = "serde"), expect(unreachable_pub, reason = "what is saved of a system may be one"))]
pub struct ReservedSlots {
    number: usize,
    kinds: Vec<ReservedGroup>,
    /// The kind that was asked for last.
    last: usize,
    /// How many blocks that nobody had were taken since the flush, and where the next is looked for.
    taken: usize,
    cursor: Cursor,
}

/// The blocks of a lane for entities with one set of components.
struct ReservedGroup {
    kind: SpawnSet,
    /// By which constant it was asked for last; one that was loaded has not been.
    asked: Option<&'static SpawnSet>,
    /// Blocks that the lane owns: all but the first `used` are untouched since the flush.
    blocks: Vec<Taken>,
    used: usize,
    /// How many slots were handed out since the flush; and how many are to be ready after it.
    spawned: usize,
    wanted: usize,
}

/// A block of a lane.
#[derive(Clone, Copy)]
struct Taken {
    block: u32,
    /// The slots that can be handed out.
    free: u64,
    /// The slots that were handed out since the flush.
    given: u64,
    /// Whether the allocator does not know yet whose it is.
    fresh: bool,
}

impl ReservedSlots {
    /// The lane of this number.
    pub(crate) fn new(number: usize) -> Self {
        Self { number, ..Self::default() }
    }

    /// The id of an entity of a kind, which is nobody's until it is [revived](Entities::revive).
    #[inline]
    pub(crate) fn reserve(&mut self, entities: &Entities, kind: &'static SpawnSet) -> Entity {
        let index = match self.kinds.get(self.last) {
            Some(known) if known.asked.is_some_and(|asked| core::ptr::eq(asked, kind)) => self.last,
            _ => self.find(kind),
        };
        self.take(entities, index)
    }

    /// The same of a kind that is known only at run time.
    #[cfg(feature = "serde")]
    pub(crate) fn reserve_of(&mut self, entities: &Entities, kind: &SpawnSet) -> Entity {
        let index = self.known(kind);
        self.take(entities, index)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take(&mut self, entities: &Entities, index: usize) -> Entity {
        self.last = index;
        let entry = &mut self.kinds[index];
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
            let nth = self.taken * entities.lanes() + self.number;
            self.taken += 1;
            let (block, free) = entities.nth_free(nth, &mut self.cursor);
            entry.blocks.push(Taken { block, free, given: 0, fresh: true });
            entry.used = entry.blocks.len();
        }
    }

    #[cold]
    #[inline(never)]
    fn find(&mut self, kind: &'static SpawnSet) -> usize {
        let known = self.known(kind);
        self.kinds[known].asked = Some(kind);
        known
    }

    fn known(&mut self, kind: &SpawnSet) -> usize {
        let known = self.kinds.iter().position(|known| known.kind.set == kind.set);
        known.unwrap_or_else(|| {
            self.kinds.push(ReservedGroup {
                kind: *kind,
                asked: None,
                blocks: Vec::new(),
                used: 0,
                spawned: 0,
                wanted: 0,
            });
            self.kinds.len() - 1
        })
    }
}

impl ReservedGroup {
    /// A copy that has handed out nothing since the flush.
    fn unused(&self) -> Self {
        let Self { kind, asked, blocks, used: _, spawned: _, wanted } = self;
        let known = blocks.iter().filter(|taken| !taken.fresh);
        let blocks = known.map(|&Taken { block, free, given, fresh }| Taken {
            block,
            free: free | given,
            given: 0,
            fresh,
        });
        Self { kind: *kind, asked: *asked, blocks: blocks.collect(), used: 0, spawned: 0, wanted: *wanted }
    }
}

impl Clone for ReservedSlots {
    fn clone(&self) -> Self {
        let Self { number, kinds, last: _, taken: _, cursor: _ } = self;
        let kinds = kinds.iter().map(ReservedGroup::unused).collect();
        Self { number: *number, kinds, ..Self::default() }
    }
}

/// How lanes are saved and loaded.
#[cfg(feature = "serde")]
impl ReservedSlots {
    pub(super) fn number(&self) -> usize {
        self.number
    }

    pub(super) fn set_number(&mut self, number: usize) {
        self.number = number;
    }

    /// The blocks that the lane owns.
    pub(super) fn blocks(&self) -> impl Iterator<Item = u32> + '_ {
        self.kinds.iter().flat_map(|entry| entry.blocks.iter().map(|taken| taken.block))
    }

    pub(crate) fn image(&self) -> ReservedSlotsImage {
        let Self { number, kinds, last: _, taken: _, cursor: _ } = self.clone();
        let kinds = kinds.into_iter().map(|entry| {
            let ReservedGroup { kind, asked: _, blocks, used: _, spawned: _, wanted } = entry;
            ReservedGroupImage {
                set: image::indices(&kind.set),
                wanted: wanted as u32,
                blocks: blocks.iter().map(|taken| (taken.block, taken.free)).collect(),
            }
        });
        ReservedSlotsImage { number: number as u32, kinds: kinds.collect() }
    }

    /// The lane of an image, which [`Entities::adopt`] has not looked at yet.
    pub(crate) fn of_image(
        image: ReservedSlotsImage,
        index_of: &dyn Fn(u16) -> Option<usize>,
        words: usize,
    ) -> Self {
        let kinds = image.kinds.into_iter().map(|entry| ReservedGroup {
            kind: SpawnSet::of(image::words(&entry.set, index_of), words),
            asked: None,
            blocks: entry
                .blocks
                .iter()
                .map(|&(block, free)| Taken { block, free, given: 0, fresh: false })
                .collect(),
            used: 0,
            spawned: 0,
            wanted: entry.wanted as usize,
        });
        Self { number: image.number as usize, kinds: kinds.collect(), ..Self::default() }
    }

    /// Looks whether the slots that it hands out are free; its blocks hold what its kinds have.
    pub(super) fn fill_again(&mut self, entities: &mut Entities) {
        for entry in &mut self.kinds {
            for taken in &mut entry.blocks {
                taken.free &= entities.free_of(taken.block);
                entities.hold_set(taken.block, &entry.kind.set);
            }
        }
    }
}

impl Entities {
    /// The number of another lane: one that was closed, or a new one.
    pub(crate) fn open_lane(&mut self) -> usize {
        self.closed_lanes.pop().unwrap_or_else(|| {
            self.lanes += 1;
            self.lanes - 1
        })
    }

    pub(crate) fn lanes(&self) -> usize {
        self.lanes.max(1)
    }

    /// The id that the next entity in a slot will have.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_of(&self, slot: u32) -> Entity {
        id(
            slot,
            self.generations().get(slot as usize).map_or(self.first_generation, |&generation| generation),
        )
    }

    /// The block that is the `nth` of those that nobody has, and its free slots.
    fn nth_free(&self, nth: usize, cursor: &mut Cursor) -> (u32, u64) {
        let block = self.blocks.nth_free(nth, cursor);
        (block, if (block as usize) < self.blocks.len() { self.free_of(block) } else { u64::MAX })
    }

    /// Takes note of the blocks that a lane has taken since the last flush: they are nobody else's.
    pub(crate) fn settle(&mut self, lane: &mut ReservedSlots) {
        (lane.taken, lane.cursor) = (0, Cursor::default());
        for entry in lane.kinds.iter_mut().filter(|entry| entry.spawned > 0) {
            let kind = self.kind(&entry.kind);
            for taken in &mut entry.blocks[..entry.used] {
                // from now on their entities may live, so that a copy must not hand out these slots again
                taken.given = 0;
                if core::mem::take(&mut taken.fresh) {
                    self.grow_to(taken.block as usize + 1);
                    self.blocks.claim(taken.block, LANES);
                    self.hold(taken.block, kind);
                }
            }
        }
    }

    /// Begins the life of an entity that a lane handed out; `false` if its slot is not free any more.
    #[inline]
    pub(crate) fn revive(&mut self, entity: Entity) -> bool {
        let slot = entity.slot() as usize;
        let dead = Some(&(entity.generation().get() | DEAD));
        if self.generations().get(slot) != dead {
            return false;
        }
        self.begin(slot);
        true
    }

    /// Gives up an id that a lane handed out, if its entity does not live: nobody will have it.
    pub(crate) fn give_up(&mut self, entity: Entity) {
        if self.revive(entity) {
            self.despawn(entity);
        }
    }

    /// Makes a lane ready for what comes after a flush: as many free slots as it used, in blocks with holes, if there
    /// are such; what it has too much of goes back.
    pub(crate) fn refill(&mut self, lane: &mut ReservedSlots) {
        self.forget_holes_of_lanes();
        for entry in lane.kinds.iter_mut().filter(|entry| entry.spawned > 0 || entry.wanted > 0) {
            let kind = self.kind(&entry.kind);
            entry.wanted = entry.spawned.max(entry.wanted / 2);
            (entry.spawned, entry.used) = (0, 0);
            let (mut ready, mut kept) = (0, 0);
            for at in 0..entry.blocks.len() {
                let block = entry.blocks[at].block;
                if !self.is_of_lane(block) {
                    continue; // somebody has exchanged parts of worlds
                }
                let free = self.free_of(block);
                if free == 0 || (ready >= entry.wanted && kept > 0) {
                    self.leave(block, kind);
                    continue;
                }
                ready += free.count_ones() as usize;
                entry.blocks[kept] = Taken { block, free, given: 0, fresh: false };
                kept += 1;
            }
            entry.blocks.truncate(kept);
            while ready < entry.wanted
                && let Some(block) = self.take_hole(kind)
            {
                let free = self.free_of(block);
                ready += free.count_ones() as usize;
                entry.blocks.push(Taken { block, free, given: 0, fresh: false });
            }
        }
    }

    /// Takes back all that a lane owns, and its number.
    pub(crate) fn close(&mut self, lane: &mut ReservedSlots) {
        self.closed_lanes.push(lane.number);
        for entry in lane.kinds.drain(..) {
            let kind = self.kind(&entry.kind);
            for taken in entry.blocks {
                if !taken.fresh && self.is_of_lane(taken.block) {
                    self.leave(taken.block, kind);
                }
            }
        }
    }

    fn is_of_lane(&self, block: u32) -> bool {
        (block as usize) < self.blocks.len() && self.blocks.get(block).kind == LANES
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;

    use super::*;
    use crate::base::component_set::ComponentSet;

    const A: SpawnSet = ComponentSet::EMPTY.with(0).kind(2);
    const B: SpawnSet = ComponentSet::EMPTY.with(1).kind(2);

    /// Everything that a flush does to two lanes of which the first has handed out some ids, the second others.
    fn flush(entities: &mut Entities, lanes: &mut [ReservedSlots; 2], reserved: &[Entity]) {
        lanes.iter_mut().for_each(|lane| entities.settle(lane));
        for &entity in reserved {
            assert!(entities.revive(entity), "{entity} was handed out, and its slot is not free");
        }
        lanes.iter_mut().for_each(|lane| entities.refill(lane));
    }

    #[test]
    fn no_slot_is_handed_out_twice_when_a_lane_needs_fewer_blocks() {
        let mut entities = Entities::with(1, 1);
        let mut lanes = [0, 1].map(|_| ReservedSlots::new(entities.open_lane()));
        let mut alive = BTreeSet::new();
        // the lanes need many blocks, then few, so that they give blocks back, which others fill
        for round in 0..60_usize {
            let mut reserved = Vec::new();
            let [first, second] = &mut lanes;
            for _ in 0..[700, 3, 700, 0, 40, 700][round % 6] {
                reserved.push(first.reserve(&entities, &A));
            }
            for _ in 0..[0, 0, 300, 1, 90, 0][round % 6] {
                reserved.push(second.reserve(&entities, &A));
                reserved.push(second.reserve(&entities, &B));
            }
            flush(&mut entities, &mut lanes, &reserved);
            reserved.extend((0..300).flat_map(|_| [&A, &B]).map(|kind| entities.spawn(kind)));
            for entity in reserved {
                assert!(entities.contains(entity) && alive.insert(entity.slot()), "{entity} is there twice");
            }
            let gone: Vec<u32> = alive.iter().copied().filter(|slot| slot % 5 != 0).collect();
            for slot in gone {
                assert!(entities.despawn(entities.at(slot as usize)) && alive.remove(&slot));
            }
            assert_eq!(entities.len(), alive.len());
        }
    }

    #[test]
    fn a_closed_lane_leaves_its_blocks_to_others() {
        let mut entities = Entities::with(1, 1);
        let mut lanes = [0, 1].map(|_| ReservedSlots::new(entities.open_lane()));
        let reserved: Vec<Entity> = (0..200).map(|_| lanes[0].reserve(&entities, &A)).collect();
        flush(&mut entities, &mut lanes, &reserved);
        for &entity in &reserved {
            entities.despawn(entity);
        }
        let blocks = entities.blocks();
        lanes.iter_mut().for_each(|lane| entities.close(lane));
        for _ in 0..blocks * 64 {
            entities.spawn(&B);
        }
        assert_eq!(entities.blocks(), blocks, "blocks of a closed lane are not used");
    }
}

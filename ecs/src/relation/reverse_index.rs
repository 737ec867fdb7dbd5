//! Who is related to an entity: for each target its sources, in the order in which they were related to it.
//!
//! Targets are found by their slots: a page of numbers for each block of 64, and a bit for each slot, so that queries find
//! targets as they find components. Nothing here is recursive, and nothing relies on it for soundness.

use alloc::boxed::Box;
#[cfg(feature = "serde")]
use alloc::string::String;
use alloc::vec::Vec;

#[cfg(feature = "serde")]
use crate::base::mask::Bits;
use crate::entity::Entity;
#[cfg(feature = "serde")]
use crate::entity::allocator::Entities;

/// The sources of all targets.
#[derive(Clone, Default)]
pub(crate) struct ReverseIndex {
    pages: Vec<Option<Box<Page>>>,
    lists: Vec<List>,
    /// Lists that are nobody's.
    free: Vec<u32>,
}

/// The targets of a block.
#[derive(Clone)]
pub(crate) struct Page {
    /// One bit for each slot that is a target.
    targets: u64,
    /// Where the list of such a slot is.
    lists: [u32; 64],
}

/// The sources of one target.
#[derive(Clone)]
pub(crate) struct List {
    target: Entity,
    /// Never empty, unless the list is nobody's.
    sources: Vec<Entity>,
}

impl Page {
    /// The slots that are targets, as bits.
    #[inline(always)]
    pub(crate) fn targets(&self) -> u64 {
        self.targets
    }

    /// The sources of the `i`-th slot.
    #[inline(always)]
    pub(crate) fn sources<'w>(&self, lists: &'w [List], i: usize) -> &'w [Entity] {
        if self.targets >> (i % 64) & 1 == 0 {
            return &[];
        }
        lists.get(self.lists[i % 64] as usize).map_or(&[], |list| &list.sources)
    }
}

impl ReverseIndex {
    /// The targets of a block.
    #[inline(always)]
    pub(crate) fn page(&self, block: usize) -> Option<&Page> {
        self.pages.get(block)?.as_deref()
    }

    /// All lists, by the numbers that pages know.
    #[inline(always)]
    pub(crate) fn lists(&self) -> &[List] {
        &self.lists
    }

    /// How many blocks there are to look at.
    pub(crate) fn blocks(&self) -> usize {
        self.pages.len()
    }

    /// The sources of a target, in order.
    pub(crate) fn sources(&self, target: Entity) -> &[Entity] {
        match self.find(target).and_then(|list| self.lists.get(list)) {
            Some(list) if list.target == target => &list.sources,
            _ => &[],
        }
    }

    /// The number of the list of a target's slot.
    fn find(&self, target: Entity) -> Option<usize> {
        let (block, i) = (target.slot() as usize / 64, target.slot() as usize % 64);
        let page = self.page(block)?;
        (page.targets >> i & 1 == 1).then(|| page.lists[i] as usize)
    }

    /// Appends a source to those of a target.
    pub(crate) fn link(&mut self, target: Entity, source: Entity) {
        let list = match self.find(target) {
            Some(list) => list,
            None => self.begin(target),
        };
        let list = &mut self.lists[list];
        if list.target != target {
            // what an entity that held the slot before has left: only code that exchanges parts of worlds brings it about
            list.sources.clear();
            list.target = target;
        }
        list.sources.push(source);
    }

    /// Makes a list for a target that has none.
    fn begin(&mut self, target: Entity) -> usize {
        let (block, i) = (target.slot() as usize / 64, target.slot() as usize % 64);
        if self.pages.len() <= block {
            self.pages.resize_with(block + 1, || None);
        }
        let list = self.free.pop().unwrap_or(self.lists.len() as u32);
        if list as usize == self.lists.len() {
            self.lists.push(List { target, sources: Vec::new() });
        }
        self.lists[list as usize].target = target;
        let page = self.pages[block].get_or_insert_with(|| Box::new(Page { targets: 0, lists: [0; 64] }));
        page.targets |= 1 << i;
        page.lists[i] = list;
        list as usize
    }

    /// Takes a source from those of a target; whether it was among them.
    ///
    /// Cost: follows the number of sources of this target; the last one is found at once.
    pub(crate) fn unlink(&mut self, target: Entity, source: Entity) -> bool {
        let Some(at) = self.position(target, source) else { return false };
        let Some(list) = self.find(target).and_then(|list| self.lists.get_mut(list)) else { return false };
        list.sources.remove(at);
        if list.sources.is_empty() {
            self.take(target);
        }
        true
    }

    /// The place of a source among those of a target.
    fn position(&self, target: Entity, source: Entity) -> Option<usize> {
        let sources = self.sources(target);
        match sources.last() {
            Some(&last) if last == source => Some(sources.len() - 1),
            _ => sources.iter().position(|&one| one == source),
        }
    }

    /// Moves a source of a target to a place among its sources; to the end, if there are not so many.
    pub(crate) fn place(&mut self, target: Entity, source: Entity, place: usize) {
        let Some(at) = self.position(target, source) else { return };
        let Some(list) = self.find(target).and_then(|list| self.lists.get_mut(list)) else { return };
        let place = place.min(list.sources.len() - 1);
        if at < place {
            list.sources[at..=place].rotate_left(1);
        } else {
            list.sources[place..=at].rotate_right(1);
        }
    }

    /// Takes all sources of a target.
    pub(crate) fn take(&mut self, target: Entity) -> Vec<Entity> {
        let (block, i) = (target.slot() as usize / 64, target.slot() as usize % 64);
        let Some(number) = self.find(target) else { return Vec::new() };
        let Some(page) = self.pages.get_mut(block).and_then(Option::as_mut) else { return Vec::new() };
        page.targets &= !(1 << i);
        self.free.push(number as u32);
        let list = &mut self.lists[number];
        let sources = core::mem::take(&mut list.sources);
        if list.target == target { sources } else { Vec::new() }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }
}

/// What is saved of it: the order of sources, where it is not that of their slots.
#[cfg(feature = "serde")]
impl ReverseIndex {
    /// For such targets, by their slots, the slots of their sources.
    pub(super) fn orders(&self) -> Vec<(u32, Vec<u32>)> {
        let mut orders = Vec::new();
        for page in self.pages.iter().flatten() {
            for bit in Bits(page.targets) {
                let Some(list) = self.lists.get(page.lists[bit] as usize) else { continue };
                if !list.sources.is_sorted_by_key(|source| source.slot()) {
                    orders.push((
                        list.target.slot(),
                        list.sources.iter().map(|source| source.slot()).collect(),
                    ));
                }
            }
        }
        orders
    }

    /// Gives sources of targets an order; they are the same as before.
    pub(super) fn order(
        &mut self,
        entities: &Entities,
        orders: &[(u32, Vec<u32>)],
    ) -> Result<(), (u32, String)> {
        for (target, slots) in orders {
            let wrong =
                || (*target, String::from("the order of those who point to it names others than who does"));
            let alive = |slot: u32| entities.living_at(slot as usize).ok_or_else(wrong);
            let list =
                self.find(alive(*target)?).and_then(|list| self.lists.get_mut(list)).ok_or_else(wrong)?;
            let sources = slots.iter().map(|&slot| alive(slot)).collect::<Result<Vec<Entity>, _>>()?;
            let (mut before, mut after) = (list.sources.clone(), sources.clone());
            before.sort_unstable();
            after.sort_unstable();
            if before != after {
                return Err(wrong());
            }
            list.sources = sources;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entity(slot: u64) -> Entity {
        Entity::from_bits(1 << 32 | slot).unwrap()
    }

    #[test]
    fn sources_keep_their_order_whoever_goes() {
        let mut web = ReverseIndex::default();
        let target = entity(700);
        for slot in 0..5 {
            web.link(target, entity(slot));
        }
        assert!(web.unlink(target, entity(2)) && !web.unlink(target, entity(2)));
        assert_eq!(web.sources(target), [0, 1, 3, 4].map(entity));
        web.place(target, entity(4), 1);
        assert_eq!(web.sources(target), [0, 4, 1, 3].map(entity));
        web.place(target, entity(0), 99);
        assert_eq!(web.sources(target), [4, 1, 3, 0].map(entity));
        assert_eq!(web.take(target), [4, 1, 3, 0].map(entity));
        assert!(web.sources(target).is_empty() && web.page(10).is_some_and(|page| page.targets() == 0));
    }

    #[test]
    fn lists_are_used_again_and_empty_ones_are_nobodys() {
        let mut web = ReverseIndex::default();
        for round in 0..100 {
            web.link(entity(round), entity(1));
            assert!(web.unlink(entity(round), entity(1)));
        }
        assert_eq!((web.lists.len(), web.free.len()), (1, 1));
    }

    #[test]
    fn the_next_entity_of_a_slot_has_no_sources() {
        let mut web = ReverseIndex::default();
        let next = Entity::from_bits(2 << 32 | 7).unwrap();
        web.link(entity(7), entity(1));
        assert!(web.sources(next).is_empty() && !web.unlink(next, entity(1)));
        web.link(next, entity(2));
        assert_eq!((web.sources(next), web.sources(entity(7))), ([entity(2)].as_slice(), [].as_slice()));
    }
}

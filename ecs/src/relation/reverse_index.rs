//! [`ReverseIndex`]: for each target of a relation its sources, in the order in which they were
//! related to it.
//!
//! Targets are looked up by slot. Each block of 64 slots has a page, with a bit for each slot that
//! is a target and the index of its list, so that queries can filter by targets as they filter by
//! components. No function is recursive, and no unsafe code relies on the contents.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use crate::base::keyed_list::{Keyed, KeyedList};
use crate::base::mask::Bits;
use crate::entity::Entity;
use crate::entity::allocator::Entities;
use crate::entity::regrouped::Regrouped;

/// The sources of all targets of one relation.
#[derive(Clone, Default)]
pub(crate) struct ReverseIndex {
    pages: Vec<Option<Box<Page>>>,
    lists: Vec<List>,
    /// The indices of lists without a target, for reuse.
    free: Vec<u32>,
    /// The tick at which a living source lost its target and did not get another one.
    last_loss: u64,
}

/// The targets among the 64 slots of a block.
#[derive(Clone)]
pub(crate) struct Page {
    /// One bit for each slot that is a target.
    targets: u64,
    /// For each slot that is a target, the index of its list.
    lists: [u32; 64],
}

/// The sources of one target.
#[derive(Clone)]
pub(crate) struct List {
    target: Entity,
    /// Empty only if the list is free.
    sources: KeyedList<Entity>,
    /// The tick at which the target got its last new source.
    linked: u64,
}

impl Keyed for Entity {
    #[inline(always)]
    fn key(&self) -> u64 {
        self.to_bits()
    }
}

impl Page {
    /// The slots that are targets, as a mask.
    #[inline(always)]
    pub(crate) fn targets(&self) -> u64 {
        self.targets
    }

    /// The sources of the `i`-th slot of the block; empty if it is not a target.
    #[inline(always)]
    pub(crate) fn sources<'w>(&self, lists: &'w [List], i: usize) -> &'w [Entity] {
        if self.targets >> (i % 64) & 1 == 0 {
            return &[];
        }
        lists.get(self.lists[i % 64] as usize).map_or(&[], |list| list.sources.as_slice())
    }
}

impl ReverseIndex {
    /// The page of a block; `None` if no slot of the block has been a target.
    #[inline(always)]
    pub(crate) fn page(&self, block: usize) -> Option<&Page> {
        self.pages.get(block)?.as_deref()
    }

    /// All lists; pages refer to them by index.
    #[inline(always)]
    pub(crate) fn lists(&self) -> &[List] {
        &self.lists
    }

    /// The number of blocks that may have targets.
    pub(crate) fn blocks(&self) -> usize {
        self.pages.len()
    }

    /// The sources of a target, in order; empty if it has none.
    pub(crate) fn sources(&self, target: Entity) -> &[Entity] {
        match self.find(target).and_then(|list| self.lists.get(list)) {
            Some(list) if list.target == target => list.sources.as_slice(),
            _ => &[],
        }
    }

    /// Whether a target has sources. Unlike [`sources`](Self::sources), it does not close the gaps
    /// of the list.
    pub(super) fn has_sources(&self, target: Entity) -> bool {
        let list = self.find(target).and_then(|list| self.lists.get(list));
        list.is_some_and(|list| list.target == target && list.sources.len() > 0)
    }

    /// The index of the list of a target's slot, whatever the generation of the entity.
    fn find(&self, target: Entity) -> Option<usize> {
        let (block, i) = (target.slot() as usize / 64, target.slot() as usize % 64);
        let page = self.page(block)?;
        (page.targets >> i & 1 == 1).then(|| page.lists[i] as usize)
    }

    /// The tick at which a living source last lost its target without getting another one.
    pub(super) fn last_loss(&self) -> u64 {
        self.last_loss
    }

    /// Records that living sources lost their target.
    pub(super) fn record_loss(&mut self, tick: u64) {
        self.last_loss = tick;
    }

    /// Whether a target got a source after a tick.
    pub(super) fn linked_since(&self, target: Entity, tick: u64) -> bool {
        let list = self.find(target).and_then(|list| self.lists.get(list));
        list.is_some_and(|list| list.target == target && list.linked > tick)
    }

    /// The sources of all targets that got a source after a tick.
    pub(super) fn sources_since(&self, tick: u64) -> impl Iterator<Item = Entity> {
        self.lists
            .iter()
            .filter(move |list| list.linked > tick)
            .flat_map(|list| list.sources.as_slice().iter().copied())
    }

    /// Appends a source to those of a target, at a tick.
    pub(crate) fn link(&mut self, target: Entity, source: Entity, tick: u64) {
        let list = match self.find(target) {
            Some(list) => list,
            None => self.add_list(target),
        };
        let list = &mut self.lists[list];
        if list.target != target {
            // the list is that of an earlier entity in this slot: only code that swaps parts of
            // worlds can cause this
            list.sources = KeyedList::new();
            list.target = target;
        }
        list.sources.push(source);
        list.linked = tick;
    }

    /// Adds an empty list for a target that has none, and returns its index.
    fn add_list(&mut self, target: Entity) -> usize {
        let (block, i) = (target.slot() as usize / 64, target.slot() as usize % 64);
        if self.pages.len() <= block {
            self.pages.resize_with(block + 1, || None);
        }
        let list = self.free.pop().unwrap_or(self.lists.len() as u32);
        if list as usize == self.lists.len() {
            self.lists.push(List { target, sources: KeyedList::new(), linked: 0 });
        }
        self.lists[list as usize].target = target;
        let page = self.pages[block].get_or_insert_with(|| Box::new(Page { targets: 0, lists: [0; 64] }));
        page.targets |= 1 << i;
        page.lists[i] = list;
        list as usize
    }

    /// Removes a source from those of a target; returns whether it was one of them.
    pub(crate) fn unlink(&mut self, target: Entity, source: Entity) -> bool {
        let list = self.find(target).and_then(|list| self.lists.get_mut(list));
        let Some(list) = list.filter(|list| list.target == target) else { return false };
        let is_removed = list.sources.remove(source.key()).is_some();
        if list.sources.len() == 0 {
            self.take_sources(target);
        }
        is_removed
    }

    /// Moves a source of a target to an index among its sources, or to the end if the index is
    /// beyond it.
    pub(crate) fn move_source(&mut self, target: Entity, source: Entity, to: usize) {
        let list = self.find(target).and_then(|list| self.lists.get_mut(list));
        if let Some(list) = list.filter(|list| list.target == target) {
            list.sources.move_to(source.key(), to);
        }
    }

    /// Removes and returns all sources of a target.
    pub(crate) fn take_sources(&mut self, target: Entity) -> Vec<Entity> {
        let (block, i) = (target.slot() as usize / 64, target.slot() as usize % 64);
        let Some(number) = self.find(target) else { return Vec::new() };
        let Some(page) = self.pages.get_mut(block).and_then(Option::as_mut) else { return Vec::new() };
        page.targets &= !(1 << i);
        self.free.push(number as u32);
        let list = &mut self.lists[number];
        let sources = core::mem::take(&mut list.sources).take();
        if list.target == target { sources } else { Vec::new() }
    }

    /// Gives back memory that the targets and sources do not need.
    pub(crate) fn shrink(&mut self) {
        let mut lists = Vec::with_capacity(self.lists.len().saturating_sub(self.free.len()));
        // lists move to the front, without the free ones between them
        for entry in &mut self.pages {
            let Some(page) = entry.as_mut().filter(|page| page.targets != 0) else {
                *entry = None;
                continue;
            };
            for bit in Bits(page.targets) {
                let Some(list) = self.lists.get_mut(page.lists[bit] as usize) else { continue };
                page.lists[bit] = lists.len() as u32;
                let mut sources = core::mem::take(&mut list.sources).take();
                sources.shrink_to_fit();
                lists.push(List { target: list.target, sources: sources.into(), linked: list.linked });
            }
        }
        (self.lists, self.free) = (lists, Vec::new());
        // pages without targets at the end are not stored at all
        self.pages.truncate(self.pages.iter().rposition(Option::is_some).map_or(0, |last| last + 1));
        self.pages.shrink_to_fit();
    }

    /// Replaces the ids of entities that were moved to other slots. The sources of a target keep
    /// their order.
    pub(crate) fn replace_ids(&mut self, moved: &Regrouped) {
        for source in self.lists.iter_mut().flat_map(|list| list.sources.as_vec()) {
            moved.update(source);
        }
        // first all targets leave their slots, since one may get the slot of another
        let mut targets = Vec::new();
        for (former, present) in moved.iter() {
            let linked = self.find(former).map_or(0, |list| self.lists[list].linked);
            let sources = self.take_sources(former);
            if !sources.is_empty() {
                targets.push(List { target: present, sources: sources.into(), linked });
            }
        }
        for target in targets {
            let list = self.find(target.target).unwrap_or_else(|| self.add_list(target.target));
            self.lists[list] = target;
        }
    }

    /// Removes all targets and sources.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }
}

/// Saving: a file has the order of a target's sources only if it is not the order of their slots.
impl ReverseIndex {
    /// The targets whose sources are not in the order of their slots, each with its sources in
    /// order. Entities are given by slot.
    pub(super) fn orders(&self) -> Vec<(u32, Vec<u32>)> {
        let mut orders = Vec::new();
        for page in self.pages.iter().flatten() {
            for bit in Bits(page.targets) {
                let Some(list) = self.lists.get(page.lists[bit] as usize) else { continue };
                let sources = list.sources.as_slice();
                if !sources.is_sorted_by_key(|source| source.slot()) {
                    let slots = sources.iter().map(|source| source.slot()).collect();
                    orders.push((list.target.slot(), slots));
                }
            }
        }
        orders
    }

    /// Puts the sources of targets in the saved order.
    ///
    /// # Errors
    /// If a saved list has other entities than the sources of its target; with the slot of the
    /// target.
    pub(super) fn order(
        &mut self,
        entities: &Entities,
        orders: &[(u32, Vec<u32>)],
    ) -> Result<(), (u32, String)> {
        for (target, slots) in orders {
            let wrong = || {
                (
                    *target,
                    String::from("the saved order of its sources lists other entities than its sources"),
                )
            };
            let alive = |slot: u32| entities.living_at(slot as usize).ok_or_else(wrong);
            let list =
                self.find(alive(*target)?).and_then(|list| self.lists.get_mut(list)).ok_or_else(wrong)?;
            let sources = slots.iter().map(|&slot| alive(slot)).collect::<Result<Vec<Entity>, _>>()?;
            // compared as sets: the saved order must have each source once, and no other entity
            let (mut before, mut after) = (list.sources.as_slice().to_vec(), sources.clone());
            before.sort_unstable();
            after.sort_unstable();
            if before != after {
                return Err(wrong());
            }
            list.sources = sources.into();
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
    fn sources_keep_their_order_when_one_is_removed() {
        let mut index = ReverseIndex::default();
        let target = entity(700);
        for slot in 0..5 {
            index.link(target, entity(slot), 1);
        }
        assert!(index.unlink(target, entity(2)) && !index.unlink(target, entity(2)));
        assert_eq!(index.sources(target), [0, 1, 3, 4].map(entity));
        index.move_source(target, entity(4), 1);
        assert_eq!(index.sources(target), [0, 4, 1, 3].map(entity));
        index.move_source(target, entity(0), 99);
        assert_eq!(index.sources(target), [4, 1, 3, 0].map(entity));
        assert_eq!(index.take_sources(target), [4, 1, 3, 0].map(entity));
        assert!(index.sources(target).is_empty() && index.page(10).is_some_and(|page| page.targets() == 0));
    }

    #[test]
    fn empty_lists_are_reused() {
        let mut index = ReverseIndex::default();
        for round in 0..100 {
            index.link(entity(round), entity(1), 1);
            assert!(index.unlink(entity(round), entity(1)));
        }
        assert_eq!((index.lists.len(), index.free.len()), (1, 1));
    }

    #[test]
    fn the_lists_of_former_targets_are_freed_and_the_others_stay() {
        let mut index = ReverseIndex::default();
        for slot in 0..10_000 {
            index.link(entity(slot), entity(slot + 1), 1);
            index.link(entity(slot), entity(slot + 2), 1);
        }
        let kept = [9, 70, 71, 500];
        for slot in (0..10_000).filter(|slot| !kept.contains(slot)) {
            index.take_sources(entity(slot));
        }
        index.shrink();
        assert_eq!((index.lists.len(), index.free.len(), index.pages.len()), (4, 0, 500 / 64 + 1));
        assert_eq!(index.pages.iter().flatten().count(), 3);
        for slot in 0..10_000 {
            let expected = [entity(slot + 1), entity(slot + 2)];
            assert_eq!(index.sources(entity(slot)), if kept.contains(&slot) { &expected[..] } else { &[] });
        }
        index.link(entity(9), entity(1), 1);
        index.link(entity(9_999), entity(2), 1);
        assert_eq!((index.sources(entity(9)).len(), index.sources(entity(9_999))), (3, &[entity(2)][..]));
    }

    #[test]
    fn the_next_entity_of_a_slot_has_no_sources() {
        let mut index = ReverseIndex::default();
        let next = Entity::from_bits(2 << 32 | 7).unwrap();
        index.link(entity(7), entity(1), 1);
        assert!(index.sources(next).is_empty() && !index.unlink(next, entity(1)));
        index.link(next, entity(2), 1);
        assert_eq!((index.sources(next), index.sources(entity(7))), ([entity(2)].as_slice(), [].as_slice()));
    }
}

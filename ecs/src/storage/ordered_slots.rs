//! Slots in the order of their values, used by ordered indexes.
//!
//! The slots stand in blocks, and a list has the blocks in order. Each slot knows its block, so
//! that it is removed without a comparison, whatever its value has become. The order is that of a
//! [`SlotOrder`], which compares values that are stored elsewhere: this structure has no copies of
//! values, and its code is compiled once for all components. Blocks are shared between copies until
//! they change, so that a copy of a large index is cheap. Two levels with blocks of 512 are the
//! structure of the Python package `sortedcontainers`; a tree has more steps below a billion slots.
//!
//! A slot whose value may have changed is *loose*: it waits outside of the order until
//! [`place`](OrderedSlots::place) compares its value. So there is no moment at which the order is
//! wrong, and a comparison that panics leaves a slot outside of the order, not a broken one.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::mem;

/// The maximal number of slots in a block.
const FULL: usize = 512;
/// Slots whose homes are allocated together.
const PAGE: usize = 256;
/// In `homes`: the slot is not in the order.
const ABSENT: u32 = u32::MAX;
/// In `homes`: the slot is in `loose`.
const LOOSE: u32 = u32::MAX - 1;
/// More loose slots than this are sorted and merged with the others, if they are not few beside
/// them.
const MANY: usize = 64;

/// The order of slots. If it is not a total order, slots are found in a wrong order or not at all.
pub(crate) trait SlotOrder {
    /// Whether the slot has a value.
    fn has_value(&self, slot: u32) -> bool;
    /// Compares the values of two slots, and slots with equal values by number.
    fn compare(&self, a: u32, b: u32) -> Ordering;
}

/// Slots in the order of their values.
///
/// No unsafe code relies on its content.
#[derive(Clone, Default)]
pub(crate) struct OrderedSlots {
    /// In order, none of them empty.
    blocks: Vec<OrderedBlock>,
    /// The index in `blocks`, by the number of a block.
    places: Vec<u32>,
    /// Numbers of blocks that are not in use.
    free: Vec<u32>,
    /// By slot, the number of its block, or `ABSENT` or `LOOSE`.
    homes: Vec<Option<Arc<[u32; PAGE]>>>,
    /// Slots that wait to be placed, each of them once. Some may have lost their values.
    loose: Vec<u32>,
    /// Slots that are in no block, since the comparison of their values has panicked.
    failed: Vec<u32>,
    /// Whether a comparison has panicked while many slots were placed: the next time they are
    /// placed one by one, so that only those whose comparison panics are left out.
    one_by_one: bool,
}

/// Neighbours in the order.
#[derive(Clone)]
struct OrderedBlock {
    slots: Arc<Vec<u32>>,
    /// The first of `slots`, beside those of other blocks for the search.
    first: u32,
    /// The number of `slots`.
    len: u32,
    number: u32,
}

/// A place in the order: the index of a block, and the index in the block.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(crate) struct Position {
    block: usize,
    offset: usize,
}

impl OrderedSlots {
    /// Takes a slot out of the order until [`place`](Self::place) is called.
    pub(crate) fn loosen(&mut self, slot: u32) {
        self.remove(slot);
        if self.home(slot) != LOOSE {
            self.set_home(slot, LOOSE);
            self.loose.push(slot);
        }
    }

    /// [`loosen`](Self::loosen) for several slots.
    pub(crate) fn loosen_all(&mut self, slots: &[u32]) {
        if slots.len() <= MANY || slots.len() < self.len() / 4 {
            return slots.iter().for_each(|&slot| self.loosen(slot));
        }
        for &slot in slots {
            if mem::replace(self.home_mut(slot), LOOSE) == ABSENT {
                self.loose.push(slot); // others are loose already, or are pushed below
            }
        }
        // in their former order, which the new one often resembles: `sort` is faster then
        let (mut kept, mut loose) = (Vec::new(), mem::take(&mut self.loose));
        for slot in self.blocks.iter().flat_map(|block| block.slots.iter().copied()) {
            if self.home(slot) == LOOSE { loose.push(slot) } else { kept.push(slot) }
        }
        let failed = mem::take(&mut self.failed);
        self.failed = failed.into_iter().filter(|&slot| self.home(slot) != LOOSE).collect();
        self.loose = loose;
        self.fill(&kept);
    }

    /// Removes a slot, if it is there.
    pub(crate) fn remove(&mut self, slot: u32) {
        if !self.failed.is_empty() {
            self.failed.retain(|&failed| failed != slot);
        }
        let number = self.home(slot);
        if number == ABSENT || number == LOOSE {
            return; // a loose slot without a value is dropped by `place`
        }
        self.set_home(slot, ABSENT);
        let place = self.places[number as usize] as usize;
        let block = &mut self.blocks[place];
        let slots = Arc::make_mut(&mut block.slots);
        if let Some(at) = slots.iter().position(|&other| other == slot) {
            slots.remove(at);
        }
        block.len = slots.len() as u32;
        if let Some(&first) = slots.first() {
            block.first = first;
        } else {
            self.blocks.remove(place);
            self.free.push(number);
            self.renumber(place);
        }
    }

    /// Whether slots wait to be placed.
    pub(crate) fn has_loose(&self) -> bool {
        !self.loose.is_empty()
    }

    /// Whether all slots are in the order.
    pub(crate) fn is_complete(&self) -> bool {
        self.loose.is_empty() && self.failed.is_empty()
    }

    /// Whether the slot was added and not removed; also some loose slots that have lost their
    /// values.
    pub(crate) fn contains(&self, slot: u32) -> bool {
        self.home(slot) != ABSENT || self.failed.contains(&slot)
    }

    /// Makes slots whose comparison has panicked loose again.
    pub(crate) fn retry(&mut self) {
        mem::take(&mut self.failed).into_iter().for_each(|slot| self.loosen(slot));
    }

    /// Gives the loose slots their places. A slot whose comparison panics stays outside of the
    /// order, and is not compared again until it is loosened.
    pub(crate) fn place(&mut self, order: &dyn SlotOrder) {
        if self.loose.len() > MANY && self.loose.len() >= self.len() / 4 && !self.one_by_one {
            return self.place_many(order);
        }
        while let Some(slot) = self.loose.pop() {
            self.set_home(slot, ABSENT);
            if order.has_value(slot) {
                self.failed.push(slot);
                let at = self.partition(&|other| order.compare(other, slot) == Ordering::Less);
                self.failed.pop();
                self.insert(slot, at);
            }
        }
        self.one_by_one = false;
    }

    #[cold]
    fn place_many(&mut self, order: &dyn SlotOrder) {
        self.one_by_one = true;
        let loose: Vec<u32> = self.loose.iter().copied().filter(|&slot| order.has_value(slot)).collect();
        let others: Vec<u32> = self.blocks.iter().flat_map(|block| block.slots.iter().copied()).collect();
        let mut all = Vec::new();
        merge(&others, &sort(loose, order), order, &mut all);
        // nothing has panicked: until here the slots stay loose
        mem::take(&mut self.loose).into_iter().for_each(|slot| self.set_home(slot, ABSENT));
        self.fill(&all);
        self.one_by_one = false;
    }

    /// Removes all slots.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Gives back memory that is not needed.
    pub(crate) fn shrink(&mut self) {
        let all: Vec<u32> = self.blocks.iter().flat_map(|block| block.slots.iter().copied()).collect();
        let (loose, failed) = (mem::take(&mut self.loose), mem::take(&mut self.failed));
        self.clear();
        self.fill(&all);
        loose.iter().for_each(|&slot| self.set_home(slot, LOOSE));
        (self.loose, self.failed) = (loose, failed);
    }

    /// The number of slots in the order.
    pub(crate) fn len(&self) -> usize {
        self.between(Position::default(), self.end())
    }

    /// The position after the last slot.
    pub(crate) fn end(&self) -> Position {
        Position { block: self.blocks.len(), offset: 0 }
    }

    /// The position of the first slot that is not `before`. Binary search: slots that are `before`
    /// stand in front of the others.
    pub(crate) fn partition(&self, before: &dyn Fn(u32) -> bool) -> Position {
        let block = self.blocks.partition_point(|block| before(block.first));
        let Some(last) = block.checked_sub(1) else { return Position::default() };
        let offset = self.blocks[last].slots.partition_point(|&slot| before(slot));
        self.position(last, offset)
    }

    /// A position in a block, or at its end.
    fn position(&self, block: usize, offset: usize) -> Position {
        match self.blocks.get(block) {
            Some(of) if offset < of.slots.len() => Position { block, offset },
            _ => Position { block: block + 1, offset: 0 },
        }
    }

    /// The slot at a position; `None` at the end.
    pub(crate) fn get(&self, at: Position) -> Option<u32> {
        self.blocks.get(at.block)?.slots.get(at.offset).copied()
    }

    /// The position `count` slots later; at most [`end`](Self::end).
    pub(crate) fn later(&self, at: Position, count: usize) -> Position {
        let Position { mut block, mut offset } = at;
        offset = offset.saturating_add(count);
        while let Some(of) = self.blocks.get(block)
            && offset >= of.len as usize
        {
            offset -= of.len as usize;
            block += 1;
        }
        if block < self.blocks.len() { Position { block, offset } } else { self.end() }
    }

    /// The position `count` slots earlier; at least the first one.
    pub(crate) fn earlier(&self, at: Position, mut count: usize) -> Position {
        let Position { mut block, mut offset } = at;
        while count > offset {
            let Some(previous) = block.checked_sub(1) else { return Position::default() };
            count -= offset;
            (block, offset) = (previous, self.blocks[previous].len as usize);
        }
        Position { block, offset: offset - count }
    }

    /// The number of slots from a position to a later one.
    pub(crate) fn between(&self, from: Position, to: Position) -> usize {
        let blocks = self.blocks.get(from.block..to.block).unwrap_or_default();
        let slots: usize = blocks.iter().map(|block| block.len as usize).sum();
        (slots + to.offset).saturating_sub(from.offset)
    }

    /// Inserts a slot before a position.
    fn insert(&mut self, slot: u32, at: Position) {
        // at the beginning of a block, it comes to the end of the one before
        let (block, offset) = match at.block.checked_sub(1) {
            Some(previous) if at.offset == 0 => (previous, self.blocks[previous].slots.len()),
            _ => (at.block, at.offset),
        };
        let is_last = block + 1 == self.blocks.len();
        let Some(found) = self.blocks.get_mut(block) else {
            return self.insert_block(block, alloc::vec![slot]);
        };
        let (number, slots) = (found.number, Arc::make_mut(&mut found.slots));
        slots.insert(offset, slot);
        // half of a full block moves to a new one, or less at the end, where slots are often added
        let kept = if is_last && offset + 1 == slots.len() { FULL * 7 / 8 } else { FULL / 2 };
        let tail = (slots.len() > FULL).then(|| slots.split_off(kept));
        (found.first, found.len) = (slots[0], slots.len() as u32);
        self.set_home(slot, number);
        if let Some(tail) = tail {
            self.insert_block(block + 1, tail);
        }
    }

    /// Inserts a block of slots, which must not be empty.
    fn insert_block(&mut self, place: usize, slots: Vec<u32>) {
        let number = self.free.pop().unwrap_or_else(|| {
            self.places.push(0);
            self.places.len() as u32 - 1
        });
        slots.iter().for_each(|&slot| self.set_home(slot, number));
        let (first, len) = (slots[0], slots.len() as u32);
        self.blocks.insert(place, OrderedBlock { slots: Arc::new(slots), first, len, number });
        self.renumber(place);
    }

    /// Replaces the blocks by new ones with these slots.
    fn fill(&mut self, slots: &[u32]) {
        (self.blocks, self.places, self.free) = (Vec::new(), Vec::new(), Vec::new());
        for part in slots.chunks(FULL * 3 / 4) {
            self.insert_block(self.blocks.len(), part.to_vec());
        }
    }

    /// Updates `places` after blocks from `place` on have moved.
    fn renumber(&mut self, place: usize) {
        for (place, block) in self.blocks.iter().enumerate().skip(place) {
            self.places[block.number as usize] = place as u32;
        }
    }

    fn home(&self, slot: u32) -> u32 {
        let page = self.homes.get(slot as usize / PAGE).and_then(Option::as_ref);
        page.map_or(ABSENT, |page| page[slot as usize % PAGE])
    }

    fn home_mut(&mut self, slot: u32) -> &mut u32 {
        let page = slot as usize / PAGE;
        if page >= self.homes.len() {
            self.homes.resize(page + 1, None);
        }
        let page = self.homes[page].get_or_insert_with(|| Arc::new([ABSENT; PAGE]));
        &mut Arc::make_mut(page)[slot as usize % PAGE]
    }

    fn set_home(&mut self, slot: u32, home: u32) {
        *self.home_mut(slot) = home;
    }
}

/// Sorts slots by merging the runs that are in order already. The sort of the standard library may
/// panic if the order is not total.
fn sort(mut slots: Vec<u32>, order: &dyn SlotOrder) -> Vec<u32> {
    let is_end =
        |&at: &usize| at == slots.len() || order.compare(slots[at - 1], slots[at]) == Ordering::Greater;
    let mut ends: Vec<usize> = (1..=slots.len()).filter(is_end).collect();
    while ends.len() > 1 {
        let (mut merged, mut start) = (Vec::with_capacity(slots.len()), 0);
        for pair in ends.chunks(2) {
            let (middle, end) = (pair[0], pair[pair.len() - 1]);
            merge(&slots[start..middle], &slots[middle..end], order, &mut merged);
            start = end;
        }
        slots = merged;
        ends = ends.chunks(2).map(|pair| pair[pair.len() - 1]).collect();
    }
    slots
}

/// Appends the slots of two ordered lists to `merged`.
fn merge(mut a: &[u32], mut b: &[u32], order: &dyn SlotOrder, merged: &mut Vec<u32>) {
    while let (Some(&first), Some(&second)) = (a.first(), b.first()) {
        if order.compare(first, second) == Ordering::Greater {
            merged.push(second);
            b = &b[1..];
        } else {
            merged.push(first);
            a = &a[1..];
        }
    }
    merged.extend_from_slice(a);
    merged.extend_from_slice(b);
}

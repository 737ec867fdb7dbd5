//! The places that the pages of a packed column take in one list of places, as plain numbers.
//!
//! A page of a rarely held component has few values, with gaps between them. Two pages can share
//! memory if each value of the one lies in a gap of the other. So a page is placed at the first
//! offset at which none of its slots falls on a place that is taken: R. E. Tarjan and A. C. Yao,
//! "Storing a sparse table", Communications of the ACM 22 (1979). 64 offsets are tested at a time.

use alloc::vec::Vec;
use core::ops::Range;

use crate::base::mask::{Slots, range};

/// The number of offsets, in words of 64, that a search of a well filled list tests before it gives
/// up, in addition to as many as a page has slots.
const SEARCHED: usize = 66;
/// A list is well filled if at least one in `FILLED` of its places is taken.
const FILLED: usize = 4;

/// The offsets of the pages of a packed column, and the slots for which each page has a place.
///
/// # Invariants
/// 1. The place of a slot is its page's offset plus the number of the slot in the page. `taken` has
///    the bits of the places of all slots in `pages`, and no two of these slots have the same
///    place.
/// 2. The offset of each page with slots is at most `places - page_slots`.
/// 3. The slots of a page are sorted, and each is below `page_slots`.
pub(crate) struct Placement {
    pages: Vec<PlacedPage>,
    taken: Vec<u64>,
    /// The number of bits in `taken`.
    taken_count: usize,
    places: usize,
    page_slots: usize,
    /// The word of offsets at which the next search begins.
    from: usize,
}

/// The slots that have a place in a packed column, by address, or all slots.
#[derive(Clone, Copy)]
pub struct PlacedSlots(*const Placement);

impl PlacedSlots {
    /// All slots, of a column that is not packed.
    pub(crate) const ALL: Self = Self(core::ptr::null());

    #[cfg_attr(not(debug_assertions), inline)]
    pub(in crate::storage) fn of(placement: &Placement) -> Self {
        Self(placement)
    }

    /// Returns `self`, or `other` if `self` is all slots.
    #[inline(always)]
    #[must_use]
    pub(crate) fn or(self, other: Self) -> Self {
        if self.0.is_null() { other } else { self }
    }

    /// The address of the placement; null if these are all slots.
    #[inline(always)]
    pub(crate) fn placement(self) -> *const Placement {
        self.0
    }
}

/// The slots of a page that have a place, sorted, and the page's offset.
#[derive(Clone, Default)]
struct PlacedPage {
    slots: Vec<u16>,
    offset: usize,
    /// The length of the list at which the slots without a value are removed from it.
    prune_at: usize,
}

impl PlacedPage {
    fn new(slots: Vec<u16>) -> Self {
        Self { prune_at: (2 * slots.len()).max(16), slots, offset: 0 }
    }
}

/// A page of a packed column that a loop visits: the slots of its list, or words.
pub(crate) struct VisitedPage<'p> {
    pub(crate) page: usize,
    /// The first word of the page.
    pub(crate) first_word: usize,
    /// The slots of a page with few values, counted from `first_word`.
    pub(crate) slots: &'p [u16],
    /// The words of a dense page; none of another one.
    pub(crate) words: Range<usize>,
}

/// The effect of a request for places.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Placed {
    /// The page has the places at its old offset.
    Kept,
    /// The page has moved from this offset to another one.
    Moved(usize),
    /// There is no offset for the page: [`Placement::extend`] adds places.
    Full,
}

/// A page is dense if at least one in `DENSE` of its slots has a place.
const DENSE: usize = 8;

impl Placement {
    /// No places, for pages of this number of slots.
    pub(super) fn new(page_slots: usize) -> Self {
        debug_assert!(page_slots.is_multiple_of(64) && page_slots <= 1 << 16);
        Self { pages: Vec::new(), taken: Vec::new(), taken_count: 0, places: 0, page_slots, from: 0 }
    }

    /// The number of places, of which some may be taken.
    pub(super) fn places(&self) -> usize {
        self.places
    }

    /// The number of slots in a page, in words.
    fn words(&self) -> usize {
        self.page_slots / 64
    }

    /// The slots of a page that have a place, sorted; each slot with a value is among them.
    pub(super) fn slots(&self, page: usize) -> &[u16] {
        self.pages.get(page).map_or(&[], |page| &page.slots)
    }

    /// Whether `slots`, those of a page that have a place, are so many that a loop by bits is
    /// faster than one by the list.
    #[inline]
    fn is_dense(&self, slots: &[u16]) -> bool {
        slots.len() >= self.page_slots / DENSE
    }

    /// The part of a page's list that has the slots of the words `from..end`.
    #[inline]
    fn range_in(&self, page: usize, from: usize, end: usize) -> Range<usize> {
        let slots = self.slots(page);
        let before = |word: usize| slots.partition_point(|&slot| (slot as usize) < word * 64);
        let end = if end < self.words() { before(end) } else { slots.len() };
        let from = if from > 0 { before(from) } else { 0 };
        from.min(end)..end
    }

    /// The next page, from `page` on, that has slots in the words `first..end`.
    #[inline(never)]
    pub(crate) fn next_page(&self, page: usize, first: usize, end: usize) -> Option<VisitedPage<'_>> {
        // the page of `first`, which may be any number if the range is empty; the number of words
        // is a power of two
        let mut page = page.max(first >> self.words().trailing_zeros());
        while page < self.pages.len() && page * self.words() < end {
            let (first_word, slots) = (page * self.words(), self.slots(page));
            let range = self.range_in(page, first.saturating_sub(first_word), end - first_word);
            if !range.is_empty() {
                let words = first.max(first_word)..end.min(first_word + self.words());
                let is_dense = self.is_dense(slots);
                let (slots, words) =
                    if is_dense { (&[][..], words) } else { (&slots[range], words.end..words.end) };
                return Some(VisitedPage { page, first_word, slots, words });
            }
            page += 1;
        }
        None
    }

    /// The offset of a page that has slots.
    pub(super) fn offset(&self, page: usize) -> usize {
        self.pages[page].offset
    }

    /// The approximate number of bytes that the lists take.
    pub(super) fn bytes(&self) -> usize {
        let lists: usize = self.pages.iter().map(|page| page.slots.capacity() * size_of::<u16>()).sum();
        lists + self.pages.capacity() * size_of::<PlacedPage>() + self.taken.capacity() * size_of::<u64>()
    }

    /// Whether a slot has a place.
    pub(super) fn has(&self, page: usize, slot: u16) -> bool {
        self.slots(page).binary_search(&slot).is_ok()
    }

    /// Whether a page has an offset, at which the places of the slots `missing` are free.
    fn has_room_at_offset(&self, page: usize, mut missing: impl Iterator<Item = usize>) -> bool {
        self.pages.get(page).is_some_and(|page| {
            !page.slots.is_empty() && missing.all(|slot| !self.is_taken(page.offset + slot))
        })
    }

    /// Whether a [claim](Self::claim) of the slots `wanted` of a page finds no room. Slots without
    /// a value count as slots with one. If there is room elsewhere, the search of the claim begins
    /// there.
    pub(super) fn lacks_room(&mut self, page: usize, wanted: Range<usize>) -> bool {
        let slots = self.slots(page);
        let listed = listed(slots, &wanted);
        // a loop without a list of its own, since most claims of a load find room where the page is
        let missing = wanted.filter(|&slot| listed.binary_search(&(slot as u16)).is_err());
        if self.has_room_at_offset(page, missing.clone()) {
            return false;
        }
        let missing: Vec<u16> = missing.map(|slot| slot as u16).collect();
        let slots = union(slots, &missing);
        self.find(&slots).is_none()
    }

    /// The approximate number of bytes by which the lists grow with the slots `wanted` of a page. A
    /// list that grows has up to twice the room.
    pub(super) fn list_growth(&self, page: usize, wanted: &Range<usize>) -> usize {
        let pages = (page + 1).saturating_sub(self.pages.len());
        let slots = wanted.len() - listed(self.slots(page), wanted).len();
        2 * (pages * size_of::<PlacedPage>() + slots * size_of::<u16>())
    }

    /// Gives places to the slots `wanted` of a page, which are sorted. `masks` are the bits of the
    /// page's slots that have a value: slots without a value may lose their place.
    pub(super) fn claim(&mut self, page: usize, wanted: &[u16], masks: &[u64]) -> Placed {
        if self.pages.len() <= page {
            self.pages.resize_with(page + 1, PlacedPage::default);
        }
        self.prune(page, wanted.len(), masks);
        let PlacedPage { slots, offset, .. } = &mut self.pages[page];
        if let [slot] = wanted
            && !slots.is_empty()
        {
            let place = *offset + *slot as usize;
            let at = match slots.binary_search(slot) {
                Ok(_) => return Placed::Kept,
                Err(at) => at,
            };
            if self.taken[place / 64] >> (place % 64) & 1 == 0 {
                slots.insert(at, *slot);
                self.taken[place / 64] |= 1 << (place % 64);
                self.taken_count += 1;
                return Placed::Kept;
            }
        }
        let PlacedPage { slots, offset, .. } = &self.pages[page];
        let (offset, missing) = (*offset, difference(wanted, slots));
        if self.has_room_at_offset(page, missing.iter().map(|&slot| slot as usize)) {
            self.take(offset, &missing);
            insert(&mut self.pages[page].slots, &missing);
            return Placed::Kept;
        }
        let slots = union(&with_value(slots, masks), wanted);
        // the old places are still taken, so that the new ones differ from them, and values can be
        // copied
        let Some(found) = self.find(&slots) else { return Placed::Full };
        self.take(found, &slots);
        let old =
            core::mem::replace(&mut self.pages[page], PlacedPage { offset: found, ..PlacedPage::new(slots) });
        old.slots.iter().for_each(|&slot| self.free(old.offset + slot as usize));
        Placed::Moved(old.offset)
    }

    /// The number of places after [`extend`](Self::extend): half as many more, and at least those
    /// of one page.
    pub(super) fn extended(&self) -> usize {
        self.places + (self.places / 2 / 64 * 64).max(self.page_slots)
    }

    /// Adds places, so that the next claim finds room.
    pub(super) fn extend(&mut self) {
        self.from = self.places / 64;
        self.places = self.extended();
        self.taken.resize(self.places / 64 + 1, 0);
    }

    /// An offset at which no slot falls on a place that is taken. The list grows after a search
    /// that fails, so a list that is not well filled is searched as a whole: a few dense pages
    /// would otherwise let it grow with each page that moves.
    fn find(&mut self, slots: &[u16]) -> Option<usize> {
        let last = self.places.checked_sub(self.page_slots)?; // the last offset; a multiple of 64
        let words = last / 64 + 1;
        let is_filled = self.taken_count * FILLED >= self.places;
        let searched = if is_filled { words.min(SEARCHED + self.words()) } else { words };
        for i in 0..searched {
            let word = (self.from + i) % words;
            let mut free = if word * 64 == last { range(0, 1) } else { u64::MAX };
            for &slot in slots {
                free &= !self.window(word * 64 + slot as usize);
                if free == 0 {
                    break;
                }
            }
            if free != 0 {
                self.from = word;
                return Some(word * 64 + free.trailing_zeros() as usize);
            }
        }
        None
    }

    /// The bits of 64 places from `place` on; zeros beyond the end.
    fn window(&self, place: usize) -> u64 {
        let (word, bit) = (place / 64, place % 64);
        let low = self.taken[word] >> bit;
        if bit == 0 { low } else { low | self.taken.get(word + 1).map_or(0, |high| high << (64 - bit)) }
    }

    fn is_taken(&self, place: usize) -> bool {
        self.taken[place / 64] >> (place % 64) & 1 == 1
    }

    fn take(&mut self, offset: usize, slots: &[u16]) {
        for place in slots.iter().map(|&slot| offset + slot as usize) {
            debug_assert!(!self.is_taken(place) && place < self.places);
            self.taken[place / 64] |= 1 << (place % 64);
        }
        self.taken_count += slots.len();
    }

    fn free(&mut self, place: usize) {
        self.taken[place / 64] &= !(1 << (place % 64));
        self.taken_count -= 1;
    }

    /// Takes the places of all slots without a value; `masks` are the bits of all slots.
    pub(super) fn retain(&mut self, masks: &[u64]) {
        for page in 0..self.pages.len() {
            let words = page * self.words()..(page + 1) * self.words();
            self.retain_slots(page, 0, masks.get(words).unwrap_or_default());
            self.pages[page].slots.shrink_to_fit();
        }
        let used = self.pages.iter().rposition(|page| !page.slots.is_empty()).map_or(0, |last| last + 1);
        self.pages.truncate(used);
        self.pages.shrink_to_fit();
    }

    /// Removes the slots without a value from a page's list if `more` slots make it long.
    fn prune(&mut self, page: usize, more: usize, masks: &[u64]) {
        let placed = &self.pages[page];
        if placed.slots.len() + more >= placed.prune_at {
            self.retain_slots(page, more, masks);
        }
    }

    /// Removes the slots without a value from a page's list, which is to get `more` slots.
    fn retain_slots(&mut self, page: usize, more: usize, masks: &[u64]) {
        let placed = &mut self.pages[page];
        let (live, offset) = (with_value(&placed.slots, masks), placed.offset);
        let old = core::mem::take(&mut placed.slots);
        *placed = PlacedPage { offset, prune_at: (2 * (live.len() + more)).max(16), slots: Vec::new() };
        for slot in difference(&old, &live) {
            self.free(offset + slot as usize);
        }
        self.pages[page].slots = live;
    }
}

/// The slots of a page whose bits are set.
pub(in crate::storage) fn slots_of(masks: &[u64]) -> Vec<u16> {
    Slots::new(masks).map(|slot| slot as u16).collect()
}

/// The slots among `slots` whose bits are set in `masks`.
pub(super) fn with_value(slots: &[u16], masks: &[u64]) -> Vec<u16> {
    let has = |slot: u16| masks.get(slot as usize / 64).is_some_and(|mask| mask >> (slot % 64) & 1 == 1);
    slots.iter().copied().filter(|&slot| has(slot)).collect()
}

/// The part of a sorted list of slots that lies in a range.
fn listed<'s>(slots: &'s [u16], range: &Range<usize>) -> &'s [u16] {
    let from = slots.partition_point(|&slot| (slot as usize) < range.start);
    let rest = &slots[from..];
    &rest[..rest.partition_point(|&slot| (slot as usize) < range.end)]
}

/// The elements of a sorted list that are not in another sorted list.
fn difference(of: &[u16], without: &[u16]) -> Vec<u16> {
    of.iter().copied().filter(|slot| without.binary_search(slot).is_err()).collect()
}

/// The elements of two sorted lists, sorted.
fn union(one: &[u16], other: &[u16]) -> Vec<u16> {
    let mut all = Vec::with_capacity(one.len() + other.len());
    all.extend_from_slice(one);
    insert(&mut all, &difference(other, one));
    all
}

/// Inserts elements into a sorted list that lacks them.
fn insert(list: &mut Vec<u16>, new: &[u16]) {
    list.extend_from_slice(new);
    list.sort_unstable();
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claims places, and adds places once if there is no room.
    fn claim(
        placement: &mut Placement,
        page: usize,
        wanted: &[u16],
        masks: &[u64],
        grown: &mut usize,
    ) -> Placed {
        let placed = placement.claim(page, wanted, masks);
        if placed != Placed::Full {
            return placed;
        }
        *grown += 1;
        placement.extend();
        placement.claim(page, wanted, masks)
    }

    /// Checks the invariants, and that each slot with a value has a place.
    fn check(placement: &Placement, masks: &[Vec<u64>]) {
        let mut taken = alloc::vec![0u64; placement.taken.len()];
        for (page, masks) in masks.iter().enumerate() {
            let slots = placement.slots(page);
            assert!(slots.is_sorted_by(|a, b| a < b));
            assert!(slots_of(masks).iter().all(|&slot| placement.has(page, slot)));
            if !slots.is_empty() {
                assert!(placement.offset(page) + placement.page_slots <= placement.places);
            }
            for &slot in slots {
                let place = placement.offset(page) + slot as usize;
                assert!(taken[place / 64] >> (place % 64) & 1 == 0, "two slots at place {place}");
                taken[place / 64] |= 1 << (place % 64);
            }
        }
        assert_eq!(taken, placement.taken);
        let count: u32 = taken.iter().map(|word| word.count_ones()).sum();
        assert_eq!(count as usize, placement.taken_count);
    }

    #[test]
    fn random_claims_never_share_a_place() {
        let mut random = 0x9e37_79b9_7f4a_7c15u64;
        let mut next = |below: usize| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            (random % below as u64) as usize
        };
        let (mut placement, mut masks) = (Placement::new(256), alloc::vec![alloc::vec![0u64; 4]; 40]);
        let (mut moved, mut grown) = (0, 0);
        for step in 0..20_000 {
            let (page, slot) = (next(40), next(256));
            if step % 3 == 2 {
                masks[page][slot / 64] &= !(1 << (slot % 64));
                continue;
            }
            let most = if step % 50 == 0 { 256 } else { 1 };
            let wanted: Vec<u16> = (slot..(slot + most).min(256)).map(|slot| slot as u16).collect();
            match claim(&mut placement, page, &wanted, &masks[page], &mut grown) {
                Placed::Moved(_) => moved += 1,
                placed => assert_eq!(placed, Placed::Kept),
            }
            wanted.iter().for_each(|&slot| masks[page][slot as usize / 64] |= 1 << (slot % 64));
            if step % 97 == 0 {
                check(&placement, &masks);
            }
        }
        check(&placement, &masks);
        assert!(moved > 50 && grown > 3, "{moved} moves, extended {grown} times");
    }

    #[test]
    fn few_slots_of_many_pages_share_the_memory_of_few_pages() {
        let mut placement = Placement::new(4096);
        let mut masks = alloc::vec![alloc::vec![0u64; 64]; 245];
        for i in 0..10_000usize {
            let slot = i * 7_919_999 % 1_000_000;
            let (page, slot) = (slot / 4096, slot % 4096);
            claim(&mut placement, page, &[slot as u16], &masks[page], &mut 0);
            masks[page][slot / 64] |= 1 << (slot % 64);
        }
        check(&placement, &masks);
        assert!(placement.places() < 120_000, "{} places for 10,000 values", placement.places());
    }

    #[test]
    fn values_that_come_and_go_beside_dense_pages_take_bounded_memory() {
        let mut placement = Placement::new(4096);
        let mut masks = alloc::vec![alloc::vec![0u64; 64]; 245];
        let all: Vec<u16> = (0..4096).collect();
        for (page, masks) in masks.iter_mut().take(4).enumerate() {
            claim(&mut placement, page, &all, masks, &mut 0);
            masks.fill(u64::MAX);
        }
        let mut random = 0x9e37_79b9_7f4a_7c15u64;
        let mut next = || {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let slot = 4 * 4096 + (random % (241 * 4096)) as usize;
            (slot / 4096, slot % 4096)
        };
        let (stay, come) = (4 * 4096, 4000);
        let mut live = alloc::collections::VecDeque::new();
        // slots in a regular order, and fewer of them, find room with a short search, too
        for _ in 0..100_000 {
            let (page, slot) = next();
            claim(&mut placement, page, &[slot as u16], &masks[page], &mut 0);
            masks[page][slot / 64] |= 1 << (slot % 64);
            live.push_back((page, slot));
            if live.len() > come
                && let Some((page, slot)) = live.pop_front()
            {
                masks[page][slot / 64] &= !(1 << (slot % 64));
            }
        }
        check(&placement, &masks);
        let most = 8 * (stay + come) + 4 * placement.page_slots;
        assert!(placement.places() <= most, "{} places, at most {most} expected", placement.places());
    }

    #[test]
    fn slots_without_a_value_lose_their_places() {
        let (mut placement, none) = (Placement::new(4096), [0u64; 64]);
        for slot in 0..4096u16 {
            claim(&mut placement, 0, &[slot], &none, &mut 0);
        }
        assert!(placement.slots(0).len() <= 16, "{} slots have a place", placement.slots(0).len());
    }
}

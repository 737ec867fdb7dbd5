//! A map from hashes to slots, used by indexes of values.
//!
//! A table with open addressing has an entry for each hash that occurs. The slots with one hash are
//! a doubly linked list, whose links are stored by slot. So a slot is added and removed in constant
//! time, however many slots share its hash. Source of the removal without tombstones: Knuth, volume
//! 3, 6.4, algorithm R.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::hash::{Hash, Hasher};
use core::sync::atomic::{AtomicU64, Ordering};

/// No slot.
const NONE: u32 = u32::MAX;
/// In [`Link::previous`]: the slot is in no list.
const ABSENT: u32 = u32::MAX - 1;
/// Slots whose links are allocated together.
const PAGE: usize = 64;

/// A map from hashes to slots.
///
/// No unsafe code relies on its content.
#[derive(Clone)]
pub(crate) struct ByHash {
    /// At most three quarters full. The length is a power of two, or 0.
    table: Vec<HashEntry>,
    /// The number of entries in use.
    used: usize,
    links: Vec<Option<Box<[Link; PAGE]>>>,
}

/// A hash, and the first slot that has it; none if the entry is free.
#[derive(Clone, Copy)]
struct HashEntry {
    hash: u32,
    first: u32,
}

/// The neighbours of a slot in the list of its hash.
#[derive(Clone, Copy)]
struct Link {
    hash: u32,
    next: u32,
    previous: u32,
}

const FREE: HashEntry = HashEntry { hash: 0, first: NONE };
const UNLINKED: Link = Link { hash: 0, next: NONE, previous: ABSENT };

impl ByHash {
    /// An empty map.
    pub(crate) const fn new() -> Self {
        Self { table: Vec::new(), used: 0, links: Vec::new() }
    }

    /// The slots with this hash, in no order.
    pub(crate) fn slots(&self, hash: u32) -> impl Iterator<Item = u32> {
        let mut at = self.find(hash).map_or(NONE, |entry| self.table[entry].first);
        core::iter::from_fn(move || {
            let slot = at;
            at = self.link(slot)?.next;
            Some(slot)
        })
    }

    /// The hash of a slot, if the map has the slot.
    pub(crate) fn hash_of(&self, slot: u32) -> Option<u32> {
        self.link(slot).map(|link| link.hash)
    }

    /// Sets the hash of a slot.
    pub(crate) fn insert(&mut self, slot: u32, hash: u32) {
        if self.link(slot).is_some_and(|link| link.hash == hash) {
            return;
        }
        self.remove(slot);
        if (self.used + 1) * 4 > self.table.len() * 3 {
            self.grow();
        }
        let at = self.probe(hash);
        let next = self.table[at].first;
        self.used += usize::from(next == NONE);
        self.table[at] = HashEntry { hash, first: slot };
        if let Some(next) = self.link_mut(next) {
            next.previous = slot;
        }
        let (page, at) = (slot as usize / PAGE, slot as usize % PAGE);
        if page >= self.links.len() {
            self.links.resize_with(page + 1, || None);
        }
        let page = self.links[page].get_or_insert_with(|| Box::new([UNLINKED; PAGE]));
        page[at] = Link { hash, next, previous: NONE };
    }

    /// Removes a slot, if the map has it.
    pub(crate) fn remove(&mut self, slot: u32) {
        let Some(link) = self.link_mut(slot) else { return };
        let Link { hash, next, previous } = core::mem::replace(link, UNLINKED);
        if let Some(next) = self.link_mut(next) {
            next.previous = previous;
        }
        if let Some(previous) = self.link_mut(previous) {
            previous.next = next;
        } else if let Some(entry) = self.find(hash) {
            self.table[entry].first = next;
            if next == NONE {
                self.used -= 1;
                self.close(entry);
            }
        }
    }

    /// Removes all slots.
    pub(crate) fn clear(&mut self) {
        *self = Self::new();
    }

    /// The link of a slot, if the map has the slot.
    fn link(&self, slot: u32) -> Option<&Link> {
        let page = self.links.get(slot as usize / PAGE)?.as_deref()?;
        Some(&page[slot as usize % PAGE]).filter(|link| link.previous != ABSENT)
    }

    fn link_mut(&mut self, slot: u32) -> Option<&mut Link> {
        let page = self.links.get_mut(slot as usize / PAGE)?.as_deref_mut()?;
        Some(&mut page[slot as usize % PAGE]).filter(|link| link.previous != ABSENT)
    }

    /// The index of the entry of a hash, if some slot has it.
    fn find(&self, hash: u32) -> Option<usize> {
        if self.table.is_empty() {
            return None;
        }
        Some(self.probe(hash)).filter(|&at| self.table[at].first != NONE)
    }

    /// The index of the entry of a hash, or of the free entry where the hash belongs. The table
    /// must not be empty.
    fn probe(&self, hash: u32) -> usize {
        let mask = self.table.len() - 1;
        let mut at = hash as usize & mask;
        while self.table[at].first != NONE && self.table[at].hash != hash {
            at = (at + 1) & mask;
        }
        at
    }

    /// Closes the gap of a removed entry by moving later entries forward.
    fn close(&mut self, mut hole: usize) {
        let mask = self.table.len() - 1;
        let mut at = hole;
        loop {
            at = (at + 1) & mask;
            if self.table[at].first == NONE {
                break;
            }
            let home = self.table[at].hash as usize & mask;
            if (at.wrapping_sub(home) & mask) >= (at.wrapping_sub(hole) & mask) {
                self.table[hole] = self.table[at];
                hole = at;
            }
        }
        self.table[hole] = FREE;
    }

    /// Gives back memory that the map does not need.
    pub(crate) fn shrink(&mut self) {
        let is_used = |links: &[Link; PAGE]| links.iter().any(|link| link.previous != ABSENT);
        for page in &mut self.links {
            if !page.as_deref().is_some_and(is_used) {
                *page = None;
            }
        }
        self.links.truncate(self.links.iter().rposition(Option::is_some).map_or(0, |last| last + 1));
        self.links.shrink_to_fit();
        // at most three quarters full, as after `grow`
        let len = if self.used == 0 { 0 } else { (self.used * 4).div_ceil(3).next_power_of_two().max(8) };
        if len < self.table.len() {
            self.rehash(len);
        }
    }

    #[cold]
    fn grow(&mut self) {
        self.rehash((self.table.len() * 2).max(8));
    }

    /// Moves the entries to a table of this length, in which they have room.
    fn rehash(&mut self, len: usize) {
        let old = core::mem::replace(&mut self.table, alloc::vec![FREE; len]);
        for entry in old.into_iter().filter(|entry| entry.first != NONE) {
            let at = self.probe(entry.hash);
            self.table[at] = entry;
        }
    }
}

/// The hash of a value. Equal in one process; others have another secret, so that a file or a
/// message cannot have values that were chosen to collide. Nothing that a program sees depends on
/// hashes, but the time that it takes.
#[inline]
pub(crate) fn hash<K: Hash + ?Sized>(value: &K) -> u32 {
    let secret = secret();
    let mut hasher = Mixer { state: secret.rotate_left(32), secret };
    value.hash(&mut hasher);
    (hasher.finish() >> 32) as u32
}

/// A random odd number, which is the same as long as the process runs.
#[inline]
fn secret() -> u64 {
    static SECRET: AtomicU64 = AtomicU64::new(0);
    #[cold]
    fn first() -> u64 {
        let secret = random() | 1;
        SECRET.compare_exchange(0, secret, Ordering::Relaxed, Ordering::Relaxed).err().unwrap_or(secret)
    }
    match SECRET.load(Ordering::Relaxed) {
        0 => first(),
        secret => secret,
    }
}

#[cfg(feature = "std")]
fn random() -> u64 {
    use core::hash::BuildHasher;
    std::collections::hash_map::RandomState::new().hash_one(0)
}

/// The system places the stack, the heap and the program at random addresses, if it does so at all.
#[cfg(not(feature = "std"))]
fn random() -> u64 {
    let heap = Box::new(0_u8);
    let addresses =
        [(&raw const *heap).addr(), (&raw const heap).addr(), (random as fn() -> u64 as *const u8).addr()];
    addresses.iter().fold(FACTOR, |state, &address| fold(state ^ address as u64, FACTOR))
}

const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// Both halves of a product, combined. Source: wyhash, and foldhash, which resist chosen values
/// with a secret factor as here.
#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// The hasher of [`hash`].
struct Mixer {
    state: u64,
    secret: u64,
}

impl Mixer {
    #[inline]
    fn add(&mut self, word: u64) {
        self.state = fold(self.state ^ word, self.secret);
    }
}

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            self.add(u64::from_le_bytes(word) ^ (part.len() as u64) << 56);
        }
    }
    #[inline]
    fn write_u8(&mut self, number: u8) {
        self.add(number.into());
    }
    #[inline]
    fn write_u16(&mut self, number: u16) {
        self.add(number.into());
    }
    #[inline]
    fn write_u32(&mut self, number: u32) {
        self.add(number.into());
    }
    #[inline]
    fn write_u64(&mut self, number: u64) {
        self.add(number);
    }
    #[inline]
    fn write_usize(&mut self, number: usize) {
        self.add(number as u64);
    }
    #[inline]
    fn finish(&self) -> u64 {
        fold(self.state ^ FACTOR, self.secret)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeMap;

    fn agree(map: &ByHash, plain: &BTreeMap<u32, u32>, hashes: u32) {
        for hash in 0..hashes {
            let mut found: Vec<u32> = map.slots(hash).collect();
            found.sort_unstable();
            let expected: Vec<u32> =
                plain.iter().filter(|&(_, &known)| known == hash).map(|(&slot, _)| slot).collect();
            assert_eq!(found, expected, "of hash {hash}");
        }
    }

    #[test]
    fn a_map_that_gave_memory_back_agrees_with_a_plain_map() {
        let (mut map, mut plain) = (ByHash::new(), BTreeMap::new());
        for slot in 0..20_000 {
            map.insert(slot, slot * 7 % 5_000);
            plain.insert(slot, slot * 7 % 5_000);
        }
        let large = (map.table.len(), map.links.len());
        for slot in (0..20_000).filter(|slot| slot % 997 != 3) {
            map.remove(slot);
            plain.remove(&slot);
        }
        map.shrink();
        assert!(map.table.len() * 50 < large.0 && map.links.len() < large.1, "{} entries", map.table.len());
        assert!(map.used * 4 <= map.table.len() * 3);
        agree(&map, &plain, 5_000);
        for slot in 100..200 {
            map.insert(slot, slot % 10);
            plain.insert(slot, slot % 10);
        }
        agree(&map, &plain, 5_000);
        (0..20_000).for_each(|slot| map.remove(slot));
        map.shrink();
        assert_eq!((map.table.len(), map.links.len()), (0, 0));
        map.insert(7, 7);
        assert!(map.slots(7).eq([7]));
    }

    #[test]
    fn the_map_agrees_with_a_plain_map() {
        // few hashes, so that lists are long and entries of the table collide
        for (slots, hashes) in [(40, 7), (200, 90), (3000, 5), (3000, 2000)] {
            let (mut map, mut plain, mut state) = (ByHash::new(), BTreeMap::new(), 1u32);
            for round in 0..4000 {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let (slot, hash) = ((state >> 8) % slots, (state >> 20) % hashes);
                if state % 3 == 0 {
                    map.remove(slot);
                    plain.remove(&slot);
                } else {
                    map.insert(slot, hash);
                    plain.insert(slot, hash);
                }
                if round % 500 == 499 {
                    agree(&map, &plain, hashes);
                }
            }
            agree(&map.clone(), &plain, hashes);
            map.clear();
            agree(&map, &BTreeMap::new(), hashes);
        }
    }

    #[test]
    fn hashes_are_equal_for_equal_values_and_rarely_for_others() {
        assert_eq!(hash("bob"), hash(&alloc::string::String::from("bob")));
        let mut all: Vec<u32> = (0..10_000u64).map(|number| hash(&number)).collect();
        all.extend((0..10_000u64).map(|number| hash(&alloc::format!("{number}"))));
        all.sort_unstable();
        all.dedup();
        assert!(all.len() > 19_990, "{} of 20,000 hashes differ", all.len());
    }

    #[test]
    fn removals_do_not_hide_other_hashes_that_collide_in_the_table() {
        // hashes whose lower bits are equal, and hashes at the end of the table, whose entries
        // continue at its beginning
        for step in [1, 16, 64, 1 << 20] {
            let (mut map, mut plain, mut state) = (ByHash::new(), BTreeMap::new(), 7u32);
            let of = |number: u32| (number % 24).wrapping_mul(step).wrapping_sub(5);
            for _ in 0..6000 {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let (slot, hash) = ((state >> 8) % 30, of(state >> 20));
                if state >> 30 == 0 {
                    map.insert(slot, hash);
                    plain.insert(slot, hash);
                } else {
                    map.remove(slot);
                    plain.remove(&slot);
                }
                for number in 0..24 {
                    let mut found: Vec<u32> = map.slots(of(number)).collect();
                    found.sort_unstable();
                    let expected =
                        plain.iter().filter(|&(_, &hash)| hash == of(number)).map(|(&slot, _)| slot);
                    assert!(expected.eq(found.iter().copied()), "of hash {}: {found:?}", of(number));
                }
            }
        }
    }

    #[test]
    fn the_table_is_as_large_as_its_hashes_need() {
        let mut map = ByHash::new();
        for round in 0..5000 {
            map.insert(round % 4, round);
        }
        assert_eq!((map.used, map.table.len()), (4, 8), "removed hashes take no room");
        for slot in 0..1000 {
            map.insert(slot, slot);
        }
        assert_eq!((map.used, map.table.len()), (1000, 2048), "the table is at most three quarters full");
    }
}

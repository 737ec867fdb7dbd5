//! Sets of entities as bits, for set algebra at run time.

use alloc::collections::BTreeMap;
use core::num::NonZeroU32;
use core::ops::{BitAnd, BitOr, Sub};

use super::Entity;
use crate::base::mask::Bits;

/// A set of entities, stored as one bit for each slot and the generation of each member.
///
/// Sets are made by [`Query::to_set`](crate::Query::to_set) or collected from ids, and combined
/// with `&` (in both), `|` (in either) and `-` (in the first only). A set does not follow the
/// world: an entity that is despawned later stays in the set. Two entities that held the same slot
/// at different times are never in one set together; `|` keeps the younger one.
///
/// Memory and time grow with the number of members, not with their slots.
#[derive(Clone, Default)]
pub struct EntitySet {
    /// The members by slot divided by 64. Has no word without members.
    words: BTreeMap<u32, SetWord>,
}

/// The members among 64 consecutive slots.
#[derive(Clone)]
struct SetWord {
    mask: u64,
    /// The generation of the member in each slot; `None` where the mask has no bit.
    generations: [Option<NonZeroU32>; 64],
}

impl EntitySet {
    /// A set without members.
    pub const fn new() -> Self {
        Self { words: BTreeMap::new() }
    }

    /// Adds `entity`, in place of an older entity of the same slot. Returns whether the set has
    /// changed.
    pub fn insert(&mut self, entity: Entity) -> bool {
        let (word, bit) = (entity.slot() / 64, entity.slot() as usize % 64);
        let word = self.words.entry(word).or_insert(SetWord { mask: 0, generations: [None; 64] });
        let held = &mut word.generations[bit];
        if *held >= Some(entity.generation()) {
            return false;
        }
        *held = Some(entity.generation());
        word.mask |= 1 << bit;
        true
    }

    /// Removes `entity`. Returns whether it was a member.
    pub fn remove(&mut self, entity: Entity) -> bool {
        let (key, bit) = (entity.slot() / 64, entity.slot() as usize % 64);
        let Some(word) = self.words.get_mut(&key) else { return false };
        if word.generations[bit] != Some(entity.generation()) {
            return false;
        }
        word.generations[bit] = None;
        word.mask &= !(1 << bit);
        if word.mask == 0 {
            self.words.remove(&key);
        }
        true
    }

    /// Whether `entity` is a member.
    pub fn contains(&self, entity: Entity) -> bool {
        let word = self.words.get(&(entity.slot() / 64));
        word.is_some_and(|word| word.generations[entity.slot() as usize % 64] == Some(entity.generation()))
    }

    /// The number of members.
    pub fn len(&self) -> usize {
        self.words.values().map(|word| word.mask.count_ones() as usize).sum()
    }

    /// Whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The members in the order of their slots.
    pub fn iter(&self) -> impl Iterator<Item = Entity> + '_ {
        self.words.iter().flat_map(|(key, word)| {
            Bits(word.mask).filter_map(move |bit| {
                word.generations[bit].map(|generation| Entity::from_parts(key * 64 + bit as u32, generation))
            })
        })
    }
}

impl PartialEq for EntitySet {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for EntitySet {}

impl FromIterator<Entity> for EntitySet {
    fn from_iter<I: IntoIterator<Item = Entity>>(entities: I) -> Self {
        let mut set = Self::new();
        set.extend(entities);
        set
    }
}

impl Extend<Entity> for EntitySet {
    fn extend<I: IntoIterator<Item = Entity>>(&mut self, entities: I) {
        for entity in entities {
            self.insert(entity);
        }
    }
}

impl BitAnd for &EntitySet {
    type Output = EntitySet;
    fn bitand(self, other: Self) -> EntitySet {
        self.iter().filter(|&entity| other.contains(entity)).collect()
    }
}

impl BitOr for &EntitySet {
    type Output = EntitySet;
    fn bitor(self, other: Self) -> EntitySet {
        let mut set = self.clone();
        set.extend(other.iter());
        set
    }
}

impl Sub for &EntitySet {
    type Output = EntitySet;
    fn sub(self, other: Self) -> EntitySet {
        self.iter().filter(|&entity| !other.contains(entity)).collect()
    }
}

macro_rules! owned_operators {
    ($($operator:ident $method:ident),*) => {$(
        impl $operator for EntitySet {
            type Output = EntitySet;
            fn $method(self, other: Self) -> EntitySet { (&self).$method(&other) }
        }
    )*};
}
owned_operators!(BitAnd bitand, BitOr bitor, Sub sub);

debug!([] EntitySet, |this, f| f.debug_set().entries(this.iter()).finish());

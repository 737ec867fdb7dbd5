//! Sets of entities as bits, for set algebra at run time.

use alloc::vec::Vec;
use core::fmt;
use core::num::NonZeroU32;
use core::ops::{BitAnd, BitOr, Sub};

use super::Entity;
use crate::storage::mask::Bits;

/// A set of entities: one bit for each slot, and the generation of each member.
///
/// Sets are made by [`Query::to_set`](crate::Query::to_set) or collected from ids, and combined with `&`
/// (in both), `|` (in either) and `-` (in the first only). They are snapshots: an entity that is despawned later
/// stays in the set. Two entities that held the same slot at different times are never in one set together; `|`
/// keeps the younger one.
///
/// Cost: an operation takes time in proportion to the highest slot, 64 slots at a time.
#[derive(Clone, Default)]
pub struct EntitySet {
    masks: Vec<u64>,
    /// By slot; `None` where the slot has no member.
    generations: Vec<Option<NonZeroU32>>,
}

impl EntitySet {
    /// A set without members.
    pub const fn new() -> Self {
        Self { masks: Vec::new(), generations: Vec::new() }
    }

    /// Adds `entity`, in place of an older entity of the same slot; says whether the set has changed.
    pub fn insert(&mut self, entity: Entity) -> bool {
        let slot = entity.slot() as usize;
        if self.generations.len() <= slot {
            self.masks.resize(slot / 64 + 1, 0);
            self.generations.resize((slot / 64 + 1) * 64, None);
        }
        let held = &mut self.generations[slot];
        if *held >= Some(entity.generation()) {
            return false;
        }
        *held = Some(entity.generation());
        self.masks[slot / 64] |= 1 << (slot % 64);
        true
    }

    /// Takes `entity` out; says whether it was in.
    pub fn remove(&mut self, entity: Entity) -> bool {
        let member = self.contains(entity);
        if member {
            let slot = entity.slot() as usize;
            self.masks[slot / 64] &= !(1 << (slot % 64));
            self.generations[slot] = None;
        }
        member
    }

    /// Whether `entity` is a member.
    pub fn contains(&self, entity: Entity) -> bool {
        self.generations.get(entity.slot() as usize) == Some(&Some(entity.generation()))
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.masks.iter().map(|mask| mask.count_ones() as usize).sum()
    }

    /// Whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.masks.iter().all(|&mask| mask == 0)
    }

    /// The members in the order of their slots.
    pub fn iter(&self) -> impl Iterator<Item = Entity> + '_ {
        self.masks.iter().enumerate().flat_map(move |(word, &mask)| {
            Bits(mask).filter_map(move |bit| {
                let slot = word * 64 + bit;
                self.generations[slot].map(|generation| Entity::new(slot as u32, generation))
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

impl fmt::Debug for EntitySet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

//! Identifiers of entities.
//!
//! An [`Entity`] is a *slot*, an index that is the same in every column, and a *generation*, which
//! distinguishes the entities that held the slot one after the other. An [`EntitySet`] is a set of
//! ids.

// The allocator in `allocator` knows which slots have a live entity and chooses the slot of a new
// one.

use core::fmt;
use core::num::NonZeroU32;

mod allocation_group;
pub(crate) mod allocator;
mod blocks;
pub(crate) mod journal;
pub(crate) mod mark;
pub(crate) mod regrouped;
pub(crate) mod reserved_slots;
mod resource_ticks;
#[cfg(feature = "serde")]
pub(crate) mod saved;
pub(crate) mod set;
mod snapshot_slots;
pub(crate) mod spawn_sites;

pub use mark::{WorldEntity, WorldMark};
pub use set::EntitySet;

/// The identifier of an entity: 32 bits of slot and 31 bits of generation.
///
/// An id is plain data: it is `Copy`, `Option<Entity>` is as small as `Entity`, and components may
/// contain ids. The id of a despawned entity becomes valid again only if an earlier state of the
/// world is restored ([`World::restore`](crate::World::restore),
/// [`try_run`](crate::Schedules::try_run)): the slot's next entity has another generation, and a
/// slot whose generations are used up is retired. An id of another world type is very unlikely to
/// be valid in this world: the first generation contains in its upper half a hash of the place
/// where the world is declared. Of two world types, one pair in 32,768 has the same hash; any other
/// pair has ids in common only after a slot was used 65,536 times. Worlds of one type have ids in
/// common: see [`WorldIds`](crate::world::WorldIds) for ids that tell their world.
///
/// Ids are ordered by slot, then by generation. `{}` prints `12v3`, the slot and the lower half of
/// the generation; `{:#}` prints the upper half, too.
///
/// ```
/// use ecs::Entity;
/// let bits = 0x0000_0003_0000_000c;
/// let entity = Entity::from_bits(bits).unwrap();
/// assert_eq!(entity.to_string(), "12v3");
/// assert_eq!(format!("{entity:#}"), "12v3@0");
/// assert_eq!(entity.to_bits(), bits);
/// assert_eq!(size_of::<Option<Entity>>(), 8);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entity {
    slot: u32,
    generation: NonZeroU32,
}

impl Entity {
    /// `generation` must not have the 32nd bit: with it the allocator marks slots without a live
    /// entity.
    #[inline(always)]
    pub(crate) const fn from_parts(slot: u32, generation: NonZeroU32) -> Self {
        Self { slot, generation }
    }

    /// The index of this entity in every column.
    #[inline(always)]
    pub const fn slot(self) -> u32 {
        self.slot
    }

    /// The number that distinguishes this entity from the others that held its slot, before and
    /// after it.
    #[inline(always)]
    pub const fn generation(self) -> NonZeroU32 {
        self.generation
    }

    /// The id as a number: the generation in the upper half, the slot in the lower.
    #[inline]
    pub const fn to_bits(self) -> u64 {
        (self.generation.get() as u64) << 32 | self.slot as u64
    }

    /// The id that [`to_bits`](Self::to_bits) returned as this number; `None` if the generation
    /// would be zero or have the 32nd bit.
    ///
    /// Any other number is accepted. [`World::contains`](crate::World::contains) tells whether the
    /// entity is alive.
    #[inline]
    pub const fn from_bits(bits: u64) -> Option<Self> {
        match NonZeroU32::new((bits >> 32) as u32) {
            Some(generation) if bits >> 63 == 0 => Some(Self { slot: bits as u32, generation }),
            _ => None,
        }
    }
}

impl fmt::Display for Entity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (world, generation) = (self.generation.get() >> 16, self.generation.get() & 0xffff);
        write!(f, "{}v{generation}", self.slot)?;
        if f.alternate() { write!(f, "@{world}") } else { Ok(()) }
    }
}

impl fmt::Debug for Entity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

//! Identifiers of entities.
//!
//! An [`Entity`] is a *slot*, the index that is the same in every column, and a *generation*, which tells the
//! entities apart that held the slot one after the other. Which slots are alive and who gets which slot is the
//! business of the allocator in [`allocator`]; sets of ids are in [`set`].

use core::fmt;
use core::num::NonZeroU32;

mod allocation_group;
pub(crate) mod allocator;
mod blocks;
#[cfg(feature = "serde")]
pub(crate) mod image;
pub(crate) mod reserved_slots;
#[cfg(feature = "serde")]
pub(crate) mod serde;
pub(crate) mod set;
mod snapshot_slots;

/// The identifier of an entity: 32 bits of slot and 31 bits of generation.
///
/// It is plain data: copying it is free, `Option<Entity>` is as small as `Entity`, and it may be kept in
/// components. An id whose entity is gone stays dead for ever: the slot's next entity has another generation, and a slot
/// whose generations are used up is retired. An id of another world type is as good as never current: the upper half of
/// the generation is a hash of where the world is declared, so that two worlds in 32,768 begin alike, and two that do
/// not meet only after a slot was used 65,536 times.
///
/// The order is that of the slots, then of the generations. It prints as `12v3`: the slot and the lower half of the
/// generation. `{:#}` prints the upper half, too.
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
    /// `generation` has no 32nd bit: that is how `allocator` marks the slots of the dead.
    #[inline(always)]
    pub(crate) const fn new(slot: u32, generation: NonZeroU32) -> Self {
        Self { slot, generation }
    }

    /// The index of this entity in every column.
    #[inline(always)]
    pub const fn slot(self) -> u32 {
        self.slot
    }

    /// Which of the entities that held this slot, one after the other, this is.
    #[inline(always)]
    pub const fn generation(self) -> NonZeroU32 {
        self.generation
    }

    /// The id as a number: the generation in the upper half, the slot in the lower.
    #[inline]
    pub const fn to_bits(self) -> u64 {
        (self.generation.get() as u64) << 32 | self.slot as u64
    }

    /// The id that [`to_bits`](Self::to_bits) gave; `None` if the generation would be zero or have a 32nd bit.
    ///
    /// Any other number is accepted: whether such an entity exists is for the world to say.
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

//! [`GlobalId`]: the id of an entity on all workers.

use ecs::Component;
use serde::{Deserialize, Serialize};

/// An id that is the same on all workers and does not change when the entity moves to another one.
/// Each entity with a place has one.
///
/// An [`Entity`](ecs::Entity) has a meaning in the world of one worker only. The model chooses the
/// global ids: no two entities have the same. An entity that is spawned during the run can
/// [derive](Self::child) its id.
#[derive(Component, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct GlobalId(pub u64);

impl GlobalId {
    /// An id that is derived from this one and a number, such as the tick in which this entity
    /// spawns another one: the same on each number of workers. Among a million ids, two are equal
    /// with a probability of 3 in 100 million.
    ///
    /// ```
    /// use ecs_distributed::GlobalId;
    ///
    /// let parent = GlobalId(7);
    /// assert_eq!(parent.child(1), parent.child(1));
    /// assert_ne!(parent.child(1), parent.child(2));
    /// ```
    #[must_use]
    pub fn child(self, number: u64) -> Self {
        let mixed = mix(self.0 ^ mix(number.wrapping_add(0x9e37_79b9_7f4a_7c15)));
        Self(mixed)
    }
}

/// The finalizer of SplitMix64 (Steele, Lea, Flood 2014): a permutation of the 64-bit numbers.
#[inline]
pub(crate) fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}

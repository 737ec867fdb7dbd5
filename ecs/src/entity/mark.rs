//! [`WorldMark`]: distinguishes the worlds of one type, and [`WorldEntity`], an id together with
//! the mark of its world.

use core::fmt;
use core::sync::atomic::{AtomicU64, Ordering};

use super::Entity;
use crate::error::ForeignEntity;

/// The number of marks that were given to worlds of this process.
static GIVEN: AtomicU64 = AtomicU64::new(0);

/// The mark of a world, which distinguishes it from other worlds of the same type: see
/// [`WorldIds`](crate::world::WorldIds).
///
/// Each world gets a mark that no other world of the process has. A mark that was chosen by
/// [`new`](Self::new) is equal to every other mark with the same number, also in another process.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct WorldMark(u64);

impl WorldMark {
    /// The mark with this number, to be [set](crate::world::WorldIds::set_world_mark) for a world.
    /// It differs from all marks that worlds get by themselves.
    pub const fn new(number: u32) -> Self {
        Self((number as u64) << 1 | 1)
    }

    /// The number that was given to [`new`](Self::new); `None` for a mark that a world got by
    /// itself. Such a mark has a meaning in its process only, so it cannot be sent to another one.
    pub const fn number(self) -> Option<u32> {
        if self.0 & 1 == 1 { Some((self.0 >> 1) as u32) } else { None }
    }

    /// A mark that no other world of the process has.
    pub(super) fn next() -> Self {
        Self(GIVEN.fetch_add(1, Ordering::Relaxed) << 1)
    }
}

/// Automatic marks are printed without their number, which would depend on the worlds that were
/// made before.
impl fmt::Debug for WorldMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.number() {
            Some(number) => write!(f, "WorldMark({number})"),
            None => f.write_str("WorldMark(automatic)"),
        }
    }
}

/// The id of an entity together with the mark of its world: see
/// [`WorldIds`](crate::world::WorldIds).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct WorldEntity {
    mark: WorldMark,
    entity: Entity,
}

impl WorldEntity {
    /// Joins an id and a mark, for example of a message.
    pub const fn new(mark: WorldMark, entity: Entity) -> Self {
        Self { mark, entity }
    }

    /// The mark of the world.
    pub const fn mark(self) -> WorldMark {
        self.mark
    }

    /// The entity in the world with the mark `of`.
    pub(crate) fn resolve(self, of: WorldMark, world: &'static str) -> Result<Entity, ForeignEntity> {
        if self.mark == of { Ok(self.entity) } else { Err(ForeignEntity { id: self, mark: of, world }) }
    }

    /// The id without its mark, also if it is the id of another world.
    pub const fn unchecked_entity(self) -> Entity {
        self.entity
    }
}

//! Worlds: what `world!` makes, and what can be done with it.
//!
//! [`World`] has the verbs, but for those of schedules, aspects, relations and saves, which are traits beside those. A [`WorldCell`] is a borrow of a world from which several fields can be reached at once;
//! the rest of the library is built on it.

pub(crate) mod cell;
pub(crate) mod clone;
pub(crate) mod discard;
pub(crate) mod entity_ref;
pub(crate) mod snapshot;
pub(crate) mod stats;
pub(crate) mod verbs;

pub(crate) use cell::Refuse;
pub use cell::WorldCell;
pub use clone::CloneEntity;
pub use entity_ref::{EntityMut, EntityRef};
pub use snapshot::{Snapshot, SnapshotWorld};
pub use stats::{ColumnStats, Stats};
pub use verbs::World;

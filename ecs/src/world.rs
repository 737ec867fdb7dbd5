//! Worlds: the trait that `world!` implements, and the functions behind its methods.
//!
//! [`World`] has the methods of every world. The methods for schedules, aspects, relations and saves are in traits of their own,
//! in the modules of those names. A [`WorldCell`] is a borrow of a world from which several fields can be reached at the same time;
//! queries, systems and commands are built on it.

pub(crate) mod cell;
pub(crate) mod clone;
pub(crate) mod discard;
pub(crate) mod entity_ref;
pub(crate) mod snapshot;
mod snapshot_read;
pub(crate) mod stats;
pub(crate) mod verbs;

pub(crate) use cell::Refuse;
pub use cell::WorldCell;
pub use clone::CloneEntity;
pub use entity_ref::{EntityMut, EntityRef};
pub use snapshot::{Snapshot, SnapshotWorld};
pub use stats::{ColumnStats, Stats};
pub use verbs::World;

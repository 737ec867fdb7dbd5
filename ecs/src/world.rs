//! Worlds: the trait [`World`] with the methods of every world, and what they return.
//!
//! The methods for schedules, aspects, relations and saves are in traits of their own, in the modules of those names.

mod bulk;
pub(crate) mod clone;
pub(crate) mod entity_ref;
mod exchange;
mod marked_ids;
mod regroup;
pub(crate) mod stats;
pub(crate) mod transfer;
pub(crate) mod verbs;

pub use crate::entity::regrouped::Regrouped;
pub use crate::raw_world::{HasJournal, Snapshot, SnapshotWorld};
pub use clone::CloneEntity;
pub use entity_ref::{EntityMut, EntityRef};
pub use marked_ids::MarkedIds;
pub use stats::{ColumnStats, Stats};
pub use verbs::World;

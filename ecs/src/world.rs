//! Worlds: the trait [`World`] with the methods of every world, and what they return.
//!
//! The methods for schedules, aspects, relations and saves are in traits of their own, in the
//! modules of those names. Methods that few programs need are in [`MoveComponents`], [`WorldIds`],
//! [`WorldMemory`] and [`GenericComponents`]: the prelude has them in scope without their names.

mod bulk;
pub(crate) mod clone;
pub(crate) mod entity_ref;
mod entity_with;
mod exchange;
pub(crate) mod generic;
mod ids;
mod memory;
mod moving;
mod regroup;
pub(crate) mod stats;
pub(crate) mod transfer;
pub(crate) mod verbs;

pub use crate::entity::regrouped::Regrouped;
pub use crate::raw_world::{HasJournal, Snapshot, SnapshotWorld};
pub use clone::CloneEntity;
pub use entity_ref::{EntityMut, EntityRef};
pub use entity_with::EntityWith;
pub use generic::GenericComponents;
pub use ids::WorldIds;
pub use memory::WorldMemory;
pub use moving::MoveComponents;
pub use stats::{ColumnStats, Stats};
pub use verbs::World;

//! One world of [`ecs`] in parts: each part has a worker of its own, on a thread, in a process, or
//! on a machine.
//!
//! Each worker has a whole [`World`](ecs::World) with the entities whose places it owns, and runs
//! the same schedule on it. After each tick, entities that have left the worker's places move to
//! their new worker with all components, and a [`Halo`] of read-only copies shows each worker the
//! entities of other workers that are within reach. [`Totals`] over all workers and [`Messages`] to
//! entities of any worker go the same way. [`Worker::hash`] is the same for each number of
//! workers.
//!
//! # A model
//! ```
//! use ecs::prelude::*;
//! use ecs_distributed::{GlobalId, Grid, Halo, InProcess, Model, Part, Worker};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Component, Clone, Serialize, Deserialize)]
//! struct Cell(u32);
//! #[derive(Component, Clone, Serialize, Deserialize)]
//! struct Heat(u64);
//!
//! /// The cells of other workers, one cell away.
//! type Border = Halo<(Heat,), 1>;
//!
//! world! {
//!     #[derive(Serialize, Deserialize)]
//!     struct Rod {
//!         components { GlobalId, Cell, Heat }
//!         resources { border: Border = Halo::new() }
//!     }
//!     schedule tick { conduct }
//! }
//!
//! #[system(Rod)]
//! fn conduct(mut cells: Query<(&Cell, &mut Heat)>, border: Res<Border>) {
//!     let own = cells.iter().map(|(cell, heat)| (cell.0, heat.0));
//!     let others = border.iter().map(|mirror| (mirror.place, mirror.value.0.0));
//!     let before: std::collections::BTreeMap<u32, u64> = own.chain(others).collect();
//!     cells.iter_mut().for_each(|(cell, heat)| {
//!         let at = |cell: u32| before.get(&cell).copied().unwrap_or(heat.0);
//!         heat.0 = (at(cell.0.wrapping_sub(1)) + 2 * heat.0 + at(cell.0 + 1)) / 4;
//!     });
//! }
//!
//! struct Conduction(Grid);
//!
//! impl Model for Conduction {
//!     type World = Rod;
//!     type Place = Cell;
//!     type Components = (GlobalId, Cell, Heat);
//!     type Shared = Border;
//!     type Space = Grid;
//!
//!     fn space(&self) -> &Grid {
//!         &self.0
//!     }
//!     fn place(&self, cell: &Cell) -> u32 {
//!         cell.0
//!     }
//!     fn build(&self, part: &Part<'_>) -> Rod {
//!         let mut rod = Rod::new();
//!         for cell in part.places() {
//!             rod.spawn((GlobalId(cell.into()), Cell(cell), Heat(if cell < 10 { 1 << 20 } else { 0 })));
//!         }
//!         rod
//!     }
//!     fn tick(&self, rod: &mut Rod) {
//!         rod.tick();
//!     }
//! }
//!
//! let hash = |workers| {
//!     let hashes = InProcess::run(workers, |exchange| {
//!         let mut worker = Worker::new(Conduction(Grid::new(100, 1)), exchange)?;
//!         for _ in 0..50 {
//!             worker.tick()?;
//!         }
//!         worker.hash()
//!     });
//!     hashes.map(|hashes| hashes[0])
//! };
//! assert_eq!(hash(1)?, hash(3)?);
//! # Ok::<(), ecs_distributed::RunError>(())
//! ```
//!
//! # The same result for each number of workers
//! The slots of entities, and so the order of queries, depend on the number of workers. A model
//! whose systems keep these rules has the same entities after each tick, and the same hash:
//!
//! - A system changes an entity by the entity's own components, by resources that are equal on all
//!   workers, and by its neighbours in an order that does not depend on slots: that of ids, or
//!   none, as for an integer sum. The sum of floating point numbers depends on the order.
//! - Neighbours of other workers come from a halo, and are as they were after the last tick. A
//!   system that reads neighbours of its own worker reads values of the same time, before other
//!   systems change them.
//! - Random numbers are made of ids and ticks, as [`GlobalId::child`] does, and not by a generator
//!   that the entities share.
//! - The ids of new entities do not depend on the worker.
//! - What systems know of all workers comes from [`Totals`], whose sums are exact, and what they do
//!   to entities of other workers is a [message](Messages), in an order that is always the same.
//!
//! # Ids and relations
//! An [`Entity`](ecs::Entity) is an id in the world of one worker. A component that names an entity
//! of any worker contains its [`GlobalId`]. Entities that refer to each other by `Entity`, such as
//! parents and children, move together: [`Model::companions`] adds those that go with an entity. An
//! entity whose components contain the `Entity` of one that stays cannot move: the run ends with
//! [`RunError::Migration`], which names the component. For the entities that stay, an entity that
//! moves is despawned: their relations to it follow the rule for targets that are gone.
mod checkpoint;
mod error;
mod exact_sum;
mod exchange;
mod global_id;
mod halo;
mod hash;
mod messages;
mod model;
mod network;
mod partition;
mod shared;
mod space;
mod step;
mod store;
mod totals;
mod wire;
mod worker;

pub use checkpoint::Checkpoints;
pub use error::RunError;
pub use exchange::{DEFAULT_TIMEOUT, Exchange, InProcess};
pub use global_id::GlobalId;
pub use halo::{Halo, Mirror, Mirrored};
pub use messages::{Message, Messages};
pub use model::{Migrating, Model, Part};
pub use network::{
    Key, Network, NetworkExchange, NetworkOptions, fingerprint_of_program, process_of_environment, read_hosts,
};
pub use partition::Partition;
pub use shared::SharedList;
pub use space::{Grid, Space};
pub use store::Store;
pub use totals::{Total, Totals, Value};
pub use worker::{TickStats, Worker};

/// The program of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;

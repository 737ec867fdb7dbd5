//! One world of [`ecs`] in parts: each part has a worker of its own, on a thread, in a process, or on a machine.
mod error;
mod exchange;
mod global_id;
mod halo;
mod hash;
mod model;
mod space;
mod wire;
mod worker;

pub use error::RunError;
pub use exchange::{DEFAULT_TIMEOUT, Exchange, InProcess};
pub use global_id::GlobalId;
pub use halo::{Halo, HaloList, Mirror, Mirrored};
pub use model::{Migrating, Model, Part};
pub use space::{Grid, Partition, Space};
pub use worker::{TickStats, Worker};

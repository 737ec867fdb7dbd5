//! Queries: iteration over the entities that have some components, and access to the values of
//! these components.
//!
//! A query has two type parameters: the [`Data`] that it gives for each entity, and a [`Filter`].
//! Systems take a [`Query`]; outside systems [`World::query`](crate::World::query) gives one.
//! [`ChangesSince`] asks for what changed after a tick. A [`View`] gives access to one component of
//! any entity.

// `data` and `filter` have the two parameters. To find the matching entities, a query combines the
// presence bits of the columns, 64 slots at a time (`slots`, which does not depend on the types of
// the values); it then computes the addresses of the values. `iter` has the loops, `param` the type
// that systems take, `world_query` queries outside systems.

pub(crate) mod change;
pub(crate) mod changes;
pub(crate) mod chunk;
pub(crate) mod data;
pub(crate) mod filter;
pub(crate) mod iter;
pub(crate) mod mistake;
pub(crate) mod optional;
mod outputs;
pub(crate) mod par;
pub(crate) mod param;
pub(crate) mod passed_over;
mod several;
pub(crate) mod slots;
pub(crate) mod snapshot_query;
mod sorted;
mod structural;
pub(crate) mod tuple;
pub(crate) mod world_query;

pub use crate::change::MutSlice;
pub use crate::view::{Exclusive, Mode, Shared, View, ViewMut};
pub use change::{Added, Changed};
pub use changes::ChangesSince;
pub use chunk::{ChunkData, Chunks};
pub use data::{Data, Each, Is, QueryData, ReadData, WorldData};
pub use filter::{AllowDisabled, And, Filter, Not, Or, QueryFilter, With, Without};
pub use iter::Iter;
pub use param::{Query, ReadItem};
pub use several::Others;
pub use snapshot_query::{SnapshotData, SnapshotFilter, SnapshotIter, SnapshotQuery};
pub use structural::{StructuralAction, StructuralChange, StructuralChanges};
pub use world_query::{QueryTuple, WorldQuery};

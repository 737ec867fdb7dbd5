//! Queries: iteration over the entities that have some components, and access to the values of these components.
//!
//! A query has two type parameters: the data that it gives for each entity ([`data`]), and a filter ([`filter`]). To find the
//! matching entities, a query combines the presence bits of the columns, 64 slots at a time ([`slots`], which does not depend on
//! the types of the values); it then computes the addresses of the values. [`iter`] has the loops, and [`param`] has
//! [`Query`], the type that systems take. [`world_query`] makes queries outside systems, and
//! [`changes`] asks for what changed after a tick.

pub(crate) mod change;
pub(crate) mod changes;
pub(crate) mod chunk;
pub(crate) mod data;
pub(crate) mod filter;
pub(crate) mod iter;
mod mistake;
pub(crate) mod par;
pub(crate) mod param;
pub(crate) mod slots;
mod structural;
pub(crate) mod tuple;
pub(crate) mod world_query;

pub use change::{Added, Changed};
pub use changes::ChangesSince;
pub use chunk::{ChunkData, Chunks};
pub use data::{Data, Each, Is, QueryData, ReadData, WorldData};
pub use filter::{And, Filter, Not, Or, QueryFilter, With, Without};
pub use iter::Iter;
pub use param::{Query, ReadItem};
pub use structural::{StructuralAction, StructuralChange, StructuralChanges};
pub use world_query::{QueryTuple, WorldQuery};

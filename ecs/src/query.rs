//! Queries: which entities, and what of them.
//!
//! [`data`] says what of each entity is wanted, [`filter`] which entities; both are types. A query is a 64-wide
//! boolean expression over the columns' bits; values are reached by address arithmetic. The loops are in [`iter`],
//! what a user calls in [`param`]. [`slots`] is what of all this does not depend on the types of values.

pub(crate) mod adhoc;
pub(crate) mod change;
pub(crate) mod chunk;
pub(crate) mod data;
pub(crate) mod filter;
pub(crate) mod iter;
mod mistake;
pub(crate) mod par;
pub(crate) mod param;
pub(crate) mod slots;
pub(crate) mod tuple;

pub use adhoc::{QueryTuple, WorldQuery};
pub use change::{Added, Changed};
pub use chunk::{ChunkData, Chunks};
pub use data::{Data, Each, Is, QueryData, ReadData, WorldData};
pub use filter::{And, Filter, Not, Or, QueryFilter, With, Without};
pub use iter::Iter;
pub use param::{Query, ReadItem};

//! How values are kept: columns of pages with one bit for each slot.
//!
//! An entity's slot is the same in every column. A [`Column`](column::Column) is a list of pages of values,
//! allocated when first needed and never moved, and a word of bits for each 64 slots that says where a value is. The
//! memory of pages comes from an `extent`, which holds several pages of one column side by side.
//! A component without a size has the bits only. Start with [`column`].
//!
//! What does not depend on a component's type is in [`table`], and is found in a world through its [`offset`]. It is inlined
//! without debug assertions, and with them it is not: a `dev` build, which makes all code for each component and system anew,
//! calls what was compiled with the library. What few columns have is behind one address, in `rare`.
//! How columns are copied is in [`copy`], and what they share with snapshots in [`known`].
//! What is done for those who react is in `reaction`: when values were added and changed is in [`stamps`], what was
//! removed in [`removals`]. What is done for components that have rules is in `guard`, and
//! what finds slots by the hash of their values in [`by_hash`]. Values that have no entity yet wait in [`loose`] columns.

pub(crate) mod by_hash;
mod cold_fields;
pub(crate) mod column;
pub(crate) mod column_offset;
mod copy;
pub(crate) mod detached_columns;
mod extent;
pub(crate) mod kind;
mod reactions;
pub(crate) mod removals;
pub(crate) mod rule_state;
pub(crate) mod rules;
pub(crate) mod snapshot_pages;
pub(crate) mod stamps;
pub(crate) mod table;

//! Plain data and small functions that do not depend on worlds and that every other module may use.
//!
//! Bit masks and runs of bits ([`mask`]), sets of components ([`component_set`]), sets of
//! components as types ([`typeset`]), the size of pages ([`page`]), the ticks of changes
//! ([`tick`]), texts built at compile time ([`message`]).

#[macro_use]
mod impls;

pub(crate) mod access;
pub(crate) mod bits256;
pub(crate) mod component_set;
pub(crate) mod disabling;
pub(crate) mod disjoint;
pub(crate) mod division;
pub(crate) mod exclusion;
pub(crate) mod hidden;
pub(crate) mod keyed_list;
pub(crate) mod lock;
pub(crate) mod mask;
pub(crate) mod message;
pub(crate) mod nearest;
pub(crate) mod page;
pub(crate) mod place;
pub(crate) mod plain;
pub(crate) mod quoted;
pub(crate) mod reader_stats;
pub(crate) mod shared_pages;
pub(crate) mod thread_safe;
pub(crate) mod tick;
pub(crate) mod tuples;
pub(crate) mod type_identity;
pub(crate) mod typeset;
pub(crate) mod vec_values;
pub(crate) mod warning;

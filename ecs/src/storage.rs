//! The storage of components: columns of pages, with one bit for each slot.
//!
//! An entity's slot is the same in every column. A [`Column`](column::Column) is a list of pages of
//! values, which are allocated when first needed, and a word of bits for each 64 slots that says
//! which slots have a value. Pages do not move, with three exceptions: the only page of a column
//! begins short and moves when it gets longer, those of [`packed`] columns move, and
//! `Table::shrink` moves the pages of a column that has more memory than its values need. The
//! memory of pages comes from an [`extent`], which holds several pages of one column side by side.
//! The column of a component without a size has the bits only. Start with [`column`].
//!
//! The part of a column that does not depend on the component's type is in [`table`], and code that
//! does not know the type finds the column in a world through its [`column_offset`]. The functions
//! of `table` are inlined without debug assertions and not inlined with them: a `dev` build, which
//! compiles the code of each component and system anew, then calls functions that were compiled
//! with the library. Fields that few columns use are behind one pointer, in [`cold_fields`]. The
//! memory of a column with `storage = "packed"` is in [`packed`]: its pages overlap, and values
//! move when others are inserted. Copies of columns are made in [`copy`], and [`snapshot_pages`]
//! are the pages that columns share with snapshots.
//!
//! For change detection, [`stamps`] are the ticks at which values were added and changed,
//! [`removals`] is the log of removed values, and [`reactions`] are the functions of a column that
//! use the two. [`rules`] are the functions of a column whose component has a rule, such as an
//! index or a relation; [`rule_state`] is the interface of such a rule. [`regroup`] moves values to
//! other slots. [`by_hash`] finds slots by the hash of their values, [`ordered_slots`] has them in the
//! order of their values. [`detached_columns`] hold values that do not have an entity yet.

pub(crate) mod by_hash;
mod cold_fields;
pub(crate) mod column;
pub(crate) mod column_offset;
pub(crate) mod copy;
pub(crate) mod detached_columns;
pub(crate) mod erased_column;
mod erased_values;
mod extent;
pub(crate) mod kind;
pub(crate) mod ordered_slots;
pub(crate) mod packed;
mod reactions;
pub(crate) mod readers;
mod regroup;
pub(crate) mod removals;
pub(crate) mod rule_state;
pub(crate) mod rules;
#[cfg(feature = "serde")]
mod saved;
pub(crate) mod snapshot_pages;
pub(crate) mod stamps;
pub(crate) mod table;

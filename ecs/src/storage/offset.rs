//! Where in a world its columns are, for those who do not know their types.
#![expect(unsafe_code, reason = "an offset stands for the column that the expansion of `world!` names")]

use core::mem::needs_drop;

use super::column::Column;
use super::table::Table;

/// Where in a world a column is, and how its values are dropped.
#[derive(Clone, Copy, Debug)]
pub struct ColumnOffset {
    /// In bytes from the start of the world; of no meaning for a component that `#[cfg]` has left out.
    pub(crate) bytes: usize,
    pub(crate) values: Values,
}

/// What there is to do when values go.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Values {
    /// There is no column.
    None,
    /// Nothing: clearing bits is enough.
    Plain,
    /// They are dropped.
    Dropped(Drops),
}

/// Drops values of a column whose type these functions know.
///
/// # Safety
/// To call them: the address is that of a column of that type, and nobody else borrows it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drops {
    /// The value of a slot, if there is one.
    pub(crate) one: unsafe fn(*mut Table, u32),
    /// All values.
    pub(crate) all: unsafe fn(*mut Table),
}

impl ColumnOffset {
    /// A component that is compiled out.
    pub const NONE: Self = Self { bytes: 0, values: Values::None };

    /// A column of `T`, so many bytes from the start of the world.
    pub const fn new<T>(bytes: usize) -> Self {
        let values = if needs_drop::<T>() {
            Values::Dropped(Drops { one: discard::<T>, all: clear::<T> })
        } else {
            Values::Plain
        };
        Self { bytes, values }
    }
}

/// # Safety
/// See [`Drops`].
unsafe fn discard<T>(column: *mut Table, slot: u32) {
    // SAFETY: the caller's promise; a column begins with its table.
    unsafe { &mut *column.cast::<Column<T>>() }.discard(slot);
}

/// # Safety
/// See [`Drops`].
unsafe fn clear<T>(column: *mut Table) {
    // SAFETY: the caller's promise; a column begins with its table.
    unsafe { &mut *column.cast::<Column<T>>() }.clear();
}

//! What can be done to a column without knowing its type.

use core::mem::needs_drop;

use super::column::Column;

/// Where in a world a column is, and what despawning needs to know of it.
#[derive(Clone, Copy, Debug)]
pub struct ColumnOffset {
    /// In bytes from the start of the world.
    pub(crate) bytes: usize,
    /// Whether there is a column, which `#[cfg]` may have left out, and its values need no dropping.
    pub(crate) plain: bool,
}

impl ColumnOffset {
    /// A component that is compiled out.
    pub const NONE: Self = Self { bytes: 0, plain: false };

    /// A column of `T`, so many bytes from the start of the world.
    pub const fn new<T>(bytes: usize) -> Self {
        Self { bytes, plain: !needs_drop::<T>() }
    }
}

/// A column whose type is known by the world alone: what despawning, clearing and statistics need.
pub trait AnyColumn {
    /// Drops the value of `slot`, if there is one.
    fn discard(&mut self, slot: u32);
    /// Drops all values.
    fn clear(&mut self);
    /// Whether `slot` has a value.
    fn contains(&self, slot: u32) -> bool;
    /// How many values there are; counts the bits.
    fn count(&self) -> usize;
    /// How many pages of values are allocated.
    fn pages(&self) -> usize;
    /// How many bytes are allocated for pages, page table and masks.
    fn bytes(&self) -> usize;
}

impl<T> AnyColumn for Column<T> {
    fn discard(&mut self, slot: u32) {
        self.discard(slot);
    }
    fn clear(&mut self) {
        self.clear();
    }
    fn contains(&self, slot: u32) -> bool {
        self.contains(slot)
    }
    fn count(&self) -> usize {
        self.len()
    }
    fn pages(&self) -> usize {
        self.pages()
    }
    fn bytes(&self) -> usize {
        self.bytes()
    }
}

//! What can be done to a column without knowing its type.

use super::column::Column;

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
        self.table.contains(slot)
    }
    fn count(&self) -> usize {
        self.table.count()
    }
    fn pages(&self) -> usize {
        self.table.pages()
    }
    fn bytes(&self) -> usize {
        self.table.bytes()
    }
}

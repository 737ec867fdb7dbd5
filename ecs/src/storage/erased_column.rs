//! [`ErasedColumn`]: a column for code that is compiled once for all components.
#![expect(
    unsafe_code,
    reason = "values are accessed by address, and their type is known to the caller alone"
)]

use alloc::boxed::Box;
use core::ptr;

use super::column::Column;
use super::stamps::Stamps;
use super::table::Table;
use crate::base::mask::Slots;
use crate::base::page::Shape;

/// The fields of a [`Column`] that do not depend on the type of its values.
///
/// The shape that is passed to a method is that of the values: who has an `ErasedColumn` got it from a function of the component,
/// together with the shape.
#[repr(C)]
pub(crate) struct ErasedColumn {
    table: Table,
    stamps: Option<Box<Stamps>>,
}

impl ErasedColumn {
    /// The column without its type.
    pub(crate) fn of<T>(column: &Column<T>) -> &Self {
        // SAFETY: both types are `repr(C)`, and a column begins with these two fields.
        unsafe { &*ptr::from_ref(column).cast() }
    }

    /// Mutable access to the column without its type.
    pub(crate) fn of_mut<T>(column: &mut Column<T>) -> &mut Self {
        // SAFETY: as in `of`. Safe methods leave the values of the column alone.
        unsafe { &mut *ptr::from_mut(column).cast() }
    }

    /// All words of bits.
    pub(crate) fn masks(&self) -> &[u64] {
        &self.table.masks
    }

    /// The bits of a word; 0 beyond the column's end.
    pub(crate) fn word(&self, word: usize) -> u64 {
        self.table.masks.get(word).copied().unwrap_or(0)
    }

    /// The number of values.
    pub(crate) fn len(&self) -> usize {
        Slots::new(self.masks()).count()
    }

    /// The ticks of changes, for a tracked component.
    pub(crate) fn stamps(&self) -> Option<&Stamps> {
        self.stamps.as_deref()
    }

    /// All words of bits, and the ticks of changes.
    pub(crate) fn stamps_mut(&mut self) -> (&[u64], &mut Option<Box<Stamps>>) {
        (&self.table.masks, &mut self.stamps)
    }

    /// The approximate number of bytes that the column grows by when `len` slots of a word get a value, from `slot` on.
    pub(crate) fn growth(&mut self, slot: u32, len: usize, shape: &'static Shape) -> u64 {
        self.table.growth(slot, len, *shape)
    }

    /// The address of the value at a slot, if it has one.
    ///
    /// # Safety
    /// The shape is that of the values.
    pub(crate) unsafe fn value(&self, slot: u32, shape: &'static Shape) -> Option<*const u8> {
        if !self.table.contains(slot) {
            return None;
        }
        // SAFETY: the bit is set, so that the page of the slot is there.
        Some(unsafe { self.table.address(slot as usize, *shape) }.as_ptr())
    }

    /// Takes the value at a slot out of the column, and returns its address: it is moved from there before the column is used
    /// again.
    ///
    /// # Safety
    /// The shape is that of the values.
    pub(crate) unsafe fn take(&mut self, slot: u32, shape: &'static Shape) -> Option<*mut u8> {
        // SAFETY: the contract of this function.
        let value = unsafe { self.value(slot, shape) }?.cast_mut();
        self.table.masks[slot as usize / 64] &= !(1 << (slot % 64));
        Some(value)
    }

    /// The address at which a value of a slot is to be written, which has none.
    ///
    /// # Safety
    /// The shape is that of the values.
    pub(crate) unsafe fn reserve(&mut self, slot: u32, shape: &'static Shape) -> *mut u8 {
        // SAFETY: the contract of this function.
        unsafe { self.table.reserve(slot, 1, shape) }.as_ptr()
    }

    /// Notes that a slot has a value.
    ///
    /// # Safety
    /// A value was written to the address that [`reserve`](Self::reserve) returned for the slot, since the last call of another
    /// method.
    pub(crate) unsafe fn set_written(&mut self, slot: u32) {
        self.table.set(slot, 1);
    }
}

//! [`ErasedColumn`]: a column for code that is compiled once for all components.
#![expect(
    unsafe_code,
    reason = "values are accessed by address, and their type is known to the caller alone"
)]

use alloc::boxed::Box;
use core::mem::{MaybeUninit, needs_drop};
use core::{ptr, slice};

use super::cold_fields::ErasedColdFields;
use super::column::Column;
use super::snapshot_pages::SnapshotPages;
use super::stamps::Stamps;
use super::table::Table;
use crate::base::page::Shape;

/// The fields of a [`Column`] that do not depend on the type of its values.
///
/// The shape that is passed to a method is that of the values: who has an `ErasedColumn` got it
/// from a function of the component, together with the shape.
#[repr(C)]
pub(crate) struct ErasedColumn {
    pub(super) table: Table,
    pub(super) stamps: Option<Box<Stamps>>,
    pub(super) cold: ErasedColdFields,
    pub(super) snapshot_pages: Option<Box<SnapshotPages>>,
}

/// The functions that drop and clone values of a column. They know the type of the values, and the
/// code that calls them does not.
pub(super) struct ValueFunctions {
    pub(super) shape: Shape,
    /// Drops adjacent values; `None` if they need no drop.
    ///
    /// # Safety
    /// The address is that of as many values, which are not used any more.
    pub(super) drop: Option<unsafe fn(*mut u8, usize)>,
    /// Writes clones of adjacent values, and counts them, so that the count is right if a clone
    /// panics.
    ///
    /// # Safety
    /// The first address is that of as many values; the second one is valid for writes of as many.
    pub(super) clone: unsafe fn(*const u8, usize, *mut u8, &mut usize),
    /// Calls `clone_from`: of a value, with another one.
    ///
    /// # Safety
    /// The addresses are those of two values.
    pub(super) clone_from: unsafe fn(*mut u8, *const u8),
}

impl ValueFunctions {
    pub(super) const fn of<T: Clone>() -> Self {
        Self {
            shape: Shape::of::<T>(),
            drop: if needs_drop::<T>() { Some(drop_values::<T>) } else { None },
            clone: clone_values::<T>,
            // SAFETY: the caller passes the addresses of two values of `T`.
            clone_from: |value, source| unsafe { (*value.cast::<T>()).clone_from(&*source.cast::<T>()) },
        }
    }

    /// Drops adjacent values.
    ///
    /// # Safety
    /// As for `drop`.
    pub(super) unsafe fn drop_values(&self, values: *mut u8, len: usize) {
        if let Some(drop) = self.drop {
            // SAFETY: the contract of this function.
            unsafe { drop(values, len) };
        }
    }
}

/// # Safety
/// See [`ValueFunctions`].
unsafe fn drop_values<T>(values: *mut u8, len: usize) {
    // SAFETY: the contract of this function.
    unsafe { ptr::slice_from_raw_parts_mut(values.cast::<T>(), len).drop_in_place() };
}

/// # Safety
/// See [`ValueFunctions`].
unsafe fn clone_values<T: Clone>(from: *const u8, len: usize, to: *mut u8, count: &mut usize) {
    // SAFETY: the contract of this function.
    let (from, to) = unsafe {
        (
            slice::from_raw_parts(from.cast::<T>(), len),
            slice::from_raw_parts_mut(to.cast::<MaybeUninit<T>>(), len),
        )
    };
    if const { needs_drop::<T>() } {
        for (from, to) in from.iter().zip(to) {
            to.write(from.clone());
            *count += 1;
        }
    } else {
        // for a `Copy` type this is one copy of memory
        to.write_clone_of_slice(from);
        *count += len;
    }
}

impl ErasedColumn {
    /// The column without its type.
    pub(crate) fn of<T>(column: &Column<T>) -> &Self {
        // SAFETY: both types are `repr(C)`, and a column begins with these fields (invariant 4).
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
        self.table.word(word)
    }

    /// The number of values.
    pub(crate) fn len(&self) -> usize {
        self.table.len()
    }

    /// The ticks of changes, for a tracked component.
    pub(crate) fn stamps(&self) -> Option<&Stamps> {
        self.stamps.as_deref()
    }

    /// All words of bits, and the ticks of changes.
    pub(crate) fn stamps_mut(&mut self) -> (&[u64], &mut Option<Box<Stamps>>) {
        (&self.table.masks, &mut self.stamps)
    }

    /// The approximate number of bytes that the column grows by when `len` slots of a word get a
    /// value, from `slot` on.
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

    /// Takes the value at a slot out of the column, and returns its address: it is moved from there
    /// before the column is used again.
    ///
    /// # Safety
    /// The shape is that of the values.
    pub(crate) unsafe fn take(&mut self, slot: u32, shape: &'static Shape) -> Option<*mut u8> {
        // SAFETY: the contract of this function.
        let value = unsafe { self.value(slot, shape) }?.cast_mut();
        self.table.masks[slot as usize / 64] &= !(1 << (slot % 64));
        Some(value)
    }

    /// The address at which the values of `len` slots of a word are to be written, which have none.
    ///
    /// # Safety
    /// The shape is that of the values, and `len` is not 0.
    pub(crate) unsafe fn reserve(&mut self, slot: u32, len: usize, shape: &'static Shape) -> *mut u8 {
        // SAFETY: the contract of this function.
        unsafe { self.table.reserve(slot, len, shape) }.as_ptr()
    }

    /// Notes that the first `len` slots have a value.
    ///
    /// # Safety
    /// The values were written to the address that [`reserve`](Self::reserve) returned for the
    /// slots, since the last call of another method.
    pub(crate) unsafe fn set_written(&mut self, slot: u32, len: usize) {
        self.table.set(slot, len);
    }
}

//! [`ErasedColumn`]: a column for code that is compiled once for all components.
#![expect(
    unsafe_code,
    reason = "values are accessed by address, and their type is known to the caller alone"
)]

use alloc::boxed::Box;
use core::alloc::Layout;
use core::mem::{MaybeUninit, needs_drop};
use core::{ptr, slice};

use super::cold_fields::ErasedColdFields;
use super::rule_state::ChangeContext;
use super::snapshot_pages::SnapshotPages;
use super::stamps::Stamps;
use super::table::Table;
use crate::base::mask::{first_run, range};
use crate::base::page::Shape;
use crate::entity::journal::RecordedAction;

/// The fields of a [`Column`](super::column::Column), without the type of its values.
///
/// The shape that is passed to a method is that of the values: who has an `ErasedColumn` got it
/// from a function of the component, together with the shape.
#[repr(C)]
pub(crate) struct ErasedColumn {
    pub(super) table: Table,
    /// The ticks of changes, for a tracked component. No unsafe code relies on their presence.
    pub(super) stamps: Option<Box<Stamps>>,
    /// The fields that few columns use; a column accesses them by its methods `cold` and
    /// `cold_mut`.
    pub(super) cold: ErasedColdFields,
    /// The copies of pages that the column shares with snapshots, if it ever was in a snapshot.
    pub(super) snapshot_pages: Option<Box<SnapshotPages>>,
}

/// A function that drops adjacent values.
///
/// # Safety
/// The address is that of as many values, which are not used any more.
pub(super) type DropFunction = unsafe fn(*mut u8, usize);

/// The function that drops values of `T`; `None` if they need no drop.
pub(super) const fn drop_function<T>() -> Option<DropFunction> {
    if needs_drop::<T>() { Some(drop_values::<T>) } else { None }
}

/// The functions that drop and clone values of a column. They know the type of the values, and the
/// code that calls them does not.
pub(super) struct ValueFunctions {
    pub(super) shape: Shape,
    /// Drops adjacent values; `None` if they need no drop.
    pub(super) drop: Option<DropFunction>,
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

/// The properties of values of a component without a rule and a log, for [`ErasedColumn`].
pub(crate) struct PlainValues {
    shape: Shape,
    drop: Option<DropFunction>,
    tracked: bool,
}

impl PlainValues {
    pub(crate) const fn of<T>(tracked: bool) -> Self {
        Self { shape: Shape::of::<T>(), drop: drop_function::<T>(), tracked }
    }
}

impl ValueFunctions {
    pub(super) const fn of<T: Clone>() -> Self {
        Self {
            shape: Shape::of::<T>(),
            drop: drop_function::<T>(),
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
    if const { !needs_drop::<T>() } {
        // for a `Copy` type this is one copy of memory
        to.write_clone_of_slice(from);
        *count += len;
        return;
    }
    // by index: this is compiled for each component, and iterators are a dozen functions
    let mut at = 0;
    while at < len {
        to[at].write(from[at].clone());
        (at, *count) = (at + 1, *count + 1);
    }
}

impl ErasedColumn {
    /// The fields of a column without values. Not inlined, since each component would have a copy.
    #[inline(never)]
    pub(super) const fn new(layout: Layout, packed: bool) -> Self {
        Self {
            table: Table::new(layout, packed),
            stamps: None,
            cold: ErasedColdFields::NONE,
            snapshot_pages: None,
        }
    }

    /// Drops all values and keeps the memory. If a drop or the rule state panics, the remaining
    /// values are still dropped.
    ///
    /// # Safety
    /// The shape and the function are those of the values.
    pub(super) unsafe fn clear(&mut self, shape: &'static Shape, drop: Option<DropFunction>) {
        struct Rest<'c>(&'c mut ErasedColumn, usize, &'static Shape, Option<DropFunction>);
        impl Rest<'_> {
            fn run(&mut self) {
                let Self(column, word, shape, drop) = self;
                while let Some(drop) = drop
                    && let Some(bits) = column.table.masks.get_mut(*word)
                {
                    let Some((from, len)) = first_run(*bits) else {
                        *word += 1;
                        continue;
                    };
                    // the slots are empty even if a drop panics
                    *bits &= !range(from, from + len);
                    // SAFETY: the bits were set, so that the values are there, adjacent in one
                    // page; they are clear now, so that the values are dropped once.
                    unsafe { drop(column.table.address(*word * 64 + from, **shape).as_ptr(), len) };
                }
                column.table.forget_all();
            }
        }
        impl Drop for Rest<'_> {
            fn drop(&mut self) {
                self.run();
            }
        }
        let mut rest = Rest(self, 0, shape, drop);
        rest.0.cold.clear(); // may panic: the state of a hook is code of a user
        rest.run();
    }

    /// Gives back memory that the values do not need. They keep their slots, and may move.
    ///
    /// # Safety
    /// The shape is that of the values.
    pub(super) unsafe fn shrink(&mut self, shape: &'static Shape) {
        if let Some(stamps) = &mut self.stamps {
            stamps.shrink(&self.table.masks);
        }
        self.table.shrink(*shape);
        self.cold.shrink();
        self.shrink_copies(); // last, because the drop of a value may panic
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

    /// Gives a live entity a value, and drops the one that it replaces: for a component without a
    /// rule and a log of removed values.
    ///
    /// # Safety
    /// The functions are those of the values, and the address is that of one, which is moved out.
    pub(crate) unsafe fn put(
        &mut self,
        context: ChangeContext<'_>,
        of: &'static PlainValues,
        value: *mut u8,
    ) {
        let ChangeContext { entity, entities, index, tick } = context;
        let (slot, word, bit) = (entity.slot(), entity.slot() as usize / 64, 1u64 << (entity.slot() % 64));
        // SAFETY: the shape is that of the values.
        let to = unsafe { self.reserve(slot, 1, &of.shape) };
        let before = self.table.masks[word];
        self.table.masks[word] = before | bit;
        if before == 0 {
            self.table.widen(word);
            entities.note(slot, index);
        }
        let added = before & bit == 0;
        // SAFETY: `reserve` returned memory for a value. If the bit was set, it has one, which goes
        // to the memory of the new one, and is dropped below.
        unsafe {
            if added {
                to.copy_from_nonoverlapping(value, of.shape.size);
            } else {
                ptr::swap_nonoverlapping(to, value, of.shape.size);
            }
        }
        if of.tracked {
            self.stamps.get_or_insert_default().insert(slot, tick, added);
        }
        match of.drop {
            _ if added => context.record(RecordedAction::Inserted(index)),
            // SAFETY: the address is that of the old value, which is not used any more.
            Some(drop) => unsafe { drop(value, 1) },
            None => {}
        }
    }

    /// Moves the value of a live entity to an address; `false` if there is none: for a component
    /// without a rule and a log of removed values.
    ///
    /// # Safety
    /// The functions are those of the values, and the address is valid for a write of one.
    pub(crate) unsafe fn take_to(
        &mut self,
        context: ChangeContext<'_>,
        of: &'static PlainValues,
        to: *mut u8,
    ) -> bool {
        // SAFETY: the contract of this function.
        let Some(value) = (unsafe { self.take(context.entity.slot(), &of.shape) }) else { return false };
        // SAFETY: the value was taken out, and the caller has memory for it.
        unsafe { to.copy_from_nonoverlapping(value, of.shape.size) };
        context.record(RecordedAction::Removed(context.index));
        true
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

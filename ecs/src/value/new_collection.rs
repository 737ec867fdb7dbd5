//! [`NewCollection`] and [`NewArray`]: elements that are read one by one.
#![expect(unsafe_code, reason = "elements are moved by address")]

use serde::de::{DeserializeSeed, Deserializer, Error};

use super::description::{CollectionType, DEPTH, ValueType};
use super::deserialize::{NewValue, Written};
use crate::persist::memory::{self, FOR_A_BYTE};

/// A collection while it is read. It is dropped unless it is [kept](Self::keep).
pub(super) struct NewCollection<'c> {
    of: &'c CollectionType,
    guard: Written,
    /// The memory of an element, beyond what the bytes of a file pay for.
    charge: u64,
}

impl<'c> NewCollection<'c> {
    /// An empty collection. `items` are the types of an element, or of a key and a value.
    pub(super) fn new(
        value: NewValue,
        of: &'c CollectionType,
        hint: Option<usize>,
        items: &[&'static ValueType],
    ) -> Self {
        let size: usize = items.iter().map(|item| item.layout.size()).sum();
        let fewest: u64 = items.iter().map(|item| item.fewest_bytes(DEPTH)).sum();
        // SAFETY: the address of the value is valid for a write of the type.
        unsafe { (of.new)(room_for(hint.unwrap_or(0), size), value.to) };
        Self { of, guard: value.written(), charge: charge_of(size, fewest) }
    }

    /// # Safety
    /// The addresses are those of an element, or of a key and a value, which are moved out.
    pub(super) unsafe fn push<E: Error>(&mut self, first: *mut u8, second: *mut u8) -> Result<(), E> {
        // SAFETY: the guard has the address of the collection.
        unsafe { (self.of.push)(self.guard.to, first, second) };
        if self.charge > 0 {
            memory::charge(self.charge).map_err(E::custom)?;
        }
        Ok(())
    }

    pub(super) fn keep(self) -> Written {
        self.guard
    }
}

/// The number of elements of this size for which a collection gets room before they are read. The
/// number comes from the file: it may not allocate more than a megabyte.
pub(super) fn room_for(count: usize, size: usize) -> usize {
    count.min((1 << 20) / size.max(1))
}

/// The memory that an element of this size takes beyond what the fewest bytes that it has in a file
/// pay for.
pub(super) fn charge_of(size: usize, fewest: u64) -> u64 {
    (size.max(1) as u64).saturating_sub(FOR_A_BYTE.saturating_mul(fewest))
}

/// The seed of an element, or of a key or a value, which leaves the proof in a slot. Its own value
/// has no size, because a format counts that of each element which takes no bytes. A key is read
/// through a form: formats have a deserializer of their own for keys.
pub(super) struct Element<'s, const IS_KEY: bool> {
    pub(super) new: NewValue,
    pub(super) read: &'s mut Option<Written>,
}

impl<'de, const IS_KEY: bool> DeserializeSeed<'de> for Element<'_, IS_KEY> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        let read = if const { IS_KEY } { self.new.through_form(from) } else { self.new.deserialize(from) };
        *self.read = Some(read?);
        Ok(())
    }
}

/// An array while it is read: its first `len` elements are there.
pub(super) struct NewArray {
    pub(super) item: &'static ValueType,
    pub(super) to: *mut u8,
    pub(super) len: usize,
}

impl Drop for NewArray {
    fn drop(&mut self) {
        for at in 0..self.len {
            // SAFETY: the element was written, and the array is not used any more.
            unsafe { self.item.drop_value(self.to.add(at * self.item.layout.size())) };
        }
    }
}

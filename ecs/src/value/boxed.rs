//! [`ValueBox`]: a value whose type is known by its description alone.
#![expect(unsafe_code, reason = "a value is moved and dropped by its description")]

use core::any::TypeId;
use core::fmt;

use super::description::ValueType;
use super::deserialize::NewValue;
use super::room::Room;
use super::serialize::ValueRef;
use crate::persist::erased::{FormError, ReadForm};

/// A Rust type whose description is known at run time.
#[derive(Clone, Copy)]
pub(crate) struct DescribedType {
    id: TypeId,
    of: &'static ValueType,
}

impl DescribedType {
    /// The type `T` with its description.
    ///
    /// # Safety
    /// The description is that of `T`.
    pub(crate) const unsafe fn new<T: 'static>(of: &'static ValueType) -> Self {
        Self { id: TypeId::of::<T>(), of }
    }

    /// A value of the type.
    ///
    /// # Safety
    /// The address is that of a value of the type, which nothing changes during the lifetime of the
    /// result.
    pub(crate) unsafe fn value_at<'v>(&self, address: *const u8) -> ValueRef<'v> {
        // SAFETY: the contract of this function.
        unsafe { ValueRef::new(self.of, address) }
    }
}

/// A value of a type that is not known here.
///
/// # Invariant
/// If `is_full`, the room has a value of the type.
pub struct ValueBox {
    of: DescribedType,
    room: Room,
    is_full: bool,
}

impl ValueBox {
    /// Makes a value by a function that writes it to an address.
    ///
    /// # Errors
    /// That of the function.
    ///
    /// # Safety
    /// Unless the function returns an error, it has written a value of the type to the address.
    pub(crate) unsafe fn new<E>(
        of: DescribedType,
        write: impl FnOnce(*mut u8) -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut value = Self { of, room: Room::new(of.of.layout), is_full: false };
        write(value.room.address())?;
        value.is_full = true;
        Ok(value)
    }

    /// Reads a value from a form.
    ///
    /// # Errors
    /// Those of the form, and those of the type.
    pub(crate) fn read(of: DescribedType, form: &mut dyn ReadForm<'_>) -> Result<Self, FormError> {
        // SAFETY: the room has the layout of the type, and `read_form` writes a value unless it
        // returns an error.
        unsafe { Self::new(of, |to| NewValue::new(of.of, to).read_form(form)) }
    }

    /// The value.
    pub(crate) fn value(&self) -> ValueRef<'_> {
        // SAFETY: only `take` empties the room, and it consumes the box.
        unsafe { ValueRef::new(self.of.of, self.room.start()) }
    }

    /// The address of the value, if it is of this type.
    pub(crate) fn address_of(&self, of: DescribedType) -> Option<*const u8> {
        (self.of.id == of.id).then(|| self.room.start())
    }

    /// Passes the address of the value to a function that moves it out; drops the value if it is of
    /// another type.
    pub(crate) fn take(mut self, of: DescribedType, to: impl FnOnce(*mut u8)) {
        if self.of.id == of.id {
            self.is_full = false;
            to(self.room.address());
        }
    }
}

impl Drop for ValueBox {
    fn drop(&mut self) {
        if self.is_full {
            // SAFETY: the room has a value, which is not used any more.
            unsafe { self.of.of.drop_value(self.room.address()) };
        }
    }
}

impl fmt::Debug for ValueBox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ValueBox").finish_non_exhaustive()
    }
}

//! [`ValueBox`]: a value whose type is known by its description alone.
#![expect(unsafe_code, reason = "a value is moved and dropped by its description")]
#![cfg_attr(
    not(feature = "reflect"),
    allow(
        dead_code,
        unreachable_pub,
        reason = "reflection alone lends values, and has them in a public trait"
    )
)]

use core::fmt;

use super::description::ValueType;
use super::deserialize::NewValue;
use super::room::Room;
use super::serialize::ValueRef;
use crate::persist::erased::{FormError, ReadForm};

/// A value of a type that is not known here.
///
/// # Invariant
/// If `is_full`, the room has a value of the type.
pub struct ValueBox {
    of: &'static ValueType,
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
        of: &'static ValueType,
        write: impl FnOnce(*mut u8) -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut value = Self { of, room: Room::new(of.layout), is_full: false };
        write(value.room.address())?;
        value.is_full = true;
        Ok(value)
    }

    /// Reads a value from a form.
    ///
    /// # Errors
    /// Those of the form, and those of the type.
    pub(crate) fn read(of: &'static ValueType, form: &mut dyn ReadForm<'_>) -> Result<Self, FormError> {
        // SAFETY: the room has the layout of the type, and `read_form` writes a value unless it
        // returns an error.
        unsafe { Self::new(of, |to| NewValue::new(of, to).read_form(form)) }
    }

    /// The address of the value, which may be changed.
    pub(crate) fn address(&mut self) -> *mut u8 {
        self.room.address()
    }

    /// The value.
    pub(crate) fn value(&self) -> ValueRef<'_> {
        // SAFETY: only `take` empties the room, and it consumes the box.
        unsafe { ValueRef::new(self.of, self.room.start()) }
    }

    /// The address of the value, if it is of this type.
    pub(crate) fn address_of(&self, of: &'static ValueType) -> Option<*const u8> {
        (self.of.id == of.id).then(|| self.room.start())
    }

    /// Passes the address of the value to a function that moves it out; drops the value if it is of
    /// another type.
    pub(crate) fn take(mut self, of: &'static ValueType, to: impl FnOnce(*mut u8)) {
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
            unsafe { self.of.drop_value(self.room.address()) };
        }
    }
}

impl fmt::Debug for ValueBox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ValueBox").finish_non_exhaustive()
    }
}

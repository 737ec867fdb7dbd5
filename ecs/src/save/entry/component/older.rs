//! The older types of a component.

use core::marker::PhantomData;

use serde::de::DeserializeOwned;

use crate::persist::compact::read::Reader;
use crate::persist::erased::{FormError, ReadForm, read_value};
use crate::save::layout::Layout;

/// An older type of a component: its layout, and the functions that read a value of it and convert
/// the value.
#[repr(transparent)]
pub struct Old<T>(AnyOld, PhantomData<fn() -> T>);

/// An older type of a component whose type is not known here.
pub(super) struct AnyOld {
    layout: fn() -> Layout,
    /// Reads a value of the older type, and writes what it is converted to.
    ///
    /// # Safety
    /// The address is valid for a write of the component's type. Nothing is written if there is an
    /// error.
    pub(super) read: unsafe fn(&mut dyn ReadForm<'_>, *mut u8) -> Result<(), FormError>,
    /// Reads a value in the compact form as `read` does.
    ///
    /// # Safety
    /// As for `read`.
    pub(super) read_bytes: unsafe fn(&mut Reader<'_, '_>, *mut u8) -> Result<(), FormError>,
}

impl<T> Old<T> {
    /// Makes the description of the older type `O`.
    pub const fn of<O: DeserializeOwned>() -> Self
    where
        T: From<O>,
    {
        let old = AnyOld {
            layout: Layout::of::<O>,
            // SAFETY: the caller passes an address that is valid for a write of a `T`.
            read: |form, to| unsafe {
                to.cast::<T>().write(T::from(read_value::<O>(form)?));
                Ok(())
            },
            // SAFETY: as above.
            read_bytes: |reader, to| unsafe {
                to.cast::<T>().write(T::from(reader.value::<O>()?));
                Ok(())
            },
        };
        Self(old, PhantomData)
    }
}

impl AnyOld {
    /// The older types without the type of the component.
    pub(super) fn of<T>(olds: &'static [Old<T>]) -> &'static [Self] {
        // SAFETY: an `Old` has the memory of an `AnyOld`.
        unsafe { core::slice::from_raw_parts(olds.as_ptr().cast(), olds.len()) }
    }

    pub(super) fn layout(&self) -> Layout {
        (self.layout)()
    }
}

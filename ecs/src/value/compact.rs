//! Described values in the compact form.
#![expect(unsafe_code, reason = "values are read and written at addresses")]

use alloc::format;
use alloc::vec::Vec;

use serde::Serialize;

use super::boxed::ValueBox;
use super::description::{SerdeType, ValueShape, ValueType};
use super::deserialize::NewValue;
use super::plan::ValuePlan;
use super::serialize::ValueRef;
use crate::persist::compact::read::Reader;
use crate::persist::compact::write::Writer;
use crate::persist::erased::FormError;

impl ValueType {
    /// The plan of a described type; `None` for a type that serde writes and reads.
    pub(crate) fn plan(&'static self) -> Option<ValuePlan> {
        (!self.is_by_serde()).then(|| ValuePlan::new(self))
    }

    /// Writes adjacent values to the beginning of a buffer by code that is compiled for their type
    /// alone, and returns the number of values and that of bytes: less if there is no such code,
    /// the buffer is full, a value may be too long, or cannot be written.
    ///
    /// # Safety
    /// The address is that of as many values of the type.
    pub(crate) unsafe fn write_small(
        &self,
        values: *const u8,
        count: usize,
        to: &mut [u8],
    ) -> (usize, usize) {
        match &self.shape {
            // SAFETY: the contract of this function.
            ValueShape::Serde(SerdeType { compact: Some(code), .. }) => unsafe {
                (code.write_small)(values, count, to)
            },
            _ => (0, 0),
        }
    }

    /// Writes a value.
    ///
    /// # Safety
    /// The address is that of a value of the type.
    pub(crate) unsafe fn write(
        &'static self,
        value: *const u8,
        to: &mut Writer<Vec<u8>>,
    ) -> Result<(), FormError> {
        match &self.shape {
            // SAFETY: the contract of this function.
            ValueShape::Serde(of) if let Some(code) = &of.compact => unsafe { (code.write)(value, to) },
            // SAFETY: as above.
            _ => unsafe { ValueRef::new(self, value) }.serialize(to),
        }
    }

    /// Reads a value. After an error there is none.
    ///
    /// # Safety
    /// The address is valid for a write of the type.
    pub(crate) unsafe fn read(
        &'static self,
        from: &mut Reader<'_, '_>,
        to: *mut u8,
    ) -> Result<(), FormError> {
        match &self.shape {
            // SAFETY: the contract of this function.
            ValueShape::Serde(of) if let Some(code) = &of.compact => unsafe { (code.read)(from, to) },
            // SAFETY: as above.
            _ => unsafe { NewValue::new(self, to) }.read(from),
        }
    }

    /// Whether reading and writing are two pieces of code.
    pub(crate) fn is_by_serde(&self) -> bool {
        matches!(self.shape, ValueShape::Serde(_))
    }

    /// Checks that a value can be read as it is written.
    ///
    /// # Safety
    /// The address is that of a value of the type.
    pub(crate) unsafe fn is_read_as_written(&'static self, value: *const u8) -> Result<(), FormError> {
        let mut writer = Writer::new(Vec::new());
        // SAFETY: the contract of this function.
        unsafe { self.write(value, &mut writer) }?;
        let mut reader = Reader::new(&writer.sink);
        // SAFETY: `read` writes a value of the type unless it returns an error.
        let read = unsafe { ValueBox::new(self, |to| self.read(&mut reader, to)) };
        read.and_then(|_| reader.end()).map_err(|fault| {
            FormError::text(format!("`Deserialize` cannot read the output of `Serialize`: {fault}"))
        })
    }
}

//! The serializer of the compact form.
//!
//! Small values are written into a window of a fixed size. After inlining, the positions of the
//! numbers in the window are constants, so that writing a value costs as much as storing its
//! numbers.

use alloc::vec::Vec;

use serde::ser::{self, Serialize};

use super::DEPTH;
use crate::persist::erased::FormError;
use crate::persist::erased::write::PartPlace;
use crate::persist::serialized_parts::{begins_parts, serializes_parts};

/// The destination of written numbers: a vector or a [`Window`].
pub(crate) trait Sink {
    fn put<const N: usize>(&mut self, bytes: [u8; N]) -> Result<(), FormError>;
    fn extend(&mut self, bytes: &[u8]) -> Result<(), FormError>;
    /// Returns `false` if the sink is known to be full.
    fn has_room(&self) -> bool;
    /// The current position, at which a length is patched in later.
    fn at(&self) -> usize;
    fn patch(&mut self, at: usize, length: u32);
}

impl Sink for Vec<u8> {
    #[inline]
    fn put<const N: usize>(&mut self, bytes: [u8; N]) -> Result<(), FormError> {
        self.extend_from_slice(&bytes);
        Ok(())
    }

    fn extend(&mut self, bytes: &[u8]) -> Result<(), FormError> {
        self.extend_from_slice(bytes);
        Ok(())
    }

    fn has_room(&self) -> bool {
        true
    }

    fn at(&self) -> usize {
        self.len()
    }

    fn patch(&mut self, at: usize, length: u32) {
        self[at..at + 4].copy_from_slice(&length.to_le_bytes());
    }
}

/// A buffer for one small value: its size is a power of two, plus the size of the longest number.
///
/// A number that does not fit overwrites other numbers and is counted, so that writing a number
/// needs no branch. [`written`](Self::written) shows by the count that the window was too small.
/// Writing text, bytes and sequence elements checks the size.
pub(crate) struct Window<'b, const N: usize> {
    bytes: &'b mut [u8; N],
    /// The number of bytes written so far, including those that did not fit.
    at: usize,
}

/// The size of the longest number, in bytes.
const NUMBER: usize = size_of::<u128>();

impl<'b, const N: usize> Window<'b, N> {
    /// The maximal size of a value, in bytes.
    pub(crate) const ROOM: usize = {
        assert!(N > NUMBER && (N - NUMBER).is_power_of_two());
        N - NUMBER
    };

    #[inline(always)]
    pub(crate) fn new(bytes: &'b mut [u8; N]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Returns the number of bytes that were written; `None` if the value did not fit.
    #[cfg(test)]
    pub(crate) fn written(&self) -> Option<usize> {
        (self.at <= Self::ROOM).then_some(self.at)
    }
}

impl<const N: usize> Sink for Window<'_, N> {
    #[inline(always)]
    fn put<const M: usize>(&mut self, bytes: [u8; M]) -> Result<(), FormError> {
        const { assert!(M <= NUMBER) };
        let at = self.at & (Self::ROOM - 1);
        if let Some(place) = self.bytes.get_mut(at..).and_then(|rest| rest.first_chunk_mut()) {
            *place = bytes;
        }
        self.at = self.at.wrapping_add(M);
        Ok(())
    }

    #[inline]
    fn extend(&mut self, bytes: &[u8]) -> Result<(), FormError> {
        let place = self.bytes[..Self::ROOM].get_mut(self.at..).and_then(|rest| rest.get_mut(..bytes.len()));
        self.at = self.at.saturating_add(bytes.len());
        place.map(|place| place.copy_from_slice(bytes)).ok_or_else(FormError::end)
    }

    #[inline(always)]
    fn has_room(&self) -> bool {
        self.at <= Self::ROOM
    }

    #[inline(always)]
    fn at(&self) -> usize {
        self.at
    }

    #[inline(always)]
    fn patch(&mut self, at: usize, length: u32) {
        if let Some(place) = self.bytes.get_mut(at..).and_then(|rest| rest.first_chunk_mut()) {
            *place = length.to_le_bytes();
        }
    }
}

/// The serializer of the compact form.
pub(crate) struct Writer<S> {
    pub(crate) sink: S,
    pub(crate) depth: u32,
}

/// Returns a value in the compact form.
pub(crate) fn to_vec(value: &(impl Serialize + ?Sized)) -> Result<Vec<u8>, FormError> {
    // most values fit into 256 bytes; an empty vector would grow several times
    let mut writer = Writer::new(Vec::with_capacity(256));
    value.serialize(&mut writer)?;
    Ok(writer.sink)
}

/// Replaces the content of a vector by a value in the compact form, so that several values are
/// written without an allocation for each.
pub(crate) fn write_to(bytes: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) -> Result<(), FormError> {
    bytes.clear();
    let mut writer = Writer::new(core::mem::take(bytes));
    let written = value.serialize(&mut writer);
    *bytes = writer.sink;
    written
}

impl<S: Sink> Writer<S> {
    #[inline(always)]
    pub(crate) fn new(sink: S) -> Self {
        Self { sink, depth: 0 }
    }

    #[inline(always)]
    fn length(&mut self, length: usize) -> Result<(), FormError> {
        match u32::try_from(length) {
            Ok(length) => self.sink.put(length.to_le_bytes()),
            Err(_) => Err(FormError::text("more than 4294967295 elements")),
        }
    }

    /// Begins the parts of a value. `counted` is the position of their number, if it is written.
    #[inline(always)]
    pub(super) fn begin(&mut self, counted: Option<usize>) -> Result<WrittenParts, FormError> {
        if self.depth == DEPTH {
            return Err(FormError::depth());
        }
        self.depth += 1;
        Ok(WrittenParts { counted, count: 0 })
    }

    /// Begins the parts of a sequence or a map, with their number.
    #[inline(always)]
    pub(super) fn begin_counted(&mut self, length: Option<usize>) -> Result<WrittenParts, FormError> {
        let at = self.sink.at();
        self.length(length.unwrap_or(0))?;
        self.begin(Some(at))
    }

    /// Begins the parts of the variant of an enum.
    #[inline(always)]
    pub(super) fn begin_variant(&mut self, index: u32) -> Result<WrittenParts, FormError> {
        self.sink.put(index.to_le_bytes())?;
        self.begin(None)
    }

    #[inline]
    fn counted(&mut self, length: Option<usize>) -> Result<NestedWriter<'_, S>, FormError> {
        let parts = self.begin_counted(length)?;
        Ok(NestedWriter { writer: self, parts })
    }

    #[inline(always)]
    fn uncounted(&mut self) -> Result<NestedWriter<'_, S>, FormError> {
        let parts = self.begin(None)?;
        Ok(NestedWriter { writer: self, parts })
    }

    #[inline(always)]
    fn of_variant(&mut self, index: u32) -> Result<NestedWriter<'_, S>, FormError> {
        let parts = self.begin_variant(index)?;
        Ok(NestedWriter { writer: self, parts })
    }

    #[inline(always)]
    fn inner<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), FormError> {
        let parts = self.begin(None)?;
        value.serialize(&mut *self)?;
        parts.done(self)
    }
}

macro_rules! numbers {
    ($($name:ident: $ty:ty),*) => {$(
        #[inline(always)]
        fn $name(self, value: $ty) -> Result<(), FormError> {
            self.sink.put(value.to_le_bytes())
        }
    )*};
}

impl<'a, S: Sink> ser::Serializer for &'a mut Writer<S> {
    type Ok = ();
    type Error = FormError;
    begins_parts!(NestedWriter<'a, S>, FormError);

    numbers! {
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64, serialize_u128: u128,
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64, serialize_i128: i128,
        serialize_f32: f32, serialize_f64: f64
    }

    #[inline(always)]
    fn serialize_bool(self, value: bool) -> Result<(), FormError> {
        self.sink.put([u8::from(value)])
    }

    #[inline(always)]
    fn serialize_char(self, value: char) -> Result<(), FormError> {
        self.sink.put(u32::from(value).to_le_bytes())
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<(), FormError> {
        self.serialize_bytes(value.as_bytes())
    }

    #[inline]
    fn serialize_bytes(self, value: &[u8]) -> Result<(), FormError> {
        self.length(value.len())?;
        self.sink.extend(value)
    }

    #[inline(always)]
    fn serialize_none(self) -> Result<(), FormError> {
        self.sink.put([0])
    }

    #[inline(always)]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), FormError> {
        self.sink.put([1])?;
        self.inner(value)
    }

    #[inline(always)]
    fn serialize_unit(self) -> Result<(), FormError> {
        Ok(())
    }

    #[inline(always)]
    fn serialize_unit_struct(self, _: &'static str) -> Result<(), FormError> {
        Ok(())
    }

    #[inline(always)]
    fn serialize_unit_variant(self, _: &'static str, index: u32, _: &'static str) -> Result<(), FormError> {
        self.sink.put(index.to_le_bytes())
    }

    #[inline(always)]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), FormError> {
        self.inner(value)
    }

    #[inline(always)]
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        value: &T,
    ) -> Result<(), FormError> {
        self.sink.put(index.to_le_bytes())?;
        self.inner(value)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// The elements or fields of a value, while they are written. The length of a sequence is patched
/// in at its end, because serde's announced length is only a hint.
pub(super) struct WrittenParts {
    /// The position of the length, for a sequence or a map.
    counted: Option<usize>,
    count: usize,
}

impl WrittenParts {
    #[inline(always)]
    pub(super) fn element<S: Sink, T: Serialize + ?Sized>(
        &mut self,
        writer: &mut Writer<S>,
        value: &T,
    ) -> Result<(), FormError> {
        self.count += 1;
        if self.counted.is_some() && !writer.sink.has_room() {
            return Err(FormError::end());
        }
        value.serialize(writer)
    }

    #[inline(always)]
    pub(super) fn done<S: Sink>(self, writer: &mut Writer<S>) -> Result<(), FormError> {
        writer.depth -= 1;
        if let Some(at) = self.counted {
            let Ok(count) = u32::try_from(self.count) else {
                return Err(FormError::text("more than 4294967295 elements"));
            };
            writer.sink.patch(at, count);
        }
        Ok(())
    }
}

/// The serializer of the elements or fields of a value.
pub(crate) struct NestedWriter<'a, S> {
    writer: &'a mut Writer<S>,
    parts: WrittenParts,
}

#[cold]
pub(super) fn skipped(field: &'static str) -> FormError {
    FormError::text(format_args!(
        "field `{field}` is omitted by `skip_serializing_if`, but the compact form needs every field: remove the attribute, or skip \
         the type"
    ))
}

serializes_parts!([#[inline(always)]] [S: Sink] NestedWriter<'_, S>: (), FormError;
    (|nested, place, value| match place {
        PartPlace::Value => value.serialize(&mut *nested.writer),
        _ => nested.parts.element(nested.writer, value),
    })
    (|nested| nested.parts.done(nested.writer))
    (|_nested, name| Err(skipped(name)))
);

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeMap;

    use serde::Serializer;

    use super::*;
    use crate::persist::compact::read::from_bytes;

    /// A sequence and a map of unknown length.
    struct Uncounted(u8);
    impl Serialize for Uncounted {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            (Numbers(self.0), Pairs(self.0)).serialize(serializer)
        }
    }
    struct Numbers(u8);
    impl Serialize for Numbers {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut sequence = serializer.serialize_seq(None)?;
            (0..self.0).try_for_each(|n| ser::SerializeSeq::serialize_element(&mut sequence, &n))?;
            ser::SerializeSeq::end(sequence)
        }
    }
    struct Pairs(u8);
    impl Serialize for Pairs {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut map = serializer.serialize_map(None)?;
            (0..self.0).try_for_each(|n| ser::SerializeMap::serialize_entry(&mut map, &n, &u16::from(n)))?;
            ser::SerializeMap::end(map)
        }
    }

    #[test]
    fn the_length_of_a_sequence_is_the_number_of_its_elements() {
        let expected = (alloc::vec![0_u8, 1, 2], BTreeMap::from([(0_u8, 0_u16), (1, 1), (2, 2)]));
        let bytes = to_vec(&Uncounted(3)).unwrap();
        assert_eq!(from_bytes::<(Vec<u8>, BTreeMap<u8, u16>)>(&bytes).unwrap(), expected);
        let mut memory = [0xff; 32 + NUMBER];
        let mut writer = Writer::new(Window::new(&mut memory));
        Uncounted(3).serialize(&mut writer).unwrap();
        let written = writer.sink.written().unwrap();
        assert_eq!(memory[..written], bytes);
    }

    #[test]
    fn a_window_knows_what_did_not_fit() {
        for size in [0, 1, 31, 32, 33, 48, 64, 100] {
            let mut memory = [0; 32 + NUMBER];
            let mut writer = Writer::new(Window::new(&mut memory));
            let done = (0..size).try_for_each(|byte: u8| byte.serialize(&mut writer));
            assert!(done.is_ok());
            assert_eq!(writer.sink.written(), (size <= 32).then_some(size.into()), "{size} bytes");
        }
        // text stops at once
        for size in [27, 28, 29] {
            let mut memory = [0; 32 + NUMBER];
            let mut writer = Writer::new(Window::new(&mut memory));
            let done = "x".repeat(size).serialize(&mut writer);
            let fits = size <= 28;
            assert_eq!((done.is_ok(), writer.sink.written()), (fits, fits.then_some(size + 4)));
        }
    }

    #[test]
    fn values_beside_each_other_are_not_nested() {
        let mut writer = Writer::new(Vec::new());
        for _ in 0..2 * DEPTH {
            (Some(1_u8), [1_u8; 2], Pairs(1), Numbers(1)).serialize(&mut writer).unwrap();
            Pairs(0).serialize(&mut writer).unwrap();
            Some(1_u8).serialize(&mut writer).unwrap();
        }
        assert_eq!(writer.depth, 0);
    }
}

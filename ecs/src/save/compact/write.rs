//! The serializer of the compact form.
//!
//! Where values are small it writes into a window of a fixed size on which nothing else depends: once everything is
//! inlined, the places of the numbers in it are constants, and a value costs what storing its numbers costs.

use alloc::vec::Vec;

use serde::ser::{self, Serialize};

use super::{DEPTH, Fault};

/// What numbers are written to.
pub(crate) trait Sink {
    fn put<const N: usize>(&mut self, bytes: [u8; N]) -> Result<(), Fault>;
    fn extend(&mut self, bytes: &[u8]) -> Result<(), Fault>;
    /// Whether there is room for more, as far as is known.
    fn has_room(&self) -> bool;
    /// Where a length is put once it is known.
    fn at(&self) -> usize;
    fn patch(&mut self, at: usize, length: u32);
}

impl Sink for Vec<u8> {
    #[inline]
    fn put<const N: usize>(&mut self, bytes: [u8; N]) -> Result<(), Fault> {
        self.extend_from_slice(&bytes);
        Ok(())
    }

    fn extend(&mut self, bytes: &[u8]) -> Result<(), Fault> {
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

/// A few bytes for one value: a power of two, and those of the longest number.
///
/// A number that does not fit is written over others, and counted: whoever made the window sees by the count that it was too
/// small, and no number has to ask. What may be long asks.
pub(crate) struct Window<'b, const N: usize> {
    bytes: &'b mut [u8; N],
    /// How many bytes were to be written.
    at: usize,
}

/// The bytes of the longest number.
const NUMBER: usize = size_of::<u128>();

impl<'b, const N: usize> Window<'b, N> {
    /// How many bytes a value may take.
    const ROOM: usize = {
        assert!(N > NUMBER && (N - NUMBER).is_power_of_two());
        N - NUMBER
    };

    #[inline(always)]
    pub(crate) fn new(bytes: &'b mut [u8; N]) -> Self {
        Self { bytes, at: 0 }
    }

    /// How many bytes were written; nothing if not all of the value fitted.
    #[inline(always)]
    pub(crate) fn written(&self) -> Option<usize> {
        (self.at <= Self::ROOM).then_some(self.at)
    }
}

impl<const N: usize> Sink for Window<'_, N> {
    #[inline(always)]
    fn put<const M: usize>(&mut self, bytes: [u8; M]) -> Result<(), Fault> {
        const { assert!(M <= NUMBER) };
        let at = self.at & (Self::ROOM - 1);
        if let Some(place) = self.bytes.get_mut(at..).and_then(|rest| rest.first_chunk_mut()) {
            *place = bytes;
        }
        self.at = self.at.wrapping_add(M);
        Ok(())
    }

    #[inline]
    fn extend(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let place = self.bytes[..Self::ROOM].get_mut(self.at..).and_then(|rest| rest.get_mut(..bytes.len()));
        self.at = self.at.saturating_add(bytes.len());
        place.map(|place| place.copy_from_slice(bytes)).ok_or_else(Fault::end)
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

/// Writes values.
pub(crate) struct Writer<S> {
    pub(crate) sink: S,
    pub(super) depth: u32,
}

/// The bytes of a value.
pub(crate) fn to_vec(value: &(impl Serialize + ?Sized)) -> Result<Vec<u8>, Fault> {
    // most are small, and a vector that grows begins with less
    let mut writer = Writer::new(Vec::with_capacity(256));
    value.serialize(&mut writer)?;
    Ok(writer.sink)
}

impl<S: Sink> Writer<S> {
    #[inline(always)]
    pub(crate) fn new(sink: S) -> Self {
        Self { sink, depth: 0 }
    }

    #[inline(always)]
    fn length(&mut self, length: usize) -> Result<(), Fault> {
        match u32::try_from(length) {
            Ok(length) => self.sink.put(length.to_le_bytes()),
            Err(_) => Err(Fault::text("more than 4294967295 elements")),
        }
    }

    #[inline(always)]
    fn nest(&mut self, counted: Option<usize>) -> Result<NestedWriter<'_, S>, Fault> {
        if self.depth == DEPTH {
            return Err(Fault::depth());
        }
        self.depth += 1;
        Ok(NestedWriter { writer: self, counted, count: 0 })
    }

    #[inline(always)]
    fn inner<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
        let nested = self.nest(None)?;
        value.serialize(&mut *nested.writer)?;
        nested.done()
    }
}

macro_rules! numbers {
    ($($name:ident: $ty:ty),*) => {$(
        #[inline(always)]
        fn $name(self, value: $ty) -> Result<(), Fault> {
            self.sink.put(value.to_le_bytes())
        }
    )*};
}

impl<'a, S: Sink> ser::Serializer for &'a mut Writer<S> {
    type Ok = ();
    type Error = Fault;
    type SerializeSeq = NestedWriter<'a, S>;
    type SerializeTuple = NestedWriter<'a, S>;
    type SerializeTupleStruct = NestedWriter<'a, S>;
    type SerializeTupleVariant = NestedWriter<'a, S>;
    type SerializeMap = NestedWriter<'a, S>;
    type SerializeStruct = NestedWriter<'a, S>;
    type SerializeStructVariant = NestedWriter<'a, S>;

    numbers! {
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64, serialize_u128: u128,
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64, serialize_i128: i128,
        serialize_f32: f32, serialize_f64: f64
    }

    #[inline(always)]
    fn serialize_bool(self, value: bool) -> Result<(), Fault> {
        self.sink.put([u8::from(value)])
    }

    #[inline(always)]
    fn serialize_char(self, value: char) -> Result<(), Fault> {
        self.sink.put(u32::from(value).to_le_bytes())
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<(), Fault> {
        self.serialize_bytes(value.as_bytes())
    }

    #[inline]
    fn serialize_bytes(self, value: &[u8]) -> Result<(), Fault> {
        self.length(value.len())?;
        self.sink.extend(value)
    }

    #[inline(always)]
    fn serialize_none(self) -> Result<(), Fault> {
        self.sink.put([0])
    }

    #[inline(always)]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Fault> {
        self.sink.put([1])?;
        self.inner(value)
    }

    #[inline(always)]
    fn serialize_unit(self) -> Result<(), Fault> {
        Ok(())
    }

    #[inline(always)]
    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Fault> {
        Ok(())
    }

    #[inline(always)]
    fn serialize_unit_variant(self, _: &'static str, index: u32, _: &'static str) -> Result<(), Fault> {
        self.sink.put(index.to_le_bytes())
    }

    #[inline(always)]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Fault> {
        self.inner(value)
    }

    #[inline(always)]
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        value: &T,
    ) -> Result<(), Fault> {
        self.sink.put(index.to_le_bytes())?;
        self.inner(value)
    }

    #[inline]
    fn serialize_seq(self, length: Option<usize>) -> Result<NestedWriter<'a, S>, Fault> {
        let at = self.sink.at();
        self.length(length.unwrap_or(0))?;
        self.nest(Some(at))
    }

    #[inline(always)]
    fn serialize_tuple(self, _: usize) -> Result<NestedWriter<'a, S>, Fault> {
        self.nest(None)
    }

    #[inline(always)]
    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<NestedWriter<'a, S>, Fault> {
        self.nest(None)
    }

    #[inline(always)]
    fn serialize_tuple_variant(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        _: usize,
    ) -> Result<NestedWriter<'a, S>, Fault> {
        self.sink.put(index.to_le_bytes())?;
        self.nest(None)
    }

    #[inline]
    fn serialize_map(self, length: Option<usize>) -> Result<NestedWriter<'a, S>, Fault> {
        self.serialize_seq(length)
    }

    #[inline(always)]
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<NestedWriter<'a, S>, Fault> {
        self.nest(None)
    }

    #[inline(always)]
    fn serialize_struct_variant(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        _: usize,
    ) -> Result<NestedWriter<'a, S>, Fault> {
        self.sink.put(index.to_le_bytes())?;
        self.nest(None)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// What is within a value. A sequence says how long it was when it is done: what it announced is a guess.
pub(crate) struct NestedWriter<'a, S> {
    writer: &'a mut Writer<S>,
    /// Where the count is to be put.
    counted: Option<usize>,
    count: usize,
}

impl<S: Sink> NestedWriter<'_, S> {
    #[inline(always)]
    fn one<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
        self.count += 1;
        if self.counted.is_some() && !self.writer.sink.has_room() {
            return Err(Fault::end());
        }
        value.serialize(&mut *self.writer)
    }

    #[inline(always)]
    fn done(self) -> Result<(), Fault> {
        self.writer.depth -= 1;
        if let Some(at) = self.counted {
            let Ok(count) = u32::try_from(self.count) else {
                return Err(Fault::text("more than 4294967295 elements"));
            };
            self.writer.sink.patch(at, count);
        }
        Ok(())
    }
}

#[cold]
fn skipped(field: &'static str) -> Fault {
    Fault::text(format_args!(
        "field `{field}` is omitted by `skip_serializing_if`, but the compact form needs every field: remove the attribute, or skip \
         the type"
    ))
}

macro_rules! nested {
    ($($of_trait:ident $method:ident;)*) => {$(
        impl<S: Sink> ser::$of_trait for NestedWriter<'_, S> {
            type Ok = ();
            type Error = Fault;
            #[inline(always)]
            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
                self.one(value)
            }
            #[inline(always)]
            fn end(self) -> Result<(), Fault> {
                self.done()
            }
        }
    )*};
}

nested! {
    SerializeSeq serialize_element;
    SerializeTuple serialize_element;
    SerializeTupleStruct serialize_field;
    SerializeTupleVariant serialize_field;
}

macro_rules! named {
    ($($of_trait:ident)*) => {$(
        impl<S: Sink> ser::$of_trait for NestedWriter<'_, S> {
            type Ok = ();
            type Error = Fault;
            #[inline(always)]
            fn serialize_field<T: Serialize + ?Sized>(&mut self, _: &'static str, value: &T) -> Result<(), Fault> {
                self.one(value)
            }
            fn skip_field(&mut self, field: &'static str) -> Result<(), Fault> {
                Err(skipped(field))
            }
            #[inline(always)]
            fn end(self) -> Result<(), Fault> {
                self.done()
            }
        }
    )*};
}

named!(SerializeStruct SerializeStructVariant);

impl<S: Sink> ser::SerializeMap for NestedWriter<'_, S> {
    type Ok = ();
    type Error = Fault;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Fault> {
        self.one(key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
        value.serialize(&mut *self.writer)
    }

    fn end(self) -> Result<(), Fault> {
        self.done()
    }
}

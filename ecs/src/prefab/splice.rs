//! Splicing: an override as one pass over the existing value. [`Splicer`] is a serializer that writes the value in the compact form, with
//! the bytes of the patch in place of the overridden fields; then the value is read from these bytes.
//!
//! An [`Overlay`](super::overlay::Overlay) decides what an override means. It reads fields by name, while a splice reads them in the order in
//! which they were written. [`is_exact`] compares the two when a prefab is read, and a splice that fails later has changed nothing, so
//! that an overlay can follow it. As in every value of the compact form, which has no names, a `Serialize` must write the fields in the same
//! order for all values. A value that contains ids is not spliced, because the ids of the patch are mapped, and those of the
//! existing value are not.

use alloc::vec::Vec;
use core::any::Any;

use serde::ser::{Impossible, Serialize, SerializeStruct, Serializer};

use super::patch::Patch;
use crate::persist::compact::outline::Outline;
use crate::persist::compact::read::{MapId, Reader};
use crate::persist::compact::write::Writer;
use crate::persist::compact::{DEPTH, Fault};
use crate::persist::memory;
use crate::save::entry::{SavedComponent, ValuePlace};

/// Overrides an existing value. After an error the value is unchanged.
pub(super) fn splice(
    entry: &SavedComponent,
    place: ValuePlace<'_>,
    patch: &Patch,
    map: MapId<'_>,
    buffer: &mut Vec<u8>,
) -> Result<(), Fault> {
    let fields = match patch {
        Patch::Whole(bytes) => return entry.read_over(place, Reader::mapping(bytes, map)),
        Patch::Fields(fields) => fields,
    };
    let value = match &place {
        ValuePlace::World(world, entity) => entry.value(&**world, entity.slot()),
        ValuePlace::Column(column, slot) => entry.value_in(&**column, *slot),
    };
    let mut writer = Writer::new(core::mem::take(buffer));
    writer.sink.clear();
    // most values fit into 256 bytes; an empty vector would grow several times
    writer.sink.reserve(256);
    let written = value.ok_or_else(not_spliced)?.erased().serialize(Splicer { writer: &mut writer, fields });
    *buffer = writer.sink;
    written?;
    entry.read_over(place, Reader::mapping(buffer, &|_| Err(not_spliced())))
}

/// Whether a splice gives the same value as an overlay, which has just made the value at `slot`. If so, the spliced bytes are the compact form of
/// this value, and the value that is read from them has the same compact form.
pub(super) fn is_exact(entry: &SavedComponent, column: &mut dyn Any, slot: u32, patch: &Patch) -> bool {
    let bytes = |column: &dyn Any| {
        let outline = Outline::of(entry.value_in(column, slot)?.erased()).ok()?;
        Some(outline.bytes)
    };
    if patch.is_whole() {
        return true;
    }
    let before = bytes(column);
    let mut buffer = Vec::new();
    // the memory of this check does not count as memory of the file's values
    let spliced = memory::limited(None, 0, || {
        let place = ValuePlace::Column(&mut *column, slot);
        splice(entry, place, patch, &|number| Ok(number), &mut buffer)
    });
    spliced.is_ok() && before.as_deref() == Some(&*buffer) && bytes(column) == before
}

/// The error of a value for which an overlay decides what the override means.
#[cold]
fn not_spliced() -> Fault {
    Fault::text("the override cannot be spliced")
}

/// A serializer of a struct that writes the patch in place of the fields that it overrides.
struct Splicer<'a> {
    writer: &'a mut Writer<Vec<u8>>,
    fields: &'a [(&'static str, Patch)],
}

/// The serializer of the fields of a struct.
struct StructSplicer<'a> {
    writer: &'a mut Writer<Vec<u8>>,
    fields: &'a [(&'static str, Patch)],
    /// The number of fields of the patch that were written.
    written: usize,
}

impl SerializeStruct for StructSplicer<'_> {
    type Ok = ();
    type Error = Fault;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Fault> {
        let patch = self.fields.iter().find(|(other, _)| *other == name);
        self.written += usize::from(patch.is_some());
        match patch {
            None => value.serialize(&mut *self.writer),
            Some((_, Patch::Whole(bytes))) => {
                self.writer.sink.extend_from_slice(bytes);
                Ok(())
            }
            Some((_, Patch::Fields(fields))) => {
                value.serialize(Splicer { writer: &mut *self.writer, fields })
            }
        }
    }

    /// A field that is not written gets its default from an overlay, which reads by name; a splice would lack it.
    fn skip_field(&mut self, _: &'static str) -> Result<(), Fault> {
        Err(not_spliced())
    }

    fn end(self) -> Result<(), Fault> {
        self.writer.depth -= 1;
        if self.written == self.fields.len() { Ok(()) } else { Err(not_spliced()) }
    }
}

/// Only a struct has fields that a patch can override.
macro_rules! refused {
    ($($name:ident($($ty:ty),*) -> $out:ty;)*) => {$(
        fn $name(self, $(_: $ty),*) -> Result<$out, Fault> {
            Err(not_spliced())
        }
    )*};
}

impl<'a> Serializer for Splicer<'a> {
    type Ok = ();
    type Error = Fault;
    type SerializeSeq = Impossible<(), Fault>;
    type SerializeTuple = Impossible<(), Fault>;
    type SerializeTupleStruct = Impossible<(), Fault>;
    type SerializeTupleVariant = Impossible<(), Fault>;
    type SerializeMap = Impossible<(), Fault>;
    type SerializeStruct = StructSplicer<'a>;
    type SerializeStructVariant = Impossible<(), Fault>;

    refused! {
        serialize_bool(bool) -> ();
        serialize_u8(u8) -> ();
        serialize_u16(u16) -> ();
        serialize_u32(u32) -> ();
        serialize_u64(u64) -> ();
        serialize_u128(u128) -> ();
        serialize_i8(i8) -> ();
        serialize_i16(i16) -> ();
        serialize_i32(i32) -> ();
        serialize_i64(i64) -> ();
        serialize_i128(i128) -> ();
        serialize_f32(f32) -> ();
        serialize_f64(f64) -> ();
        serialize_char(char) -> ();
        serialize_str(&str) -> ();
        serialize_bytes(&[u8]) -> ();
        serialize_none() -> ();
        serialize_unit() -> ();
        serialize_unit_struct(&'static str) -> ();
        serialize_unit_variant(&'static str, u32, &'static str) -> ();
        serialize_seq(Option<usize>) -> Self::SerializeSeq;
        serialize_tuple(usize) -> Self::SerializeTuple;
        serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Self::SerializeTupleVariant;
        serialize_map(Option<usize>) -> Self::SerializeMap;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Self::SerializeStructVariant;
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<(), Fault> {
        Err(not_spliced())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, _: &T) -> Result<(), Fault> {
        Err(not_spliced())
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Fault> {
        Err(not_spliced())
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<StructSplicer<'a>, Fault> {
        if self.writer.depth == DEPTH {
            return Err(Fault::depth());
        }
        self.writer.depth += 1;
        Ok(StructSplicer { writer: self.writer, fields: self.fields, written: 0 })
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

//! [`Outline`]: a value in the compact form, with the names and positions of struct fields, so that fields can be overridden one by one.

use crate::persist::erased::ErasedSerialize;
use alloc::vec::Vec;
use core::ops::Range;

use serde::ser::{self, Serialize};

use super::write::{NestedWriter, Writer};
use super::{DEPTH, Fault};

/// A value in the compact form, with the positions of its fields.
pub(crate) struct Outline {
    pub(crate) bytes: Vec<u8>,
    /// The fields of the value, if it is a struct.
    pub(crate) fields: Option<Outlines>,
}

/// The fields of a struct.
#[derive(Default)]
pub(crate) struct Outlines {
    pub(crate) list: Vec<OutlineField>,
    /// The names of the fields that `skip_serializing_if` omitted.
    pub(crate) left_out: Vec<&'static str>,
}

/// A field of a struct.
pub(crate) struct OutlineField {
    pub(crate) name: &'static str,
    /// The position of its value in `Outline::bytes`.
    pub(crate) bytes: Range<usize>,
    /// The fields of its value, if the value is a struct.
    pub(crate) fields: Option<Outlines>,
}

impl Outline {
    /// Makes the outline of a value.
    pub(crate) fn of(value: &dyn ErasedSerialize) -> Result<Self, Fault> {
        let (mut writer, mut fields) = (Writer::new(Vec::new()), None);
        value.serialize(Outliner { writer: &mut writer, fields: &mut fields })?;
        Ok(Self { bytes: writer.sink, fields })
    }
}

impl Outlines {
    /// Finds the field of this name.
    pub(crate) fn find(&self, name: &str) -> Option<&OutlineField> {
        self.list.iter().find(|field| field.name == name)
    }

    /// Whether a field was omitted, of the struct or of one in its fields: then the struct can be read by name only.
    pub(crate) fn omits(&self) -> bool {
        let omits = |field: &OutlineField| field.fields.as_ref().is_some_and(Self::omits);
        !self.left_out.is_empty() || self.list.iter().any(omits)
    }
}

/// A serializer that writes a value and records its fields.
struct Outliner<'a> {
    writer: &'a mut Writer<Vec<u8>>,
    fields: &'a mut Option<Outlines>,
}

/// The serializer of a struct's fields.
struct StructOutliner<'a> {
    writer: &'a mut Writer<Vec<u8>>,
    fields: &'a mut Outlines,
}

macro_rules! written {
    ($($name:ident($($argument:ident: $ty:ty),*) -> $out:ty;)*) => {$(
        fn $name(self, $($argument: $ty),*) -> Result<$out, Fault> {
            self.writer.$name($($argument),*)
        }
    )*};
}

impl<'a> ser::Serializer for Outliner<'a> {
    type Ok = ();
    type Error = Fault;
    type SerializeSeq = NestedWriter<'a, Vec<u8>>;
    type SerializeTuple = NestedWriter<'a, Vec<u8>>;
    type SerializeTupleStruct = NestedWriter<'a, Vec<u8>>;
    type SerializeTupleVariant = NestedWriter<'a, Vec<u8>>;
    type SerializeMap = NestedWriter<'a, Vec<u8>>;
    type SerializeStruct = StructOutliner<'a>;
    type SerializeStructVariant = NestedWriter<'a, Vec<u8>>;

    written! {
        serialize_bool(value: bool) -> ();
        serialize_u8(value: u8) -> ();
        serialize_u16(value: u16) -> ();
        serialize_u32(value: u32) -> ();
        serialize_u64(value: u64) -> ();
        serialize_u128(value: u128) -> ();
        serialize_i8(value: i8) -> ();
        serialize_i16(value: i16) -> ();
        serialize_i32(value: i32) -> ();
        serialize_i64(value: i64) -> ();
        serialize_i128(value: i128) -> ();
        serialize_f32(value: f32) -> ();
        serialize_f64(value: f64) -> ();
        serialize_char(value: char) -> ();
        serialize_str(value: &str) -> ();
        serialize_bytes(value: &[u8]) -> ();
        serialize_none() -> ();
        serialize_unit() -> ();
        serialize_unit_struct(name: &'static str) -> ();
        serialize_unit_variant(name: &'static str, index: u32, variant: &'static str) -> ();
        serialize_seq(length: Option<usize>) -> Self::SerializeSeq;
        serialize_tuple(length: usize) -> Self::SerializeTuple;
        serialize_tuple_struct(name: &'static str, length: usize) -> Self::SerializeTupleStruct;
        serialize_tuple_variant(name: &'static str, index: u32, variant: &'static str, length: usize) -> Self::SerializeTupleVariant;
        serialize_map(length: Option<usize>) -> Self::SerializeMap;
        serialize_struct_variant(name: &'static str, index: u32, variant: &'static str, length: usize) -> Self::SerializeStructVariant;
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Fault> {
        self.writer.serialize_some(value)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Fault> {
        self.writer.serialize_newtype_struct(name, value)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Fault> {
        self.writer.serialize_newtype_variant(name, index, variant, value)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<StructOutliner<'a>, Fault> {
        if self.writer.depth == DEPTH {
            return Err(Fault::text(format_args!("values are nested more than {DEPTH} times")));
        }
        self.writer.depth += 1;
        Ok(StructOutliner { writer: self.writer, fields: self.fields.insert(Outlines::default()) })
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

impl ser::SerializeStruct for StructOutliner<'_> {
    type Ok = ();
    type Error = Fault;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Fault> {
        let (start, mut fields) = (self.writer.sink.len(), None);
        value.serialize(Outliner { writer: &mut *self.writer, fields: &mut fields })?;
        self.fields.list.push(OutlineField { name, bytes: start..self.writer.sink.len(), fields });
        Ok(())
    }

    fn skip_field(&mut self, name: &'static str) -> Result<(), Fault> {
        self.fields.left_out.push(name);
        Ok(())
    }

    fn end(self) -> Result<(), Fault> {
        self.writer.depth -= 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde::Serializer;
    use serde::ser::SerializeStruct;

    use super::*;

    #[derive(serde::Serialize)]
    struct Inner {
        x: u8,
        y: u16,
    }

    /// A struct with this number of fields that are structs.
    struct Wide(usize);
    impl Serialize for Wide {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut fields = serializer.serialize_struct("Wide", self.0)?;
            (0..self.0).try_for_each(|_| fields.serialize_field("inner", &Inner { x: 1, y: 2 }))?;
            fields.end()
        }
    }

    /// Structs within each other.
    struct Deep(u32);
    impl Serialize for Deep {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut fields = serializer.serialize_struct("Deep", 1)?;
            match self.0 {
                1 => fields.skip_field("deeper")?,
                depth => fields.serialize_field("deeper", &Deep(depth - 1))?,
            }
            fields.end()
        }
    }

    #[test]
    fn an_outline_has_the_positions_of_any_number_of_fields() {
        let outline = Outline::of(&Wide(2 * DEPTH as usize)).unwrap();
        let fields = outline.fields.unwrap().list;
        for (at, field) in fields.iter().enumerate() {
            assert_eq!(field.bytes, at * 3..(at + 1) * 3);
            let inner = field.fields.as_ref().unwrap();
            let position = |name| inner.find(name).map(|field| field.bytes.clone());
            assert_eq!(
                (position("x"), position("y"), position("z")),
                (Some(at * 3..at * 3 + 1), Some(at * 3 + 1..at * 3 + 3), None)
            );
        }
        assert_eq!((fields.len(), outline.bytes.len()), (2 * DEPTH as usize, 6 * DEPTH as usize));
    }

    #[test]
    fn structs_are_nested_as_deep_as_other_values() {
        let mut outline = Outline::of(&Deep(DEPTH)).unwrap().fields;
        for _ in 1..DEPTH {
            outline = outline.and_then(|mut fields| fields.list.pop()).and_then(|field| field.fields);
        }
        assert_eq!(outline.unwrap().left_out, ["deeper"]);
        assert!(Outline::of(&Deep(DEPTH + 1)).is_err());
    }
}

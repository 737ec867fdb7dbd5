//! The serializer that makes the tree of a value.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use serde::ser::{self, Serialize, Serializer};

use super::DynamicValue;
use crate::entity::Entity;
use crate::entity::saved::ids::{TOKEN, as_tokens};
use crate::persist::serialized_parts::serializes_parts;

/// Makes the tree of a value.
pub(super) fn tree_of<T: Serialize + ?Sized>(value: &T) -> Result<DynamicValue, String> {
    as_tokens(|| value.serialize(TreeSerializer)).map_err(|TreeError(reason)| reason)
}

/// The message of a failed `Serialize` or `Deserialize`.
#[derive(Debug)]
pub(super) struct TreeError(pub(super) String);

impl fmt::Display for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for TreeError {}

impl ser::Error for TreeError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

impl serde::de::Error for TreeError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

struct TreeSerializer;

/// The serializer of the parts of a value.
struct TreeParts {
    variant: Option<&'static str>,
    parts: Parts,
}

enum Parts {
    List(Vec<DynamicValue>),
    Map(Vec<(DynamicValue, DynamicValue)>, Option<DynamicValue>),
    Struct(Vec<(String, DynamicValue)>),
}

impl TreeParts {
    fn list(variant: Option<&'static str>) -> Self {
        Self { variant, parts: Parts::List(Vec::new()) }
    }

    fn fields(variant: Option<&'static str>) -> Self {
        Self { variant, parts: Parts::Struct(Vec::new()) }
    }

    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), TreeError> {
        let value = value.serialize(TreeSerializer)?;
        if let Parts::List(list) = &mut self.parts {
            list.push(value);
        }
        Ok(())
    }

    fn field<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), TreeError> {
        let value = value.serialize(TreeSerializer)?;
        if let Parts::Struct(fields) = &mut self.parts {
            fields.push((name.to_owned(), value));
        }
        Ok(())
    }

    fn done(self) -> Result<DynamicValue, TreeError> {
        let value = match self.parts {
            Parts::List(list) => DynamicValue::List(list),
            Parts::Map(entries, _) => DynamicValue::Mapping(entries),
            Parts::Struct(fields) => DynamicValue::Struct(fields),
        };
        Ok(match self.variant {
            Some(name) => DynamicValue::Variant(name.to_owned(), Box::new(value)),
            None => value,
        })
    }
}

macro_rules! leaves {
    ($($name:ident: $ty:ty;)*) => {$(
        fn $name(self, value: $ty) -> Result<DynamicValue, TreeError> {
            Ok(value.into())
        }
    )*};
}

impl Serializer for TreeSerializer {
    type Ok = DynamicValue;
    type Error = TreeError;
    type SerializeSeq = TreeParts;
    type SerializeTuple = TreeParts;
    type SerializeTupleStruct = TreeParts;
    type SerializeTupleVariant = TreeParts;
    type SerializeMap = TreeParts;
    type SerializeStruct = TreeParts;
    type SerializeStructVariant = TreeParts;

    leaves! {
        serialize_bool: bool;
        serialize_u8: u8;
        serialize_u16: u16;
        serialize_u32: u32;
        serialize_u64: u64;
        serialize_u128: u128;
        serialize_i8: i8;
        serialize_i16: i16;
        serialize_i32: i32;
        serialize_i64: i64;
        serialize_i128: i128;
        serialize_f32: f32;
        serialize_f64: f64;
        serialize_char: char;
        serialize_str: &str;
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<DynamicValue, TreeError> {
        Ok(DynamicValue::Bytes(value.to_vec()))
    }

    fn serialize_none(self) -> Result<DynamicValue, TreeError> {
        Ok(DynamicValue::Optional(None))
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<DynamicValue, TreeError> {
        Ok(DynamicValue::Optional(Some(Box::new(value.serialize(self)?))))
    }

    fn serialize_unit(self) -> Result<DynamicValue, TreeError> {
        Ok(DynamicValue::Unit)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<DynamicValue, TreeError> {
        Ok(DynamicValue::Unit)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
    ) -> Result<DynamicValue, TreeError> {
        Ok(DynamicValue::Variant(name.to_owned(), Box::new(DynamicValue::Unit)))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<DynamicValue, TreeError> {
        let value = value.serialize(self)?;
        if name == TOKEN
            && let DynamicValue::Int(bits) = value
            && let Some(entity) = u64::try_from(bits).ok().and_then(Entity::from_bits)
        {
            return Ok(DynamicValue::EntityId(entity));
        }
        Ok(value)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        value: &T,
    ) -> Result<DynamicValue, TreeError> {
        Ok(DynamicValue::Variant(name.to_owned(), Box::new(value.serialize(self)?)))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<TreeParts, TreeError> {
        Ok(TreeParts::list(None))
    }

    fn serialize_tuple(self, _: usize) -> Result<TreeParts, TreeError> {
        Ok(TreeParts::list(None))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<TreeParts, TreeError> {
        Ok(TreeParts::list(None))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<TreeParts, TreeError> {
        Ok(TreeParts::list(Some(name)))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<TreeParts, TreeError> {
        Ok(TreeParts { variant: None, parts: Parts::Map(Vec::new(), None) })
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<TreeParts, TreeError> {
        Ok(TreeParts::fields(None))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<TreeParts, TreeError> {
        Ok(TreeParts::fields(Some(name)))
    }
}

serializes_parts!([] TreeParts: DynamicValue, TreeError);

impl ser::SerializeMap for TreeParts {
    type Ok = DynamicValue;
    type Error = TreeError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), TreeError> {
        let key = key.serialize(TreeSerializer)?;
        if let Parts::Map(_, next) = &mut self.parts {
            *next = Some(key);
        }
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), TreeError> {
        let value = value.serialize(TreeSerializer)?;
        if let Parts::Map(entries, key) = &mut self.parts {
            entries.push((key.take().unwrap_or(DynamicValue::Unit), value));
        }
        Ok(())
    }

    fn end(self) -> Result<DynamicValue, TreeError> {
        self.done()
    }
}

//! The deserializer that reads a value from a tree.
//!
//! It is lenient where formats for people lose information: a map is read as a struct, text as the variant of an enum or as the id
//! of an entity, `null` as no value.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cell::RefCell;
use core::fmt;

use serde::de::value::StrDeserializer;
use serde::de::{
    self, DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer, MapAccess, SeqAccess,
    Unexpected, VariantAccess, Visitor,
};

use super::DynamicValue;
use crate::entity::Entity;
use crate::entity::saved::ids::{TOKEN, as_tokens};
use crate::persist::erased::{FormError, ReadForm};

/// The message of a failed `Deserialize`.
#[derive(Debug)]
struct TreeError(String);

impl fmt::Display for TreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for TreeError {}

impl serde::de::Error for TreeError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

/// Reads a value from a tree with `read`. An error has the path of the value that was refused, and the reason.
pub(in crate::reflect) fn read_tree<T>(
    tree: &DynamicValue,
    read: &mut dyn FnMut(&mut dyn ReadForm<'_>) -> Result<T, FormError>,
) -> Result<T, (String, String)> {
    read_named_tree(tree, &[], read)
}

/// [`read_tree`], where the text of one of the names is read as the id of its entity.
pub(in crate::reflect) fn read_named_tree<T>(
    tree: &DynamicValue,
    names: &[(String, Entity)],
    read: &mut dyn FnMut(&mut dyn ReadForm<'_>) -> Result<T, FormError>,
) -> Result<T, (String, String)> {
    let trail = Trail { now: RefCell::default(), failed: RefCell::default(), names };
    let mut deserializer = <dyn ReadForm<'_>>::of(TreeReader { value: tree, trail: &trail, is_key: false });
    as_tokens(|| read(&mut deserializer))
        .map_err(|error| (trail.failed.take().unwrap_or_default(), error.to_string()))
}

/// The path of the value that is being read, and the path of the first one that was refused.
struct Trail<'n> {
    now: RefCell<Vec<String>>,
    failed: RefCell<Option<String>>,
    /// Names that stand for ids of entities.
    names: &'n [(String, Entity)],
}

impl Trail<'_> {
    /// Calls `read` for a part of the value.
    fn step<T, E>(&self, step: String, read: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        self.now.borrow_mut().push(step);
        let result = read();
        let mut failed = self.failed.borrow_mut();
        match result {
            // an error that a type has handled is none
            Ok(_) => *failed = None,
            Err(_) if failed.is_none() => *failed = Some(self.now.borrow().concat()),
            Err(_) => {}
        }
        self.now.borrow_mut().pop();
        result
    }
}

/// A deserializer of a tree.
#[derive(Clone, Copy)]
struct TreeReader<'t> {
    value: &'t DynamicValue,
    trail: &'t Trail<'t>,
    /// Whether the value is the key of a map. Formats for people write numbers in keys as text.
    is_key: bool,
}

impl<'t> TreeReader<'t> {
    fn at(self, value: &'t DynamicValue) -> Self {
        Self { value, is_key: false, ..self }
    }

    fn unexpected(self) -> Unexpected<'t> {
        match self.value {
            DynamicValue::Unit => Unexpected::Unit,
            DynamicValue::Bool(value) => Unexpected::Bool(*value),
            DynamicValue::Int(value) => match (i64::try_from(*value), u64::try_from(*value)) {
                (Ok(value), _) => Unexpected::Signed(value),
                (_, Ok(value)) => Unexpected::Unsigned(value),
                _ => Unexpected::Other("an integer of 128 bits"),
            },
            DynamicValue::F32(value) => Unexpected::Float(f64::from(*value)),
            DynamicValue::F64(value) => Unexpected::Float(*value),
            DynamicValue::Char(value) => Unexpected::Char(*value),
            DynamicValue::Text(value) => Unexpected::Str(value),
            DynamicValue::Bytes(value) => Unexpected::Bytes(value),
            other => Unexpected::Other(other.noun()),
        }
    }

    fn invalid<'de, V: Visitor<'de>>(self, visitor: &V) -> TreeError {
        TreeError::invalid_type(self.unexpected(), visitor)
    }

    /// The value without the `Some` around it: a type that is not an option reads the content.
    fn content(self) -> &'t DynamicValue {
        match self.value {
            DynamicValue::Optional(Some(value)) => value,
            value => value,
        }
    }

    fn visit_list<V: Visitor<'t>>(self, list: &'t [DynamicValue], visitor: V) -> Result<V::Value, TreeError> {
        let mut elements = TreeElements { reader: self, list, next: 0 };
        let value = visitor.visit_seq(&mut elements)?;
        match list.len() - elements.next {
            0 => Ok(value),
            rest => Err(TreeError(format!(
                "the list has {rest} elements too many: {} are expected",
                elements.next
            ))),
        }
    }

    /// The number in the text of a key.
    fn number_in_key(self) -> Option<i128> {
        match self.value {
            DynamicValue::Text(text) if self.is_key => text.parse().ok(),
            _ => None,
        }
    }
}

/// Passes an integer to a visitor in the smallest type that holds it.
fn visit_integer<'de, V: Visitor<'de>>(value: i128, visitor: V) -> Result<V::Value, TreeError> {
    match (i64::try_from(value), u64::try_from(value)) {
        (_, Ok(value)) => visitor.visit_u64(value),
        (Ok(value), _) => visitor.visit_i64(value),
        _ => visitor.visit_i128(value),
    }
}

macro_rules! integers {
    ($($name:ident)*) => {$(
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
            match self.number_in_key() {
                Some(number) => visit_integer(number, visitor),
                None => self.deserialize_any(visitor),
            }
        }
    )*};
}

macro_rules! any {
    ($($name:ident)*) => {$(
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
            self.deserialize_any(visitor)
        }
    )*};
}

impl<'de> Deserializer<'de> for TreeReader<'de> {
    type Error = TreeError;

    integers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128 deserialize_u8 deserialize_u16
        deserialize_u32 deserialize_u64 deserialize_u128
    }

    any! {
        deserialize_bool deserialize_f64 deserialize_string deserialize_seq deserialize_map
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
        match self.value {
            DynamicValue::Unit => visitor.visit_unit(),
            DynamicValue::Bool(value) => visitor.visit_bool(*value),
            DynamicValue::Int(value) => visit_integer(*value, visitor),
            DynamicValue::Uint(value) => visitor.visit_u128(*value),
            DynamicValue::F32(value) => visitor.visit_f32(*value),
            DynamicValue::F64(value) => visitor.visit_f64(*value),
            DynamicValue::Char(value) => visitor.visit_char(*value),
            DynamicValue::Text(value) => visitor.visit_borrowed_str(value),
            DynamicValue::Bytes(value) => visitor.visit_borrowed_bytes(value),
            DynamicValue::EntityId(entity) => visitor.visit_string(format!("{entity:#}")),
            DynamicValue::Optional(None) => visitor.visit_none(),
            DynamicValue::Optional(Some(value)) => visitor.visit_some(self.at(value)),
            DynamicValue::List(list) => self.visit_list(list, visitor),
            DynamicValue::Mapping(entries) => {
                visitor.visit_map(TreeEntries { reader: self, entries, value: None })
            }
            DynamicValue::Struct(fields) => {
                visitor.visit_map(TreeFields { reader: self, fields, value: None })
            }
            DynamicValue::Variant(..) => visitor.visit_enum(self),
        }
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
        match self.content() {
            // a cast would make an infinity of it
            DynamicValue::F64(value) if value.is_finite() && (*value as f32).is_infinite() => {
                Err(TreeError::custom(format_args!("{value:e} is too large for an f32")))
            }
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
        self.deserialize_any(visitor)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
        match self.value {
            // a type that buffers a value, or reads a name, asks for text
            DynamicValue::Variant(name, content) if **content == DynamicValue::Unit => {
                visitor.visit_borrowed_str(name)
            }
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
        match self.value {
            DynamicValue::List(list) => {
                let byte = |value: &DynamicValue| match value {
                    DynamicValue::Int(byte) => u8::try_from(*byte).ok(),
                    _ => None,
                };
                match list.iter().map(byte).collect() {
                    Some(bytes) => visitor.visit_byte_buf(bytes),
                    None => Err(self.invalid(&visitor)),
                }
            }
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
        match self.value {
            DynamicValue::Unit | DynamicValue::Optional(None) => visitor.visit_none(),
            DynamicValue::Optional(Some(value)) => visitor.visit_some(self.at(value)),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
        match self.value {
            DynamicValue::Unit | DynamicValue::Optional(None) => visitor.visit_unit(),
            DynamicValue::Mapping(entries) if entries.is_empty() => visitor.visit_unit(),
            _ => Err(self.invalid(&visitor)),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, TreeError> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, TreeError> {
        if name != TOKEN {
            return visitor.visit_newtype_struct(self);
        }
        match self.content() {
            DynamicValue::EntityId(entity) => visitor.visit_u64(entity.to_bits()),
            DynamicValue::Text(text) => match self.trail.names.iter().find(|(name, _)| name == text) {
                Some((_, entity)) => visitor.visit_u64(entity.to_bits()),
                None => visitor.visit_borrowed_str(text),
            },
            _ => Err(self.invalid(&visitor)),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, TreeError> {
        match self.value {
            DynamicValue::List(list) => self.visit_list(list, visitor),
            _ => Err(self.invalid(&visitor)),
        }
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, TreeError> {
        self.deserialize_tuple(length, visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, TreeError> {
        match self.value {
            DynamicValue::List(list) => self.visit_list(list, visitor),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, TreeError> {
        visitor.visit_enum(self)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TreeError> {
        visitor.visit_unit()
    }

    fn is_human_readable(&self) -> bool {
        true
    }
}

/// The elements of a list.
struct TreeElements<'t> {
    reader: TreeReader<'t>,
    list: &'t [DynamicValue],
    next: usize,
}

impl<'de> SeqAccess<'de> for &mut TreeElements<'de> {
    type Error = TreeError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, TreeError> {
        let Some(value) = self.list.get(self.next) else { return Ok(None) };
        let (reader, at) = (self.reader.at(value), self.next);
        self.next += 1;
        self.reader.trail.step(format!("[{at}]"), || seed.deserialize(reader)).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.list.len() - self.next)
    }
}

/// The entries of a map.
struct TreeEntries<'t> {
    reader: TreeReader<'t>,
    entries: &'t [(DynamicValue, DynamicValue)],
    value: Option<(String, &'t DynamicValue)>,
}

impl<'de> MapAccess<'de> for TreeEntries<'de> {
    type Error = TreeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, TreeError> {
        let Some(((key, value), rest)) = self.entries.split_first() else { return Ok(None) };
        self.entries = rest;
        let step = match key {
            DynamicValue::Text(name) => format!(".{name}"),
            key => format!("[{key}]"),
        };
        let reader = TreeReader { is_key: true, ..self.reader.at(key) };
        self.value = Some((step, value));
        seed.deserialize(reader).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, TreeError> {
        let Some((step, value)) = self.value.take() else {
            return Err(TreeError::custom("a value was asked for before its key"));
        };
        let reader = self.reader.at(value);
        self.reader.trail.step(step, || seed.deserialize(reader))
    }
}

/// The fields of a struct.
struct TreeFields<'t> {
    reader: TreeReader<'t>,
    fields: &'t [(String, DynamicValue)],
    value: Option<(&'t str, &'t DynamicValue)>,
}

impl<'de> MapAccess<'de> for TreeFields<'de> {
    type Error = TreeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, TreeError> {
        let Some(((name, value), rest)) = self.fields.split_first() else { return Ok(None) };
        self.fields = rest;
        self.value = Some((name, value));
        let name: StrDeserializer<'_, TreeError> = name.as_str().into_deserializer();
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, TreeError> {
        let Some((name, value)) = self.value.take() else {
            return Err(TreeError::custom("a value was asked for before its key"));
        };
        let reader = self.reader.at(value);
        self.reader.trail.step(format!(".{name}"), || seed.deserialize(reader))
    }
}

impl<'de> EnumAccess<'de> for TreeReader<'de> {
    type Error = TreeError;
    type Variant = VariantContent<'de>;

    fn variant_seed<V: DeserializeSeed<'de>>(
        self,
        seed: V,
    ) -> Result<(V::Value, VariantContent<'de>), TreeError> {
        let (name, content) = match self.content() {
            DynamicValue::Variant(name, content) => (name.as_str(), Some(&**content)),
            DynamicValue::Text(name) => (name.as_str(), None),
            DynamicValue::Mapping(entries) => match entries.as_slice() {
                [(DynamicValue::Text(name), content)] => (name.as_str(), Some(content)),
                _ => return Err(self.no_variant()),
            },
            DynamicValue::Struct(fields) => match fields.as_slice() {
                [(name, content)] => (name.as_str(), Some(content)),
                _ => return Err(self.no_variant()),
            },
            _ => return Err(self.no_variant()),
        };
        let deserializer: StrDeserializer<'_, TreeError> = name.into_deserializer();
        let variant = seed.deserialize(deserializer)?;
        Ok((variant, VariantContent { reader: self, name, content }))
    }
}

impl TreeReader<'_> {
    fn no_variant(self) -> TreeError {
        TreeError::invalid_type(
            self.unexpected(),
            &"the name of a variant, or a map from the name of a variant to its content",
        )
    }
}

/// The content of a variant.
struct VariantContent<'t> {
    reader: TreeReader<'t>,
    name: &'t str,
    content: Option<&'t DynamicValue>,
}

impl<'t> VariantContent<'t> {
    fn read<T>(self, read: impl FnOnce(TreeReader<'t>) -> Result<T, TreeError>) -> Result<T, TreeError> {
        let reader = self.reader.at(self.content.unwrap_or(&DynamicValue::Unit));
        reader.trail.step(format!(".{}", self.name), || read(reader))
    }
}

impl<'de> VariantAccess<'de> for VariantContent<'de> {
    type Error = TreeError;

    fn unit_variant(self) -> Result<(), TreeError> {
        self.read(de::Deserialize::deserialize)
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, TreeError> {
        self.read(|reader| seed.deserialize(reader))
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, TreeError> {
        self.read(|reader| reader.deserialize_tuple(length, visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, TreeError> {
        self.read(|reader| reader.deserialize_struct("", fields, visitor))
    }
}

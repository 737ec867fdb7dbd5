//! `Serialize` and `Deserialize` of a [`DynamicValue`].

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::de::{
    self, Deserialize, DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess,
    Visitor,
};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::DynamicValue;
use crate::persist::erased::{ExactValue, FormError, ReadForm};

/// The nesting beyond which a value is refused.
const DEEPEST: usize = 128;

impl Serialize for DynamicValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            ExactValue(&Plain(self)).serialize(serializer)
        } else {
            Plain(self).serialize(serializer)
        }
    }
}

/// A value whose floating point numbers are written as they are.
struct Plain<'v>(&'v DynamicValue);

impl Serialize for Plain<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            DynamicValue::Unit => serializer.serialize_unit(),
            DynamicValue::Bool(value) => serializer.serialize_bool(*value),
            DynamicValue::Int(value) => match (i64::try_from(*value), u64::try_from(*value)) {
                (Ok(value), _) => serializer.serialize_i64(value),
                (_, Ok(value)) => serializer.serialize_u64(value),
                _ => serializer.serialize_i128(*value),
            },
            DynamicValue::Uint(value) => serializer.serialize_u128(*value),
            DynamicValue::F32(value) => serializer.serialize_f32(*value),
            DynamicValue::F64(value) => serializer.serialize_f64(*value),
            DynamicValue::Char(value) => serializer.serialize_char(*value),
            DynamicValue::Text(value) => serializer.serialize_str(value),
            DynamicValue::Bytes(value) => serializer.serialize_bytes(value),
            DynamicValue::EntityId(entity) => serializer.collect_str(&format_args!("{entity:#}")),
            DynamicValue::Optional(None) => serializer.serialize_none(),
            DynamicValue::Optional(Some(value)) => serializer.serialize_some(&Plain(value)),
            DynamicValue::List(values) => serializer.collect_seq(values.iter().map(Plain)),
            DynamicValue::Mapping(entries) => {
                serializer.collect_map(entries.iter().map(|(key, value)| (Plain(key), Plain(value))))
            }
            DynamicValue::Struct(fields) => {
                serializer.collect_map(fields.iter().map(|(name, value)| (name, Plain(value))))
            }
            DynamicValue::Variant(name, content) if **content == DynamicValue::Unit => {
                serializer.serialize_str(name)
            }
            DynamicValue::Variant(name, content) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry(name, &Plain(content))?;
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for DynamicValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut form = <dyn ReadForm<'_>>::exact(deserializer);
        read(&mut form).map_err(|error| form.error(error))
    }
}

/// Reads a value of any format.
fn read(form: &mut dyn ReadForm<'_>) -> Result<DynamicValue, FormError> {
    AnyValue { depth: 0 }.deserialize(form)
}

/// The seed and the visitor of a value at some depth.
#[derive(Clone, Copy)]
struct AnyValue {
    depth: usize,
}

impl AnyValue {
    fn inner<E: de::Error>(self) -> Result<Self, E> {
        if self.depth == DEEPEST {
            return Err(E::custom(format_args!("the value is nested more than {DEEPEST} times")));
        }
        Ok(Self { depth: self.depth + 1 })
    }
}

impl<'de> DeserializeSeed<'de> for AnyValue {
    type Value = DynamicValue;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<DynamicValue, D::Error> {
        deserializer.deserialize_any(self)
    }
}

macro_rules! visits {
    ($($name:ident: $ty:ty;)*) => {$(
        fn $name<E: de::Error>(self, value: $ty) -> Result<DynamicValue, E> {
            Ok(value.into())
        }
    )*};
}

impl<'de> Visitor<'de> for AnyValue {
    type Value = DynamicValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    visits! {
        visit_bool: bool; visit_i64: i64; visit_i128: i128; visit_u64: u64; visit_u128: u128;
        visit_f32: f32; visit_f64: f64; visit_char: char; visit_str: &str; visit_string: String;
    }

    fn visit_unit<E: de::Error>(self) -> Result<DynamicValue, E> {
        Ok(DynamicValue::Unit)
    }

    fn visit_bytes<E: de::Error>(self, value: &[u8]) -> Result<DynamicValue, E> {
        Ok(DynamicValue::Bytes(value.to_vec()))
    }

    fn visit_none<E: de::Error>(self) -> Result<DynamicValue, E> {
        Ok(DynamicValue::Optional(None))
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<DynamicValue, D::Error> {
        let value = self.inner()?.deserialize(deserializer)?;
        Ok(DynamicValue::Optional(Some(Box::new(value))))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<DynamicValue, D::Error> {
        self.inner()?.deserialize(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<DynamicValue, A::Error> {
        let (mut list, inner) = (Vec::new(), self.inner()?);
        while let Some(value) = seq.next_element_seed(inner)? {
            list.push(value);
        }
        Ok(DynamicValue::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<DynamicValue, A::Error> {
        let (mut entries, inner) = (Vec::new(), self.inner()?);
        while let Some(key) = map.next_key_seed(inner)? {
            entries.push((key, map.next_value_seed(inner)?));
        }
        Ok(DynamicValue::Mapping(entries))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<DynamicValue, A::Error> {
        let (name, content): (String, _) = data.variant()?;
        let content = content.newtype_variant_seed(self.inner()?)?;
        Ok(DynamicValue::Variant(name, Box::new(content)))
    }
}

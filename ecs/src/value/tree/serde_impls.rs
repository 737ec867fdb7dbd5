//! `Serialize` and `Deserialize` of a [`DynamicValue`].

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::DynamicValue;
use crate::persist::erased::read::{FormEvent, Hint, ReceiveBy, SowBy};
use crate::persist::erased::{ExactValue, FormError, ReadForm, read_value};

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
        read(&mut form, 0).map_err(|error| form.error(error))
    }
}

/// Reads a value of any format, within so many others.
fn read(form: &mut dyn ReadForm<'_>, depth: usize) -> Result<DynamicValue, FormError> {
    let mut value = DynamicValue::Unit;
    let mut receive = |event: FormEvent<'_, '_>| {
        value = match event {
            FormEvent::Scalar(scalar) => scalar.into(),
            FormEvent::Str(text) => text.into(),
            FormEvent::BorrowedStr(text) => text.into(),
            FormEvent::String(text) => text.into(),
            FormEvent::Bytes(bytes) | FormEvent::BorrowedBytes(bytes) => DynamicValue::Bytes(bytes.into()),
            FormEvent::ByteBuf(bytes) => DynamicValue::Bytes(bytes),
            FormEvent::Unit => DynamicValue::Unit,
            FormEvent::None => DynamicValue::Optional(None),
            _ if depth == DEEPEST => {
                return Err(FormError::text(format_args!("the value is nested more than {DEEPEST} times")));
            }
            FormEvent::Some(content) => DynamicValue::Optional(Some(Box::new(read(content, depth + 1)?))),
            FormEvent::NewtypeStruct(content) => read(content, depth + 1)?,
            FormEvent::Seq(elements) => {
                let mut list = Vec::new();
                while elements.next_by(|form| {
                    list.push(read(form, depth + 1)?);
                    Ok(())
                })? {}
                DynamicValue::List(list)
            }
            FormEvent::Map(map) => {
                let (mut entries, mut key) = (Vec::new(), DynamicValue::Unit);
                while map.key_by(|form| read_to(&mut key, form, depth + 1))? {
                    map.value_by(|form| {
                        let value = read(form, depth + 1)?;
                        entries.push((core::mem::replace(&mut key, DynamicValue::Unit), value));
                        Ok(())
                    })?;
                }
                DynamicValue::Mapping(entries)
            }
            FormEvent::Enum(variant) => {
                let (mut name, mut content) = (String::new(), DynamicValue::Unit);
                variant.variant(&mut SowBy(|form: &mut dyn ReadForm<'_>| {
                    name = read_value(form)?;
                    Ok(())
                }))?;
                variant.newtype(&mut SowBy(|form: &mut dyn ReadForm<'_>| {
                    read_to(&mut content, form, depth + 1)
                }))?;
                DynamicValue::Variant(name, Box::new(content))
            }
        };
        Ok(())
    };
    form.read(Hint::Any, &mut ReceiveBy { expected: &"a value", read: &mut receive })?;
    Ok(value)
}

/// Replaces a value by one that is [read](read).
fn read_to(value: &mut DynamicValue, form: &mut dyn ReadForm<'_>, depth: usize) -> Result<(), FormError> {
    *value = read(form, depth)?;
    Ok(())
}

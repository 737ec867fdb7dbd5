//! Any value as a tree, by way of its `Serialize`: to be compared, and shown by the path to what differs.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::ser::{self, Serialize};

use super::compact::Fault;

/// A value.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Value {
    /// How it reads, and the bits of a number with a point.
    Leaf(String, u64),
    /// What it consists of, each with the step to it: `.x`, `.0`, `[3]`, `["key"]`.
    Node(Vec<(String, Value)>),
    /// A variant, by its name, and what is in it.
    Variant(&'static str, Box<Value>),
}

/// Is told the path to a difference, and what is there on both sides.
pub(super) type Each<'e> = dyn FnMut(&str, Option<&Value>, Option<&Value>) + 'e;

impl Value {
    /// That of a value; of one that cannot be written, why.
    pub(super) fn of(value: &dyn erased_serde::Serialize) -> Self {
        match value.serialize(Build) {
            Ok(value) => value,
            Err(fault) => Self::leaf(format!("<{fault}>")),
        }
    }

    fn leaf(text: impl ToString) -> Self {
        Self::Leaf(text.to_string(), 0)
    }

    fn empty() -> Self {
        Self::Node(Vec::new())
    }

    /// Calls `each` with the path to each difference, and how it reads on both sides.
    pub(super) fn compare(&self, other: &Self, path: &str, each: &mut Each<'_>) {
        match (self, other) {
            (Self::Node(a), Self::Node(b)) => {
                // what is in order, as most is, is found at once
                for (at, (step, value)) in a.iter().enumerate() {
                    let there = b.get(at).filter(|(other, _)| other == step);
                    match there.or_else(|| b.iter().find(|(other, _)| other == step)) {
                        Some((_, other)) => value.compare(other, &format!("{path}{step}"), each),
                        None => each(&format!("{path}{step}"), Some(value), None),
                    }
                }
                for (at, (step, value)) in b.iter().enumerate() {
                    let is_there = a.get(at).is_some_and(|(other, _)| other == step)
                        || a.iter().any(|(other, _)| other == step);
                    if !is_there {
                        each(&format!("{path}{step}"), None, Some(value));
                    }
                }
            }
            (Self::Variant(a, one), Self::Variant(b, two)) if a == b => {
                one.compare(two, &format!("{path}::{a}"), each)
            }
            (one, two) if one == two => {}
            (one, two) => each(path, Some(one), Some(two)),
        }
    }
}

impl core::fmt::Display for Value {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Leaf(text, _) => f.write_str(text),
            Self::Node(parts) => {
                f.write_str("{")?;
                for (at, (step, value)) in parts.iter().enumerate() {
                    let comma = if at > 0 { ", " } else { "" };
                    let name = step.trim_start_matches('.').trim_matches(['[', ']']);
                    write!(f, "{comma}{name}: {value}")?;
                }
                f.write_str("}")
            }
            Self::Variant(name, inner) if **inner == Self::empty() => f.write_str(name),
            Self::Variant(name, inner) => write!(f, "{name}{inner}"),
        }
    }
}

struct Build;

/// What is being built of parts.
struct Parts {
    variant: Option<&'static str>,
    /// Whether the parts are fields.
    fields: bool,
    parts: Vec<(String, Value)>,
    key: String,
}

impl Parts {
    fn new(variant: Option<&'static str>, fields: bool) -> Self {
        Self { variant, fields, parts: Vec::new(), key: String::new() }
    }

    fn next<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
        let at = self.parts.len();
        let step = if self.fields { format!(".{at}") } else { format!("[{at}]") };
        self.parts.push((step, value.serialize(Build)?));
        Ok(())
    }

    fn done(self) -> Value {
        let node = Value::Node(self.parts);
        match self.variant {
            Some(name) => Value::Variant(name, Box::new(node)),
            None => node,
        }
    }
}

macro_rules! leaves {
    ($($name:ident: $ty:ty),*) => {$(
        fn $name(self, value: $ty) -> Result<Value, Fault> {
            Ok(Value::leaf(value))
        }
    )*};
}

impl ser::Serializer for Build {
    type Ok = Value;
    type Error = Fault;
    type SerializeSeq = Parts;
    type SerializeTuple = Parts;
    type SerializeTupleStruct = Parts;
    type SerializeTupleVariant = Parts;
    type SerializeMap = Parts;
    type SerializeStruct = Parts;
    type SerializeStructVariant = Parts;

    leaves! {
        serialize_bool: bool, serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64,
        serialize_u128: u128, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_i128: i128
    }

    fn serialize_f32(self, value: f32) -> Result<Value, Fault> {
        Ok(Value::Leaf(format!("{value:?}"), value.to_bits().into()))
    }

    fn serialize_f64(self, value: f64) -> Result<Value, Fault> {
        Ok(Value::Leaf(format!("{value:?}"), value.to_bits()))
    }

    fn serialize_char(self, value: char) -> Result<Value, Fault> {
        Ok(Value::leaf(format!("{value:?}")))
    }

    fn serialize_str(self, value: &str) -> Result<Value, Fault> {
        Ok(Value::leaf(format!("{value:?}")))
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<Value, Fault> {
        Ok(Value::leaf(format!("{value:?}")))
    }

    fn serialize_none(self) -> Result<Value, Fault> {
        Ok(Value::leaf("None"))
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Value, Fault> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Value, Fault> {
        Ok(Value::empty())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Value, Fault> {
        Ok(Value::empty())
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, name: &'static str) -> Result<Value, Fault> {
        Ok(Value::Variant(name, Box::new(Value::empty())))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<Value, Fault> {
        let mut parts = Parts::new(None, true);
        parts.next(value)?;
        Ok(parts.done())
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        value: &T,
    ) -> Result<Value, Fault> {
        let mut parts = Parts::new(Some(name), true);
        parts.next(value)?;
        Ok(parts.done())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Parts, Fault> {
        Ok(Parts::new(None, false))
    }

    fn serialize_tuple(self, _: usize) -> Result<Parts, Fault> {
        Ok(Parts::new(None, false))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Parts, Fault> {
        Ok(Parts::new(None, true))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<Parts, Fault> {
        Ok(Parts::new(Some(name), true))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Parts, Fault> {
        Ok(Parts::new(None, false))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Parts, Fault> {
        Ok(Parts::new(None, true))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<Parts, Fault> {
        Ok(Parts::new(Some(name), true))
    }
}

macro_rules! parts {
    ($($of_trait:ident $method:ident;)*) => {$(
        impl ser::$of_trait for Parts {
            type Ok = Value;
            type Error = Fault;
            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
                self.next(value)
            }
            fn end(self) -> Result<Value, Fault> {
                Ok(self.done())
            }
        }
    )*};
}

parts! {
    SerializeSeq serialize_element;
    SerializeTuple serialize_element;
    SerializeTupleStruct serialize_field;
    SerializeTupleVariant serialize_field;
}

macro_rules! named {
    ($($of_trait:ident)*) => {$(
        impl ser::$of_trait for Parts {
            type Ok = Value;
            type Error = Fault;
            fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Fault> {
                self.parts.push((format!(".{name}"), value.serialize(Build)?));
                Ok(())
            }
            fn end(self) -> Result<Value, Fault> {
                Ok(self.done())
            }
        }
    )*};
}

named!(SerializeStruct SerializeStructVariant);

impl ser::SerializeMap for Parts {
    type Ok = Value;
    type Error = Fault;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Fault> {
        self.key = format!("[{}]", key.serialize(Build)?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
        let key = core::mem::take(&mut self.key);
        self.parts.push((key, value.serialize(Build)?));
        Ok(())
    }

    /// In the order of the keys: a `HashMap` has none of its own.
    fn end(mut self) -> Result<Value, Fault> {
        self.parts.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(self.done())
    }
}

//! [`DynamicValue`]: any serializable value as a tree.
//!
//! `to_tree` is the form that makes the tree of a value, `from_tree` is the deserializer that reads
//! a value from a tree.
#![cfg_attr(
    not(feature = "reflect"),
    allow(unreachable_pub, dead_code, unused_imports, reason = "reflection alone shows the type to users")
)]

mod from_tree;
mod serde_impls;
mod to_tree;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

pub(crate) use from_tree::{EntityNames, NO_NAMES, read_exact_tree, read_named_tree, read_tree};
#[cfg(feature = "reflect")]
pub(crate) use to_tree::tree_of_described;
pub(crate) use to_tree::{Omitted, exact_tree_of, tree_of};

use crate::entity::Entity;
use crate::persist::erased::read_value;

/// A value of a component, resource or event as a tree: the data model of serde, and the ids of
/// entities.
///
/// Newtypes are transparent: the value of `struct Score(u32)` is an integer. Tuples and tuple
/// structs are lists.
///
/// ```
/// use ecs::reflect::DynamicValue;
///
/// let value: DynamicValue = serde_json::from_str(r#"{ "now": 3, "max": 7 }"#)?;
/// assert_eq!(value.field("now"), Some(&DynamicValue::Int(3)));
/// assert_eq!(value.to_string(), r#"{"now": 3, "max": 7}"#); // in JSON, a struct is a map
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// `Serialize` writes it as the value itself would be written to a format for people. `Deserialize`
/// needs a format that describes itself, such as JSON or RON. It makes a map of a struct and text
/// of an id, which every type reads as if they were the original. Floating point numbers that JSON
/// lacks are written as in a [saved world](crate::save#two-forms).
#[derive(Clone)]
#[non_exhaustive]
pub enum DynamicValue {
    /// `()`, a unit struct, or the content of a variant without one. In a file: `null`.
    Unit,
    /// A `bool`.
    Bool(bool),
    /// An integer of any type.
    Int(i128),
    /// An integer that is larger than every `i128`.
    Uint(u128),
    /// An `f32`, with its bits.
    F32(f32),
    /// An `f64`, with its bits.
    F64(f64),
    /// A `char`.
    Char(char),
    /// Text.
    Text(String),
    /// Bytes, of a type that serializes them as such.
    Bytes(Vec<u8>),
    /// The id of an entity.
    EntityId(Entity),
    /// An `Option`.
    Optional(Option<Box<DynamicValue>>),
    /// A sequence, tuple or tuple struct.
    List(Vec<DynamicValue>),
    /// A map, in the order in which it is serialized.
    Mapping(Vec<(DynamicValue, DynamicValue)>),
    /// A struct with named fields, in the order of the declaration.
    Struct(Vec<(String, DynamicValue)>),
    /// A variant of an enum, with its content: `Unit`, the one value, a list or a struct.
    Variant(String, Box<DynamicValue>),
}

impl DynamicValue {
    /// Makes the tree of any serializable value.
    ///
    /// # Errors
    /// If the `Serialize` of the value fails.
    pub fn of<T: serde::Serialize + ?Sized>(value: &T) -> Result<Self, String> {
        to_tree::tree_of(&value)
    }

    /// Reads a value of type `T` from the tree.
    ///
    /// ```
    /// use ecs::reflect::DynamicValue;
    ///
    /// assert_eq!(DynamicValue::Int(3).to::<f32>(), Ok(3.0));
    /// assert!(DynamicValue::Int(300).to::<u8>().is_err());
    /// ```
    ///
    /// # Errors
    /// If the tree is not a `T`.
    pub fn to<T: serde::de::DeserializeOwned>(&self) -> Result<T, String> {
        let read = read_tree(self, &mut |deserializer| read_value::<T>(deserializer));
        read.map_err(|(path, reason)| match path.is_empty() {
            true => reason,
            false => alloc::format!("`{path}`: {reason}"),
        })
    }

    /// The field of a struct, or the value of a map whose key is this text.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Struct(fields) => fields.iter().find(|(field, _)| field == name).map(|(_, value)| value),
            Self::Mapping(entries) => entries
                .iter()
                .find(|(key, _)| matches!(key, Self::Text(key) if key == name))
                .map(|(_, value)| value),
            _ => None,
        }
    }

    /// Maps the ids in the value.
    pub(crate) fn map_ids<E>(&mut self, map: &mut dyn FnMut(Entity) -> Result<Entity, E>) -> Result<(), E> {
        match self {
            Self::EntityId(entity) => *entity = map(*entity)?,
            Self::Optional(Some(value)) | Self::Variant(_, value) => value.map_ids(map)?,
            Self::List(values) => values.iter_mut().try_for_each(|value| value.map_ids(map))?,
            Self::Struct(fields) => fields.iter_mut().try_for_each(|(_, value)| value.map_ids(map))?,
            Self::Mapping(entries) => entries.iter_mut().try_for_each(|(key, value)| {
                key.map_ids(map)?;
                value.map_ids(map)
            })?,
            _ => {}
        }
        Ok(())
    }

    /// A noun phrase for messages: "an integer".
    pub(crate) fn noun(&self) -> &'static str {
        match self {
            Self::Unit => "the unit value",
            Self::Bool(_) => "a bool",
            Self::Int(_) | Self::Uint(_) => "an integer",
            Self::F32(_) | Self::F64(_) => "a number",
            Self::Char(_) => "a char",
            Self::Text(_) => "text",
            Self::Bytes(_) => "bytes",
            Self::EntityId(_) => "an entity",
            Self::Optional(_) => "an option",
            Self::List(_) => "a list",
            Self::Mapping(_) => "a map",
            Self::Struct(_) => "a struct",
            Self::Variant(..) => "a variant",
        }
    }
}

/// Reads JSON, as `serde_json::from_str` does, by code that was compiled with the library.
///
/// ```
/// use ecs::reflect::DynamicValue;
///
/// let value: DynamicValue = r#"{ "now": 3, "max": 7 }"#.parse()?;
/// assert_eq!(value.field("now"), Some(&DynamicValue::Int(3)));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[cfg(feature = "json")]
impl core::str::FromStr for DynamicValue {
    type Err = serde_json::Error;

    fn from_str(text: &str) -> serde_json::Result<Self> {
        serde_json::from_str(text)
    }
}

/// Two values are equal if they are of the same kind and have the same bits. The order of fields
/// and of map entries counts.
impl PartialEq for DynamicValue {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Unit, Self::Unit) => true,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Int(a), Self::Int(b)) => a == b,
            (Self::Uint(a), Self::Uint(b)) => a == b,
            (Self::F32(a), Self::F32(b)) => a.to_bits() == b.to_bits(),
            (Self::F64(a), Self::F64(b)) => a.to_bits() == b.to_bits(),
            (Self::Char(a), Self::Char(b)) => a == b,
            (Self::Text(a), Self::Text(b)) => a == b,
            (Self::Bytes(a), Self::Bytes(b)) => a == b,
            (Self::EntityId(a), Self::EntityId(b)) => a == b,
            (Self::Optional(a), Self::Optional(b)) => a == b,
            (Self::List(a), Self::List(b)) => a == b,
            (Self::Mapping(a), Self::Mapping(b)) => a == b,
            (Self::Struct(a), Self::Struct(b)) => a == b,
            (Self::Variant(a, x), Self::Variant(b, y)) => a == b && x == y,
            _ => false,
        }
    }
}

impl Eq for DynamicValue {}

impl fmt::Debug for DynamicValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Writes the value for people: `{now: 3, at: [0.5, 1.0], kind: Wolf, target: 12v3@7}`.
impl fmt::Display for DynamicValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unit => f.write_str("()"),
            Self::Bool(value) => value.fmt(f),
            Self::Int(value) => fmt::Display::fmt(value, f),
            Self::Uint(value) => fmt::Display::fmt(value, f),
            Self::F32(value) => fmt::Debug::fmt(value, f),
            Self::F64(value) => fmt::Debug::fmt(value, f),
            Self::Char(value) => fmt::Debug::fmt(value, f),
            Self::Text(value) => fmt::Debug::fmt(value, f),
            Self::Bytes(value) => fmt::Debug::fmt(value, f),
            Self::EntityId(value) => write!(f, "{value:#}"),
            Self::Optional(None) => f.write_str("None"),
            Self::Optional(Some(value)) => value.fmt(f),
            Self::List(values) => listed(f, ["[", "]"], values, |f, value| value.fmt(f)),
            Self::Mapping(entries) => {
                listed(f, ["{", "}"], entries, |f, (key, value)| write!(f, "{key}: {value}"))
            }
            Self::Struct(fields) => {
                listed(f, ["{", "}"], fields, |f, (name, value)| write!(f, "{name}: {value}"))
            }
            Self::Variant(name, content) => match &**content {
                Self::Unit => f.write_str(name),
                content @ (Self::Struct(_) | Self::List(_)) => write!(f, "{name}{content}"),
                content => write!(f, "{name}({content})"),
            },
        }
    }
}

/// Writes parts between brackets, with commas.
fn listed<T>(
    f: &mut fmt::Formatter<'_>,
    [open, close]: [&str; 2],
    parts: &[T],
    part: impl Fn(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    f.write_str(open)?;
    for (at, of) in parts.iter().enumerate() {
        f.write_str(if at > 0 { ", " } else { "" })?;
        part(f, of)?;
    }
    f.write_str(close)
}

macro_rules! from_integers {
    ($($ty:ty)*) => {$(
        impl From<$ty> for DynamicValue {
            fn from(value: $ty) -> Self {
                Self::Int(i128::from(value))
            }
        }
    )*};
}
from_integers!(i8 i16 i32 i64 i128 u8 u16 u32 u64);

macro_rules! from_others {
    ($($ty:ty: $variant:ident;)*) => {$(
        impl From<$ty> for DynamicValue {
            fn from(value: $ty) -> Self {
                Self::$variant(value.into())
            }
        }
    )*};
}
from_others! {
    bool: Bool; f32: F32; f64: F64; char: Char; &str: Text; String: Text; Entity: EntityId; Vec<Self>: List;
}

impl From<()> for DynamicValue {
    fn from((): ()) -> Self {
        Self::Unit
    }
}

impl From<u128> for DynamicValue {
    fn from(value: u128) -> Self {
        i128::try_from(value).map_or(Self::Uint(value), Self::Int)
    }
}

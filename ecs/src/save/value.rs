//! [`ValueTree`]: the output of a value's `Serialize` as a tree, for `diff`, which compares two trees and gives the paths of differences.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::ser::{self, Serialize};

use crate::persist::compact::Fault;
use crate::persist::erased::ErasedSerialize;
use crate::persist::serialized_parts::serializes_parts;

/// A serialized value as a tree.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum ValueTree {
    /// The text of a scalar, and the bits of a floating point number (0 for all others).
    Leaf(String, u64),
    /// The parts of a struct, tuple, sequence or map, each with its step in a path: `.x`, `.0`, `[3]`, `["key"]`.
    Node(Vec<(String, ValueTree)>),
    /// The name of an enum's variant, and its content.
    Variant(&'static str, Box<ValueTree>),
}

/// The callback for a difference: its path, and the values on both sides.
pub(super) type EachDifference<'e> = dyn FnMut(&str, Option<&ValueTree>, Option<&ValueTree>) + 'e;

impl ValueTree {
    /// Makes the tree of a value. If the value cannot be serialized, the tree is a leaf with the error.
    pub(super) fn of(value: &dyn ErasedSerialize) -> Self {
        match value.serialize(ValueSerializer) {
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

    /// Calls `each` for each difference, with its path and the values on both sides.
    pub(super) fn compare(&self, other: &Self, path: &str, each: &mut EachDifference<'_>) {
        match (self, other) {
            (Self::Node(a), Self::Node(b)) => {
                // most parts are at the same position on both sides; only the others are searched for
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

impl core::fmt::Display for ValueTree {
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

struct ValueSerializer;

/// The serializer of the parts of a value.
struct ValueBuilder {
    variant: Option<&'static str>,
    /// Whether the parts are fields.
    fields: bool,
    parts: Vec<(String, ValueTree)>,
    key: String,
}

impl ValueBuilder {
    fn new(variant: Option<&'static str>, fields: bool) -> Self {
        Self { variant, fields, parts: Vec::new(), key: String::new() }
    }

    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
        let at = self.parts.len();
        let step = if self.fields { format!(".{at}") } else { format!("[{at}]") };
        self.parts.push((step, value.serialize(ValueSerializer)?));
        Ok(())
    }

    fn field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Fault> {
        self.parts.push((format!(".{name}"), value.serialize(ValueSerializer)?));
        Ok(())
    }

    fn done(self) -> Result<ValueTree, Fault> {
        let node = ValueTree::Node(self.parts);
        Ok(match self.variant {
            Some(name) => ValueTree::Variant(name, Box::new(node)),
            None => node,
        })
    }
}

macro_rules! leaves {
    ($($name:ident: $ty:ty),*) => {$(
        fn $name(self, value: $ty) -> Result<ValueTree, Fault> {
            Ok(ValueTree::leaf(value))
        }
    )*};
}

impl ser::Serializer for ValueSerializer {
    type Ok = ValueTree;
    type Error = Fault;
    type SerializeSeq = ValueBuilder;
    type SerializeTuple = ValueBuilder;
    type SerializeTupleStruct = ValueBuilder;
    type SerializeTupleVariant = ValueBuilder;
    type SerializeMap = ValueBuilder;
    type SerializeStruct = ValueBuilder;
    type SerializeStructVariant = ValueBuilder;

    leaves! {
        serialize_bool: bool, serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64,
        serialize_u128: u128, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_i128: i128
    }

    fn serialize_f32(self, value: f32) -> Result<ValueTree, Fault> {
        Ok(ValueTree::Leaf(format!("{value:?}"), value.to_bits().into()))
    }

    fn serialize_f64(self, value: f64) -> Result<ValueTree, Fault> {
        Ok(ValueTree::Leaf(format!("{value:?}"), value.to_bits()))
    }

    fn serialize_char(self, value: char) -> Result<ValueTree, Fault> {
        Ok(ValueTree::leaf(format!("{value:?}")))
    }

    fn serialize_str(self, value: &str) -> Result<ValueTree, Fault> {
        Ok(ValueTree::leaf(format!("{value:?}")))
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<ValueTree, Fault> {
        Ok(ValueTree::leaf(format!("{value:?}")))
    }

    fn serialize_none(self) -> Result<ValueTree, Fault> {
        Ok(ValueTree::leaf("None"))
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<ValueTree, Fault> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<ValueTree, Fault> {
        Ok(ValueTree::empty())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<ValueTree, Fault> {
        Ok(ValueTree::empty())
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, name: &'static str) -> Result<ValueTree, Fault> {
        Ok(ValueTree::Variant(name, Box::new(ValueTree::empty())))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<ValueTree, Fault> {
        let mut parts = ValueBuilder::new(None, true);
        parts.element(value)?;
        parts.done()
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        value: &T,
    ) -> Result<ValueTree, Fault> {
        let mut parts = ValueBuilder::new(Some(name), true);
        parts.element(value)?;
        parts.done()
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<ValueBuilder, Fault> {
        Ok(ValueBuilder::new(None, false))
    }

    fn serialize_tuple(self, _: usize) -> Result<ValueBuilder, Fault> {
        Ok(ValueBuilder::new(None, false))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<ValueBuilder, Fault> {
        Ok(ValueBuilder::new(None, true))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<ValueBuilder, Fault> {
        Ok(ValueBuilder::new(Some(name), true))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<ValueBuilder, Fault> {
        Ok(ValueBuilder::new(None, false))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<ValueBuilder, Fault> {
        Ok(ValueBuilder::new(None, true))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<ValueBuilder, Fault> {
        Ok(ValueBuilder::new(Some(name), true))
    }
}

serializes_parts!([] ValueBuilder: ValueTree, Fault);

impl ser::SerializeMap for ValueBuilder {
    type Ok = ValueTree;
    type Error = Fault;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Fault> {
        self.key = format!("[{}]", key.serialize(ValueSerializer)?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
        let key = core::mem::take(&mut self.key);
        self.parts.push((key, value.serialize(ValueSerializer)?));
        Ok(())
    }

    /// Sorts the entries by key, because a `HashMap` has no fixed order.
    fn end(mut self) -> Result<ValueTree, Fault> {
        self.parts.sort_by(|a, b| a.0.cmp(&b.0));
        self.done()
    }
}

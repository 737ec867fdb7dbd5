//! [`ValueTree`]: the output of a value's `Serialize` as a tree, for `diff`, which compares two
//! trees and gives the paths of differences.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::persist::erased::FormError;
use crate::persist::erased::write::{Composite, ErasedSerialize, FormPart, Leaf, Wrapper, WriteForm};

/// A serialized value as a tree.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum ValueTree {
    /// The text of a scalar, and the bits of a floating point number (0 for all others).
    Leaf(String, u64),
    /// The parts of a struct, tuple, sequence or map, each with its step in a path: `.x`, `.0`,
    /// `[3]`, `["key"]`.
    Node(Vec<(String, ValueTree)>),
    /// The name of an enum's variant, and its content.
    Variant(&'static str, Box<ValueTree>),
}

/// The callback for a difference: its path, and the values on both sides.
pub(super) type EachDifference<'e> = dyn FnMut(&str, Option<&ValueTree>, Option<&ValueTree>) + 'e;

impl ValueTree {
    /// Makes the tree of a value. If the value cannot be serialized, the tree is a leaf with the
    /// error.
    pub(super) fn of(value: &dyn ErasedSerialize) -> Self {
        Self::of_part(FormPart::Value(value))
    }

    /// Makes the tree of a part of a value, as [`of`](Self::of) does.
    pub(super) fn of_part(part: FormPart<'_>) -> Self {
        part_of(part).unwrap_or_else(|error| Self::leaf(format!("<{error}>")))
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
                // most parts are at the same position on both sides; only the others are searched
                // for
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

/// Makes the tree of a part of a value.
fn part_of(part: FormPart<'_>) -> Result<ValueTree, FormError> {
    let mut form = ValueForm::default();
    part.write(&mut form)?;
    form.done.ok_or_else(|| FormError::text(&"a value was not written to its end"))
}

/// The form of one value.
#[derive(Default)]
struct ValueForm {
    done: Option<ValueTree>,
    variant: Option<&'static str>,
    /// Whether the parts are fields.
    fields: bool,
    /// Whether the parts are the entries of a map.
    is_map: bool,
    parts: Vec<(String, ValueTree)>,
    key: String,
}

impl WriteForm for ValueForm {
    fn leaf(&mut self, leaf: Leaf<'_>) -> Result<(), FormError> {
        self.done = Some(match leaf {
            Leaf::Bool(value) => ValueTree::leaf(value),
            Leaf::I8(value) => ValueTree::leaf(value),
            Leaf::I16(value) => ValueTree::leaf(value),
            Leaf::I32(value) => ValueTree::leaf(value),
            Leaf::I64(value) => ValueTree::leaf(value),
            Leaf::I128(value) => ValueTree::leaf(value),
            Leaf::U8(value) => ValueTree::leaf(value),
            Leaf::U16(value) => ValueTree::leaf(value),
            Leaf::U32(value) => ValueTree::leaf(value),
            Leaf::U64(value) => ValueTree::leaf(value),
            Leaf::U128(value) => ValueTree::leaf(value),
            Leaf::F32(value) => ValueTree::Leaf(format!("{value:?}"), value.to_bits().into()),
            Leaf::F64(value) => ValueTree::Leaf(format!("{value:?}"), value.to_bits()),
            Leaf::Char(value) => ValueTree::leaf(format!("{value:?}")),
            Leaf::Str(value) => ValueTree::leaf(format!("{value:?}")),
            Leaf::Bytes(value) => ValueTree::leaf(format!("{value:?}")),
            Leaf::None => ValueTree::leaf("None"),
            Leaf::Unit | Leaf::UnitStruct(_) => ValueTree::empty(),
            Leaf::UnitVariant(_, _, name) => ValueTree::Variant(name, Box::new(ValueTree::empty())),
        });
        Ok(())
    }

    fn wrap(&mut self, wrapper: Wrapper, part: FormPart<'_>) -> Result<(), FormError> {
        self.variant = match wrapper {
            Wrapper::Some => return part.write(self),
            Wrapper::NewtypeStruct(_) => None,
            Wrapper::NewtypeVariant(_, _, name) => Some(name),
        };
        self.fields = true;
        self.element(part)?;
        self.end()
    }

    fn begin(&mut self, composite: Composite) -> Result<(), FormError> {
        (self.variant, self.fields, self.is_map) = match composite {
            Composite::Seq(_) | Composite::Tuple(_) => (None, false, false),
            Composite::Map(_) => (None, false, true),
            Composite::TupleStruct(..) | Composite::Struct(..) => (None, true, false),
            Composite::TupleVariant(_, _, name, _) | Composite::StructVariant(_, _, name, _) => {
                (Some(name), true, false)
            }
        };
        Ok(())
    }

    fn element(&mut self, element: FormPart<'_>) -> Result<(), FormError> {
        let at = self.parts.len();
        let step = if self.fields { format!(".{at}") } else { format!("[{at}]") };
        self.parts.push((step, part_of(element)?));
        Ok(())
    }

    fn field(&mut self, name: &'static str, field: Option<FormPart<'_>>) -> Result<(), FormError> {
        if let Some(field) = field {
            self.parts.push((format!(".{name}"), part_of(field)?));
        }
        Ok(())
    }

    fn key(&mut self, key: FormPart<'_>) -> Result<(), FormError> {
        self.key = format!("[{}]", part_of(key)?);
        Ok(())
    }

    fn value(&mut self, value: FormPart<'_>) -> Result<(), FormError> {
        let key = core::mem::take(&mut self.key);
        self.parts.push((key, part_of(value)?));
        Ok(())
    }

    /// Sorts the entries of a map by key, because a `HashMap` has no fixed order.
    fn end(&mut self) -> Result<(), FormError> {
        let mut parts = core::mem::take(&mut self.parts);
        if self.is_map {
            parts.sort_by(|a, b| a.0.cmp(&b.0));
        }
        let node = ValueTree::Node(parts);
        self.done = Some(match self.variant {
            Some(name) => ValueTree::Variant(name, Box::new(node)),
            None => node,
        });
        Ok(())
    }

    fn is_human_readable(&self) -> bool {
        true
    }
}

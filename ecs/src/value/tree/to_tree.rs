//! The form that makes the tree of a value.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::DynamicValue;
use crate::entity::Entity;
use crate::entity::saved::ids::{TOKEN, as_tokens};
use crate::persist::compact::DEPTH;
use crate::persist::erased::FormError;
use crate::persist::erased::write::{
    Composite, ErasedSerialize, FormPart, Leaf, PartPlace, Wrapper, WriteForm, writes_parts_alike,
};
#[cfg(feature = "reflect")]
use crate::value::serialize::ValueRef;

/// Makes the tree of a value, as formats for people show it.
pub(crate) fn tree_of(value: &dyn ErasedSerialize) -> Result<DynamicValue, String> {
    as_tokens(|| part_of(FormPart::Value(value), true, 0))
        .map(|(tree, _)| tree)
        .map_err(|error| error.to_string())
}

/// Makes the tree of a described value. The function is not generic, so that handles of any kind of
/// access share it.
#[cfg(feature = "reflect")]
pub(crate) fn tree_of_described(value: ValueRef<'_>) -> Result<DynamicValue, String> {
    tree_of(&value)
}

/// Makes the tree of a value as the compact form has it, which people may see rounded, and returns
/// the fields that `skip_serializing_if` has omitted. A value that is too deep for the compact form is
/// refused.
pub(crate) fn exact_tree_of(value: &dyn ErasedSerialize) -> Result<(DynamicValue, Omitted), String> {
    as_tokens(|| part_of(FormPart::Value(value), false, 0)).map_err(|error| error.to_string())
}

/// The fields that `Serialize` has omitted from a value.
#[derive(Default)]
pub(crate) struct Omitted {
    /// The names of the omitted fields; and those of fields from which others were omitted, with
    /// these.
    fields: Vec<(&'static str, Option<Omitted>)>,
}

impl Omitted {
    /// A value without omitted fields.
    pub(crate) const NOTHING: &'static Self = &Self { fields: Vec::new() };

    pub(crate) fn contains(&self, name: &str) -> bool {
        self.fields.iter().any(|(field, within)| *field == name && within.is_none())
    }

    /// The omitted fields of a field.
    pub(crate) fn of_field(&self, name: &str) -> &Self {
        let of_field = self.fields.iter().find(|(field, _)| *field == name);
        of_field.and_then(|(_, within)| within.as_ref()).unwrap_or(Self::NOTHING)
    }
}

/// Makes the tree of a part of a value, and returns the fields that were omitted from it. `depth` is
/// the number of values around it.
fn part_of(
    part: FormPart<'_>,
    is_human_readable: bool,
    depth: u32,
) -> Result<(DynamicValue, Omitted), FormError> {
    if !is_human_readable && depth > DEPTH {
        return Err(FormError::depth());
    }
    let omitted = Omitted::default();
    let mut form = TreeForm { done: None, variant: None, parts: None, omitted, is_human_readable, depth };
    part.write(&mut form)?;
    let done = form.done.ok_or_else(|| FormError::text("a value was not written to its end"))?;
    Ok((done, form.omitted))
}

/// The form of one value.
struct TreeForm {
    done: Option<DynamicValue>,
    /// The variant and the parts of a composite that has begun.
    variant: Option<&'static str>,
    parts: Option<Parts>,
    omitted: Omitted,
    is_human_readable: bool,
    depth: u32,
}

enum Parts {
    List(Vec<DynamicValue>),
    Map(Vec<(DynamicValue, DynamicValue)>, Option<DynamicValue>),
    Struct(Vec<(String, DynamicValue)>),
}

/// The error of a part of a composite that has not begun.
fn not_begun() -> FormError {
    FormError::text("a part was written without its value")
}

impl TreeForm {
    fn part(&mut self, place: PartPlace, part: FormPart<'_>) -> Result<(), FormError> {
        let (value, omitted) = part_of(part, self.is_human_readable, self.depth + 1)?;
        match (&mut self.parts, place) {
            (Some(Parts::List(list)), PartPlace::Element) => list.push(value),
            (Some(Parts::Struct(fields)), PartPlace::Field(name)) => {
                fields.push((name.to_owned(), value));
                if !omitted.fields.is_empty() {
                    self.omitted.fields.push((name, Some(omitted)));
                }
            }
            (Some(Parts::Map(_, next)), PartPlace::Key) => *next = Some(value),
            (Some(Parts::Map(entries, key)), PartPlace::Value) => {
                entries.push((key.take().unwrap_or(DynamicValue::Unit), value));
            }
            _ => return Err(not_begun()),
        }
        Ok(())
    }
}

impl WriteForm for TreeForm {
    fn leaf(&mut self, leaf: Leaf<'_>) -> Result<(), FormError> {
        self.done = Some(match leaf {
            Leaf::Scalar(value) => value.into(),
            Leaf::Str(text) => text.into(),
            Leaf::Bytes(bytes) => DynamicValue::Bytes(bytes.to_vec()),
            Leaf::None => DynamicValue::Optional(None),
            Leaf::Unit | Leaf::UnitStruct(_) => DynamicValue::Unit,
            Leaf::UnitVariant(_, _, name) => {
                DynamicValue::Variant(name.to_owned(), Box::new(DynamicValue::Unit))
            }
        });
        Ok(())
    }

    fn wrap(&mut self, wrapper: Wrapper, part: FormPart<'_>) -> Result<(), FormError> {
        let (value, _) = part_of(part, self.is_human_readable, self.depth + 1)?;
        self.done = Some(match wrapper {
            Wrapper::Some => DynamicValue::Optional(Some(Box::new(value))),
            Wrapper::NewtypeStruct(TOKEN) => id_of(value),
            Wrapper::NewtypeStruct(_) => value,
            Wrapper::NewtypeVariant(_, _, name) => DynamicValue::Variant(name.to_owned(), Box::new(value)),
        });
        Ok(())
    }

    fn begin(&mut self, composite: Composite) -> Result<(), FormError> {
        self.parts = Some(match composite {
            Composite::Seq(_)
            | Composite::Tuple(_)
            | Composite::TupleStruct(..)
            | Composite::TupleVariant(..) => Parts::List(Vec::new()),
            Composite::Map(_) => Parts::Map(Vec::new(), None),
            Composite::Struct(..) | Composite::StructVariant(..) => Parts::Struct(Vec::new()),
        });
        self.variant = match composite {
            Composite::TupleVariant(_, _, name, _) | Composite::StructVariant(_, _, name, _) => Some(name),
            _ => None,
        };
        Ok(())
    }

    fn skip(&mut self, name: &'static str) -> Result<(), FormError> {
        self.omitted.fields.push((name, None));
        Ok(())
    }

    writes_parts_alike!();

    fn end(&mut self) -> Result<(), FormError> {
        let value = match self.parts.take().ok_or_else(not_begun)? {
            Parts::List(list) => DynamicValue::List(list),
            Parts::Map(entries, _) => DynamicValue::Mapping(entries),
            Parts::Struct(fields) => DynamicValue::Struct(fields),
        };
        self.done = Some(match self.variant {
            Some(name) => DynamicValue::Variant(name.to_owned(), Box::new(value)),
            None => value,
        });
        Ok(())
    }

    fn is_human_readable(&self) -> bool {
        self.is_human_readable
    }
}

/// The id of an entity, from its bits.
fn id_of(value: DynamicValue) -> DynamicValue {
    let entity = match value {
        DynamicValue::Int(bits) => u64::try_from(bits).ok().and_then(Entity::from_bits),
        _ => None,
    };
    entity.map_or(value, DynamicValue::EntityId)
}

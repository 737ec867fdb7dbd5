//! The form that makes the tree of a value.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cell::RefCell;

use super::DynamicValue;
use crate::entity::Entity;
use crate::entity::saved::ids::{TOKEN, as_tokens};
use crate::persist::erased::FormError;
use crate::persist::erased::write::{Composite, ErasedSerialize, FormPart, Leaf, Wrapper, WriteForm};

/// Makes the tree of a value.
pub(crate) fn tree_of(value: &dyn ErasedSerialize) -> Result<DynamicValue, String> {
    tree_and_omitted(value).map(|(tree, _)| tree)
}

/// Makes the tree of a value, and returns the names of the fields that `skip_serializing_if` has
/// omitted, of all its parts.
pub(crate) fn tree_and_omitted(
    value: &dyn ErasedSerialize,
) -> Result<(DynamicValue, Vec<&'static str>), String> {
    let omitted = RefCell::default();
    let tree = as_tokens(|| part_of(FormPart::Value(value), &omitted)).map_err(|error| error.to_string())?;
    Ok((tree, omitted.into_inner()))
}

/// Makes the tree of a part of a value.
fn part_of(part: FormPart<'_>, omitted: &RefCell<Vec<&'static str>>) -> Result<DynamicValue, FormError> {
    let mut form = TreeForm { done: None, variant: None, parts: None, omitted };
    part.write(&mut form)?;
    form.done.ok_or_else(|| FormError::text(&"a value was not written to its end"))
}

/// The form of one value.
struct TreeForm<'o> {
    done: Option<DynamicValue>,
    /// The variant and the parts of a composite that has begun.
    variant: Option<&'static str>,
    parts: Option<Parts>,
    omitted: &'o RefCell<Vec<&'static str>>,
}

enum Parts {
    List(Vec<DynamicValue>),
    Map(Vec<(DynamicValue, DynamicValue)>, Option<DynamicValue>),
    Struct(Vec<(String, DynamicValue)>),
}

/// The error of a part of a composite that has not begun.
fn not_begun() -> FormError {
    FormError::text(&"a part was written without its value")
}

impl WriteForm for TreeForm<'_> {
    fn leaf(&mut self, leaf: Leaf<'_>) -> Result<(), FormError> {
        self.done = Some(match leaf {
            Leaf::Bool(value) => value.into(),
            Leaf::I8(value) => value.into(),
            Leaf::I16(value) => value.into(),
            Leaf::I32(value) => value.into(),
            Leaf::I64(value) => value.into(),
            Leaf::I128(value) => value.into(),
            Leaf::U8(value) => value.into(),
            Leaf::U16(value) => value.into(),
            Leaf::U32(value) => value.into(),
            Leaf::U64(value) => value.into(),
            Leaf::U128(value) => value.into(),
            Leaf::F32(value) => value.into(),
            Leaf::F64(value) => value.into(),
            Leaf::Char(value) => value.into(),
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
        let value = part_of(part, self.omitted)?;
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

    fn element(&mut self, element: FormPart<'_>) -> Result<(), FormError> {
        let Some(Parts::List(list)) = &mut self.parts else { return Err(not_begun()) };
        list.push(part_of(element, self.omitted)?);
        Ok(())
    }

    fn field(&mut self, name: &'static str, field: Option<FormPart<'_>>) -> Result<(), FormError> {
        let Some(Parts::Struct(fields)) = &mut self.parts else { return Err(not_begun()) };
        match field {
            Some(field) => fields.push((name.to_owned(), part_of(field, self.omitted)?)),
            None => self.omitted.borrow_mut().push(name),
        }
        Ok(())
    }

    fn key(&mut self, key: FormPart<'_>) -> Result<(), FormError> {
        let Some(Parts::Map(_, next)) = &mut self.parts else { return Err(not_begun()) };
        *next = Some(part_of(key, self.omitted)?);
        Ok(())
    }

    fn value(&mut self, value: FormPart<'_>) -> Result<(), FormError> {
        let Some(Parts::Map(entries, key)) = &mut self.parts else { return Err(not_begun()) };
        let key = key.take().unwrap_or(DynamicValue::Unit);
        entries.push((key, part_of(value, self.omitted)?));
        Ok(())
    }

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
        true
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

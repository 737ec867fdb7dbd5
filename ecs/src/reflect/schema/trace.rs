//! The form that records the structure of a type.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::cell::RefCell;
use core::slice::IterMut;

use serde::de::IntoDeserializer as _;
use serde::de::value::U32Deserializer;

use super::Schema;
use crate::entity::saved::ids::{TOKEN, as_tokens};
use crate::persist::erased::read::{EnumForm, FormEvent, Hint, MapForm, Receiver, SeqForm, Sower, sow_name};
use crate::persist::erased::{FormError, ReadForm};
use crate::value::scalar::{Scalar, ScalarType};

/// The nesting beyond which options and sequences are empty, so that recursive types end.
const DEEP: usize = 8;
/// The nesting at which recording stops.
const DEEPEST: usize = 40;
/// The maximal number of runs, each of which finds at least one variant.
const RUNS: usize = 1000;

/// Finds the structure of the type that `read` reads.
pub(in crate::reflect) fn schema_of(read: &dyn Fn(&mut dyn ReadForm<'_>) -> Result<(), FormError>) -> Schema {
    let trace = RefCell::new(Trace::default());
    let mut schema = Schema::Any;
    for _ in 0..RUNS {
        let (before, mut found) = (trace.borrow().known(), Schema::Any);
        {
            let mut reader = SchemaReader { trace: &trace, found: &mut found, depth: 0 };
            // an error ends the run; what was found until then counts
            drop(as_tokens(|| read(&mut reader)));
        }
        if schema == Schema::Any || before == 0 {
            schema = found;
        }
        let trace = trace.borrow();
        if trace.enums.iter().all(TracedEnum::is_complete) || trace.known() == before {
            break;
        }
    }
    trace.into_inner().resolve(&schema, &mut Vec::new())
}

/// The enums that were found.
#[derive(Default)]
struct Trace {
    enums: Vec<TracedEnum>,
}

struct TracedEnum {
    name: &'static str,
    names: &'static [&'static str],
    /// The content of the variants that were followed.
    contents: Vec<Option<Schema>>,
}

impl TracedEnum {
    fn is_complete(&self) -> bool {
        self.contents.iter().all(Option::is_some)
    }
}

impl Trace {
    /// The number of variants that were followed.
    fn known(&self) -> usize {
        self.enums.iter().flat_map(|found| &found.contents).flatten().count()
    }

    fn number(&mut self, name: &'static str, names: &'static [&'static str]) -> usize {
        let found = self.enums.iter().position(|found| found.name == name && found.names == names);
        found.unwrap_or_else(|| {
            self.enums.push(TracedEnum { name, names, contents: vec![None; names.len()] });
            self.enums.len() - 1
        })
    }

    /// Puts the variants into the enums of a schema. `above` are the names of the structs and enums
    /// around it.
    fn resolve(&self, schema: &Schema, above: &mut Vec<(&'static str, usize)>) -> Schema {
        match schema {
            Schema::Optional(inner) => Schema::Optional(Box::new(self.resolve(inner, above))),
            Schema::List(inner) => Schema::List(Box::new(self.resolve(inner, above))),
            Schema::Mapping(key, value) => {
                Schema::Mapping(Box::new(self.resolve(key, above)), Box::new(self.resolve(value, above)))
            }
            Schema::Tuple(elements) => {
                Schema::Tuple(elements.iter().map(|inner| self.resolve(inner, above)).collect())
            }
            Schema::Struct { name, fields } => {
                self.inside(name, fields.len(), above, |above| Schema::Struct {
                    name,
                    fields: fields.iter().map(|(name, field)| (*name, self.resolve(field, above))).collect(),
                })
            }
            // while it is recorded, an enum has no variants
            Schema::Enum { name, variants } => {
                let names: Vec<&str> = variants.iter().map(|(name, _)| *name).collect();
                let found = self.enums.iter().find(|found| found.name == *name && *found.names == *names);
                let Some(found) = found else { return Schema::Any };
                self.inside(name, names.len(), above, |above| {
                    let contents = found.names.iter().zip(&found.contents);
                    let variants = contents.map(|(name, content)| {
                        (*name, content.as_ref().map_or(Schema::Any, |content| self.resolve(content, above)))
                    });
                    Schema::Enum { name, variants: variants.collect() }
                })
            }
            schema => schema.clone(),
        }
    }

    fn inside(
        &self,
        name: &'static str,
        parts: usize,
        above: &mut Vec<(&'static str, usize)>,
        make: impl FnOnce(&mut Vec<(&'static str, usize)>) -> Schema,
    ) -> Schema {
        if above.contains(&(name, parts)) {
            return Schema::Recursive(name);
        }
        above.push((name, parts));
        let schema = make(above);
        above.pop();
        schema
    }
}

/// The error that ends a run. Its message is not read.
#[cold]
fn end_of_run() -> FormError {
    FormError::text("the structure of the type cannot be recorded any further")
}

/// The form: writes the kind of value that is requested to `found`.
struct SchemaReader<'t> {
    trace: &'t RefCell<Trace>,
    found: &'t mut Schema,
    depth: usize,
}

impl SchemaReader<'_> {
    /// Calls a function with a reader of a part of the value.
    fn part(
        &self,
        found: &mut Schema,
        read: impl FnOnce(&mut SchemaReader<'_>) -> Result<(), FormError>,
    ) -> Result<(), FormError> {
        if self.depth == DEEPEST {
            return Err(end_of_run());
        }
        read(&mut SchemaReader { trace: self.trace, found, depth: self.depth + 1 })
    }

    fn is_deep(&self) -> bool {
        self.depth > DEEP
    }

    /// Reads the next variant of an enum.
    fn variant(
        &mut self,
        name: &'static str,
        names: &'static [&'static str],
        to: &mut dyn Receiver<'_>,
    ) -> Result<(), FormError> {
        let (number, variant) = {
            let mut trace = self.trace.borrow_mut();
            let number = trace.number(name, names);
            let contents = &mut trace.enums[number].contents;
            let variant = contents.iter().position(Option::is_none).unwrap_or(0);
            // marked before it is followed, so that an enum that contains itself ends
            if let Some(content) = contents.get_mut(variant)
                && content.is_none()
            {
                *content = Some(Schema::Any);
            } else if contents.is_empty() {
                return Err(end_of_run());
            }
            (number, variant)
        };
        let listed = names.iter().map(|variant| (*variant, Schema::Any));
        *self.found = Schema::Enum { name, variants: listed.collect() };
        let mut content = Schema::Any;
        let result = to.receive(FormEvent::Enum(&mut TracedContent {
            reader: self,
            variant: variant as u32,
            content: &mut content,
        }));
        let mut trace = self.trace.borrow_mut();
        if let Some(Some(known)) = trace.enums[number].contents.get_mut(variant)
            && *known == Schema::Any
        {
            *known = content;
        }
        result
    }
}

impl<'de> ReadForm<'de> for SchemaReader<'_> {
    fn read(&mut self, hint: Hint, to: &mut dyn Receiver<'de>) -> Result<(), FormError> {
        let (found, event) = match hint {
            Hint::Scalar(ty) => {
                let found = match ty {
                    ScalarType::Bool => Schema::Bool,
                    ScalarType::Char => Schema::Char,
                    ScalarType::F32 | ScalarType::F64 => Schema::Float(ty.name()),
                    _ => Schema::Integer(ty.name()),
                };
                (found, FormEvent::Scalar(ty.dummy()))
            }
            Hint::Str | Hint::String | Hint::Identifier => (Schema::Text, FormEvent::Str("a")),
            Hint::Bytes | Hint::ByteBuf => (Schema::Bytes, FormEvent::Bytes(b"a")),
            Hint::Any | Hint::IgnoredAny => (Schema::Any, FormEvent::Unit),
            Hint::Unit | Hint::UnitStruct(_) => (Schema::Unit, FormEvent::Unit),
            Hint::NewtypeStruct(TOKEN) => (Schema::EntityId, FormEvent::Scalar(Scalar::U64(1 << 32))),
            Hint::NewtypeStruct(_) => {
                let mut inner = Schema::Any;
                let result = self.part(&mut inner, |part| to.receive(FormEvent::NewtypeStruct(part)));
                *self.found = inner;
                return result;
            }
            Hint::Option => {
                let mut inner = Schema::Any;
                let result = match self.is_deep() {
                    true => to.receive(FormEvent::None),
                    false => self.part(&mut inner, |part| to.receive(FormEvent::Some(part))),
                };
                *self.found = Schema::Optional(Box::new(inner));
                return result;
            }
            Hint::Seq => {
                let mut elements = vec![Schema::Any; usize::from(!self.is_deep())];
                let result = to.receive(FormEvent::Seq(&mut SchemaParts::new(self, &[], &mut elements)));
                *self.found = Schema::List(Box::new(elements.pop().unwrap_or(Schema::Any)));
                return result;
            }
            Hint::Tuple(length) | Hint::TupleStruct(_, length) => {
                let mut elements = vec![Schema::Any; length];
                let result = to.receive(FormEvent::Seq(&mut SchemaParts::new(self, &[], &mut elements)));
                *self.found = Schema::Tuple(elements);
                return result;
            }
            Hint::Map => {
                let mut parts = vec![Schema::Any; if self.is_deep() { 0 } else { 2 }];
                let result = to.receive(FormEvent::Map(&mut SchemaParts::new(self, &[], &mut parts)));
                let value = parts.pop().unwrap_or(Schema::Any);
                *self.found = Schema::Mapping(Box::new(parts.pop().unwrap_or(Schema::Any)), Box::new(value));
                return result;
            }
            Hint::Struct(name, fields) => {
                let mut parts = vec![Schema::Any; fields.len()];
                let result = to.receive(FormEvent::Map(&mut SchemaParts::new(self, fields, &mut parts)));
                *self.found = Schema::Struct { name, fields: fields.iter().copied().zip(parts).collect() };
                return result;
            }
            Hint::Enum(name, names) => return self.variant(name, names, to),
        };
        *self.found = found;
        to.receive(event)
    }
}

/// The elements of a sequence, the keys and values of a map, or the values of the fields of a
/// struct.
struct SchemaParts<'t, 'r> {
    reader: &'r SchemaReader<'t>,
    /// The names of the fields that come next.
    names: &'static [&'static str],
    parts: IterMut<'r, Schema>,
}

impl<'t, 'r> SchemaParts<'t, 'r> {
    fn new(reader: &'r SchemaReader<'t>, names: &'static [&'static str], parts: &'r mut [Schema]) -> Self {
        Self { reader, names, parts: parts.iter_mut() }
    }
}

impl<'de> SeqForm<'de> for SchemaParts<'_, '_> {
    fn sow_next(&mut self, to: &mut dyn Sower<'de>) -> Result<bool, FormError> {
        let Some(found) = self.parts.next() else { return Ok(false) };
        self.reader.part(found, |part| to.sow(part)).map(|()| true)
    }
}

impl<'de> MapForm<'de> for SchemaParts<'_, '_> {
    fn sow_key(&mut self, to: &mut dyn Sower<'de>) -> Result<bool, FormError> {
        let [name, rest @ ..] = self.names else { return self.sow_next(to) };
        self.names = rest;
        sow_name(name, to).map(|()| true)
    }

    fn sow_value(&mut self, to: &mut dyn Sower<'de>) -> Result<(), FormError> {
        if self.sow_next(to)? { Ok(()) } else { Err(end_of_run()) }
    }
}

/// A variant of an enum, and its content.
struct TracedContent<'t, 'r> {
    reader: &'r SchemaReader<'t>,
    variant: u32,
    content: &'r mut Schema,
}

impl<'de> EnumForm<'de> for TracedContent<'_, '_> {
    fn variant(&mut self, to: &mut dyn Sower<'de>) -> Result<(), FormError> {
        let index: U32Deserializer<FormError> = self.variant.into_deserializer();
        to.sow(&mut <dyn ReadForm<'de>>::of(index))
    }

    fn unit(&mut self) -> Result<(), FormError> {
        *self.content = Schema::Unit;
        Ok(())
    }

    fn newtype(&mut self, to: &mut dyn Sower<'de>) -> Result<(), FormError> {
        self.reader.part(self.content, |part| to.sow(part))
    }

    fn tuple(&mut self, length: usize, to: &mut dyn Receiver<'de>) -> Result<(), FormError> {
        self.reader.part(self.content, |part| part.read(Hint::Tuple(length), to))
    }

    fn fields(
        &mut self,
        names: &'static [&'static str],
        to: &mut dyn Receiver<'de>,
    ) -> Result<(), FormError> {
        self.reader.part(self.content, |part| part.read(Hint::Struct("", names), to))
    }
}

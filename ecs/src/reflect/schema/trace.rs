//! The deserializer that records the structure of a type.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::cell::RefCell;
use core::fmt;

use serde::de::value::{StrDeserializer, U32Deserializer};
use serde::de::{
    self, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess, SeqAccess, VariantAccess,
    Visitor,
};

use super::Schema;
use crate::entity::saved::ids::{TOKEN, as_tokens};
use crate::persist::erased::{FormError, ReadForm};

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
            let reader = SchemaReader { trace: &trace, found: &mut found, depth: 0 };
            let mut erased = <dyn ReadForm<'_>>::of(reader);
            // an error ends the run; what was found until then counts
            drop(as_tokens(|| read(&mut erased)));
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

    /// Puts the variants into the enums of a schema. `above` are the names of the structs and enums around it.
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
#[derive(Debug)]
struct EndOfRun;

impl fmt::Display for EndOfRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the structure of the type cannot be recorded any further")
    }
}

impl core::error::Error for EndOfRun {}

impl de::Error for EndOfRun {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

/// The deserializer: writes the kind of value that is requested to `found`.
struct SchemaReader<'t> {
    trace: &'t RefCell<Trace>,
    found: &'t mut Schema,
    depth: usize,
}

impl<'t> SchemaReader<'t> {
    /// A reader of a part of the value.
    fn part<'p>(&self, found: &'p mut Schema) -> Result<SchemaReader<'p>, EndOfRun>
    where
        't: 'p,
    {
        if self.depth == DEEPEST {
            return Err(EndOfRun);
        }
        Ok(SchemaReader { trace: self.trace, found, depth: self.depth + 1 })
    }

    fn is_deep(&self) -> bool {
        self.depth > DEEP
    }
}

macro_rules! leaves {
    ($($name:ident $visit:ident $value:expr, $schema:expr;)*) => {$(
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, EndOfRun> {
            *self.found = $schema;
            visitor.$visit($value)
        }
    )*};
}

impl<'de> Deserializer<'de> for SchemaReader<'_> {
    type Error = EndOfRun;

    leaves! {
        deserialize_bool visit_bool true, Schema::Bool;
        deserialize_u8 visit_u8 1, Schema::Integer("u8");
        deserialize_u16 visit_u16 1, Schema::Integer("u16");
        deserialize_u32 visit_u32 1, Schema::Integer("u32");
        deserialize_u64 visit_u64 1, Schema::Integer("u64");
        deserialize_u128 visit_u128 1, Schema::Integer("u128");
        deserialize_i8 visit_i8 1, Schema::Integer("i8");
        deserialize_i16 visit_i16 1, Schema::Integer("i16");
        deserialize_i32 visit_i32 1, Schema::Integer("i32");
        deserialize_i64 visit_i64 1, Schema::Integer("i64");
        deserialize_i128 visit_i128 1, Schema::Integer("i128");
        deserialize_f32 visit_f32 1.0, Schema::Float("f32");
        deserialize_f64 visit_f64 1.0, Schema::Float("f64");
        deserialize_char visit_char 'a', Schema::Char;
        deserialize_str visit_str "a", Schema::Text;
        deserialize_string visit_str "a", Schema::Text;
        deserialize_bytes visit_bytes b"a", Schema::Bytes;
        deserialize_byte_buf visit_bytes b"a", Schema::Bytes;
        deserialize_identifier visit_str "a", Schema::Text;
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, EndOfRun> {
        *self.found = Schema::Any;
        visitor.visit_unit()
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, EndOfRun> {
        self.deserialize_any(visitor)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, EndOfRun> {
        *self.found = Schema::Unit;
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, EndOfRun> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, EndOfRun> {
        let mut inner = Schema::Any;
        let deep = self.is_deep();
        let result = if deep {
            visitor.visit_none()
        } else {
            self.part(&mut inner).and_then(|part| visitor.visit_some(part))
        };
        *self.found = Schema::Optional(Box::new(inner));
        result
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, EndOfRun> {
        if name == TOKEN {
            *self.found = Schema::EntityId;
            return visitor.visit_u64(1 << 32);
        }
        let mut inner = Schema::Any;
        let result = self.part(&mut inner).and_then(|part| visitor.visit_newtype_struct(part));
        *self.found = inner;
        result
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, EndOfRun> {
        let mut elements = vec![Schema::Any; usize::from(!self.is_deep())];
        let result = visitor.visit_seq(TracedParts::new(&self, &mut elements));
        *self.found = Schema::List(Box::new(elements.pop().unwrap_or(Schema::Any)));
        result
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, EndOfRun> {
        let mut elements = vec![Schema::Any; length];
        let result = visitor.visit_seq(TracedParts::new(&self, &mut elements));
        *self.found = Schema::Tuple(elements);
        result
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, EndOfRun> {
        self.deserialize_tuple(length, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, EndOfRun> {
        let count = if self.is_deep() { 0 } else { 2 };
        let mut parts = vec![Schema::Any; count];
        let result = visitor.visit_map(TracedParts::new(&self, &mut parts));
        let value = parts.pop().unwrap_or(Schema::Any);
        *self.found = Schema::Mapping(Box::new(parts.pop().unwrap_or(Schema::Any)), Box::new(value));
        result
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, EndOfRun> {
        let mut parts = vec![Schema::Any; fields.len()];
        let result =
            visitor.visit_map(TracedFields { reader: &self, names: fields, parts: &mut parts, next: 0 });
        *self.found = Schema::Struct { name, fields: fields.iter().copied().zip(parts).collect() };
        result
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, EndOfRun> {
        let (number, variant) = {
            let mut trace = self.trace.borrow_mut();
            let number = trace.number(name, variants);
            let contents = &mut trace.enums[number].contents;
            let variant = contents.iter().position(Option::is_none).unwrap_or(0);
            // marked before it is followed, so that an enum that contains itself ends
            if let Some(content) = contents.get_mut(variant)
                && content.is_none()
            {
                *content = Some(Schema::Any);
            } else if contents.is_empty() {
                return Err(EndOfRun);
            }
            (number, variant)
        };
        let listed = variants.iter().map(|variant| (*variant, Schema::Any));
        *self.found = Schema::Enum { name, variants: listed.collect() };
        let mut content = Schema::Any;
        let result = visitor.visit_enum(TracedContent {
            reader: &self,
            variant: variant as u32,
            content: &mut content,
        });
        let mut trace = self.trace.borrow_mut();
        if let Some(Some(known)) = trace.enums[number].contents.get_mut(variant)
            && *known == Schema::Any
        {
            *known = content;
        }
        result
    }

    fn is_human_readable(&self) -> bool {
        true
    }
}

/// The elements of a sequence, or the keys and values of a map.
struct TracedParts<'t, 'r> {
    reader: &'r SchemaReader<'t>,
    parts: core::slice::IterMut<'r, Schema>,
}

impl<'t, 'r> TracedParts<'t, 'r> {
    fn new(reader: &'r SchemaReader<'t>, parts: &'r mut [Schema]) -> Self {
        Self { reader, parts: parts.iter_mut() }
    }
}

impl<'de> SeqAccess<'de> for TracedParts<'_, '_> {
    type Error = EndOfRun;
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, EndOfRun> {
        match self.parts.next() {
            Some(found) => {
                let part = SchemaReader { trace: self.reader.trace, found, depth: self.reader.depth + 1 };
                if part.depth > DEEPEST {
                    return Err(EndOfRun);
                }
                seed.deserialize(part).map(Some)
            }
            None => Ok(None),
        }
    }
}

impl<'de> MapAccess<'de> for TracedParts<'_, '_> {
    type Error = EndOfRun;
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, EndOfRun> {
        self.next_element_seed(seed)
    }
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, EndOfRun> {
        self.next_element_seed(seed)?.ok_or(EndOfRun)
    }
}

/// The fields of a struct.
struct TracedFields<'t, 'r> {
    reader: &'r SchemaReader<'t>,
    names: &'static [&'static str],
    parts: &'r mut [Schema],
    next: usize,
}

impl<'de> MapAccess<'de> for TracedFields<'_, '_> {
    type Error = EndOfRun;
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, EndOfRun> {
        let Some(name) = self.names.get(self.next) else { return Ok(None) };
        self.next += 1;
        let name: StrDeserializer<'_, EndOfRun> = (*name).into_deserializer();
        seed.deserialize(name).map(Some)
    }
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, EndOfRun> {
        let found = self.next.checked_sub(1).and_then(|at| self.parts.get_mut(at)).ok_or(EndOfRun)?;
        if self.reader.depth == DEEPEST {
            return Err(EndOfRun);
        }
        seed.deserialize(SchemaReader { trace: self.reader.trace, found, depth: self.reader.depth + 1 })
    }
}

/// A variant of an enum, and its content.
struct TracedContent<'t, 'r> {
    reader: &'r SchemaReader<'t>,
    variant: u32,
    content: &'r mut Schema,
}

impl<'t, 'r> TracedContent<'t, 'r> {
    fn read(self) -> Result<SchemaReader<'r>, EndOfRun>
    where
        't: 'r,
    {
        if self.reader.depth == DEEPEST {
            return Err(EndOfRun);
        }
        Ok(SchemaReader { trace: self.reader.trace, found: self.content, depth: self.reader.depth + 1 })
    }
}

impl<'de, 't, 'r> EnumAccess<'de> for TracedContent<'t, 'r> {
    type Error = EndOfRun;
    type Variant = Self;
    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), EndOfRun> {
        let index: U32Deserializer<EndOfRun> = self.variant.into_deserializer();
        Ok((seed.deserialize(index)?, self))
    }
}

impl<'de> VariantAccess<'de> for TracedContent<'_, '_> {
    type Error = EndOfRun;
    fn unit_variant(self) -> Result<(), EndOfRun> {
        *self.content = Schema::Unit;
        Ok(())
    }
    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, EndOfRun> {
        seed.deserialize(self.read()?)
    }
    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, EndOfRun> {
        self.read()?.deserialize_tuple(length, visitor)
    }
    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, EndOfRun> {
        self.read()?.deserialize_struct("", fields, visitor)
    }
}

//! The answers of a [`Tracer`] to the requests of a type: dummy values.

use alloc::format;
use alloc::string::String;
use core::any::type_name;
use core::cell::Cell;

use serde::de::{self, DeserializeSeed, IntoDeserializer, Visitor};

use super::trace::{Tracer, is_derived};
use crate::persist::compact::Fault;

/// The fields of a struct by name, in another order than that of the struct.
pub(super) struct OfferedFields<'t, 'o> {
    pub(super) tracer: &'t mut Tracer,
    pub(super) fields: &'static [&'static str],
    pub(super) order: alloc::vec::IntoIter<usize>,
    /// The last field, and whether its value was requested.
    pub(super) offered: &'o Cell<Option<(usize, bool)>>,
}

impl<'de> de::MapAccess<'de> for OfferedFields<'_, '_> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Fault> {
        let is_first = self.offered.get().is_none();
        let Some(field) = self.order.next() else {
            self.offered.set(None);
            return Ok(None);
        };
        self.offered.set(Some((field, false)));
        if !is_first {
            self.tracer.note(", ")?;
        }
        let name: de::value::StrDeserializer<'_, Fault> = self.fields[field].into_deserializer();
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        if let Some((field, _)) = self.offered.get() {
            self.offered.set(Some((field, true)));
            self.tracer.note(self.fields[field])?;
        }
        self.tracer.note(": ")?;
        self.tracer.asking = Some(type_name::<V::Value>());
        seed.deserialize(&mut *self.tracer)
    }
}

pub(super) struct TracedElements<'t> {
    tracer: &'t mut Tracer,
    left: usize,
    first: bool,
    names: &'static [&'static str],
}

impl<'t> TracedElements<'t> {
    pub(super) fn new(tracer: &'t mut Tracer, left: usize) -> Self {
        Self { tracer, left, first: true, names: &[] }
    }

    pub(super) fn named(tracer: &'t mut Tracer, names: &'static [&'static str]) -> Self {
        Self { tracer, left: names.len(), first: true, names }
    }
}

impl<'de> de::SeqAccess<'de> for TracedElements<'_> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Fault> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        if !core::mem::take(&mut self.first) {
            self.tracer.note(", ")?;
        }
        if let [name, rest @ ..] = self.names {
            self.names = rest;
            self.tracer.note(name)?;
            self.tracer.note(": ")?;
        }
        self.tracer.asking = Some(type_name::<T::Value>());
        seed.deserialize(&mut *self.tracer).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left.min(1))
    }
}

impl<'de> de::MapAccess<'de> for TracedElements<'_> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Fault> {
        de::SeqAccess::next_element_seed(self, seed)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        self.tracer.note(": ")?;
        self.tracer.asking = Some(type_name::<V::Value>());
        seed.deserialize(&mut *self.tracer)
    }
}

macro_rules! leaves {
    ($($name:ident $visit:ident $value:expr, $text:literal;)*) => {$(
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
            self.visited_by::<V>();
            self.note($text)?;
            visitor.$visit($value)
        }
    )*};
}

impl<'de> de::Deserializer<'de> for &mut Tracer {
    type Error = Fault;

    leaves! {
        deserialize_bool visit_bool true, "bool";
        deserialize_u8 visit_u8 1, "u8";
        deserialize_u16 visit_u16 1, "u16";
        deserialize_u32 visit_u32 1, "u32";
        deserialize_u64 visit_u64 1, "u64";
        deserialize_u128 visit_u128 1, "u128";
        deserialize_i8 visit_i8 1, "i8";
        deserialize_i16 visit_i16 1, "i16";
        deserialize_i32 visit_i32 1, "i32";
        deserialize_i64 visit_i64 1, "i64";
        deserialize_i128 visit_i128 1, "i128";
        deserialize_f32 visit_f32 1.0, "f32";
        deserialize_f64 visit_f64 1.0, "f64";
        deserialize_char visit_char 'a', "char";
        deserialize_str visit_str "a", "str";
        deserialize_string visit_str "a", "str";
        deserialize_bytes visit_bytes b"a", "bytes";
        deserialize_byte_buf visit_bytes b"a", "bytes";
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.visited_by::<V>();
        self.note("()")?;
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.visited_by::<V>();
        if self.is_deep() {
            self.note("?")?;
            return visitor.visit_none();
        }
        let of = type_name::<V::Value>();
        self.nested(("Option<", ">"), Some(of), |tracer| {
            let content = of.strip_prefix("core::option::Option<");
            tracer.asking = content.and_then(|content| content.strip_suffix('>'));
            visitor.visit_some(tracer)
        })
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        if name == crate::entity::saved::ids::TOKEN {
            self.has_ids = true;
            self.asking = None;
            self.note("Entity")?;
            return visitor.visit_u64(1 << 32);
        }
        self.visited_by::<V>();
        self.nested(("", ""), Some(type_name::<V::Value>()), |tracer| {
            // as a sequence, the derive names the type of its field
            match is_derived(type_name::<V>()) {
                true => visitor.visit_seq(TracedElements::new(tracer, 1)),
                false => visitor.visit_newtype_struct(tracer),
            }
        })
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.visited_by::<V>();
        let count = self.few();
        self.nested(("[", "]"), Some(type_name::<V::Value>()), |tracer| {
            visitor.visit_seq(TracedElements::new(tracer, count))
        })
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Fault> {
        self.visited_by::<V>();
        self.nested(("(", ")"), Some(type_name::<V::Value>()), |tracer| {
            visitor.visit_seq(TracedElements::new(tracer, length))
        })
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.deserialize_tuple(length, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.visited_by::<V>();
        let count = self.few();
        self.nested(("map{", "}"), Some(type_name::<V::Value>()), |tracer| {
            visitor.visit_map(TracedElements::new(tracer, count))
        })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.visited_by::<V>();
        self.nested(("{", "}"), Some(type_name::<V::Value>()), |tracer| tracer.fields(fields, visitor))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.visited_by::<V>();
        let names = variants.join(" ");
        let of = type_name::<V::Value>();
        let (at, index, is_first) = self.variant(&names, of, variants.len());
        let Some(variant) = variants.get(index) else { return Err(Fault::end()) };
        let listed = if is_first { format!("enum[{names}]") } else { String::new() };
        let open = format!("{listed}::{variant}");
        let value = self.nested((&open, ""), Some(of), |tracer| {
            visitor.visit_enum(TracedVariant { tracer, index: index as u32, of })
        })?;
        self.enums[at].accepted = Some(index);
        Ok(value)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        // a tag, of which only the first value is recorded
        self.is_partial = true;
        visitor.visit_u32(0)
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.asks = true;
        self.note("any")?;
        visitor.visit_unit()
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_any(visitor)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

struct TracedVariant<'t> {
    tracer: &'t mut Tracer,
    index: u32,
    /// The name of the enum's type.
    of: &'static str,
}

impl<'de, 't> de::EnumAccess<'de> for TracedVariant<'t> {
    type Error = Fault;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Fault> {
        let index: de::value::U32Deserializer<Fault> = self.index.into_deserializer();
        Ok((seed.deserialize(index)?, self))
    }
}

impl<'de> de::VariantAccess<'de> for TracedVariant<'_> {
    type Error = Fault;

    fn unit_variant(self) -> Result<(), Fault> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Fault> {
        self.tracer.nested(("(", ")"), None, |tracer| {
            tracer.asking = Some(type_name::<T::Value>());
            seed.deserialize(tracer)
        })
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Fault> {
        self.tracer.asking = Some(self.of);
        self.tracer.visited_by::<V>();
        self.tracer.nested(("(", ")"), None, |tracer| visitor.visit_seq(TracedElements::new(tracer, length)))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.tracer.asking = Some(self.of);
        self.tracer.visited_by::<V>();
        self.tracer.nested(("{", "}"), None, |tracer| tracer.fields(fields, visitor))
    }
}

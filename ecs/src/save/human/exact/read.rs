//! Reading floating point numbers exactly.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::de::{
    self, DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor,
};

use super::nothing::{self, visit_content, visit_nothing};
use super::{Special, unescaped};

/// The way in which numbers are requested from a format.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbers {
    /// A number may be text: any value is requested.
    Any,
    /// All numbers are finite: a number is requested.
    Finite,
}

impl Numbers {
    /// Wraps a part of a value, or its seed.
    fn reader<T>(self, inner: T) -> ExactReader<T> {
        ExactReader { inner, numbers: self, in_some: false }
    }

    /// Wraps the visitor of a variant's content.
    fn visitor<V>(self, visitor: V) -> RequestVisitor<V> {
        RequestVisitor { visitor, request: Request::Other, numbers: self, in_some: false }
    }
}

/// A wrapper of a deserializer, or of a seed that is passed to one.
pub(crate) struct ExactReader<T> {
    inner: T,
    numbers: Numbers,
    /// Whether the value is the content of a `Some`: see [`nothing`].
    in_some: bool,
}

impl<T> ExactReader<T> {
    /// Wraps a deserializer of values whose numbers may be text.
    pub(crate) fn new(inner: T) -> Self {
        Self { inner, numbers: Numbers::Any, in_some: false }
    }

    /// Wraps the deserializer of the content of a `Some`.
    pub(super) fn within_some(inner: T) -> Self {
        Self { in_some: true, ..Self::new(inner) }
    }

    /// Wraps the visitor of a request.
    fn visitor<V>(&self, request: Request, visitor: V) -> RequestVisitor<V> {
        RequestVisitor { visitor, request, numbers: self.numbers, in_some: self.in_some }
    }
}

/// The name of the newtype by which [`read_finite`] tells the [`ExactReader`], whose type it does not know, that all numbers are finite.
const FINITE: &str = "$ecs::save::Finite";

/// Reads a value that has only finite numbers, by a deserializer that is an [`ExactReader`].
pub(crate) fn read_finite<'de, S: DeserializeSeed<'de>, D: Deserializer<'de>>(
    seed: S,
    reader: D,
) -> Result<S::Value, D::Error> {
    reader.deserialize_newtype_struct(FINITE, FiniteVisitor(seed))
}

/// The visitor of a value that has only finite numbers.
struct FiniteVisitor<S>(S);

impl<'de, S: DeserializeSeed<'de>> Visitor<'de> for FiniteVisitor<S> {
    type Value = S::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value with finite numbers")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        self.0.deserialize(deserializer)
    }
}

/// The kind of value that a type requests from a deserializer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Request {
    /// An `f32`.
    Float32,
    /// An `f64`.
    Float64,
    /// The name of a field or of a variant.
    Name,
    /// Any value: `deserialize_any`.
    Any,
    /// Another kind of value. Text is a text value of the type.
    Other,
}

/// A visitor, and the kind of value that was requested for it.
struct RequestVisitor<V> {
    visitor: V,
    request: Request,
    numbers: Numbers,
    in_some: bool,
}

macro_rules! requests {
    ($($request:ident: $($name:ident($($argument:ident: $ty:ty),*))*;)*) => {$($(
        fn $name<V: Visitor<'de>>(self, $($argument: $ty,)* visitor: V) -> Result<V::Value, D::Error> {
            let visitor = self.visitor(Request::$request, visitor);
            self.inner.$name($($argument,)* visitor)
        }
    )*)*};
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for ExactReader<D> {
    type Error = D::Error;

    requests! {
        Any: deserialize_any();
        Name: deserialize_identifier();
        Other: deserialize_bool() deserialize_i8() deserialize_i16() deserialize_i32() deserialize_i64() deserialize_i128()
            deserialize_u8() deserialize_u16() deserialize_u32() deserialize_u64() deserialize_u128() deserialize_char()
            deserialize_str() deserialize_string() deserialize_bytes() deserialize_byte_buf()
            deserialize_seq() deserialize_map() deserialize_ignored_any()
            deserialize_tuple(len: usize) deserialize_tuple_struct(name: &'static str, len: usize)
            deserialize_struct(name: &'static str, fields: &'static [&'static str])
            deserialize_enum(name: &'static str, variants: &'static [&'static str]);
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        if self.in_some {
            return visit_content(self.inner, true, visitor);
        }
        let visitor = self.visitor(Request::Other, visitor);
        self.inner.deserialize_option(visitor)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        if self.in_some {
            return visit_content(self.inner, false, visitor);
        }
        let visitor = self.visitor(Request::Other, visitor);
        self.inner.deserialize_unit(visitor)
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        if self.in_some {
            return visit_content(self.inner, false, visitor);
        }
        let visitor = self.visitor(Request::Other, visitor);
        self.inner.deserialize_unit_struct(name, visitor)
    }

    /// Requests any value if the number may be text, because a format returns an error for text if a number is requested.
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        let visitor = self.visitor(Request::Float32, visitor);
        match self.numbers {
            Numbers::Any => self.inner.deserialize_any(visitor),
            Numbers::Finite => self.inner.deserialize_f32(visitor),
        }
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        let visitor = self.visitor(Request::Float64, visitor);
        match self.numbers {
            Numbers::Any => self.inner.deserialize_any(visitor),
            Numbers::Finite => self.inner.deserialize_f64(visitor),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        if name == FINITE {
            return visitor.visit_newtype_struct(Self { numbers: Numbers::Finite, ..self });
        }
        let visitor = self.visitor(Request::Other, visitor);
        self.inner.deserialize_newtype_struct(name, visitor)
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

/// Corrects a double rounding: returns the `f32` that was written as a decimal, if it is not the `f32` nearest to `value`, the `f64`
/// nearest to the decimal. This happens if the decimal is close to the middle between two `f32`s: the nearest `f64` may be the middle
/// itself, which is rounded to the wrong `f32`.
#[inline]
pub(super) fn narrow(value: f64) -> Option<f32> {
    let nearest = value as f32;
    if f64::from(nearest) == value {
        return None;
    }
    let in_the_middle =
        |other: &f32| f64::from(*other) + f64::from(nearest) == 2.0 * value && *other != nearest;
    let other = [nearest.next_down(), nearest.next_up()].into_iter().find(in_the_middle)?;
    was_other(value, nearest, other).then_some(other)
}

/// Returns `true` if a decimal whose nearest `f64` is `value` was written for `other`, not for `nearest`.
#[cold]
#[inline(never)]
fn was_other(value: f64, nearest: f32, other: f32) -> bool {
    let is_written = |narrow: f32| format!("{narrow:e}").parse() == Ok(value);
    is_written(other) && !is_written(nearest)
}

/// The key of the map with one entry as which `serde_json` passes a number, with the text of the number as its value (feature `arbitrary_precision`).
pub(super) const ANY_NUMBER: &str = "$serde_json::private::Number";

impl<'de, V: Visitor<'de>> RequestVisitor<V> {
    /// Reads text as the requested number: a special number, the key of a map in JSON, or any number in a format without numbers.
    fn number<E: Error>(self, text: &str) -> Result<V::Value, E> {
        let unknown = |visitor: &V| E::invalid_type(de::Unexpected::Str(text), visitor);
        match (self.request, Special::find(text)) {
            (Request::Float32, Some(Special::Nan64(_))) | (Request::Float64, Some(Special::Nan32(_))) => {
                Err(E::custom(format_args!("`{text}` has the bits of another type of number")))
            }
            (request, Some(special)) => special.visit(request != Request::Float32, self.visitor),
            (Request::Float32, None) => match text.parse() {
                Ok(value) => self.visitor.visit_f32(value),
                Err(_) => Err(unknown(&self.visitor)),
            },
            (_, None) => match text.parse() {
                Ok(value) => self.visitor.visit_f64(value),
                Err(_) => Err(unknown(&self.visitor)),
            },
        }
    }

    /// Returns `true` if text is to be read as a number.
    fn is_number(&self, text: &str) -> bool {
        match self.request {
            Request::Float32 | Request::Float64 => true,
            Request::Any => Special::find(text).is_some(),
            Request::Name | Request::Other => false,
        }
    }

    /// If any value was requested and text is that of a `Some` of nothing, returns the number of `Some`s.
    fn somes(&self, text: &str) -> Option<usize> {
        let others = if self.request == Request::Any { nothing::find(text)? } else { return None };
        Some(others + usize::from(!self.in_some))
    }

    /// Returns text as the type's text value, without the `$` that escapes it.
    fn own<'t>(&self, text: &'t str) -> &'t str {
        if self.request == Request::Name { text } else { unescaped(text) }
    }
}

macro_rules! visited {
    ($($name:ident: $ty:ty;)*) => {$(
        fn $name<E: Error>(self, value: $ty) -> Result<V::Value, E> {
            self.visitor.$name(value)
        }
    )*};
}

impl<'de, V: Visitor<'de>> Visitor<'de> for RequestVisitor<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.visitor.expecting(f)
    }

    visited! {
        visit_bool: bool; visit_i8: i8; visit_i16: i16; visit_i32: i32; visit_i64: i64; visit_i128: i128; visit_u8: u8;
        visit_u16: u16; visit_u32: u32; visit_u64: u64; visit_u128: u128; visit_f32: f32; visit_char: char; visit_bytes: &[u8]; visit_borrowed_bytes: &'de [u8]; visit_byte_buf: Vec<u8>;
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<V::Value, E> {
        match if self.request == Request::Float32 { narrow(value) } else { None } {
            Some(narrow) => self.visitor.visit_f32(narrow),
            None => self.visitor.visit_f64(value),
        }
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<V::Value, E> {
        if let Some(somes) = self.somes(text) {
            return visit_nothing(somes, self.visitor);
        }
        if self.is_number(text) {
            return self.number(text);
        }
        let own = self.own(text);
        self.visitor.visit_str(own)
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<V::Value, E> {
        if self.is_number(text) || self.somes(text).is_some() {
            return self.visit_str(text);
        }
        let own = self.own(text);
        self.visitor.visit_borrowed_str(own)
    }

    fn visit_string<E: Error>(self, text: String) -> Result<V::Value, E> {
        if self.is_number(&text) || self.somes(&text).is_some() || self.own(&text) != text {
            return self.visit_str(&text);
        }
        self.visitor.visit_string(text)
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.visitor.visit_none()
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.visitor.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        let inner = deserializer;
        self.visitor.visit_some(ExactReader { inner, numbers: self.numbers, in_some: true })
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        let inner = deserializer;
        let content = ExactReader { inner, numbers: self.numbers, in_some: self.in_some };
        self.visitor.visit_newtype_struct(content)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_seq(self.numbers.reader(seq))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<V::Value, A::Error> {
        if let Request::Float32 | Request::Float64 = self.request {
            return match map.next_key::<Cow<'_, str>>()?.as_deref() {
                Some(ANY_NUMBER) => self.number(&map.next_value::<String>()?),
                _ => Err(A::Error::invalid_type(de::Unexpected::Map, &self.visitor)),
            };
        }
        self.visitor.visit_map(self.numbers.reader(map))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_enum(self.numbers.reader(data))
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for ExactReader<S> {
    type Value = S::Value;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        self.inner.deserialize(self.numbers.reader(deserializer))
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for ExactReader<A> {
    type Error = A::Error;
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.inner.next_element_seed(self.numbers.reader(seed))
    }
    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for ExactReader<A> {
    type Error = A::Error;
    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.inner.next_key_seed(self.numbers.reader(seed))
    }
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.inner.next_value_seed(self.numbers.reader(seed))
    }
    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'de, A: EnumAccess<'de>> EnumAccess<'de> for ExactReader<A> {
    type Error = A::Error;
    type Variant = ExactReader<A::Variant>;
    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self::Variant), A::Error> {
        let (value, variant) = self.inner.variant_seed(self.numbers.reader(seed))?;
        Ok((value, self.numbers.reader(variant)))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for ExactReader<A> {
    type Error = A::Error;
    fn unit_variant(self) -> Result<(), A::Error> {
        self.inner.unit_variant()
    }
    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, A::Error> {
        self.inner.newtype_variant_seed(self.numbers.reader(seed))
    }
    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, A::Error> {
        self.inner.tuple_variant(len, self.numbers.visitor(visitor))
    }
    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        self.inner.struct_variant(fields, self.numbers.visitor(visitor))
    }
}

//! Exact floating point numbers in human-readable formats: NaN and the infinities are written as text.
//!
//! JSON lacks these numbers: `serde_json` writes `null`, which is not read as a number, or is read as `None`. So they are
//! written as `"$NaN"`, `"$inf"` and `"$-inf"`, and a NaN with other bits as `"$NaN(ffc00000)"`. These texts are read as numbers if the
//! type requests a number or calls `deserialize_any` (`untagged`, `flatten`). A text value that looks like one of them gets one more
//! `$` in the file.
//!
//! In a type that calls `deserialize_any`, serde stores a decimal as an `f64`, so an `f32` is rounded twice. In tests, one in a
//! thousand million numbers was restored as an adjacent `f32`.
//!
//! [`Exact`] wraps a serializer or a deserializer, and all values, seeds and visitors that pass through it.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::de::{
    self, DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use serde::ser::{self, Serialize, Serializer};

/// A wrapper of a serializer, a deserializer, or of a value, seed or visitor that is passed to one.
pub(crate) struct Exact<T>(pub(crate) T);

/// A number that JSON lacks.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Special {
    Infinite {
        negative: bool,
    },
    Nan,
    /// A NaN with other bits than `f32::NAN` or `f64::NAN`.
    Nan32(u32),
    Nan64(u64),
}

impl Special {
    /// Parses the text of a special number.
    fn find(text: &str) -> Option<Self> {
        match text.strip_prefix('$')? {
            "NaN" => Some(Self::Nan),
            "inf" => Some(Self::Infinite { negative: false }),
            "-inf" => Some(Self::Infinite { negative: true }),
            rest => {
                let digits = rest.strip_prefix("NaN(")?.strip_suffix(')')?;
                let is_hex = digits.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
                let bits = u64::from_str_radix(digits, 16).ok().filter(|_| is_hex)?;
                match digits.len() {
                    8 => Some(Self::Nan32(bits as u32)).filter(|_| f32::from_bits(bits as u32).is_nan()),
                    16 => Some(Self::Nan64(bits)).filter(|_| f64::from_bits(bits).is_nan()),
                    _ => None,
                }
            }
        }
    }

    fn text32(value: f32) -> Cow<'static, str> {
        match value.to_bits() {
            bits if bits == f32::NAN.to_bits() => "$NaN".into(),
            bits if value.is_nan() => format!("$NaN({bits:08x})").into(),
            _ if value < 0.0 => "$-inf".into(),
            _ => "$inf".into(),
        }
    }

    fn text64(value: f64) -> Cow<'static, str> {
        match value.to_bits() {
            bits if bits == f64::NAN.to_bits() => "$NaN".into(),
            bits if value.is_nan() => format!("$NaN({bits:016x})").into(),
            _ if value < 0.0 => "$-inf".into(),
            _ => "$inf".into(),
        }
    }

    /// Passes the number to a visitor; `wide` if the visitor requested an `f64` or any value.
    fn visit<'de, V: Visitor<'de>, E: Error>(self, wide: bool, visitor: V) -> Result<V::Value, E> {
        match self {
            Self::Nan32(bits) => visitor.visit_f32(f32::from_bits(bits)),
            Self::Nan64(bits) => visitor.visit_f64(f64::from_bits(bits)),
            Self::Nan if wide => visitor.visit_f64(f64::NAN),
            Self::Nan => visitor.visit_f32(f32::NAN),
            Self::Infinite { negative: false } => visitor.visit_f64(f64::INFINITY),
            Self::Infinite { negative: true } => visitor.visit_f64(f64::NEG_INFINITY),
        }
    }
}

/// Returns `true` if the text is that of a special number, after any number of `$` that escape it.
fn is_escaped(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('$') else { return false };
    Special::find(text).is_some() || is_escaped(rest)
}

/// Removes the `$` that escapes a text value in a file.
fn unescaped(text: &str) -> &str {
    match text.strip_prefix('$') {
        Some(rest) if is_escaped(rest) => rest,
        _ => text,
    }
}

impl<T: Serialize + ?Sized> Serialize for Exact<&T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(Exact(serializer))
    }
}

/// Writes a number that JSON lacks. Apart from the common case, so that this is inlined.
#[cold]
#[inline(never)]
fn special<S: Serializer>(serializer: S, text: Cow<'static, str>) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&text)
}

/// Writes text that begins with a `$`, and may have to be escaped.
#[cold]
#[inline(never)]
fn marked<S: Serializer>(serializer: S, text: &str) -> Result<S::Ok, S::Error> {
    if is_escaped(text) {
        serializer.serialize_str(&format!("${text}"))
    } else {
        serializer.serialize_str(text)
    }
}

macro_rules! written {
    ($($name:ident: $ty:ty;)*) => {$(
        #[inline]
        fn $name(self, value: $ty) -> Result<S::Ok, S::Error> {
            self.0.$name(value)
        }
    )*};
}

macro_rules! begun {
    ($($name:ident($($argument:ident: $ty:ty),*) -> $part:ident;)*) => {$(
        #[inline]
        fn $name(self, $($argument: $ty),*) -> Result<Exact<S::$part>, S::Error> {
            self.0.$name($($argument),*).map(Exact)
        }
    )*};
}

impl<S: Serializer> Serializer for Exact<S> {
    type Ok = S::Ok;
    type Error = S::Error;
    type SerializeSeq = Exact<S::SerializeSeq>;
    type SerializeTuple = Exact<S::SerializeTuple>;
    type SerializeTupleStruct = Exact<S::SerializeTupleStruct>;
    type SerializeTupleVariant = Exact<S::SerializeTupleVariant>;
    type SerializeMap = Exact<S::SerializeMap>;
    type SerializeStruct = Exact<S::SerializeStruct>;
    type SerializeStructVariant = Exact<S::SerializeStructVariant>;

    written! {
        serialize_bool: bool; serialize_i8: i8; serialize_i16: i16; serialize_i32: i32; serialize_i64: i64;
        serialize_i128: i128; serialize_u8: u8; serialize_u16: u16; serialize_u32: u32; serialize_u64: u64;
        serialize_u128: u128; serialize_char: char; serialize_bytes: &[u8]; serialize_unit_struct: &'static str;
    }

    begun! {
        serialize_seq(len: Option<usize>) -> SerializeSeq;
        serialize_tuple(len: usize) -> SerializeTuple;
        serialize_tuple_struct(name: &'static str, len: usize) -> SerializeTupleStruct;
        serialize_tuple_variant(name: &'static str, index: u32, variant: &'static str, len: usize) -> SerializeTupleVariant;
        serialize_map(len: Option<usize>) -> SerializeMap;
        serialize_struct(name: &'static str, len: usize) -> SerializeStruct;
        serialize_struct_variant(name: &'static str, index: u32, variant: &'static str, len: usize) -> SerializeStructVariant;
    }

    #[inline]
    fn serialize_f32(self, value: f32) -> Result<S::Ok, S::Error> {
        if value.is_finite() { self.0.serialize_f32(value) } else { special(self.0, Special::text32(value)) }
    }

    #[inline]
    fn serialize_f64(self, value: f64) -> Result<S::Ok, S::Error> {
        if value.is_finite() { self.0.serialize_f64(value) } else { special(self.0, Special::text64(value)) }
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<S::Ok, S::Error> {
        if value.starts_with('$') { marked(self.0, value) } else { self.0.serialize_str(value) }
    }

    fn serialize_none(self) -> Result<S::Ok, S::Error> {
        self.0.serialize_none()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<S::Ok, S::Error> {
        self.0.serialize_some(&Exact(value))
    }

    fn serialize_unit(self) -> Result<S::Ok, S::Error> {
        self.0.serialize_unit()
    }

    fn serialize_unit_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
    ) -> Result<S::Ok, S::Error> {
        self.0.serialize_unit_variant(name, index, variant)
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        self.0.serialize_newtype_struct(name, &Exact(value))
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        self.0.serialize_newtype_variant(name, index, variant, &Exact(value))
    }

    fn is_human_readable(&self) -> bool {
        self.0.is_human_readable()
    }
}

macro_rules! elements {
    ($($of_trait:ident $method:ident;)*) => {$(
        impl<S: ser::$of_trait> ser::$of_trait for Exact<S> {
            type Ok = S::Ok;
            type Error = S::Error;
            #[inline]
            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), S::Error> {
                self.0.$method(&Exact(value))
            }
            fn end(self) -> Result<S::Ok, S::Error> {
                self.0.end()
            }
        }
    )*};
}

elements! {
    SerializeSeq serialize_element;
    SerializeTuple serialize_element;
    SerializeTupleStruct serialize_field;
    SerializeTupleVariant serialize_field;
}

macro_rules! fields {
    ($($of_trait:ident)*) => {$(
        impl<S: ser::$of_trait> ser::$of_trait for Exact<S> {
            type Ok = S::Ok;
            type Error = S::Error;
            #[inline]
            fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), S::Error> {
                self.0.serialize_field(name, &Exact(value))
            }
            fn skip_field(&mut self, name: &'static str) -> Result<(), S::Error> {
                self.0.skip_field(name)
            }
            fn end(self) -> Result<S::Ok, S::Error> {
                self.0.end()
            }
        }
    )*};
}

fields!(SerializeStruct SerializeStructVariant);

impl<S: ser::SerializeMap> ser::SerializeMap for Exact<S> {
    type Ok = S::Ok;
    type Error = S::Error;
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), S::Error> {
        self.0.serialize_key(&Exact(key))
    }
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), S::Error> {
        self.0.serialize_value(&Exact(value))
    }
    fn end(self) -> Result<S::Ok, S::Error> {
        self.0.end()
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
struct RequestVisitor<V>(V, Request);

macro_rules! requests {
    ($($request:ident: $($name:ident($($argument:ident: $ty:ty),*))*;)*) => {$($(
        fn $name<V: Visitor<'de>>(self, $($argument: $ty,)* visitor: V) -> Result<V::Value, D::Error> {
            self.0.$name($($argument,)* RequestVisitor(visitor, Request::$request))
        }
    )*)*};
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Exact<D> {
    type Error = D::Error;

    requests! {
        Any: deserialize_any();
        Name: deserialize_identifier();
        Other: deserialize_bool() deserialize_i8() deserialize_i16() deserialize_i32() deserialize_i64() deserialize_i128()
            deserialize_u8() deserialize_u16() deserialize_u32() deserialize_u64() deserialize_u128() deserialize_char()
            deserialize_str() deserialize_string() deserialize_bytes() deserialize_byte_buf() deserialize_option()
            deserialize_unit() deserialize_seq() deserialize_map() deserialize_ignored_any()
            deserialize_unit_struct(name: &'static str) deserialize_newtype_struct(name: &'static str)
            deserialize_tuple(len: usize) deserialize_tuple_struct(name: &'static str, len: usize)
            deserialize_struct(name: &'static str, fields: &'static [&'static str])
            deserialize_enum(name: &'static str, variants: &'static [&'static str]);
    }

    /// Requests any value, because a format returns an error for text if a number is requested.
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_any(RequestVisitor(visitor, Request::Float32))
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_any(RequestVisitor(visitor, Request::Float64))
    }

    fn is_human_readable(&self) -> bool {
        self.0.is_human_readable()
    }
}

/// Corrects a double rounding: returns the `f32` that was written as a decimal, if it is not the `f32` nearest to `value`, the `f64`
/// nearest to the decimal. This happens if the decimal is close to the middle between two `f32`s: the nearest `f64` may be the middle
/// itself, which is rounded to the wrong `f32`.
#[inline]
fn narrow(value: f64) -> Option<f32> {
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

/// The name of the newtype by which `serde_json` passes numbers as text (its feature `arbitrary_precision`).
const ANY_NUMBER: &str = "$serde_json::private::Number";

impl<'de, V: Visitor<'de>> RequestVisitor<V> {
    /// Reads text as the requested number: a special number, the key of a map in JSON, or any number in a format without numbers.
    fn number<E: Error>(self, text: &str) -> Result<V::Value, E> {
        let unknown = |visitor: &V| E::invalid_type(de::Unexpected::Str(text), visitor);
        match (self.1, Special::find(text)) {
            (Request::Float32, Some(Special::Nan64(_))) | (Request::Float64, Some(Special::Nan32(_))) => {
                Err(E::custom(format_args!("`{text}` has the bits of another type of number")))
            }
            (request, Some(special)) => special.visit(request != Request::Float32, self.0),
            (Request::Float32, None) => match text.parse() {
                Ok(value) => self.0.visit_f32(value),
                Err(_) => Err(unknown(&self.0)),
            },
            (_, None) => match text.parse() {
                Ok(value) => self.0.visit_f64(value),
                Err(_) => Err(unknown(&self.0)),
            },
        }
    }

    /// Returns `true` if text is to be read as a number.
    fn is_number(&self, text: &str) -> bool {
        match self.1 {
            Request::Float32 | Request::Float64 => true,
            Request::Any => Special::find(text).is_some(),
            Request::Name | Request::Other => false,
        }
    }

    /// Returns text as the type's text value, without the `$` that escapes it.
    fn own<'t>(&self, text: &'t str) -> &'t str {
        if self.1 == Request::Name { text } else { unescaped(text) }
    }
}

macro_rules! visited {
    ($($name:ident: $ty:ty;)*) => {$(
        fn $name<E: Error>(self, value: $ty) -> Result<V::Value, E> {
            self.0.$name(value)
        }
    )*};
}

impl<'de, V: Visitor<'de>> Visitor<'de> for RequestVisitor<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    visited! {
        visit_bool: bool; visit_i8: i8; visit_i16: i16; visit_i32: i32; visit_i64: i64; visit_i128: i128; visit_u8: u8;
        visit_u16: u16; visit_u32: u32; visit_u64: u64; visit_u128: u128; visit_f32: f32; visit_char: char; visit_bytes: &[u8]; visit_borrowed_bytes: &'de [u8]; visit_byte_buf: Vec<u8>;
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<V::Value, E> {
        match if self.1 == Request::Float32 { narrow(value) } else { None } {
            Some(narrow) => self.0.visit_f32(narrow),
            None => self.0.visit_f64(value),
        }
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<V::Value, E> {
        if self.is_number(text) {
            return self.number(text);
        }
        let own = self.own(text);
        self.0.visit_str(own)
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<V::Value, E> {
        if self.is_number(text) {
            return self.number(text);
        }
        let own = self.own(text);
        self.0.visit_borrowed_str(own)
    }

    fn visit_string<E: Error>(self, text: String) -> Result<V::Value, E> {
        if self.is_number(&text) || self.own(&text) != text {
            return self.visit_str(&text);
        }
        self.0.visit_string(text)
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.0.visit_none()
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.0.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        self.0.visit_some(Exact(deserializer))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        self.0.visit_newtype_struct(Exact(deserializer))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<V::Value, A::Error> {
        self.0.visit_seq(Exact(seq))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<V::Value, A::Error> {
        if let Request::Float32 | Request::Float64 = self.1 {
            return match map.next_key::<Cow<'_, str>>()?.as_deref() {
                Some(ANY_NUMBER) => self.number(&map.next_value::<String>()?),
                _ => Err(A::Error::invalid_type(de::Unexpected::Map, &self.0)),
            };
        }
        self.0.visit_map(Exact(map))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<V::Value, A::Error> {
        self.0.visit_enum(Exact(data))
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Exact<S> {
    type Value = S::Value;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        self.0.deserialize(Exact(deserializer))
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Exact<A> {
    type Error = A::Error;
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.0.next_element_seed(Exact(seed))
    }
    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Exact<A> {
    type Error = A::Error;
    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.0.next_key_seed(Exact(seed))
    }
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.0.next_value_seed(Exact(seed))
    }
    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

impl<'de, A: EnumAccess<'de>> EnumAccess<'de> for Exact<A> {
    type Error = A::Error;
    type Variant = Exact<A::Variant>;
    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self::Variant), A::Error> {
        let (value, variant) = self.0.variant_seed(Exact(seed))?;
        Ok((value, Exact(variant)))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for Exact<A> {
    type Error = A::Error;
    fn unit_variant(self) -> Result<(), A::Error> {
        self.0.unit_variant()
    }
    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, A::Error> {
        self.0.newtype_variant_seed(Exact(seed))
    }
    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, A::Error> {
        self.0.tuple_variant(len, RequestVisitor(visitor, Request::Other))
    }
    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        self.0.struct_variant(fields, RequestVisitor(visitor, Request::Other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_is_rounded_twice_is_the_one_that_was_written() {
        let written = f32::from_bits(0x15ae_43fd);
        let wide: f64 = format!("{written:e}").parse().unwrap();
        assert_ne!(wide as f32, written);
        assert_eq!((narrow(wide), narrow(-wide)), (Some(written), Some(-written)));
        for other in [0.0, -0.0, 0.1, 16_777_217.0, f64::MAX, f64::MIN_POSITIVE, f64::INFINITY, f64::NAN] {
            assert_eq!(narrow(other), None, "{other}");
        }
    }

    #[test]
    fn the_visitor_gets_a_number_of_the_type_that_it_requested() {
        struct Which;
        impl Visitor<'_> for Which {
            type Value = Result<u32, u64>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number")
            }
            fn visit_f32<E: Error>(self, value: f32) -> Result<Self::Value, E> {
                Ok(Ok(value.to_bits()))
            }
            fn visit_f64<E: Error>(self, value: f64) -> Result<Self::Value, E> {
                Ok(Err(value.to_bits()))
            }
        }
        let visit = |text: &str, wide| {
            Special::find(text).unwrap().visit::<_, de::value::Error>(wide, Which).unwrap()
        };
        assert_eq!(visit("$NaN", false), Ok(f32::NAN.to_bits()));
        assert_eq!(visit("$NaN", true), Err(f64::NAN.to_bits()));
        assert_eq!(visit("$NaN(7fc00001)", true), Ok(0x7fc0_0001));
        assert_eq!(visit("$NaN(fff8000000000000)", false), Err(0xfff8_0000_0000_0000));
        assert_eq!(visit("$-inf", true), Err(f64::NEG_INFINITY.to_bits()));
        assert_eq!(
            (Special::text32(f32::INFINITY), Special::text32(f32::NEG_INFINITY)),
            ("$inf".into(), "$-inf".into())
        );
        assert_eq!(
            (Special::text64(f64::INFINITY), Special::text64(f64::NEG_INFINITY)),
            ("$inf".into(), "$-inf".into())
        );
    }

    /// The feature `arbitrary_precision` of `serde_json` passes a number as a map with one entry.
    #[test]
    fn a_number_that_is_passed_as_a_map_is_read() {
        use serde::Deserialize;
        use serde::de::value::{Error, MapDeserializer};
        let map = |key| Exact(MapDeserializer::<_, Error>::new([(key, "0.1")].into_iter()));
        assert_eq!(f32::deserialize(map(ANY_NUMBER)), Ok(0.1));
        assert_eq!(f64::deserialize(map(ANY_NUMBER)), Ok(0.1));
        assert!(f32::deserialize(map("number")).is_err());
    }

    #[test]
    fn text_that_reads_like_a_number_has_one_mark_more() {
        for text in ["$NaN", "$inf", "$-inf", "$NaN(7fc00001)", "$NaN(fff8000000000000)", "$$NaN", "$$$-inf"]
        {
            assert!(is_escaped(text), "{text}");
            assert_eq!(unescaped(&format!("${text}")), text);
        }
        let others = [
            "",
            "$",
            "NaN",
            "$nan",
            "$NaN(7f800000)",
            "$NaN(7FC00001)",
            "$NaN(+7fc0000)",
            "$$",
            "x$NaN",
            "$NaN ",
        ];
        for text in others {
            assert!(!is_escaped(text), "{text}");
            assert_eq!(unescaped(text), text);
        }
    }
}

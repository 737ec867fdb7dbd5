//! [`ReadForm`]: a deserializer without its type.
//!
//! A type's visitor is behind [`Receiver`], whose one function takes any [`FormEvent`]; a seed is
//! behind [`Sower`]. Both are compiled once for each type, and everything else once for each
//! format.

mod format;

use alloc::string::String;
use alloc::vec::Vec;
use core::any::type_name;
use core::fmt;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};

use super::FormError;
use super::exact::ReadStyle;
use crate::value::deserialize::{NewValue, Written};
use crate::value::scalar::{Scalar, ScalarType};
pub(crate) use format::DeserializerForm;

/// The type that a value asks its format for.
#[derive(Clone, Copy)]
pub enum Hint {
    Any,
    Scalar(ScalarType),
    Str,
    String,
    Bytes,
    ByteBuf,
    Option,
    Unit,
    UnitStruct(&'static str),
    NewtypeStruct(&'static str),
    Seq,
    Tuple(usize),
    TupleStruct(&'static str, usize),
    Map,
    Struct(&'static str, &'static [&'static str]),
    Enum(&'static str, &'static [&'static str]),
    Identifier,
    IgnoredAny,
}

/// A value in a format.
pub enum FormEvent<'e, 'de> {
    Scalar(Scalar),
    Str(&'e str),
    BorrowedStr(&'de str),
    String(String),
    Bytes(&'e [u8]),
    BorrowedBytes(&'de [u8]),
    ByteBuf(Vec<u8>),
    None,
    Some(&'e mut dyn ReadForm<'de>),
    Unit,
    NewtypeStruct(&'e mut dyn ReadForm<'de>),
    Seq(&'e mut dyn SeqForm<'de>),
    Map(&'e mut dyn MapForm<'de>),
    Enum(&'e mut dyn EnumForm<'de>),
}

impl FormEvent<'_, '_> {
    /// The text, if the value is text.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Str(text) => Some(text),
            Self::BorrowedStr(text) => Some(text),
            Self::String(text) => Some(text),
            _ => None,
        }
    }
}

/// A deserializer without its type. It reads one value.
pub trait ReadForm<'de> {
    fn read(&mut self, hint: Hint, to: &mut dyn Receiver<'de>) -> Result<(), FormError>;
    fn is_human_readable(&self) -> bool {
        true
    }
    /// Reads a described value, if it is taken apart directly from the format; gives it back if not.
    fn read_new(&mut self, new: NewValue) -> Result<Result<Written, FormError>, NewValue> {
        Err(new)
    }
    /// Says that all numbers of the value are finite, so that none is text: see
    /// [`exact`](super::exact).
    fn expect_finite(&mut self) {}
}

/// The elements of a sequence.
pub trait SeqForm<'de> {
    /// Returns `false` at the end.
    fn sow_next(&mut self, to: &mut dyn Sower<'de>) -> Result<bool, FormError>;
    fn size_hint(&self) -> Option<usize> {
        None
    }
}

/// The entries of a map.
pub trait MapForm<'de> {
    /// Returns `false` at the end.
    fn sow_key(&mut self, to: &mut dyn Sower<'de>) -> Result<bool, FormError>;
    fn sow_value(&mut self, to: &mut dyn Sower<'de>) -> Result<(), FormError>;
    fn size_hint(&self) -> Option<usize> {
        None
    }
}

/// An enum: its variant, then the content of the variant in one of four ways.
pub trait EnumForm<'de> {
    fn variant(&mut self, to: &mut dyn Sower<'de>) -> Result<(), FormError>;
    fn unit(&mut self) -> Result<(), FormError>;
    fn newtype(&mut self, to: &mut dyn Sower<'de>) -> Result<(), FormError>;
    fn tuple(&mut self, length: usize, to: &mut dyn Receiver<'de>) -> Result<(), FormError>;
    fn fields(&mut self, names: &'static [&'static str], to: &mut dyn Receiver<'de>)
    -> Result<(), FormError>;
}

/// A visitor without its type.
pub trait Receiver<'de> {
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
    fn receive(&mut self, event: FormEvent<'_, 'de>) -> Result<(), FormError>;
    /// The name of the visitor's type, for a trace of `Deserialize`.
    fn visitor_name(&self) -> &'static str {
        ""
    }
    /// The name of the type of the value.
    fn value_name(&self) -> &'static str {
        ""
    }
}

/// A seed without its type.
pub trait Sower<'de> {
    fn sow(&mut self, form: &mut dyn ReadForm<'de>) -> Result<(), FormError>;
    /// The name of the type of the value.
    fn value_name(&self) -> &'static str {
        ""
    }
}

/// Reads a value.
pub(crate) fn read_value<'de, T: Deserialize<'de>>(form: &mut dyn ReadForm<'de>) -> Result<T, FormError> {
    T::deserialize(form)
}

impl<'f, 'de: 'f> dyn ReadForm<'de> + 'f {
    /// Makes the form of a deserializer.
    pub(crate) fn of<D: Deserializer<'de>>(deserializer: D) -> DeserializerForm<D, D::Error> {
        DeserializerForm::styled(deserializer, ReadStyle::PLAIN)
    }

    /// Makes the form of a deserializer whose values are exact, if it is human-readable: see
    /// [`exact`](super::exact).
    pub(crate) fn exact<D: Deserializer<'de>>(deserializer: D) -> DeserializerForm<D, D::Error> {
        let style = if deserializer.is_human_readable() { ReadStyle::EXACT } else { ReadStyle::PLAIN };
        DeserializerForm::styled(deserializer, style)
    }
}

/// Reads a map by a function that gets its entries. `expected` describes the map for an error.
pub(crate) fn read_map<'de>(
    form: &mut dyn ReadForm<'de>,
    hint: Hint,
    expected: &dyn fmt::Display,
    entries: &mut dyn FnMut(&mut dyn MapForm<'de>) -> Result<(), FormError>,
) -> Result<(), FormError> {
    let read = &mut |event: FormEvent<'_, 'de>| match event {
        FormEvent::Map(map) => entries(map),
        event => Err(unexpected(event, expected)),
    };
    form.read(hint, &mut ReceiveBy { expected, read })
}

/// Reads a sequence by a function that gets its elements. `expected` describes the sequence for an
/// error.
pub(crate) fn read_seq<'de>(
    form: &mut dyn ReadForm<'de>,
    expected: &dyn fmt::Display,
    elements: &mut dyn FnMut(&mut dyn SeqForm<'de>) -> Result<(), FormError>,
) -> Result<(), FormError> {
    let read = &mut |event: FormEvent<'_, 'de>| match event {
        FormEvent::Seq(seq) => elements(seq),
        event => Err(unexpected(event, expected)),
    };
    form.read(Hint::Seq, &mut ReceiveBy { expected, read })
}

/// Reads text by a function. `expected` describes the text for an error.
pub(crate) fn read_text(
    form: &mut dyn ReadForm<'_>,
    hint: Hint,
    expected: &dyn fmt::Display,
    text: &mut dyn FnMut(&str),
) -> Result<(), FormError> {
    let read = &mut |event: FormEvent<'_, '_>| match event.text() {
        Some(found) => {
            text(found);
            Ok(())
        }
        None => Err(unexpected(event, expected)),
    };
    form.read(hint, &mut ReceiveBy { expected, read })
}

/// A receiver that passes the value to a function.
pub(crate) struct ReceiveBy<'r, F> {
    pub(crate) expected: &'r dyn fmt::Display,
    pub(crate) read: F,
}

impl<'de, F: FnMut(FormEvent<'_, 'de>) -> Result<(), FormError>> Receiver<'de> for ReceiveBy<'_, F> {
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.expected.fmt(f)
    }

    fn receive(&mut self, event: FormEvent<'_, 'de>) -> Result<(), FormError> {
        (self.read)(event)
    }
}

/// The error of a value in the place of one that was expected.
#[cold]
pub(crate) fn unexpected<'de>(event: FormEvent<'_, 'de>, expected: &dyn fmt::Display) -> FormError {
    /// A visitor that refuses all values.
    struct Refusing<'e>(&'e dyn fmt::Display);
    impl Visitor<'_> for Refusing<'_> {
        type Value = ();
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.0.fmt(f)
        }
    }
    let mut slot = VisitorSlot { visitor: Some(Refusing(expected)), value: None };
    slot.receive(event).err().unwrap_or_else(FormError::used)
}

/// A seed that passes the form to a function.
pub(crate) struct SowBy<F>(pub(crate) F);

impl<'de, F: FnMut(&mut dyn ReadForm<'de>) -> Result<(), FormError>> Sower<'de> for SowBy<F> {
    fn sow(&mut self, form: &mut dyn ReadForm<'de>) -> Result<(), FormError> {
        (self.0)(form)
    }
}

/// Reads a value that is not used.
#[cfg(feature = "json")]
pub(crate) fn skip(form: &mut dyn ReadForm<'_>) -> Result<(), FormError> {
    read_value(form).map(|serde::de::IgnoredAny| ())
}

/// Passes a name to a seed.
pub(crate) fn sow_name<'de>(name: &str, to: &mut dyn Sower<'de>) -> Result<(), FormError> {
    let name: serde::de::value::StrDeserializer<'_, FormError> = name.into_deserializer();
    to.sow(&mut <dyn ReadForm<'de>>::of(name))
}

impl<'f, 'de: 'f> dyn MapForm<'de> + 'f {
    /// Reads the next key by a function. Returns `false` at the end.
    pub(crate) fn key_by(
        &mut self,
        read: impl FnMut(&mut dyn ReadForm<'de>) -> Result<(), FormError>,
    ) -> Result<bool, FormError> {
        self.sow_key(&mut SowBy(read))
    }

    /// Reads the next key, which is text; `None` at the end.
    pub(crate) fn next_name(&mut self) -> Result<Option<String>, FormError> {
        let mut name = String::new();
        let is_there = self.key_by(|form| {
            name = read_value(form)?;
            Ok(())
        })?;
        Ok(is_there.then_some(name))
    }

    /// Reads the value of the last key by a function.
    pub(crate) fn value_by(
        &mut self,
        read: impl FnMut(&mut dyn ReadForm<'de>) -> Result<(), FormError>,
    ) -> Result<(), FormError> {
        self.sow_value(&mut SowBy(read))
    }
}

impl<'f, 'de: 'f> dyn SeqForm<'de> + 'f {
    /// Reads the next element by a function. Returns `false` at the end.
    pub(crate) fn next_by(
        &mut self,
        read: impl FnMut(&mut dyn ReadForm<'de>) -> Result<(), FormError>,
    ) -> Result<bool, FormError> {
        self.sow_next(&mut SowBy(read))
    }
}

// These functions are compiled for each type.

/// A visitor, and later its value.
struct VisitorSlot<'de, V: Visitor<'de>> {
    visitor: Option<V>,
    value: Option<V::Value>,
}

impl<'de, V: Visitor<'de>> Receiver<'de> for VisitorSlot<'de, V> {
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.visitor {
            Some(visitor) => visitor.expecting(f),
            None => Ok(()),
        }
    }

    fn receive(&mut self, event: FormEvent<'_, 'de>) -> Result<(), FormError> {
        let Some(visitor) = self.visitor.take() else { return Err(FormError::used()) };
        let value = match event {
            FormEvent::Scalar(value) => value.visit(visitor),
            FormEvent::Str(value) => visitor.visit_str(value),
            FormEvent::BorrowedStr(value) => visitor.visit_borrowed_str(value),
            FormEvent::String(value) => visitor.visit_string(value),
            FormEvent::Bytes(value) => visitor.visit_bytes(value),
            FormEvent::BorrowedBytes(value) => visitor.visit_borrowed_bytes(value),
            FormEvent::ByteBuf(value) => visitor.visit_byte_buf(value),
            FormEvent::None => visitor.visit_none(),
            FormEvent::Some(content) => visitor.visit_some(content),
            FormEvent::Unit => visitor.visit_unit(),
            FormEvent::NewtypeStruct(content) => visitor.visit_newtype_struct(content),
            FormEvent::Seq(elements) => visitor.visit_seq(elements),
            FormEvent::Map(entries) => visitor.visit_map(entries),
            FormEvent::Enum(content) => visitor.visit_enum(content),
        };
        self.value = Some(value?);
        Ok(())
    }

    fn visitor_name(&self) -> &'static str {
        type_name::<V>()
    }

    fn value_name(&self) -> &'static str {
        type_name::<V::Value>()
    }
}

/// Lets a form call a visitor.
pub(crate) fn visited<'de, V: Visitor<'de>>(
    visitor: V,
    read: impl FnOnce(&mut dyn Receiver<'de>) -> Result<(), FormError>,
) -> Result<V::Value, FormError> {
    let mut slot = VisitorSlot { visitor: Some(visitor), value: None };
    read(&mut slot)?;
    slot.value.ok_or_else(FormError::used)
}

/// A seed, and later its value.
struct SeedSlot<'de, S: DeserializeSeed<'de>> {
    seed: Option<S>,
    value: Option<S::Value>,
}

impl<'de, S: DeserializeSeed<'de>> Sower<'de> for SeedSlot<'de, S> {
    fn sow(&mut self, form: &mut dyn ReadForm<'de>) -> Result<(), FormError> {
        let Some(seed) = self.seed.take() else { return Err(FormError::used()) };
        self.value = Some(seed.deserialize(form)?);
        Ok(())
    }

    fn value_name(&self) -> &'static str {
        type_name::<S::Value>()
    }
}

impl<'de, S: DeserializeSeed<'de>> SeedSlot<'de, S> {
    fn new(seed: S) -> Self {
        Self { seed: Some(seed), value: None }
    }

    fn done(self) -> Result<S::Value, FormError> {
        self.value.ok_or_else(FormError::used)
    }
}

/// Methods of a deserializer that ask by a hint.
macro_rules! asks {
    ($($name:ident $scalar:ident),*) => { asks! { $($name() Hint::Scalar(ScalarType::$scalar);)* } };
    ($($name:ident($($argument:ident: $ty:ty),*) $hint:expr;)*) => {$(
        fn $name<V: Visitor<'de>>(self, $($argument: $ty,)* visitor: V) -> Result<V::Value, FormError> {
            visited(visitor, |to| self.read($hint, to))
        }
    )*};
}

impl<'de> Deserializer<'de> for &mut (dyn ReadForm<'de> + '_) {
    type Error = FormError;

    asks! {
        deserialize_bool Bool, deserialize_i8 I8, deserialize_i16 I16, deserialize_i32 I32, deserialize_i64 I64,
        deserialize_i128 I128, deserialize_u8 U8, deserialize_u16 U16, deserialize_u32 U32, deserialize_u64 U64,
        deserialize_u128 U128, deserialize_f32 F32, deserialize_f64 F64, deserialize_char Char
    }
    asks! {
        deserialize_any() Hint::Any;
        deserialize_str() Hint::Str;
        deserialize_string() Hint::String;
        deserialize_bytes() Hint::Bytes;
        deserialize_byte_buf() Hint::ByteBuf;
        deserialize_option() Hint::Option;
        deserialize_unit() Hint::Unit;
        deserialize_unit_struct(name: &'static str) Hint::UnitStruct(name);
        deserialize_newtype_struct(name: &'static str) Hint::NewtypeStruct(name);
        deserialize_seq() Hint::Seq;
        deserialize_tuple(length: usize) Hint::Tuple(length);
        deserialize_tuple_struct(name: &'static str, length: usize) Hint::TupleStruct(name, length);
        deserialize_map() Hint::Map;
        deserialize_struct(name: &'static str, fields: &'static [&'static str]) Hint::Struct(name, fields);
        deserialize_enum(name: &'static str, variants: &'static [&'static str]) Hint::Enum(name, variants);
        deserialize_identifier() Hint::Identifier;
        deserialize_ignored_any() Hint::IgnoredAny;
    }

    fn is_human_readable(&self) -> bool {
        (**self).is_human_readable()
    }
}

impl<'de> SeqAccess<'de> for &mut (dyn SeqForm<'de> + '_) {
    type Error = FormError;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, FormError> {
        let mut slot = SeedSlot::new(seed);
        if (**self).sow_next(&mut slot)? { slot.done().map(Some) } else { Ok(None) }
    }

    fn size_hint(&self) -> Option<usize> {
        (**self).size_hint()
    }
}

impl<'de> MapAccess<'de> for &mut (dyn MapForm<'de> + '_) {
    type Error = FormError;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, FormError> {
        let mut slot = SeedSlot::new(seed);
        if (**self).sow_key(&mut slot)? { slot.done().map(Some) } else { Ok(None) }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, FormError> {
        let mut slot = SeedSlot::new(seed);
        (**self).sow_value(&mut slot)?;
        slot.done()
    }

    fn size_hint(&self) -> Option<usize> {
        (**self).size_hint()
    }
}

impl<'de> EnumAccess<'de> for &mut (dyn EnumForm<'de> + '_) {
    type Error = FormError;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), FormError> {
        let mut slot = SeedSlot::new(seed);
        (*self).variant(&mut slot)?;
        Ok((slot.done()?, self))
    }
}

impl<'de> VariantAccess<'de> for &mut (dyn EnumForm<'de> + '_) {
    type Error = FormError;

    fn unit_variant(self) -> Result<(), FormError> {
        (*self).unit()
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, FormError> {
        let mut slot = SeedSlot::new(seed);
        (*self).newtype(&mut slot)?;
        slot.done()
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, FormError> {
        visited(visitor, |to| (*self).tuple(length, to))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FormError> {
        visited(visitor, |to| (*self).fields(names, to))
    }
}

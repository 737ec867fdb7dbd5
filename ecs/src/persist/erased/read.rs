//! [`ReadForm`]: a deserializer without its type.
//!
//! A type's visitor is behind [`Receiver`], whose one function takes any [`FormEvent`]; a seed is
//! behind [`Sower`]. Both are compiled once for each type, and everything else once for each
//! format.

use alloc::string::String;
use alloc::vec::Vec;
use core::any::type_name;
use core::fmt;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};

use super::FormError;
use super::exact::{ReadStyle, SomeContent, receive_decimal, receive_map, receive_text};
use super::scalar::{Scalar, ScalarType};
use crate::value::deserialize::{NewValue, Written};

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

// These functions are compiled for each format.

/// The last error of a format. A type gets its text alone, but the error may have a place, too.
struct LastError<E>(Option<E>);

impl<E: serde::de::Error> LastError<E> {
    const NONE: Self = Self(None);

    /// Keeps an error, and returns it without its type.
    #[cold]
    fn keep(&mut self, error: E) -> FormError {
        let text = FormError::text(&error);
        self.0 = Some(error);
        text
    }

    /// The error of the format for one that a type has returned: the one that was kept, unless the
    /// type has another.
    #[cold]
    fn of(&mut self, error: FormError) -> E {
        let kept = self.0.take().filter(|kept| error.is_text(kept));
        kept.unwrap_or_else(|| error.to_read_error())
    }
}

/// The [`ReadForm`] of a deserializer with this error.
///
/// With `DIRECT` it is the form of a value in a list or a map: a described value is read directly
/// from its deserializer. Other forms, as those of keys, read it by calls, so that its code is not
/// compiled for them.
pub(crate) struct DeserializerForm<D, E, const DIRECT: bool = false> {
    deserializer: Option<D>,
    is_human_readable: bool,
    style: ReadStyle,
    error: LastError<E>,
}

impl<'de, D: Deserializer<'de>> DeserializerForm<D, D::Error> {
    /// Makes the form of a deserializer, with the style of its values.
    pub(crate) fn styled(deserializer: D, style: ReadStyle) -> Self {
        Self::new(deserializer, style)
    }
}

impl<'de, D: Deserializer<'de>, const DIRECT: bool> DeserializerForm<D, D::Error, DIRECT> {
    fn new(deserializer: D, style: ReadStyle) -> Self {
        let is_human_readable = deserializer.is_human_readable();
        Self { deserializer: Some(deserializer), is_human_readable, style, error: LastError::NONE }
    }
}

impl<D, E: serde::de::Error, const DIRECT: bool> DeserializerForm<D, E, DIRECT> {
    /// The error of the format for one of a value that was read by the form.
    #[cold]
    pub(crate) fn error(mut self, error: FormError) -> E {
        self.error.of(error)
    }
}

impl<'de, D: Deserializer<'de>, const DIRECT: bool> ReadForm<'de> for DeserializerForm<D, D::Error, DIRECT> {
    fn read(&mut self, hint: Hint, to: &mut dyn Receiver<'de>) -> Result<(), FormError> {
        let Some(from) = self.deserializer.take() else { return Err(FormError::used()) };
        let style = self.style.requested(hint);
        if style.asks_content(hint) {
            let mut content = SomeContent { to, is_option: matches!(hint, Hint::Option), somes: style.somes };
            let to = ReceivingVisitor { to: &mut content, style: ReadStyle::PLAIN };
            return from.deserialize_any(to).map_err(|error| self.error.keep(error));
        }
        let to = ReceivingVisitor { to, style };
        let result = match hint {
            _ if style.asks_any(hint) => from.deserialize_any(to),
            Hint::Any => from.deserialize_any(to),
            Hint::Scalar(ty) => ty.ask(from, to),
            Hint::Str => from.deserialize_str(to),
            Hint::String => from.deserialize_string(to),
            Hint::Bytes => from.deserialize_bytes(to),
            Hint::ByteBuf => from.deserialize_byte_buf(to),
            Hint::Option => from.deserialize_option(to),
            Hint::Unit => from.deserialize_unit(to),
            Hint::UnitStruct(name) => from.deserialize_unit_struct(name, to),
            Hint::NewtypeStruct(name) => from.deserialize_newtype_struct(name, to),
            Hint::Seq => from.deserialize_seq(to),
            Hint::Tuple(length) => from.deserialize_tuple(length, to),
            Hint::TupleStruct(name, length) => from.deserialize_tuple_struct(name, length, to),
            Hint::Map => from.deserialize_map(to),
            Hint::Struct(name, fields) => from.deserialize_struct(name, fields, to),
            Hint::Enum(name, variants) => from.deserialize_enum(name, variants, to),
            Hint::Identifier => from.deserialize_identifier(to),
            Hint::IgnoredAny => from.deserialize_ignored_any(to),
        };
        result.map_err(|error| self.error.keep(error))
    }

    fn is_human_readable(&self) -> bool {
        self.is_human_readable
    }

    fn read_new(&mut self, new: NewValue) -> Result<Result<Written, FormError>, NewValue> {
        if const { !DIRECT } {
            return Err(new);
        }
        let Some(from) = self.deserializer.take() else { return Ok(Err(FormError::used())) };
        Ok(new.styled(self.style).deserialize(from).map_err(|error| self.error.keep(error)))
    }

    fn expect_finite(&mut self) {
        self.style.is_finite = true;
    }
}

/// The visitor that a format calls.
struct ReceivingVisitor<'r, 'de> {
    to: &'r mut dyn Receiver<'de>,
    style: ReadStyle,
}

impl<'de> ReceivingVisitor<'_, 'de> {
    fn pass<E: serde::de::Error>(self, event: FormEvent<'_, 'de>) -> Result<(), E> {
        self.to.receive(event).map_err(|error| error.to_read_error())
    }

    /// Passes text, or what it stands for.
    fn pass_text<E: serde::de::Error>(self, event: FormEvent<'_, 'de>) -> Result<(), E> {
        receive_text(self.style, event, self.to).map_err(|error| error.to_read_error())
    }
}

macro_rules! passes {
    ($($name:ident $scalar:ident: $ty:ty),*) => {$(
        fn $name<E: serde::de::Error>(self, value: $ty) -> Result<(), E> {
            self.pass(FormEvent::Scalar(Scalar::$scalar(value)))
        }
    )*};
}

impl<'de> Visitor<'de> for ReceivingVisitor<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to.expecting(f)
    }

    passes! {
        visit_bool Bool: bool, visit_i8 I8: i8, visit_i16 I16: i16, visit_i32 I32: i32, visit_i64 I64: i64,
        visit_i128 I128: i128, visit_u8 U8: u8, visit_u16 U16: u16, visit_u32 U32: u32, visit_u64 U64: u64,
        visit_u128 U128: u128, visit_f32 F32: f32, visit_char Char: char
    }

    fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<(), E> {
        self.pass(FormEvent::Bytes(bytes))
    }

    fn visit_borrowed_bytes<E: serde::de::Error>(self, bytes: &'de [u8]) -> Result<(), E> {
        self.pass(FormEvent::BorrowedBytes(bytes))
    }

    fn visit_byte_buf<E: serde::de::Error>(self, bytes: Vec<u8>) -> Result<(), E> {
        self.pass(FormEvent::ByteBuf(bytes))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<(), E> {
        receive_decimal(self.style, value, self.to).map_err(|error| error.to_read_error())
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<(), E> {
        self.pass_text(FormEvent::Str(text))
    }

    fn visit_borrowed_str<E: serde::de::Error>(self, text: &'de str) -> Result<(), E> {
        self.pass_text(FormEvent::BorrowedStr(text))
    }

    fn visit_string<E: serde::de::Error>(self, text: String) -> Result<(), E> {
        self.pass_text(FormEvent::String(text))
    }

    fn visit_none<E: serde::de::Error>(self) -> Result<(), E> {
        self.pass(FormEvent::None)
    }

    fn visit_some<D: Deserializer<'de>>(self, content: D) -> Result<(), D::Error> {
        let mut content = DeserializerForm::styled(content, self.style.within_some());
        self.to.receive(FormEvent::Some(&mut content)).map_err(|error| content.error(error))
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<(), E> {
        self.pass(FormEvent::Unit)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, content: D) -> Result<(), D::Error> {
        let mut content = DeserializerForm::styled(content, self.style);
        self.to.receive(FormEvent::NewtypeStruct(&mut content)).map_err(|error| content.error(error))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, elements: A) -> Result<(), A::Error> {
        let mut elements = AccessForm::new(elements, self.style);
        self.to.receive(FormEvent::Seq(&mut elements)).map_err(|error| elements.error.of(error))
    }

    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<(), A::Error> {
        let mut entries = AccessForm::new(entries, self.style);
        receive_map(self.style, &mut entries, self.to).map_err(|error| entries.error.of(error))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, content: A) -> Result<(), A::Error> {
        let (state, style) = (EnumState::Enum(content), self.style.of_part());
        let mut content = EnumAccessForm { state, style, error: LastError::NONE };
        self.to.receive(FormEvent::Enum(&mut content)).map_err(|error| content.error.of(error))
    }
}

/// The seed that a format calls, with `DIRECT` for a value in a list or a map.
struct SowingSeed<'r, 'de, const DIRECT: bool = false>(&'r mut dyn Sower<'de>, ReadStyle);

impl<'de, const DIRECT: bool> DeserializeSeed<'de> for SowingSeed<'_, 'de, DIRECT> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let mut form = DeserializerForm::<_, _, DIRECT>::new(deserializer, self.1);
        self.0.sow(&mut form).map_err(|error| form.error(error))
    }
}

/// The elements or entries of a format.
struct AccessForm<A, E> {
    access: A,
    style: ReadStyle,
    error: LastError<E>,
}

impl<A, E: serde::de::Error> AccessForm<A, E> {
    /// The form of the parts of a value of this style.
    fn new(access: A, style: ReadStyle) -> Self {
        Self { access, style: style.of_part(), error: LastError::NONE }
    }
}

impl<'de, A: SeqAccess<'de>> SeqForm<'de> for AccessForm<A, A::Error> {
    fn sow_next(&mut self, to: &mut dyn Sower<'de>) -> Result<bool, FormError> {
        let next = self.access.next_element_seed(SowingSeed::<true>(to, self.style));
        next.map(|next| next.is_some()).map_err(|error| self.error.keep(error))
    }

    fn size_hint(&self) -> Option<usize> {
        self.access.size_hint()
    }
}

impl<'de, A: MapAccess<'de>> MapForm<'de> for AccessForm<A, A::Error> {
    fn sow_key(&mut self, to: &mut dyn Sower<'de>) -> Result<bool, FormError> {
        let next = self.access.next_key_seed(SowingSeed::<false>(to, self.style));
        next.map(|next| next.is_some()).map_err(|error| self.error.keep(error))
    }

    fn sow_value(&mut self, to: &mut dyn Sower<'de>) -> Result<(), FormError> {
        let read = self.access.next_value_seed(SowingSeed::<true>(to, self.style));
        read.map_err(|error| self.error.keep(error))
    }

    fn size_hint(&self) -> Option<usize> {
        self.access.size_hint()
    }
}

/// An enum of a format.
struct EnumAccessForm<'de, A: EnumAccess<'de>> {
    state: EnumState<'de, A>,
    style: ReadStyle,
    error: LastError<A::Error>,
}

enum EnumState<'de, A: EnumAccess<'de>> {
    Enum(A),
    Variant(A::Variant),
    Done,
}

impl<'de, A: EnumAccess<'de>> EnumAccessForm<'de, A> {
    fn content(&mut self) -> Result<A::Variant, FormError> {
        match core::mem::replace(&mut self.state, EnumState::Done) {
            EnumState::Variant(content) => Ok(content),
            EnumState::Enum(_) | EnumState::Done => Err(FormError::used()),
        }
    }
}

impl<'de, A: EnumAccess<'de>> EnumForm<'de> for EnumAccessForm<'de, A> {
    fn variant(&mut self, to: &mut dyn Sower<'de>) -> Result<(), FormError> {
        let EnumState::Enum(access) = core::mem::replace(&mut self.state, EnumState::Done) else {
            return Err(FormError::used());
        };
        let variant = access.variant_seed(SowingSeed::<false>(to, self.style));
        let ((), content) = variant.map_err(|error| self.error.keep(error))?;
        self.state = EnumState::Variant(content);
        Ok(())
    }

    fn unit(&mut self) -> Result<(), FormError> {
        self.content()?.unit_variant().map_err(|error| self.error.keep(error))
    }

    fn newtype(&mut self, to: &mut dyn Sower<'de>) -> Result<(), FormError> {
        let seed = SowingSeed::<false>(to, self.style);
        self.content()?.newtype_variant_seed(seed).map_err(|error| self.error.keep(error))
    }

    fn tuple(&mut self, length: usize, to: &mut dyn Receiver<'de>) -> Result<(), FormError> {
        let to = ReceivingVisitor { to, style: self.style };
        self.content()?.tuple_variant(length, to).map_err(|error| self.error.keep(error))
    }

    fn fields(
        &mut self,
        names: &'static [&'static str],
        to: &mut dyn Receiver<'de>,
    ) -> Result<(), FormError> {
        let to = ReceivingVisitor { to, style: self.style };
        self.content()?.struct_variant(names, to).map_err(|error| self.error.keep(error))
    }
}

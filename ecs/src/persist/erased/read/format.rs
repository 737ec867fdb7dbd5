//! [`DeserializerForm`]: the form of a deserializer, and what it needs of a format. These functions
//! are compiled for each format.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::de::{DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor};

use super::{EnumForm, FormEvent, Hint, MapForm, ReadForm, Receiver, SeqForm, Sower};
use crate::persist::erased::FormError;
use crate::persist::erased::exact::{ReadStyle, SomeContent, receive_decimal, receive_map, receive_text};
use crate::value::deserialize::{NewValue, Written};
use crate::value::scalar::Scalar;

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

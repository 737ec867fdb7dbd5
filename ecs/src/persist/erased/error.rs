//! [`FormError`]: the error of a value that is written or read.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Display};

use serde::de::{Expected, Unexpected};

use crate::persist::compact::DEPTH;

/// The error of a value that is written or read, in the compact form or in a format that is chosen at
/// run time. It keeps the kind of the error, so that a format can say it in its own words. It is as
/// small as a pointer, because the result of each number contains it.
pub struct FormError(Box<FormErrorKind>);

enum FormErrorKind {
    Text(String),
    /// The window is full, or the input has ended.
    End,
    InvalidType(OwnedUnexpected, String),
    InvalidValue(OwnedUnexpected, String),
    InvalidLength(usize, String),
    UnknownVariant(String, &'static [&'static str]),
    UnknownField(String, &'static [&'static str]),
    MissingField(&'static str),
    DuplicateField(&'static str),
}

/// [`Unexpected`], with its own text.
enum OwnedUnexpected {
    Text(String),
    Bytes(Vec<u8>),
    Other(String),
    /// All others borrow nothing.
    Plain(Unexpected<'static>),
}

impl OwnedUnexpected {
    fn of(unexpected: Unexpected<'_>) -> Self {
        use Unexpected as U;
        Self::Plain(match unexpected {
            U::Str(text) => return Self::Text(text.to_owned()),
            U::Bytes(bytes) => return Self::Bytes(bytes.to_owned()),
            U::Other(text) => return Self::Other(text.to_owned()),
            U::Bool(value) => U::Bool(value),
            U::Unsigned(value) => U::Unsigned(value),
            U::Signed(value) => U::Signed(value),
            U::Float(value) => U::Float(value),
            U::Char(value) => U::Char(value),
            U::Unit => U::Unit,
            U::Option => U::Option,
            U::NewtypeStruct => U::NewtypeStruct,
            U::Seq => U::Seq,
            U::Map => U::Map,
            U::Enum => U::Enum,
            U::UnitVariant => U::UnitVariant,
            U::NewtypeVariant => U::NewtypeVariant,
            U::TupleVariant => U::TupleVariant,
            U::StructVariant => U::StructVariant,
        })
    }

    fn borrowed(&self) -> Unexpected<'_> {
        match self {
            Self::Text(text) => Unexpected::Str(text),
            Self::Bytes(bytes) => Unexpected::Bytes(bytes),
            Self::Other(text) => Unexpected::Other(text),
            Self::Plain(unexpected) => *unexpected,
        }
    }
}

impl FormError {
    #[cold]
    fn of(kind: FormErrorKind) -> Self {
        Self(Box::new(kind))
    }

    /// Makes an error from a text.
    #[cold]
    #[inline(never)]
    pub(crate) fn text(text: impl Display) -> Self {
        Self::of(FormErrorKind::Text(text.to_string()))
    }

    /// The error of a window that is full, or of an input that ends within a value.
    #[cold]
    #[inline(never)]
    pub(crate) fn end() -> Self {
        Self::of(FormErrorKind::End)
    }

    /// The error of values that are nested more than [`DEPTH`] times.
    #[cold]
    #[inline(never)]
    pub(crate) fn depth() -> Self {
        Self::text(format_args!("values are nested more than {DEPTH} times"))
    }

    /// The error of a serializer or deserializer that was used twice.
    #[cold]
    pub(super) fn used() -> Self {
        Self::text("a value was read or written twice")
    }

    /// Makes the error of a format.
    #[cold]
    pub(crate) fn to_read_error<E: serde::de::Error>(&self) -> E {
        match &*self.0 {
            FormErrorKind::Text(text) => E::custom(text),
            FormErrorKind::End => E::custom("the input ends within a value"),
            FormErrorKind::InvalidType(found, expected) => {
                E::invalid_type(found.borrowed(), &expected.as_str())
            }
            FormErrorKind::InvalidValue(found, expected) => {
                E::invalid_value(found.borrowed(), &expected.as_str())
            }
            FormErrorKind::InvalidLength(length, expected) => E::invalid_length(*length, &expected.as_str()),
            FormErrorKind::UnknownVariant(name, known) => E::unknown_variant(name, known),
            FormErrorKind::UnknownField(name, known) => E::unknown_field(name, known),
            FormErrorKind::MissingField(name) => E::missing_field(name),
            FormErrorKind::DuplicateField(name) => E::duplicate_field(name),
        }
    }

    /// Whether the error was made from the text of this one.
    #[cold]
    pub(super) fn is_text(&self, error: &dyn Display) -> bool {
        matches!(&*self.0, FormErrorKind::Text(text) if *text == error.to_string())
    }
}

impl Display for FormError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.to_read_error::<serde::de::value::Error>(), f)
    }
}

impl fmt::Debug for FormError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FormError").field(&self.to_string()).finish()
    }
}

impl core::error::Error for FormError {}

impl serde::ser::Error for FormError {
    fn custom<T: Display>(message: T) -> Self {
        Self::text(message)
    }
}

impl serde::de::Error for FormError {
    fn custom<T: Display>(message: T) -> Self {
        Self::text(message)
    }

    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::of(FormErrorKind::InvalidType(OwnedUnexpected::of(unexpected), expected.to_string()))
    }

    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::of(FormErrorKind::InvalidValue(OwnedUnexpected::of(unexpected), expected.to_string()))
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Self {
        Self::of(FormErrorKind::InvalidLength(length, expected.to_string()))
    }

    fn unknown_variant(name: &str, known: &'static [&'static str]) -> Self {
        Self::of(FormErrorKind::UnknownVariant(name.to_owned(), known))
    }

    fn unknown_field(name: &str, known: &'static [&'static str]) -> Self {
        Self::of(FormErrorKind::UnknownField(name.to_owned(), known))
    }

    fn missing_field(name: &'static str) -> Self {
        Self::of(FormErrorKind::MissingField(name))
    }

    fn duplicate_field(name: &'static str) -> Self {
        Self::of(FormErrorKind::DuplicateField(name))
    }
}

//! The names of fields and variants, as they are read, and as messages show them.

use alloc::format;
use alloc::string::String;
use core::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, Unexpected, Visitor};

use super::description::{Field, Style};

/// The name of a struct or a variant in messages, which is that of serde's derives.
#[derive(Clone, Copy)]
pub(super) struct PartsName {
    /// The name of the type; empty for a tuple.
    pub(super) of: &'static str,
    /// The name of the variant; empty for a struct.
    pub(super) variant: &'static str,
    pub(super) style: Style,
    pub(super) count: usize,
}

impl fmt::Display for PartsName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { of, variant, style, count } = self;
        match (style, *of, *variant) {
            (_, "", _) => write!(f, "a tuple of size {count}"),
            (Style::Named | Style::Unit, _, "") => write!(f, "struct {of}"),
            (_, _, "") => write!(f, "tuple struct {of}"),
            (Style::Named | Style::Unit, ..) => write!(f, "struct variant {of}::{variant}"),
            _ => write!(f, "tuple variant {of}::{variant}"),
        }
    }
}

/// The seed of a name: its number.
pub(super) enum NameSeed {
    /// Of a field. A name that no field has is none.
    Field {
        fields: &'static [Field],
        /// The number of the field that is expected.
        next: usize,
    },
    /// Of a variant. A name that no variant has is an error.
    Variant(&'static [&'static str]),
}

impl<'de> DeserializeSeed<'de> for NameSeed {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Option<usize>, D::Error> {
        from.deserialize_identifier(self)
    }
}

impl Visitor<'_> for NameSeed {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Field { .. } => "field identifier",
            Self::Variant(_) => "variant identifier",
        })
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Option<usize>, E> {
        let found = usize::try_from(number).ok();
        match self {
            Self::Field { fields, .. } => {
                let mut read = fields.iter().enumerate().filter(|(_, field)| !field.skipped);
                Ok(found.and_then(|number| read.nth(number)).map(|(number, _)| number))
            }
            Self::Variant(names) if found.is_some_and(|number| number < names.len()) => Ok(found),
            Self::Variant(names) => {
                let expected = format!("variant index 0 <= i < {}", names.len());
                Err(E::invalid_value(Unexpected::Unsigned(number), &&*expected))
            }
        }
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Option<usize>, E> {
        match self {
            Self::Field { fields, next } => {
                let is_it = |field: &Field| field.name == name && !field.skipped;
                let is_next = fields.get(next).is_some_and(is_it);
                Ok(if is_next { Some(next) } else { fields.iter().position(is_it) })
            }
            Self::Variant(names) => match names.iter().position(|variant| *variant == name) {
                None => Err(E::unknown_variant(name, names)),
                found => Ok(found),
            },
        }
    }

    fn visit_bytes<E: Error>(self, name: &[u8]) -> Result<Option<usize>, E> {
        match (core::str::from_utf8(name), &self) {
            (Err(_), Self::Field { .. }) => Ok(None),
            _ => self.visit_str(&String::from_utf8_lossy(name)),
        }
    }
}

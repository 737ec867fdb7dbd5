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

/// The seed of the name of a field: its number, or `None` for a name that no field has.
pub(super) struct FieldName {
    pub(super) fields: &'static [Field],
    /// The number of the field that is expected.
    pub(super) next: usize,
}

impl<'de> DeserializeSeed<'de> for FieldName {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Option<usize>, D::Error> {
        from.deserialize_identifier(self)
    }
}

impl Visitor<'_> for FieldName {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("field identifier")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Option<usize>, E> {
        let mut read = self.fields.iter().enumerate().filter(|(_, field)| !field.skipped);
        Ok(usize::try_from(number).ok().and_then(|number| read.nth(number)).map(|(number, _)| number))
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Option<usize>, E> {
        let is_it = |field: &Field| field.name == name && !field.skipped;
        if self.fields.get(self.next).is_some_and(is_it) {
            return Ok(Some(self.next));
        }
        Ok(self.fields.iter().position(is_it))
    }

    fn visit_bytes<E: Error>(self, name: &[u8]) -> Result<Option<usize>, E> {
        core::str::from_utf8(name).map_or(Ok(None), |name| self.visit_str(name))
    }
}

/// The seed of the name of a variant: its number.
pub(super) struct VariantName(pub(super) &'static [&'static str]);

impl<'de> DeserializeSeed<'de> for VariantName {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<usize, D::Error> {
        from.deserialize_identifier(self)
    }
}

impl Visitor<'_> for VariantName {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("variant identifier")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<usize, E> {
        let count = self.0.len();
        let found = usize::try_from(number).ok().filter(|&number| number < count);
        found.ok_or_else(|| {
            let expected = format!("variant index 0 <= i < {count}");
            E::invalid_value(Unexpected::Unsigned(number), &&*expected)
        })
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<usize, E> {
        let found = self.0.iter().position(|variant| *variant == name);
        found.ok_or_else(|| E::unknown_variant(name, self.0))
    }

    fn visit_bytes<E: Error>(self, name: &[u8]) -> Result<usize, E> {
        self.visit_str(&String::from_utf8_lossy(name))
    }
}

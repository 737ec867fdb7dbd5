//! The one form of all JSON files: `{"type": "health", "schema": {"max": 10, "lost": 0}}`.
//!
//! In the definition of a component the schema names fields and gives their default values; in the file of a monster or
//! an item it names components and gives the fields that differ from the default.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, Visitor};
use serde_json::value::RawValue;

/// A file of content.
pub struct Document<'a, Schema> {
    /// What the file defines.
    pub name: &'a str,
    /// What it consists of.
    pub schema: Schema,
}

/// The definition of a component: its fields with their defaults.
pub type ComponentDocument<'a> = Document<'a, Entries<'a, &'a RawValue>>;

/// A monster, an item, a piece of furniture: its components, each with the fields that it overrides.
pub type EntityDocument<'a> = Document<'a, Entries<'a, Entries<'a, &'a RawValue>>>;

/// A JSON object in the order of the file; a key that comes twice is an error.
///
/// The keys are slices of the file, see [`Source::error_at`](super::source::Source::error_at).
pub struct Entries<'a, T>(pub Vec<(&'a str, T)>);

impl<'de: 'a, 'a, T: Deserialize<'de>> Deserialize<'de> for Entries<'a, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(EntriesVisitor(PhantomData))
    }
}

/// Written out, because the derived form would take `["health", {}]` as well.
impl<'de: 'a, 'a, Schema: Deserialize<'de>> Deserialize<'de> for Document<'a, Schema> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(DocumentVisitor(PhantomData))
    }
}

/// Reads a [`Document`].
struct DocumentVisitor<'a, Schema>(PhantomData<Document<'a, Schema>>);

impl<'de: 'a, 'a, Schema: Deserialize<'de>> Visitor<'de> for DocumentVisitor<'a, Schema> {
    type Value = Document<'a, Schema>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with `type` and `schema`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut name, mut schema) = (None, None);
        while let Some(key) = map.next_key_seed(NameVisitor)? {
            match key {
                "type" if name.is_none() => name = Some(map.next_value_seed(NameVisitor)?),
                "schema" if schema.is_none() => schema = Some(map.next_value()?),
                "type" | "schema" => return Err(A::Error::custom(format_args!("`{key}` is given twice"))),
                _ => return Err(A::Error::unknown_field(key, &["type", "schema"])),
            }
        }
        let name = name.ok_or_else(|| A::Error::missing_field("type"))?;
        let schema = schema.ok_or_else(|| A::Error::missing_field("schema"))?;
        Ok(Document { name, schema })
    }
}

/// Reads [`Entries`].
struct EntriesVisitor<'a, T>(PhantomData<Entries<'a, T>>);

impl<'de: 'a, 'a, T: Deserialize<'de>> Visitor<'de> for EntriesVisitor<'a, T> {
    type Value = Entries<'a, T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries: Vec<(&'a str, T)> = Vec::new();
        while let Some(key) = map.next_key_seed(NameVisitor)? {
            if entries.iter().any(|(known, _)| *known == key) {
                return Err(A::Error::custom(format_args!("`{key}` is given twice")));
            }
            entries.push((key, map.next_value()?));
        }
        Ok(Entries(entries))
    }
}

/// A name as a slice of the file, which it is as long as it has no escapes.
struct NameVisitor;

impl<'de> DeserializeSeed<'de> for NameVisitor {
    type Value = &'de str;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<&'de str, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for NameVisitor {
    type Value = &'de str;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name without escapes")
    }

    fn visit_borrowed_str<E: Error>(self, name: &'de str) -> Result<&'de str, E> {
        Ok(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_keep_the_order_of_the_file() {
        let Entries(entries): Entries<'_, i32> = serde_json::from_str(r#"{"b": 1, "a": 2}"#).unwrap();
        assert_eq!(entries, [("b", 1), ("a", 2)]);
    }

    #[test]
    fn a_key_given_twice_is_an_error() {
        let error = serde_json::from_str::<Entries<'_, i32>>(r#"{"a": 1, "a": 2}"#).err().unwrap();
        assert!(error.to_string().starts_with("`a` is given twice at line 1"), "{error}");
    }
}

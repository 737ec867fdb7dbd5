//! The one form of all JSON files: `{"type": "health", "schema": {"max": 10, "lost": 0}}`.
//!
//! In the definition of a component the schema names fields and gives their default values; in the file of a monster or an
//! item it names components and gives the fields that differ from the default.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Error, MapAccess, Visitor};
use serde_json::value::RawValue;

/// A file of content.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Document<'a, Schema> {
    /// What the file defines.
    #[serde(rename = "type")]
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
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(EntriesVisitor(PhantomData))
    }
}

struct EntriesVisitor<'a, T>(PhantomData<Entries<'a, T>>);

impl<'de: 'a, 'a, T: Deserialize<'de>> Visitor<'de> for EntriesVisitor<'a, T> {
    type Value = Entries<'a, T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries: Vec<(&'a str, T)> = Vec::new();
        while let Some(key) = map.next_key::<&'de str>()? {
            if entries.iter().any(|(known, _)| *known == key) {
                return Err(A::Error::custom(format_args!("`{key}` is given twice")));
            }
            entries.push((key, map.next_value()?));
        }
        Ok(Entries(entries))
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

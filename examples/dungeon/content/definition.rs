//! The definitions of components in `components/*.json`: field names and default values.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::document::{ComponentDocument, Entries};
use super::part::{self, Mismatch, Part, Reader};
use super::source::Source;
use crate::error::{Error, list};

/// Every component that the content defines, by name.
#[derive(Default)]
pub struct Definitions(BTreeMap<String, Definition>);

struct Definition {
    reader: Reader,
    defaults: Map<String, Value>,
}

impl Definitions {
    /// Adds the definition in `source`.
    ///
    /// # Errors
    /// The game has no such component, it is defined already, or its schema is not that of the component's type.
    pub fn add(&mut self, source: &Source) -> Result<(), Error> {
        let ComponentDocument { name, schema: Entries(fields) } = source.json()?;
        let unknown = || format!("unknown component `{name}`; the game has {}", list(part::names()));
        let reader = part::reader(name).ok_or_else(|| source.error_at(name, unknown()))?;
        if self.0.contains_key(name) {
            return Err(source.error_at(name, format!("component `{name}` is defined twice")));
        }

        let defaults = values(source, &fields)?;
        reader(defaults.clone()).map_err(|mismatch| misfit(source, name, name, &fields, mismatch))?;
        self.0.insert(name.to_owned(), Definition { reader, defaults });
        Ok(())
    }

    /// The component `name` with the given fields in place of their defaults; both are slices of `source`.
    ///
    /// # Errors
    /// There is no such component or field, or a value has the wrong type.
    pub fn build(
        &self,
        source: &Source,
        name: &str,
        Entries(fields): &Entries<'_, &RawValue>,
    ) -> Result<Box<dyn Part>, Error> {
        let unknown = || format!("unknown component `{name}`; defined are {}", list(self.names()));
        let definition = self.0.get(name).ok_or_else(|| source.error_at(name, unknown()))?;

        let mut merged = definition.defaults.clone();
        for (field, value) in values(source, fields)? {
            merged.insert(field, value);
        }
        if let Some((field, _)) = fields.iter().find(|(field, _)| !definition.defaults.contains_key(*field)) {
            let known = list(definition.defaults.keys().map(String::as_str));
            let reason = format!("unknown field `{field}` of component `{name}`, which has {known}");
            return Err(source.error_at(field, reason));
        }
        (definition.reader)(merged).map_err(|mismatch| misfit(source, name, name, fields, mismatch))
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

/// The JSON values of `fields`.
fn values(source: &Source, fields: &[(&str, &RawValue)]) -> Result<Map<String, Value>, Error> {
    fields
        .iter()
        .map(|(name, raw)| match serde_json::from_str(raw.get()) {
            Ok(value) => Ok(((*name).to_owned(), value)),
            Err(error) => Err(source.error_at(raw.get(), format!("field `{name}`: {error}"))),
        })
        .collect()
}

/// The error of a component whose fields do not fit, at the value to blame, or else `at`.
fn misfit(
    source: &Source,
    at: &str,
    component: &str,
    fields: &[(&str, &RawValue)],
    Mismatch { field, reason }: Mismatch,
) -> Error {
    let blamed = fields.iter().find(|(name, _)| Some(*name) == field.as_deref());
    match blamed {
        Some((name, raw)) => {
            source.error_at(raw.get(), format!("field `{name}` of component `{component}`: {reason}"))
        }
        None => source.error_at(at, format!("component `{component}`: {reason}")),
    }
}

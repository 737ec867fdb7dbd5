//! The part of a schema at a path, to find mistakes in the path of a query before there are values.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::Schema;
use crate::reflect::path::no_such;

impl Schema {
    /// Follows a path. An error has the number of the step that leads nowhere, and the reason.
    pub(in crate::reflect) fn part(&self, steps: &[String]) -> Result<&Self, (usize, String)> {
        let (mut schema, mut above) = (self, Vec::new());
        for (at, step) in steps.iter().enumerate() {
            let whole = schema.content(&above);
            above.push(whole);
            schema = whole.child(step).map_err(|reason| (at + 1, reason))?;
        }
        Ok(schema.content(&above))
    }

    /// The schema without `Option`s around it, and with the structure of a type that contains
    /// itself.
    fn content<'s>(&'s self, above: &[&'s Self]) -> &'s Self {
        match self {
            Self::Optional(inner) => inner.content(above),
            Self::Recursive(name) => {
                let is_it = |known: &&&Self| matches!(known, Self::Struct { name: known, .. } | Self::Enum { name: known, .. } if known == name);
                above.iter().rfind(is_it).copied().unwrap_or(&Self::Any)
            }
            schema => schema,
        }
    }

    fn child(&self, step: &str) -> Result<&Self, String> {
        let named = |parts: &'_ [(&'static str, Self)], noun: &str| {
            let found = parts.iter().position(|(name, _)| *name == step);
            found.ok_or_else(|| no_such(noun, step, &parts.iter().map(|(name, _)| *name).collect::<Vec<_>>()))
        };
        match self {
            Self::Any => Ok(self),
            Self::Struct { fields, .. } => Ok(&fields[named(fields, "field")?].1),
            Self::Enum { variants, .. } => Ok(&variants[named(variants, "variant")?].1),
            Self::Tuple(elements) => match step.parse::<usize>() {
                Ok(at) => elements
                    .get(at)
                    .ok_or_else(|| format!("there is no element {at}: the tuple has {}", elements.len())),
                Err(_) => Err(format!(
                    "the value is a tuple, whose elements have positions, as in `[0]`, not `{step}`"
                )),
            },
            Self::List(element) if step.parse::<usize>().is_ok() => Ok(element),
            Self::List(_) => {
                Err(format!("the value is a list, whose elements have positions, as in `[0]`, not `{step}`"))
            }
            Self::Mapping(key, value) => key.accepts_key(step).map(|()| &**value),
            Self::Optional(inner) => inner.child(step),
            Self::Recursive(_) => Ok(&Self::Any),
            Self::Unit
            | Self::Bool
            | Self::Integer(_)
            | Self::Float(_)
            | Self::Char
            | Self::Text
            | Self::Bytes
            | Self::EntityId => Err("the value has no parts".to_owned()),
        }
    }

    /// Whether a map with keys of this type can have a key. Text can be any key.
    fn accepts_key(&self, step: &str) -> Result<(), String> {
        match self {
            Self::Enum { variants, .. } => {
                let names: Vec<&str> = variants.iter().map(|(name, _)| *name).collect();
                if names.contains(&step) { Ok(()) } else { Err(no_such("key", step, &names)) }
            }
            Self::Integer(name) if step.parse::<i128>().is_err() => {
                Err(format!("the keys of the map are numbers of type `{name}`, not `{step}`"))
            }
            Self::Bool if !matches!(step, "true" | "false") => Err(no_such("key", step, &["true", "false"])),
            _ => Ok(()),
        }
    }

    /// The message that an enum has no such variant; `None` if it has, or the type is no enum.
    pub(in crate::reflect) fn misspelled(&self, variant: &str) -> Option<String> {
        let Self::Enum { variants, .. } = self else { return None };
        let names: Vec<&str> = variants.iter().map(|(name, _)| *name).collect();
        (!names.contains(&variant)).then(|| no_such("variant", variant, &names))
    }
}

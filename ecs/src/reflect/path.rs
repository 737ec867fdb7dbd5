//! Paths to parts of values: `Health.now`, `Route.stops[2].at`, `Bag.items["sword"]`,
//! `Shape.Circle.radius`.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::base::nearest::{nearest, quoted};
use crate::value::tree::DynamicValue;

/// A path to a part of a value. A step is the name of a field, the key of a map entry, the position
/// in a list, or the name of the variant that the value is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ValuePath {
    pub(super) steps: Vec<String>,
}

impl ValuePath {
    /// Splits a text into the name at its beginning and the path after it.
    pub(super) fn split(text: &str) -> Result<(&str, Self), String> {
        let end = text.find(['.', '[']).unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        Ok((name, Self::parse(rest)?))
    }

    /// Parses the part of a path after the name: `.stops[2].at`.
    fn parse(text: &str) -> Result<Self, String> {
        let (mut steps, mut rest) = (Vec::new(), text);
        while !rest.is_empty() {
            let step;
            if let Some(after) = rest.strip_prefix("[\"") {
                (step, rest) = after.split_once("\"]").ok_or("a key ends with `\"]`")?;
            } else if let Some(after) = rest.strip_prefix('[') {
                (step, rest) = after.split_once(']').ok_or("a position ends with `]`")?;
            } else if let Some(after) = rest.strip_prefix('.') {
                (step, rest) = after.split_at(after.find(['.', '[']).unwrap_or(after.len()));
                if step.is_empty() {
                    return Err("expected a name after `.`".to_owned());
                }
            } else {
                return Err(format!("expected `.` or `[` before `{rest}`"));
            }
            steps.push(step.to_owned());
        }
        Ok(Self { steps })
    }

    /// The text of the first steps.
    pub(super) fn text(&self, name: &str, steps: usize) -> String {
        self.steps[..steps].iter().fold(name.to_owned(), |text, step| format!("{text}.{step}"))
    }
}

/// Whether the key of a map entry is written as `step`.
fn is_key(key: &DynamicValue, step: &str) -> bool {
    match key {
        DynamicValue::Text(key) => key == step,
        DynamicValue::Variant(name, content) => name == step && **content == DynamicValue::Unit,
        DynamicValue::Char(key) => step.chars().eq([*key]),
        key => key.to_string() == step,
    }
}

/// The message that there is no part of this name, with the nearest name, or the possible names.
pub(super) fn no_such(noun: &str, step: &str, names: &[&str]) -> String {
    let hint = nearest(step, names).map_or_else(
        || {
            let names = quoted(names.iter().take(10));
            if names.is_empty() { names } else { format!(", only {names}") }
        },
        |near| format!(": did you mean `{near}`?"),
    );
    format!("there is no {noun} `{step}`{hint}")
}

/// The position of the part at `step`, in a value that has parts.
fn position(value: &DynamicValue, step: &str) -> Result<usize, String> {
    let of_names = |names: &[&str], noun: &str| {
        let found = names.iter().position(|name| *name == step);
        found.ok_or_else(|| no_such(noun, step, names))
    };
    match value {
        DynamicValue::Struct(fields) => {
            of_names(&fields.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), "field")
        }
        DynamicValue::Mapping(entries) => {
            if let Some(at) = entries.iter().position(|(key, _)| is_key(key, step)) {
                return Ok(at);
            }
            let keys = entries.iter().filter_map(|(key, _)| match key {
                DynamicValue::Text(key) => Some(key.as_str()),
                _ => None,
            });
            of_names(&keys.collect::<Vec<_>>(), "key")
        }
        DynamicValue::List(list) => match step.parse::<usize>() {
            Ok(at) if at < list.len() => Ok(at),
            Ok(at) => Err(format!("there is no element {at}: the list has {}", list.len())),
            Err(_) => Err(format!("the value is a list, whose elements have positions, as in `[0]`, not `{step}`")),
        },
        DynamicValue::Variant(name, _) => of_names(&[name], "variant").map_err(|_| {
            format!("the value is the variant `{name}`, not `{step}`: to change the variant, replace the whole value")
        }),
        DynamicValue::Optional(None) => Err("the value is `None`, which has no parts".to_owned()),
        value => Err(format!("the value is {}, which has no parts", value.noun())),
    }
}

/// Follows a path in a value, or in one that is to be changed.
macro_rules! follows {
    ($(#[$doc:meta])* $get:ident $child:ident $($mutable:tt)?) => {
        impl ValuePath {
            $(#[$doc])*
            pub(super) fn $get<'v>(
                &self,
                mut value: &'v $($mutable)? DynamicValue,
            ) -> Result<&'v $($mutable)? DynamicValue, (usize, String)> {
                for (at, step) in self.steps.iter().enumerate() {
                    value = $child(value, step).map_err(|reason| (at + 1, reason))?;
                }
                Ok(value)
            }
        }

        fn $child<'v>(
            value: &'v $($mutable)? DynamicValue,
            step: &str,
        ) -> Result<&'v $($mutable)? DynamicValue, String> {
            if let DynamicValue::Optional(Some(value)) = value {
                return $child(value, step);
            }
            let at = position(value, step)?;
            Ok(match value {
                DynamicValue::Struct(fields) => &$($mutable)? fields[at].1,
                DynamicValue::Mapping(entries) => &$($mutable)? entries[at].1,
                DynamicValue::List(list) => &$($mutable)? list[at],
                DynamicValue::Variant(_, content) => content,
                value => value,
            })
        }
    };
}

follows! {
    /// Follows the path. An error has the number of the step that leads nowhere, and the reason.
    get child
}
follows! {
    /// Follows the path in a value that is to be changed.
    get_mut child_mut mut
}

#[cfg(test)]
mod tests {
    use alloc::boxed::Box;

    use super::*;

    #[test]
    fn a_key_of_a_map_is_written_as_its_text() {
        let variant = |content| DynamicValue::Variant("Grain".into(), content);
        assert!(is_key(&variant(Box::new(DynamicValue::Unit)), "Grain"));
        assert!(!is_key(&variant(Box::new(DynamicValue::Unit)), "Wood"));
        assert!(!is_key(&variant(Box::new(DynamicValue::Int(1))), "Grain"));
        assert!(
            is_key(&DynamicValue::Text("a".into()), "a") && !is_key(&DynamicValue::Text("a".into()), "b")
        );
        assert!(is_key(&DynamicValue::Char('a'), "a") && !is_key(&DynamicValue::Char('a'), "ab"));
        assert!(is_key(&DynamicValue::Int(-7), "-7") && !is_key(&DynamicValue::Int(-7), "7"));
    }
}

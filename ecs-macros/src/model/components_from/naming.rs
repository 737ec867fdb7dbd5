//! Converts the names in a file to names of structs and fields.

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;
use syn::parse::Parser;

use crate::names::identifier;

/// The message about a bad name, as the rest of a sentence.
type Refused = &'static str;

/// `hit_points`, `hit-points` → `HitPoints`.
pub(super) fn camel_case(name: &str) -> String {
    let mut camel = String::with_capacity(name.len());
    for word in name.split(['_', '-']) {
        let mut letters = word.chars();
        camel.extend(letters.next().into_iter().flat_map(char::to_uppercase));
        camel.push_str(letters.as_str());
    }
    camel
}

/// The name of a component's struct.
pub(super) fn type_name(name: &str, span: Span) -> Result<Ident, Refused> {
    let camel = camel_case(name);
    if name.starts_with(|first: char| first.is_ascii_digit()) || !is_name(&camel) {
        return Err(
            "cannot name a type: a name is of letters, digits, `_` and `-`, and begins with a letter",
        );
    }
    if camel == "Self" {
        return Err("cannot name a type: `Self` has a meaning in Rust");
    }
    Ok(identifier(&camel, span))
}

/// The name of a field, a raw identifier for a keyword.
pub(super) fn field_name(key: &str, span: Span) -> Result<Ident, Refused> {
    match key {
        "self" | "super" | "crate" | "Self" | "_" => Err("cannot name a field: it has a meaning in Rust"),
        _ if is_name(key) => Ok(identifier(key, span)),
        _ => {
            Err("cannot name a field: a name is of letters, digits and `_`, and does not begin with a digit")
        }
    }
}

/// Whether this is a name, or a keyword.
fn is_name(text: &str) -> bool {
    let parsed = Ident::parse_any.parse_str(text);
    parsed.is_ok_and(|name| name == text) && !text.contains('#')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_in_camel_case() {
        let name = |text: &str| type_name(text, Span::call_site()).map(|name| name.to_string());
        for (text, camel) in [
            ("meta", "Meta"),
            ("hit_points", "HitPoints"),
            ("hit-points", "HitPoints"),
            ("HitPoints", "HitPoints"),
            ("_x2", "X2"),
            ("type", "Type"),
            ("größe", "Größe"),
        ] {
            assert_eq!(name(text), Ok(camel.to_owned()));
        }
        for text in
            ["", "_", "-", "2d", "a b", " a", "a.b", "a::b", "r#a", "self", "a\"", "/**/a", "😀", "_2d"]
        {
            assert!(name(text).is_err(), "{text}");
        }
    }

    #[test]
    fn fields_are_named_as_they_are_and_raw_if_need_be() {
        let name = |text: &str| field_name(text, Span::call_site()).map(|name| name.to_string());
        for (text, field) in
            [("x", "x"), ("maxHealth", "maxHealth"), ("type", "r#type"), ("_hidden", "_hidden")]
        {
            assert_eq!(name(text), Ok(field.to_owned()));
        }
        for text in ["", "_", "self", "Self", "first name", "x ", "1", "a-b", "a;b", "r#type", "x/**/"] {
            assert!(name(text).is_err(), "{text}");
        }
    }
}

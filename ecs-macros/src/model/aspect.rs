//! An aspect: a bundle with the default value and the overrides of each field.

use proc_macro2::TokenTree;
use quote::ToTokens;
use syn::Expr;

use super::bundle::Bundle;
use crate::parse::aspect::{Aspect as Parsed, Settings};

/// An aspect.
pub(crate) struct Aspect {
    /// The aspect as a bundle.
    pub(crate) bundle: Bundle,
    /// The default and the overrides of each field.
    pub(crate) settings: Vec<Settings>,
}

impl Aspect {
    pub(crate) fn new(parsed: Parsed) -> Self {
        Self { bundle: Bundle::new(parsed.derive), settings: parsed.settings }
    }
}

/// An expression as source text, for printed trees.
pub(crate) fn written(value: &Expr) -> String {
    let mut text = String::new();
    write(value.to_token_stream(), &mut text);
    text
}

fn write(tokens: proc_macro2::TokenStream, text: &mut String) {
    use proc_macro2::{Delimiter, Spacing};
    // whether no blank follows the last token
    let mut joined = true;
    for tree in tokens {
        let alone = match &tree {
            TokenTree::Punct(punct) => !matches!(punct.as_char(), ',' | ';' | ':' | '.' | '?' | '!'),
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
            _ => true,
        };
        if !joined && alone {
            text.push(' ');
        }
        joined = false;
        match tree {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace if group.stream().is_empty() => ("{", "}"),
                    Delimiter::Brace => ("{ ", " }"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                text.push_str(open);
                write(group.stream(), text);
                text.push_str(close);
            }
            TokenTree::Punct(punct) => {
                text.push(punct.as_char());
                joined = punct.spacing() == Spacing::Joint
                    || matches!(punct.as_char(), '.' | '&' | '!' | '#')
                    || text.ends_with("::");
            }
            other => text.push_str(&other.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_read_as_they_are_written() {
        for expression in [
            "9",
            "Health { now: 5, max: 5 }",
            "Name(\"rat\".into())",
            "dice::roll(6, &mut seed) + 1",
            "vec![1, 2]",
            "Seed {}",
        ] {
            let parsed: Expr = syn::parse_str(expression).expect("is an expression");
            assert_eq!(written(&parsed), expression);
        }
    }
}

//! The options of saving of a component, resource or event, `alias`, `from` and `skip`, and the
//! option `hidden` of reflection.

use proc_macro2::{Ident, Span};
use syn::parse::{Parse, ParseStream};
use syn::{LitStr, Result, Token, Type, token};

use super::options;
use crate::diagnostic::Culprit;
use crate::names::text;

/// The options of saving.
#[derive(Default)]
pub(crate) struct Saving {
    /// Names in older files.
    pub(crate) aliases: Vec<LitStr>,
    /// Older types.
    pub(crate) olds: Vec<Type>,
    /// The word `skip`.
    pub(crate) skip: Option<Ident>,
    /// Whether the word `hidden` is there.
    pub(crate) hidden: bool,
    /// The first of the options of saving.
    pub(crate) first: Option<Span>,
}

impl Saving {
    /// Reads the value after the name of an option.
    pub(crate) fn read(&mut self, name: &Ident, input: ParseStream<'_>) -> Result<()> {
        if text(name) == "hidden" {
            self.hidden = true;
            return Ok(());
        }
        self.first.get_or_insert(name.span());
        match text(name).as_str() {
            "alias" => {
                let list = "`alias` lists strings: `alias(\"OldName\", \"OlderName\")`";
                self.aliases = one_or_more(input, "the old name is a string: `alias = \"OldName\"`", list)?;
            }
            "from" => {
                let list = "`from` lists types: `from(OldPosition, OlderPosition)`";
                self.olds =
                    one_or_more(input, "the old type is written after `=`: `from = OldPosition`", list)?;
            }
            _ => self.skip = Some(name.clone()),
        }
        Ok(())
    }
}

/// Reads `= one`, or `(one, two)`.
pub(super) fn one_or_more<T: Parse>(input: ParseStream<'_>, message: &str, of_entry: &str) -> Result<Vec<T>> {
    if input.peek(token::Paren) {
        return options::listed(input, of_entry);
    }
    if !input.peek(Token![=]) {
        return Err(input.error(message));
    }
    input.parse::<Token![=]>()?;
    let found = input.span();
    input.parse().map(|one| vec![one]).map_err(|_| found.wrong(message))
}

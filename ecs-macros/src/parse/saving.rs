//! How a component, resource or event is saved: the options `alias`, `from` and `skip`.

use proc_macro2::{Ident, Span};
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{Error, LitStr, Result, Token, Type, parenthesized, token};

use crate::names::text;

/// What is said about it.
#[derive(Default)]
pub(crate) struct Saving {
    /// Names in older files.
    pub(crate) aliases: Vec<LitStr>,
    /// Older types.
    pub(crate) olds: Vec<Type>,
    /// The word `skip`.
    pub(crate) skip: Option<Ident>,
    /// The first of the options.
    pub(crate) first: Option<Span>,
}

impl Saving {
    /// Reads what stands behind the name of an option.
    pub(crate) fn read(&mut self, name: &Ident, input: ParseStream<'_>) -> Result<()> {
        self.first.get_or_insert(name.span());
        match text(name).as_str() {
            "alias" => self.aliases = one_or_more(input, "the old name is a string: `alias = \"OldName\"`")?,
            "from" => self.olds = one_or_more(input, "the old type stands behind `=`: `from = OldPosition`")?,
            _ => self.skip = Some(name.clone()),
        }
        Ok(())
    }
}

/// `= one`, or `(one, two)`.
fn one_or_more<T: syn::parse::Parse>(input: ParseStream<'_>, message: &str) -> Result<Vec<T>> {
    if input.peek(token::Paren) {
        let list;
        parenthesized!(list in input);
        return Ok(Punctuated::<T, Token![,]>::parse_terminated(&list)?.into_iter().collect());
    }
    if !input.peek(Token![=]) {
        return Err(input.error(message));
    }
    input.parse::<Token![=]>()?;
    let found = input.span();
    input.parse().map(|one| vec![one]).map_err(|_| Error::new(found, message))
}

//! `#[world(alias = "OldName", journal = 65_536)]` before the struct of a world.

use syn::parse::ParseStream;
use syn::{Attribute, LitInt, LitStr, Result, Token};

use super::options::{self, Known};
use super::saving::one_or_more;
use crate::diagnostic::{Culprit, Diagnostics};
use crate::names::text;

/// The options of a world.
#[derive(Default)]
pub(crate) struct WorldOptions {
    /// Names in older files.
    pub(crate) aliases: Vec<LitStr>,
    /// The number of structural changes that the journal keeps.
    pub(crate) journal: Option<u32>,
}

const JOURNAL: &str =
    "`journal` needs the number of structural changes that it keeps, at least 1: `journal = 65_536`";

impl WorldOptions {
    /// Reads the options, and removes their attributes from the list.
    pub(super) fn take(attributes: &mut Vec<Attribute>, subject: &str, errors: &mut Diagnostics) -> Self {
        let known = Known { subject, forms: "alias = \"OldName\" | journal = 65_536" };
        let mut found = Self::default();
        let mut read = |name: &syn::Ident, input: ParseStream<'_>| -> Result<()> {
            if text(name) == "alias" {
                let list = "`alias` lists strings: `alias(\"OldName\", \"OlderName\")`";
                found.aliases = one_or_more(input, "the old name is a string: `alias = \"OldName\"`", list)?;
            } else {
                found.journal = Some(bound(name, input)?);
            }
            Ok(())
        };
        options::attributes(attributes, "world", &known, errors, &mut read);
        attributes.retain(|attribute| !attribute.path().is_ident("world"));
        found
    }
}

/// Reads `= number` after `journal`.
fn bound(name: &syn::Ident, input: ParseStream<'_>) -> Result<u32> {
    if !input.peek(Token![=]) {
        return Err(name.span().wrong(JOURNAL));
    }
    input.parse::<Token![=]>()?;
    let found = input.span();
    let number = input.parse::<LitInt>().and_then(|number| number.base10_parse::<u32>());
    number.ok().filter(|&number| number > 0).ok_or_else(|| found.wrong(JOURNAL))
}

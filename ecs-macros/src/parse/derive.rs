//! What every derive reads: the item, and the option `crate = path` of its attribute.

use proc_macro2::TokenStream;
use syn::parse::ParseStream;
use syn::{DeriveInput, Result};

use super::options::{self, Known};
use crate::diagnostic::Diagnostics;
use crate::names::{Ecs, text};

/// An item with a derive whose attribute has no option but `crate`.
pub(crate) struct Derive {
    pub(crate) item: DeriveInput,
    pub(crate) ecs: Ecs,
}

/// Reads an item with the attribute `#[attribute(crate = path)]`.
pub(crate) fn parse(tokens: TokenStream, attribute: &str, errors: &mut Diagnostics) -> Option<Derive> {
    let item: DeriveInput = options::whole(tokens, errors)?;
    let subject = format!("{attribute} `{}`", text(&item.ident));
    let known = Known { subject: &subject, names: &["crate"], shown: &["crate = path"] };
    let mut ecs = Ecs::default();
    let mut read = |_: &_, input: ParseStream<'_>| -> Result<()> {
        ecs = options::crate_path(input)?;
        Ok(())
    };
    options::attributes(&item.attrs, attribute, &known, errors, &mut read);
    Some(Derive { item, ecs })
}

//! `#[derive(States)]`, with `#[states(within = .., module = .., crate = ..)]` on the enum and
//! `#[state(to(..))]` on its variants.

use proc_macro2::{Ident, TokenStream};
use syn::parse::ParseStream;
use syn::{Data, DeriveInput, Result, Type, token};

use super::options::{self, Known, after_equals};
use super::placed::At;
use crate::diagnostic::Diagnostics;
use crate::names::{Ecs, text};

/// An item with the derive.
pub(crate) struct States {
    pub(crate) item: DeriveInput,
    pub(crate) ecs: Ecs,
    /// The name of the module with the types of the variants.
    pub(crate) module: Option<Ident>,
    /// The type of the parent state, of sub-states.
    pub(crate) within: Option<Type>,
    /// The option of states that a system computes.
    pub(crate) computed: Option<Ident>,
    /// For each variant of an enum, the lists behind `to`.
    pub(crate) targets: Vec<Targets>,
}

/// The states to which a variant changes.
pub(crate) enum Targets {
    /// No attribute: all other states.
    Others,
    /// `to(..)`.
    Listed(Vec<Ident>),
    /// An attribute with a mistake.
    Broken,
}

/// Reads an enum of states.
pub(crate) fn parse(tokens: TokenStream, errors: &mut Diagnostics) -> Option<States> {
    let item = options::item(tokens, "states", &[("states", At::Item), ("state", At::Variant)], errors)?;
    let subject = format!("states `{}`", text(&item.ident));
    let forms = "within = phase::Play | computed | module = name | crate = path";
    let known = Known { subject: &subject, forms };
    let (mut ecs, mut module, mut within, mut computed) = (Ecs::default(), None, None, None);
    let mut read = |name: &Ident, input: ParseStream<'_>| -> Result<()> {
        match text(name).as_str() {
            "crate" => ecs = options::crate_path(input)?,
            "computed" => computed = Some(name.clone()),
            "within" => {
                let message = "the type of the parent state is written after `=`: `within = phase::Play`";
                within = Some(after_equals(name, input, message)?);
            }
            _ => {
                let message = "the name of the module is written after `=`: `module = phases`";
                module = Some(after_equals(name, input, message)?);
            }
        }
        Ok(())
    };
    options::attributes(&item.attrs, "states", &known, errors, &mut read);
    // under the name of the attribute of variants, which is reported
    let mut unused = Diagnostics::default();
    options::attributes(&item.attrs, "state", &known, &mut unused, &mut read);
    let _reported_already = unused.finish(TokenStream::new());
    let targets = match &item.data {
        Data::Enum(data) => data.variants.iter().map(|variant| targets(variant, errors)).collect(),
        Data::Struct(_) | Data::Union(_) => Vec::new(),
    };
    Some(States { item, ecs, module, within, computed, targets })
}

fn targets(variant: &syn::Variant, errors: &mut Diagnostics) -> Targets {
    let subject = format!("state `{}`", text(&variant.ident));
    let known = Known { subject: &subject, forms: "to(Menu, Play)" };
    let (mut targets, before) = (Targets::Others, errors.count());
    let mut read = |_: &Ident, input: ParseStream<'_>| -> Result<()> {
        if !input.peek(token::Paren) {
            return Err(input
                .error("the states are written in parentheses: `to(Menu, Play)`; a final state has `to()`"));
        }
        targets =
            Targets::Listed(options::listed(input, "`to` lists variants of the enum: `to(Menu, Play)`")?);
        Ok(())
    };
    options::attributes(&variant.attrs, "state", &known, errors, &mut read);
    if errors.count() == before { targets } else { Targets::Broken }
}

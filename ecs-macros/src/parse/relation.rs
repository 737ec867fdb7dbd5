//! `#[derive(Relation)]`, with the options of `#[relation(..)]` and of `#[component(..)]`.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Result, Token, Type, parenthesized, token};

use super::component::{self, Component, TypeName};
use super::options::{self, Known};
use crate::diagnostic::{Culprit, Diagnostics};
use crate::names::{list, nearest, source, text};

/// An item with `#[derive(Relation)]` and its options.
pub(crate) struct Relation {
    pub(crate) component: Component,
    pub(crate) options: Options,
}

/// The options of a relation, words in its attribute.
pub(crate) struct Options {
    pub(crate) exclusive: Option<Ident>,
    pub(crate) many: Option<Ident>,
    pub(crate) symmetric: Option<Ident>,
    pub(crate) acyclic: Option<Ident>,
    pub(crate) to_self: Option<Ident>,
    pub(crate) gone: Gone,
    /// The word `target`, and the components in its parentheses.
    pub(crate) targets: Option<(Ident, Vec<Type>)>,
    /// Whether an option has a syntax error.
    pub(crate) broken: bool,
}

/// The effect on a source when its target is despawned.
#[derive(Clone)]
pub(crate) enum Gone {
    Keep,
    Remove,
    Cascade,
    /// The source gets this component.
    Mark(Box<Type>),
}

/// The names of the policies.
const NAMES: [&str; 4] = ["keep", "remove", "cascade", "mark"];
/// The policies, for messages.
const POLICIES: [&str; 4] = ["keep", "remove", "cascade", "mark(Component)"];

/// Reads a relation.
pub(crate) fn parse(tokens: TokenStream, errors: &mut Diagnostics) -> Option<Relation> {
    let mut component = component::parse(tokens, true, errors)?;
    let name = text(&component.item.ident);
    let subject = format!("relation `{name}`");
    let forms =
        "exclusive | many | gone = remove | target(..) | symmetric | acyclic | to_self | crate = path";
    let known = Known { subject: &subject, forms };
    let (mut exclusive, mut many, mut symmetric, mut acyclic, mut to_self) = (None, None, None, None, None);
    let (mut gone, mut targets, mut ecs) = (Gone::Remove, None, None);
    let mut read = |option: &Ident, input: ParseStream<'_>| -> Result<()> {
        match text(option).as_str() {
            "exclusive" => exclusive = Some(option.clone()),
            "many" => many = Some(option.clone()),
            "symmetric" => symmetric = Some(option.clone()),
            "acyclic" => acyclic = Some(option.clone()),
            "to_self" => to_self = Some(option.clone()),
            "gone" => gone = policy(input, &name)?,
            "target" => {
                let listed = if input.peek(token::Paren) {
                    component::listed(input, TARGET, TARGET)?
                } else {
                    Vec::new()
                };
                if listed.is_empty() {
                    return Err(option.span().wrong(TARGET));
                }
                targets = Some((option.clone(), listed));
            }
            _ => ecs = Some(options::crate_path(input)?),
        }
        Ok(())
    };
    let before = errors.count();
    options::attributes(&component.item.attrs, "relation", &known, errors, &mut read);
    let broken = errors.count() > before;
    // the attribute of bevy, which is reported
    if component.item.attrs.iter().any(|attribute| attribute.path().is_ident("relationship")) {
        exclusive = exclusive.or_else(|| Some(Ident::new("exclusive", component.item.ident.span())));
    }
    component.ecs = ecs.unwrap_or(component.ecs);
    Some(Relation {
        component,
        options: Options { exclusive, many, symmetric, acyclic, to_self, gone, targets, broken },
    })
}

/// The message for a wrong list after `target`.
const TARGET: &str = "`target` lists the components that every target of the relation has: `target(Health, Position)`; the \
                      attribute `#[target]` stands before the field of the target";

/// Reads `= cascade` after `gone`.
fn policy(input: ParseStream<'_>, relation: &str) -> Result<Gone> {
    let policies = list(&POLICIES);
    if !input.peek(Token![=]) {
        return Err(input.error(format!(
            "the policy is written after `=`: `gone = remove`; the policies are {policies}"
        )));
    }
    input.parse::<Token![=]>()?;
    let found = input.span();
    let policy = input
        .call(Ident::parse_any)
        .map_err(|_| found.wrong(format!("expected a policy of relation `{relation}`: {policies}")))?;
    if input.peek(token::Paren) && ["keep", "remove", "cascade"].contains(&text(&policy).as_str()) {
        let values: TokenTree = input.parse()?;
        return Err(policy.span().wrong(format!(
            "policy `{policy}` of relation `{relation}` takes no value: remove `{}`; only `mark(Component)` names a component",
            source(&values)
        )));
    }
    match text(&policy).as_str() {
        "keep" => Ok(Gone::Keep),
        "remove" => Ok(Gone::Remove),
        "cascade" => Ok(Gone::Cascade),
        "mark" => mark(input, &policy, relation),
        wrong => {
            let meant =
                nearest(wrong, &NAMES).map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
            Err(policy.span().wrong(format!(
                "unknown policy `{wrong}` of relation `{relation}`: {meant}the policies are {policies}"
            )))
        }
    }
}

/// Reads `(CleanUp)` after `mark`.
fn mark(input: ParseStream<'_>, word: &Ident, relation: &str) -> Result<Gone> {
    let expected = |at: Span| {
        at.wrong(format!(
            "`mark` of relation `{relation}` takes one component, which a source gets when its target is despawned: \
             `gone = mark(CleanUp)`"
        ))
    };
    if !input.peek(token::Paren) {
        return Err(expected(word.span()));
    }
    let content;
    let parentheses = parenthesized!(content in input);
    let tokens: TokenStream = content.parse()?; // all tokens, since `syn` would report those left over
    match syn::parse2::<TypeName>(tokens) {
        Ok(component) => Ok(Gone::Mark(Box::new(component.0))),
        Err(_) => Err(expected(parentheses.span.join())),
    }
}

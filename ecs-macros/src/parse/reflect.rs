//! `#[derive(Reflect)]`, with `#[reflect(..)]` before the type, its variants and its fields.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::ParseStream;
use syn::{Attribute, Data, DeriveInput, ExprPath, Fields, LitStr, Meta, Result, Token};

use super::options::{self, Known, after_equals};
use crate::diagnostic::{Culprit, Diagnostics};
use crate::model::bundle::shown;
use crate::names::{Ecs, source, text};

/// An item with the derive.
pub(crate) struct Reflect {
    pub(crate) item: DeriveInput,
    pub(crate) ecs: Ecs,
    pub(crate) rename: Option<LitStr>,
    /// The function after `check =`.
    pub(crate) check: Option<ExprPath>,
    /// The options of the variants; of a struct those of one variant.
    pub(crate) variants: Vec<VariantOptions>,
}

/// The options of a variant and of its fields.
pub(crate) struct VariantOptions {
    pub(crate) rename: Option<LitStr>,
    pub(crate) fields: Vec<FieldOptions>,
}

/// The options of a field.
#[derive(Default)]
pub(crate) struct FieldOptions {
    /// The word `skip`.
    pub(crate) skip: Option<Ident>,
    /// The word `default`.
    pub(crate) default: Option<Ident>,
    /// The function after `default =`.
    pub(crate) default_path: Option<ExprPath>,
    pub(crate) rename: Option<LitStr>,
}

/// Reads a type.
pub(crate) fn parse(tokens: TokenStream, errors: &mut Diagnostics) -> Option<Reflect> {
    let mut item = options::item(tokens, "type", &[], errors)?;
    registrations(&mut item.attrs, errors);
    let subject = format!("reflected type `{}`", text(&item.ident));
    let known = Known { subject: &subject, forms: "rename = \"Name\" | check = path | crate = path" };
    let (mut ecs, mut rename, mut check) = (Ecs::default(), None, None);
    let mut read = |name: &Ident, input: ParseStream<'_>| -> Result<()> {
        match text(name).as_str() {
            "crate" => ecs = options::crate_path(input)?,
            "rename" => rename = Some(new_name(name, input)?),
            _ => check = Some(function(name, input)?),
        }
        Ok(())
    };
    attributes(&item.attrs, &known, errors, &mut read);
    let variants = match &item.data {
        Data::Struct(data) => vec![VariantOptions { rename: None, fields: fields(&data.fields, errors) }],
        Data::Enum(data) => data.variants.iter().map(|of| variant(of, errors)).collect(),
        Data::Union(_) => Vec::new(),
    };
    Some(Reflect { item, ecs, rename, check, variants })
}

fn variant(variant: &syn::Variant, errors: &mut Diagnostics) -> VariantOptions {
    let subject = format!("reflected variant `{}`", text(&variant.ident));
    let known = Known { subject: &subject, forms: "rename = \"Name\"" };
    let mut rename = None;
    let mut read = |name: &Ident, input: ParseStream<'_>| -> Result<()> {
        rename = Some(new_name(name, input)?);
        Ok(())
    };
    attributes(&variant.attrs, &known, errors, &mut read);
    VariantOptions { rename, fields: fields(&variant.fields, errors) }
}

fn fields(fields: &Fields, errors: &mut Diagnostics) -> Vec<FieldOptions> {
    let of = |(field, member): (&syn::Field, _)| {
        let subject = format!("reflected field `{}`", shown(&member));
        let forms = "skip | default | default = path | rename = \"name\"";
        let known = Known { subject: &subject, forms };
        let mut options = FieldOptions::default();
        let mut read = |name: &Ident, input: ParseStream<'_>| -> Result<()> {
            match text(name).as_str() {
                "skip" => options.skip = Some(name.clone()),
                "rename" => options.rename = Some(new_name(name, input)?),
                _ => {
                    options.default = Some(name.clone());
                    if input.peek(Token![=]) {
                        options.default_path = Some(function(name, input)?);
                    }
                }
            }
            Ok(())
        };
        attributes(&field.attrs, &known, errors, &mut read);
        options
    };
    fields.iter().zip(fields.members()).map(of).collect()
}

/// Reads the attributes `#[reflect(..)]`, and refuses those of serde.
fn attributes(
    attributes: &[Attribute],
    known: &Known<'_>,
    errors: &mut Diagnostics,
    read: &mut dyn FnMut(&Ident, ParseStream<'_>) -> Result<()>,
) {
    options::attributes(attributes, "reflect", known, errors, read);
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("serde")) {
        let (found, cure) = (source(&attribute), cure_of_serde(attribute, known));
        errors.at(attribute, format!("`{found}` has no effect on `derive(Reflect)`: {cure}"));
    }
}

/// The options of serde whose names are options here, or the advice to derive the traits of serde.
fn cure_of_serde(attribute: &Attribute, known: &Known<'_>) -> String {
    let options = match &attribute.meta {
        Meta::List(list) => entries(list.tokens.clone()),
        _ => Vec::new(),
    };
    let of_reflect = |option: &TokenStream| {
        let mut trees = option.clone().into_iter();
        let name = trees.next()?.to_string();
        if !known.has(&name) || name == "crate" {
            return None;
        }
        // serde writes the path of a function in quotes
        let path = match trees.nth(1) {
            Some(path) if name == "default" => Some(path.to_string().trim_matches('"').to_owned()),
            _ => None,
        };
        Some(path.map_or_else(|| source(option), |path| format!("{name} = {path}")))
    };
    match options.iter().map(of_reflect).collect::<Option<Vec<_>>>() {
        Some(options) if !options.is_empty() => format!("write `#[reflect({})]`", options.join(", ")),
        _ => "remove it, or derive `Serialize` and `Deserialize` of serde in place of `Reflect`".to_owned(),
    }
}

/// Reports and removes the traits of bevy in attributes of a type, such as `#[reflect(Component,
/// Default)]`.
fn registrations(attributes: &mut [Attribute], errors: &mut Diagnostics) {
    for attribute in attributes.iter_mut() {
        let shown = attribute.clone();
        let Meta::List(list) = &mut attribute.meta else { continue };
        if !list.path.is_ident("reflect") {
            continue;
        }
        let is_trait = |entry: &TokenStream| {
            entry.to_string().starts_with(|sign: char| sign.is_uppercase() || sign == '@')
        };
        let (traits, others): (Vec<_>, Vec<_>) = entries(list.tokens.clone()).into_iter().partition(is_trait);
        let Some(first) = traits.first() else { continue };
        let reason = match first.to_string().as_str() {
            "Component" | "Resource" | "Event" | "Message" => "a `world!` lists its types",
            "Serialize" | "Deserialize" => "`derive(Reflect)` implements `Serialize` and `Deserialize`, too",
            "Default" | "Debug" | "Hash" | "PartialEq" | "Clone" => "the derive of a trait is enough",
            _ => "nothing is registered here",
        };
        list.tokens = others
            .into_iter()
            .flat_map(|entry| [entry, Token![,](list.path.segments[0].ident.span()).into_token_stream()])
            .collect();
        let message = format!("`{}` registers traits in bevy: remove it; {reason}", source(&shown));
        if list.tokens.is_empty() {
            errors.at(&shown, message);
        } else {
            errors.at(first, format!("`{first}` registers a trait in bevy: remove it; {reason}"));
        }
    }
}

/// The entries between commas.
fn entries(tokens: TokenStream) -> Vec<TokenStream> {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let entries = trees.split(|tree| matches!(tree, TokenTree::Punct(sign) if sign.as_char() == ','));
    entries.filter(|entry| !entry.is_empty()).map(|entry| entry.iter().cloned().collect()).collect()
}

/// Reads `= "name"`.
fn new_name(option: &Ident, input: ParseStream<'_>) -> Result<LitStr> {
    after_equals(option, input, "the name is written in quotes after `=`: `rename = \"name\"`")
}

/// Reads `= path`.
fn function(option: &Ident, input: ParseStream<'_>) -> Result<ExprPath> {
    let message = format!("a function is named after `=`, without quotes and parentheses: `{option} = path`");
    let found = input.fork();
    let path = after_equals(option, input, &message)?;
    if input.is_empty() || input.peek(Token![,]) {
        return Ok(path);
    }
    found.parse::<Token![=]>()?;
    Err(options::to_comma(&found).wrong(message))
}

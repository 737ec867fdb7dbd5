//! An enum with `#[derive(StateMachine)]`, as the attributes describe it.

use proc_macro2::{Ident, Span};
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Data, DeriveInput, Error, Field, Fields, Path, Result, Token, Visibility, parenthesized,
    parse_quote, token,
};

use crate::names::{identifier, list, nearest, snake_case, text};

/// The enum.
pub(crate) struct Machine {
    /// The path of the library.
    pub(crate) library: Path,
    pub(crate) ident: Ident,
    pub(crate) visibility: Visibility,
    /// The name of the module with the types of the states.
    pub(crate) module: Ident,
    pub(crate) has_generics: bool,
    pub(crate) states: Vec<State>,
    /// The keyword of an item that is not an enum.
    pub(crate) not_an_enum: Option<(&'static str, Span)>,
}

/// A variant.
pub(crate) struct State {
    pub(crate) ident: Ident,
    pub(crate) fields: Fields,
    /// The states that may follow; `None` for all others.
    pub(crate) to: Option<Vec<Ident>>,
    pub(crate) initial: bool,
    /// The word `nested` of the attribute.
    pub(crate) nested: Option<Ident>,
}

impl State {
    /// The field with the data of the state.
    pub(crate) fn field(&self) -> Option<&Field> {
        match &self.fields {
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => fields.unnamed.first(),
            _ => None,
        }
    }
}

impl Machine {
    /// Reads an item, and collects the mistakes in its attributes.
    pub(crate) fn new(item: &DeriveInput, errors: &mut Vec<Error>) -> Self {
        let name = text(&item.ident);
        // the defaults, which options replace
        let mut machine = Self {
            library: parse_quote!(::ecs_mechanics),
            ident: item.ident.clone(),
            visibility: item.vis.clone(),
            module: identifier(&snake_case(&name), item.ident.span()),
            has_generics: !item.generics.params.is_empty(),
            states: Vec::new(),
            not_an_enum: None,
        };
        let known = ["module = name", "crate = path"];
        options(
            &item.attrs,
            "machine",
            &format!("machine `{name}`"),
            &known,
            errors,
            &mut |option, input| {
                input.parse::<Token![=]>()?;
                match text(option).as_str() {
                    "crate" => machine.library = input.call(Path::parse_mod_style)?,
                    _ => machine.module = input.parse()?,
                }
                Ok(())
            },
        );
        match &item.data {
            Data::Enum(data) => {
                machine.states = data.variants.iter().map(|variant| State::new(variant, errors)).collect();
            }
            Data::Struct(data) => machine.not_an_enum = Some(("a struct", data.struct_token.span)),
            Data::Union(data) => machine.not_an_enum = Some(("a union", data.union_token.span)),
        }
        machine
    }

    /// The position of a state.
    pub(crate) fn find(&self, name: &Ident) -> Option<usize> {
        self.states.iter().position(|state| text(&state.ident) == text(name))
    }

    /// The states that may follow a state, each once. After a mistake in the list these are all
    /// others, so that no transition is reported, too.
    pub(crate) fn targets(&self, from: usize) -> Vec<usize> {
        let others = || (0..self.states.len()).filter(|to| *to != from).collect();
        let Some(names) = &self.states[from].to else { return others() };
        let found: Option<Vec<usize>> = names.iter().map(|name| self.find(name)).collect();
        let Some(found) = found else { return others() };
        let is_first = |at: usize| !found[..at].contains(&found[at]);
        (0..found.len()).filter(|at| is_first(*at)).map(|at| found[at]).collect()
    }

    /// The states in which a machine may begin.
    pub(crate) fn initial(&self) -> Vec<usize> {
        let marked: Vec<usize> = (0..self.states.len()).filter(|at| self.states[*at].initial).collect();
        if marked.is_empty() { (0..self.states.len().min(1)).collect() } else { marked }
    }
}

impl State {
    fn new(variant: &syn::Variant, errors: &mut Vec<Error>) -> Self {
        let (ident, fields) = (variant.ident.clone(), variant.fields.clone());
        let mut state = Self { ident, fields, to: None, initial: false, nested: None };
        let subject = format!("state `{}`", text(&variant.ident));
        let known = ["to(Patrol, Chase)", "initial", "nested"];
        options(&variant.attrs, "state", &subject, &known, errors, &mut |option, input| {
            match text(option).as_str() {
                "initial" => state.initial = true,
                "nested" => state.nested = Some(option.clone()),
                _ => {
                    if !input.peek(token::Paren) {
                        let message = "the states are written in parentheses: `to(Patrol, Chase)`; a final state has `to()`";
                        return Err(Error::new(option.span(), message));
                    }
                    let listed;
                    parenthesized!(listed in input);
                    let names =
                        Punctuated::<Ident, Token![,]>::parse_terminated(&listed).map_err(|error| {
                            Error::new(error.span(), "`to` lists variants of the enum: `to(Patrol, Chase)`")
                        })?;
                    state.to = Some(names.into_iter().collect());
                }
            }
            Ok(())
        });
        state
    }
}

/// Reads the options of all attributes with this name. `known` are the options as users write them.
pub(crate) fn options(
    attributes: &[Attribute],
    name: &str,
    subject: &str,
    known: &[&str],
    errors: &mut Vec<Error>,
    read: &mut dyn FnMut(&Ident, ParseStream<'_>) -> Result<()>,
) {
    // the name of an option is the beginning of how users write it
    let names: Vec<String> =
        known.iter().map(|shown| shown.split([' ', '(']).next().unwrap_or_default().to_owned()).collect();
    let shown: Vec<String> = known.iter().map(|shown| (*shown).to_owned()).collect();
    // each attribute by itself: a mistake in one does not hide those in the others
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident(name)) {
        let mut seen: Vec<String> = Vec::new();
        let parsed = attribute.parse_args_with(|input: ParseStream<'_>| {
            while !input.is_empty() {
                let option = input.call(<Ident as syn::ext::IdentExt>::parse_any)?;
                let found = text(&option);
                if !names.contains(&found) {
                    let meant = nearest(&found, &names).map(|near| format!("did you mean `{near}`? "));
                    let (meant, all) = (meant.unwrap_or_default(), list(&shown));
                    let message =
                        format!("unknown option `{found}` of {subject}: {meant}the options are {all}");
                    return Err(Error::new(option.span(), message));
                }
                if seen.contains(&found) {
                    return Err(Error::new(
                        option.span(),
                        format!("option `{found}` of {subject} is there twice: remove one"),
                    ));
                }
                seen.push(found);
                read(&option, input)?;
                if !input.is_empty() {
                    input.parse::<Token![,]>()?;
                }
            }
            Ok(())
        });
        errors.extend(parsed.err());
    }
}

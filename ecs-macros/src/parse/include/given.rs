//! The input from a macro of `parts!`: a list of entries or systems, the name of the list, its type parameters, and for entries of parts
//! that the parts include the list that declares them.
//!
//! `parts {components { .. } ..} {__physics_0123 [T, U = {Mana}] [_, __shapes_4567 2]}`

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{LitInt, Path, Result, Token, braced, bracketed, token};

use super::target::Target;
use crate::names::{list, source, text};

/// The word in place of a list whose `include` is compiled out.
const LEFT_OUT: &str = "left_out";

/// A list of parts or of a schedule.
#[derive(Default)]
pub(super) struct Given {
    pub(super) entries: TokenStream,
    /// The unique name of the list.
    name: String,
    pub(super) parameters: Vec<Parameter>,
    /// For each entry: the list that declares it, if it is another one.
    origins: Vec<Option<(String, usize)>>,
}

/// A type parameter, or a constant.
pub(super) struct Parameter {
    name: String,
    default: Option<TokenStream>,
}

/// The list that declares an entry, and the number in it. Entries of equal origin are one.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Origin {
    pub(crate) list: String,
    pub(crate) index: usize,
    /// The path of the `include`, for an entry that depends on its arguments.
    instance: Option<String>,
}

impl Origin {
    /// Whether entries of several includes can have this origin.
    pub(crate) fn is_shared(&self) -> bool {
        self.instance.is_none()
    }
}

/// A type parameter of parts with the argument of an `include`.
pub(super) type Argument = (String, TokenStream);

impl Given {
    /// Reads a list of the kind `word`. `None` if it is compiled out.
    pub(super) fn read(tokens: TokenStream, word: &str) -> std::result::Result<Option<Self>, ()> {
        let parser = |input: ParseStream<'_>| {
            let kind = input.call(Ident::parse_any)?;
            let entries;
            braced!(entries in input);
            let mut given = Self { entries: entries.parse()?, ..Self::default() };
            if input.peek(token::Brace) {
                let about;
                braced!(about in input);
                given.about(&about)?;
            }
            Ok((kind, given))
        };
        let (kind, given) = parser.parse2(tokens).map_err(drop)?;
        if kind == LEFT_OUT {
            return Ok(None);
        }
        if kind == word { Ok(Some(given)) } else { Err(()) }
    }

    /// Reads the tokens behind the list.
    fn about(&mut self, input: ParseStream<'_>) -> Result<()> {
        self.name = text(&input.parse()?);
        let (parameters, origins);
        bracketed!(parameters in input);
        while !parameters.is_empty() {
            let name = text(&parameters.parse()?);
            let equals = parameters.parse::<Option<Token![=]>>()?;
            let default = equals.map(|_| group(&parameters)).transpose()?;
            self.parameters.push(Parameter { name, default });
            parameters.parse::<Option<Token![,]>>()?;
        }
        bracketed!(origins in input);
        while !origins.is_empty() {
            let own = origins.parse::<Option<Token![_]>>()?.is_some();
            let other = |input: ParseStream<'_>| -> Result<(String, usize)> {
                Ok((text(&input.parse()?), input.parse::<LitInt>()?.base10_parse()?))
            };
            self.origins.push(if own { None } else { Some(other(&origins)?) });
            origins.parse::<Option<Token![,]>>()?;
        }
        Ok(())
    }

    /// Whether the entry with the number `index` is not one of parts that these parts include.
    pub(super) fn declares(&self, index: usize) -> bool {
        !matches!(self.origins.get(index), Some(Some(_)))
    }

    /// The origin of the entry with the number `index`.
    pub(super) fn origin(&self, target: &Target, index: usize, depends: bool) -> Origin {
        if let Some(Some((list, index))) = self.origins.get(index) {
            return Origin { list: list.clone(), index: *index, instance: None };
        }
        let list = if self.name.is_empty() { target.spelled.clone() } else { self.name.clone() };
        Origin { list, index, instance: depends.then(|| target.spelled.clone()) }
    }

    /// The arguments of the path for the parameters, or a message.
    pub(super) fn arguments(&self, target: &Target) -> std::result::Result<Vec<Argument>, String> {
        let (given, most) = (target.arguments(), self.parameters.len());
        let least = self.parameters.iter().filter(|parameter| parameter.default.is_none()).count();
        if (least..=most).contains(&given.len()) {
            let given = given.into_iter().map(Some).chain(std::iter::repeat(None));
            let of = |(parameter, given): (&Parameter, Option<TokenStream>)| {
                (parameter.name.clone(), given.or_else(|| parameter.default.clone()).unwrap_or_default())
            };
            return Ok(self.parameters.iter().zip(given).map(of).collect());
        }
        let path = source(&target.bare());
        if most == 0 {
            return Err(format!("`{path}` takes no arguments: write `include {path}`"));
        }
        let names: Vec<&str> = self.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        let (form, names, count) = (names.join(", "), list(&names), given.len());
        let takes = if least == most { most.to_string() } else { format!("{least} to {most}") };
        let noun = if most == 1 { "argument" } else { "arguments" };
        Err(format!(
            "`{path}` takes {takes} {noun}, for {names}, and is given {count}: write `include {path}::<{form}>`, with types and values \
             in place of {names}"
        ))
    }
}

fn group(input: ParseStream<'_>) -> Result<TokenStream> {
    let group;
    braced!(group in input);
    group.parse()
}

/// Whether `tokens` name one of the parameters.
pub(super) fn depends(tokens: &impl ToTokens, arguments: &[Argument]) -> bool {
    !arguments.is_empty()
        && names_one_of(tokens.to_token_stream(), &|name| arguments.iter().any(|(known, _)| known == name))
}

/// Whether a name in `tokens` that is not behind `::` is one of `known`.
pub(crate) fn names_one_of(tokens: TokenStream, known: &dyn Fn(&str) -> bool) -> bool {
    let mut behind = false;
    tokens.into_iter().any(|tree| {
        let after = std::mem::replace(&mut behind, is_colon(&tree));
        match tree {
            TokenTree::Ident(name) => !after && known(&name.to_string()),
            TokenTree::Group(group) => names_one_of(group.stream(), known),
            _ => false,
        }
    })
}

fn is_colon(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Punct(punct) if punct.as_char() == ':')
}

/// `tokens` with the arguments in place of the parameters, for messages and names.
pub(super) fn substituted(tokens: TokenStream, arguments: &[Argument]) -> TokenStream {
    let mut behind = false;
    tokens
        .into_iter()
        .flat_map(|tree| {
            let after = std::mem::replace(&mut behind, is_colon(&tree));
            match tree {
                TokenTree::Ident(ref name) if !after => {
                    let name = name.to_string();
                    let argument = arguments.iter().find(|(known, _)| *known == name);
                    argument.map_or_else(|| tree.into(), |(_, argument)| argument.clone())
                }
                TokenTree::Group(group) => {
                    let inner = substituted(group.stream(), arguments);
                    TokenTree::Group(proc_macro2::Group::new(group.delimiter(), inner)).into()
                }
                other => other.into(),
            }
        })
        .collect()
}

/// The path without its arguments.
pub(crate) fn bare(path: &Path) -> Path {
    let mut path = path.clone();
    path.segments.iter_mut().for_each(|segment| segment.arguments = syn::PathArguments::None);
    path
}

//! The input from a macro of `parts!`: a list of entries or systems, the name of the list, its type
//! parameters, and for entries of parts that the parts include the list that declares them. A
//! schedule has, for messages, the names of its parts and of those that they need.
//!
//! `parts {components { .. } ..} {__physics_0123 [T, U = {Mana}] [_, __shapes_4567 2, __pool_89ab 0 [{T}]]}`
//!
//! `schedule {movement, bounce} {__step_0123 [T] [] [{physics Position Clock} {shapes::shapes}]}`

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
    origins: Vec<Option<Declared>>,
    /// For a schedule: the name of its parts with the names of their types, and the paths of the
    /// parts that these need.
    pub(super) needs: Vec<TokenStream>,
}

/// A type parameter, or a constant.
pub(super) struct Parameter {
    name: String,
    default: Option<TokenStream>,
}

/// The list that declares an entry, the number in it, and the arguments of the list that the entry
/// depends on.
type Declared = (String, usize, Vec<TokenStream>);

/// The list that declares an entry, and the number in it: see [`is_same`](Self::is_same).
#[derive(Clone)]
pub(crate) struct Origin {
    pub(crate) list: String,
    pub(crate) index: usize,
    /// The arguments of the list that the entry depends on.
    pub(crate) arguments: Vec<TokenStream>,
    /// The texts of the arguments, if they stand in the text that is read.
    spelled: Option<Vec<String>>,
}

impl Origin {
    /// Whether two entries are one. Two instances whose arguments stand in one text are one if
    /// their texts are equal. The arguments that a library gives have other paths here, or none:
    /// such instances are one if the last names in the arguments are equal, and the expansion makes
    /// rustc compare the types.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        (&self.list, self.index) == (&other.list, other.index)
            && match (&self.spelled, &other.spelled) {
                (Some(one), Some(other)) => one == other,
                _ => last_names(&self.arguments) == last_names(&other.arguments),
            }
    }
}

/// The arguments with the last name in place of each path.
pub(super) fn last_names(arguments: &[TokenStream]) -> Vec<String> {
    arguments.iter().map(|argument| source(&without_modules(argument.clone()))).collect()
}

/// `tokens` without the names before `::` and another name.
fn without_modules(tokens: TokenStream) -> TokenStream {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let is_name = |at: usize| matches!(trees.get(at), Some(TokenTree::Ident(_)));
    let is_separator = |at: usize| [at, at + 1].iter().all(|at| trees.get(*at).is_some_and(is_colon));
    let mut left = Vec::new();
    let mut at = 0;
    while at < trees.len() {
        if is_name(at) && is_separator(at + 1) && is_name(at + 3) {
            at += 3;
        } else if at == 0 && is_separator(at) && is_name(at + 2) {
            at += 2;
        } else {
            left.push(match &trees[at] {
                TokenTree::Group(group) => {
                    let inner = without_modules(group.stream());
                    TokenTree::Group(proc_macro2::Group::new(group.delimiter(), inner))
                }
                other => other.clone(),
            });
            at += 1;
        }
    }
    left.into_iter().collect()
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
            let other = |input: ParseStream<'_>| -> Result<Declared> {
                let (list, index) = (text(&input.parse()?), input.parse::<LitInt>()?.base10_parse()?);
                let mut given = Vec::new();
                if input.peek(token::Bracket) {
                    let arguments;
                    bracketed!(arguments in input);
                    while !arguments.is_empty() {
                        given.push(group(&arguments)?);
                    }
                }
                Ok((list, index, given))
            };
            self.origins.push(if own { None } else { Some(other(&origins)?) });
            origins.parse::<Option<Token![,]>>()?;
        }
        if input.peek(token::Bracket) {
            let needs;
            bracketed!(needs in input);
            while !needs.is_empty() {
                self.needs.push(group(&needs)?);
            }
        }
        Ok(())
    }

    /// The name of the list itself, if it is known.
    pub(super) fn own_name(&self) -> Option<&str> {
        (!self.name.is_empty()).then(|| public_name(&self.name))
    }

    /// The names of the parts that these parts include.
    pub(super) fn included_names(&self) -> impl Iterator<Item = &str> {
        self.origins.iter().flatten().map(|(list, ..)| public_name(list))
    }

    /// Whether the arguments are the defaults of all parameters.
    pub(super) fn has_default_arguments(&self, arguments: &[Argument]) -> bool {
        self.parameters.iter().zip(arguments).all(|(parameter, (_, argument))| {
            parameter.default.as_ref().is_some_and(|default| {
                last_names(std::slice::from_ref(default)) == last_names(std::slice::from_ref(argument))
            })
        })
    }

    /// Whether the entry with the number `index` is not one of parts that these parts include, or
    /// one of an instance of them.
    pub(super) fn declares(&self, index: usize) -> bool {
        !matches!(self.origins.get(index), Some(Some((.., arguments))) if arguments.is_empty())
    }

    /// The origin of the entry `ty` with the number `index`.
    pub(super) fn origin(
        &self,
        target: &Target,
        index: usize,
        ty: &impl ToTokens,
        given: &[Argument],
    ) -> Origin {
        if let Some(Some((list, index, arguments))) = self.origins.get(index) {
            let arguments = arguments.iter().map(|argument| substituted(argument.clone(), given)).collect();
            return Origin { list: list.clone(), index: *index, arguments, spelled: None };
        }
        let list = if self.name.is_empty() { target.spelled.clone() } else { self.name.clone() };
        let arguments: Vec<TokenStream> = given
            .iter()
            .filter(|argument| depends(ty, std::slice::from_ref(argument)))
            .map(|(_, argument)| argument.clone())
            .collect();
        let spelled = Some(arguments.iter().map(source).collect());
        Origin { list, index, arguments, spelled }
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

/// `physics` for the unique name `__physics_0123456789abcdef`.
fn public_name(unique: &str) -> &str {
    let name = unique.strip_prefix("__").unwrap_or(unique);
    name.rsplit_once('_').map_or(name, |(name, _)| name)
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

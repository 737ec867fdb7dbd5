//! `#[system(..)]`: the arguments of the attribute, and the function up to its body.
//!
//! The function goes on as it came; its body is not looked at.

use proc_macro2::{Ident, TokenStream};
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Error, ExprPath, Result, Signature, Token, Type, Visibility};

use super::options::{self, Known, next, separated, to_comma};
use crate::diagnostic::Diagnostics;
use crate::names::{Ecs, source, ungroup};

const KNOWN: Known<'static> = Known {
    subject: "`#[system]`",
    names: &["init", "par", "crate"],
    shown: &["init = setup", "par", "crate = path"],
};

/// What stands in the parentheses of `#[system(..)]`.
#[derive(Default)]
pub(crate) struct Arguments {
    pub(crate) ecs: Ecs,
    /// The world, if one is named.
    pub(crate) world: Option<Type>,
    /// What is called when the system gets its place.
    pub(crate) init: Option<ExprPath>,
    /// The word `par`.
    pub(crate) par: Option<Ident>,
}

/// A function with `#[system]`.
pub(crate) struct System {
    pub(crate) arguments: Arguments,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) signature: Signature,
    /// All of the function, to be emitted beside what is generated.
    pub(crate) item: TokenStream,
}

/// Reads the attribute's arguments and the function. Gives the item back where it is none.
pub(crate) fn parse(
    arguments: TokenStream,
    item: TokenStream,
    errors: &mut Diagnostics,
) -> std::result::Result<System, TokenStream> {
    let arguments = self::arguments(arguments, errors);
    match (|input: ParseStream<'_>| function(input, &item)).parse2(item.clone()) {
        Ok((attributes, visibility, signature)) => {
            Ok(System { arguments, attributes, visibility, signature, item })
        }
        Err(error) => {
            errors.push(error);
            Err(item)
        }
    }
}

fn arguments(tokens: TokenStream, errors: &mut Diagnostics) -> Arguments {
    let mut arguments = Arguments::default();
    let mut seen = Vec::new();
    options::all(tokens, errors, |input, errors| {
        separated(input, errors, &mut |input| argument(input, &mut arguments, &mut seen));
    });
    arguments
}

fn argument(input: ParseStream<'_>, arguments: &mut Arguments, seen: &mut Vec<String>) -> Result<()> {
    if is_par(input) {
        let mut read = |name: &Ident, _: ParseStream<'_>| -> Result<()> {
            arguments.par = Some(name.clone());
            Ok(())
        };
        return options::option(input, &KNOWN, seen, &mut read);
    }
    if input.peek2(Token![=]) {
        let mut read = |name: &Ident, input: ParseStream<'_>| -> Result<()> {
            if name == "init" {
                arguments.init = Some(init(input)?);
            } else {
                arguments.ecs = options::crate_path(input)?;
            }
            Ok(())
        };
        return options::option(input, &KNOWN, seen, &mut read);
    }
    let found = next(input);
    let wrong = |found: &str| {
        format!(
            "`{found}` is not a world: write `#[system(Game)]` with the world's type, `#[system(W)]` with \
            a type parameter of the function, or `#[system]` for every world that has what it needs"
        )
    };
    let start = input.span();
    let ty: Type = input.parse().map_err(|_| Error::new(start, wrong(&found)))?;
    let Type::Path(path) = ungroup(&ty) else { return Err(Error::new_spanned(&ty, wrong(&source(&ty)))) };
    let Some(first) = &arguments.world else {
        arguments.world = Some(ty);
        return Ok(());
    };
    let word =
        path.path.get_ident().map(ToString::to_string).filter(|word| word.starts_with(char::is_lowercase));
    let message = match word {
        Some(word) => KNOWN.unknown(&word),
        None => format!(
            "a system is bound to one world: `{}` is named already; leave the world out, `#[system]`, for \
            every world \
             that has what the system needs",
            source(first)
        ),
    };
    Err(Error::new_spanned(ty, message))
}

/// Whether the word `par` is next, and all of the argument: a world may have that name, in a module.
fn is_par(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    ahead.parse::<Ident>().is_ok_and(|word| word == "par") && (ahead.is_empty() || ahead.peek(Token![,]))
}

/// `= path`, behind `init`.
fn init(input: ParseStream<'_>) -> Result<ExprPath> {
    input.parse::<Token![=]>()?;
    let (start, found) = (input.span(), source(&to_comma(&input.fork())));
    let path = input.parse::<ExprPath>();
    if path.is_err() || !(input.is_empty() || input.peek(Token![,])) {
        let message = format!(
            "`init` of `#[system]` names a function, `init = setup` with `fn setup(world: &mut Game)`, found `{found}`"
        );
        return Err(Error::new(start, message));
    }
    path
}

type Function = (Vec<Attribute>, Visibility, Signature);

fn function(input: ParseStream<'_>, item: &TokenStream) -> Result<Function> {
    let attributes = input.call(Attribute::parse_outer)?;
    let visibility: Visibility = input.parse()?;
    let (start, found) = (input.span(), next(input));
    let signature = match input.parse::<Signature>() {
        Ok(signature) => signature,
        Err(_) if !is_function(item) => {
            return Err(Error::new(start, format!("`#[system]` marks a function, this is `{found}`")));
        }
        Err(error) => return Err(error),
    };
    input.parse::<TokenStream>()?;
    Ok((attributes, visibility, signature))
}

fn is_function(item: &TokenStream) -> bool {
    item.clone().into_iter().any(|tree| tree.to_string() == "fn")
}

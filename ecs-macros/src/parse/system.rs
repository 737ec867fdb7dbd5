//! `#[system(..)]`: the arguments of the attribute, and the function up to its body.
//!
//! The function is emitted unchanged; the macro does not parse its body.

use proc_macro2::{Group, Ident, Punct, Spacing, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Error, ExprPath, LitInt, Result, Signature, Token, Type, Visibility, token};

use super::options::{self, Known, next, separated, to_comma};
use crate::built_in;
use crate::diagnostic::{Culprit, Diagnostics};
use crate::names::{Ecs, source, text, ungroup};

const KNOWN: Known<'static> = Known {
    subject: "`#[system]`",
    forms: "init = setup | exit = cleanup | par | background(ticks = 3) | crate = path",
};

/// The arguments of `#[system(..)]`.
#[derive(Default)]
pub(crate) struct Arguments {
    pub(crate) ecs: Ecs,
    /// The world, if one is named.
    pub(crate) world: Option<Type>,
    /// The function that is called when the system is added.
    pub(crate) init: Option<ExprPath>,
    /// The function that is called after the system was removed.
    pub(crate) exit: Option<ExprPath>,
    /// The word `par`.
    pub(crate) par: Option<Ident>,
    /// The option `background`.
    pub(crate) background: Option<Background>,
    /// Whether the option `of_state` is given, which only the library's `in_state` has.
    pub(crate) of_state: bool,
}

/// The option `background` of a system that reads a copy of the world on another thread.
pub(crate) struct Background {
    /// The word `background`.
    pub(crate) word: Ident,
    /// The number of runs of the schedule after which the output arrives; `None` if it arrives when
    /// the function has ended.
    pub(crate) ticks: Option<u32>,
}

/// A function with `#[system]`.
pub(crate) struct System {
    pub(crate) arguments: Arguments,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) signature: Signature,
    /// The tokens of the whole function, which the expansion repeats.
    pub(crate) item: TokenStream,
}

/// Reads the attribute's arguments and the function. Returns the tokens as an error if the item is
/// not a function.
pub(crate) fn parse(
    arguments: TokenStream,
    item: TokenStream,
    errors: &mut Diagnostics,
) -> std::result::Result<System, TokenStream> {
    let arguments = self::arguments(arguments, errors);
    let read = |item: &TokenStream| (|input: ParseStream<'_>| function(input, item)).parse2(item.clone());
    let (item, function) = match read(&item) {
        Err(error) => match without_mistakes(item.clone()) {
            (output, Some(mistake)) if read(&output).is_ok() => {
                errors.push(mistake);
                (output.clone(), read(&output))
            }
            _ => (item, Err(error)),
        },
        function => (item, function),
    };
    match function {
        Ok((attributes, visibility, signature)) => {
            Ok(System { arguments, attributes, visibility, signature, item })
        }
        Err(error) => {
            errors.push(error);
            Err(item)
        }
    }
}

/// The function without each `!` that stands before a filter, as in `!With<Frozen>`, and without
/// each `mut` that begins a type, and the message for the first.
fn without_mistakes(item: TokenStream) -> (TokenStream, Option<Error>) {
    let (mut output, mut error) = (Vec::new(), None);
    let mut trees = item.into_iter().peekable();
    while let Some(tree) = trees.next() {
        match (&tree, trees.peek()) {
            (TokenTree::Punct(sign), Some(TokenTree::Ident(filter)))
                if sign.as_char() == '!' && built_in::is_filter(&text(filter)) =>
            {
                let message = match text(filter).as_str() {
                    "With" => {
                        "a filter is negated by its name: write `Without<..>` for `!With<..>`".to_owned()
                    }
                    "Without" => {
                        "a filter is negated by its name: write `With<..>` for `!Without<..>`".to_owned()
                    }
                    other => format!(
                        "a filter is negated by its name: write `Not<{other}<..>>` for `!{other}<..>`"
                    ),
                };
                error.get_or_insert_with(|| sign.span().wrong(message));
            }
            (TokenTree::Ident(word), Some(TokenTree::Ident(ty)))
                if word == "mut" && begins_a_type(output.last(), &text(ty)) =>
            {
                let ty = text(ty);
                let is_parameter = built_in::BuiltIn::without_arguments(&ty).is_some();
                let message = if is_parameter {
                    format!("`mut` stands before the name of the parameter: write `mut name: {ty}<..>`")
                } else {
                    format!("`mut` stands behind the `&` of a borrow: write `&mut {ty}`")
                };
                error.get_or_insert_with(|| word.span().wrong(message));
                if is_parameter {
                    // before the name and `:`
                    output.insert(output.len().saturating_sub(2), tree);
                } else {
                    output.extend([TokenTree::Punct(Punct::new('&', Spacing::Alone)), tree]);
                }
            }
            (TokenTree::Group(group), _) => {
                let (inner, found) = without_mistakes(group.stream());
                error = error.or(found);
                let mut whole = Group::new(group.delimiter(), inner);
                whole.set_span(group.span());
                output.push(TokenTree::Group(whole));
            }
            _ => output.push(tree),
        }
    }
    (output.into_iter().collect(), error)
}

/// Whether `word`, behind `mut`, is a type: it follows a colon, or is written as one and follows a
/// sign of a list of types.
fn begins_a_type(before: Option<&TokenTree>, word: &str) -> bool {
    let is_upper = word.starts_with(char::is_uppercase);
    match before {
        Some(TokenTree::Punct(sign)) => sign.as_char() == ':' || is_upper && "<,".contains(sign.as_char()),
        None => is_upper,
        _ => false,
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
    // of the library alone
    if next(input) == "of_state" {
        arguments.of_state = true;
        return input.call(Ident::parse_any).map(drop);
    }
    if is_option(input) || input.peek2(Token![=]) {
        let mut read = |name: &Ident, input: ParseStream<'_>| -> Result<()> {
            match text(name).as_str() {
                "par" => arguments.par = Some(name.clone()),
                "background" => arguments.background = Some(background(name, input)?),
                "init" => arguments.init = Some(called(input, "init", "setup")?),
                "exit" => arguments.exit = Some(called(input, "exit", "cleanup")?),
                _ => arguments.ecs = options::crate_path(input)?,
            }
            Ok(())
        };
        return match assigned_world(input) {
            Some(message) => Err(to_comma(input).wrong(message)),
            None => options::option(input, &KNOWN, seen, &mut read),
        };
    }
    let found = next(input);
    let wrong = |found: &str| {
        format!(
            "`{found}` is not a world: write `#[system(Game)]` with the world's type, `#[system(W)]` with \
            a type parameter of the function, or `#[system]` for every world that has what it needs"
        )
    };
    let start = input.span();
    let ty: Type = input.parse().map_err(|_| start.wrong(wrong(&found)))?;
    let Type::Path(path) = ungroup(&ty) else { return Err(ty.wrong(wrong(&source(&ty)))) };
    let Some(first) = &arguments.world else {
        let mut world = path.clone();
        let last = world.path.segments.pop().map(|last| last.ident);
        world.path.segments.pop_punct();
        let is_lower = |name: &Ident| text(name).starts_with(char::is_lowercase);
        let is_upper = |name: &Ident| text(name).starts_with(char::is_uppercase);
        let of_type = world.path.segments.last().is_some_and(|last| is_upper(&last.ident));
        if !of_type || !last.is_some_and(|last| is_lower(&last)) {
            arguments.world = Some(ty);
            return Ok(());
        }
        // `Game::tick`
        world.path.segments.pop_punct();
        let is_schedule =
            world.path.segments.last().is_some_and(|last| !text(&last.ident).starts_with(char::is_lowercase));
        if is_schedule {
            let (shown, named) = (source(&ty), source(&world));
            arguments.world = Some(Type::Path(world));
            return Err(ty.wrong(format!(
                "`{shown}` is not a world: name the world, `#[system({named})]`; a schedule of the `world!` lists its systems"
            )));
        }
        return Err(ty.wrong(wrong(&source(&ty))));
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
    Err(ty.wrong(message))
}

/// Whether the name of an option comes next, not a path that begins with a module of that name.
fn is_option(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    ahead.call(Ident::parse_any).is_ok_and(|word| KNOWN.has(&text(&word)))
        && (ahead.is_empty() || ahead.peek(Token![,]) || ahead.peek(Token![=]) || ahead.peek(token::Paren))
}

/// The message for `world = Game`.
fn assigned_world(input: ParseStream<'_>) -> Option<String> {
    let ahead = input.fork();
    ahead.parse::<Ident>().ok().filter(|word| word == "world")?;
    ahead.parse::<Token![=]>().ok()?;
    let world = source(&to_comma(&ahead));
    Some(format!("the world of a system is named alone: `#[system({world})]`"))
}

/// Reads `(ticks = 3)` or `(when_done)` after `background`.
fn background(word: &Ident, input: ParseStream<'_>) -> Result<Background> {
    let forms = "`background(ticks = 3)`, three runs of the schedule later, the same on every machine, or `background(when_done)`, when \
        the function has ended, which depends on the machine";
    if !input.peek(token::Paren) {
        let message =
            format!("option `background` of `#[system]` says when the output of a run arrives: {forms}");
        let rest = to_comma(input);
        return Err(if rest.is_empty() { word.span().wrong(message) } else { rest.wrong(message) });
    }
    let inner;
    syn::parenthesized!(inner in input);
    let found = next(&inner);
    let start = inner.span();
    let unknown = || {
        start.wrong(format!(
            "`background` of `#[system]` takes `ticks = n` or `when_done`, found `{found}`: {forms}"
        ))
    };
    let name: Ident = inner.call(Ident::parse_any).map_err(|_| unknown())?;
    let ticks = match text(&name).as_str() {
        "when_done" => None,
        "ticks" => {
            let example = "`ticks` of `background` is a whole number of runs of the schedule, at least 1: `background(ticks = 3)`";
            let found = inner.parse::<Token![=]>().and_then(|_| inner.parse::<LitInt>());
            let number = found.map_err(|error| error.span().wrong(example))?;
            match number.base10_parse::<u32>() {
                Ok(0) => {
                    let message = "`ticks = 0` of `background`: for an output in the same run of the schedule leave `background` out";
                    return Err(number.span().wrong(message));
                }
                Ok(ticks) => Some(ticks),
                Err(_) => return Err(number.span().wrong(example)),
            }
        }
        _ => return Err(unknown()),
    };
    if inner.is_empty() {
        return Ok(Background { word: word.clone(), ticks });
    }
    let rest: TokenStream = inner.parse()?;
    Err(rest.wrong(format!("`background` of `#[system]` takes one of {forms}")))
}

/// Reads `= path` after `init` and `exit`.
fn called(input: ParseStream<'_>, option: &str, example: &str) -> Result<ExprPath> {
    let found = next_argument(input);
    let equals = input.parse::<Option<Token![=]>>()?;
    let (start, found) = (input.span(), if equals.is_some() { next_argument(input) } else { found });
    let path = input.parse::<ExprPath>();
    if equals.is_none() || path.is_err() || !(input.is_empty() || input.peek(Token![,])) {
        return Err(start.wrong(format!(
            "`{option}` of `#[system]` names a function, `{option} = {example}` with `fn {example}(world: &mut Game)`, found `{found}`"
        )));
    }
    path
}

/// The text up to the next comma, for a message.
fn next_argument(input: ParseStream<'_>) -> String {
    let found = source(&to_comma(&input.fork()));
    if found.is_empty() { "nothing".to_owned() } else { found }
}

type Function = (Vec<Attribute>, Visibility, Signature);

fn function(input: ParseStream<'_>, item: &TokenStream) -> Result<Function> {
    let attributes = input.call(Attribute::parse_outer)?;
    let visibility: Visibility = input.parse()?;
    let (start, found) = (input.span(), next(input));
    let signature = match input.parse::<Signature>() {
        Ok(signature) => signature,
        Err(_) if !is_function(item) => {
            return Err(start.wrong(format!("`#[system]` is for functions, found `{found}`")));
        }
        Err(error) => return Err(error),
    };
    input.parse::<TokenStream>()?;
    if let Some(name) = options::nameless(&signature.generics) {
        return Err(name.span().wrong("a type parameter is called `_`: give it a name"));
    }
    Ok((attributes, visibility, signature))
}

fn is_function(item: &TokenStream) -> bool {
    item.clone().into_iter().any(|tree| tree.to_string() == "fn")
}

//! `schedule NAME -> Result every Clock { a, b if c; react { d } max 8; }` behind the struct of a world.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Error, LitInt, Result, Token, Type, TypePath, braced, parenthesized, token};

use super::options::next;
use crate::diagnostic::Diagnostics;
use crate::names::{source, text};

/// A schedule.
pub(crate) struct Schedule {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) ident: Ident,
    /// Whether `-> Result` stands behind the name.
    pub(crate) fails: bool,
    /// The clock behind `every`.
    pub(crate) every: Option<Type>,
    /// What stands between the `;`.
    pub(crate) stages: Vec<Stage>,
}

/// What stands between two `;`, or in a `react` block.
#[derive(Default)]
pub(crate) struct Stage {
    pub(crate) steps: Vec<Step>,
    /// The number behind `max`, if it is a block.
    pub(crate) react: Option<LitInt>,
}

/// A system in a schedule.
pub(crate) struct Step {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) system: TypePath,
    pub(crate) condition: Option<Condition>,
}

/// What stands behind `if`.
pub(crate) enum Condition {
    System(TypePath),
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

/// Reads a schedule of the world named `world`.
pub(crate) fn parse(input: ParseStream<'_>, world: &str, errors: &mut Diagnostics) -> Result<Schedule> {
    let attributes = input.call(Attribute::parse_outer)?;
    let word = input.fork().call(Ident::parse_any).ok();
    if word.is_none_or(|word| word != "schedule") {
        let found = next(input);
        return Err(input.error(format!(
            "world `{world}`: expected `schedule NAME {{ .. }}` behind the struct, found `{found}`"
        )));
    }
    input.call(Ident::parse_any)?;
    let ident: Ident = input.parse().map_err(|error| {
        Error::new(
            error.span(),
            format!("world `{world}`: expected the schedule's name, `schedule tick {{ .. }}`"),
        )
    })?;
    let fails = result(input, world, &text(&ident))?;
    let every = if is_clock(input) {
        input.call(Ident::parse_any)?;
        Some(Type::Path(input.parse()?))
    } else {
        None
    };
    if !input.peek(token::Brace) {
        let message = format!("schedule `{}` of world `{world}`: expected `{{` and systems", text(&ident));
        return Err(input.error(message));
    }
    let body;
    braced!(body in input);
    let body: TokenStream = body.parse()?;
    let stages = stages(body, &Place { world, schedule: &text(&ident) }, errors);
    Ok(Schedule { attributes, ident, fails, every, stages })
}

fn is_clock(input: ParseStream<'_>) -> bool {
    input.fork().call(Ident::parse_any).is_ok_and(|word| word == "every")
}

/// Whether there is `-> Result`.
fn result(input: ParseStream<'_>, world: &str, schedule: &str) -> Result<bool> {
    if input.parse::<Option<Token![->]>>()?.is_none() {
        return Ok(false);
    }
    let (span, found) = (input.span(), next(input));
    let word = input.call(Ident::parse_any).ok().filter(|word| word == "Result");
    if word.is_none() || !(input.peek(token::Brace) || is_clock(input)) {
        let message = format!(
            "schedule `{schedule}` of world `{world}`: expected `-> Result {{ .. }}`, found `{found}`: the error is \
            always a `SystemError`"
        );
        return Err(Error::new(span, message));
    }
    Ok(true)
}

/// Leaves `input` at the next `schedule`, or at its end.
pub(crate) fn skip_to_next(input: ParseStream<'_>) -> Result<()> {
    while !input.is_empty() {
        input.parse::<TokenTree>()?;
        let word = input.fork().call(Ident::parse_any);
        if input.peek(Token![#]) || word.is_ok_and(|word| word == "schedule") {
            break;
        }
    }
    Ok(())
}

/// Leaves `input` behind the next comma, at the next `;`, or at its end.
fn skip_step(input: ParseStream<'_>) -> Result<()> {
    while !(input.is_empty() || input.peek(Token![,]) || input.peek(Token![;])) {
        input.parse::<TokenTree>()?;
    }
    input.parse::<Option<Token![,]>>()?;
    Ok(())
}

/// Where a step stands, for messages.
struct Place<'a> {
    world: &'a str,
    schedule: &'a str,
}

impl Place<'_> {
    fn says(&self, message: &str) -> String {
        format!("schedule `{}` of world `{}`: {message}", self.schedule, self.world)
    }
}

fn stages(body: TokenStream, place: &Place<'_>, errors: &mut Diagnostics) -> Vec<Stage> {
    let parser = |input: ParseStream<'_>| {
        let (mut stages, mut stage) = (Vec::new(), Stage::default());
        while !input.is_empty() {
            if input.peek(Token![;]) {
                input.parse::<Token![;]>()?;
                stages.push(std::mem::take(&mut stage));
                continue;
            }
            if is_block(input) {
                stages.push(std::mem::take(&mut stage));
                match react(input, place, errors) {
                    Ok(block) => stages.push(block),
                    Err(error) => {
                        errors.push(error);
                        skip_step(input)?;
                    }
                }
                input.parse::<Option<Token![,]>>()?;
                continue;
            }
            match step(input, place, errors) {
                Ok(step) => {
                    stage.steps.push(step);
                    separator(input, place, errors)?;
                }
                Err(error) => {
                    errors.push(error);
                    skip_step(input)?;
                }
            }
        }
        stages.push(stage);
        Ok(stages)
    };
    let parsed: Result<Vec<Stage>> = parser.parse2(body);
    let mut stages = errors.take(parsed).unwrap_or_default();
    stages.retain(|stage| !stage.steps.is_empty());
    stages
}

fn is_block(input: ParseStream<'_>) -> bool {
    input.peek2(token::Brace) && input.fork().call(Ident::parse_any).is_ok_and(|word| word == "react")
}

/// `react { a, b } max n`.
fn react(input: ParseStream<'_>, place: &Place<'_>, errors: &mut Diagnostics) -> Result<Stage> {
    let word = input.call(Ident::parse_any)?;
    let body;
    braced!(body in input);
    let mut steps = Vec::new();
    while !body.is_empty() {
        if body.peek(Token![;]) || is_block(&body) {
            let found = next(&body);
            let message = format!("a `react` block is one stage, its systems apart by `,`; found `{found}`");
            return Err(body.error(place.says(&message)));
        }
        steps.push(step(&body, place, errors)?);
        separator(&body, place, errors)?;
    }
    if steps.is_empty() {
        return Err(Error::new(word.span(), place.says("this `react` block has no systems")));
    }
    let says = place.says("a `react` block says how often it may run: `react { .. } max 16;`");
    if !input.fork().call(Ident::parse_any).is_ok_and(|word| word == "max") {
        return Err(Error::new(word.span(), says));
    }
    input.call(Ident::parse_any)?;
    let most: LitInt = input.parse().map_err(|error| Error::new(error.span(), &says))?;
    if most.base10_parse::<u32>().is_ok_and(|most| most > 0) {
        Ok(Stage { steps, react: Some(most) })
    } else {
        Err(Error::new(most.span(), place.says("a `react` block runs at least once: `max` is 1 or more")))
    }
}

fn step(input: ParseStream<'_>, place: &Place<'_>, errors: &mut Diagnostics) -> Result<Step> {
    let attributes = input.call(Attribute::parse_outer)?;
    let system = system(input, place, errors)?;
    let condition = match input.parse::<Option<Token![if]>>()? {
        Some(_) => Some(either(input, place, errors)?),
        None => None,
    };
    Ok(Step { attributes, system, condition })
}

/// The comma behind a system. Where it is missing and another system seems to begin, that one is read.
fn separator(input: ParseStream<'_>, place: &Place<'_>, errors: &mut Diagnostics) -> Result<()> {
    if input.is_empty() || input.peek(Token![;]) {
        return Ok(());
    }
    if input.peek(Token![,]) {
        input.parse::<Token![,]>()?;
        return Ok(());
    }
    let found = next(input);
    errors.span(input.span(), place.says(&format!("expected `,`, `;` or `if CONDITION`, found `{found}`")));
    while !(input.is_empty() || input.peek(Token![,]) || input.peek(Token![;]) || input.peek(Ident::peek_any))
    {
        input.parse::<TokenTree>()?;
    }
    input.parse::<Option<Token![,]>>()?;
    Ok(())
}

/// The path of a system.
fn system(input: ParseStream<'_>, place: &Place<'_>, errors: &mut Diagnostics) -> Result<TypePath> {
    let (start, found) = (input.span(), next(input));
    let path: TypePath = input.parse().map_err(|_| {
        Error::new(start, place.says(&format!("expected the name of a system, found `{found}`")))
    })?;
    if input.peek(token::Paren) {
        let (span, name) = (input.span(), source(&path));
        let called: TokenTree = input.parse()?;
        debug_assert!(matches!(called, TokenTree::Group(_)));
        errors.span(span, place.says(&format!("a system is named, not called: write `{name}`")));
    }
    Ok(path)
}

fn either(input: ParseStream<'_>, place: &Place<'_>, errors: &mut Diagnostics) -> Result<Condition> {
    let mut condition = both(input, place, errors)?;
    while input.parse::<Option<Token![||]>>()?.is_some() {
        condition = Condition::Or(Box::new(condition), Box::new(both(input, place, errors)?));
    }
    Ok(condition)
}

fn both(input: ParseStream<'_>, place: &Place<'_>, errors: &mut Diagnostics) -> Result<Condition> {
    let mut condition = single(input, place, errors)?;
    while input.parse::<Option<Token![&&]>>()?.is_some() {
        condition = Condition::And(Box::new(condition), Box::new(single(input, place, errors)?));
    }
    Ok(condition)
}

fn single(input: ParseStream<'_>, place: &Place<'_>, errors: &mut Diagnostics) -> Result<Condition> {
    if input.parse::<Option<Token![!]>>()?.is_some() {
        return Ok(Condition::Not(Box::new(single(input, place, errors)?)));
    }
    if input.peek(token::Paren) {
        let inner;
        parenthesized!(inner in input);
        let condition = either(&inner, place, errors)?;
        if !inner.is_empty() {
            return Err(inner.error(place.says("expected `&&`, `||` or `)`")));
        }
        return Ok(condition);
    }
    system(input, place, errors).map(Condition::System)
}

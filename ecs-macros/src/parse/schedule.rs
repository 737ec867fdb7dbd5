//! `schedule NAME -> Result every Clock { a, b if c; react { d } max 8; }`, after the struct of a
//! world or among the sections of parts.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::parse::discouraged::Speculative;
use syn::{Attribute, Error, LitInt, Result, Token, Type, TypePath, braced, token};

use super::advice::{self, sign, with_advice};
use super::include::Includes;
use super::options::{next, until};
use super::stages::{Reader, behind_attributes};
use crate::diagnostic::{Culprit, Diagnostics};
use crate::model::schedule::{Condition, Failing, Schedule, Stage};
use crate::names::{nearest, source, text};
use crate::words;

/// Whether a schedule comes next.
pub(super) fn is_next(input: ParseStream<'_>) -> bool {
    is_word(input, "schedule")
}

/// Reads a schedule. `title` is its owner for messages, such as ``world `Game` ``. `None` after a
/// report if it has no name.
pub(crate) fn parse(
    input: ParseStream<'_>,
    title: &str,
    includes: &mut Includes,
    errors: &mut Diagnostics,
) -> Result<Option<Schedule>> {
    let attributes = input.call(Attribute::parse_outer)?;
    if is_next(input) {
        input.call(Ident::parse_any)?;
    } else {
        errors.push(in_place_of_a_schedule(input, title));
        if !skip_to_name(input) {
            skip_to_next(input);
            return Ok(None);
        }
    }
    named(input, attributes, title, includes, errors)
}

/// Reads a schedule behind the word `schedule`.
pub(crate) fn named(
    input: ParseStream<'_>,
    attributes: Vec<Attribute>,
    title: &str,
    includes: &mut Includes,
    errors: &mut Diagnostics,
) -> Result<Option<Schedule>> {
    let (others, attributes): (Vec<Attribute>, Vec<Attribute>) = attributes
        .into_iter()
        .partition(|attribute| OF_STEPS.iter().any(|name| attribute.path().is_ident(name)));
    if let Some(wrong) = others.first() {
        errors.push(wrong.wrong(format!(
            "{title}: a schedule has no options in attributes, and its systems have theirs: remove `{}`",
            source(wrong)
        )));
    }
    let ident: Ident = input.parse().map_err(|error| {
        error.span().wrong(format!("{title}: expected the schedule's name, `schedule tick {{ .. }}`"))
    })?;
    let name = text(&ident);
    let mut reader = Reader { title, schedule: &name, includes, errors };
    let mut failing = reader.result(input);
    let mut every = if is_clock(input) { reader.clock(input)? } else { None };
    if input.peek(Token![->]) {
        every = None;
        reader.errors.push(input.span().wrong(reader.says(format!(
            "`-> Result` stands before `every`: `schedule {name} -> Result every CLOCK {{ .. }}`"
        ))));
        failing = reader.result(input);
    }
    let body = reader.body(input)?;
    let mut stages = reader.stages(body.clone());
    stages.retain(|stage| !stage.steps.is_empty());
    let observes = false;
    Ok(Some(Schedule { attributes, ident, failing, every, observes, body, stages }.with_conditions()))
}

/// Attributes that other libraries have on systems.
const OF_STEPS: [&str; 9] =
    ["parallel", "par", "system", "schedule", "run_if", "condition", "every", "in_set", "startup"];

/// Whether an attribute is documentation, a condition of compilation, a lint level, or an attribute
/// of a tool.
pub(super) fn is_known(attribute: &Attribute) -> bool {
    const KNOWN: [&str; 9] =
        ["cfg", "cfg_attr", "doc", "allow", "expect", "warn", "deny", "forbid", "deprecated"];
    attribute.path().get_ident().is_none_or(|name| KNOWN.iter().any(|known| name == known))
}

/// The error for tokens that begin no schedule.
fn in_place_of_a_schedule(input: ParseStream<'_>, title: &str) -> Error {
    let (found, mut cure) = (sign(input), with_advice(&[advice::SCHEDULE], input, ""));
    if cure.is_empty()
        && let Some(near) = nearest(&found, &["schedule", "observers"]).filter(|near| *near != found)
    {
        cure = format!(": did you mean `{near}`?");
    } else if cure.is_empty() && input.peek2(token::Brace) {
        cure = format!(": write `schedule {found} {{ .. }}`");
    }
    input.error(format!("{title}: expected `schedule NAME {{ .. }}` after the struct, found `{found}`{cure}"))
}

/// Skips to the name of a schedule behind other words than `schedule`. `false` if there is none.
fn skip_to_name(input: ParseStream<'_>) -> bool {
    const ITEMS: &str = "struct enum mod fn impl trait type use components resources events react";
    let is_item = words::has_word(ITEMS, &next(input));
    let ahead = input.fork();
    while ahead.peek(Ident::peek_any) && !is_item {
        if is_next(&ahead) || ahead.peek(Token![fn]) {
            input.advance_to(&ahead);
            return input.call(Ident::parse_any).is_ok();
        }
        if ahead.peek(syn::Ident) && ahead.peek2(token::Brace) {
            input.advance_to(&ahead);
            return true;
        }
        ahead.call(Ident::parse_any).ok();
    }
    false
}

impl Reader<'_> {
    /// Reads the systems in the braces of a schedule. Reports other tokens before them; without braces
    /// there are no systems.
    fn body(&mut self, input: ParseStream<'_>) -> Result<TokenStream> {
        if !input.peek(token::Brace) {
            // `schedule OnEnter(Screen::Play)`
            let of_name = words::advice(advice::SCHEDULE, self.schedule).map(|cure| format!(": {cure}"));
            let of_name = of_name.filter(|_| self.schedule.starts_with("On"));
            let cure = of_name.unwrap_or_else(|| with_advice(advice::HEADER, input, self.schedule));
            let found = sign(input);
            self.errors
                .push(input.error(self.says(format!("expected `{{` and systems, found `{found}`{cure}"))));
            until(input, |input| {
                let is_end = input.peek(Token![;]) || input.peek(Token![#]);
                is_end || input.peek(token::Brace) || is_next(input) || is_observers(input)
            });
            input.parse::<Option<Token![;]>>()?;
            if !input.peek(token::Brace) {
                return Ok(TokenStream::new());
            }
        }
        let body;
        braced!(body in input);
        body.parse()
    }
}

/// The number of rounds of observers at one place, if the world declares none.
const ROUNDS: u32 = 16;

/// Whether `observers { .. }` comes next, after attributes.
pub(super) fn is_observers(input: ParseStream<'_>) -> bool {
    let ahead = behind_attributes(input);
    let is_bound = is_word(&ahead, "observers") && ahead.peek2(Ident::peek_any);
    ahead.call(Ident::parse_any).is_ok_and(|word| word == "observers")
        && (ahead.peek(token::Brace) || is_bound && is_word(&ahead, "max"))
}

/// Whether this word comes next.
pub(super) fn is_word(input: ParseStream<'_>, word: &str) -> bool {
    input.fork().call(Ident::parse_any).is_ok_and(|found| found == word)
}

/// Reads `observers { a, b if c } max 16`, a schedule of one stage that repeats. `max` may be left
/// out.
pub(crate) fn observers(
    input: ParseStream<'_>,
    title: &str,
    includes: &mut Includes,
    errors: &mut Diagnostics,
) -> Result<Schedule> {
    const NOUN: &str = "an `observers` block";
    let mut reader = Reader { title, schedule: "observers", includes, errors };
    let attributes = reader.only_documented(input, NOUN)?;
    let ident = input.call(Ident::parse_any)?;
    let before = reader.errors.count();
    if is_word(input, "max") {
        let bound = source(&until(input, |input| input.peek(token::Brace)));
        reader.reports(&ident, format!("`max` stands behind the braces: `observers {{ .. }} {bound}`"));
    }
    let inner;
    braced!(inner in input);
    let (body, steps) = (inner.fork().parse()?, reader.block(NOUN, &inner)?);
    if steps.is_empty() && reader.includes.paths.is_empty() {
        return Err(ident.wrong(reader.says("this `observers` block has no systems: remove it, or list the systems that run when something happens")));
    }
    for period in steps.iter().filter_map(|step| step.condition.as_ref().and_then(Condition::period)) {
        reader.errors.push(period.system.wrong(reader.says(format!(
            "an observer has no period: it runs when its trigger has something new; remove `{}`, or move the system to a schedule",
            period.spelled
        ))));
    }
    let most = if is_word(input, "max") {
        let says = "`max` is the number of rounds at one place: `observers { .. } max 16`";
        reader.most(NOUN, input, says)?
    } else {
        LitInt::new(&ROUNDS.to_string(), ident.span())
    };
    let is_complete = reader.errors.count() == before;
    let stages = is_complete.then_some(Stage { steps, react: Some(most) }).into_iter().collect();
    let (failing, every) = (Failing::Never, None);
    Ok(Schedule { attributes, ident, failing, every, observes: true, body, stages }.with_conditions())
}

fn is_clock(input: ParseStream<'_>) -> bool {
    is_word(input, "every")
}

impl Reader<'_> {
    /// Reads `every Clock`. `None` after a report if no type follows the word.
    fn clock(&mut self, input: ParseStream<'_>) -> Result<Option<Type>> {
        input.call(Ident::parse_any)?;
        let (start, found) = (input.span(), next(input));
        let ahead = input.fork();
        if let (Ok(clock), true) =
            (ahead.parse::<TypePath>(), ahead.peek(token::Brace) || ahead.peek(Token![->]))
        {
            input.advance_to(&ahead);
            return Ok(Some(Type::Path(clock)));
        }
        let schedule = self.schedule;
        self.errors.push(start.wrong(self.says(format!(
            "expected the type of a clock after `every`, found `{found}`: a clock is a resource of \
        the world that knows its step, such as `FixedTime`: `schedule {schedule} every FixedTime {{ .. }}`"
        ))));
        until(input, |input| input.peek(token::Brace));
        Ok(None)
    }

    /// Reads `-> Result` or `-> Failures`, if it is there. Another type is reported and taken for
    /// `Result`.
    fn result(&mut self, input: ParseStream<'_>) -> Failing {
        if !matches!(input.parse::<Option<Token![->]>>(), Ok(Some(_))) {
            return Failing::Never;
        }
        let (span, found) = (input.span(), next(input));
        let failing = match input.call(Ident::parse_any).map(|word| text(&word)).as_deref() {
            Ok("Result") => Some(Failing::Run),
            Ok("Failures") => Some(Failing::System),
            _ => None,
        };
        if failing.is_none() || !(input.peek(token::Brace) || is_clock(input)) {
            let schedule = self.schedule;
            self.errors.push(span.wrong(self.says(format!(
                "expected `-> Result {{ .. }}`, found `{found}`: write `schedule {schedule} -> Result \
             {{ .. }}`; the error is always a `SystemError`"
            ))));
            until(input, |input| input.peek(token::Brace) || is_clock(input));
        }
        failing.unwrap_or(Failing::Run)
    }
}

/// Skips to the next `schedule` or the end.
pub(crate) fn skip_to_next(input: ParseStream<'_>) {
    input.parse::<TokenTree>().ok();
    until(input, |input| input.peek(Token![#]) || is_next(input) || is_observers(input));
}

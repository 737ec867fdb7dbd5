//! A step of a schedule: `spawn(3) | count as wave every 0.5 s if playing`, or a group of them,
//! `(steer, movement) if playing`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{Attribute, Error, Expr, LitFloat, LitInt, Result, Token, parenthesized, parse_quote, token};

use super::options::next;
use super::schedule::{is_known, is_word};
use super::stages::Reader;
use crate::diagnostic::Culprit;
use crate::model::schedule::{Condition, Place, Stage, Step};
use crate::names::{Ecs, source};

/// Reads the arguments in parentheses.
pub(super) fn arguments(input: ParseStream<'_>) -> Result<Vec<Expr>> {
    let list;
    parenthesized!(list in input);
    Ok(Punctuated::<Expr, Token![,]>::parse_terminated(&list)?.into_iter().collect())
}

/// The text of a call in a message or as a name.
pub(super) fn spelled(path: &str, arguments: &[Expr]) -> String {
    if arguments.is_empty() {
        return path.to_owned();
    }
    let arguments: Vec<String> = arguments.iter().map(source).collect();
    format!("{path}({})", arguments.join(", "))
}

/// Whether `|` comes next, not `||`.
pub(super) fn is_pipe(input: ParseStream<'_>) -> bool {
    input.peek(Token![|]) && !input.peek(Token![||])
}

impl Reader<'_> {
    /// Reads a system with its name, its period and its condition.
    pub(super) fn step(&mut self, input: ParseStream<'_>) -> Result<Step> {
        let attributes = input.call(Attribute::parse_outer)?;
        if let Some(wrong) = attributes.iter().find(|attribute| !is_known(attribute)) {
            let (shown, name) = (source(wrong), next(input));
            self.errors.push(wrong.wrong(self.says(format!(
                "a step takes `#[cfg(..)]` and doc comments, its condition stands behind it, `{name} if playing`: remove `{shown}`"
            ))));
        }
        let system = self.system(input)?;
        if input.peek(Token![.]) {
            self.method(input, &system);
        }
        let label = self.label(input, &system)?;
        let condition = self.behind(input)?;
        if let Some(condition) = condition.as_ref().filter(|_| input.peek(Token![as])) {
            return Err(self.late_label(input, &system, condition));
        }
        Ok(Step { attributes, place: Place { label, ..system }, condition, gate: 0, group: 0 })
    }

    /// The error for `as name` behind the period or the condition of a step.
    fn late_label(&self, input: ParseStream<'_>, system: &Place, condition: &Condition) -> Error {
        let ahead = input.fork();
        ahead.parse::<Token![as]>().ok();
        let name = ahead.parse::<Ident>().map_or_else(|_| "name".to_owned(), |name| name.to_string());
        let (system, condition) = (&system.spelled, condition.clauses());
        let word = if condition.starts_with("every ") { "every" } else { "if" };
        input.error(self.says(format!("`as` is written before `{word}`: `{system} as {name} {condition}`")))
    }

    /// Reads `as name`.
    fn label(&self, input: ParseStream<'_>, system: &Place) -> Result<Option<Ident>> {
        if input.parse::<Option<Token![as]>>()?.is_none() {
            return Ok(None);
        }
        let (start, found) = (input.span(), next(input));
        let name = input.parse::<Ident>().map_err(|_| {
        let spelled = &system.spelled;
        start.wrong(self.says(format!(
            "expected a name after `as`, found `{found}`: `{spelled} as second` gives this place of `{spelled}` a name of its own"
        )))
    })?;
        Ok(Some(name))
    }

    /// Reads `every 60 if playing`, of which each part may be missing.
    pub(super) fn behind(&mut self, input: ParseStream<'_>) -> Result<Option<Condition>> {
        let every = if is_every(input) { Some(self.every(input)?) } else { None };
        let asked = match input.parse::<Option<Token![if]>>()? {
            Some(_) => Some(self.condition(input)?),
            None => None,
        };
        if let (None, Some(asked), true) = (&every, &asked, is_every(input)) {
            return Err(self.late_period(input, asked));
        }
        Ok(match (every, asked) {
            (Some(every), Some(asked)) => Some(Condition::And(Box::new(every), Box::new(asked))),
            (every, asked) => every.or(asked),
        })
    }

    /// The error for a period behind the condition of a step.
    fn late_period(&self, input: ParseStream<'_>, asked: &Condition) -> Error {
        let ahead = input.fork();
        match self.every(&ahead) {
            Ok(period) => {
                let (period, asked) = (period.spelled(false), asked.spelled(false));
                input.error(self.says(format!("`every` is written before `if`: `{period} if {asked}`")))
            }
            Err(error) => error,
        }
    }
}

fn is_every(input: ParseStream<'_>) -> bool {
    is_word(input, "every")
}

impl Reader<'_> {
    /// Reads `every 60`, `every 0.5 s` or `every 500 ms`, the condition of a period.
    fn every(&self, input: ParseStream<'_>) -> Result<Condition> {
        input.call(Ident::parse_any)?;
        let (ecs, start, found) = (&self.includes.ecs, input.span(), next(input));
        let wrong = |found: &str| {
            start.wrong(self.says(format!(
                "expected a period after `every`, found `{found}`: `every 60` is each 60th run, `every 0.5 s` and `every 500 ms` are times \
                 of the resource `Clock`{}",
                match found {
                    "Duration" =>
                        "; a `Duration` is the argument of a condition, `if ecs::time::every_period::<()>(..)`"
                            .to_owned(),
                    "FixedTime" | "Clock" =>
                        format!("; a whole schedule follows a clock: `schedule NAME every {found} {{ .. }}`"),
                    found if found.starts_with(char::is_uppercase) => {
                        format!("; a constant is the argument of a condition, `if ecs::time::every_nth({found})`")
                    }
                    _ => String::new(),
                }
            )))
        };
        let (digits, suffix) = if input.peek(LitInt) {
            let number: LitInt = input.parse()?;
            (number.base10_digits().to_owned(), number.suffix().to_owned())
        } else {
            let number: LitFloat = input.parse().map_err(|_| wrong(&found))?;
            (number.base10_digits().to_owned(), number.suffix().to_owned())
        };
        let unit = if suffix.is_empty()
            && input.peek(Ident::peek_any)
            && !input.peek(Token![if])
            && !input.peek(Token![as])
        {
            input.parse::<Ident>()?.to_string()
        } else {
            suffix
        };
        let of = |path: TokenStream, arguments: Vec<Expr>, text: String| {
            let path = crate::span::at(path, start);
            let (path, spelled) = (parse_quote!(#path), format!("every {text}"));
            Condition::Place(Box::new(Place::new(path, arguments, spelled)))
        };
        let text = format!("{digits} {unit}").trim_end().to_owned();
        let positive = |number: u64| {
            (number > 0).then_some(number).ok_or_else(|| {
                start.wrong(
                    self.says(format!("`every {text}` would never run: the period is longer than zero")),
                )
            })
        };
        match unit.as_str() {
            "" => {
                let runs = positive(digits.parse().map_err(|_| wrong(&digits))?)?;
                Ok(of(quote!(#ecs::time::every_nth), vec![literal(quote!(#runs), start)], text))
            }
            "s" | "ms" => {
                let nanos = nanos(&digits, if unit == "s" { 9 } else { 6 });
                let nanos = positive(nanos.ok_or_else(|| wrong(&text))?)?;
                // no argument: a world without the clock gets one message
                Ok(of(quote!(#ecs::__private::Period::<#nanos>), Vec::new(), text))
            }
            _ => Err(wrong(&text)),
        }
    }
}

fn literal(tokens: TokenStream, span: Span) -> Expr {
    let tokens = crate::span::at(tokens, span);
    parse_quote!(#tokens)
}

/// The number of nanoseconds in a decimal number of units, each of which has 10 to the power of
/// `decimals` of them. `None` if that is no whole number, or too big.
fn nanos(digits: &str, decimals: u32) -> Option<u64> {
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let part = part.trim_end_matches('0');
    let unit = 10_u64.pow(decimals);
    let missing = decimals.checked_sub(u32::try_from(part.len()).ok()?)?;
    let part = if part.is_empty() { 0 } else { part.parse::<u64>().ok()? * 10_u64.pow(missing) };
    whole.parse::<u64>().ok()?.checked_mul(unit)?.checked_add(part)
}

/// Whether parentheses and a condition come next.
pub(super) fn is_group(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    ahead.call(Attribute::parse_outer).ok();
    let is_group = ahead.peek(token::Paren) && ahead.parse::<proc_macro2::TokenTree>().is_ok();
    is_group && (ahead.peek(Token![if]) || is_every(&ahead))
}

impl Reader<'_> {
    /// Reads a group with its condition, as stages: the first step of the first one is the gate, which
    /// evaluates the condition.
    pub(super) fn group(&mut self, input: ParseStream<'_>) -> Result<Vec<Stage>> {
        let attributes = input.call(Attribute::parse_outer)?;
        let span = input.span();
        let inner;
        parenthesized!(inner in input);
        let known = self.includes.paths.len();
        let stages = self.stages(inner.parse()?);
        let condition = self.behind(input)?;
        let is_empty = stages.iter().all(|stage| stage.steps.is_empty());
        if is_empty && self.includes.paths.len() == known && self.errors.is_empty() {
            return Err(span.wrong(self.says("this group has no systems: remove the brackets")));
        }
        Ok(match condition {
            Some(condition) => self.gated(stages, &attributes, condition, span),
            None => stages,
        })
    }

    /// The steps of a group, with the gate that evaluates its condition before them.
    pub(super) fn gated(
        &mut self,
        mut stages: Vec<Stage>,
        attributes: &[Attribute],
        condition: Condition,
        span: Span,
    ) -> Vec<Stage> {
        let group = self.includes.next_group();
        for step in stages.iter_mut().flat_map(|stage| &mut stage.steps) {
            step.attributes.splice(0..0, attributes.iter().cloned());
            if step.group == 0 {
                step.group = group;
            }
        }
        if let Some(first) = stages.first_mut() {
            first.steps.insert(0, gate(attributes.to_vec(), condition, group, span, &self.includes.ecs));
        }
        stages
    }
}

/// The step that evaluates the condition of a group.
fn gate(attributes: Vec<Attribute>, condition: Condition, gate: u16, span: Span, ecs: &Ecs) -> Step {
    let path = crate::span::at(quote!(#ecs::__private::Gate), span);
    let spelled = match condition.spelled(false) {
        text if text.starts_with("every ") => text,
        text => format!("if {text}"),
    };
    let place = Place::new(parse_quote!(#path), Vec::new(), spelled);
    Step { attributes, place, condition: Some(condition), gate, group: 0 }
}

impl Condition {
    /// The text of the condition behind a system: `every 60 if playing`.
    fn clauses(&self) -> String {
        match self {
            Self::And(period, asked) if period.is_period() => {
                format!("{} if {}", period.spelled(false), asked.spelled(false))
            }
            period if period.is_period() => period.spelled(false),
            asked => format!("if {}", asked.spelled(false)),
        }
    }

    fn is_period(&self) -> bool {
        matches!(self, Self::Place(_)) && self.period().is_some()
    }

    /// The period of a step, which may have a condition behind it.
    pub(super) fn period(&self) -> Option<&Place> {
        match self {
            Self::Place(system) => Some(&**system).filter(|system| system.spelled.starts_with("every ")),
            Self::And(period, _) => period.period(),
            Self::Not(_) | Self::Or(..) => None,
        }
    }

    /// The text of the condition, in parentheses if it is an operand of another one.
    pub(super) fn spelled(&self, inner: bool) -> String {
        let two = |left: &Self, operator: &str, right: &Self| {
            let text = format!("{} {operator} {}", left.spelled(true), right.spelled(true));
            if inner { format!("({text})") } else { text }
        };
        match self {
            Self::Place(system) => system.spelled.clone(),
            Self::Not(condition) => format!("!{}", condition.spelled(true)),
            Self::And(left, right) => two(left, "&&", right),
            Self::Or(left, right) => two(left, "||", right),
        }
    }
}

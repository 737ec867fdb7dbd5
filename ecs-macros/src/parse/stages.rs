//! The steps of a schedule: its stages between `;`, and blocks of one stage that repeat.

use std::fmt::Display;

use proc_macro2::{TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseBuffer, ParseStream};
use syn::{Attribute, Ident, LitInt, Result, Token, braced, token};

use super::advice::{self, sign, with_advice};
use super::include::{self, Includes};
use super::options::{all, comma, next, undocumented, until};
use super::schedule::{is_next, is_word};
use super::step::is_group;
use crate::diagnostic::{Culprit, Diagnostics};
use crate::model::schedule::{Stage, Step};
use crate::names::text;

/// The reader of the steps of one schedule.
pub(super) struct Reader<'a> {
    /// ``world `Game` ``
    pub(super) title: &'a str,
    pub(super) schedule: &'a str,
    pub(super) includes: &'a mut Includes,
    pub(super) errors: &'a mut Diagnostics,
}

/// The noun of a `react` block, in messages.
const REACT: &str = "a `react` block";

impl Reader<'_> {
    /// A message about the schedule.
    pub(super) fn says(&self, message: impl Display) -> String {
        format!("schedule `{}` of {}: {message}", self.schedule, self.title)
    }

    /// Reports a message about the schedule.
    pub(super) fn reports(&mut self, culprit: impl Culprit, message: impl Display) {
        self.errors.at(culprit, self.says(message));
    }

    /// Reads `tokens` to their end: see [`all`].
    pub(super) fn all<T: Default>(
        &mut self,
        tokens: TokenStream,
        read: impl FnOnce(&mut Reader<'_>, ParseStream<'_>) -> T,
    ) -> T {
        let Self { title, schedule, includes, errors } = self;
        all(tokens, errors, |input, errors| read(&mut Reader { title, schedule, includes, errors }, input))
    }

    /// Reads the stages between the `;`, including an empty stage after the last `;`.
    pub(super) fn stages(&mut self, body: TokenStream) -> Vec<Stage> {
        self.all(body, |reader, input| {
            let (mut stages, mut stage) = (Vec::new(), Stage::default());
            while !input.is_empty() {
                if input.parse::<Option<Token![;]>>().is_ok_and(|found| found.is_some()) {
                    stages.push(std::mem::take(&mut stage));
                } else if is_react(&behind_attributes(input)) {
                    stages.push(std::mem::take(&mut stage));
                    let block = reader.only_documented(input, REACT).and_then(|_| reader.react(input));
                    stages.extend(reader.taken(block, input));
                    comma(input);
                } else if let Some(name) = nested(input) {
                    let span = input.span();
                    until(input, |input| input.peek(token::Brace));
                    input.parse::<TokenTree>().ok();
                    reader.errors.push(span.wrong(reader.says(format!(
                        "schedules stand side by side: write `schedule {name} {{ .. }}` beside `{}`, and its name here",
                        reader.schedule
                    ))));
                    comma(input);
                } else {
                    reader.next_step(input, &mut stages, &mut stage);
                }
            }
            stages.push(stage);
            stages
        })
    }

    /// Reads a step, a group or an `include`, and adds its stages.
    fn next_step(&mut self, input: ParseStream<'_>, stages: &mut Vec<Stage>, stage: &mut Stage) {
        let reported = self.errors.count();
        let read = if include::is_next(&behind_attributes(input)) {
            self.conditions(input)
                .and_then(|cfg| self.include(input, cfg))
                .map(|set| join(stages, stage, set))
        } else if is_group(input) {
            self.group(input).map(|set| join(stages, stage, set))
        } else {
            self.step(input).map(|step| stage.steps.push(step))
        };
        if self.taken(read, input).is_some() {
            self.separator(input, stage.steps.last());
        }
        if self.errors.count() > reported {
            stage.steps.pop(); // the step that is incomplete
        }
    }

    /// The value of `result`, or nothing and a report. Then skips past the next comma, or to the
    /// next `;` or the end.
    fn taken<T>(&mut self, result: Result<T>, input: ParseStream<'_>) -> Option<T> {
        if result.is_err() {
            until(input, |input| input.peek(Token![,]) || input.peek(Token![;]));
            comma(input);
        }
        self.errors.take(result)
    }

    /// Reads the attributes of a block, which may only be documentation. `noun` is that of the block,
    /// with its article.
    pub(super) fn only_documented(&mut self, input: ParseStream<'_>, noun: &str) -> Result<Vec<Attribute>> {
        let attributes = input.call(Attribute::parse_outer)?;
        if let Some(wrong) = undocumented(&attributes) {
            self.errors.push(wrong.wrong(self.says(format!(
                "{noun} takes doc comments and no other attributes: write `#[cfg(..)]` before each of its systems"
            ))));
        }
        Ok(attributes)
    }

    /// Reads the attributes of an `include`, and returns its `#[cfg(..)]`.
    fn conditions(&self, input: ParseStream<'_>) -> Result<Vec<Attribute>> {
        include::conditions(input.call(Attribute::parse_outer)?, |message| self.says(message))
    }

    /// Reads `react { a, b } max n`.
    fn react(&mut self, input: ParseStream<'_>) -> Result<Stage> {
        let word = input.call(Ident::parse_any)?;
        let body;
        braced!(body in input);
        let steps = self.block(REACT, &body)?;
        if steps.is_empty() && self.includes.paths.is_empty() {
            return Err(word.wrong(self.says(
                "this `react` block has no systems: remove it, or write `react { react_to_it } max 16;`",
            )));
        }
        let says = "a `react` block says how often it may run: `react { .. } max 16;`";
        if !is_word(input, "max") {
            return Err(word.wrong(self.says(says)));
        }
        Ok(Stage { steps, react: Some(self.most(REACT, input, says)?) })
    }

    /// Reads the systems in the braces of a block.
    pub(super) fn block(&mut self, noun: &str, body: ParseStream<'_>) -> Result<Vec<Step>> {
        let mut steps: Vec<Step> = Vec::new();
        let several = |what: &str| format!("{noun} is one stage, its systems apart by `,`; {what}");
        while !body.is_empty() {
            if body.peek(Token![;]) || is_react(&behind_attributes(body)) {
                return Err(body.error(self.says(several(&format!("found `{}`", next(body))))));
            }
            if include::is_next(&behind_attributes(body)) {
                let cfg = self.conditions(body)?;
                steps.extend(self.include_stage(body, cfg)?);
            } else if is_group(body) {
                let span = body.span();
                let mut stages = self.group(body)?;
                stages.retain(|stage| !stage.steps.is_empty());
                if stages.len() > 1 {
                    return Err(span.wrong(self.says(several("this group has several"))));
                }
                steps.extend(stages.into_iter().flat_map(|stage| stage.steps));
            } else {
                steps.push(self.step(body)?);
            }
            self.separator(body, steps.last());
        }
        Ok(steps)
    }

    /// Reads `max n`. `says` is the message if no number follows the word.
    pub(super) fn most(&self, noun: &str, input: ParseStream<'_>, says: &str) -> Result<LitInt> {
        input.call(Ident::parse_any)?;
        let most: LitInt = input.parse().map_err(|error| error.span().wrong(self.says(says)))?;
        if most.base10_parse::<u32>().is_ok_and(|most| most > 0) {
            return Ok(most);
        }
        Err(most.wrong(self.says(format!("{noun} runs at least once: `max` is 1 or more"))))
    }

    /// Reads the comma after a step. If it is missing, reports that and skips to the next system.
    /// `last` is the step before, for messages.
    fn separator(&mut self, input: ParseStream<'_>, last: Option<&Step>) {
        let last = last.map(|step| step.place.spelled.clone()).unwrap_or_default();
        if !(input.is_empty() || input.peek(Token![;]) || input.peek(Token![,])) {
            let (span, found) = (input.span(), sign(input));
            let cure = match last.strip_prefix("react(").and_then(|bound| bound.strip_suffix(')')) {
                Some(bound) if found == "{" => format!(": write `react {{ .. }} max {bound};`"),
                None if last == "react" && found == "max" => ": write `react { .. } max 16;`".to_owned(),
                None if last == "max" && found.starts_with(|sign: char| sign.is_ascii_digit()) => {
                    format!(": a bound stands behind the braces, `{{ .. }} max {found}`")
                }
                _ => with_advice(advice::BEHIND_STEP, input, &last),
            };
            self.errors
                .at(span, self.says(format!("expected `,`, `;` or `if CONDITION`, found `{found}`{cure}")));
            let is_word = input.peek(Ident::peek_any) && cure.is_empty();
            let is_sign_in_words = !cure.is_empty() && input.peek(Ident::peek_any);
            if is_sign_in_words {
                input.call(Ident::parse_any).ok();
            }
            let goes_on = cure.contains("`,` between") && found != "->";
            until(input, |input| {
                let is_end = input.peek(Token![,]) || input.peek(Token![;]);
                is_end || is_word || goes_on && input.peek(syn::Ident)
            });
        }
        comma(input);
    }
}

/// The name of a schedule that is written among the steps of another one.
fn nested(input: ParseStream<'_>) -> Option<String> {
    let ahead = behind_attributes(input);
    let word = is_next(&ahead) && ahead.peek2(Ident::peek_any) && ahead.peek3(token::Brace);
    ahead.call(Ident::parse_any).ok().filter(|_| word)?;
    ahead.call(Ident::parse_any).ok().map(|name| text(&name))
}

/// Appends `set`: its first stage is merged into the open stage, and its last stage becomes the
/// open one.
pub(super) fn join(stages: &mut Vec<Stage>, open: &mut Stage, set: Vec<Stage>) {
    for (at, stage) in set.into_iter().enumerate() {
        if at == 0 {
            open.steps.extend(stage.steps);
        } else {
            stages.push(std::mem::replace(open, stage));
        }
    }
}

/// A fork of the input after the attributes that come next.
pub(super) fn behind_attributes<'a>(input: ParseStream<'a>) -> ParseBuffer<'a> {
    let ahead = input.fork();
    ahead.call(Attribute::parse_outer).ok();
    ahead
}

fn is_react(input: ParseStream<'_>) -> bool {
    input.peek2(token::Brace) && is_word(input, "react")
}

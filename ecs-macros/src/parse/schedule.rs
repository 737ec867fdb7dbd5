//! `schedule NAME -> Result every Clock { a, b if c; react { d } max 8; }`, after the struct of a
//! world or among the sections of parts.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative;
use syn::parse::{ParseBuffer, ParseStream};
use syn::{
    Attribute, Error, Expr, GenericArgument, LitInt, LitStr, Path, PathArguments, Result, Token, Type,
    TypePath, braced, parenthesized, token,
};

use super::advice::{self, At, sign, with_advice};
use super::include::{self, Includes};
use super::options::{all, comma, next, undocumented, until};
use super::step::{self, arguments, is_pipe, spelled};
use crate::diagnostic::{Culprit, Diagnostics};
use crate::names::{nearest, snake_case, source, text};

/// A schedule.
pub(crate) struct Schedule {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) ident: Ident,
    /// Whether `-> Result` follows the name.
    pub(crate) fails: bool,
    /// The clock after `every`.
    pub(crate) every: Option<Type>,
    /// Whether it is the block of the world's observers.
    pub(crate) observes: bool,
    /// The tokens in the braces.
    pub(crate) body: TokenStream,
    /// The stages between `;`.
    pub(crate) stages: Vec<Stage>,
}

/// A stage: the steps between two `;`, or in a `react` block.
#[derive(Default)]
pub(crate) struct Stage {
    pub(crate) steps: Vec<Step>,
    /// The number after `max`, for a `react` block.
    pub(crate) react: Option<LitInt>,
}

/// A system in a schedule, or the gate of a group, which evaluates the condition of the steps in
/// it.
pub(crate) struct Step {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) system: System,
    /// The name after `as`.
    pub(crate) label: Option<Ident>,
    pub(crate) condition: Option<Condition>,
    /// The number of the group that it is the gate of; 0 for a system.
    pub(crate) gate: u16,
    /// The number of the innermost group that it is in; 0 if it is in none.
    pub(crate) group: u16,
}

/// A system that is named in a schedule, or several that pass on their outputs.
pub(crate) struct System {
    pub(crate) path: TypePath,
    pub(crate) arguments: Vec<Expr>,
    /// The systems behind `|`.
    pub(crate) piped: Vec<TypePath>,
    /// The source text.
    pub(crate) spelled: String,
    /// The path of the schedule of parts that the system comes from, if it is included.
    pub(crate) included: Option<String>,
    /// The message for a system that lacks something, if the world does not include the parts of
    /// the schedule or those that they need.
    pub(crate) lacks: Option<String>,
}

/// The condition behind `if`.
pub(crate) enum Condition {
    System(Box<System>),
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

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
    let mut fails = result(input, title, &name, errors);
    let mut every = if is_clock(input) { clock(input, title, &name, errors)? } else { None };
    if input.peek(Token![->]) {
        every = None;
        errors.push(input.span().wrong(format!(
            "schedule `{name}` of {title}: `-> Result` stands before `every`: `schedule {name} -> Result every CLOCK {{ .. }}`"
        )));
        fails |= result(input, title, &name, errors);
    }
    let body = body(input, title, &name, errors)?;
    let place = Place { title, schedule: &name };
    let mut stages = stages(body.clone(), &place, includes, errors);
    stages.retain(|stage| !stage.steps.is_empty());
    Ok(Some(Schedule { attributes, ident, fails, every, observes: false, body, stages }))
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
    let (found, mut cure) = (sign(input), with_advice(At::Schedule, input, ""));
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
    const ITEMS: [&str; 12] = [
        "struct",
        "enum",
        "mod",
        "fn",
        "impl",
        "trait",
        "type",
        "use",
        "components",
        "resources",
        "events",
        "react",
    ];
    let is_item = ITEMS.contains(&next(input).as_str());
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

/// Reads the systems in the braces of a schedule. Reports other tokens before them; without braces
/// there are no systems.
fn body(
    input: ParseStream<'_>,
    title: &str,
    schedule: &str,
    errors: &mut Diagnostics,
) -> Result<TokenStream> {
    if !input.peek(token::Brace) {
        let cure = match advice::of_word(At::Schedule, schedule) {
            cure if cure.is_empty() => with_advice(At::Header, input, schedule),
            cure => format!(": {cure}"),
        };
        let found = sign(input);
        errors.push(input.error(format!(
            "schedule `{schedule}` of {title}: expected `{{` and systems, found `{found}`{cure}"
        )));
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
fn is_word(input: ParseStream<'_>, word: &str) -> bool {
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
    let attributes = input.call(Attribute::parse_outer)?;
    let block = Block { noun: "an `observers` block", place: Place { title, schedule: "observers" } };
    if let Some(wrong) = undocumented(&attributes) {
        errors.at(wrong, block.no_attributes());
    }
    let ident = input.call(Ident::parse_any)?;
    let before = errors.count();
    if is_word(input, "max") {
        let bound = source(&until(input, |input| input.peek(token::Brace)));
        errors.at(
            &ident,
            block.place.says(format!("`max` stands behind the braces: `observers {{ .. }} {bound}`")),
        );
    }
    let body;
    braced!(body in input);
    let (tokens, steps) = (body.fork().parse()?, block.steps(&body, includes, errors)?);
    if steps.is_empty() && includes.paths.is_empty() {
        return Err(ident.span().wrong(block.place.says("this `observers` block has no systems")));
    }
    for step in &steps {
        if let Some(period) = step.condition.as_ref().and_then(Condition::period) {
            errors.push(period.path.wrong(block.place.says(format!(
                "an observer has no period: it runs when its trigger has something new; remove `{}`, or move the system to a schedule",
                period.spelled
            ))));
        }
    }
    let most = if is_word(input, "max") {
        block.most(input, "`max` is the number of rounds at one place: `observers { .. } max 16`")?
    } else {
        LitInt::new(&ROUNDS.to_string(), ident.span())
    };
    let is_complete = errors.count() == before;
    let stages = vec![Stage { steps, react: Some(most) }].into_iter().filter(|_| is_complete).collect();
    Ok(Schedule { attributes, ident, fails: false, every: None, observes: true, body: tokens, stages })
}

fn is_clock(input: ParseStream<'_>) -> bool {
    is_word(input, "every")
}

/// Reads `every Clock`. `None` after a report if no type follows the word.
fn clock(
    input: ParseStream<'_>,
    title: &str,
    schedule: &str,
    errors: &mut Diagnostics,
) -> Result<Option<Type>> {
    input.call(Ident::parse_any)?;
    let (start, found) = (input.span(), next(input));
    let ahead = input.fork();
    if let (Ok(clock), true) = (ahead.parse::<TypePath>(), ahead.peek(token::Brace) || ahead.peek(Token![->]))
    {
        input.advance_to(&ahead);
        return Ok(Some(Type::Path(clock)));
    }
    errors.push(start.wrong(format!(
        "schedule `{schedule}` of {title}: expected the type of a clock after `every`, found `{found}`: a clock is a resource of \
        the world that knows its step, such as `FixedTime`: `schedule {schedule} every FixedTime {{ .. }}`"
    )));
    until(input, |input| input.peek(token::Brace));
    Ok(None)
}

/// Reads `-> Result`, if it is there. Another type is reported and taken for it.
fn result(input: ParseStream<'_>, title: &str, schedule: &str, errors: &mut Diagnostics) -> bool {
    if !matches!(input.parse::<Option<Token![->]>>(), Ok(Some(_))) {
        return false;
    }
    let (span, found) = (input.span(), next(input));
    let word = input.call(Ident::parse_any).ok().filter(|word| word == "Result");
    if word.is_none() || !(input.peek(token::Brace) || is_clock(input)) {
        errors.push(span.wrong(format!(
            "schedule `{schedule}` of {title}: expected `-> Result {{ .. }}`, found `{found}`: write `schedule {schedule} -> Result \
             {{ .. }}`; the error is always a `SystemError`"
        )));
        until(input, |input| input.peek(token::Brace) || is_clock(input));
    }
    true
}

/// Skips to the next `schedule` or the end.
pub(crate) fn skip_to_next(input: ParseStream<'_>) {
    input.parse::<TokenTree>().ok();
    until(input, |input| input.peek(Token![#]) || is_next(input) || is_observers(input));
}

/// Skips past the next comma, or to the next `;` or the end.
fn skip_step(input: ParseStream<'_>) {
    until(input, |input| input.peek(Token![,]) || input.peek(Token![;]));
    comma(input);
}

/// The schedule of a step, for messages.
pub(super) struct Place<'a> {
    /// ``world `Game` ``
    pub(super) title: &'a str,
    pub(super) schedule: &'a str,
}

impl Place<'_> {
    pub(super) fn says(&self, message: impl std::fmt::Display) -> String {
        format!("schedule `{}` of {}: {message}", self.schedule, self.title)
    }
}

/// Reads the stages between the `;`, including an empty stage after the last `;`.
pub(super) fn stages(
    body: TokenStream,
    place: &Place<'_>,
    includes: &mut Includes,
    errors: &mut Diagnostics,
) -> Vec<Stage> {
    all(body, errors, |input, errors| {
        let (mut stages, mut stage) = (Vec::new(), Stage::default());
        while !input.is_empty() {
            if input.parse::<Option<Token![;]>>().is_ok_and(|found| found.is_some()) {
                stages.push(std::mem::take(&mut stage));
                continue;
            }
            if is_block(&behind_attributes(input)) {
                let block = Block {
                    noun: "a `react` block",
                    place: Place { title: place.title, schedule: place.schedule },
                };
                only_documented(input, &block, errors);
                stages.push(std::mem::take(&mut stage));
                match react(input, &block, includes, errors) {
                    Ok(block) => stages.push(block),
                    Err(error) => {
                        errors.push(error);
                        skip_step(input);
                    }
                }
                comma(input);
                continue;
            }
            if nested(&behind_attributes(input)).is_some() {
                let (span, name) = (input.span(), nested(input).unwrap_or_default());
                until(input, |input| input.peek(token::Brace));
                input.parse::<TokenTree>().ok();
                errors.push(span.wrong(place.says(format!(
                    "schedules stand side by side: write `schedule {name} {{ .. }}` beside `{}`, and its name here",
                    place.schedule
                ))));
                comma(input);
                continue;
            }
            let reported = errors.count();
            let read = if include::is_next(&behind_attributes(input)) {
                conditions(input, place)
                    .and_then(|cfg| include::steps(input, cfg, place, includes, errors))
                    .map(|set| join(&mut stages, &mut stage, set))
            } else if step::is_group(input) {
                step::group(input, place, includes, errors).map(|set| join(&mut stages, &mut stage, set))
            } else {
                step::step(input, place, includes, errors).map(|step| stage.steps.push(step))
            };
            let last = stage.steps.last().map(|step| step.system.spelled.clone()).unwrap_or_default();
            match read {
                Ok(()) => separator(input, place, &last, errors),
                Err(error) => {
                    errors.push(error);
                    skip_step(input);
                }
            }
            if errors.count() > reported {
                stage.steps.pop(); // the step that is incomplete
            }
        }
        stages.push(stage);
        stages
    })
}

/// The name of a schedule that is written among the steps of another one.
fn nested(input: ParseStream<'_>) -> Option<String> {
    let ahead = input.fork();
    ahead.call(Attribute::parse_outer).ok();
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

/// All systems of the stages in source order, with a step's conditions before its system.
pub(crate) fn systems(stages: &mut [Stage]) -> Vec<&mut System> {
    let mut systems = Vec::new();
    for step in stages.iter_mut().flat_map(|stage| &mut stage.steps) {
        if let Some(condition) = &mut step.condition {
            condition.systems(&mut systems);
        }
        systems.push(&mut step.system);
    }
    systems
}

impl Condition {
    fn systems<'a>(&'a mut self, systems: &mut Vec<&'a mut System>) {
        match self {
            Self::System(system) => systems.push(system),
            Self::Not(inner) => inner.systems(systems),
            Self::And(left, right) | Self::Or(left, right) => {
                left.systems(systems);
                right.systems(systems);
            }
        }
    }
}

/// A fork of the input after the attributes that come next.
fn behind_attributes<'a>(input: ParseStream<'a>) -> ParseBuffer<'a> {
    let ahead = input.fork();
    ahead.call(Attribute::parse_outer).ok();
    ahead
}

/// Reads the attributes of a `react` block, which may only be documentation.
fn only_documented(input: ParseStream<'_>, block: &Block<'_>, errors: &mut Diagnostics) {
    let attributes = input.call(Attribute::parse_outer).unwrap_or_default();
    if let Some(wrong) = undocumented(&attributes) {
        errors.at(wrong, block.no_attributes());
    }
}

/// Reads the attributes of an `include`, and returns its `#[cfg(..)]`.
fn conditions(input: ParseStream<'_>, place: &Place<'_>) -> Result<Vec<Attribute>> {
    include::conditions(input.call(Attribute::parse_outer)?, |message| place.says(message))
}

fn is_block(input: ParseStream<'_>) -> bool {
    input.peek2(token::Brace) && input.fork().call(Ident::parse_any).is_ok_and(|word| word == "react")
}

/// `react { a, b } max n`.
fn react(
    input: ParseStream<'_>,
    block: &Block<'_>,
    includes: &mut Includes,
    errors: &mut Diagnostics,
) -> Result<Stage> {
    let place = &block.place;
    let word = input.call(Ident::parse_any)?;
    let body;
    braced!(body in input);
    let steps = block.steps(&body, includes, errors)?;
    if steps.is_empty() && includes.paths.is_empty() {
        return Err(word.span().wrong(place.says("this `react` block has no systems")));
    }
    let says = "a `react` block says how often it may run: `react { .. } max 16;`";
    if !is_word(input, "max") {
        return Err(word.span().wrong(place.says(says)));
    }
    Ok(Stage { steps, react: Some(block.most(input, says)?) })
}

/// A stage in braces that repeats, at most `max` times.
struct Block<'a> {
    /// With its article, for messages.
    noun: &'static str,
    place: Place<'a>,
}

impl Block<'_> {
    /// The message for attributes other than documentation.
    fn no_attributes(&self) -> String {
        self.place.says(format!(
            "{} takes doc comments and no other attributes: write `#[cfg(..)]` before each of its systems",
            self.noun
        ))
    }

    /// Reads the systems in the braces.
    fn steps(
        &self,
        body: ParseStream<'_>,
        includes: &mut Includes,
        errors: &mut Diagnostics,
    ) -> Result<Vec<Step>> {
        let Self { noun, place } = self;
        let mut steps = Vec::new();
        while !body.is_empty() {
            if body.peek(Token![;]) || is_block(&behind_attributes(body)) {
                let found = next(body);
                return Err(body.error(
                    place.says(format!("{noun} is one stage, its systems apart by `,`; found `{found}`")),
                ));
            }
            if include::is_next(&behind_attributes(body)) {
                let cfg = conditions(body, place)?;
                steps.extend(include::stage(body, cfg, place, includes, errors)?);
            } else if step::is_group(body) {
                let span = body.span();
                let mut stages = step::group(body, place, includes, errors)?;
                stages.retain(|stage| !stage.steps.is_empty());
                if stages.len() > 1 {
                    return Err(span.wrong(place.says(format!(
                        "{noun} is one stage, its systems apart by `,`; this group has several"
                    ))));
                }
                steps.extend(stages.into_iter().flat_map(|stage| stage.steps));
            } else {
                steps.push(step::step(body, place, includes, errors)?);
            }
            let last = steps.last().map(|step| step.system.spelled.clone()).unwrap_or_default();
            separator(body, place, &last, errors);
        }
        Ok(steps)
    }

    /// Reads `max n`. `says` is the message if no number follows the word.
    fn most(&self, input: ParseStream<'_>, says: &str) -> Result<LitInt> {
        let Self { noun, place } = self;
        input.call(Ident::parse_any)?;
        let most: LitInt = input.parse().map_err(|error| error.span().wrong(place.says(says)))?;
        if most.base10_parse::<u32>().is_ok_and(|most| most > 0) {
            return Ok(most);
        }
        Err(most.span().wrong(place.says(format!("{noun} runs at least once: `max` is 1 or more"))))
    }
}

/// Reads `.run_if(paused)` after a system, the syntax of another library, and reports the syntax of
/// this one.
pub(super) fn method(input: ParseStream<'_>, place: &Place<'_>, system: &System, errors: &mut Diagnostics) {
    let (span, tokens) = (input.span(), until(input, |input| input.peek(Token![,]) || input.peek(Token![;])));
    let mut trees = tokens.clone().into_iter().skip(1);
    let name = trees.next().map(|name| name.to_string()).unwrap_or_default();
    let arguments = match trees.next() {
        Some(TokenTree::Group(group)) => source(&group.stream()),
        _ => String::new(),
    };
    let (system, shown) = (&system.spelled, source(&tokens));
    let cure = match name.as_str() {
        "pipe" | "map" | "then" | "pipe_into" => {
            format!("the output of a system is given to another by `|`: `{system} | {arguments}`")
        }
        "run_if" | "distributive_run_if" => {
            format!("a condition is written after `if`: `{system} if {arguments}`")
        }
        "chain" | "after" | "before" | "in_set" => {
            "systems take effect in the order of the text: put it in its place, and leave this out".to_owned()
        }
        _ => format!(
            "a system is written here by its name, `{system}`, or with a condition, `{system} if CONDITION`"
        ),
    };
    errors.at(span, place.says(format!("`{shown}` is not called on system `{system}`: {cure}")));
}

/// Reads the condition behind `if`: systems, and operators between them.
pub(super) fn condition(
    input: ParseStream<'_>,
    place: &Place<'_>,
    errors: &mut Diagnostics,
) -> Result<Condition> {
    let (start, ahead) = (input.span(), input.fork());
    let tokens = until(&ahead, |input| input.peek(Token![,]) || input.peek(Token![;]));
    if tokens.is_empty() {
        let message = "expected a condition after `if`, a system that returns `bool`: `movement if playing`";
        return Err(start.wrong(place.says(message)));
    }
    let is_value = match tokens.clone().into_iter().next() {
        Some(TokenTree::Literal(_)) => true,
        Some(TokenTree::Ident(word)) => word == "true" || word == "false",
        _ => false,
    };
    if !is_value {
        let condition = either(input, place, errors)?;
        if let (Condition::System(system), true) = (&condition, input.peek(syn::Ident))
            && system.spelled == "not"
        {
            return Err(
                start.wrong(place.says(format!("conditions are negated with `!`: write `!{}`", next(input))))
            );
        }
        let word = input.fork().call(Ident::parse_any).map(|word| word.to_string()).unwrap_or_default();
        if let Some(sign) = ["and", "or"].iter().position(|known| *known == word) {
            let expression = source(&tokens);
            let sign = ["&&", "||"][sign];
            return Err(input.error(
                place.says(format!(
                    "`{expression}`: conditions are combined with `{sign}`, not with `{word}`"
                )),
            ));
        }
        if input.is_empty() || input.peek(Token![,]) || input.peek(Token![;]) || input.peek(Ident::peek_any) {
            return Ok(condition);
        }
    }
    let expression = source(&tokens);
    Err(start.wrong(place.says(format!(
        "`{expression}` is an expression: after `if` come systems that return `bool`, with `!`, `&&`, `||` and \
        parentheses: compute it in a system, `fn condition(..) -> bool`, with what it reads as parameters, such as \
        `Res<Clock>`"
    ))))
}

/// Reads the comma after a step. If it is missing, reports that and skips to the next system.
/// `last` is the step before, for messages.
fn separator(input: ParseStream<'_>, place: &Place<'_>, last: &str, errors: &mut Diagnostics) {
    if !(input.is_empty() || input.peek(Token![;]) || input.peek(Token![,])) {
        let (span, found) = (input.span(), sign(input));
        let cure = match last.strip_prefix("react(").and_then(|bound| bound.strip_suffix(')')) {
            Some(bound) if found == "{" => format!(": write `react {{ .. }} max {bound};`"),
            None if last == "react" && found == "max" => ": write `react { .. } max 16;`".to_owned(),
            None if last == "max" && found.starts_with(|sign: char| sign.is_ascii_digit()) => {
                format!(": a bound stands behind the braces, `{{ .. }} max {found}`")
            }
            _ => with_advice(At::BehindStep, input, last),
        };
        errors.at(span, place.says(format!("expected `,`, `;` or `if CONDITION`, found `{found}`{cure}")));
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

/// Reads a system with its arguments, and the systems behind `|`.
pub(super) fn system(input: ParseStream<'_>, place: &Place<'_>, errors: &mut Diagnostics) -> Result<System> {
    let mut system = call(input, place, errors)?;
    while is_pipe(input) {
        input.parse::<Token![|]>()?;
        let System { path, arguments, spelled, .. } = call(input, place, errors)?;
        if let Some(first) = arguments.first() {
            errors.push(first.wrong(place.says(format!(
                "the input of `{spelled}` is the output of the system before `|`: it takes no arguments here"
            ))));
        }
        system.spelled = format!("{} | {spelled}", system.spelled);
        system.piped.push(path);
    }
    Ok(system)
}

/// Reads the path of a system and its arguments.
fn call(input: ParseStream<'_>, place: &Place<'_>, errors: &mut Diagnostics) -> Result<System> {
    let (start, found, cure) = (input.span(), next(input), in_place_of_a_system(input));
    let path: TypePath = input.parse().map_err(|_| {
        start.wrong(place.says(format!("expected the name of a system, found `{found}`{cure}")))
    })?;
    let path = with_states_as_types(path, start, place, errors);
    let text = source(&path);
    let mut given = Vec::new();
    if input.peek(token::Paren) {
        let span = input.span();
        match misplaced_call(&path, &text, input) {
            Some(message) => {
                input.parse::<TokenTree>()?;
                errors.at(span, place.says(message));
            }
            None => given = arguments(input)?,
        }
    }
    let spelled = spelled(&text, &given);
    Ok(System { path, arguments: given, piped: Vec::new(), spelled, included: None, lacks: None })
}

/// Reports a variant in place of its type, `in_state::<Phase::Play>`, and corrects it.
fn with_states_as_types(
    mut path: TypePath,
    start: Span,
    place: &Place<'_>,
    errors: &mut Diagnostics,
) -> TypePath {
    let spelled = source(&path);
    let Some(last) = path.path.segments.last_mut() else { return path };
    let is_of_states = ["in_state", "entered", "exited"].iter().any(|name| last.ident == name);
    let (true, PathArguments::AngleBracketed(arguments)) = (is_of_states, &mut last.arguments) else {
        return path;
    };
    let Some(GenericArgument::Type(Type::Path(state))) = arguments.args.first_mut() else { return path };
    let Some(of_enum) = state.path.segments.iter_mut().rev().nth(1) else { return path };
    let name = text(&of_enum.ident);
    // a single letter is a type parameter, with an associated type behind it
    if !name.starts_with(char::is_uppercase) || name.len() < 2 || name == "Self" {
        return path;
    }
    of_enum.ident = Ident::new(&snake_case(&name), of_enum.ident.span());
    errors.at(start, place.says(format!("`{spelled}` takes the state as a type: write `{}`", source(&path))));
    path
}

/// The message for parentheses that are no arguments.
fn misplaced_call(path: &TypePath, spelled: &str, input: ParseStream<'_>) -> Option<String> {
    let Ok(TokenTree::Group(arguments)) = input.fork().parse::<TokenTree>() else { return None };
    if let Some(right) = combined(spelled, &arguments) {
        return Some(format!("conditions are combined with `!`, `&&` and `||`: write `{right}`"));
    }
    if let Some(right) = condition_on_a_state(path, &arguments) {
        return Some(format!("`{spelled}` takes the state as a type: write `{right}`"));
    }
    if let Some(cure) = foreign_condition(path) {
        return Some(format!("`{spelled}` is of bevy: {cure}"));
    }
    arguments.stream().is_empty().then(|| format!("a system is named, not called: write `{spelled}`"))
}

/// `in_state::<phase::Play>` for `in_state(Phase::Play)`, and `transition::<Phase>` for
/// `transition(Phase)`.
fn condition_on_a_state(path: &TypePath, arguments: &Group) -> Option<String> {
    let name = text(&path.path.segments.last()?.ident);
    let state: Path = syn::parse2(arguments.stream()).ok()?;
    let mut names: Vec<String> = state.segments.iter().map(|segment| text(&segment.ident)).collect();
    match name.as_str() {
        "in_state" | "entered" | "exited" | "on_enter" | "on_exit" => {
            let of_enum = names.len().checked_sub(2)?;
            names[of_enum] = snake_case(&names[of_enum]);
        }
        "transition" | "sub_transition" | "despawn_on_exit" => {}
        _ => return None,
    }
    let condition = source(path).replace("on_enter", "entered").replace("on_exit", "exited");
    Some(format!("{condition}::<{}>", names.join("::")))
}

/// The advice for a condition of bevy.
fn foreign_condition(path: &TypePath) -> Option<&'static str> {
    let name = path.path.segments.last().map(|segment| text(&segment.ident))?;
    Some(match name.as_str() {
        "in_state" => "write `in_state::<phase::Play>`, with `#[derive(States)]` on the enum `Phase`",
        "state_changed" | "state_exists" | "resource_equals" | "any_with_component" | "any_match_filter" => {
            "a condition is a system that returns `bool`, `#[system(Game)] fn playing(state: Res<State>) -> bool`, and the schedule names \
             it, `if playing`"
        }
        "resource_changed" | "resource_exists_and_changed" => {
            "a resource with `#[resource(tracked)]` tells whether it changed; a system that returns `bool` asks it, and the schedule names \
             that system"
        }
        "resource_exists" | "resource_added" => "a resource is always there: leave the condition out",
        "on_timer" | "on_real_timer" => {
            "write `slow every 0.5 s`, with a `Clock` of `ecs::time` in the resources of the world"
        }
        "on_event" | "on_message" => {
            "write `if` and a system that returns `bool`: `#[system(Game)] fn hit(mut hits: EventReader<Hit>) -> bool`"
        }
        "run_once" => "call the schedule, or `game.run::<system>()`, once from your code",
        _ => return None,
    })
}

/// The advice for tokens that are no name of a system.
fn in_place_of_a_system(input: ParseStream<'_>) -> String {
    if input.peek(LitStr) {
        let name = input.fork().parse::<LitStr>().map(|name| name.value()).unwrap_or_default();
        format!(": write it without quotes, `{name}`")
    } else if let Ok(TokenTree::Group(group)) = input.fork().parse::<TokenTree>()
        && group.delimiter() == Delimiter::Brace
    {
        format!(": a group stands in parentheses: `({}) if playing`", source(&group.stream()))
    } else {
        with_advice(At::Step, input, "")
    }
}

/// `!paused` for `not(paused)`, `a && b` for `and(a, b)`.
fn combined(name: &str, arguments: &Group) -> Option<String> {
    let each: Vec<String> = arguments
        .stream()
        .to_string()
        .split(',')
        .map(|one| one.split_whitespace().collect::<String>())
        .filter(|one| !one.is_empty())
        .collect();
    let sign = match (name, each.as_slice()) {
        ("not", [one]) => return Some(format!("!{one}")),
        ("and" | "all", [_, _, ..]) => " && ",
        ("or" | "any", [_, _, ..]) => " || ",
        _ => return None,
    };
    Some(each.join(sign))
}

/// The condition behind `if`.
pub(super) fn either(
    input: ParseStream<'_>,
    place: &Place<'_>,
    errors: &mut Diagnostics,
) -> Result<Condition> {
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
    system(input, place, errors).map(|system| Condition::System(Box::new(system)))
}

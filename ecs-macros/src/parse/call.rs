//! A system that is named in a schedule, with its arguments and those behind `|`, and conditions: and
//! what other libraries write in place of them.

use proc_macro2::{Delimiter, Group, Span, TokenTree};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{
    GenericArgument, Ident, LitStr, Path, PathArguments, Result, Token, Type, TypePath, parenthesized, token,
};

use super::advice::{self, with_advice};
use super::options::{next, until};
use super::stages::Reader;
use super::step::{arguments, is_pipe, spelled};
use crate::diagnostic::Culprit;
use crate::model::schedule::{Condition, Place};
use crate::names::{snake_case, source, text};

impl Reader<'_> {
    /// Reads `.run_if(paused)` after a system, the syntax of another library, and reports the syntax of
    /// this one.
    pub(super) fn method(&mut self, input: ParseStream<'_>, system: &Place) {
        let (span, tokens) =
            (input.span(), until(input, |input| input.peek(Token![,]) || input.peek(Token![;])));
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
                "systems take effect in the order of the text: put it in its place, and leave this out"
                    .to_owned()
            }
            _ => format!(
                "a system is written here by its name, `{system}`, or with a condition, `{system} if CONDITION`"
            ),
        };
        self.errors.at(span, self.says(format!("`{shown}` is not called on system `{system}`: {cure}")));
    }

    /// Reads the condition behind `if`: systems, and operators between them.
    pub(super) fn condition(&mut self, input: ParseStream<'_>) -> Result<Condition> {
        let (start, ahead) = (input.span(), input.fork());
        let tokens = until(&ahead, |input| input.peek(Token![,]) || input.peek(Token![;]));
        if tokens.is_empty() {
            let message =
                "expected a condition after `if`, a system that returns `bool`: `movement if playing`";
            return Err(start.wrong(self.says(message)));
        }
        let is_value = match tokens.clone().into_iter().next() {
            Some(TokenTree::Literal(_)) => true,
            Some(TokenTree::Ident(word)) => word == "true" || word == "false",
            _ => false,
        };
        if !is_value {
            let condition = self.either(input)?;
            if let (Condition::Place(system), true) = (&condition, input.peek(syn::Ident))
                && system.spelled == "not"
            {
                return Err(start
                    .wrong(self.says(format!("conditions are negated with `!`: write `!{}`", next(input)))));
            }
            let word = input.fork().call(Ident::parse_any).map(|word| word.to_string()).unwrap_or_default();
            if let Some(sign) = ["and", "or"].iter().position(|known| *known == word) {
                let expression = source(&tokens);
                let sign = ["&&", "||"][sign];
                return Err(input.error(self.says(format!(
                    "`{expression}`: conditions are combined with `{sign}`, not with `{word}`"
                ))));
            }
            if input.is_empty()
                || input.peek(Token![,])
                || input.peek(Token![;])
                || input.peek(Ident::peek_any)
            {
                return Ok(condition);
            }
        }
        let expression = source(&tokens);
        Err(start.wrong(self.says(format!(
            "`{expression}` is an expression: after `if` come systems that return `bool`, with `!`, `&&`, `||` and \
            parentheses: compute it in a system, `fn condition(..) -> bool`, with what it reads as parameters, such as \
            `Res<Clock>`"
        ))))
    }

    /// Reads a system with its arguments, and the systems behind `|`.
    pub(super) fn system(&mut self, input: ParseStream<'_>) -> Result<Place> {
        let mut system = self.call(input)?;
        while is_pipe(input) {
            input.parse::<Token![|]>()?;
            let Place { system: path, arguments, spelled, .. } = self.call(input)?;
            if let Some(first) = arguments.first() {
                self.errors.push(first.wrong(self.says(format!(
                    "the input of `{spelled}` is the output of the system before `|`: it takes no arguments here"
                ))));
            }
            system.spelled = format!("{} | {spelled}", system.spelled);
            system.piped.push(path);
        }
        Ok(system)
    }

    /// Reads the path of a system and its arguments.
    fn call(&mut self, input: ParseStream<'_>) -> Result<Place> {
        let (start, found, cure) = (input.span(), next(input), in_place_of_a_system(input));
        let path: TypePath = input.parse().map_err(|_| {
            start.wrong(self.says(format!("expected the name of a system, found `{found}`{cure}")))
        })?;
        let path = self.with_states_as_types(path, start);
        let text = source(&path);
        let mut given = Vec::new();
        if input.peek(token::Paren) {
            let span = input.span();
            match misplaced_call(&path, &text, input) {
                Some(message) => {
                    input.parse::<TokenTree>()?;
                    self.errors.at(span, self.says(message));
                }
                None => given = arguments(input)?,
            }
        }
        let spelled = spelled(&text, &given);
        Ok(Place::new(path, given, spelled))
    }

    /// Reports a variant in place of its type, `in_state::<Phase::Play>`, and corrects it.
    fn with_states_as_types(&mut self, mut path: TypePath, start: Span) -> TypePath {
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
        self.errors.at(
            start,
            self.says(format!("`{spelled}` takes the state as a type: write `{}`", source(&path))),
        );
        path
    }
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

/// The conditions of bevy that hold after a transition, with those of the library.
const OF_TRANSITIONS: [(&str, &str); 4] =
    [("on_enter", "entered"), ("OnEnter", "entered"), ("on_exit", "exited"), ("OnExit", "exited")];

/// `in_state::<phase::Play>` for `in_state(Phase::Play)`, and `transition::<Phase>` for
/// `transition(Phase)`.
fn condition_on_a_state(path: &TypePath, arguments: &Group) -> Option<String> {
    let name = text(&path.path.segments.last()?.ident);
    let state: Path = syn::parse2(arguments.stream()).ok()?;
    let mut names: Vec<String> = state.segments.iter().map(|segment| text(&segment.ident)).collect();
    match name.as_str() {
        "in_state" | "entered" | "exited" | "on_enter" | "on_exit" | "OnEnter" | "OnExit" => {
            let of_enum = names.len().checked_sub(2)?;
            names[of_enum] = snake_case(&names[of_enum]);
        }
        "transition" | "sub_transition" | "compute_state" | "despawn_on_enter" | "despawn_on_exit" => {}
        _ => return None,
    }
    let mut condition = source(path);
    for (of_bevy, own) in OF_TRANSITIONS {
        condition = condition.replace(of_bevy, own);
    }
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
        with_advice(advice::STEP, input, "")
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

impl Reader<'_> {
    /// The condition behind `if`.
    pub(super) fn either(&mut self, input: ParseStream<'_>) -> Result<Condition> {
        let mut condition = self.both(input)?;
        while input.parse::<Option<Token![||]>>()?.is_some() {
            condition = Condition::Or(Box::new(condition), Box::new(self.both(input)?));
        }
        Ok(condition)
    }

    fn both(&mut self, input: ParseStream<'_>) -> Result<Condition> {
        let mut condition = self.single(input)?;
        while input.parse::<Option<Token![&&]>>()?.is_some() {
            condition = Condition::And(Box::new(condition), Box::new(self.single(input)?));
        }
        Ok(condition)
    }

    fn single(&mut self, input: ParseStream<'_>) -> Result<Condition> {
        if input.parse::<Option<Token![!]>>()?.is_some() {
            return Ok(Condition::Not(Box::new(self.single(input)?)));
        }
        if input.peek(token::Paren) {
            let inner;
            parenthesized!(inner in input);
            let condition = self.either(&inner)?;
            if !inner.is_empty() {
                return Err(inner.error(self.says("expected `&&`, `||` or `)`")));
            }
            return Ok(condition);
        }
        self.system(input).map(|system| Condition::Place(Box::new(system)))
    }
}

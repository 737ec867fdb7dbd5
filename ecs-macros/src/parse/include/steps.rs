//! `include PATH { before bounce { wind } } if playing` in a schedule: adds the steps of a schedule
//! of parts. With a condition they are a group, which evaluates it once.

use proc_macro2::{Ident, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Attribute, Result, Token, token};

use super::given::substituted;
use super::target::Target;
use super::{Includes, SCHEDULE, insertions};
use crate::diagnostic::{Culprit, Diagnostics};
use crate::names::source;
use crate::parse::options::{next, until};
use crate::parse::schedule::{self, Place, Stage, Step};
use crate::parse::step;
use crate::parse::world::Noun;
use crate::span::Ends;

/// Reads `include PATH` in a schedule. Returns the included stages.
pub(in crate::parse) fn steps(
    input: ParseStream<'_>,
    cfg: Vec<Attribute>,
    of: &Place<'_>,
    includes: &mut Includes,
    errors: &mut Diagnostics,
) -> Result<Vec<Stage>> {
    let (include, mut target) = Target::read(SCHEDULE, input, cfg, of.title, errors)?;
    let parts = includes.paths.iter().filter_map(|link| link.path.get_ident());
    if let Some(beside) = parts.into_iter().find_map(|name| target.beside(name)) {
        let (path, right) = (&target.spelled, &beside.spelled);
        errors.at(
            &target.path,
            of.says(format!("`{path}`: schedules of parts stand beside them: write `include {right}`")),
        );
        target = beside;
    }
    // the compiler would report it, and the world and all of its uses
    if let Some(unknown) = target.unknown_schedule() {
        // parts of the same module are reported with the same cure
        if !includes.lacks_parts || unknown.meant.is_some() {
            errors.at(
                &target.path,
                of.says(format!("the schedule of parts `{}` {}", target.spelled, unknown.cure)),
            );
        }
        let Some(meant) = unknown.meant else {
            until(input, |input| input.peek(Token![;]));
            return Ok(Vec::new());
        };
        target = target.renamed(&meant);
    }
    if includes.noun == Noun::Parts {
        let message = "it cannot include another one: the world's schedule includes both";
        return Err(include.span().wrong(of.says(message)));
    }
    let (spelled, given) = (&target.spelled, includes.take(&target, SCHEDULE));
    let insertions = insertions::read(input, of, includes, errors)?;
    if ["before", "after"].contains(&next(input).as_str()) {
        let (start, block) = (input.span(), until(input, |input| input.peek(token::Brace)));
        let (block, systems): (_, TokenTree) = (source(&block), input.parse()?);
        errors.push(start.wrong(of.says(format!(
            "systems beside those of a schedule stand in braces: `include {spelled} {{ {block} {systems} }}`"
        ))));
    }
    let condition = step::behind(input, of, includes, errors)?;
    let Ok(given) = given else {
        return Err(target.path.wrong(of.says(format!(
            "`{spelled}` has no systems: it is included in the struct, `struct Game {{ include {spelled}; .. }}`"
        ))));
    };
    let Some(given) = given else { return Ok(Vec::new()) };
    let arguments = given.arguments(&target);
    let arguments = arguments.map_err(|says| target.path.wrong(of.says(&says)))?;
    let lacks = includes.lists.lacking(&given, &target, &arguments, of.title);
    let mut stages = schedule::stages(given.entries, of, includes, errors);
    for (index, system) in schedule::systems(&mut stages).into_iter().enumerate() {
        if !arguments.is_empty() {
            let spelled = system.spelled.parse().unwrap_or_else(|_| system.path.to_token_stream());
            system.spelled = source(&substituted(spelled, &arguments));
        }
        (system.arguments, system.piped) = (Vec::new(), Vec::new());
        system.path = includes.listed(&target.path, index);
        system.included = Some(spelled.clone());
        system.lacks.clone_from(&lacks);
    }
    let stages = insertions::apply(stages, insertions, spelled, of, errors);
    let span = Ends::of(&target.path).first;
    Ok(match condition {
        Some(condition) => step::gated(stages, &[], condition, span, includes),
        None => stages,
    })
}

/// Reads `include PATH` in a `react` block, which takes a schedule of one stage.
pub(in crate::parse) fn stage(
    input: ParseStream<'_>,
    cfg: Vec<Attribute>,
    of: &Place<'_>,
    includes: &mut Includes,
    errors: &mut Diagnostics,
) -> Result<Vec<Step>> {
    let ahead = input.fork();
    ahead.call(Ident::parse_any)?;
    let span = until(&ahead, |input| !(input.peek(Ident::peek_any) || input.peek(Token![::])))
        .into_iter()
        .last()
        .map_or_else(|| ahead.span(), |last| last.span());
    let mut stages = steps(input, cfg, of, includes, errors)?;
    stages.retain(|stage| !stage.steps.is_empty());
    if stages.len() > 1 || stages.iter().any(|stage| stage.react.is_some()) {
        let message = "a `react` block is one stage, and what is included here has several";
        return Err(span.wrong(of.says(message)));
    }
    Ok(stages.into_iter().flat_map(|stage| stage.steps).collect())
}

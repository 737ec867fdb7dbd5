//! `include PATH { before bounce { wind } } if playing` in a schedule: adds the steps of a schedule
//! of parts. With a condition they are a group, which evaluates it once.

use proc_macro2::{Ident, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Attribute, Result, Token, token};

use super::SCHEDULE;
use super::given::substituted;
use super::target::Target;
use crate::diagnostic::Culprit;
use crate::model::schedule::{Stage, Step};
use crate::names::source;
use crate::parse::options::{next, until};
use crate::parse::stages::Reader;
use crate::parse::world::Noun;
use crate::span::Ends;

impl Reader<'_> {
    /// Reads `include PATH` in a schedule. Returns the included stages.
    pub(in crate::parse) fn include(
        &mut self,
        input: ParseStream<'_>,
        cfg: Vec<Attribute>,
    ) -> Result<Vec<Stage>> {
        let (include, mut target) = Target::read(SCHEDULE, input, cfg, self.title, self.errors)?;
        let parts = self.includes.paths.iter().filter_map(|link| link.path.get_ident());
        if let Some(beside) = parts.into_iter().find_map(|name| target.beside(name)) {
            let (path, right) = (&target.spelled, &beside.spelled);
            self.errors.at(
                &target.path,
                self.says(format!("`{path}`: schedules of parts stand beside them: write `include {right}`")),
            );
            target = beside;
        }
        // the compiler would report it, and the world and all of its uses
        if let Some(unknown) = target.unknown_schedule() {
            // parts of the same module are reported with the same cure
            if !self.includes.lacks_parts || unknown.meant.is_some() {
                self.errors.at(
                    &target.path,
                    self.says(format!("the schedule of parts `{}` {}", target.spelled, unknown.cure)),
                );
            }
            let Some(meant) = unknown.meant else {
                until(input, |input| input.peek(Token![;]));
                return Ok(Vec::new());
            };
            target = target.renamed(&meant);
        }
        if self.includes.noun == Noun::Parts {
            let message = "it cannot include another one: the world's schedule includes both";
            return Err(include.span().wrong(self.says(message)));
        }
        let (spelled, given) = (&target.spelled, self.includes.take(&target, SCHEDULE));
        let insertions = self.insertions(input)?;
        if ["before", "after"].contains(&next(input).as_str()) {
            let (start, block) = (input.span(), until(input, |input| input.peek(token::Brace)));
            let (block, systems): (_, TokenTree) = (source(&block), input.parse()?);
            self.errors.push(start.wrong(self.says(format!(
                "systems beside those of a schedule stand in braces: `include {spelled} {{ {block} {systems} }}`"
            ))));
        }
        let condition = self.behind(input)?;
        let Ok(given) = given else {
            return Err(target.path.wrong(self.says(format!(
                "`{spelled}` has no systems: it is included in the struct, `struct Game {{ include {spelled}; .. }}`"
            ))));
        };
        let Some(given) = given else { return Ok(Vec::new()) };
        let arguments = given.arguments(&target);
        let arguments = arguments.map_err(|says| target.path.wrong(self.says(&says)))?;
        let lacks = self.includes.lists.lacking(&given, &target, &arguments, self.title);
        let mut stages = self.stages(given.entries);
        let steps = stages.iter_mut().flat_map(|stage| &mut stage.steps);
        for (index, system) in steps.flat_map(Step::places_mut).enumerate() {
            if !arguments.is_empty() {
                let spelled = system.spelled.parse().unwrap_or_else(|_| system.system.to_token_stream());
                system.spelled = source(&substituted(spelled, &arguments));
            }
            (system.arguments, system.piped) = (Vec::new(), Vec::new());
            system.system = self.includes.listed(&target.path, index);
            system.included = Some(spelled.clone());
            system.lacks.clone_from(&lacks);
        }
        let stages = self.inserted(stages, insertions, spelled);
        let span = Ends::of(&target.path).first;
        Ok(match condition {
            Some(condition) => self.gated(stages, &[], condition, span),
            None => stages,
        })
    }

    /// Reads `include PATH` in a `react` block, which takes a schedule of one stage.
    pub(in crate::parse) fn include_stage(
        &mut self,
        input: ParseStream<'_>,
        cfg: Vec<Attribute>,
    ) -> Result<Vec<Step>> {
        let ahead = input.fork();
        ahead.call(Ident::parse_any)?;
        let span = until(&ahead, |input| !(input.peek(Ident::peek_any) || input.peek(Token![::])))
            .into_iter()
            .last()
            .map_or_else(|| ahead.span(), |last| last.span());
        let mut stages = self.include(input, cfg)?;
        stages.retain(|stage| !stage.steps.is_empty());
        if stages.len() > 1 || stages.iter().any(|stage| stage.react.is_some()) {
            let message = "a `react` block is one stage, and what is included here has several";
            return Err(span.wrong(self.says(message)));
        }
        Ok(stages.into_iter().flat_map(|stage| stage.steps).collect())
    }
}

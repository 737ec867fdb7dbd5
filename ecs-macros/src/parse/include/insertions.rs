//! Systems of the world between those of an included schedule:
//! `include step { before bounce { wind } after movement { trace } }`.
//!
//! They stand in the order of the text beside a system that the library names, so that an order
//! cannot contradict itself.

use proc_macro2::{Ident, TokenStream};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Result, TypePath, braced, token};

use crate::diagnostic::Culprit;
use crate::model::schedule::Stage;
use crate::names::{list, nearest, source};
use crate::parse::advice::{self, with_advice};
use crate::parse::options::{comma, next, until};
use crate::parse::stages::{self, Reader};

/// The steps of one block.
pub(super) struct Insertion {
    /// Whether they stand after the system.
    after: bool,
    /// The system of the included schedule.
    beside: TypePath,
    stages: Vec<Stage>,
}

impl Reader<'_> {
    /// Reads the blocks in braces behind the path of a schedule, if they are there.
    pub(super) fn insertions(&mut self, input: ParseStream<'_>) -> Result<Vec<Insertion>> {
        let mut insertions = Vec::new();
        if !input.peek(token::Brace) {
            return Ok(insertions);
        }
        let blocks = braces(input)?;
        self.all(blocks, |reader, input| {
            while !input.is_empty() {
                match reader.insertion(input) {
                    Ok(insertion) => insertions.push(insertion),
                    Err(error) => {
                        reader.errors.push(error);
                        until(input, |input| input.peek(token::Brace));
                        braces(input).ok();
                    }
                }
                comma(input);
            }
        });
        Ok(insertions)
    }
}

fn braces(input: ParseStream<'_>) -> Result<TokenStream> {
    let inner;
    braced!(inner in input);
    inner.parse()
}

impl Reader<'_> {
    /// Reads `before system { .. }` or `after system { .. }`.
    fn insertion(&mut self, input: ParseStream<'_>) -> Result<Insertion> {
        let (start, found, cure) = (input.span(), next(input), with_advice(advice::INSERTION, input, ""));
        let expected = || {
            start.wrong(self.says(format!(
                "expected `before SYSTEM {{ .. }}` or `after SYSTEM {{ .. }}`, with a system of the included schedule, found \
                 `{found}`{cure}"
            )))
        };
        let word = input.call(Ident::parse_any).map_err(|_| expected())?;
        let after = word == "after";
        if !after && word != "before" {
            return Err(expected());
        }
        let beside: TypePath = input.parse().map_err(|_| expected())?;
        if !input.peek(token::Brace) {
            let (found, beside) = (next(input), source(&beside));
            return Err(input.error(self.says(format!(
                "expected `{{` and systems of this world after `{word} {beside}`, found `{found}`"
            ))));
        }
        let stages = self.stages(braces(input)?);
        Ok(Insertion { after, beside, stages })
    }

    /// Puts the steps of the blocks beside the steps of the schedule `path`.
    pub(super) fn inserted(
        &mut self,
        stages: Vec<Stage>,
        insertions: Vec<Insertion>,
        path: &str,
    ) -> Vec<Stage> {
        if insertions.is_empty() {
            return stages;
        }
        let names: Vec<String> =
            stages.iter().flat_map(|stage| &stage.steps).map(|step| step.place.spelled.clone()).collect();
        let mut beside: Vec<[Vec<Vec<Stage>>; 2]> = names.iter().map(|_| Default::default()).collect();
        for Insertion { after, beside: system, stages } in insertions {
            match find(path, &source(&system), &names) {
                Ok(at) => beside[at][usize::from(after)].push(stages),
                Err(message) => self.errors.at(&system, self.says(message)),
            }
        }
        let (mut joined, mut beside) = (Vec::new(), beside.into_iter());
        for stage in stages {
            let mut open = Stage { steps: Vec::new(), react: stage.react };
            for step in stage.steps {
                let [mut before, mut after] = beside.next().unwrap_or_default();
                // a step beside one of a group is in the group, too
                let inserted =
                    before.iter_mut().chain(&mut after).flatten().flat_map(|stage| &mut stage.steps);
                inserted
                    .filter(|inserted| inserted.group == 0)
                    .for_each(|inserted| inserted.group = step.group);
                self.joined(&mut joined, &mut open, before);
                open.steps.push(step);
                self.joined(&mut joined, &mut open, after);
            }
            joined.push(open);
        }
        joined
    }

    /// Appends the steps of blocks to the open stage.
    fn joined(&mut self, stages: &mut Vec<Stage>, open: &mut Stage, blocks: Vec<Vec<Stage>>) {
        for mut block in blocks {
            if open.react.is_some() && block.len() > 1 {
                let first = block.iter().flat_map(|stage| &stage.steps).next();
                let message = self
                    .says("a `react` block is one stage: systems that are put into it stand apart by `,`");
                if let Some(first) = first {
                    self.errors.at(&first.place.system, message);
                }
                block.truncate(1);
            }
            stages::join(stages, open, block);
        }
    }
}

/// The position of the system that is called `name`, with or without its path and its arguments.
fn find(path: &str, name: &str, names: &[String]) -> std::result::Result<usize, String> {
    let is_exact = |known: &&String| *known == name;
    if names.iter().filter(is_exact).count() == 1 {
        return Ok(names.iter().position(|known| known == name).unwrap_or_default());
    }
    let found: Vec<usize> = (0..names.len()).filter(|&at| last(&names[at]) == name).collect();
    let shown: Vec<&str> = names.iter().map(String::as_str).collect();
    match found.as_slice() {
        [one] => Ok(*one),
        [] => {
            let words: Vec<&str> = shown.iter().map(|name| last(name)).collect();
            let hint =
                nearest(name, &words).map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
            Err(format!(
                "`{path}` has no system `{name}`: {hint}its systems are {}; systems of the world stand in the order of the text",
                list(&shown)
            ))
        }
        several => {
            let shown: Vec<&str> = several.iter().map(|&at| shown[at]).collect();
            Err(format!("`{path}` has several systems `{name}`: write one of {}", list(&shown)))
        }
    }
}

/// The last name of a path, without its arguments.
fn last(path: &str) -> &str {
    let bare = path.split("::<").next().unwrap_or(path);
    bare.rsplit("::").next().unwrap_or(bare)
}

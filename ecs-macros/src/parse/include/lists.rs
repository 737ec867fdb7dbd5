//! The parts that a world includes, by name, and the message for a schedule of parts that it does
//! not include. Names do not decide whether a system can run, since a world may list the types of
//! parts itself: the message is given only where a system lacks something.

use proc_macro2::{Ident, TokenStream};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Path, PathArguments, PathSegment, Type};

use super::given::{Argument, Given, last_names, substituted};
use super::target::Target;
use crate::names::{source, text, ungroup};
use crate::parse::world::Entry;

/// The parts that a world includes, and the names of the types that it lists itself.
#[derive(Default)]
pub(in crate::parse) struct Lists {
    /// The name of each, and the last names of its arguments, which are not known of parts that
    /// other parts include.
    included: Vec<(String, Option<Vec<String>>)>,
    listed: Vec<String>,
}

impl Lists {
    /// Adds the parts of an `include`, and those that they include.
    pub(super) fn include(&mut self, given: &Given, target: &Target, arguments: &[Argument]) {
        let name = target.path.segments.last().map(|last| text(&last.ident)).unwrap_or_default();
        self.included.push((given.own_name().map_or(name, str::to_owned), Some(names_of(arguments))));
        self.included.extend(given.included_names().map(|name| (name.to_owned(), None)));
    }

    /// Adds the types that the world lists itself.
    pub(in crate::parse) fn list(&mut self, sections: &[Vec<Entry>]) {
        let own = sections.iter().flatten().filter(|entry| entry.included.is_none());
        self.listed.extend(own.filter_map(|entry| last_name(&entry.ty)));
    }

    fn has(&self, name: &str, arguments: Option<&[String]>) -> bool {
        self.included.iter().any(|(known, of)| {
            known == name && of.as_deref().zip(arguments).is_none_or(|(known, asked)| known == asked)
        })
    }

    /// Whether the world lists more than half of these types itself. Then a message about one type
    /// says more than one about the parts. A type that is listed counts once, since parts may have
    /// several of one name, such as `Clock<Wall>` and `Clock<Frame>`.
    fn lists_most(&self, types: &[String]) -> bool {
        let mut listed = self.listed.clone();
        let is_listed = |ty: &&String| {
            let at = listed.iter().position(|name| name == *ty);
            at.map(|at| listed.swap_remove(at)).is_some()
        };
        types.iter().filter(is_listed).count() * 2 > types.len()
    }

    /// The message for a system of `given`, a schedule of parts, that lacks something, if the world
    /// does not include the parts or others that they need.
    pub(super) fn lacking(
        &self,
        given: &Given,
        target: &Target,
        arguments: &[Argument],
        title: &str,
    ) -> Option<String> {
        let (own, others) = given.needs.split_first()?;
        let (own, types) = names.parse2(own.clone()).ok()?;
        if self.lists_most(&types) {
            return None;
        }
        let mut lacking = Vec::new();
        if !self.has(&text(&own), Some(&names_of(arguments))) {
            let arguments = target.path.segments.last().map(|last| last.arguments.clone());
            lacking.push(beside(target, own, arguments.unwrap_or_default()));
        }
        // generic parts need other parts for the arguments with which their library checks them,
        // the defaults
        if given.has_default_arguments(arguments) {
            let others = others.iter().map(|other| substituted(other.clone(), arguments));
            for other in others.filter_map(|other| syn::parse2::<Path>(other).ok()) {
                let Some(PathSegment { ident, arguments }) = other.segments.last().cloned() else { continue };
                let is_alone = other.segments.len() == 1 && other.leading_colon.is_none();
                if !self.has(&text(&ident), None) {
                    lacking.push(if is_alone { beside(target, ident, arguments) } else { other });
                }
            }
        }
        if lacking.is_empty() {
            return None;
        }
        let cures: Vec<String> = lacking.iter().map(|path| format!("include {};", source(path))).collect();
        Some(format!(
            "{title} does not include what schedule `{}` needs: write `{}` in the braces of the struct",
            target.spelled,
            cures.join(" ")
        ))
    }
}

/// Reads the name of the parts of a schedule, and the names of the types in them.
fn names(input: ParseStream<'_>) -> syn::Result<(Ident, Vec<String>)> {
    let own = input.call(Ident::parse_any)?;
    let mut types = Vec::new();
    while !input.is_empty() {
        types.push(text(&input.call(Ident::parse_any)?));
    }
    Ok((own, types))
}

fn names_of(arguments: &[Argument]) -> Vec<String> {
    let arguments: Vec<TokenStream> = arguments.iter().map(|(_, argument)| argument.clone()).collect();
    last_names(&arguments)
}

/// The last name of a path.
fn last_name(ty: &Type) -> Option<String> {
    match ungroup(ty) {
        Type::Path(path) => path.path.segments.last().map(|last| text(&last.ident)),
        _ => None,
    }
}

/// The path of the parts `name` in the module of the schedule, with `arguments`.
fn beside(target: &Target, name: Ident, arguments: PathArguments) -> Path {
    let mut beside = target.path.clone();
    beside.segments.pop();
    beside.segments.push(PathSegment { ident: name, arguments });
    beside
}

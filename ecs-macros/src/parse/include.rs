//! `include PATH`: adds the entries of a `parts!` to a world.
//!
//! A macro cannot see the input of another. `world!` therefore reads its text twice. The first pass
//! collects the paths and calls the macros that `parts!` has generated: each passes its entries to
//! the next macro, the last one to `including_world!`. The second pass, in `including_world!`,
//! reads the text again with the included entries.
//!
//! The types of a library have other paths in the including crate, or none. The expansion names an
//! included type by its number in the library's list: `<PATH as Listed<Game, 0>>::Item`.

pub(crate) mod entries;
pub(crate) mod given;
mod insertions;
mod lists;
mod overrides;
mod steps;
mod target;

use std::collections::HashSet;
use std::vec;

use proc_macro2::{Ident, Literal, TokenStream, TokenTree};
use quote::quote;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Expr, Lit, Path, Token, TypePath, parse_quote, token};

pub(super) use self::entries::entries;
use self::given::{Given, Origin};
use self::lists::Lists;
pub(crate) use self::target::Link;
use self::target::Target;
pub(super) use self::target::conditions;
use super::options::next;
use super::world::Noun;
use crate::names::Ecs;
use crate::span::{Ends, at};

/// The words that tell a list of parts from a schedule, in the input of `including_world!`.
pub(crate) const PARTS: &str = "parts";
pub(crate) const SCHEDULE: &str = "schedule";

/// The parts and schedules that a world includes, or that parts include or need.
pub(crate) struct Includes {
    noun: Noun,
    pub(super) ecs: Ecs,
    world: Ident,
    /// The paths, in the order of the text.
    pub(crate) paths: Vec<Link>,
    /// Whether parts include others, whose entries become their own.
    pub(crate) adds: bool,
    /// The paths of the parts that parts need.
    pub(crate) needs: Vec<Path>,
    /// The parts that are included so far.
    pub(super) lists: Lists,
    /// Whether parts were not found, which was reported.
    pub(super) lacks_parts: bool,
    /// The entries after the paths, in the order of `paths`; empty in the first call.
    given: Option<vec::IntoIter<TokenStream>>,
    /// The paths of parts so far.
    seen: HashSet<String>,
    /// The section and the position of each included entry, with the list that declares it.
    placed: Vec<(Origin, (usize, usize))>,
    /// The number of groups of steps so far.
    groups: u16,
}

impl Includes {
    pub(crate) fn new(noun: Noun, ecs: &Ecs, world: &Ident, given: Option<Vec<TokenStream>>) -> Self {
        Self {
            noun,
            ecs: ecs.clone(),
            world: world.clone(),
            paths: Vec::new(),
            adds: false,
            needs: Vec::new(),
            lists: Lists::default(),
            lacks_parts: false,
            given: given.map(Vec::into_iter),
            seen: HashSet::new(),
            placed: Vec::new(),
            groups: 0,
        }
    }

    /// The number of a new group of steps: from 1 on.
    pub(super) fn next_group(&mut self) -> u16 {
        self.groups = self.groups.saturating_add(1);
        self.groups
    }

    /// `<path as Listed<Game, index>>::Item`, with the span of `path`.
    fn listed(&self, path: &Path, index: usize) -> TypePath {
        listed(&self.ecs, &self.world, path, index)
    }

    /// The first value of the entry with the number `index`.
    fn value(&self, path: &Path, index: usize) -> Expr {
        value(&self.ecs, &self.world, path, index)
    }

    /// The section and the position of the entry of this origin: `next`, if it is the first one.
    fn place(&mut self, origin: Origin, next: (usize, usize)) -> (usize, usize) {
        if let Some((_, at)) = self.placed.iter().find(|(placed, _)| placed.is_same(&origin)) {
            return *at;
        }
        self.placed.push((origin, next));
        next
    }

    /// The entries behind a path, if their kind is `word`. `None` if they are not known, or
    /// compiled out.
    fn take(&mut self, target: &Target, word: &str) -> std::result::Result<Option<Given>, ()> {
        self.paths.push(target.link());
        let Some(given) = &mut self.given else { return Ok(None) };
        Given::read(given.next().unwrap_or_default(), word)
    }
}

/// `<path as Listed<world, index>>::Item`, with the span of `path`.
pub(crate) fn listed(ecs: &Ecs, world: &Ident, path: &Path, index: usize) -> TypePath {
    let (ends, index) = (Ends::of(path), Literal::usize_unsuffixed(index));
    let open = at(quote!(<), ends.first);
    let close = at(quote!(as #ecs::__private::Listed<#world, #index>>::Item), ends.last);
    parse_quote!(#open #path #close)
}

/// A call for the first value of the entry with the number `index`, with the span of `path`.
pub(crate) fn value(ecs: &Ecs, world: &Ident, path: &Path, index: usize) -> Expr {
    let (ends, index) = (Ends::of(path), Literal::usize_unsuffixed(index));
    let open = at(quote!(<), ends.first);
    let close = at(quote!(as #ecs::__private::Valued<#world, #index>>::value()), ends.last);
    parse_quote!(#open #path #close)
}

/// Whether `include` and a path come next. A system may be called `include`, too.
pub(super) fn is_next(input: ParseStream<'_>) -> bool {
    is_path_behind("include", input)
}

/// Whether `include` or `needs` and a path come next.
pub(super) fn is_entry(input: ParseStream<'_>) -> bool {
    let is_alone = ["include", "needs"].contains(&next(input).as_str()) && input.peek2(Token![;]);
    is_next(input) || is_path_behind("needs", input) || is_alone
}

fn is_path_behind(word: &str, input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    let found = ahead.call(Ident::parse_any).is_ok_and(|found| found == word);
    let is_wrapped = ahead.peek(token::Brace) || ahead.peek(Lit);
    found && (is_wrapped || ahead.peek(Ident::peek_any) && !ahead.peek(Token![if]) || is_absolute(&ahead))
}

/// Whether the tokens are `include` and an absolute path, not a path that begins with a module
/// `include`.
fn is_absolute(ahead: ParseStream<'_>) -> bool {
    ahead.peek(Token![::])
        && ahead.fork().call(Path::parse_mod_style).is_ok_and(|path| path.segments.len() > 1)
}

/// Splits the input of `including_world!` into the included lists and the text of the world. The
/// first group, the remaining macros of the chain, is empty by then.
pub(crate) fn handed_over(tokens: TokenStream) -> (Vec<TokenStream>, TokenStream) {
    let mut tokens = tokens.into_iter();
    let mut group = || match tokens.next() {
        Some(TokenTree::Group(group)) => group.stream(),
        _ => TokenStream::new(),
    };
    let (_, given) = (group(), group());
    let given = given.into_iter().filter_map(|tree| match tree {
        TokenTree::Group(group) => Some(group.stream()),
        _ => None,
    });
    (given.collect(), tokens.collect())
}

//! The file that a macro's tokens come from. A macro sees its own tokens only, and frequent
//! mistakes are outside of them, such as a step of a schedule that is a function without
//! `#[system]`. They are found in the source text, so that their messages say what to write.
//!
//! [`declaration`], [`system`] and [`world`] read one item of the text, [`name_origin`] asks which
//! item a name means, and [`item_list`] has the items of a file that was parsed.
//!
//! Correct programs pay for a search in the text only: the file is parsed if the search finds a
//! mistake that is likely. The search for one function looks at the lines around it, and not at the
//! whole file, since a file may have hundreds of systems and macros run unoptimised. A file that is
//! not found, or is ambiguous, leaves the message to the compiler.

mod declaration;
mod item_list;
mod name_origin;
mod no_systems;
mod parts;
mod system;
mod underived;
mod world;

use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::iter;
use std::path::PathBuf;
use std::rc::Rc;

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, Item, Type};

pub(crate) use self::declaration::{Declaration, derives_of_serde, noun_of};
use self::declaration::{LISTED, NOUNS};
use self::item_list::{List, are_inert, is_last, lists, systems};
use self::name_origin::{Declared, declared_in, is_found_elsewhere, is_the_library};
pub(crate) use self::name_origin::{is_not_imported, is_of_the_user, may_declare, may_have_method};
pub(crate) use self::no_systems::{NoSystems, is_method, no_systems};
pub(crate) use self::parts::{
    Unknown, are_parts, is_beside_parts, is_module, only_undeclared_parts, schedules_in_module,
    unknown_parts, unknown_schedule,
};
pub(crate) use self::system::{
    is_private_system, nouns_of_parameters, output_of, signature_of, stops_events, takes_an_input,
    takes_no_input, type_parameters_of,
};
pub(crate) use self::underived::Underived;
use self::underived::{STANDARD, underived_in};
use self::world::world_texts;
pub(crate) use self::world::{condition_of, is_imported_beside, trait_as_type, unlisted};
use crate::names::{text, ungroup};

thread_local! {
    /// The texts of files. Tokens cannot be kept: they are valid during one call of a macro only.
    static TEXTS: RefCell<HashMap<PathBuf, Option<Rc<SourceText>>>> = RefCell::default();
}

/// The words that begin the items that are searched for.
const ITEMS: [&str; 6] = ["enum", "fn", "mod", "struct", "trait", "type"];

/// Where items begin, and where their names end, by name.
type Places = HashMap<String, Vec<(usize, usize)>>;

struct SourceText {
    text: String,
    /// The position of the first byte of each line.
    lines: Vec<usize>,
    /// The places of each of the [`ITEMS`].
    items: [OnceCell<Places>; ITEMS.len()],
    /// The words of all imports.
    imported: OnceCell<HashSet<String>>,
    /// The words in each `world!`, by the name of the world; `None` if it includes others.
    worlds: OnceCell<HashMap<String, Option<HashSet<String>>>>,
    /// Whether a `world!` lists something under `#[cfg(..)]`: most files have no such world.
    has_conditions: bool,
    /// Whether a system may have an input: most files have no such system.
    has_inputs: bool,
    /// Whether a component may require others.
    has_requirements: bool,
    has_parts: bool,
    /// The words in all texts of `world!`.
    listed: OnceCell<HashSet<String>>,
}

impl SourceText {
    fn new(text: String) -> Self {
        let lines = iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let has_conditions = world_texts(&text).any(|world| world.contains("#[cfg("));
        let [has_inputs, has_requirements, has_parts] =
            ["In<", "requires(", "parts!"].map(|part| text.contains(part));
        Self {
            text,
            lines,
            items: Default::default(),
            imported: OnceCell::new(),
            worlds: OnceCell::new(),
            has_conditions,
            has_inputs,
            has_requirements,
            has_parts,
            listed: OnceCell::new(),
        }
    }

    /// Where the items begin that have this word, one of the [`ITEMS`], and this name, and where
    /// the name ends. A file is searched once for each word: each system and each derive asks.
    fn places(&self, word: &str, name: &str) -> &[(usize, usize)] {
        let Some(kind) = ITEMS.iter().position(|item| *item == word) else { return &[] };
        let items = self.items[kind].get_or_init(|| {
            let mut found = Places::new();
            for (at, word) in self.text.match_indices(&format!("{word} ")) {
                let name_at = at + word.len();
                let name = self.text[name_at..].split(|sign| !is_of_a_word(sign)).next().unwrap_or_default();
                found.entry(name.to_owned()).or_default().push((at, name_at + name.len()));
            }
            found
        });
        items.get(name).map_or(&[], Vec::as_slice)
    }

    /// Where the declarations of structs and enums of this name begin, and where the name ends.
    fn declarations(&self, name: &str) -> impl Iterator<Item = (usize, usize)> {
        ["struct", "enum"].into_iter().flat_map(|word| self.places(word, name)).copied()
    }

    /// The only place of a word and a name, if the file does not import another item of this name.
    fn only(&self, word: &str, name: &str) -> Option<(usize, usize)> {
        let [only] = *self.places(word, name) else { return None };
        (!self.imports(name)).then_some(only)
    }

    /// Whether a `world!` has this word.
    fn lists(&self, name: &str) -> bool {
        let all = || world_texts(&self.text).flat_map(words).map(str::to_owned).collect();
        self.listed.get_or_init(all).contains(name)
    }

    /// Whether a word of an import is this name.
    fn imports(&self, name: &str) -> bool {
        self.imported.get_or_init(|| imports(&self.text).map(str::to_owned).collect()).contains(name)
    }
}

/// The text of the file that `span` is in, and the position of the line of `span`; `None` for the
/// code of a documentation test, whose file has it in comments.
fn file_of(span: Span) -> Option<(Rc<SourceText>, usize)> {
    if !proc_macro::is_available() {
        return None;
    }
    let span = span.unwrap();
    let path = span.local_file()?;
    let read = |path: &PathBuf| std::fs::read_to_string(path).ok().map(|text| Rc::new(SourceText::new(text)));
    let text = TEXTS.with_borrow_mut(|texts| texts.entry(path).or_insert_with_key(read).clone())?;
    let line = *text.lines.get(span.start().line().checked_sub(1)?)?;
    (!text.text[line..].trim_start().starts_with("//")).then_some((text, line))
}

/// Whether the file declares one trait of this name, without bounds, and does not import another.
pub(crate) fn is_trait_without_bounds(name: &proc_macro2::Ident) -> bool {
    let Some((source, _)) = file_of(name.span()) else { return false };
    source.only("trait", &text(name)).is_some_and(|(_, end)| source.text[end..].trim_start().starts_with('{'))
}

/// Whether the file declares an alias of this name with a derive, which the compiler reports.
pub(crate) fn is_alias_with_derive(name: &proc_macro2::Ident) -> bool {
    let Some((source, _)) = file_of(name.span()) else { return false };
    let Some((at, _)) = source.only("type", &text(name)) else { return false };
    let above = above(&source.text, at);
    above.lines().any(|line| line.trim_start().starts_with("#[derive("))
        && !["cfg", "*/"].iter().any(|word| above.contains(word))
}

/// Whether a type may have another name in the file of `span`: by an alias or an import.
pub(crate) fn may_have_alias(name: &str, span: Span) -> bool {
    let Some((source, _)) = file_of(span) else { return true };
    let mut lines = source.text.lines().filter(|line| line.contains("type ") || line.contains(" as "));
    lines.any(|line| words(line).any(|word| word == name))
}

/// Where a word and a name stand, and where the name ends. It searches no further than it is asked.
fn places<'s>(source: &'s str, word: &str, name: &str) -> impl Iterator<Item = (usize, usize)> + use<'s> {
    let (begin, mut from) = (format!("{word} {name}"), 0);
    let all = iter::from_fn(move || {
        let at = from + source[from..].find(&begin)?;
        from = at + begin.len();
        Some((at, from))
    });
    all.filter(|&(_, end)| !source[end..].starts_with(is_of_a_word))
}

/// The words of all imports.
fn imports(source: &str) -> impl Iterator<Item = &str> {
    let imports = source.split("use ").skip(1).filter_map(|behind| behind.split(';').next());
    imports.flat_map(|import| import.split(|sign| !is_of_a_word(sign)))
}

/// Whether the file has an impl of `of_trait` for the type `name`.
pub(crate) fn implements(of_trait: &str, name: &proc_macro2::Ident) -> bool {
    let Some((source, _)) = file_of(name.span()) else { return false };
    let header = format!("{of_trait} for {}", text(name));
    source.text.match_indices(&header).any(|(at, found)| {
        let is_end = |sign: char| !sign.is_alphanumeric() && sign != '_';
        let line = source.text[..at].rsplit('\n').next().unwrap_or_default();
        source.text[at + found.len()..].starts_with(is_end) && line.contains("impl") && !line.contains("//")
    })
}

/// Whether an enum of states exists within another one, if its file is that of `ty`.
pub(crate) fn is_sub_state(ty: &Type) -> Option<bool> {
    let Type::Path(path) = ungroup(ty) else { return None };
    let name = &path.path.segments.last()?.ident;
    let (source, _) = file_of(name.span())?;
    let options = |above: &str| {
        let lists = above.split("#[states(").skip(1).filter_map(|list| list.split(")]").next());
        lists.filter(|list| list.contains("within")).count() > 0
    };
    source.declarations(&text(name)).next().map(|(at, _)| options(above(&source.text, at)))
}

/// The type `name` with the arguments that it has in its file, if they are the same at each use.
pub(crate) fn used_with(name: &proc_macro2::Ident, parameter: &str) -> Option<Type> {
    let (source, _) = file_of(name.span())?;
    let used = used_with_in(&source.text, &text(name), parameter)?;
    let mut ty: Type = syn::parse_str(&used).ok()?;
    if let Type::Path(path) = &mut ty {
        let tokens = crate::span::at(path.to_token_stream(), name.span());
        ty = syn::parse2(tokens).ok()?;
    }
    Some(ty)
}

fn used_with_in(source: &str, name: &str, parameter: &str) -> Option<String> {
    let begin = format!("{name}<");
    let uses = source.match_indices(&begin).filter_map(|(at, _)| {
        let before = source[..at].trim_end();
        let is_item = ["struct", "enum"].iter().any(|word| before.ends_with(word));
        let is_longer = source[..at].ends_with(is_of_a_word);
        let (mut depth, rest) = (0, &source[at..]);
        let end = rest.char_indices().find_map(|(at, sign)| {
            depth += match sign {
                '<' => 1,
                '>' => -1,
                _ => 0,
            };
            (sign == '>' && depth == 0).then_some(at + 1)
        })?;
        let used = &rest[..end];
        let is_open = words(used).any(|word| word == parameter || word == "_") || used.contains("..");
        (!is_item && !is_longer && !is_open).then(|| used.to_owned())
    });
    let uses: HashSet<String> = uses.collect();
    <[_; 1]>::try_from(Vec::from_iter(uses)).ok().map(|[only]| only)
}

/// The text before `at`, up to the item above.
fn above(source: &str, at: usize) -> &str {
    // one sign at a time, which the standard library searches with the optimiser
    let end = [';', '}'].into_iter().filter_map(|sign| source[..at].rfind(sign)).max();
    &source[end.map_or(0, |end| end + 1)..at]
}

/// `Name` of `path::Name`.
fn last_name(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or_default().trim()
}

fn is_of_a_word(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_'
}

/// The words and the `*` among tokens, at every depth.
pub(crate) fn words_in(tokens: TokenStream) -> Vec<String> {
    let all = tokens.into_iter().flat_map(|tree| match tree {
        TokenTree::Group(group) => words_in(group.stream()),
        TokenTree::Ident(word) => vec![text(&word)],
        TokenTree::Punct(sign) if sign.as_char() == '*' => vec!["*".to_owned()],
        _ => Vec::new(),
    });
    all.collect()
}

/// Whether the file of `name` has a function, `fn`, or a module, `mod`, of this name.
pub(crate) fn declares(word: &str, name: &proc_macro2::Ident) -> bool {
    let Some((source, _)) = file_of(name.span()) else { return false };
    !source.places(word, &text(name)).is_empty()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|sign| !is_of_a_word(sign)).filter(|word| !word.is_empty())
}

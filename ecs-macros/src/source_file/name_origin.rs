//! The origin of a name: whether the file declares it, imports it, or means this library.

use super::*;

/// Whether a type or a function called `name` may exist in the file that `span` is in: the file
/// declares or imports it, or imports all names of a module that may have it. If it is not known,
/// it may.
pub(crate) fn may_declare(name: &str, span: Span) -> bool {
    if !proc_macro::is_available() {
        return false;
    }
    let Some((source, _)) = file_of(span) else { return true };
    match declared_in(&source.text, name) {
        Declared::Here => true,
        Declared::Nowhere => false,
        Declared::PerhapsInTheCrate => {
            let folder = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
            folder.is_none_or(|folder| any_file_declares(&folder.join("src"), name))
        }
    }
}

/// Whether a derive of serde is named alone in a file that imports nothing of serde.
pub(crate) fn is_not_imported(path: &syn::Path) -> bool {
    let Some(name) = path.get_ident() else { return false };
    let has_serde = |source: &SourceText| {
        ["use serde", "extern crate", "macro_use"].iter().any(|word| source.text.contains(word))
    };
    file_of(name.span()).is_some_and(|(source, _)| !has_serde(&source))
        && !may_declare(&text(name), name.span())
}

/// Whether `ty` may be a type of the user that has the name of a type of the library: a path that
/// begins with another crate or a module, or a name that the file may declare or import from
/// elsewhere.
pub(crate) fn is_of_the_user(ty: &Type) -> bool {
    let Type::Path(path) = ungroup(ty) else { return false };
    let (Some(first), Some(last)) = (path.path.segments.first(), path.path.segments.last()) else {
        return false;
    };
    if path.path.segments.len() > 1 {
        return !is_the_library(&text(&first.ident));
    }
    may_declare(&text(&last.ident), last.ident.span())
}

/// Whether a path that begins with `name` leads to this library.
pub(super) fn is_the_library(name: &str) -> bool {
    name == "ecs" || crate::manifest::renamed().as_deref() == Some(name)
}

/// Where a type or a function of some name is declared.
#[derive(Debug, PartialEq)]
pub(super) enum Declared {
    Here,
    Nowhere,
    /// The file imports all names of a module of the same crate.
    PerhapsInTheCrate,
}

fn any_file_declares(folder: &std::path::Path, name: &str) -> bool {
    any_file(folder, &|_, text| declared_in(text, name) == Declared::Here)
}

/// Whether a file may have a method of the user for the world: one with the name of both.
pub(crate) fn may_have_method(world: &str, verb: &proc_macro2::Ident) -> bool {
    let has_verb = |file: &str| places(file, "fn", &text(verb)).next().is_some();
    let has_both = |file: &str| has_verb(file) && words(file).any(|word| word == last_name(world));
    declares("fn", verb) || is_found_elsewhere(verb.span(), &has_both)
}

/// Whether the condition holds for another file of the package than that of `span`.
pub(super) fn is_found_elsewhere(span: Span, is_found: &dyn Fn(&str) -> bool) -> bool {
    let own = span.unwrap().local_file().and_then(|path| path.canonicalize().ok());
    let Some(package) = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from) else { return true };
    let is_found = |path: &std::path::Path, file: &str| is_found(file) && path.canonicalize().ok() != own;
    let folders = ["src", "tests", "examples", "benches"].map(|folder| package.join(folder));
    folders.iter().any(|folder| folder.is_dir() && any_file(folder, &is_found))
}

/// Whether the condition holds for a source file in the folder.
fn any_file(folder: &std::path::Path, is_found: &dyn Fn(&std::path::Path, &str) -> bool) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else { return true };
    entries.flatten().map(|entry| entry.path()).any(|path| {
        if path.is_dir() {
            return any_file(&path, is_found);
        }
        let is_source = path.extension().is_some_and(|extension| extension == "rs");
        is_source && std::fs::read_to_string(&path).is_ok_and(|text| is_found(&path, &text))
    })
}

pub(super) fn declared_in(source: &str, name: &str) -> Declared {
    let Ok(tokens) = source.parse::<TokenStream>() else { return Declared::Here };
    let mut found = Declared::Nowhere;
    declared_among(tokens, name, false, &mut found);
    found
}

fn declared_among(tokens: TokenStream, name: &str, is_inline: bool, found: &mut Declared) {
    const DECLARING: [&str; 7] = ["struct", "enum", "union", "type", "trait", "fn", "as"];
    const OF_THE_LIBRARY: [&str; 2] = ["world", "parts"];
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let word = |at: Option<usize>| match at.and_then(|at| trees.get(at)) {
        Some(TokenTree::Ident(word)) => text(word),
        _ => String::new(),
    };
    let sign = |at: Option<usize>| match at.and_then(|at| trees.get(at)) {
        Some(TokenTree::Punct(sign)) => sign.as_char(),
        _ => ' ',
    };
    for (at, tree) in trees.iter().enumerate() {
        let before = |count: usize| at.checked_sub(count);
        match tree {
            TokenTree::Ident(ident) if ident == "use" => {
                let path = trees[at + 1..]
                    .iter()
                    .take_while(|tree| !matches!(tree, TokenTree::Punct(sign) if sign.as_char() == ';'));
                imported(path.cloned().collect(), name, is_inline, found);
            }
            TokenTree::Ident(ident) if ident == name => {
                let is_parameter = matches!(sign(before(1)), '<' | ',')
                    && sign(Some(at + 1)) == ':'
                    && sign(Some(at + 2)) != ':';
                if is_parameter || DECLARING.contains(&word(before(1)).as_str()) {
                    *found = Declared::Here;
                }
            }
            TokenTree::Group(group) => {
                let called = [2, 3]
                    .into_iter()
                    .find(|&count| sign(before(count - 1)) == '!')
                    .map(|count| word(before(count)));
                match called {
                    Some(called) if !called.is_empty() && !OF_THE_LIBRARY.contains(&called.as_str()) => {
                        if words_in(group.stream()).iter().any(|word| word == name) {
                            *found = Declared::Here;
                        }
                    }
                    _ => {
                        let is_module = word(before(2)) == "mod";
                        declared_among(group.stream(), name, is_inline || is_module, found);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Reads the path of a `use`.
fn imported(path: TokenStream, name: &str, is_inline: bool, found: &mut Declared) {
    let words = words_in(path);
    let all = words.iter().any(|word| word == "*");
    let first = words.first().map(String::as_str).unwrap_or_default();
    let position = words.iter().position(|word| word == name);
    // the name of a type of the library, unless it is given to another one
    let is_known =
        |at: usize| is_the_library(first) && words.get(at.wrapping_sub(1)).is_none_or(|word| word != "as");
    if position.is_some_and(|at| !is_known(at)) {
        *found = Declared::Here;
    } else if all && *found == Declared::Nowhere {
        match first {
            "std" | "core" | "alloc" => {}
            other if is_the_library(other) => {}
            "super" | "self" if is_inline && words.len() == 2 => {}
            "super" | "self" | "crate" => *found = Declared::PerhapsInTheCrate,
            _ => *found = Declared::Here,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_types_are_found() {
        let of = |source: &str| declared_in(source, "View");
        for here in [
            "struct View<T>(T);",
            "mod a { pub enum View {} }",
            "use a::{b::View, c};",
            "use a::B as View;",
            "use other::*;",
            "fn f<T, View: Clone>(view: View) {}",
            "define! { View }",
            "macro_rules! define { () => { struct View; } }",
        ] {
            assert_eq!(of(here), Declared::Here, "{here}");
        }
        for nowhere in [
            "use ecs::prelude::*; use std::fmt::*; fn f(view: View<u8>) { View::<u8>::new(); }",
            "world! { struct Game { components { View } } }",
            "mod tests { use super::*; fn f(view: View) {} }",
        ] {
            assert_eq!(of(nowhere), Declared::Nowhere, "{nowhere}");
        }
        assert_eq!(of("use crate::components::*;"), Declared::PerhapsInTheCrate);
    }
}

//! The section *Expansion* in the docs of each macro, compared with the real expansion of the input
//! that it shows.
//!
//! A shown expansion leaves tokens out with `..`, shortens paths to their last names, and writes
//! `W` for `__W`. The test therefore compares names: each impl with its trait, type and associated
//! items, and each identifier.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};

use crate::names::source;
use crate::stages;

const ENTRIES: [&str; 13] = [
    "component",
    "relation",
    "resource",
    "event",
    "bundle",
    "aspect",
    "meta_aspect",
    "query",
    "states",
    "system",
    "world",
    "components_from",
    "parts",
];

#[test]
fn docs_show_the_real_expansion() {
    let mut wrong = Vec::new();
    for entry in ENTRIES {
        let blocks = blocks(entry);
        assert!(blocks.len() >= 2, "{entry}: the docs show an input and its expansion");
        let (input, shown) = (lexed(&blocks[0]), lexed(&blocks[blocks.len() - 1]));
        let real = expanded(entry, input.clone());
        let (shown_impls, real_impls) = (shown_impls(shown.clone()), real_impls(&real));
        assert!(!shown_impls.is_empty(), "{entry}: the docs show impls");
        for shown in shown_impls {
            let same = |real: &&Impl| real.of_trait == shown.of_trait && real.ty == shown.ty;
            // the items of one shown impl may stand in several impls of the type itself
            let found: Vec<&Impl> = real_impls.iter().filter(same).collect();
            let items: BTreeSet<String> = found.iter().flat_map(|real| real.items.clone()).collect();
            if found.is_empty() || !shown.items.is_subset(&items) {
                wrong.push(format!("{entry}: the docs show {shown:?}, the expansion has {found:?}"));
            }
        }
        let real_names = identifiers(real);
        let unknown: Vec<String> = identifiers(shown).difference(&real_names).cloned().collect();
        if !unknown.is_empty() {
            wrong.push(format!("{entry}: the expansion has no {unknown:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn docs_show_the_file_that_they_name() {
    let file = include_str!("hit_points.json");
    assert_eq!(blocks("components_from")[1].trim(), file.trim());
}

/// The code blocks of the section *Expansion* of the macro that is exported as `entry`.
fn blocks(entry: &str) -> Vec<String> {
    let text = include_str!("../lib.rs");
    let end = text.find(&format!("\npub fn {entry}(")).expect("the entry point is there");
    let start = text[..end].rfind("/// # Expansion").expect("the section is there");
    let lines = text[start..end].lines().filter_map(|line| line.strip_prefix("///"));
    let (mut blocks, mut open) = (Vec::new(), None);
    for line in lines.map(str::trim_start) {
        if line.starts_with("```") {
            match open.take() {
                Some(block) => blocks.push(block),
                None => open = Some(String::new()),
            }
        } else if let Some(block) = &mut open {
            block.push_str(line);
            block.push('\n');
        }
    }
    blocks
}

fn lexed(text: &str) -> TokenStream {
    text.parse().expect("the shown code consists of tokens")
}

/// The expansion of the item or macro call in `input`.
fn expanded(entry: &str, input: TokenStream) -> TokenStream {
    let item: syn::Item = syn::parse2(body_filled(input)).expect("the shown input is an item");
    let derived = |item: &dyn ToTokens| item.to_token_stream();
    match (entry, item) {
        ("system", syn::Item::Fn(mut item)) => {
            let arguments = item.attrs.remove(0).meta.require_list().expect("has arguments").tokens.clone();
            stages::system(arguments, derived(&item))
        }
        ("world", syn::Item::Macro(call)) => stages::world(call.mac.tokens),
        ("parts", syn::Item::Macro(call)) => stages::parts(call.mac.tokens),
        ("components_from", syn::Item::Macro(call)) => stages::components_from(call.mac.tokens),
        (_, mut item) => {
            match &mut item {
                syn::Item::Struct(item) => item.attrs.remove(0),
                syn::Item::Enum(item) => item.attrs.remove(0),
                _ => panic!("{entry}: a derive is for a struct or an enum"),
            };
            let expand = match entry {
                "component" => stages::component,
                "relation" => stages::relation,
                "resource" => stages::resource,
                "event" => stages::event,
                "bundle" => stages::bundle,
                "aspect" => stages::aspect,
                "meta_aspect" => stages::meta_aspect,
                "query" => stages::query,
                "states" => stages::states,
                _ => panic!("{entry}: no macro has this name"),
            };
            expand(derived(&item))
        }
    }
}

/// The tokens with `{}` for a body `{ .. }`.
fn body_filled(tokens: TokenStream) -> TokenStream {
    let filled = tokens.into_iter().map(|tree| match tree {
        TokenTree::Group(group) if group.stream().to_string() == ".." => {
            TokenTree::Group(proc_macro2::Group::new(group.delimiter(), TokenStream::new()))
        }
        tree => tree,
    });
    filled.collect()
}

/// An impl of a trait, or of a type.
#[derive(Debug)]
struct Impl {
    /// The last name of the trait's path; empty without a trait.
    of_trait: String,
    /// The last name of the type's path.
    ty: String,
    /// Associated items, such as `const INIT` or `fn run`.
    items: BTreeSet<String>,
}

fn real_impls(expansion: &TokenStream) -> Vec<Impl> {
    struct Find(Vec<Impl>);
    impl<'a> Visit<'a> for Find {
        fn visit_item_impl(&mut self, item: &'a syn::ItemImpl) {
            let last = |path: &syn::Path| path.segments.last().expect("a path has a name").ident.to_string();
            let ty = match &*item.self_ty {
                syn::Type::Path(path) => last(&path.path),
                other => source(other),
            };
            let of_trait = item.trait_.as_ref().map(|(path, _)| last(path)).unwrap_or_default();
            let items = item.items.iter().filter_map(|item| match item {
                syn::ImplItem::Const(item) => Some(format!("const {}", item.ident)),
                syn::ImplItem::Fn(item) => Some(format!("fn {}", item.sig.ident)),
                syn::ImplItem::Type(item) => Some(format!("type {}", item.ident)),
                _ => None,
            });
            self.0.push(Impl { of_trait, ty, items: items.collect() });
            visit::visit_item_impl(self, item);
        }
    }
    let file: syn::File = syn::parse2(expansion.clone()).expect("the expansion is a list of items");
    let mut find = Find(Vec::new());
    find.visit_file(&file);
    find.0
}

/// The impls in code with `..` in it, which `syn` cannot parse.
fn shown_impls(tokens: TokenStream) -> Vec<Impl> {
    let mut impls = Vec::new();
    let mut trees = tokens.into_iter().peekable();
    while let Some(tree) = trees.next() {
        if tree.to_string() != "impl" {
            continue;
        }
        let (mut angles, mut head, mut body) = (0_usize, vec![String::new()], TokenStream::new());
        for tree in trees.by_ref() {
            match &tree {
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                    body = group.stream();
                    break;
                }
                TokenTree::Punct(sign) if sign.as_char() == '<' => angles += 1,
                TokenTree::Punct(sign) if sign.as_char() == '>' => angles = angles.saturating_sub(1),
                TokenTree::Ident(word) if angles == 0 && (word == "for" || word == "where") => {
                    head.push(String::new());
                }
                TokenTree::Ident(word) if angles == 0 => {
                    *head.last_mut().expect("is never empty") = word.to_string();
                }
                _ => {}
            }
        }
        let (of_trait, ty) = match head.as_slice() {
            [of_trait, ty, ..] => (of_trait.clone(), ty.clone()),
            [ty] => (String::new(), ty.clone()),
            [] => continue,
        };
        let words: Vec<TokenTree> = body.into_iter().collect();
        let items = words.windows(2).filter_map(|pair| {
            let keyword = pair[0].to_string();
            let named = matches!(pair[1], TokenTree::Ident(_));
            (named && ["const", "fn", "type"].contains(&keyword.as_str()))
                .then(|| format!("{keyword} {}", pair[1]))
        });
        impls.push(Impl { of_trait, ty, items: items.collect() });
    }
    impls
}

/// The identifiers in the tokens: generated ones without their underscores, and no name that
/// contains a hash.
fn identifiers(tokens: TokenStream) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => found.extend(identifiers(group.stream())),
            TokenTree::Ident(ident) => {
                let name = ident.to_string();
                let is_hashed = name.starts_with("__physics_");
                // `Inner` stands for a tuple
                if !is_hashed && name != "Inner" {
                    found.insert(name.trim_start_matches('_').to_owned());
                }
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
    found
}

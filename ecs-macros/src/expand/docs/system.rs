//! The section of a system: how often it runs, and what it reads and writes.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;
use syn::Type;

use super::behind;
use crate::built_in::{Argument, BuiltIn, Flag, Role, is_query};
use crate::lifetimes::static_in_queries;
use crate::model::parameter::{Element, Kind, Parameter, named, option};
use crate::model::system::{System, World};
use crate::names::{source, ungroup};
use crate::parse::system::Background;

/// The function, with the section after the documentation that the user wrote.
///
/// A function without generics gets empty ones, `fn name<>(..)`, at the call site: at an unknown
/// type the compiler would propose a type parameter of the function, and not merge this error with
/// that of the expansion.
pub(in crate::expand) fn with_access(system: &System) -> TokenStream {
    let is_plain = system.signature.generics.lt_token.is_none();
    let (mut is_name, mut is_function) = (false, false);
    let item = system.item.clone().into_iter().flat_map(|tree| {
        let tree = match tree {
            TokenTree::Group(list) if is_function && list.delimiter() == Delimiter::Parenthesis => {
                is_function = false;
                let mut changed = Group::new(list.delimiter(), static_in_queries(list.stream(), &is_query));
                changed.set_span(list.span());
                TokenTree::Group(changed)
            }
            tree => tree,
        };
        let empty = is_name && is_plain && matches!(&tree, TokenTree::Ident(_));
        is_name = matches!(&tree, TokenTree::Ident(word) if word == "fn");
        is_function |= is_name;
        let generics = empty.then(|| quote!(<>)).into_iter().flatten();
        std::iter::once(tree).chain(generics)
    });
    let item: TokenStream = item.collect();
    if system.attributes.is_empty() {
        let mut output = behind(&section(system));
        output.extend(item);
        return output;
    }
    let mut trees = item.into_iter().peekable();
    let mut output = TokenStream::new();
    while matches!(trees.peek(), Some(TokenTree::Punct(sign)) if sign.as_char() == '#') {
        output.extend(trees.next());
        let is_list = |tree: &TokenTree| matches!(tree, TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket);
        output.extend(trees.next_if(is_list));
    }
    output.extend(behind(&section(system)));
    output.extend(trees);
    output
}

/// The kinds of access, in the order of the list.
#[derive(Default)]
struct Uses {
    reads: Vec<String>,
    writes: Vec<String>,
    filters: Vec<String>,
    reacts: Vec<String>,
    takes: Vec<String>,
}

fn section(system: &System) -> String {
    let mut uses = Uses::default();
    for parameter in &system.parameters {
        uses.add(parameter);
    }
    let world = match &system.world {
        World::Concrete(ty) => format!("A system of `{}`", source(ty)),
        World::Parameter(_) | World::Any => "A system of every world that has what it uses".to_owned(),
    };
    let often = if system.is_per_entity() { ", called for each matching entity" } else { "" };
    let place = match &system.background {
        None => String::new(),
        Some(Background { ticks: None, .. }) => {
            ", in the background: its output arrives when the function has ended".to_owned()
        }
        Some(Background { ticks: Some(1), .. }) => {
            ", in the background: its output arrives in the next run of the schedule".to_owned()
        }
        Some(Background { ticks: Some(ticks), .. }) => {
            format!(", in the background: its output arrives {ticks} runs of the schedule later")
        }
    };
    let mut text = format!("# System\n{world}{often}{place}.\n");
    for (verb, things) in [
        ("reads", &uses.reads),
        ("writes", &uses.writes),
        ("filters by", &uses.filters),
        ("reacts to", &uses.reacts),
        ("takes", &uses.takes),
    ] {
        if !things.is_empty() {
            text.push_str(&format!("\n- **{verb}** {}", things.join(", ")));
        }
    }
    text
}

fn push(list: &mut Vec<String>, thing: String) {
    if !list.contains(&thing) {
        list.push(thing);
    }
}

impl Uses {
    fn add(&mut self, parameter: &Parameter) {
        let ty = &parameter.ty;
        match &parameter.kind {
            Kind::Element(Element::Plain) => self.data(ty),
            Kind::Element(Element::Each(query)) => self.data(query),
            Kind::Target(target) => push(&mut self.writes, format!("`{}`", source(target))),
            Kind::Filter => self.filter(ty),
            Kind::Query { data, filter, .. } => {
                data.leaves().into_iter().for_each(|ty| self.data(ty));
                filter.leaves().into_iter().for_each(|ty| self.filter(ty));
            }
            Kind::Input(_) => {}
            Kind::World | Kind::SharedWorld => push(&mut self.writes, "the whole world".to_owned()),
            Kind::Other => self.other(ty),
        }
    }

    /// An element of a query.
    fn data(&mut self, ty: &Type) {
        if let Type::Reference(reference) = ungroup(ty) {
            let list = if reference.mutability.is_some() { &mut self.writes } else { &mut self.reads };
            return push(list, format!("`{}`", source(&reference.elem)));
        }
        if let Some((built_in, arguments)) = BuiltIn::named(ty) {
            match (built_in.argument, arguments.as_slice()) {
                (Argument::Nothing, _) => {}
                (Argument::Component, [component]) => {
                    let list = if built_in.is(Flag::Mutable) { &mut self.writes } else { &mut self.reads };
                    push(list, format!("`{}`", source(component)));
                }
                (Argument::Relation, [relation]) => {
                    push(&mut self.reads, format!("relation `{}`", source(relation)));
                }
                (Argument::Followed, [relation, data @ ..]) => {
                    push(&mut self.reads, format!("relation `{}`", source(relation)));
                    data.iter().for_each(|ty| self.data(ty));
                }
                _ => arguments.into_iter().for_each(|ty| self.data(ty)),
            }
            return;
        }
        match option(ty) {
            Some(inner) => self.data(inner),
            None => push(&mut self.takes, format!("the query `{}`", source(ty))),
        }
    }

    /// A filter: the tuple of several stands for all of them.
    fn filter(&mut self, ty: &Type) {
        let reacts = matches!(named(ty), Some((name, _)) if name == "Changed" || name == "Added");
        push(if reacts { &mut self.reacts } else { &mut self.filters }, format!("`{}`", source(ty)));
    }

    /// A parameter that is not part of a query.
    fn other(&mut self, ty: &Type) {
        let spelled = format!("`{}`", source(ty));
        let Some((built_in, arguments)) = BuiltIn::named(ty).filter(|(row, _)| row.role == Role::Parameter)
        else {
            return push(&mut self.takes, spelled);
        };
        let argument = arguments.first().map(|ty| source(*ty)).unwrap_or_default();
        match (built_in.argument, built_in.is(Flag::Mutable)) {
            (Argument::Resource, true) => push(&mut self.writes, format!("resource `{argument}`")),
            (Argument::Resource, false) => push(&mut self.reads, format!("resource `{argument}`")),
            (Argument::Event, _) if built_in.is(Flag::ReadsLog) => {
                push(&mut self.reads, format!("event `{argument}`"))
            }
            (Argument::Event, _) => push(&mut self.writes, format!("event `{argument}`")),
            (Argument::Relation, _) => push(&mut self.reads, format!("relation `{argument}`")),
            (Argument::Component, _) if built_in.is(Flag::ReadsLog) => push(&mut self.reacts, spelled),
            (Argument::Component, true) => {
                push(&mut self.writes, format!("`{argument}`, which it may insert and remove"));
            }
            (Argument::Component, false) => push(&mut self.reads, format!("`{argument}`")),
            (Argument::Filter, _) => push(&mut self.reacts, spelled),
            // the state is the system's own
            (Argument::Value, _) => {}
            _ => push(&mut self.takes, spelled),
        }
    }
}

//! A picture of aspects: what each is made of, and what it says about the values.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

use super::Aspect;
use super::tree::{Field, Part, Tree};
use crate::base::type_identity::Identity;

/// Aspects and components, as data: see [`aspect_graph`].
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct AspectGraph {
    /// Each aspect and component once, in the order in which one comes upon them.
    pub nodes: Vec<AspectNode>,
    /// What is in what.
    pub edges: Vec<AspectEdge>,
}

/// An aspect or a component.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct AspectNode {
    /// The type's own name; with its arguments, as they are spelled, if it has some.
    pub name: &'static str,
    /// Whether it is an aspect.
    pub aspect: bool,
    identity: Identity,
}

/// That an aspect has another one, or a component, by their numbers among the nodes.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct AspectEdge {
    /// The aspect.
    pub from: usize,
    /// What it has.
    pub to: usize,
    /// The field.
    pub field: &'static str,
    /// What the field begins with, as it is written; nothing if that is its own default.
    pub default: Option<&'static str>,
    /// Paths within the field, and what they begin with instead, as it is written.
    pub overrides: Vec<(&'static str, &'static str)>,
}

/// What an aspect is made of, to be looked at or drawn. The same aspect gives the same graph.
///
/// ```
/// # use ecs::prelude::*;
/// # use ecs::aspect_graph;
/// # #[derive(Component, Default)] struct Health(u32);
/// # #[derive(Component, Default)] struct Speed(u32);
/// #[derive(Aspect)]
/// struct Body { health: Health, speed: Speed }
/// #[derive(Aspect)]
/// struct Monster { #[aspect(.speed.0 = 2)] body: Body }
///
/// println!("{}", aspect_graph::<Monster>().to_dot());
/// # assert!(aspect_graph::<Monster>().to_dot().contains("speed.0 = 2"));
/// ```
#[must_use]
pub fn aspect_graph<A: Aspect>() -> AspectGraph {
    AspectGraph::default().and::<A>()
}

impl AspectGraph {
    /// The graph with one more aspect; what is there already is not added again.
    #[must_use]
    pub fn and<A: Aspect>(mut self) -> Self {
        if let Part::Aspect(tree) = A::PART {
            self.aspect(tree, tree.identity.name);
        }
        self
    }

    /// The number of an aspect, which is added if it is not there.
    fn aspect(&mut self, tree: &Tree, spelled: &'static str) -> usize {
        let (from, is_new) = self.node(&tree.identity, spelled, true);
        if is_new {
            for field in tree.fields {
                let to = match field.part {
                    Part::Component(identity) => self.node(&identity, field.ty, false).0,
                    Part::Aspect(inner) => self.aspect(inner, field.ty),
                };
                let Field { name: field, default, overrides, .. } = *field;
                self.edges.push(AspectEdge { from, to, field, default, overrides: overrides.to_vec() });
            }
        }
        from
    }

    /// The number of a node, and whether it was added.
    fn node(&mut self, identity: &Identity, spelled: &'static str, aspect: bool) -> (usize, bool) {
        let named = identity.generic || identity.name.is_empty();
        let node =
            AspectNode { name: if named { spelled } else { identity.name }, aspect, identity: *identity };
        let found = self.nodes.iter().position(|other| *other == node);
        if found.is_none() {
            self.nodes.push(node);
        }
        (found.unwrap_or(self.nodes.len() - 1), found.is_none())
    }

    /// As text for Graphviz: boxes are aspects, ellipses components, and at the arrows stands the field with what it begins
    /// with.
    #[must_use]
    pub fn to_dot(&self) -> String {
        let mut dot = String::from("digraph aspects {\n    rankdir=LR; node [fontname=\"sans-serif\"];\n");
        for (number, node) in self.nodes.iter().enumerate() {
            let shape = if node.aspect { "box, style=rounded" } else { "ellipse" };
            let _ = writeln!(dot, "    n{number} [label=\"{}\", shape={shape}];", escaped(node.name));
        }
        for AspectEdge { from, to, field, default, overrides } in &self.edges {
            let _ = write!(dot, "    n{from} -> n{to} [label=\"{}", escaped(field));
            if let Some(default) = default {
                let _ = write!(dot, " = {}", escaped(default));
            }
            for (path, value) in overrides {
                let _ = write!(dot, "\\n{} = {}", escaped(path), escaped(value));
            }
            dot.push_str("\"];\n");
        }
        dot.push_str("}\n");
        dot
    }
}

/// Text between quotes.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            c => out.push(c),
        }
    }
    out
}

//! A graph of aspects: the components and aspects that each one has, and the default values that it
//! sets.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

use super::Aspect;
use super::tree::{AspectTreeField, Part, Tree};
use crate::base::quoted::escaped;
use crate::base::type_identity::Identity;

/// A graph whose nodes are aspects and components: see [`aspect_graph`].
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct AspectGraph {
    /// The aspects and components, each once: depth first, in the order of the fields.
    pub nodes: Vec<AspectNode>,
    /// The fields of the aspects.
    pub edges: Vec<AspectEdge>,
}

/// A node of an [`AspectGraph`]: an aspect or a component.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct AspectNode {
    /// The name of the type; for a generic type with its arguments, as the declaration of the field
    /// spells them.
    pub name: &'static str,
    /// Whether the node is an aspect; otherwise it is a component.
    pub aspect: bool,
    identity: Identity,
}

/// An edge of an [`AspectGraph`]: a field of an aspect.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct AspectEdge {
    /// The index of the aspect that has the field, among the nodes.
    pub from: usize,
    /// The index of the aspect or component that the field holds, among the nodes.
    pub to: usize,
    /// The name of the field.
    pub field: &'static str,
    /// The default value that the aspect sets for the field, as source text; `None` if the field
    /// has the default of its type.
    pub default: Option<&'static str>,
    /// The overrides within the field: each path, and its value as source text.
    pub overrides: Vec<(&'static str, &'static str)>,
}

/// Returns the graph of an aspect: its fields and default values, and those of the aspects in it.
/// It is the same at each call.
///
/// ```
/// # use ecs::prelude::*;
/// # use ecs::Aspect;
/// # use ecs::aspect::aspect_graph;
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
    /// Adds an aspect to the graph. Nodes that the graph has already are not added again.
    #[must_use]
    pub fn and<A: Aspect>(mut self) -> Self {
        if let Part::Aspect(tree) = A::PART {
            self.aspect(tree, tree.identity.name);
        }
        self
    }

    /// Returns the index of an aspect, which is added with its fields if the graph does not have
    /// it.
    fn aspect(&mut self, tree: &Tree, spelled: &'static str) -> usize {
        let (from, is_new) = self.node(&tree.identity, spelled, true);
        if is_new {
            for field in tree.fields {
                let to = match field.part {
                    Part::Component(identity) => self.node(&identity, field.ty, false).0,
                    Part::Aspect(inner) => self.aspect(inner, field.ty),
                };
                let AspectTreeField { name: field, default, overrides, .. } = *field;
                self.edges.push(AspectEdge { from, to, field, default, overrides: overrides.to_vec() });
            }
        }
        from
    }

    /// Returns the index of a node, and whether it was added.
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

    /// Returns the graph as text for Graphviz. Boxes are aspects, ellipses are components, and
    /// arrows are fields, labelled with the name and the default value.
    #[must_use]
    pub fn to_dot(&self) -> String {
        let mut dot = String::from("digraph aspects {\n    rankdir=LR; node [fontname=\"sans-serif\"];\n");
        for (number, node) in self.nodes.iter().enumerate() {
            let shape = if node.aspect { "box, style=rounded" } else { "ellipse" };
            let _ = writeln!(dot, "    n{number} [label=\"{}\", shape={shape}];", escaped(node.name));
        }
        // the label of an arrow: the field, its default, and the inner values that the field
        // overrides
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

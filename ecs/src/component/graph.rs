//! A graph of a world's components: their rules, the components that they require and exclude, and
//! relations.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

use super::excludes::excluded_by;
use crate::base::component_set::ComponentSet;
use crate::base::disabling::Disables;
use crate::base::quoted::escaped;
use crate::raw_world::RawWorld;

/// A graph whose nodes are the components of a world: see [`component_graph`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ComponentGraph {
    /// The name of the world's type.
    pub world: &'static str,
    /// The components, in the order of the declaration.
    pub nodes: Vec<ComponentNode>,
}

/// A component of a [`ComponentGraph`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ComponentNode {
    /// The name, as the world spells it.
    pub name: &'static str,
    /// Whether changes are tracked: `tracked`.
    pub tracked: bool,
    /// Whether at most one entity has it: `unique`.
    pub unique: bool,
    /// Whether entities are found by its value: `index`.
    pub index: bool,
    /// Whether no two entities have the same value: `key`.
    pub key: bool,
    /// Whether it has a hook: `hook`.
    pub hook: bool,
    /// Whether queries that do not name it pass over the entities that have it: `disables`.
    pub disables_entities: bool,
    /// The indices of the components that it disables: `disables(..)`.
    pub disables: Vec<usize>,
    /// The indices of the components that it requires, without those that they require in turn.
    pub requires: Vec<usize>,
    /// The indices of the components that it excludes.
    pub excludes: Vec<usize>,
    /// The relation whose component this is.
    pub relation: Option<RelationNode>,
}

/// The declaration of a relation in a [`ComponentGraph`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RelationNode {
    /// Whether an entity has at most one target.
    pub exclusive: bool,
    /// Whether the target is related to the source as well.
    pub symmetric: bool,
    /// Whether cycles are refused.
    pub acyclic: bool,
    /// The effect on a source when its target is despawned: `keep`, `remove`, `cascade` or `mark`.
    pub gone: &'static str,
    /// The index of the component that a source gets when its target is despawned, for
    /// `gone = mark(..)`.
    pub mark: Option<usize>,
}

/// Returns the graph of a world's components: their rules, the components that they require and
/// exclude, and relations.
///
/// ```
/// # use ecs::prelude::*;
/// # use ecs::component::component_graph;
/// #[derive(Component, Default)]
/// struct Position(f32);
/// #[derive(Component)]
/// #[component(requires(Position))]
/// struct Velocity(f32);
/// world! { struct Game { components { Position, Velocity, ChildOf } } }
///
/// let graph = component_graph::<Game>();
/// assert_eq!(graph.nodes[1].requires, [0]);
/// assert_eq!(graph.nodes[2].relation.as_ref().map(|relation| relation.gone), Some("cascade"));
/// assert!(graph.to_dot().contains(r#"c1 -> c0 [label="requires"];"#));
/// ```
#[must_use]
pub fn component_graph<W: RawWorld>() -> ComponentGraph {
    // a component that `#[cfg]` has left out has no name
    let listed: Vec<usize> =
        (0..W::COMPONENT_NAMES.len()).filter(|&index| !W::COMPONENT_NAMES[index].is_empty()).collect();
    let position = |component: usize| listed.iter().position(|&index| index == component);
    let positions = |set: ComponentSet| set.indices().filter_map(position).collect();
    let node = |&index: &usize| {
        let offset = &W::OFFSETS[index];
        let (rules, mark) = (offset.rules, offset.mark.as_ref().map(|mark| mark.component));
        ComponentNode {
            name: W::COMPONENT_NAMES[index],
            tracked: offset.tracked,
            unique: rules.unique,
            index: rules.index,
            key: rules.key,
            hook: rules.hook,
            disables_entities: matches!(offset.disables, Disables::Entity),
            disables: match offset.disables {
                Disables::Components(of) => positions(of),
                _ => Vec::new(),
            },
            requires: positions(W::REQUIRES[index]),
            excludes: positions(excluded_by::<W>(index)),
            relation: rules.relation.map(|relation| RelationNode {
                exclusive: relation.exclusive,
                symmetric: relation.symmetric,
                acyclic: relation.acyclic,
                gone: relation.gone,
                mark: mark.and_then(position),
            }),
        }
    };
    ComponentGraph { world: W::WORLD_NAME, nodes: listed.iter().map(node).collect() }
}

impl ComponentNode {
    /// The options of the component and of its relation, in words.
    #[must_use]
    pub fn options(&self) -> Vec<String> {
        let flags = [
            ("tracked", self.tracked),
            ("unique", self.unique),
            ("index", self.index),
            ("key", self.key),
            ("hook", self.hook),
            ("disables", self.disables_entities),
        ];
        let mut options: Vec<String> =
            flags.into_iter().filter(|(_, is_set)| *is_set).map(|(name, _)| name.into()).collect();
        if let Some(relation) = &self.relation {
            let ends = if relation.exclusive { "exclusive" } else { "many" };
            let flags = [(ends, true), ("symmetric", relation.symmetric), ("acyclic", relation.acyclic)];
            options.extend(flags.into_iter().filter(|(_, is_set)| *is_set).map(|(name, _)| name.into()));
            options.push(alloc::format!("gone = {}", relation.gone));
        }
        options
    }
}

impl ComponentGraph {
    /// Returns the graph as text for Graphviz: an ellipse for each component, a box for each
    /// relation, and arrows from a component to those that it requires. A dashed line joins
    /// components that exclude each other; a dotted arrow leads from a relation to the component
    /// that it marks with.
    #[must_use]
    pub fn to_dot(&self) -> String {
        let mut dot = String::new();
        let _ = writeln!(dot, "digraph \"{}\" {{", escaped(self.world));
        dot.push_str("    rankdir=LR; node [fontname=\"sans-serif\"];\n");
        // boxes and ellipses, with the options below the name
        for (at, node) in self.nodes.iter().enumerate() {
            let shape = if node.relation.is_some() { "box" } else { "ellipse" };
            let _ = write!(dot, "    c{at} [label=\"{}", escaped(node.name));
            for option in node.options() {
                let _ = write!(dot, "\\n{}", escaped(&option));
            }
            let _ = writeln!(dot, "\", shape={shape}];");
        }
        // the rules between components; `excludes` is mutual, and has one line
        for (at, node) in self.nodes.iter().enumerate() {
            for other in &node.requires {
                let _ = writeln!(dot, "    c{at} -> c{other} [label=\"requires\"];");
            }
            for other in &node.disables {
                let _ = writeln!(dot, "    c{at} -> c{other} [label=\"disables\"];");
            }
            for other in node.excludes.iter().filter(|&&other| at < other) {
                let _ = writeln!(dot, "    c{at} -> c{other} [label=\"excludes\", style=dashed, dir=none];");
            }
            if let Some(other) = node.relation.as_ref().and_then(|relation| relation.mark) {
                let _ = writeln!(dot, "    c{at} -> c{other} [label=\"marks with\", style=dotted];");
            }
        }
        dot.push_str("}\n");
        dot
    }
}

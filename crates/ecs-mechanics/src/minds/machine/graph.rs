//! [`StateGraph`], the states of a machine as data, and [`StatePath`], the place of a state in
//! nested machines.

use serde::{Deserialize, Serialize};

/// The states of a machine and the transitions between them, as the enum lists them.
#[derive(Debug)]
pub struct StateGraph {
    /// The name of the enum.
    pub name: &'static str,
    /// The name with the path of the module.
    pub id: &'static str,
    /// The states, in the order of the enum.
    pub states: &'static [StateNode],
}

/// A state of a [`StateGraph`].
#[derive(Debug)]
pub struct StateNode {
    /// The name of the variant.
    pub name: &'static str,
    /// The positions of the states that may follow.
    pub to: &'static [usize],
    /// The sub-states.
    pub nested: Option<&'static StateGraph>,
}

impl StateGraph {
    /// Whether one state may follow another, by their positions.
    #[must_use]
    pub fn allows(&self, from: usize, to: usize) -> bool {
        self.states.get(from).is_some_and(|state| state.to.contains(&to))
    }

    /// The greatest number of states within each other: 1 for a machine without sub-states.
    #[must_use]
    pub const fn depth(&self) -> usize {
        let (mut deepest, mut at) = (0, 0);
        while at < self.states.len() {
            if let Some(nested) = self.states[at].nested {
                let depth = nested.depth();
                if depth > deepest {
                    deepest = depth;
                }
            }
            at += 1;
        }
        deepest + 1
    }

    /// Whether a graph is this one, or that of sub-states.
    #[must_use]
    pub const fn contains(&self, other: &Self) -> bool {
        if is_same(self.id.as_bytes(), other.id.as_bytes()) {
            return true;
        }
        let mut at = 0;
        while at < self.states.len() {
            if let Some(nested) = self.states[at].nested
                && nested.contains(other)
            {
                return true;
            }
            at += 1;
        }
        false
    }
}

const fn is_same(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

/// A state, with the states around it: the positions of the variants, from the outermost to the
/// innermost.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
pub struct StatePath {
    depth: u8,
    positions: [u8; Self::LONGEST],
}

impl StatePath {
    /// The greatest number of states within each other.
    pub const LONGEST: usize = 7;

    /// The path of a state in the last state of this one.
    pub(super) fn then(mut self, position: usize) -> Self {
        if let Some(last) = self.positions.get_mut(usize::from(self.depth)) {
            *last = u8::try_from(position).expect("the derive allows 255 states");
            self.depth += 1;
        }
        self
    }

    /// The positions of the variants, from the outermost to the innermost.
    #[must_use]
    pub fn positions(&self) -> &[u8] {
        // a saved path may have been edited
        self.positions.get(..usize::from(self.depth)).unwrap_or_default()
    }

    /// The names of the states in the graph of the outermost machine: `Alert::Search`.
    #[must_use]
    pub fn name(&self, graph: &StateGraph) -> String {
        let (mut graph, mut name) = (Some(graph), String::new());
        for &position in self.positions() {
            let Some(state) = graph.and_then(|graph| graph.states.get(usize::from(position))) else { break };
            if !name.is_empty() {
                name.push_str("::");
            }
            name.push_str(state.name);
            graph = state.nested;
        }
        name
    }

    /// Whether the innermost state is the one at a position of the graph `of`, which is `graph` or
    /// that of sub-states.
    pub(super) fn is(&self, graph: &StateGraph, of: &StateGraph, position: usize) -> bool {
        let Some((last, around)) = self.positions().split_last() else { return false };
        let mut graph = Some(graph);
        for &state in around {
            graph = graph.and_then(|graph| graph.states.get(usize::from(state))?.nested);
        }
        usize::from(*last) == position && graph.is_some_and(|graph| graph.id == of.id)
    }
}

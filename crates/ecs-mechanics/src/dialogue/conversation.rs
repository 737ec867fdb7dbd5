//! [`Conversation`]: nodes with lines and choices, from data. Each error names the node.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::names::list;

/// Nodes with conditions `C` and effects `E`: see the [module](super).
#[derive(Debug)]
pub struct Conversation<C, E> {
    pub(super) start: String,
    pub(super) nodes: BTreeMap<String, DialogueNode<C, E>>,
}

/// The participant that says a line.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Voice {
    /// The speaker.
    #[default]
    Speaker,
    /// The listener.
    Listener,
}

#[derive(Deserialize, Debug)]
#[serde(
    deny_unknown_fields,
    rename = "node",
    bound(deserialize = "C: Deserialize<'de>, E: Deserialize<'de>")
)]
pub(super) struct DialogueNode<C, E> {
    #[serde(default = "Vec::new")]
    pub(super) then: Vec<E>,
    #[serde(default = "Vec::new")]
    pub(super) says: Vec<Line<C>>,
    #[serde(default = "Vec::new")]
    pub(super) choices: Vec<Choice<C, E>>,
    #[serde(default = "Vec::new")]
    pub(super) jumps: Vec<DialogueJump<C>>,
    pub(super) to: Option<String>,
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields, rename = "line")]
pub(super) struct Line<C> {
    pub(super) text: String,
    #[serde(default)]
    pub(super) by: Voice,
    #[serde(rename = "if")]
    pub(super) condition: Option<C>,
    #[serde(default)]
    pub(super) once: bool,
}

#[derive(Deserialize, Debug)]
#[serde(
    deny_unknown_fields,
    rename = "choice",
    bound(deserialize = "C: Deserialize<'de>, E: Deserialize<'de>")
)]
pub(super) struct Choice<C, E> {
    pub(super) text: String,
    #[serde(rename = "if")]
    pub(super) condition: Option<C>,
    #[serde(default)]
    pub(super) once: bool,
    #[serde(default = "Vec::new")]
    pub(super) then: Vec<E>,
    pub(super) to: Option<String>,
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields, rename = "jump")]
pub(super) struct DialogueJump<C> {
    #[serde(rename = "if")]
    pub(super) condition: Option<C>,
    pub(super) to: String,
}

impl<C, E> Conversation<C, E> {
    /// The names of the nodes, in alphabetical order.
    pub fn nodes(&self) -> impl Iterator<Item = &str> {
        self.nodes.keys().map(String::as_str)
    }

    /// The name of the first node.
    #[must_use]
    pub fn start(&self) -> &str {
        &self.start
    }

    /// Checks that all nodes exist to which the conversation leads, that numbers fit, and that
    /// jumps end.
    fn check(&self) -> Result<(), String> {
        let known = || list(self.nodes());
        if !self.nodes.contains_key(&self.start) {
            return Err(format!(
                "the conversation starts at node `{}`, which it does not have: its nodes are {}",
                self.start,
                known()
            ));
        }
        // numbers of lines and choices are saved as `u16`
        for (name, node) in &self.nodes {
            if node.says.len().max(node.choices.len()) > usize::from(u16::MAX) {
                return Err(format!("node `{name}`: more than {} lines or choices", u16::MAX));
            }
            // every node to which this one leads, with the words for it in the message
            let choices = node.choices.iter().enumerate();
            let choices = choices.map(|(at, choice)| (format!("choice {at}"), choice.to.as_ref()));
            let jumps =
                node.jumps.iter().enumerate().map(|(at, jump)| (format!("jump {at}"), Some(&jump.to)));
            let last = std::iter::once(("`to`".to_owned(), node.to.as_ref()));
            for (part, to) in choices.chain(jumps).chain(last) {
                if let Some(to) = to.filter(|to| !self.nodes.contains_key(*to)) {
                    return Err(format!(
                        "node `{name}`: {part} leads to node `{to}`, which the conversation does not have: its nodes are {}",
                        known()
                    ));
                }
            }
        }
        // only now: it follows names that all exist
        self.jumps_end()
    }

    /// The node to which a node without choices always leads.
    fn always_next(&self, name: &str) -> Option<&str> {
        let node = &self.nodes[name];
        node.to.as_deref().filter(|_| node.choices.is_empty() && node.jumps.is_empty())
    }

    /// Refuses nodes without choices that always jump in a circle. Passes each node once.
    fn jumps_end(&self) -> Result<(), String> {
        let mut seen = BTreeSet::new();
        // follow the jumps from each node, up to one that an earlier way has passed
        for first in self.nodes() {
            let (mut way, mut next) = (Vec::new(), Some(first));
            while let Some(name) = next.filter(|name| seen.insert(*name)) {
                way.push(name);
                next = self.always_next(name);
            }
            // it ended within its own way: a circle; otherwise the way ends, or joins a checked one
            let Some(start) = next.and_then(|name| way.iter().position(|passed| *passed == name)) else {
                continue;
            };
            let mut circle = way.split_off(start);
            // the message begins with the least name, whichever node the search began with
            let least = (0..circle.len()).min_by_key(|at| circle[*at]).unwrap_or(0);
            circle.rotate_left(least);
            circle.push(circle[0]);
            let names = circle.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" to ");
            return Err(format!(
                "node `{}`: the jumps {names} never end: give one of these nodes a choice",
                circle[0]
            ));
        }
        Ok(())
    }
}

#[derive(Deserialize)]
#[serde(
    deny_unknown_fields,
    rename = "conversation",
    bound(deserialize = "C: Deserialize<'de>, E: Deserialize<'de>")
)]
struct ConversationFile<C, E> {
    start: String,
    #[serde(deserialize_with = "nodes")]
    nodes: BTreeMap<String, DialogueNode<C, E>>,
}

impl<'de, C: Deserialize<'de>, E: Deserialize<'de>> Deserialize<'de> for Conversation<C, E> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let ConversationFile { start, nodes } = ConversationFile::deserialize(deserializer)?;
        let conversation = Self { start, nodes };
        conversation.check().map_err(D::Error::custom)?;
        Ok(conversation)
    }
}

fn nodes<'de, C: Deserialize<'de>, E: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, DialogueNode<C, E>>, D::Error> {
    // a map of serde would keep the last of two nodes with one name, without an error
    struct Nodes<C, E>(PhantomData<fn() -> (C, E)>);
    impl<'de, C: Deserialize<'de>, E: Deserialize<'de>> Visitor<'de> for Nodes<C, E> {
        type Value = BTreeMap<String, DialogueNode<C, E>>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a map from names to nodes")
        }
        fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
            let mut nodes = BTreeMap::new();
            while let Some(name) = map.next_key::<String>()? {
                let error = |reason: &dyn fmt::Display| M::Error::custom(format!("node `{name}`: {reason}"));
                let node = map.next_value().map_err(|reason| error(&reason))?;
                if nodes.contains_key(&name) {
                    return Err(error(&"there is a node with this name before it"));
                }
                nodes.insert(name, node);
            }
            Ok(nodes)
        }
    }
    deserializer.deserialize_map(Nodes(PhantomData))
}

//! Trees from data. Each error names the node by its path from the root: `selector[0].sequence[1]`.

use std::fmt;

use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::tick::Status;
use super::{BehaviourTree, Node, NodeKind};
use crate::minds::shape_hash::ShapeHash;
use crate::names::list;

/// The greatest number of nodes within each other: the tree is read and run by recursion.
const DEEPEST: usize = 64;
/// The greatest count, so that counts are not marks of finished nodes.
const LARGEST_COUNT: u32 = 1_000_000_000;

/// The words for kinds of nodes.
const KINDS: [&str; 15] = [
    "sequence",
    "selector",
    "reactive_sequence",
    "reactive_selector",
    "parallel",
    "invert",
    "succeed",
    "fail",
    "repeat",
    "until_success",
    "until_failure",
    "limit",
    "wait",
    "if",
    "do",
];

impl<C, A> NodeKind<C, A> {
    /// The word for the kind.
    pub(super) fn word(&self) -> &'static str {
        match self {
            Self::Sequence { is_reactive: false } => "sequence",
            Self::Selector { is_reactive: false } => "selector",
            Self::Sequence { is_reactive: true } => "reactive_sequence",
            Self::Selector { is_reactive: true } => "reactive_selector",
            Self::Parallel { .. } => "parallel",
            Self::Invert => "invert",
            Self::Always(Status::Failure) => "fail",
            Self::Always(_) => "succeed",
            Self::Repeat { .. } => "repeat",
            Self::Until(Status::Failure) => "until_failure",
            Self::Until(_) => "until_success",
            Self::Limit { .. } => "limit",
            Self::Wait { .. } => "wait",
            Self::If(_) => "if",
            Self::Do(_) => "do",
        }
    }

    /// The numbers of the kind, for the shape.
    fn numbers(&self) -> [u32; 2] {
        match self {
            Self::Parallel { successes, failures } => [u32::from(*successes), u32::from(*failures)],
            Self::Repeat { times } => [times.unwrap_or(0), 0],
            Self::Limit { ticks } | Self::Wait { ticks } => [*ticks, 0],
            _ => [0, 0],
        }
    }
}

impl<'de, C: Deserialize<'de>, A: Deserialize<'de>> Deserialize<'de> for BehaviourTree<C, A> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut nodes = Vec::new();
        NodeSeed { nodes: &mut nodes, path: String::new(), depth: 1 }.deserialize(deserializer)?;
        let shape = shape(&nodes);
        Ok(Self { nodes, shape })
    }
}

/// A hash of the kinds, the numbers and the structure.
fn shape<C, A>(nodes: &[Node<C, A>]) -> u64 {
    let mut hash = ShapeHash::new();
    for node in nodes {
        hash.add(node.kind.word().as_bytes());
        hash.add(&node.end.to_le_bytes());
        node.kind.numbers().iter().for_each(|number| hash.add(&number.to_le_bytes()));
    }
    hash.finish()
}

/// Reads a node and its descendants into the list.
struct NodeSeed<'n, C, A> {
    nodes: &'n mut Vec<Node<C, A>>,
    /// The path from the root; empty for the root.
    path: String,
    depth: usize,
}

/// Reads the nodes in a list.
struct ListSeed<'n, C, A> {
    nodes: &'n mut Vec<Node<C, A>>,
    /// The path of a child, up to its number.
    path: String,
    depth: usize,
}

/// A node of which a part is read.
struct Draft<'a, C, A> {
    /// The kind, with preliminary numbers.
    kind: Option<NodeKind<C, A>>,
    children: u16,
    numbers: Vec<(&'static str, u32)>,
    name: Option<String>,
    path: &'a str,
}

impl<C, A> Draft<'_, C, A> {
    /// An error about the node.
    fn error<E: Error>(&self, reason: impl fmt::Display) -> E {
        let name = self.name.as_ref().map(|name| format!(" (`{name}`)")).unwrap_or_default();
        match self.path {
            "" => E::custom(format!("the root node{name}: {reason}")),
            path => E::custom(format!("node `{path}`{name}: {reason}")),
        }
    }

    /// Takes a number that the node has.
    fn take(&mut self, name: &str) -> Option<u32> {
        let at = self.numbers.iter().position(|(found, _)| *found == name)?;
        Some(self.numbers.swap_remove(at).1)
    }

    /// The node, with its numbers.
    fn finish<E: Error>(mut self) -> Result<NodeKind<C, A>, E> {
        // the numbers may stand before the kind in the file, so they are checked here
        let Some(kind) = self.kind.take() else {
            return Err(self.error(format!("no kind: a node has one of the keys {}", list(KINDS))));
        };
        let word = kind.word();
        let children = self.children;
        // each kind takes the numbers that it has
        let kind = match kind {
            NodeKind::Sequence { .. } | NodeKind::Selector { .. } | NodeKind::Parallel { .. }
                if children == 0 =>
            {
                return Err(self.error(format!("a {word} has at least one node")));
            }
            NodeKind::Parallel { .. } => {
                let mut count = |name: &str, otherwise: u16| match self.take(name) {
                    None => Ok(otherwise),
                    Some(number) if (1..=u32::from(children)).contains(&number) => Ok(number as u16),
                    Some(number) => Err(format!(
                        "`{name}` is {number}: it is at least 1 and at most the number of nodes, {children}"
                    )),
                };
                let counts =
                    count("successes", children).and_then(|successes| Ok((successes, count("failures", 1)?)));
                let (successes, failures) = counts.map_err(|reason| self.error(reason))?;
                NodeKind::Parallel { successes, failures }
            }
            NodeKind::Repeat { .. } => match self.take("times") {
                Some(0) => {
                    return Err(self.error("`times` is 0: it is at least 1; leave it out to repeat for ever"));
                }
                times => NodeKind::Repeat { times },
            },
            NodeKind::Limit { .. } => match self.take("ticks") {
                None | Some(0) => return Err(self.error("a limit has the key `ticks`, at least 1")),
                Some(ticks) => NodeKind::Limit { ticks },
            },
            other => other,
        };
        // the numbers that are left belong to no node of this kind
        if let Some((name, _)) = self.numbers.first() {
            return Err(self.error(format!("a {word} has no key `{name}`")));
        }
        Ok(kind)
    }
}

impl<'de, C: Deserialize<'de>, A: Deserialize<'de>> DeserializeSeed<'de> for NodeSeed<'_, C, A> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, C: Deserialize<'de>, A: Deserialize<'de>> Visitor<'de> for NodeSeed<'_, C, A> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_str() {
            "" => f.write_str("the root node, such as `{\"do\": ..}`"),
            path => write!(f, "node `{path}`, such as `{{\"do\": ..}}`"),
        }
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        let Self { nodes, path, depth } = self;
        let mut draft = Draft { kind: None, children: 0, numbers: Vec::new(), name: None, path: &path };
        if depth > DEEPEST {
            return Err(draft.error(format!("more than {DEEPEST} nodes are within each other")));
        }
        let at = nodes.len();
        if at >= usize::from(u16::MAX) {
            return Err(draft.error(format!("the tree has more than {} nodes", u16::MAX)));
        }
        // a place for the node before its children, which are read first
        nodes.push(Node { kind: NodeKind::Invert, end: 0 });
        while let Some(key) = map.next_key::<String>()? {
            let number = ["successes", "failures", "times", "ticks"].into_iter().find(|name| *name == key);
            if let Some(name) = number {
                let number = map.next_value::<u32>().map_err(|error| draft.error::<M::Error>(error))?;
                if number > LARGEST_COUNT {
                    return Err(draft.error(format!("`{name}` is {number}: it is at most {LARGEST_COUNT}")));
                }
                if draft.numbers.iter().any(|(found, _)| *found == name) {
                    return Err(draft.error(format!("the key `{name}` is there twice")));
                }
                draft.numbers.push((name, number));
                continue;
            }
            if key == "name" {
                draft.name = Some(map.next_value().map_err(|error| draft.error::<M::Error>(error))?);
                continue;
            }
            if !KINDS.contains(&key.as_str()) {
                map.next_value::<IgnoredAny>()?;
                return Err(
                    draft.error(format!("unknown key `{key}`: the kinds of nodes are {}", list(KINDS)))
                );
            }
            if let Some(kind) = &draft.kind {
                let before = kind.word();
                return Err(draft.error(format!("the keys `{before}` and `{key}`: a node has one kind")));
            }
            let dot = if path.is_empty() { "" } else { "." };
            let child = format!("{path}{dot}{key}");
            let kind = match key.as_str() {
                "sequence" => NodeKind::Sequence { is_reactive: false },
                "selector" => NodeKind::Selector { is_reactive: false },
                "reactive_sequence" => NodeKind::Sequence { is_reactive: true },
                "reactive_selector" => NodeKind::Selector { is_reactive: true },
                "parallel" => NodeKind::Parallel { successes: 1, failures: 1 },
                "invert" => NodeKind::Invert,
                "succeed" => NodeKind::Always(Status::Success),
                "fail" => NodeKind::Always(Status::Failure),
                "repeat" => NodeKind::Repeat { times: None },
                "until_success" => NodeKind::Until(Status::Success),
                "until_failure" => NodeKind::Until(Status::Failure),
                "limit" => NodeKind::Limit { ticks: 1 },
                "wait" => {
                    let ticks = map.next_value::<u32>().map_err(|error| draft.error::<M::Error>(error))?;
                    if ticks > LARGEST_COUNT {
                        return Err(draft.error(format!("`wait` is {ticks}: it is at most {LARGEST_COUNT}")));
                    }
                    NodeKind::Wait { ticks }
                }
                "if" => NodeKind::If(map.next_value().map_err(|error| draft.error::<M::Error>(error))?),
                _ => NodeKind::Do(map.next_value().map_err(|error| draft.error::<M::Error>(error))?),
            };
            match kind {
                NodeKind::Sequence { .. } | NodeKind::Selector { .. } | NodeKind::Parallel { .. } => {
                    draft.children = map.next_value_seed(ListSeed { nodes, path: child, depth })?;
                }
                NodeKind::Wait { .. } | NodeKind::If(_) | NodeKind::Do(_) => {}
                _ => map.next_value_seed(NodeSeed { nodes, path: child, depth: depth + 1 })?,
            }
            draft.kind = Some(kind);
        }
        let kind = draft.finish()?;
        // there are at most as many nodes as the number can be: each was counted
        nodes[at] = Node { kind, end: nodes.len() as u16 };
        Ok(())
    }
}

impl<'de, C: Deserialize<'de>, A: Deserialize<'de>> DeserializeSeed<'de> for ListSeed<'_, C, A> {
    type Value = u16;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<u16, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, C: Deserialize<'de>, A: Deserialize<'de>> Visitor<'de> for ListSeed<'_, C, A> {
    /// The number of nodes.
    type Value = u16;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of nodes at `{}`", self.path)
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut list: S) -> Result<u16, S::Error> {
        let Self { nodes, path, depth } = self;
        let mut count = 0_u16;
        loop {
            let seed = NodeSeed { nodes: &mut *nodes, path: format!("{path}[{count}]"), depth: depth + 1 };
            if list.next_element_seed(seed)?.is_none() {
                return Ok(count);
            }
            count += 1;
        }
    }
}

//! Behaviour trees as data: an entity chooses its actions by alternatives in an order and by steps
//! one after the other.
//!
//! A [`BehaviourTree`] is read from a file. Its conditions and actions are enums of the game, so
//! that a word that the game does not know is an error, which names the node. The position of an
//! entity in its tree is the component [`Behaviour`], and the system [`tick_trees`] runs the trees
//! of one [`BehaviourKind`], which says what conditions read and actions write.
//!
//! ```
//! use ecs::prelude::*;
//! use ecs_mechanics::minds::tree::{Behaviour, BehaviourKind, BehaviourTrees, BehaviourRefusal, Status, tick_trees};
//! use serde::Deserialize;
//!
//! #[derive(Deserialize)]
//! enum See { Prey }
//! #[derive(Deserialize, Clone, Copy, PartialEq, Debug)]
//! enum Do { Strike, Wander }
//!
//! #[derive(Component, Default)]
//! struct Senses { sees_prey: bool, does: Option<Do> }
//!
//! enum Monster {}
//! impl BehaviourKind for Monster {
//!     const NAME: &'static str = "monster";
//!     type Condition = See;
//!     type Action = Do;
//!     type Agent = Senses;
//!     fn holds(See::Prey: &See, agent: &Senses) -> bool { agent.sees_prey }
//!     fn act(action: &Do, agent: &mut Senses) -> Status {
//!         agent.does = Some(*action);
//!         Status::Success
//!     }
//! }
//!
//! world! {
//!     struct Cave {
//!         components { Senses, mind: Behaviour<Monster> }
//!         resources  { trees: BehaviourTrees<Monster> }
//!         events     { BehaviourRefusal(external) }
//!     }
//!     schedule turn { tick_trees::<Monster> }
//! }
//!
//! let mut trees = BehaviourTrees::default();
//! trees.insert("rat", serde_json::from_str(r#"
//!     { "selector": [
//!         { "sequence": [ { "if": "Prey" }, { "do": "Strike" } ] },
//!         { "do": "Wander" } ] }"#)?);
//! let mut cave = Cave::new(trees);
//! let rat = cave.spawn((Senses { sees_prey: true, does: None }, Behaviour::new("rat")));
//! cave.turn();
//! assert_eq!(cave.get::<Senses>(rat).unwrap().does, Some(Do::Strike));
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! | node | meaning |
//! |---|---|
//! | `{"sequence": [..]}` | its nodes one after the other, until one fails; goes on at the running one |
//! | `{"selector": [..]}` | its nodes one after the other, until one succeeds; goes on at the running one |
//! | `{"reactive_sequence": [..]}`, `{"reactive_selector": [..]}` | the same, but each tick begins at the first node, and the one that was running stops if another takes its place |
//! | `{"parallel": [..], "successes": 1, "failures": 1}` | all its nodes in each tick, until so many have succeeded or failed; without the numbers, until all have succeeded or one has failed |
//! | `{"invert": ..}`, `{"succeed": ..}`, `{"fail": ..}` | one node with another result |
//! | `{"repeat": .., "times": 3}` | one node again in the next tick, until it has succeeded so often; without `times`, for ever |
//! | `{"until_success": ..}`, `{"until_failure": ..}` | one node again in the next tick, until it succeeds or fails |
//! | `{"limit": .., "ticks": 5}` | one node, which is stopped and fails after so many ticks |
//! | `{"wait": 3}` | runs for so many ticks, and succeeds |
//! | `{"if": condition}`, `{"do": action}` | a condition and an action of the game |
//!
//! Each node may have a `"name"` for errors. The tree is not a part of saves: a loaded game reads
//! its content again. If its nodes have changed since, entities begin at the root.
//!
//! The crate `bonsai-bt` is not used: its tree has the state of its nodes in it, so that each
//! entity has a copy of the tree in each save, and an action is not told that it is stopped.

mod read;
mod tick;

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::marker::PhantomData;

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

pub use self::tick::{Status, TreeAgent, TreePosition};
use crate::content::content;

/// A kind of trees: the tag of [`Behaviour`] and [`BehaviourTrees`]. It has no value; an enum
/// without variants will do.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a kind of behaviour trees",
    label = "does not implement `BehaviourKind`",
    note = "write `impl BehaviourKind for {Self}`, with conditions, actions, and the component `Agent` that they read and write"
)]
pub trait BehaviourKind: Send + Sync + 'static {
    /// The name in errors, such as `monster`.
    const NAME: &'static str;
    /// The conditions, an enum with `Deserialize`.
    type Condition: Send + Sync + 'static;
    /// The actions, an enum with `Deserialize`.
    type Action: Send + Sync + 'static;
    /// The component that conditions read and actions write. Other systems fill it before the trees
    /// run, and read it afterwards.
    type Agent: Component;

    /// Whether a condition holds.
    fn holds(condition: &Self::Condition, agent: &Self::Agent) -> bool;
    /// Begins an action, or goes on with it: it is called in each tick until the action is no
    /// longer [`Running`](Status::Running).
    fn act(action: &Self::Action, agent: &mut Self::Agent) -> Status;
    /// A running action is stopped, because another one takes its place. Called after the first
    /// tick of that one.
    fn stop(action: &Self::Action, agent: &mut Self::Agent) {
        let _ = (action, agent);
    }
}

/// A tree of nodes with conditions `C` and actions `A`, read from data: see the [module](self).
pub struct BehaviourTree<C, A> {
    /// The nodes, each before its children.
    nodes: Vec<Node<C, A>>,
    /// A hash of the nodes without their conditions and actions.
    shape: u64,
}

struct Node<C, A> {
    kind: NodeKind<C, A>,
    /// The node after the last descendant.
    end: u16,
}

enum NodeKind<C, A> {
    Sequence { is_reactive: bool },
    Selector { is_reactive: bool },
    Parallel { successes: u16, failures: u16 },
    Invert,
    Always(Status),
    Repeat { times: Option<u32> },
    Until(Status),
    Limit { ticks: u32 },
    Wait { ticks: u32 },
    If(C),
    Do(A),
}

impl<C, A> BehaviourTree<C, A> {
    /// The number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Always `false`: a tree has at least one node.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
}

impl<C: fmt::Debug, A: fmt::Debug> fmt::Debug for BehaviourTree<C, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.nodes.iter().map(|node| &node.kind)).finish()
    }
}

impl<C: fmt::Debug, A: fmt::Debug> fmt::Debug for NodeKind<C, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::If(condition) => write!(f, "if {condition:?}"),
            Self::Do(action) => write!(f, "do {action:?}"),
            other => f.write_str(other.word()),
        }
    }
}

/// The tree of an entity, by its name, and the position in it. A component.
#[derive(Component, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Behaviour<K> {
    /// The name in [`BehaviourTrees`].
    pub tree: String,
    /// The running nodes.
    #[serde(default)]
    pub position: TreePosition,
    #[serde(skip)]
    kind: PhantomData<fn() -> K>,
}

impl<K> Behaviour<K> {
    /// A mind at the root of a tree.
    #[must_use]
    pub fn new(tree: impl Into<String>) -> Self {
        Self { tree: tree.into(), position: TreePosition::default(), kind: PhantomData }
    }
}

impl<K> Clone for Behaviour<K> {
    fn clone(&self) -> Self {
        Self { tree: self.tree.clone(), position: self.position.clone(), kind: PhantomData }
    }
}

impl<K> PartialEq for Behaviour<K> {
    fn eq(&self, other: &Self) -> bool {
        (&self.tree, &self.position) == (&other.tree, &other.position)
    }
}

impl<K> Eq for Behaviour<K> {}

impl<K> fmt::Debug for Behaviour<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Behaviour").field("tree", &self.tree).field("position", &self.position).finish()
    }
}

content! {
    /// The trees of a kind, by name. A resource.
    pub struct BehaviourTrees<K: BehaviourKind>(BehaviourTree<K::Condition, K::Action>), "tree";
}

/// The tree of an entity cannot run. The event of [`tick_trees`], and the error of
/// [`try_tick_trees`].
#[derive(Event, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BehaviourRefusal {
    /// The entity.
    pub entity: Entity,
    /// The name of the kind.
    pub kind: Cow<'static, str>,
    /// The reason.
    pub reason: BehaviourReason,
}

/// The reason of a [`BehaviourRefusal`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum BehaviourReason {
    /// The resource [`BehaviourTrees`] lacks this tree.
    MissingTree(String),
}

impl fmt::Display for BehaviourRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entity, kind, reason: BehaviourReason::MissingTree(tree) } = self;
        write!(
            f,
            "entity {entity} follows the {kind} tree `{tree}`, which is not in the resource `BehaviourTrees`: insert it, also when a world is loaded"
        )
    }
}

impl Error for BehaviourRefusal {}

/// System: runs the tree of each entity with [`Behaviour<K>`](Behaviour) and the component of the
/// kind, as `tick_trees::<Monster>`. An entity whose tree is missing does nothing, and
/// [`BehaviourRefusal`] is sent.
///
/// # Cost
/// For each entity, the nodes that are visited: those from the root to the running ones, and the
/// conditions between.
#[system]
pub fn tick_trees<K: BehaviourKind>(
    mut minds: Query<(Entity, &mut Behaviour<K>, &mut K::Agent)>,
    trees: Res<BehaviourTrees<K>>,
    mut refused: EventWriter<BehaviourRefusal>,
) {
    for (entity, behaviour, agent) in &mut minds {
        if let Err(refusal) = tick(entity, behaviour, agent, &trees) {
            refused.send(refusal);
        }
    }
}

/// System: [`tick_trees`] that fails at the first entity whose tree is missing.
///
/// # Errors
/// An entity has a tree that is missing. The entities before it have run.
#[system]
pub fn try_tick_trees<K: BehaviourKind>(
    mut minds: Query<(Entity, &mut Behaviour<K>, &mut K::Agent)>,
    trees: Res<BehaviourTrees<K>>,
) -> Result<(), BehaviourRefusal> {
    for (entity, behaviour, agent) in &mut minds {
        tick(entity, behaviour, agent, &trees)?;
    }
    Ok(())
}

fn tick<K: BehaviourKind>(
    entity: Entity,
    behaviour: &mut Behaviour<K>,
    agent: &mut K::Agent,
    trees: &BehaviourTrees<K>,
) -> Result<(), BehaviourRefusal> {
    let refusal = |reason| BehaviourRefusal { entity, kind: K::NAME.into(), reason };
    let tree = trees
        .get(&behaviour.tree)
        .ok_or_else(|| refusal(BehaviourReason::MissingTree(behaviour.tree.clone())))?;
    tree.tick(&mut behaviour.position, &mut AgentOf::<K>(agent));
    Ok(())
}

/// The agent of a kind, as trees know it.
struct AgentOf<'a, K: BehaviourKind>(&'a mut K::Agent);

impl<K: BehaviourKind> TreeAgent<K::Condition, K::Action> for AgentOf<'_, K> {
    fn holds(&mut self, condition: &K::Condition) -> bool {
        K::holds(condition, self.0)
    }
    fn act(&mut self, action: &K::Action) -> Status {
        K::act(action, self.0)
    }
    fn stop(&mut self, action: &K::Action) {
        K::stop(action, self.0);
    }
}

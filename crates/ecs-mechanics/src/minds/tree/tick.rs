//! [`BehaviourTree::tick`], which runs a tree, and [`TreePosition`], the running nodes between two
//! ticks.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::{BehaviourTree, NodeKind};

/// The result of a node in a tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Status {
    /// The node has ended, and has succeeded.
    Success,
    /// The node has ended, and has failed.
    Failure,
    /// The node goes on in the next tick.
    Running,
}

/// The conditions and actions of a tree, as an agent carries them out.
///
/// [`BehaviourKind`](super::BehaviourKind) is for the system of the module. A system that reads
/// more than one component runs a tree with an agent of its own, by [`BehaviourTree::tick`].
///
/// ```
/// use ecs_mechanics::minds::tree::{BehaviourTree, Status, TreeAgent, TreePosition};
///
/// struct Robot<'a> { at: &'a mut i32 }
/// impl TreeAgent<i32, i32> for Robot<'_> {
///     fn holds(&mut self, limit: &i32) -> bool { *self.at < *limit }
///     fn act(&mut self, step: &i32) -> Status { *self.at += step; Status::Success }
/// }
///
/// let tree: BehaviourTree<i32, i32> = serde_json::from_str(r#"{ "sequence": [{ "if": 10 }, { "do": 4 }] }"#)?;
/// let (mut position, mut at) = (TreePosition::default(), 0);
/// for _ in 0..5 {
///     tree.tick(&mut position, &mut Robot { at: &mut at });
/// }
/// assert_eq!(at, 12);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub trait TreeAgent<C, A> {
    /// Whether a condition holds.
    fn holds(&mut self, condition: &C) -> bool;
    /// Begins an action, or goes on with it: called in each tick until the action is no longer
    /// [`Running`](Status::Running).
    fn act(&mut self, action: &A) -> Status;
    /// A running action is stopped. Called after the first tick of the action that takes its place.
    fn stop(&mut self, action: &A) {
        let _ = action;
    }
}

/// The running nodes of a tree. The default is the root.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
pub struct TreePosition {
    /// The shape of the tree in the last tick.
    shape: u64,
    /// The nodes with a state that lasts until the next tick, in ascending order: each with its
    /// running child or its count.
    running: Vec<(u16, u32)>,
}

/// The number of a child of a parallel node that has succeeded.
const SUCCEEDED: u32 = u32::MAX;
/// The number of a child of a parallel node that has failed.
const FAILED: u32 = u32::MAX - 1;

impl TreePosition {
    /// Whether no node is running: the next tick begins at the root.
    #[must_use]
    pub fn is_at_root(&self) -> bool {
        self.running.is_empty()
    }

    fn get(&self, node: u16) -> Option<u32> {
        let at = self.running.binary_search_by_key(&node, |(node, _)| *node).ok()?;
        Some(self.running[at].1)
    }

    fn set(&mut self, node: u16, number: u32) {
        match self.running.binary_search_by_key(&node, |(node, _)| *node) {
            Ok(at) => self.running[at].1 = number,
            Err(at) => self.running.insert(at, (node, number)),
        }
    }

    fn remove(&mut self, nodes: Range<u16>) {
        self.running.retain(|(node, _)| !nodes.contains(node));
    }
}

impl<C, A> BehaviourTree<C, A> {
    /// Runs the tree once, from the root to the running nodes. Returns the result of the root.
    ///
    /// A position in a tree of another shape, which an old save may have, begins at the root again,
    /// and no action of it is stopped.
    pub fn tick(&self, position: &mut TreePosition, agent: &mut impl TreeAgent<C, A>) -> Status {
        if position.shape != self.shape {
            *position = TreePosition { shape: self.shape, running: Vec::new() };
        }
        // a saved position may have been edited
        if !position.running.is_sorted_by(|one, other| one.0 < other.0) {
            position.running.clear();
        }
        self.run(0, position, agent)
    }

    /// Stops all running actions. The next tick begins at the root.
    pub fn stop(&self, position: &mut TreePosition, agent: &mut impl TreeAgent<C, A>) {
        if position.shape == self.shape {
            self.halt(0, position, agent);
        }
        position.running.clear();
    }

    fn run(&self, at: u16, position: &mut TreePosition, agent: &mut impl TreeAgent<C, A>) -> Status {
        // a node with one child has it at the next number
        let status = match &self.nodes[usize::from(at)].kind {
            NodeKind::Sequence { is_reactive } => {
                self.series(at, Status::Success, *is_reactive, position, agent)
            }
            NodeKind::Selector { is_reactive } => {
                self.series(at, Status::Failure, *is_reactive, position, agent)
            }
            NodeKind::Parallel { successes, failures } => {
                self.parallel(at, *successes, *failures, position, agent)
            }
            NodeKind::Invert => match self.run(at + 1, position, agent) {
                Status::Success => Status::Failure,
                Status::Failure => Status::Success,
                Status::Running => Status::Running,
            },
            NodeKind::Always(result) => match self.run(at + 1, position, agent) {
                Status::Running => Status::Running,
                Status::Success | Status::Failure => *result,
            },
            NodeKind::Repeat { times } => self.repeat(at, *times, position, agent),
            NodeKind::Until(wanted) => match self.run(at + 1, position, agent) {
                result if result == *wanted => Status::Success,
                _ => Status::Running,
            },
            NodeKind::Limit { ticks } => self.limit(at, *ticks, position, agent),
            NodeKind::Wait { ticks } => {
                let waited = position.get(at).unwrap_or(0);
                position.set(at, waited.saturating_add(1));
                if waited < *ticks { Status::Running } else { Status::Success }
            }
            NodeKind::If(condition) if agent.holds(condition) => Status::Success,
            NodeKind::If(_) => Status::Failure,
            // its number tells a halt that the action has begun
            NodeKind::Do(action) => {
                position.set(at, 0);
                agent.act(action)
            }
        };
        // a node that is done begins anew when it is run again
        if status != Status::Running {
            position.remove(at..self.end(at));
        }
        status
    }

    /// A sequence, which goes on after a success, or a selector, which goes on after a failure.
    fn series(
        &self,
        at: u16,
        goes_on: Status,
        is_reactive: bool,
        position: &mut TreePosition,
        agent: &mut impl TreeAgent<C, A>,
    ) -> Status {
        let running =
            position.get(at).and_then(|child| self.children(at).find(|node| u32::from(*node) == child));
        let first = running.filter(|_| !is_reactive).unwrap_or(at + 1);
        for child in self.children(at).skip_while(|child| *child != first) {
            let status = self.run(child, position, agent);
            if status == goes_on {
                continue;
            }
            if let Some(stopped) = running.filter(|node| *node != child) {
                self.halt(stopped, position, agent);
            }
            position.set(at, u32::from(child));
            return status;
        }
        goes_on
    }

    fn parallel(
        &self,
        at: u16,
        successes: u16,
        failures: u16,
        position: &mut TreePosition,
        agent: &mut impl TreeAgent<C, A>,
    ) -> Status {
        let (mut succeeded, mut failed, mut running) = (0, 0, 0);
        // a child that is done is not run again: its result stays until the whole node is done
        for child in self.children(at) {
            let done = match position.get(child) {
                Some(SUCCEEDED) => Status::Success,
                Some(FAILED) => Status::Failure,
                _ => self.run(child, position, agent),
            };
            match done {
                Status::Success => {
                    succeeded += 1;
                    position.set(child, SUCCEEDED);
                }
                Status::Failure => {
                    failed += 1;
                    position.set(child, FAILED);
                }
                Status::Running => running += 1,
            }
        }
        // enough have succeeded, enough have failed, or no running one could change that any more
        let status = if succeeded >= successes {
            Status::Success
        } else if failed >= failures || running == 0 {
            Status::Failure
        } else {
            return Status::Running;
        };
        // those still running end with the node
        for child in self.children(at) {
            if !matches!(position.get(child), Some(SUCCEEDED | FAILED)) {
                self.halt(child, position, agent);
            }
        }
        status
    }

    fn repeat(
        &self,
        at: u16,
        times: Option<u32>,
        position: &mut TreePosition,
        agent: &mut impl TreeAgent<C, A>,
    ) -> Status {
        let status = self.run(at + 1, position, agent);
        if status != Status::Success {
            return status;
        }
        let Some(times) = times else { return Status::Running };
        let done = position.get(at).unwrap_or(0).saturating_add(1);
        position.set(at, done);
        if done < times { Status::Running } else { Status::Success }
    }

    fn limit(
        &self,
        at: u16,
        ticks: u32,
        position: &mut TreePosition,
        agent: &mut impl TreeAgent<C, A>,
    ) -> Status {
        let run = position.get(at).unwrap_or(0);
        if run >= ticks {
            self.halt(at + 1, position, agent);
            return Status::Failure;
        }
        position.set(at, run + 1);
        self.run(at + 1, position, agent)
    }

    /// Stops the running actions of a node and its descendants, in the order of the file.
    fn halt(&self, at: u16, position: &mut TreePosition, agent: &mut impl TreeAgent<C, A>) {
        let nodes = at..self.end(at);
        for (node, _) in position.running.iter().filter(|(node, number)| nodes.contains(node) && *number == 0)
        {
            if let NodeKind::Do(action) = &self.nodes[usize::from(*node)].kind {
                agent.stop(action);
            }
        }
        position.remove(nodes);
    }

    fn end(&self, at: u16) -> u16 {
        self.nodes[usize::from(at)].end
    }

    fn children(&self, at: u16) -> impl Iterator<Item = u16> + '_ {
        let end = self.end(at);
        let in_node = move |child: u16| (child < end).then_some(child);
        std::iter::successors(in_node(at + 1), move |child| in_node(self.end(*child)))
    }
}

//! Groups of steps with one condition: `(steer, movement) if playing`.
//!
//! The condition belongs to a *gate*, a node of its own before the nodes of the group, whose system
//! does nothing. When a gate has run, the executor marks the nodes of its group as closed if the
//! condition did not hold; it then skips them like systems that are switched off. The
//! [plan](super::plan) puts a gate into an earlier wave than the nodes of its group, so that they
//! find its mark however many threads run the schedule. A group may span several stages, and groups
//! may be nested: the gate of an inner group is a node of the outer group.

use super::condition::Condition;
use super::node::{ConditionSystem, Node};
use crate::raw_world::RawWorld;
use crate::system::{Gate, System};

/// Creates the gate of the group with a number, from 1 on.
pub const fn gate<W: RawWorld>(
    stage: usize,
    group: u16,
    name: &'static str,
    conditions: &'static [ConditionSystem<W>],
    condition: &'static Condition,
) -> Node<W> {
    let gate = <Gate as System<W>>::RUNNABLE;
    Node::new::<false, ()>(stage, name, gate, conditions, condition).gate_of(group)
}

//! The search for a plan: A* over the states of facts.
//!
//! The remaining cost is estimated as the least cost of an action for each group of facts that one
//! action can change, which is never too much. Of states with the same estimate of the whole cost,
//! the search expands the one with the greatest cost so far, and of those the one that it has found
//! first. So the order of actions in the file decides between plans of the same cost, on every
//! machine.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::domain::{Goal, PlanDomain};
use crate::facts::{Fact, Facts};

/// The reason for which there is no plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NoPlan {
    /// No actions lead to the goal.
    Unreachable,
    /// The search ended at the greatest number of nodes.
    TooManyNodes,
}

/// The best path to a state that is known so far.
struct BestPath {
    cost: u64,
    /// The action, and the state before it.
    from: Option<(u16, u64)>,
    is_expanded: bool,
}

/// Finds actions of the least cost from facts to a goal, as numbers of the domain.
pub(super) fn search<F: Fact, A>(
    domain: &PlanDomain<F, A>,
    facts: Facts<F>,
    goal: &Goal<F>,
) -> Result<Vec<u16>, NoPlan> {
    // the search A*. No action fulfils more wishes than `most_changes`, or costs less than
    // `least_cost`: the estimate is never too high
    let least_cost = domain.actions.iter().map(|action| u64::from(action.cost)).min().unwrap_or(0);
    let most_changes = domain.actions.iter().map(|action| action.then.count()).max().unwrap_or(0).max(1);
    let estimate = |bits: u64| u64::from(goal.wants.differences(bits).div_ceil(most_changes)) * least_cost;

    let start = facts.bits();
    // the best known way to each set of facts; of equal estimates the longer way comes first, then
    // the older one
    let mut paths = BTreeMap::from([(start, BestPath { cost: 0, from: None, is_expanded: false })]);
    let mut found = 0_u64;
    let mut open = BinaryHeap::from([Reverse((estimate(start), Reverse(0), found, start))]);
    let mut expanded = 0;
    while let Some(Reverse((_, _, _, bits))) = open.pop() {
        // a better way to these facts came first
        let Some(path) = paths.get_mut(&bits).filter(|path| !path.is_expanded) else { continue };
        path.is_expanded = true;
        let cost = path.cost;
        if goal.wants.differences(bits) == 0 {
            return Ok(steps(&paths, bits));
        }
        // the bound on the time that one plan may take
        if expanded == domain.max_nodes {
            return Err(NoPlan::TooManyNodes);
        }
        expanded += 1;
        let state = Facts::<F>::from_bits(bits);
        for (number, action) in domain.actions.iter().enumerate() {
            if !action.when.hold_in(&state) {
                continue;
            }
            let mut after = state;
            action.then.apply_to(&mut after);
            let (after, cost) = (after.bits(), cost + u64::from(action.cost));
            // only a cheaper way replaces a known one
            if paths.get(&after).is_some_and(|known| known.cost <= cost) {
                continue;
            }
            found += 1;
            paths.insert(after, BestPath { cost, from: Some((number as u16, bits)), is_expanded: false });
            open.push(Reverse((cost + estimate(after), Reverse(cost), found, after)));
        }
    }
    Err(NoPlan::Unreachable)
}

/// The actions on the way to a state.
fn steps(paths: &BTreeMap<u64, BestPath>, mut bits: u64) -> Vec<u16> {
    let mut steps = Vec::new();
    while let Some((action, before)) = paths.get(&bits).and_then(|path| path.from) {
        steps.push(action);
        bits = before;
    }
    steps.reverse();
    steps
}

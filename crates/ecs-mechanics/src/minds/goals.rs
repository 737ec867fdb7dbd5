//! Goal planning as data: a planner finds the actions that lead from the facts of an entity to its
//! goal.
//!
//! A [`PlanDomain`] has goals, and actions with the facts that they need, the facts that they
//! change, and a cost. It is read from a file; facts and actions are enums of the game. The plan of
//! an entity is the component [`Plan`], and the system [`make_plans`] keeps it in step with the
//! [`Facts`] of the entity: it plans the first goal that does not hold, drops the steps whose
//! effects hold, and plans anew when the plan no longer leads to the goal. Systems of the game
//! carry out the first step, and change the facts.
//!
//! ```
//! use ecs::prelude::*;
//! use ecs_mechanics::facts::{Fact, Facts};
//! use ecs_mechanics::minds::goals::{GoalKind, PlanRefusal, Plan, PlanDomains, make_plans};
//! use serde::Deserialize;
//!
//! #[derive(Fact)]
//! enum Need { HasAxe, HasWood, IsWarm }
//! #[derive(Deserialize, PartialEq, Debug)]
//! enum Work { TakeAxe, Chop, Gather, Burn }
//!
//! enum Woodcutter {}
//! impl GoalKind for Woodcutter {
//!     const NAME: &'static str = "woodcutter";
//!     type Fact = Need;
//!     type Action = Work;
//! }
//!
//! world! {
//!     struct Wood {
//!         components { needs: Facts<Need>, plan: Plan<Woodcutter> }
//!         resources  { domains: PlanDomains<Woodcutter> }
//!         events     { PlanRefusal(external) }
//!     }
//!     schedule turn { make_plans::<Woodcutter> }
//! }
//!
//! let mut domains = PlanDomains::default();
//! domains.insert("winter", serde_json::from_str(r#"{
//!     "goals": [ { "name": "warm", "wants": { "IsWarm": true } } ],
//!     "actions": [
//!         { "do": "TakeAxe", "then": { "HasAxe": true } },
//!         { "do": "Chop", "cost": 2, "when": { "HasAxe": true }, "then": { "HasWood": true } },
//!         { "do": "Gather", "cost": 5, "then": { "HasWood": true } },
//!         { "do": "Burn", "when": { "HasWood": true }, "then": { "IsWarm": true, "HasWood": false } } ] }"#)?);
//! let mut wood = Wood::new(domains);
//! let man = wood.spawn((Facts::<Need>::new(), Plan::new("winter")));
//! wood.turn();
//! let domains = wood.resource::<PlanDomains<Woodcutter>>();
//! let steps: Vec<&Work> = wood.get::<Plan<Woodcutter>>(man).unwrap().steps(domains).collect();
//! assert_eq!(steps, [&Work::TakeAxe, &Work::Chop, &Work::Burn]);
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! The crate `pathfinding` is not used: the search is bounded in nodes, and of several plans with
//! the same cost the file decides, not the order of a heap.

mod domain;
mod search;

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::marker::PhantomData;

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

pub use self::domain::{Goal, PlanAction, PlanDomain};
use crate::content::content;
use crate::facts::{Fact, Facts};

/// A kind of planning: the tag of [`Plan`] and [`PlanDomains`]. It has no value; an enum without
/// variants will do.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a kind of goals",
    label = "does not implement `GoalKind`",
    note = "write `impl GoalKind for {Self}`, with an enum of facts and one of actions"
)]
pub trait GoalKind: Send + Sync + 'static {
    /// The name in errors, such as `villager`.
    const NAME: &'static str;
    /// The facts of entities, an enum with [`Fact`].
    type Fact: Fact;
    /// The actions, an enum with `Deserialize`.
    type Action: Send + Sync + 'static;
}

/// The actions by which an entity is to reach a goal. A component; [`make_plans`] keeps it up to
/// date.
#[derive(Component, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Plan<K> {
    /// The name of the domain in [`PlanDomains`].
    pub domain: String,
    /// The shape of the domain for which the plan was made.
    #[serde(default)]
    shape: u64,
    /// The facts for which the plan was made or found good.
    #[serde(default)]
    seen: u64,
    /// The number of the goal.
    #[serde(default)]
    goal: Option<u16>,
    /// The numbers of the actions that are left.
    #[serde(default)]
    steps: Vec<u16>,
    /// Whether a search has ended at the greatest number of nodes.
    #[serde(default)]
    node_limit_reached: bool,
    #[serde(skip)]
    kind: PhantomData<fn() -> K>,
}

impl<K> Plan<K> {
    /// An empty plan in this domain: the next run of [`make_plans`] searches.
    #[must_use]
    pub fn new(domain: impl Into<String>) -> Self {
        let domain = domain.into();
        Self {
            domain,
            shape: 0,
            seen: 0,
            goal: None,
            steps: Vec::new(),
            node_limit_reached: false,
            kind: PhantomData,
        }
    }

    /// Whether the latest search ended at the greatest number of nodes of the domain, so that there
    /// may be a plan that was not found.
    #[must_use]
    pub const fn node_limit_reached(&self) -> bool {
        self.node_limit_reached
    }
}

impl<K: GoalKind> Plan<K> {
    /// The actions that are left, in their order.
    pub fn steps<'d>(&self, domains: &'d PlanDomains<K>) -> impl Iterator<Item = &'d K::Action> {
        let domain = domains.get(&self.domain).filter(|domain| domain.shape == self.shape);
        self.steps
            .iter()
            .filter_map(move |step| domain?.actions.get(usize::from(*step)).map(|action| &action.action))
    }

    /// The action to carry out now.
    #[must_use]
    pub fn action<'d>(&self, domains: &'d PlanDomains<K>) -> Option<&'d K::Action> {
        self.steps(domains).next()
    }

    /// The name of the goal of the plan; `None` if all goals hold, or none can be reached.
    #[must_use]
    pub fn goal<'d>(&self, domains: &'d PlanDomains<K>) -> Option<&'d str> {
        let domain = domains.get(&self.domain).filter(|domain| domain.shape == self.shape)?;
        domain.goals.get(usize::from(self.goal?)).map(|goal| goal.name.as_str())
    }

    /// Brings the plan in step with the facts. The system [`make_plans`] calls it.
    ///
    /// # Cost
    /// Nothing is searched while the facts stay the same, or the plan still leads to its goal and
    /// no goal before it can be reached.
    pub fn update(&mut self, domain: &PlanDomain<K::Fact, K::Action>, facts: Facts<K::Fact>) {
        if self.shape == domain.shape && self.seen == facts.bits() {
            return;
        }
        // another domain: the numbers of steps and goals mean other things there
        if self.shape != domain.shape {
            self.steps.clear();
            self.goal = None;
        }
        (self.shape, self.seen, self.node_limit_reached) = (domain.shape, facts.bits(), false);
        // steps that have had their effect are done, also if something else caused it
        while let Some(step) = self.steps.first()
            && domain.actions.get(usize::from(*step)).is_some_and(|action| action.then.hold_in(&facts))
        {
            self.steps.remove(0);
        }
        // the first goal that is not fulfilled and can be reached: a plan for a later one is given
        // up for it
        for (number, goal) in domain.goals.iter().enumerate() {
            if goal.wants.hold_in(&facts) {
                continue;
            }
            let number = number as u16;
            // the present plan is kept as long as it works, even if another one is cheaper by now
            if self.goal == Some(number) && domain.leads_to(&self.steps, facts, goal) {
                return;
            }
            match search::search(domain, facts, goal) {
                Ok(steps) => {
                    (self.goal, self.steps) = (Some(number), steps);
                    return;
                }
                Err(failure) => self.node_limit_reached |= failure == search::NoPlan::TooManyNodes,
            }
        }
        self.goal = None;
        self.steps.clear();
    }
}

impl<K> Clone for Plan<K> {
    fn clone(&self) -> Self {
        Self { domain: self.domain.clone(), steps: self.steps.clone(), ..*self }
    }
}

impl<K> PartialEq for Plan<K> {
    fn eq(&self, other: &Self) -> bool {
        let parts = |plan: &Self| (plan.shape, plan.seen, plan.goal, plan.node_limit_reached);
        self.domain == other.domain && self.steps == other.steps && parts(self) == parts(other)
    }
}

impl<K> Eq for Plan<K> {}

impl<K> fmt::Debug for Plan<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { domain, goal, steps, .. } = self;
        f.debug_struct("Plan").field("domain", domain).field("goal", goal).field("steps", steps).finish()
    }
}

content! {
    /// The domains of a kind, by name. A resource.
    pub struct PlanDomains<K: GoalKind>(PlanDomain<K::Fact, K::Action>), "domain";
}

/// An entity cannot plan. The event of [`make_plans`], and the error of [`try_make_plans`].
#[derive(Event, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlanRefusal {
    /// The entity.
    pub entity: Entity,
    /// The name of the kind.
    pub kind: Cow<'static, str>,
    /// The reason.
    pub reason: PlanReason,
}

/// The reason of a [`PlanRefusal`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum PlanReason {
    /// The resource [`PlanDomains`] lacks this domain.
    MissingDomain(String),
}

impl fmt::Display for PlanRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entity, kind, reason: PlanReason::MissingDomain(domain) } = self;
        write!(
            f,
            "entity {entity} plans in the {kind} domain `{domain}`, which is not in the resource `PlanDomains`: insert it, also when a world is loaded"
        )
    }
}

impl Error for PlanRefusal {}

/// System: brings the [`Plan`] of each entity in step with its [`Facts`], as
/// `make_plans::<Villager>`. An entity whose domain is missing keeps its plan, and [`PlanRefusal`]
/// is sent.
#[system]
pub fn make_plans<K: GoalKind>(
    mut planners: Query<(Entity, &mut Plan<K>, &Facts<K::Fact>)>,
    domains: Res<PlanDomains<K>>,
    mut refused: EventWriter<PlanRefusal>,
) {
    for (entity, plan, facts) in &mut planners {
        if let Err(refusal) = update(entity, plan, *facts, &domains) {
            refused.send(refusal);
        }
    }
}

/// System: [`make_plans`] that fails at the first entity whose domain is missing.
///
/// # Errors
/// An entity has a domain that is missing. The entities before it have planned.
#[system]
pub fn try_make_plans<K: GoalKind>(
    mut planners: Query<(Entity, &mut Plan<K>, &Facts<K::Fact>)>,
    domains: Res<PlanDomains<K>>,
) -> Result<(), PlanRefusal> {
    for (entity, plan, facts) in &mut planners {
        update(entity, plan, *facts, &domains)?;
    }
    Ok(())
}

fn update<K: GoalKind>(
    entity: Entity,
    plan: &mut Plan<K>,
    facts: Facts<K::Fact>,
    domains: &PlanDomains<K>,
) -> Result<(), PlanRefusal> {
    let refusal = |reason| PlanRefusal { entity, kind: K::NAME.into(), reason };
    let domain =
        domains.get(&plan.domain).ok_or_else(|| refusal(PlanReason::MissingDomain(plan.domain.clone())))?;
    plan.update(domain, facts);
    Ok(())
}

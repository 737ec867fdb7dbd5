//! [`PlanDomain`]: goals and actions, from data. Each error names the goal or the action.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::facts::{Fact, FactValues, Facts};
use crate::minds::shape_hash::ShapeHash;

/// Goals, and actions with the facts that they need and change: see the [module](super).
///
/// In files, an object with `goals`, `actions` and `max_nodes`. The goals that come first are
/// wanted first.
#[derive(Debug)]
pub struct PlanDomain<F: Fact, A> {
    pub(super) goals: Vec<Goal<F>>,
    pub(super) actions: Vec<PlanAction<F, A>>,
    pub(super) max_nodes: u32,
    /// A hash of what a plan depends on, without the actions of the game.
    pub(super) shape: u64,
}

/// A goal: facts that are wanted.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields, bound = "")]
pub struct Goal<F: Fact> {
    /// The name.
    pub name: String,
    /// The wanted values of facts.
    pub wants: FactValues<F>,
}

/// An action of a domain.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields, bound(deserialize = "A: Deserialize<'de>"))]
pub struct PlanAction<F: Fact, A> {
    /// The action of the game.
    #[serde(rename = "do")]
    pub action: A,
    /// The cost: a plan with the least sum is chosen. 1 in files without it.
    #[serde(default = "one")]
    pub cost: u32,
    /// The values of facts that it needs. None in files without it.
    #[serde(default)]
    pub when: FactValues<F>,
    /// The values that it gives to facts.
    pub then: FactValues<F>,
}

const fn one() -> u32 {
    1
}

/// The nodes of a search, if a domain does not say how many.
const MAX_NODES: u32 = 10_000;

const fn max_nodes() -> u32 {
    MAX_NODES
}

impl<F: Fact, A> PlanDomain<F, A> {
    /// The domain with these goals, the most wanted first, and these actions.
    ///
    /// # Errors
    /// If there are more than 65,535 of either.
    pub fn new(goals: Vec<Goal<F>>, actions: Vec<PlanAction<F, A>>) -> Result<Self, String> {
        if goals.len().max(actions.len()) > usize::from(u16::MAX) {
            return Err(format!(
                "{} goals and {} actions: there are at most {} of each",
                goals.len(),
                actions.len(),
                u16::MAX
            ));
        }
        let mut domain = Self { goals, actions, max_nodes: MAX_NODES, shape: 0 };
        domain.shape = domain.hash();
        Ok(domain)
    }

    /// The domain with another greatest number of nodes of a search: 10,000 if nothing is said. A
    /// search that reaches it finds no plan.
    #[must_use]
    pub const fn with_max_nodes(mut self, max_nodes: u32) -> Self {
        self.max_nodes = max_nodes;
        self
    }

    /// The goals, the most wanted first.
    #[must_use]
    pub fn goals(&self) -> &[Goal<F>] {
        &self.goals
    }

    /// The actions.
    #[must_use]
    pub fn actions(&self) -> &[PlanAction<F, A>] {
        &self.actions
    }

    /// Whether actions are possible one after the other, and the goal holds then.
    pub(super) fn leads_to(&self, steps: &[u16], mut facts: Facts<F>, goal: &Goal<F>) -> bool {
        for step in steps {
            match self.actions.get(usize::from(*step)) {
                Some(action) if action.when.hold_in(&facts) => action.then.apply_to(&mut facts),
                _ => return false,
            }
        }
        goal.wants.hold_in(&facts)
    }

    /// A hash of the facts and costs.
    fn hash(&self) -> u64 {
        let mut hash = ShapeHash::new();
        F::NAMES.iter().for_each(|name| hash.add(name.as_bytes()));
        for goal in &self.goals {
            hash.add(goal.name.as_bytes());
            goal.wants.words().iter().for_each(|word| hash.add(&word.to_le_bytes()));
        }
        for action in &self.actions {
            hash.add(&action.cost.to_le_bytes());
            let words = action.when.words().into_iter().chain(action.then.words());
            words.for_each(|word| hash.add(&word.to_le_bytes()));
        }
        hash.finish()
    }
}

/// The form in files.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "PlanDomain", bound(deserialize = "A: Deserialize<'de>"))]
struct DomainFile<F: Fact, A> {
    #[serde(deserialize_with = "goals")]
    goals: Vec<Goal<F>>,
    #[serde(deserialize_with = "actions")]
    actions: Vec<PlanAction<F, A>>,
    #[serde(default = "max_nodes")]
    max_nodes: u32,
}

impl<'de, F: Fact, A: Deserialize<'de>> Deserialize<'de> for PlanDomain<F, A> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let DomainFile { goals, actions, max_nodes } = DomainFile::deserialize(deserializer)?;
        Ok(Self::new(goals, actions).map_err(D::Error::custom)?.with_max_nodes(max_nodes))
    }
}

fn goals<'de, F: Fact, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Goal<F>>, D::Error> {
    let goals: Vec<Goal<F>> = deserializer.deserialize_seq(Numbered { of: "goal", items: PhantomData })?;
    for (at, goal) in goals.iter().enumerate() {
        if goals[..at].iter().any(|other| other.name == goal.name) {
            return Err(D::Error::custom(format!("goal {at}: there is a goal `{}` before it", goal.name)));
        }
    }
    Ok(goals)
}

fn actions<'de, F: Fact, A: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<PlanAction<F, A>>, D::Error> {
    deserializer.deserialize_seq(Numbered { of: "action", items: PhantomData })
}

/// Reads a list whose errors have the number of the item, from 0.
struct Numbered<T> {
    of: &'static str,
    items: PhantomData<fn() -> T>,
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for Numbered<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of {}s", self.of)
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut list: S) -> Result<Vec<T>, S::Error> {
        let mut items = Vec::new();
        loop {
            let item = list.next_element();
            match item.map_err(|error| S::Error::custom(format!("{} {}: {error}", self.of, items.len())))? {
                Some(item) => items.push(item),
                None => return Ok(items),
            }
        }
    }
}

//! [`DynamicQuery`]: a query whose components are named at run time, built from parts or parsed
//! from text.
//!
//! [`prepare`](Reflection::prepare) looks the names up once. A run combines the masks of the
//! columns word by word, as a typed query does, and reads values only of the entities that are
//! left.

mod compare;
mod parse;
mod run;

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Deref;

pub use compare::Comparison;
pub use run::QueryRun;

use super::erased::ErasedWorld;
use super::error::{NameKind, ReflectError};
use super::path::ValuePath;
use super::world::{Reflection, split};
use crate::base::component_set::ComponentSet;
use crate::base::mask::{Bits, has_bit};
use crate::entity::Entity;
use crate::value::tree::DynamicValue;

/// A query whose components are named at run time.
///
/// ```
/// use ecs::prelude::*;
/// use ecs::reflect::{Comparison, DynamicQuery, ReflectWorld};
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Component, Serialize, Deserialize)] struct Health { now: u32, max: u32 }
/// # #[derive(Component, Serialize, Deserialize)] struct Frozen;
/// # world! { #[derive(Reflect)] struct Game { components { Health, Frozen } } }
/// let mut game = Game::new();
/// let wolf = game.spawn(Health { now: 3, max: 7 });
/// game.spawn((Health { now: 2, max: 7 }, Frozen));
/// game.spawn(Health { now: 9, max: 9 });
///
/// let weak = DynamicQuery::new().fetch("Health").without("Frozen").compare("Health.now", Comparison::Less, 5);
/// let page = game.reflect().query(&weak)?;
/// assert_eq!((page.rows.len(), page.rows[0].entity), (1, wolf));
/// assert_eq!("Health, without Frozen, Health.now < 5".parse(), Ok(weak));
/// # Ok::<(), ecs::reflect::ReflectError>(())
/// ```
///
/// # Text
/// The parts of a query are separated by commas:
///
/// | text | meaning |
/// |---|---|
/// | `Health` | the entity has the component, and rows contain its value |
/// | `?Health` | rows contain the value, or nothing |
/// | `with Health` | the entity has the component |
/// | `without Health` | the entity lacks the component |
/// | `Health.now < 5` | a comparison of a part of a component with a constant: `=`, `!=`, `<`, `<=`, `>`, `>=`, `contains` |
/// | `ChildOf = 12v3` | a relation to an entity |
/// | `order by Health.now` | the order of the rows; `desc` after it reverses the order |
/// | `skip 20`, `limit 10` | leaves out the first rows, and all after the limit |
/// | `after 12v3` | only entities after this one, in the order of their slots |
///
/// A constant is a number, `"text"`, `true`, `false`, `none`, the name of a variant, or the id of
/// an entity, `12v3` or `12v3@7`.
///
/// # Comparisons
/// Numbers are compared by their value, whatever their types; text, chars and `bool`s with their
/// own kind; a variant with text by its name. A comparison with a part that the value lacks, such
/// as an element of a shorter list, a key that the map does not have, or a field of another
/// variant, does not hold. A part that no value of the type has is an error: a misspelled field or
/// variant, or the fourth element of a tuple of three.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DynamicQuery {
    fetch: Vec<String>,
    optional: Vec<String>,
    with: Vec<String>,
    without: Vec<String>,
    compare: Vec<(String, Comparison, Operand)>,
    order: Vec<(String, bool)>,
    after: Option<Operand>,
    skip: usize,
    limit: Option<usize>,
}

/// The constant of a comparison.
#[derive(Clone, PartialEq, Debug)]
enum Operand {
    Value(DynamicValue),
    /// An id without its world: `12v3`.
    ShortId(String),
}

/// The comparisons and orders of one query, at most: the text may come from a stranger.
const MOST_PARTS: usize = 64;

/// The entities in whose values a path is searched that the component's type does not have, such as
/// the key of a map.
const MOST_SEARCHED: usize = 1_000;

impl DynamicQuery {
    /// A query of all entities, whose rows have no values.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks for the entities with a component, and for its values.
    #[must_use]
    pub fn fetch(mut self, component: impl Into<String>) -> Self {
        self.fetch.push(component.into());
        self
    }

    /// Asks for the values of a component that entities may lack.
    #[must_use]
    pub fn optional(mut self, component: impl Into<String>) -> Self {
        self.optional.push(component.into());
        self
    }

    /// Asks for the entities with a component.
    #[must_use]
    pub fn with(mut self, component: impl Into<String>) -> Self {
        self.with.push(component.into());
        self
    }

    /// Asks for the entities without a component.
    #[must_use]
    pub fn without(mut self, component: impl Into<String>) -> Self {
        self.without.push(component.into());
        self
    }

    /// Asks for the entities with a component, a part of which compares with a constant.
    #[must_use]
    pub fn compare(
        mut self,
        path: impl Into<String>,
        comparison: Comparison,
        value: impl Into<DynamicValue>,
    ) -> Self {
        self.compare.push((path.into(), comparison, Operand::Value(value.into())));
        self
    }

    /// Sorts the rows by a part of a component. Entities without it are the last ones. A second
    /// call sorts the rows with equal values.
    #[must_use]
    pub fn order_by(mut self, path: impl Into<String>, descending: bool) -> Self {
        self.order.push((path.into(), descending));
        self
    }

    /// Leaves out the entities up to this one, in the order of their slots.
    #[must_use]
    pub fn after(mut self, entity: Entity) -> Self {
        self.after = Some(Operand::Value(entity.into()));
        self
    }

    /// Leaves out the first rows.
    #[must_use]
    pub fn skip(mut self, rows: usize) -> Self {
        self.skip = rows;
        self
    }

    /// Leaves out all rows after this number of rows.
    #[must_use]
    pub fn limit(mut self, rows: usize) -> Self {
        self.limit = Some(rows);
        self
    }

    /// Lowers the limit to this number of rows, unless it is lower already: for queries that others
    /// have written.
    ///
    /// ```
    /// use ecs::reflect::DynamicQuery;
    ///
    /// let query: DynamicQuery = "Health, limit 500".parse()?;
    /// assert_eq!(query.at_most(100), "Health, limit 100".parse()?);
    /// # Ok::<(), ecs::reflect::ReflectError>(())
    /// ```
    #[must_use]
    pub fn at_most(mut self, rows: usize) -> Self {
        self.limit = Some(self.limit.map_or(rows, |limit| limit.min(rows)));
        self
    }
}

/// A [`DynamicQuery`] whose names are looked up: see [`Reflection::prepare`].
#[derive(Clone, Debug)]
pub struct PreparedQuery {
    world: &'static [&'static str],
    fetch: Vec<usize>,
    optional: Vec<usize>,
    /// The components that an entity has, each once.
    required: Vec<usize>,
    without: Vec<usize>,
    compare: Vec<(usize, ValuePath, Comparison, DynamicValue)>,
    order: Vec<(usize, ValuePath, bool)>,
    first: usize,
    skip: usize,
    limit: usize,
}

/// The rows that a query has found.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct QueryPage {
    /// The rows, in the order of the query or of the slots of the entities.
    pub rows: Vec<QueryRow>,
    /// Whether the limit has left out rows.
    pub more: bool,
}

/// One entity that a query has found.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct QueryRow {
    /// The entity.
    pub entity: Entity,
    /// The names and values of the components that the query fetches; `None` for an optional
    /// component that the entity lacks.
    pub values: Vec<(&'static str, Option<DynamicValue>)>,
}

impl PreparedQuery {
    /// The components whose values are in the rows.
    pub(super) fn fetched(&self) -> impl Iterator<Item = usize> {
        self.fetch.iter().chain(&self.optional).copied()
    }
}

impl<'w, A: Deref<Target = dyn ErasedWorld + 'w>> Reflection<A> {
    /// Runs a query.
    ///
    /// # Errors
    /// If a name is unknown, a path is malformed, or an id is not that of a live entity.
    pub fn query(&self, query: &DynamicQuery) -> Result<QueryPage, ReflectError> {
        self.run_prepared(&self.prepare(query)?)
    }

    /// Looks up the names of a query, which can then be run many times.
    ///
    /// # Errors
    /// As [`query`](Self::query).
    pub fn prepare(&self, query: &DynamicQuery) -> Result<PreparedQuery, ReflectError> {
        let numbers = |names: &[String]| -> Result<Vec<usize>, ReflectError> {
            names.iter().map(|name| self.number(NameKind::Components, name)).collect()
        };
        if query.compare.len() + query.order.len() > MOST_PARTS {
            let reason = alloc::format!("a query has at most {MOST_PARTS} comparisons and orders");
            return Err(ReflectError::InvalidQuery { at: 0, reason });
        }
        // a component that is named twice is read once
        let mut known = ComponentSet::EMPTY;
        let mut new = |&index: &usize| {
            let is_new = !known.contains(index);
            known = known.with(index);
            is_new
        };
        let (mut fetch, mut optional) = (numbers(&query.fetch)?, numbers(&query.optional)?);
        fetch.retain(&mut new);
        optional.retain(&mut new);
        let mut required = fetch.clone();
        required.extend(numbers(&query.with)?);
        let mut compare = Vec::new();
        for (path, comparison, operand) in &query.compare {
            let (name, steps) = split(None, path)?;
            let index = self.number(NameKind::Components, name)?;
            required.push(index);
            let constant = self.resolve(operand)?;
            self.leads_somewhere(index, &steps, Some((*comparison, &constant)))?;
            compare.push((index, steps, *comparison, constant));
        }
        let mut order = Vec::new();
        for (path, descending) in &query.order {
            let (name, steps) = split(None, path)?;
            let index = self.number(NameKind::Components, name)?;
            self.leads_somewhere(index, &steps, None)?;
            order.push((index, steps, *descending));
        }
        required.sort_unstable();
        required.dedup();
        let first = match &query.after {
            Some(after) => match self.resolve(after)? {
                DynamicValue::EntityId(entity) => entity.slot() as usize + 1,
                _ => 0,
            },
            None => 0,
        };
        Ok(PreparedQuery {
            world: self.world.component_names(),
            fetch,
            optional,
            required,
            without: numbers(&query.without)?,
            compare,
            order,
            first,
            skip: query.skip,
            limit: query.limit.unwrap_or(usize::MAX),
        })
    }

    /// Makes sure that a path leads to a part of the component's type, and that a constant for an
    /// enum is one of its variants.
    ///
    /// The type is what its `Deserialize` reads. A part that only its `Serialize` writes is
    /// accepted if an entity has it.
    fn leads_somewhere(
        &self,
        index: usize,
        path: &ValuePath,
        compared: Option<(Comparison, &DynamicValue)>,
    ) -> Result<(), ReflectError> {
        let constant = match compared {
            Some((
                Comparison::Equal | Comparison::NotEqual,
                DynamicValue::Text(name) | DynamicValue::Variant(name, _),
            )) => Some(name),
            _ => None,
        };
        let is_shown = self.world.component_facts(index).is_some();
        if !is_shown || (path.steps.is_empty() && constant.is_none()) {
            return Ok(());
        }
        let component = self.world.component_names()[index];
        let error = |at, reason| ReflectError::Path { entity: None, path: path.text(component, at), reason };
        match self.component_schema(index).part(&path.steps) {
            Ok(part) => match constant.and_then(|name| part.misspelled(name)) {
                Some(reason) => Err(error(path.steps.len(), reason)),
                None => Ok(()),
            },
            Err((at, reason)) => {
                let mut held = self.entities_with(index);
                let leads = |entity| self.value_of(entity, index).is_ok_and(|value| path.get(&value).is_ok());
                let is_there = held.by_ref().take(MOST_SEARCHED).any(leads) || held.next().is_some();
                if is_there { Ok(()) } else { Err(error(at, reason)) }
            }
        }
    }

    /// The entities that have a component.
    fn entities_with(&self, index: usize) -> impl Iterator<Item = Entity> + '_ {
        let words = 0..self.world.living().alive().len();
        words.flat_map(move |word| {
            Bits(self.world.mask(index, word)).map(move |bit| self.world.living().at(word * 64 + bit))
        })
    }

    /// The constant of a comparison; an id without its world becomes that of a live entity.
    fn resolve(&self, operand: &Operand) -> Result<DynamicValue, ReflectError> {
        let text = match operand {
            Operand::Value(value) => return Ok(value.clone()),
            Operand::ShortId(text) => text,
        };
        let living = self.world.living();
        let slot = text.split('v').next().and_then(|slot| slot.parse::<usize>().ok());
        let entity = slot.filter(|&slot| has_bit(living.alive(), slot)).map(|slot| living.at(slot));
        entity.filter(|entity| entity.to_string() == *text).map(DynamicValue::EntityId).ok_or_else(|| {
            ReflectError::InvalidQuery {
                at: 0,
                reason: alloc::format!("no entity with the id `{text}` is alive"),
            }
        })
    }
}

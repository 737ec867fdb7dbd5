//! [`QueryRun`]: a query that is run in steps, so that a program bounds how long it takes at once.
//! The methods that run a query as a whole take all steps.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Deref;

use super::{Comparison, PreparedQuery, QueryPage, QueryRow, compare};
use crate::base::mask::Bits;
use crate::entity::Entity;
use crate::reflect::erased::ErasedWorld;
use crate::reflect::error::{NameKind, ReflectError};
use crate::reflect::world::Reflection;
use crate::value::tree::DynamicValue;

/// The progress of one run of a [`PreparedQuery`]: see [`Reflection::start`].
#[derive(Clone, Debug)]
pub struct QueryRun {
    /// The masks of the entities to which a relation of the query restricts it: those that have the
    /// relation to its constant.
    sources: Option<Vec<u64>>,
    /// The rows that are still left out for `skip`, and those that the limit still allows.
    skip: usize,
    limit: usize,
    steps: usize,
    more: bool,
    stage: QueryStage,
}

/// The work that a run has left.
#[derive(Clone, Debug)]
enum QueryStage {
    /// Search from this slot on. The entities that were found, with the values by which they are
    /// sorted.
    Search(usize, Vec<(Entity, Vec<Option<DynamicValue>>)>),
    /// Return the entities that were sorted.
    Return(vec::IntoIter<Entity>),
    Done,
}

/// The entities beyond the end of a page that are kept until they are sorted, at least.
const SPARE: usize = 1024;

impl QueryRun {
    /// Whether all rows were returned.
    #[must_use]
    pub fn is_done(&self) -> bool {
        matches!(self.stage, QueryStage::Done)
    }

    /// Whether the limit of the query has left out rows. It is known when the run is done.
    #[must_use]
    pub fn has_more(&self) -> bool {
        self.more
    }

    /// The steps so far: the values that were compared or read to sort by them, and the rows that
    /// were returned or left out for `skip`.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.steps
    }
}

impl<'w, A: Deref<Target = dyn ErasedWorld + 'w>> Reflection<A> {
    /// Runs a query whose names are looked up.
    ///
    /// # Errors
    /// If the query was prepared for another type of world, names a component that this handle does
    /// not show, or if the `Serialize` of a value fails.
    pub fn run_prepared(&self, query: &PreparedQuery) -> Result<QueryPage, ReflectError> {
        let mut run = self.start(query)?;
        let entities = self.advance(query, &mut run, usize::MAX)?;
        let rows = entities.into_iter().map(|entity| self.row(query, entity)).collect::<Result<_, _>>()?;
        Ok(QueryPage { rows, more: run.more })
    }

    /// The entities of a run, without their values.
    ///
    /// ```
    /// use ecs::prelude::*;
    /// use ecs::reflect::{DynamicQuery, ReflectWorld};
    /// # use serde::{Deserialize, Serialize};
    /// # #[derive(Component, Serialize, Deserialize)] struct Health(u32);
    /// # world! { #[derive(Reflect)] struct Game { components { Health } } }
    /// let mut game = Game::new();
    /// let (wolf, bear) = (game.spawn(Health(3)), game.spawn(Health(9)));
    /// let world = game.reflect();
    /// let query = world.prepare(&"with Health, order by Health desc".parse()?)?;
    /// assert_eq!(world.entities_prepared(&query)?, [bear, wolf]);
    /// # Ok::<(), ecs::reflect::ReflectError>(())
    /// ```
    ///
    /// # Errors
    /// As [`run_prepared`](Self::run_prepared).
    pub fn entities_prepared(&self, query: &PreparedQuery) -> Result<Vec<Entity>, ReflectError> {
        self.advance(query, &mut self.start(query)?, usize::MAX)
    }

    /// Begins a run of a query that [`advance`](Self::advance) continues in steps. The world may
    /// change between two of them: an entity is in the result if it matches when the run reaches
    /// it. A comparison of a relation with an entity, `ChildOf = 12v3`, finds those that had the
    /// relation when the run began.
    ///
    /// ```
    /// use ecs::prelude::*;
    /// use ecs::reflect::ReflectWorld;
    /// # use serde::{Deserialize, Serialize};
    /// # #[derive(Component, Serialize, Deserialize)] struct Health(u32);
    /// # world! { #[derive(Reflect)] struct Game { components { Health } } }
    /// let mut game = Game::new();
    /// game.spawn_batch((0..100).map(Health));
    /// let query = game.reflect().prepare(&"Health < 10".parse()?)?;
    /// let mut run = game.reflect().start(&query)?;
    /// let mut rows = Vec::new();
    /// while !run.is_done() {
    ///     let world = game.reflect();
    ///     for entity in world.advance(&query, &mut run, 16)? {
    ///         rows.push(world.row(&query, entity)?);
    ///     }
    ///     // meanwhile, the program does something else
    /// }
    /// assert_eq!((rows.len(), run.steps()), (10, 100));
    /// # Ok::<(), ecs::reflect::ReflectError>(())
    /// ```
    ///
    /// # Errors
    /// If the query was prepared for another type of world, or names a component that this handle
    /// does not show.
    pub fn start(&self, query: &PreparedQuery) -> Result<QueryRun, ReflectError> {
        self.is_for(query)?;
        Ok(QueryRun {
            sources: self.masks_of_sources(query),
            skip: query.skip,
            limit: query.limit,
            steps: 0,
            more: false,
            stage: QueryStage::Search(query.first, Vec::new()),
        })
    }

    /// Continues a run of this query for a number of [`steps`](QueryRun::steps), at least for one
    /// entity. Returns the entities that it has found, in the order of the query or of their slots.
    ///
    /// The rows of an ordered query come after all of its values were read; entities that were
    /// despawned meanwhile are left out.
    ///
    /// # Errors
    /// As [`run_prepared`](Self::run_prepared).
    pub fn advance(
        &self,
        query: &PreparedQuery,
        run: &mut QueryRun,
        steps: usize,
    ) -> Result<Vec<Entity>, ReflectError> {
        self.is_for(query)?;
        let (mut found, end) = (Vec::new(), run.steps.saturating_add(steps.max(1)));
        if let QueryStage::Search(..) = run.stage {
            self.search(query, run, end, &mut found)?;
        }
        if let QueryStage::Return(sorted) = &mut run.stage {
            while run.steps < end
                && let Some(entity) = sorted.next()
            {
                run.steps += 1;
                if self.contains(entity) {
                    found.push(entity);
                }
            }
            if sorted.as_slice().is_empty() {
                run.stage = QueryStage::Done;
            }
        }
        Ok(found)
    }

    /// The row of an entity that a run has found.
    ///
    /// # Errors
    /// If the entity is not alive, or the `Serialize` of a value fails.
    pub fn row(&self, query: &PreparedQuery, entity: Entity) -> Result<QueryRow, ReflectError> {
        self.is_for(query)?;
        self.alive(entity)?;
        let names = self.world.component_names();
        let mut values = Vec::with_capacity(query.fetch.len() + query.optional.len());
        for index in query.fetched() {
            let value = match self.world.has_at(index, entity.slot()) {
                true => Some(self.value_of(entity, index)?),
                false => None,
            };
            values.push((names[index], value));
        }
        Ok(QueryRow { entity, values })
    }

    /// Searches until the run has taken `end` steps. A query without an order appends its entities
    /// to `found`.
    fn search(
        &self,
        query: &PreparedQuery,
        run: &mut QueryRun,
        end: usize,
        found: &mut Vec<Entity>,
    ) -> Result<(), ReflectError> {
        let living = self.world.living();
        let (compares, orders) = (!query.compare.is_empty(), !query.order.is_empty());
        let cost = (query.compare.len() + query.order.len()).max(1);
        let QueryStage::Search(next, mut keys) = core::mem::replace(&mut run.stage, QueryStage::Done) else {
            return Ok(());
        };
        for word in next / 64..living.alive().len() {
            let mut bits = self.word(query, run.sources.as_deref(), word);
            if word == next / 64 {
                bits &= u64::MAX << (next % 64);
            }
            let count = bits.count_ones() as usize;
            if !compares && !orders && run.skip == 0 && count <= run.limit.min(end - run.steps) {
                living.append_ids(word, bits, found);
                (run.limit, run.steps) = (run.limit - count, run.steps + count);
                continue;
            }
            for bit in Bits(bits) {
                let slot = word * 64 + bit;
                if run.steps >= end {
                    run.stage = QueryStage::Search(slot, keys);
                    return Ok(());
                }
                run.steps = run.steps.saturating_add(cost);
                let entity = living.at(slot);
                if !self.holds(query, entity)? {
                    continue;
                }
                if orders {
                    keys.push((entity, self.keys(query, entity)?));
                    let most = run.skip.saturating_add(run.limit).saturating_add(1);
                    if keys.len() >= most.saturating_mul(2).saturating_add(SPARE) {
                        sort(query, &mut keys);
                        keys.truncate(most);
                    }
                } else if run.skip > 0 {
                    run.skip -= 1;
                } else if run.limit > 0 {
                    run.limit -= 1;
                    found.push(entity);
                } else {
                    run.more = true;
                    return Ok(());
                }
            }
        }
        if orders {
            sort(query, &mut keys);
            let end = run.skip.saturating_add(run.limit);
            run.more = keys.len() > end;
            let sorted = keys.into_iter().map(|(entity, _)| entity).take(end).skip(run.skip);
            run.stage = QueryStage::Return(sorted.collect::<Vec<_>>().into_iter());
        }
        Ok(())
    }

    /// The number of entities that match, whatever the query skips and limits.
    ///
    /// # Errors
    /// As [`run_prepared`](Self::run_prepared).
    pub fn count_prepared(&self, query: &PreparedQuery) -> Result<usize, ReflectError> {
        self.is_for(query)?;
        let (mut count, sources) = (0, self.masks_of_sources(query));
        for word in 0..self.world.living().alive().len() {
            let bits = self.word(query, sources.as_deref(), word);
            if query.compare.is_empty() {
                count += bits.count_ones() as usize;
                continue;
            }
            for bit in Bits(bits) {
                count += usize::from(self.holds(query, self.world.living().at(word * 64 + bit))?);
            }
        }
        Ok(count)
    }

    /// Makes sure that a query was prepared for this type of world, and names only components that
    /// are shown.
    pub(in crate::reflect) fn is_for(&self, query: &PreparedQuery) -> Result<(), ReflectError> {
        let numbers = [&query.required, &query.optional, &query.without].into_iter().flatten().copied();
        let mut numbers = numbers.chain(query.order.iter().map(|(index, ..)| *index));
        if core::ptr::eq(query.world, self.world.component_names())
            || query.world == self.world.component_names()
        {
            let hidden = numbers.find(|index| !self.shows.components.contains(*index));
            return match hidden {
                Some(index) => self.number(NameKind::Components, query.world[index]).map(drop),
                None => Ok(()),
            };
        }
        Err(ReflectError::InvalidQuery { at: 0, reason: "the query was prepared for another world".into() })
    }

    /// The masks of the entities that have the relations of the query to their constants, so that
    /// `ChildOf = 12v3` reads the children of one entity only; `None` if the query has no such
    /// comparison.
    fn masks_of_sources(&self, query: &PreparedQuery) -> Option<Vec<u64>> {
        let mut masks: Option<Vec<u64>> = None;
        for (index, path, comparison, constant) in &query.compare {
            let is_relation =
                self.world.component_facts(*index).is_some_and(|facts| facts.rules.relation.is_some());
            let &DynamicValue::EntityId(target) = constant else { continue };
            // the list of a target that was despawned is gone, also if its sources still have the
            // relation
            let is_listed = is_relation && self.world.living().contains(target);
            if !is_listed || !path.steps.is_empty() || *comparison != Comparison::Equal {
                continue;
            }
            let mut of_target = vec![0; self.world.living().alive().len()];
            for source in self.world.sources(*index, target) {
                if let Some(word) = of_target.get_mut(source.slot() as usize / 64) {
                    *word |= 1 << (source.slot() % 64);
                }
            }
            if let Some(masks) = &masks {
                of_target.iter_mut().zip(masks).for_each(|(word, other)| *word &= other);
            }
            masks = Some(of_target);
        }
        masks
    }

    /// The entities of a word that have all required components and none of the others, and are in
    /// the masks.
    fn word(&self, query: &PreparedQuery, masks: Option<&[u64]>, word: usize) -> u64 {
        let mut bits = self.world.living().alive()[word];
        if let Some(masks) = masks {
            bits &= masks.get(word).copied().unwrap_or(0);
        }
        for &index in &query.required {
            if bits == 0 {
                return 0;
            }
            bits &= self.world.mask(index, word);
        }
        query.without.iter().fold(bits, |bits, &index| bits & !self.world.mask(index, word))
    }

    /// Whether all comparisons hold for an entity that has the components.
    fn holds(&self, query: &PreparedQuery, entity: Entity) -> Result<bool, ReflectError> {
        for (index, path, comparison, constant) in &query.compare {
            let value = self.value_of(entity, *index)?;
            if !path.get(&value).is_ok_and(|part| comparison.holds(part, constant)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The values by which an entity is sorted.
    fn keys(&self, query: &PreparedQuery, entity: Entity) -> Result<Vec<Option<DynamicValue>>, ReflectError> {
        let keys = query.order.iter().map(|(index, path, _)| {
            if !self.world.has_at(*index, entity.slot()) {
                return Ok(None);
            }
            let value = self.value_of(entity, *index)?;
            Ok(path.get(&value).ok().cloned())
        });
        keys.collect()
    }
}

/// Sorts entities by their keys. Entities with equal keys stay in the order of their slots.
fn sort(query: &PreparedQuery, keys: &mut [(Entity, Vec<Option<DynamicValue>>)]) {
    keys.sort_by(|(_, a), (_, b)| {
        compare::keys(a, b, query.order.iter().map(|(.., descending)| *descending))
    });
}

//! What a user does with a query.
#![expect(unsafe_code, reason = "a query may give out what its access set, checked before, declares")]

use core::marker::PhantomData;

use super::chunk::{ChunkData, Chunks};
use super::data::{Data, QueryData, ReadData};
use super::filter::{Filter, QueryFilter};
use super::iter::{Iter, Rows, RowsOf};
use crate::base::mask::Bits;
use crate::entity::Entity;
use crate::entity::allocator::Entities;
use crate::entity::set::EntitySet;
use crate::error::{GetManyError, SingleError};
use crate::world::{World, WorldCell};

/// What one entity gives to a shared borrow of a query.
pub type ReadItem<'q, D> = <<D as Data>::ReadOnly as Data>::Item<'q>;

/// The entities that have what `D` asks for and pass the filter `F`.
///
/// A system takes it as a parameter; outside systems [`World::query`] and [`World::query_mut`] make one.
/// Entities come in the order of their slots. Methods that take `&self` read: of `&mut T` they give `&T`.
pub struct Query<'w, D: Data, F: Filter = ()> {
    data: D::Columns,
    filter: F::Columns,
    entities: &'w Entities,
    borrow: PhantomData<&'w mut ()>,
}

impl<'w, D: Data, F: Filter> Query<'w, D, F> {
    /// # Safety
    /// The columns are those of `D` and `F`, of the world of `entities`, and for `'w` nobody accesses them in a way that clashes with
    /// what `D` and `F` declare. Unless the query stays on the current thread, that world [`Has`](crate::Has) the components of
    /// `D`.
    #[inline(always)]
    pub(crate) unsafe fn new(data: D::Columns, filter: F::Columns, entities: &'w Entities) -> Self {
        Self { data, filter, entities, borrow: PhantomData }
    }

    /// # Safety
    /// As for [`new`](Self::new).
    #[inline(always)]
    pub(crate) unsafe fn of<W: World>(world: WorldCell<'w, W>) -> Self
    where
        D: QueryData<W>,
        F: QueryFilter<W>,
    {
        // SAFETY: the caller's promise.
        unsafe { Self::new(D::columns(world), F::columns(world), world.entities()) }
    }

    #[inline(always)]
    pub(super) fn rows(&self) -> RowsOf<D, F> {
        Rows::new(self.data, self.filter, self.entities)
    }

    /// The same query for a shorter time.
    #[inline(always)]
    pub fn reborrow(&mut self) -> Query<'_, D, F> {
        Query { data: self.data, filter: self.filter, entities: self.entities, borrow: PhantomData }
    }

    /// The same query once more, as both only read.
    #[inline(always)]
    pub(super) fn copy(&self) -> Query<'_, D, F>
    where
        D: ReadData,
    {
        Query { data: self.data, filter: self.filter, entities: self.entities, borrow: PhantomData }
    }

    /// The items, read only.
    #[inline(always)]
    pub fn iter(&self) -> Iter<'_, D::ReadOnly, F> {
        self.as_read_only().into_iter()
    }

    /// The same query, read only: a copy that can be passed on.
    #[inline(always)]
    pub fn as_read_only(&self) -> Query<'_, D::ReadOnly, F> {
        Query { data: self.data, filter: self.filter, entities: self.entities, borrow: PhantomData }
    }

    /// The items.
    #[inline(always)]
    pub fn iter_mut(&mut self) -> Iter<'_, D, F> {
        // SAFETY: `&mut self` makes every item this iterator's alone.
        unsafe { Iter::new(self.rows()) }
    }

    /// Calls `f` with every item: the fastest way to go through all.
    #[inline(always)]
    pub fn for_each(&mut self, f: impl FnMut(D::Item<'_>)) {
        self.iter_mut().for_each(f);
    }

    /// The rows as contiguous slices, one for each element: longest runs of matching slots, none longer than a page.
    ///
    /// Over slices the compiler can go number by number instead of entity by entity.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Component)] struct Position([f32; 3]);
    /// # #[derive(Component)] struct Velocity([f32; 3]);
    /// # world! { struct Game { components { Position, Velocity } } }
    /// # let mut game = Game::new();
    /// # game.spawn((Position([0.0; 3]), Velocity([1.0; 3])));
    /// for (positions, velocities) in game.query_mut::<(&mut Position, &Velocity)>().chunks() {
    ///     for (position, velocity) in positions.iter_mut().zip(velocities) {
    ///         position.0[0] += velocity.0[0];
    ///     }
    /// }
    /// ```
    pub fn chunks(&mut self) -> Chunks<'_, D, F>
    where
        D: ChunkData,
    {
        // SAFETY: `&mut self` makes every item this iterator's alone.
        unsafe { Chunks::new(self.rows()) }
    }

    /// Calls `f` with every unordered pair of different entities.
    ///
    /// Cost: with `n` entities, `n * (n - 1) / 2` calls.
    pub fn pairs_mut(&mut self, mut f: impl FnMut(D::Item<'_>, D::Item<'_>)) {
        let rows = self.rows();
        // SAFETY: within bounds by the loops; two different slots, so that the items do not overlap, and both are
        // gone when `f` returns, since it must take items of any lifetime.
        unsafe {
            for first in rows.first..rows.words {
                for i in Bits(rows.mask(first)) {
                    let base = D::base(rows.data, first);
                    let above = if i == 63 { 0 } else { u64::MAX << (i + 1) };
                    for j in Bits(rows.mask(first) & above) {
                        f(D::at(base, i), D::at(base, j));
                    }
                    for second in first + 1..rows.words {
                        let mask = rows.mask(second);
                        if mask != 0 {
                            let other = D::base(rows.data, second);
                            for j in Bits(mask) {
                                f(D::at(base, i), D::at(other, j));
                            }
                        }
                    }
                }
            }
        }
    }

    /// Whether the entity lives and matches.
    #[inline]
    pub fn contains(&self, entity: Entity) -> bool {
        self.find(entity).is_some()
    }

    /// The word and bit of an entity that matches.
    #[inline(always)]
    fn find(&self, entity: Entity) -> Option<(usize, usize)> {
        if !self.entities.contains(entity) {
            return None;
        }
        let (rows, word, bit) = (self.rows(), entity.slot() as usize / 64, entity.slot() as usize % 64);
        // SAFETY: within bounds.
        (word < rows.words && unsafe { rows.mask(word) } >> bit & 1 == 1).then_some((word, bit))
    }

    /// # Safety
    /// The item may be given out.
    #[inline(always)]
    pub(super) unsafe fn item<'q>(&self, entity: Entity) -> Option<D::Item<'q>> {
        let (word, bit) = self.find(entity)?;
        // SAFETY: the word is within bounds and the slot matches.
        Some(unsafe { D::at(D::base(self.data, word), bit) })
    }

    /// What one entity gives, read only; `None` if it is gone or does not match.
    #[inline]
    pub fn get(&self, entity: Entity) -> Option<ReadItem<'_, D>> {
        // SAFETY: it only reads, and `&self` keeps writers away.
        unsafe { self.as_read_only().item(entity) }
    }

    /// What one entity gives; `None` if it is gone or does not match.
    #[inline]
    pub fn get_mut(&mut self, entity: Entity) -> Option<D::Item<'_>> {
        // SAFETY: `&mut self` makes the item the only one.
        unsafe { self.item(entity) }
    }

    /// What several entities give, at once.
    ///
    /// # Errors
    /// If an id occurs twice, or an entity is gone or does not match.
    pub fn get_many_mut<const N: usize>(
        &mut self,
        entities: [Entity; N],
    ) -> Result<[D::Item<'_>; N], GetManyError> {
        for (i, &entity) in entities.iter().enumerate() {
            if entities[..i].contains(&entity) {
                return Err(GetManyError::Twice(entity));
            }
            if !self.contains(entity) {
                return Err(GetManyError::NoMatch(entity));
            }
        }
        // SAFETY: the entities are different and current, hence of different slots: the items do not overlap.
        Ok(entities.map(|entity| unsafe { self.item(entity) }.expect("found above")))
    }

    /// The only item, read only.
    ///
    /// # Errors
    /// If there is none, or more than one.
    pub fn single(&self) -> Result<ReadItem<'_, D>, SingleError> {
        only(self.iter())
    }

    /// The only item.
    ///
    /// # Errors
    /// If there is none, or more than one.
    pub fn single_mut(&mut self) -> Result<D::Item<'_>, SingleError> {
        only(self.iter_mut())
    }

    /// How many entities match. Counts bits: 64 entities at a time.
    pub fn len(&self) -> usize {
        let rows = self.rows();
        // SAFETY: within bounds.
        (rows.first..rows.words).map(|word| unsafe { rows.mask(word) }.count_ones() as usize).sum()
    }

    /// Whether no entity matches.
    pub fn is_empty(&self) -> bool {
        let rows = self.rows();
        // SAFETY: within bounds.
        (rows.first..rows.words).all(|word| unsafe { rows.mask(word) } == 0)
    }

    /// The entities that match now, as a set.
    pub fn to_set(&self) -> EntitySet {
        let rows = self.rows();
        (rows.first..rows.words)
            // SAFETY: within bounds.
            .flat_map(|word| Bits(unsafe { rows.mask(word) }).map(move |bit| word * 64 + bit))
            .map(|slot| self.entities.at(slot))
            .collect()
    }
}

pub(super) fn only<I: Iterator>(mut items: I) -> Result<I::Item, SingleError> {
    match (items.next(), items.next()) {
        (Some(item), None) => Ok(item),
        (None, _) => Err(SingleError::None),
        (Some(_), Some(_)) => Err(SingleError::Many),
    }
}

impl<D: ReadData, F: Filter> Clone for Query<'_, D, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: ReadData, F: Filter> Copy for Query<'_, D, F> {}

impl<'q, D: Data, F: Filter> IntoIterator for &'q Query<'_, D, F> {
    type Item = ReadItem<'q, D>;
    type IntoIter = Iter<'q, D::ReadOnly, F>;
    #[inline(always)]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'q, D: Data, F: Filter> IntoIterator for &'q mut Query<'_, D, F> {
    type Item = D::Item<'q>;
    type IntoIter = Iter<'q, D, F>;
    #[inline(always)]
    fn into_iter(self) -> Iter<'q, D, F> {
        self.iter_mut()
    }
}

impl<'w, D: Data, F: Filter> IntoIterator for Query<'w, D, F> {
    type Item = D::Item<'w>;
    type IntoIter = Iter<'w, D, F>;
    #[inline(always)]
    fn into_iter(self) -> Iter<'w, D, F> {
        // SAFETY: the query is used up, so for `'w` every item is this iterator's alone (or only reads).
        unsafe { Iter::new(self.rows()) }
    }
}

impl<D: Data, F: Filter> core::fmt::Debug for Query<'_, D, F> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Query").field("len", &self.len()).finish_non_exhaustive()
    }
}

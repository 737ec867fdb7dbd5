//! [`Query`]: the type that systems take as a parameter and that [`WorldQuery`](super::WorldQuery)
//! dereferences to.
#![expect(unsafe_code, reason = "a query may give out what its access set, checked before, declares")]

use core::marker::PhantomData;

use super::chunk::{ChunkData, Chunks};
use super::data::{Data, QueryData, RawEntities, ReadData};
use super::filter::{Filter, QueryFilter};
use super::iter::{Iter, Rows, RowsOf};
use super::passed_over::{PassedColumnsList, PassedOver, PassedOverByQuery};
use super::slots::RequiredColumn;
use crate::base::mask::Bits;
use crate::base::tick::Ticks;
use crate::component::kind::Unique;
use crate::component::{Component, ComponentKind};
use crate::entity::Entity;
use crate::entity::allocator::Entities;
use crate::entity::set::EntitySet;
use crate::error::SingleError;
use crate::raw_world::{RawWorld, WorldCell};
use crate::storage::column::Column;

/// The item of a query with data `D` when the query is borrowed shared: `&T` for the data `&mut T`.
pub type ReadItem<'q, D> = <<D as Data>::ReadOnly as Data>::Item<'q>;

/// The entities that match the data `D` and pass the filter `F`, with access to their components.
///
/// A system takes a query as a parameter; outside systems, [`World::query`](crate::World::query)
/// and [`World::query_mut`](crate::World::query_mut) return one. For `D` see [`Data`], for `F` see
/// [`Filter`]. Items are given in the order of the entities' slots, which does not depend on the
/// number of threads. Methods that take `&self` give shared references: `&T` for the data `&mut T`.
///
/// ```
/// use ecs::prelude::*;
///
/// #[derive(Component)] struct Position(f32);
/// #[derive(Component)] struct Velocity(f32);
/// #[derive(Component)] struct Frozen;
///
/// world! { struct Game { components { Position, Velocity, Frozen } } schedule tick { movement } }
///
/// #[system(Game)]
/// fn movement(mut moving: Query<(&mut Position, &Velocity), Without<Frozen>>) {
///     for (position, velocity) in &mut moving {
///         position.0 += velocity.0;
///     }
/// }
///
/// let mut game = Game::new();
/// let ball = game.spawn((Position(0.0), Velocity(1.0)));
/// let ice = game.spawn((Position(0.0), Velocity(1.0), Frozen));
/// game.tick();
/// assert_eq!(game.get::<Position>(ball).unwrap().0, 1.0);
/// assert_eq!(game.get::<Position>(ice).unwrap().0, 0.0);
/// ```
///
/// Cost: for each 64 slots of the range in which all columns have values, one combination of bits,
/// and then the matching entities only. [`get`](Self::get) takes constant time.
pub struct Query<'w, D: Data, F: Filter = ()> {
    pub(super) data: D::Columns,
    pub(super) filter: F::Columns,
    pub(super) passed_over: PassedOver,
    pub(super) entities: &'w Entities,
    pub(super) borrow: PhantomData<&'w mut ()>,
}

/// Iterates over the values of a column, which need not be that of a world.
pub(crate) fn iter_of_column<'w, T: 'static>(
    column: &'w Column<T>,
    entities: &'w Entities,
) -> Iter<'w, (Entity, &'static T)> {
    let columns = (RawEntities::new(entities), RequiredColumn(column.raw()));
    // SAFETY: the column is borrowed shared for `'w`, and `(Entity, &T)` only reads.
    unsafe { Query::<(Entity, &'static T)>::new(columns, (), PassedOver::NONE, entities) }.into_iter()
}

/// Iterates over the values of a column, which need not be that of a world, with mutable borrows of
/// them.
pub(crate) fn iter_mut_of_column<'w, T: Component>(
    column: &'w mut Column<T>,
    entities: &'w Entities,
    ticks: Ticks,
) -> Iter<'w, (Entity, Unique<T>)> {
    let columns = (RawEntities::new(entities), T::Kind::columns(column, ticks));
    // SAFETY: the column is borrowed mutably for `'w`; the columns are those of the query element
    // `Unique<T>`, since `ComponentKind` is sealed.
    unsafe { Query::<(Entity, Unique<T>)>::new(columns, (), PassedOver::NONE, entities) }.into_iter()
}

impl<'w, D: Data, F: Filter> Query<'w, D, F> {
    /// # Safety
    /// The columns are those of `D` and `F`, and `passed_over` those that they do not name, of the
    /// world of `entities`; and during `'w` no one accesses them in a way that clashes with the
    /// accesses that `D` and `F` declare. If the query can be sent to another thread, that world
    /// [`Has`](crate::Has) the components of `D`.
    #[inline(always)]
    pub(crate) unsafe fn new(
        data: D::Columns,
        filter: F::Columns,
        passed_over: PassedOver,
        entities: &'w Entities,
    ) -> Self {
        Self { data, filter, passed_over, entities, borrow: PhantomData }
    }

    /// # Safety
    /// During `'w` no one accesses `world` in a way that clashes with the accesses that `D` and `F`
    /// declare.
    #[inline(always)]
    pub(crate) unsafe fn of<W: RawWorld>(world: WorldCell<'w, W>) -> Self
    where
        D: QueryData<W>,
        F: QueryFilter<W>,
    {
        // SAFETY: the caller promises that no clashing access happens during `'w`; columns and
        // entities are those of `world`, and `QueryData<W>` is implemented for components that `W`
        // has.
        unsafe {
            let passed_over = PassedOver::new(world, PassedOverByQuery::<W, D, F>::COLUMNS);
            Self::new(D::columns(world), F::columns(world), passed_over, world.entities())
        }
    }

    /// The query of a world that is borrowed shared.
    #[inline(always)]
    pub(super) fn shared<W: RawWorld>(world: &'w W) -> Self
    where
        D: QueryData<W> + ReadData,
        F: QueryFilter<W>,
    {
        // SAFETY: the world is borrowed shared for `'w`, and the query only reads.
        unsafe { Self::of(WorldCell::shared(world)) }
    }

    #[inline(always)]
    pub(super) fn rows(&self) -> RowsOf<D, F> {
        Rows::new(self.data, self.filter, self.passed_over, self.entities)
    }

    /// Borrows the query for a shorter time, to pass it by value to a function and use it again
    /// later.
    #[inline(always)]
    pub fn reborrow(&mut self) -> Query<'_, D, F> {
        let Self { data, filter, passed_over, entities, borrow: _ } = *self;
        Query { data, filter, passed_over, entities, borrow: PhantomData }
    }

    /// Copies the query: both only read.
    #[inline(always)]
    pub(crate) fn copy(&self) -> Query<'_, D, F>
    where
        D: ReadData,
    {
        let Self { data, filter, passed_over, entities, borrow: _ } = *self;
        Query { data, filter, passed_over, entities, borrow: PhantomData }
    }

    /// Iterates over the items, with shared references.
    #[inline(always)]
    pub fn iter(&self) -> Iter<'_, D::ReadOnly, F> {
        self.as_read_only().into_iter()
    }

    /// A copy of the query with shared references only, which is `Copy`.
    #[inline(always)]
    pub fn as_read_only(&self) -> Query<'_, D::ReadOnly, F> {
        let Self { data, filter, passed_over, entities, borrow: _ } = *self;
        Query { data, filter, passed_over, entities, borrow: PhantomData }
    }

    /// Iterates over the items.
    #[inline(always)]
    pub fn iter_mut(&mut self) -> Iter<'_, D, F> {
        // SAFETY: `&mut self` borrows the query exclusively for as long as the items live, so no
        // other item of it exists.
        unsafe { Iter::new(self.rows()) }
    }

    /// Calls `f` with every item: the fastest way to iterate over all items on one thread.
    #[inline(always)]
    pub fn for_each(&mut self, f: impl FnMut(D::Item<'_>)) {
        self.iter_mut().for_each(f);
    }

    /// Iterates over the matching slots in contiguous slices, one slice for each element of `D`.
    ///
    /// A chunk is a run of adjacent matching slots, as long as possible within one page (64 to
    /// 4,096 values, by their size). A loop over slices can be vectorised over the fields of the
    /// components. With a tracked component in `D` a chunk has at most 64 values: that of `Mut<T>` is
    /// a [`MutSlice`](super::MutSlice), which marks all of them as changed when it is borrowed
    /// mutably, and that of `Ref<T>` is `&[T]`.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Component)] struct Position([f32; 3]);
    /// # #[derive(Component)] struct Velocity([f32; 3]);
    /// # world! { struct Game { components { Position, Velocity } } }
    /// # let mut game = Game::new();
    /// # game.spawn((Position([0.0; 3]), Velocity([1.0; 3])));
    /// for (positions, velocities) in game.query_mut::<(&mut Position, &Velocity)>().chunks_mut() {
    ///     for (position, velocity) in positions.iter_mut().zip(velocities) {
    ///         position.0[0] += velocity.0[0];
    ///     }
    /// }
    /// ```
    pub fn chunks_mut(&mut self) -> Chunks<'_, D, F>
    where
        D: ChunkData,
    {
        // SAFETY: `&mut self` borrows the query exclusively for as long as the items live, so no
        // other item of it exists.
        unsafe { Chunks::new(self.rows()) }
    }

    /// The contiguous slices of [`chunks_mut`](Self::chunks_mut), to read: `&[T]` for the data `&mut
    /// T`.
    pub fn chunks(&self) -> Chunks<'_, D::ReadOnly, F>
    where
        D::ReadOnly: ChunkData,
    {
        // SAFETY: `ReadOnly` only reads, and `&self` excludes mutable items of this query.
        unsafe { Chunks::new(self.as_read_only().rows()) }
    }

    /// Whether the entity is alive and matches.
    #[inline]
    pub fn contains(&self, entity: Entity) -> bool {
        self.find(entity).is_some()
    }

    /// The word and the bit of an entity's slot; `None` if the entity is despawned or does not
    /// match.
    #[inline(always)]
    pub(super) fn find(&self, entity: Entity) -> Option<(usize, usize)> {
        if !self.entities.contains(entity) {
            return None;
        }
        let (rows, word, bit) = (self.rows(), entity.slot() as usize / 64, entity.slot() as usize % 64);
        // SAFETY: `word < rows.words` is tested before the call.
        (word < rows.words && unsafe { rows.mask(word) } >> bit & 1 == 1).then_some((word, bit))
    }

    /// The item of an entity; `None` if the entity is despawned or does not match.
    ///
    /// # Safety
    /// During `'q` no other item clashes with this one.
    #[inline(always)]
    pub(super) unsafe fn item<'q>(&self, entity: Entity) -> Option<D::Item<'q>> {
        let (word, bit) = self.find(entity)?;
        // SAFETY: `find` returned the word and the bit, so the word is below the end and the slot
        // matches.
        Some(unsafe { D::at(D::base(self.data, word), bit) })
    }

    /// The item of an entity, with shared references; `None` if the entity is despawned or does not
    /// match.
    #[inline]
    #[rustfmt::skip]
    pub fn get(&self, entity: Entity) -> Option<ReadItem<'_, D>> // by id; the third item: `iter().nth(2)`
    {
        // SAFETY: `ReadOnly` only reads, and `&self` excludes mutable items of this query.
        unsafe { self.as_read_only().item(entity) }
    }

    /// The item of an entity; `None` if the entity is despawned or does not match.
    #[inline]
    pub fn get_mut(&mut self, entity: Entity) -> Option<D::Item<'_>> {
        // SAFETY: `&mut self` borrows the query exclusively for as long as the item lives.
        unsafe { self.item(entity) }
    }

    /// The item of the only entity that matches, with shared references.
    ///
    /// # Errors
    /// If no entity matches, or more than one.
    pub fn single(&self) -> Result<ReadItem<'_, D>, SingleError> {
        only(self.iter())
    }

    /// The item of the only entity that matches.
    ///
    /// # Errors
    /// If no entity matches, or more than one.
    pub fn single_mut(&mut self) -> Result<D::Item<'_>, SingleError> {
        only(self.iter_mut())
    }

    /// The word and the bit of the only slot that matches.
    ///
    /// # Errors
    /// If no entity matches, or more than one.
    pub(crate) fn find_only(&self) -> Result<(usize, usize), SingleError> {
        // SAFETY: the query borrows the world.
        let mut masks = unsafe { self.rows().masks() }.filter(|(_, mask)| *mask != 0);
        match (masks.next(), masks.next()) {
            (Some((word, mask)), None) if mask.is_power_of_two() => {
                Ok((word, mask.trailing_zeros() as usize))
            }
            (None, _) => Err(SingleError::NoEntity),
            _ => Err(SingleError::SeveralEntities),
        }
    }

    /// The item of a slot, by its word and its bit.
    ///
    /// # Safety
    /// [`find_only`](Self::find_only) of this query has returned the word and the bit, and during
    /// `'q` no other item clashes with this one.
    #[inline(always)]
    pub(crate) unsafe fn at<'q>(&self, word: usize, bit: usize) -> D::Item<'q> {
        // SAFETY: the slot matches, since the query borrows the world; so its word is below the
        // end, and its bit is set.
        unsafe { D::at(D::base(self.data, word), bit) }
    }

    /// The id of the entity in a slot.
    pub(crate) fn entity_at(&self, slot: usize) -> Entity {
        self.entities.at(slot)
    }

    /// The number of entities that match. Cost: counts bits, 64 slots at a time, without access to
    /// the values.
    pub fn len(&self) -> usize {
        // SAFETY: the query borrows the world.
        unsafe { self.rows().masks() }.map(|(_, mask)| mask.count_ones() as usize).sum()
    }

    /// Whether no entity matches.
    pub fn is_empty(&self) -> bool {
        // SAFETY: the query borrows the world.
        unsafe { self.rows().masks() }.all(|(_, mask)| mask == 0)
    }

    /// Iterator over the items of those entities of a set that match, in the order of their slots.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Component)] struct Health(u32);
    /// # #[derive(Component)] struct Selected;
    /// # world! { struct Game { components { Health, Selected } } }
    /// # let mut game = Game::new();
    /// # game.spawn_batch([Health(1), Health(2)]);
    /// let chosen = game.spawn((Health(3), Selected));
    /// let group = game.entities().filter::<With<Selected>>().to_set();
    /// game.remove::<Selected>(chosen)?;
    /// let sum: u32 = game.query::<&Health>().within(&group).map(|health| health.0).sum();
    /// assert_eq!(sum, 3);
    /// game.query_mut::<&mut Health>().into_query().for_each_within(&group, |health| health.0 = 0);
    /// # assert_eq!(game.get::<Health>(chosen).map(|health| health.0), Some(0));
    /// # Ok::<(), ecs::error::NoSuchEntity>(())
    /// ```
    ///
    /// Cost: one access by id for each entity of the set, however many match the query.
    pub fn within<'s>(&'s self, set: &'s EntitySet) -> impl Iterator<Item = ReadItem<'s, D>> {
        set.iter().filter_map(|entity| self.get(entity))
    }

    /// Calls `f` with the items of those entities of a set that match: see
    /// [`within`](Self::within).
    pub fn for_each_within(&mut self, set: &EntitySet, mut f: impl FnMut(D::Item<'_>)) {
        for entity in set.iter() {
            if let Some(item) = self.get_mut(entity) {
                f(item);
            }
        }
    }

    /// Collects the entities that match into a set.
    pub fn to_set(&self) -> EntitySet {
        // SAFETY: the query borrows the world.
        unsafe { self.rows().masks() }
            .flat_map(|(word, mask)| Bits(mask).map(move |bit| word * 64 + bit))
            .map(|slot| self.entities.at(slot))
            .collect()
    }
}

pub(super) fn only<I: Iterator>(mut items: I) -> Result<I::Item, SingleError> {
    match (items.next(), items.next()) {
        (Some(item), None) => Ok(item),
        (None, _) => Err(SingleError::NoEntity),
        (Some(_), Some(_)) => Err(SingleError::SeveralEntities),
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
        // SAFETY: the query is consumed, so during `'w` no other item of it exists, unless the
        // query is `Copy` and only reads.
        unsafe { Iter::new(self.rows()) }
    }
}

impl<D: Data, F: Filter> core::fmt::Debug for Query<'_, D, F> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Query").field("len", &self.len()).finish_non_exhaustive()
    }
}

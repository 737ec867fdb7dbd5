//! [`WorldQuery`]: queries outside systems, `world.query::<D>().filter::<F>()`.
#![expect(
    unsafe_code,
    reason = "the borrow of the world, and the set of borrows in the bounds, make queries sound"
)]

use alloc::vec::Vec;
use core::ops::Deref;

use super::chunk::{ChunkData, Chunks};
use super::data::{Borrows, Data, QueryData, ReadData};
use super::filter::{Filter, QueryFilter};
use super::iter::Iter;
use super::param::{Query, ReadItem};
use super::several::Others;
use crate::base::typeset::EmptySet;
use crate::entity::Entity;
use crate::error::{GetManyError, SingleError};
use crate::raw_world::{RawWorld, WorldCell, discard};

/// A query outside systems: a [`Query`] to which a [`filter`](Self::filter) can be added.
///
/// [`World::query`](crate::World::query) and [`World::query_mut`](crate::World::query_mut) return
/// it. It dereferences to [`Query`], and has the methods of `Query` that need `&mut self`.
///
/// ```
/// # use ecs::prelude::*;
/// # #[derive(Component, PartialEq, Debug)] struct Health(u32);
/// # #[derive(Component)] struct Hero;
/// # world! { struct Game { components { Health, Hero } } }
/// let mut game = Game::new();
/// let hero = game.spawn((Health(5), Hero));
/// game.spawn(Health(1));
/// game.query_mut::<&mut Health>().filter::<With<Hero>>().for_each(|health| health.0 += 1);
/// assert_eq!(game.query::<(Entity, &Health)>().iter().max_by_key(|(_, health)| health.0), Some((hero, &Health(6))));
/// ```
pub struct WorldQuery<'w, W: RawWorld, D: Data, F: Filter = ()> {
    pub(super) world: WorldCell<'w, W>,
    pub(super) query: Query<'w, D, F>,
}

impl<'w, W: RawWorld, D: QueryData<W>> WorldQuery<'w, W, D> {
    /// A query of a world that is borrowed shared.
    #[inline(always)]
    pub(crate) fn shared(world: &'w W) -> Self
    where
        D: ReadData,
    {
        // SAFETY: the world is borrowed shared for `'w`, and `D` only reads.
        unsafe { Self::new(WorldCell::shared(world)) }
    }

    /// A query of a world that is borrowed mutably.
    #[inline(always)]
    pub(crate) fn exclusive(world: &'w mut W) -> Self {
        // SAFETY: the world is borrowed mutably for `'w`.
        unsafe { Self::new(WorldCell::new(world)) }
    }

    /// # Safety
    /// The world is borrowed for `'w`, mutably unless `D` only reads.
    #[inline(always)]
    unsafe fn new(world: WorldCell<'w, W>) -> Self {
        const { assert!(D::ACCESS.alias.is_empty(), "this query borrows a component twice, once mutably") };
        // SAFETY: the caller promises the borrow of the world, and the assertion excludes that the
        // query borrows a component twice.
        Self { world, query: unsafe { Query::of(world) } }
    }

    /// Restricts the query to the entities that pass `F`: one filter, or a tuple of filters.
    #[inline(always)]
    pub fn filter<F: QueryFilter<W>>(self) -> WorldQuery<'w, W, D, F> // `filter::<With<A>>()`; of items: `iter().filter(..)`
    {
        const { assert!(D::ACCESS.value_clash(&F::ACCESS).is_empty(), "the filter reads what the query writes") }
        // SAFETY: `self` is consumed, so only the new query accesses the values; the filter reads
        // presence and stamps, which no one changes during `'w`, for which `new` borrows the world,
        // and values that the query does not write, by the assertion.
        WorldQuery { world: self.world, query: unsafe { Query::of(self.world) } }
    }
}

impl<'w, W: RawWorld, D: Data, F: Filter> Deref for WorldQuery<'w, W, D, F> {
    type Target = Query<'w, D, F>;
    #[inline(always)]
    fn deref(&self) -> &Query<'w, D, F> {
        &self.query
    }
}

/// For queries that only read: the items live as long as the borrow of the world, longer than the
/// `WorldQuery` itself.
impl<'w, W: RawWorld, D: ReadData, F: Filter> WorldQuery<'w, W, D, F> {
    /// See [`Query::iter`].
    #[inline(always)]
    pub fn iter(&self) -> Iter<'w, D, F> {
        self.query.into_iter()
    }

    /// See [`Query::get`].
    #[inline]
    pub fn get(&self, entity: Entity) -> Option<D::Item<'w>> {
        // SAFETY: `D` only reads, and the world is borrowed for `'w`.
        unsafe { self.query.item(entity) }
    }

    /// See [`Query::single`].
    ///
    /// # Errors
    /// If no entity matches, or more than one.
    pub fn single(&self) -> Result<D::Item<'w>, SingleError> {
        super::param::only(self.iter())
    }
}

// There is no `DerefMut`: code could then move the inner query out (by exchanging it with that of
// another world) and keep it while `filter` makes a second query of this world. Methods with
// `&mut self` are forwarded instead.
impl<'w, W: RawWorld, D: Data, F: Filter> WorldQuery<'w, W, D, F> {
    /// Converts into the plain [`Query`].
    #[inline(always)]
    pub fn into_query(self) -> Query<'w, D, F> {
        self.query
    }

    /// See [`Query::reborrow`].
    #[inline(always)]
    pub fn reborrow(&mut self) -> Query<'_, D, F> {
        self.query.reborrow()
    }

    /// See [`Query::iter_mut`].
    #[inline(always)]
    pub fn iter_mut(&mut self) -> Iter<'_, D, F> {
        self.query.iter_mut()
    }

    /// See [`Query::for_each`].
    #[inline(always)]
    pub fn for_each(mut self, f: impl FnMut(D::Item<'_>)) {
        self.query.for_each(f);
    }

    /// See [`Query::par_for_each`].
    pub fn par_for_each(mut self, f: impl Fn(D::Item<'_>) + Send + Sync) {
        self.query.par_for_each(f);
    }

    /// See [`Query::par_map`].
    pub fn par_map<R: Send>(mut self, f: impl Fn(D::Item<'_>) -> R + Send + Sync) -> Vec<R> {
        self.query.par_map(f)
    }

    /// See [`Query::par_filter_map`].
    pub fn par_filter_map<R: Send>(mut self, f: impl Fn(D::Item<'_>) -> Option<R> + Send + Sync) -> Vec<R> {
        self.query.par_filter_map(f)
    }

    /// See [`Query::chunks_mut`].
    pub fn chunks_mut(&mut self) -> Chunks<'_, D, F>
    where
        D: ChunkData,
    {
        self.query.chunks_mut()
    }

    /// See [`Query::pairs_mut`].
    pub fn pairs_mut(&mut self, f: impl FnMut(D::Item<'_>, D::Item<'_>)) {
        self.query.pairs_mut(f);
    }

    /// See [`Query::get_mut`].
    #[inline]
    pub fn get_mut(&mut self, entity: Entity) -> Option<D::Item<'_>> {
        self.query.get_mut(entity)
    }

    /// See [`Query::get_many_mut`].
    ///
    /// # Errors
    /// If an id occurs twice, or an entity is despawned or does not match.
    pub fn get_many_mut<const N: usize>(
        &mut self,
        entities: [Entity; N],
    ) -> Result<[D::Item<'_>; N], GetManyError> {
        self.query.get_many_mut(entities)
    }

    /// See [`Query::split_one_mut`].
    #[inline]
    #[expect(clippy::type_complexity, reason = "the own row and the others")]
    pub fn split_one_mut(&mut self, entity: Entity) -> Option<(D::Item<'_>, Others<'_, D::ReadOnly, F>)> {
        self.query.split_one_mut(entity)
    }

    /// See [`Query::single_mut`].
    ///
    /// # Errors
    /// If no entity matches, or more than one.
    pub fn single_mut(&mut self) -> Result<D::Item<'_>, SingleError> {
        self.query.single_mut()
    }
}

impl<'w, W: RawWorld, D: Data, F: Filter> IntoIterator for WorldQuery<'w, W, D, F> {
    type Item = D::Item<'w>;
    type IntoIter = Iter<'w, D, F>;
    #[inline(always)]
    fn into_iter(self) -> Iter<'w, D, F> {
        self.query.into_iter()
    }
}

impl<'q, W: RawWorld, D: Data, F: Filter> IntoIterator for &'q WorldQuery<'_, W, D, F> {
    type Item = ReadItem<'q, D>;
    type IntoIter = Iter<'q, D::ReadOnly, F>;
    #[inline(always)]
    fn into_iter(self) -> Self::IntoIter {
        self.query.iter()
    }
}

impl<'q, W: RawWorld, D: Data, F: Filter> IntoIterator for &'q mut WorldQuery<'_, W, D, F> {
    type Item = D::Item<'q>;
    type IntoIter = Iter<'q, D, F>;
    #[inline(always)]
    fn into_iter(self) -> Iter<'q, D, F> {
        self.query.iter_mut()
    }
}

impl<W: RawWorld, D: Data, F: Filter> core::fmt::Debug for WorldQuery<'_, W, D, F> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.query.fmt(f)
    }
}

/// A tuple of query data in which no element borrows mutably a component that another element
/// borrows: the bound of [`World::queries`](crate::World::queries).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tuple of queries of world `{W}`",
    label = "not a tuple of queries",
    note = "`queries` takes a tuple of up to eight queries, `world.queries::<(&mut A, (Entity, &B))>()`; one by itself is `world.query_mut::<&mut A>()`"
)]
pub trait QueryTuple<W: RawWorld>: Borrows<W, EmptySet> {
    /// A tuple with one [`Query`] for each element.
    type Queries<'w>;
    #[doc(hidden)]
    fn queries(world: &mut W) -> Self::Queries<'_>;
}

macro_rules! query_tuples {
    ($($name:ident)*) => { query_tuples!(@ [] $($name)*); };
    (@ [$($done:ident)*] $name:ident $($more:ident)*) => {
        impl<W: RawWorld, $($done: QueryData<W>,)* $name: QueryData<W>> QueryTuple<W> for ($($done,)* $name,)
        where
            ($($done,)* $name,): Borrows<W, EmptySet>,
        {
            type Queries<'w> = ($(Query<'w, $done>,)* Query<'w, $name>,);
            fn queries(world: &mut W) -> Self::Queries<'_> {
                const {
                    let all = <Self as QueryData<W>>::ACCESS;
                    assert!(all.alias.is_empty(), "these queries borrow a component twice, once mutably");
                }
                discard::reindex_before(world, const { <Self as QueryData<W>>::ACCESS.write });
                let world = WorldCell::new(world);
                // SAFETY: the world is borrowed mutably for as long as the queries; the assertion
                // above says that no two queries clash.
                unsafe { ($(Query::<$done>::of(world),)* Query::<$name>::of(world),) }
            }
        }
        query_tuples!(@ [$($done)* $name] $($more)*);
    };
    (@ [$($done:ident)*]) => {};
}
query_tuples!(A B C D E G H I);

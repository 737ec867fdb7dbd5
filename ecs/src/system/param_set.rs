//! [`ParamSet`]: queries of one system that clash, of which the system uses one at a time.
#![expect(unsafe_code, reason = "parameters are made from a world whose accesses were checked")]

use super::{Access, ParamInfo, ParamKind, SystemParam};
use crate::query::{Data, Filter, Query, QueryData, QueryFilter};
use crate::raw_world::{RawWorld, WorldCell};

/// System parameter: two to eight queries that may clash with each other, of which the system uses
/// one at a time.
///
/// [`p0`](Self::p0), [`p1`](Self::p1), .. borrow the set mutably and give one query, so that the
/// borrow checker keeps the queries apart. Other parameters of the system must not clash with any
/// query of the set. Queries that filters keep apart, such as `With<T>` in one and `Without<T>` in
/// the other, need no set.
///
/// ```
/// use ecs::prelude::*;
///
/// #[derive(Component, Debug, PartialEq)] struct Health(i32);
/// #[derive(Component)] struct Hero;
/// #[derive(Component)] struct Poisoned;
///
/// world! {
///     struct Game { components { Health, Hero, Poisoned } }
///     schedule tick { suffer }
/// }
///
/// // a hero may be poisoned, too
/// #[system(Game)]
/// fn suffer(mut bodies: ParamSet<(Query<&mut Health, With<Poisoned>>, Query<&mut Health, With<Hero>>)>) {
///     for health in bodies.p0() {
///         health.0 -= 2;
///     }
///     for health in bodies.p1() {
///         health.0 += 1;
///     }
/// }
///
/// let mut game = Game::new();
/// let hero = game.spawn((Health(10), Hero, Poisoned));
/// game.tick();
/// assert_eq!(game.get::<Health>(hero), Some(&Health(9)));
/// ```
///
/// Outside of systems, each [`query_mut`](crate::World::query_mut) is a set by itself.
///
/// # Cost
/// The columns of all queries are looked up in each run, as for queries that are parameters.
pub struct ParamSet<'w, Queries: QuerySet> {
    /// Queries that may clash: code borrows one of them, with a mutable borrow of the set.
    queries: Queries::Queries<'w>,
}

/// A tuple of two to eight queries, which a [`ParamSet`] has.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tuple of two to eight queries",
    label = "not a tuple of two to eight queries",
    note = "write `ParamSet<(Query<&mut A, With<B>>, Query<&mut A>)>`; other parameters stand beside the set"
)]
pub trait QuerySet {
    /// The queries for a borrow of the world.
    #[doc(hidden)]
    type Queries<'w>;
}

/// A [`QuerySet`] with a query of this index.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no query `p{N}`",
    label = "the set has fewer queries",
    note = "the first query of a `ParamSet` is `p0`"
)]
pub trait QueryAt<const N: usize>: QuerySet {
    /// The query's data.
    #[doc(hidden)]
    type Data: Data;
    /// The query's filter.
    #[doc(hidden)]
    type Filter: Filter;
    /// Borrows the query.
    #[doc(hidden)]
    fn lend<'a>(queries: &'a mut Self::Queries<'_>) -> Query<'a, Self::Data, Self::Filter>;
}

/// A [`QuerySet`] of queries of world `W`.
///
/// # Safety
/// `queries` returns queries of `world` that access what `ACCESS` declares.
pub unsafe trait QueriesOf<W: RawWorld>: QuerySet {
    /// The accesses of the queries, one at a time.
    const ACCESS: Access;
    /// Makes the queries.
    ///
    /// # Safety
    /// During `'w` no one accesses the world in a way that clashes with `ACCESS`, and code uses one
    /// of the queries at a time.
    unsafe fn queries(world: WorldCell<'_, W>) -> Self::Queries<'_>;
    /// Whether a query with `Changed` or `Added` matches.
    ///
    /// # Safety
    /// No one else accesses the world.
    unsafe fn have_news(world: WorldCell<'_, W>) -> bool;
    /// Borrows all queries.
    fn lend<'a>(queries: &'a mut Self::Queries<'_>) -> Self::Queries<'a>;
}

macro_rules! sets {
    ($($data:ident $filter:ident $index:tt $name:literal)*) => {
        impl<$($data: Data, $filter: Filter),*> QuerySet for ($(Query<'_, $data, $filter>,)*) {
            type Queries<'w> = ($(Query<'w, $data, $filter>,)*);
        }
        // SAFETY: each query is made from its own data and filter, and `ACCESS` has the access of
        // each.
        unsafe impl<W: RawWorld, $($data: QueryData<W>, $filter: QueryFilter<W>),*> QueriesOf<W>
            for ($(Query<'_, $data, $filter>,)*)
        {
            const ACCESS: Access = Access::one_of(&[$(ParamInfo {
                name: $name,
                kind: ParamKind::WholeQuery,
                access: <Query<'_, $data, $filter> as SystemParam<W>>::ACCESS,
            }),*]);
            #[inline(always)]
            unsafe fn queries(world: WorldCell<'_, W>) -> Self::Queries<'_> {
                // SAFETY: the caller promises that no one else accesses the world in a way that
                // clashes with a query, and that code uses one query at a time.
                unsafe { ($(Query::<$data, $filter>::of(world),)*) }
            }
            unsafe fn have_news(world: WorldCell<'_, W>) -> bool {
                // SAFETY: the caller promises that no one else accesses the world.
                unsafe { false $(|| <Query<'_, $data, $filter> as SystemParam<W>>::has_news(world, &mut ()))* }
            }
            #[inline(always)]
            fn lend<'a>(queries: &'a mut Self::Queries<'_>) -> Self::Queries<'a> {
                ($(queries.$index.reborrow(),)*)
            }
        }
        sets!(@ [$($data $filter)*] $([$data $filter $index])*);
    };
    (@ $all:tt $($one:tt)*) => { $(sets!(& $all $one);)* };
    (& [$($data:ident $filter:ident)*] [$this:ident $of:ident $index:tt]) => {
        #[diagnostic::do_not_recommend]
        impl<$($data: Data, $filter: Filter),*> QueryAt<$index> for ($(Query<'_, $data, $filter>,)*) {
            type Data = $this;
            type Filter = $of;
            #[inline(always)]
            fn lend<'a>(queries: &'a mut Self::Queries<'_>) -> Query<'a, $this, $of> {
                queries.$index.reborrow()
            }
        }
    };
}

macro_rules! all_sets {
    ([$($done:tt)*] $data:ident $filter:ident $index:tt $name:literal $($more:tt)*) => {
        sets!($($done)* $data $filter $index $name);
        all_sets!([$($done)* $data $filter $index $name] $($more)*);
    };
    ([$($done:tt)*]) => {};
}
all_sets!([A FA 0 "p0"] B FB 1 "p1" C FC 2 "p2" D FD 3 "p3" E FE 4 "p4" G FG 5 "p5" H FH 6 "p6" I FI 7 "p7");

impl<'w, Q: QuerySet> ParamSet<'w, Q> {
    /// Makes the parameter of a world, to call a system as a plain function.
    pub fn of<W: RawWorld>(world: &'w mut W) -> Self
    where
        Q: QueriesOf<W>,
    {
        const { assert!(Q::ACCESS.alias.is_empty(), "a query borrows a component twice, once mutably") };
        // SAFETY: the world is borrowed mutably for `'w`, and no query borrows a component twice,
        // by the assertion. Code borrows one query at a time through `&mut self`.
        Self { queries: unsafe { Q::queries(WorldCell::new(world)) } }
    }
}

macro_rules! methods {
    ($($name:ident $index:literal $ordinal:ident)*) => {
        impl<Q: QuerySet> ParamSet<'_, Q> {
            $(
                #[doc = concat!("The ", stringify!($ordinal), " query.")]
                #[inline(always)]
                pub fn $name<D: Data, F: Filter>(&mut self) -> Query<'_, D, F>
                where
                    // not projections in the result: then a missing query is no method to rustc
                    Q: QueryAt<$index, Data = D, Filter = F>,
                {
                    Q::lend(&mut self.queries)
                }
            )*
        }
    };
}

methods! { p0 0 first p1 1 second p2 2 third p3 3 fourth p4 4 fifth p5 5 sixth p6 6 seventh p7 7 eighth }

debug!([Q: QuerySet] ParamSet<'_, Q>, |_, f| f.write_str("ParamSet"));

// SAFETY: the queries access what `ACCESS` declares, by the contract of `QueriesOf`; code borrows
// one at a time through `&mut self`.
unsafe impl<W: RawWorld, Q: QueriesOf<W>> SystemParam<W> for ParamSet<'_, Q> {
    const ACCESS: Access = Q::ACCESS;
    type State = ();
    type Item<'w> = ParamSet<'w, Q>;
    fn init(_: &mut W) {}
    #[inline(always)]
    unsafe fn get<'w>(world: WorldCell<'w, W>, (): &'w mut ()) -> ParamSet<'w, Q> {
        // SAFETY: the caller promises that no clashing access happens during `'w`, and code borrows
        // one query at a time.
        ParamSet { queries: unsafe { Q::queries(world) } }
    }
    #[inline(always)]
    fn lend<'a>(item: &'a mut ParamSet<'_, Q>) -> ParamSet<'a, Q> {
        ParamSet { queries: <Q as QueriesOf<W>>::lend(&mut item.queries) }
    }
    unsafe fn has_news(world: WorldCell<'_, W>, (): &mut ()) -> bool {
        // SAFETY: the caller promises that no one else accesses the world.
        unsafe { Q::have_news(world) }
    }
}

//! The query element [`Sources`] and the filter [`TargetOf`]: relations seen from their targets.
//! The parameter [`Related`] is made from a world here, too, and [`Many`] by value is query data
//! that matches no entity.
#![expect(unsafe_code, reason = "the reverse index is read through a pointer while its column is borrowed")]

use core::marker::PhantomData;
use core::{ptr, slice};

use super::followed::FollowedData;
use super::many::Many;
use super::related::Related;
use super::reverse_index::{List, Page, ReverseIndex};
use super::{HasRelation, Relation};
use crate::base::access::Access;
use crate::component::Has;
use crate::entity::Entity;
use crate::query::data::{Borrows, Data, QueryData, RawEntities, ReadData, WorldData};
use crate::query::filter::{Filter, QueryFilter};
use crate::query::mistake::{Mistakes, NamedByValue};
use crate::query::slots::{MatchesNothing, SlotMatcher};
use crate::raw_world::WorldCell;
use crate::system::SystemParam;
use crate::world::World;

/// Query element: the entities that are related to the matched entity by `R`, in the order in which
/// they were related to it. Dereferences to a slice.
///
/// Every entity matches, and one without sources gives an empty slice. [`TargetOf`] filters by
/// entities that have a source. `Sources<R, D>` reads the data `D` of the sources, too:
/// [`values`](Self::values).
///
/// ```
/// use ecs::{ChildOf, Sources};
/// use ecs::prelude::*;
///
/// #[derive(Component)]
/// struct Gold(u32);
/// #[derive(Component)]
/// struct Family(u32);
///
/// world! { struct Game { components { ChildOf, Gold, Family } } schedule tick { count } }
///
/// #[system(Game)]
/// fn count(children: Sources<ChildOf>, family: &mut Family, gold: Query<&Gold>) {
///     family.0 = children.iter().filter_map(|&child| gold.get(child)).map(|gold| gold.0).sum();
/// }
///
/// let mut game = Game::new();
/// let mother = game.spawn(Family(0));
/// game.spawn_batch([3, 4].map(|gold| (Gold(gold), ChildOf(mother))));
/// game.tick();
/// assert_eq!(game.get::<Family>(mother).unwrap().0, 7);
/// ```
// `S` is always `D::Columns`: as a parameter, so that the lifetimes of `D` may become shorter
pub struct Sources<'w, R, D: Data = Entity, S = <D as Data>::Columns> {
    sources: &'w [Entity],
    entities: RawEntities,
    read: S,
    relation: PhantomData<fn() -> (R, D)>,
}

impl<'w, R> Sources<'w, R> {
    /// Creates an element, for a unit test of a system. It has no [`values`](Self::values).
    pub const fn new(sources: &'w [Entity]) -> Self {
        let none = RawEntities::NONE;
        Self { sources, entities: none, read: none, relation: PhantomData }
    }
}

impl<'w, R, D: Data> Sources<'w, R, D> {
    /// Returns the sources as a slice, with the lifetime of the query's borrow.
    pub const fn as_slice(self) -> &'w [Entity] {
        self.sources
    }

    /// Iterates over the data `D` of the sources that match it, in the order of the sources.
    ///
    /// A system that reads a component of sources cannot write the same component: see
    /// [`Target`](super::Target).
    ///
    /// ```
    /// use ecs::Sources;
    /// use ecs::prelude::*;
    ///
    /// #[derive(Component)]
    /// struct Gold(u32);
    /// #[derive(Component)]
    /// struct Family(u32);
    ///
    /// world! { struct Game { components { ChildOf, Gold, Family } } schedule tick { count } }
    ///
    /// #[system(Game)]
    /// fn count(family: &mut Family, children: Sources<ChildOf, &Gold>) {
    ///     family.0 = children.values().map(|gold| gold.0).sum();
    /// }
    ///
    /// let mut game = Game::new();
    /// let mother = game.spawn(Family(0));
    /// game.spawn_batch([3, 4].map(|gold| (Gold(gold), ChildOf(mother))));
    /// game.spawn(ChildOf(mother));
    /// game.tick();
    /// assert_eq!(game.get::<Family>(mother).unwrap().0, 7);
    /// ```
    pub fn values(&self) -> impl Iterator<Item = D::Item<'w>> + use<'w, R, D> {
        let Self { sources, entities, read, .. } = *self;
        // SAFETY: the columns are those of `D`, and stay borrowed for `'w` by the contract of
        // `Data::at`, which made this item. The slot matches `D`, which only reads: a world has no
        // other such data.
        let value = move |&source: &Entity| unsafe {
            let (slot, bit) = (source.slot() as usize, source.slot() as usize % 64);
            let there = entities.contains(source) && read.has(slot);
            there.then(|| D::at(D::base(read, slot / 64), bit))
        };
        sources.iter().filter_map(value)
    }
}

// SAFETY: an item gives ids and shared references to components of a world, which are `Sync` by the
// contract of `Has`.
unsafe impl<R, D: Data, S> Send for Sources<'_, R, D, S> {}
// SAFETY: as for `Send`.
unsafe impl<R, D: Data, S> Sync for Sources<'_, R, D, S> {}

copy!([R, D: Data] Sources<'_, R, D>);

deref!([R, D: Data] Sources<'_, R, D> => [Entity], |this| this.sources);

into_iter!(['w, R] Sources<'w, R>: &'w Entity, slice::Iter<'w, Entity>, |this| this.sources.iter());

debug!([R, D: Data] Sources<'_, R, D>, |this, f| this.sources.fmt(f));

/// A pointer to the reverse index of a relation.
///
/// # Invariants
/// The pointer is null, or points to the index of a column that the holder of this value has
/// borrowed, shared or mutably.
#[derive(Clone, Copy)]
pub(super) struct RawReverseIndex(*const ReverseIndex);

impl RawReverseIndex {
    /// # Safety
    /// The contract of [`WorldCell::raw_column`].
    unsafe fn of<R: Relation, W: HasRelation<R>>(world: WorldCell<'_, W>) -> Self {
        // SAFETY: `raw_column` has the same contract, and the caller of `of` keeps it.
        let column = unsafe { world.column::<R::Stored>() };
        Self(column.rule_state::<ReverseIndex>().map_or(ptr::null(), ptr::from_ref))
    }

    /// # Safety
    /// The column is still borrowed.
    #[inline(always)]
    unsafe fn page<'q>(self, word: usize) -> Option<(&'q Page, &'q [List])> {
        // SAFETY: by the invariant the pointer is null or points to the index of a column, which is
        // still borrowed, as the caller of `page` promises.
        let index = unsafe { self.0.as_ref() }?;
        Some((index.page(word)?, index.lists()))
    }
}

/// The columns of [`Sources`]: the reverse index, and those from which the data of sources is read.
#[derive(Clone, Copy)]
pub struct SourcesColumns<S> {
    index: RawReverseIndex,
    entities: RawEntities,
    read: S,
}

/// The part of the reverse index that holds the sources of the 64 slots of a word.
#[derive(Clone, Copy)]
pub struct SourcesBase<S> {
    page: *const Page,
    lists: *const [List],
    entities: RawEntities,
    read: S,
}

// SAFETY: `Sources` may be read at every slot: `Page::sources` returns an empty slice for a slot
// without sources.
unsafe impl<S: SlotMatcher> SlotMatcher for SourcesColumns<S> {
    #[inline(always)]
    unsafe fn mask(self, _: usize) -> u64 {
        u64::MAX
    }
    const DATED: bool = S::DATED;
    #[inline(always)]
    fn since(self, tick: u64) -> Self {
        Self { read: self.read.since(tick), ..self }
    }
}

// SAFETY: `base` returns pointers to the page of that word, and `at` reads them for slots of that
// word only. The item reads `D` of sources that match it.
unsafe impl<R: 'static, D: Data> Data for Sources<'_, R, D> {
    type Columns = SourcesColumns<D::Columns>;
    type Base = SourcesBase<D::Columns>;
    type Item<'q> = Sources<'q, R, D>;
    type ReadOnly = Sources<'static, R, D::ReadOnly>;
    #[inline(always)]
    unsafe fn base(columns: Self::Columns, word: usize) -> Self::Base {
        let SourcesColumns { index, entities, read } = columns;
        // SAFETY: the caller of `base` holds the borrow of the column.
        match unsafe { index.page(word) } {
            Some((page, lists)) => SourcesBase { page, lists, entities, read },
            None => SourcesBase { page: ptr::null(), lists: &[], entities, read },
        }
    }
    #[inline(always)]
    unsafe fn at<'q>(base: Self::Base, i: usize) -> Sources<'q, R, D> {
        let SourcesBase { entities, read, .. } = base;
        // SAFETY: `base` has taken both pointers from the reverse index, which is not changed while
        // its column is borrowed.
        let (page, lists) = unsafe { (base.page.as_ref(), &*base.lists) };
        let sources = page.map_or(&[][..], |page| page.sources(lists, i));
        Sources { sources, entities, read, relation: PhantomData }
    }
}

// SAFETY: the data gives shared references only, and `D` only reads.
unsafe impl<R: 'static, D: ReadData> ReadData for Sources<'_, R, D> {}

// SAFETY: `ACCESS` declares that the component is read, and the reverse index changes only when its
// values change; and that `D` is read of other entities.
unsafe impl<R: Relation, D: FollowedData + QueryData<W>, W: HasRelation<R>> QueryData<W>
    for Sources<'_, R, D>
{
    const ACCESS: Access =
        Access::read(<W as Has<R::Stored>>::INDEX).without_filters().and(D::ACCESS.elsewhere());
    #[inline(always)]
    unsafe fn columns(world: WorldCell<'_, W>) -> Self::Columns {
        // SAFETY: the caller keeps writers of the component and of what `D` reads away for as long
        // as the columns are used.
        let (index, read) = unsafe { (RawReverseIndex::of::<R, W>(world), D::columns(world)) };
        SourcesColumns { index, entities: RawEntities::new(world.entities()), read }
    }
}

// a relation cannot be borrowed mutably, so that no other element of the query clashes with it
impl<R: Relation, D: FollowedData + Borrows<W, S>, W: HasRelation<R>, S> Borrows<W, S> for Sources<'_, R, D> {
    type Out = D::Out;
}
impl<R: Relation, D: FollowedData + WorldData<W>, W: HasRelation<R>> WorldData<W> for Sources<'_, R, D> {}

crate::query::filter::filter_type! {
    /// Filter: the entity is the target of at least one relation `R`.
    ///
    /// ```
    /// # use ecs::{ChildOf, TargetOf};
    /// # use ecs::prelude::*;
    /// # world! { struct Game { components { ChildOf } } }
    /// # let mut game = Game::new();
    /// let root = game.spawn(());
    /// let branch = game.spawn(ChildOf(root));
    /// game.spawn(ChildOf(branch));
    /// let roots = game.entities().filter::<(TargetOf<ChildOf>, Without<ChildOf>)>();
    /// assert!(roots.iter().eq([root]));
    /// ```
    TargetOf<R>
}

/// The slots that are targets of a relation.
#[derive(Clone, Copy)]
pub struct Targets(RawReverseIndex);

// SAFETY: the mask has a bit for each slot with a target that is alive: the rule takes the list of
// a despawned entity away.
unsafe impl SlotMatcher for Targets {
    #[inline(always)]
    unsafe fn mask(self, word: usize) -> u64 {
        // SAFETY: the caller of `mask` holds the borrow of the column.
        unsafe { self.0.page(word) }.map_or(0, |(page, _)| page.targets())
    }
}

// SAFETY: the filter makes no claim about the components of the entities that it matches.
unsafe impl<R: 'static> Filter for TargetOf<R> {
    type Columns = Targets;
    const VALUE: Self = Self::new();
}

// SAFETY: the filter makes no claim about components; the reverse index that it reads changes only
// with the presence of the component, which `ACCESS` declares.
unsafe impl<R: Relation, W: HasRelation<R>> QueryFilter<W> for TargetOf<R> {
    const ACCESS: Access = Access::presence(<W as Has<R::Stored>>::INDEX);
    const NEGATED: Access = Access::presence(<W as Has<R::Stored>>::INDEX);
    #[inline(always)]
    unsafe fn columns(world: WorldCell<'_, W>) -> Targets {
        // SAFETY: the caller of `columns` keeps writers of the component away for as long as the
        // columns are used.
        Targets(unsafe { RawReverseIndex::of::<R, W>(world) })
    }
}

// SAFETY: `get` borrows the column shared, as `ACCESS` declares; the reverse index belongs to the
// column, and changes only with it.
unsafe impl<R: Relation, W: HasRelation<R>> SystemParam<W> for Related<'_, R> {
    const ACCESS: Access = Access::read(<W as Has<R::Stored>>::INDEX).without_filters();
    type State = ();
    type Item<'w> = Related<'w, R>;
    fn init(_: &mut W) {}
    #[inline(always)]
    unsafe fn get<'w>(world: WorldCell<'w, W>, (): &'w mut ()) -> Related<'w, R> {
        // SAFETY: the caller of `get` keeps writers away from the columns that `ACCESS` reads, and
        // this is the one.
        Related { values: unsafe { world.column() }, entities: world.entities() }
    }
    #[inline(always)]
    fn lend<'a>(item: &'a mut Related<'_, R>) -> Related<'a, R> {
        *item
    }
}

// SAFETY: the slots are `MatchesNothing`, which has no bit set, so that `base` and `at` are never
// called.
unsafe impl<R: Relation> Data for Many<R> {
    type Columns = MatchesNothing;
    type Base = ();
    type Item<'q> = &'q Self;
    type ReadOnly = Self;
}
// SAFETY: the data gives shared references only.
unsafe impl<R: Relation> ReadData for Many<R> {}
// SAFETY: `Mistakes` never implements the condition.
unsafe impl<R: Relation, W: World> QueryData<W> for Many<R> where Mistakes: NamedByValue<Self, W> {}

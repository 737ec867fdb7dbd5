//! The query element [`Sources`] and the filter [`TargetOf`]: relations seen from their targets.
//! The parameter [`Related`] is made from a world here, too, and [`Many`] by value is query data
//! that matches no entity.
#![expect(unsafe_code, reason = "the reverse index is read through a pointer while its column is borrowed")]

use core::fmt;
use core::marker::PhantomData;
use core::{ptr, slice};

use super::many::Many;
use super::related::Related;
use super::reverse_index::{List, Page, ReverseIndex};
use super::{HasRelation, Relation};
use crate::base::access::Access;
use crate::component::Has;
use crate::entity::Entity;
use crate::query::data::{Borrows, Data, QueryData, ReadData, WorldData};
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
/// entities that have a source.
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
pub struct Sources<'w, R> {
    sources: &'w [Entity],
    relation: PhantomData<fn() -> R>,
}

impl<'w, R> Sources<'w, R> {
    /// Creates an element, for a unit test of a system.
    pub const fn new(sources: &'w [Entity]) -> Self {
        Self { sources, relation: PhantomData }
    }

    /// Returns the sources as a slice, with the lifetime of the query's borrow.
    pub const fn as_slice(self) -> &'w [Entity] {
        self.sources
    }
}

copy!([R] Sources<'_, R>);

deref!([R] Sources<'_, R> => [Entity], |this| this.sources);

into_iter!(['w, R] Sources<'w, R>: &'w Entity, slice::Iter<'w, Entity>, |this| this.sources.iter());

debug!([R] Sources<'_, R>, |this, f| this.sources.fmt(f));

/// A pointer to the reverse index of a relation.
///
/// # Invariants
/// The pointer is null, or points to the index of a column that the holder of this value has
/// borrowed, shared or mutably.
#[derive(Clone, Copy)]
pub struct RawReverseIndex(*const ReverseIndex);

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

/// The part of the reverse index that holds the sources of the 64 slots of a word.
#[derive(Clone, Copy)]
pub struct SourcesBase {
    page: *const Page,
    lists: *const [List],
}

// SAFETY: `Sources` may be read at every slot: `Page::sources` returns an empty slice for a slot
// without sources.
unsafe impl SlotMatcher for RawReverseIndex {
    #[inline(always)]
    unsafe fn mask(self, _: usize) -> u64 {
        u64::MAX
    }
}

// SAFETY: `base` returns pointers to the page of that word, and `at` reads them for slots of that
// word only.
unsafe impl<R: 'static> Data for Sources<'_, R> {
    type Columns = RawReverseIndex;
    type Base = SourcesBase;
    type Item<'q> = Sources<'q, R>;
    type ReadOnly = Sources<'static, R>;
    #[inline(always)]
    unsafe fn base(columns: RawReverseIndex, word: usize) -> SourcesBase {
        // SAFETY: the caller of `base` holds the borrow of the column.
        match unsafe { columns.page(word) } {
            Some((page, lists)) => SourcesBase { page, lists },
            None => SourcesBase { page: ptr::null(), lists: &[] },
        }
    }
    #[inline(always)]
    unsafe fn at<'q>(base: SourcesBase, i: usize) -> Sources<'q, R> {
        // SAFETY: `base` has taken both pointers from the reverse index, which is not changed while
        // its column is borrowed.
        let (page, lists) = unsafe { (base.page.as_ref(), &*base.lists) };
        Sources::new(page.map_or(&[], |page| page.sources(lists, i)))
    }
}

// SAFETY: the data gives shared references only.
unsafe impl<R: 'static> ReadData for Sources<'_, R> {}

// SAFETY: `ACCESS` declares that the component is read, and the reverse index changes only when its
// values change.
unsafe impl<R: Relation, W: HasRelation<R>> QueryData<W> for Sources<'_, R> {
    const ACCESS: Access = Access::read(<W as Has<R::Stored>>::INDEX).optional();
    #[inline(always)]
    unsafe fn columns(world: WorldCell<'_, W>) -> RawReverseIndex {
        // SAFETY: the caller keeps writers of the component away for as long as the columns are
        // used.
        unsafe { RawReverseIndex::of::<R, W>(world) }
    }
}

// a relation cannot be borrowed mutably, so that no other element of the query clashes with this
// one
impl<R: Relation, W: HasRelation<R>, S> Borrows<W, S> for Sources<'_, R> {
    type Out = S;
}
impl<R: Relation, W: HasRelation<R>> WorldData<W> for Sources<'_, R> {}

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
    const ACCESS: Access = Access::read(<W as Has<R::Stored>>::INDEX).optional();
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

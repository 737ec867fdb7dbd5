//! Relations in queries, from the targets' end.
#![expect(unsafe_code, reason = "what is beside the values is read while the column is borrowed")]

use core::fmt;
use core::marker::PhantomData;
use core::ops::Deref;
use core::{ptr, slice};

use super::reverse_index::{List, Page, ReverseIndex};
use super::{HasRelation, Relation};
use crate::component::Has;
use crate::entity::Entity;
use crate::query::data::{Borrows, Data, QueryData, ReadData, WorldData};
use crate::query::filter::{Filter, QueryFilter};
use crate::query::slots::SlotMatcher;
use crate::system::access::Access;
use crate::world::WorldCell;

/// As a query element: who is related to the entity by `R`, in the order of relating; nobody for most entities. Every
/// entity matches; [`TargetOf`] filters those with a source. Reads as a slice of entities.
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
    /// An element for a unit test of a system.
    pub const fn new(sources: &'w [Entity]) -> Self {
        Self { sources, relation: PhantomData }
    }

    /// The sources, for as long as the query is borrowed.
    pub const fn as_slice(self) -> &'w [Entity] {
        self.sources
    }
}

impl<R> Clone for Sources<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R> Copy for Sources<'_, R> {}

impl<R> Deref for Sources<'_, R> {
    type Target = [Entity];
    fn deref(&self) -> &[Entity] {
        self.sources
    }
}

impl<'w, R> IntoIterator for Sources<'w, R> {
    type Item = &'w Entity;
    type IntoIter = slice::Iter<'w, Entity>;
    fn into_iter(self) -> Self::IntoIter {
        self.sources.iter()
    }
}

impl<R> fmt::Debug for Sources<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sources.fmt(f)
    }
}

/// The web of a relation as an address.
///
/// # Invariants
/// Null, or of a column of which whoever holds this has a borrow, shared at least.
#[derive(Clone, Copy)]
pub struct RawWeb(*const ReverseIndex);

impl RawWeb {
    /// # Safety
    /// As for [`WorldCell::raw_column`].
    unsafe fn of<R: Relation, W: HasRelation<R>>(world: WorldCell<'_, W>) -> Self {
        // SAFETY: the caller's promise.
        let column = unsafe { world.column::<R::Stored>() };
        Self(column.rule_state::<ReverseIndex>().map_or(ptr::null(), ptr::from_ref))
    }

    /// # Safety
    /// The column is still borrowed.
    #[inline(always)]
    unsafe fn page<'q>(self, word: usize) -> Option<(&'q Page, &'q [List])> {
        // SAFETY: by the invariant, and the caller's promise.
        let web = unsafe { self.0.as_ref() }?;
        Some((web.page(word)?, web.lists()))
    }
}

/// The sources of the slots of a word.
#[derive(Clone, Copy)]
pub struct SourcesBase {
    page: *const Page,
    lists: *const [List],
}

// SAFETY: every slot may be asked: of those without sources there is an empty list.
unsafe impl SlotMatcher for RawWeb {
    #[inline(always)]
    unsafe fn mask(self, _: usize) -> u64 {
        u64::MAX
    }
}

// SAFETY: the base is good for its word.
unsafe impl<R: 'static> Data for Sources<'_, R> {
    type Columns = RawWeb;
    type Base = SourcesBase;
    type Item<'q> = Sources<'q, R>;
    type ReadOnly = Sources<'static, R>;
    #[inline(always)]
    unsafe fn base(columns: RawWeb, word: usize) -> SourcesBase {
        // SAFETY: the columns are borrowed.
        match unsafe { columns.page(word) } {
            Some((page, lists)) => SourcesBase { page, lists },
            None => SourcesBase { page: ptr::null(), lists: &[] },
        }
    }
    #[inline(always)]
    unsafe fn at<'q>(base: SourcesBase, i: usize) -> Sources<'q, R> {
        // SAFETY: both are of the web, which nobody changes while the column is borrowed.
        let (page, lists) = unsafe { (base.page.as_ref(), &*base.lists) };
        Sources::new(page.map_or(&[], |page| page.sources(lists, i)))
    }
}

// SAFETY: it gives shared references only.
unsafe impl<R: 'static> ReadData for Sources<'_, R> {}

// SAFETY: what it gives changes only with presence and values of the component.
unsafe impl<R: Relation, W: HasRelation<R>> QueryData<W> for Sources<'_, R> {
    const ACCESS: Access = Access::read(<W as Has<R::Stored>>::INDEX).optional();
    #[inline(always)]
    unsafe fn columns(world: WorldCell<'_, W>) -> RawWeb {
        // SAFETY: the caller keeps clashing accesses away for as long as the columns are used.
        unsafe { RawWeb::of::<R, W>(world) }
    }
}

// a relation cannot be borrowed mutably, so that nothing clashes
impl<R: Relation, W: HasRelation<R>, S> Borrows<W, S> for Sources<'_, R> {
    type Out = S;
}
impl<R: Relation, W: HasRelation<R>> WorldData<W> for Sources<'_, R> {}

crate::query::filter::filter_type! {
    /// The entity is the target of some `R`.
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

/// Of the web of a relation, who is a target.
#[derive(Clone, Copy)]
pub struct Targets(RawWeb);

// SAFETY: the mask has the bits of living targets.
unsafe impl SlotMatcher for Targets {
    #[inline(always)]
    unsafe fn mask(self, word: usize) -> u64 {
        // SAFETY: the columns are borrowed.
        unsafe { self.0.page(word) }.map_or(0, |(page, _)| page.targets())
    }
}

// SAFETY: nothing is said of what entities have.
unsafe impl<R: 'static> Filter for TargetOf<R> {
    type Columns = Targets;
    const VALUE: Self = Self::new();
}

// SAFETY: nothing is said of what entities have; what it looks at changes only with the component.
unsafe impl<R: Relation, W: HasRelation<R>> QueryFilter<W> for TargetOf<R> {
    const ACCESS: Access = Access::presence(<W as Has<R::Stored>>::INDEX);
    const NEGATED: Access = Access::presence(<W as Has<R::Stored>>::INDEX);
    #[inline(always)]
    unsafe fn columns(world: WorldCell<'_, W>) -> Targets {
        // SAFETY: the caller's promise.
        Targets(unsafe { RawWeb::of::<R, W>(world) })
    }
}

//! Query data: the components, or other information, that a query gives for each entity it matches.
#![expect(unsafe_code, reason = "elements are reached by address, after their bits were seen")]

use core::fmt;
use core::marker::PhantomData;
use core::num::NonZeroU32;
use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;

use super::change::TrackedColumn;
use super::slots::{OptionalColumns, RequiredColumn, SlotMatcher};
use crate::base::access::Access;
use crate::base::mask::Span;
use crate::base::page;
use crate::change::{Mut, Ref};
use crate::component::{Has, HasMut, HasStamps, HasTracked};
use crate::entity::Entity;
use crate::entity::allocator::{DEAD, Entities};
use crate::raw_world::{RawWorld, WorldCell};
use crate::storage::column::Column;

/// The data that a query gives for each entity.
///
/// | data | item | matches |
/// |---|---|---|
/// | `&T`, `&mut T` | a reference to the component | entities that have `T` |
/// | [`Ref<T>`], [`Mut<T>`] | a reference to the tracked component, with its change ticks | entities that have `T` |
/// | `Option<D>` of other data `D` | `None` if the entity does not match `D` | all entities |
/// | [`Is<T>`] | a `bool`: whether the entity has `T` | all entities |
/// | [`Entity`] | the id | all entities |
/// | [`Target<R, D>`](crate::Target), [`Up<R, D>`](crate::Up) | the data `D` of the entity to which a relation leads | entities whose relation leads to one that matches `D` |
/// | [`Sources<R, D>`](crate::Sources) | the entities that are related to it | all entities |
/// | a tuple of one to twelve | a tuple of items | entities that match all elements |
/// | a `#[derive(Query)]` struct | the struct | entities that match all fields |
///
/// Tuples and structs can be nested. The trait does not depend on a world; [`QueryData`] is
/// implemented for data whose components a certain world has.
///
/// ```
/// # use ecs::prelude::*;
/// # #[derive(Component)] struct Health(u32);
/// # #[derive(Component)] struct Armor(u32);
/// # #[derive(Component)] struct Boss;
/// # world! { struct Game { components { Health, Armor, Boss } } }
/// let mut game = Game::new();
/// game.spawn((Health(10), Armor(3)));
/// game.spawn((Health(90), Boss));
/// for (health, armor, is_boss) in game.query_mut::<(&mut Health, Option<&Armor>, Is<Boss>)>() {
///     health.0 += armor.map_or(0, |armor| armor.0) + if *is_boss { 10 } else { 0 };
/// }
/// let mut healths: Vec<u32> = game.query::<&Health>().iter().map(|health| health.0).collect();
/// healths.sort();
/// assert_eq!(healths, [13, 100]);
/// ```
///
/// The methods have default implementations for data that matches nothing, which is what
/// `derive(Component)` implements for components by value (for the sake of error messages): so each
/// derive emits less code.
///
/// # Safety
/// `at` gives access only to what [`QueryData::ACCESS`] declares, and only for slots whose bit is
/// set in the `mask` of the columns. `WORDS` divides the page length of every column that is
/// accessed; a base is valid up to the end of that many words. `ReadOnly` names the same
/// components, element by element (the columns do not tell which components they belong to).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not something that a query can ask for",
    label = "not query data",
    note = "if `{Self}` is a component, borrow it: `&{Self}`, or `&mut {Self}` to change it",
    note = "a query asks for `&T`, `&mut T`, `Option<&T>`, `Option<&mut T>` or `Is<T>` of components, for `Ref<T>` or `Mut<T>` of tracked ones, for `Entity`, which matches every entity, for a tuple of one to twelve of these, or for a `#[derive(Query)]` struct; filters come after the data: `Query<&T, With<U>>`, `query::<&T>().filter::<With<U>>()`"
)]
pub unsafe trait Data {
    /// The addresses of the columns that the data is read from.
    type Columns: SlotMatcher;
    /// The addresses of the values of a word of 64 slots.
    type Base: Copy;
    /// The value that the query gives for one entity.
    type Item<'q>;
    /// The data with shared references only: `&T` for `&mut T`. For a `#[derive(Query)]` struct
    /// with a mutable field this is the tuple of its fields.
    type ReadOnly: ReadData<Columns = Self::Columns>;
    /// The number of words that a base is valid for, counted from a word whose number is a multiple
    /// of `WORDS`.
    const WORDS: usize = 1;
    /// The addresses of the values of `_word`.
    ///
    /// # Safety
    /// The columns were returned by [`QueryData::columns`] for this data and are still borrowed.
    /// The word is below the end of their `words`, and at least one slot of it matches.
    unsafe fn base(_columns: Self::Columns, _word: usize) -> Self::Base {
        unreachable!("nothing matches")
    }
    /// The item of the slot `_i`, counted from the first slot of the base's word.
    ///
    /// # Safety
    /// The base was returned by [`base`](Self::base) of this data. The bit of the slot is set, the
    /// slot is within the `WORDS` of the base, and no other item clashes with this one during `'q`.
    unsafe fn at<'q>(_base: Self::Base, _i: usize) -> Self::Item<'q> {
        unreachable!("nothing matches")
    }
}

/// [`Data`] whose components world `W` has.
///
/// # Safety
/// `ACCESS` declares everything that items give access to, and `columns` returns the columns of
/// `world`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not something that a query of world `{W}` can ask for",
    label = "not query data of `{W}`",
    note = "if `{Self}` is a component, borrow it: `&{Self}`, or `&mut {Self}` to change it",
    note = "a query asks for `&T`, `&mut T`, `Option<&T>`, `Option<&mut T>` or `Is<T>` of components, for `Ref<T>` or `Mut<T>` of tracked ones, for `Entity`, for a tuple of one to twelve of these, or for a `#[derive(Query)]` struct; filters come after the data: `Query<&T, With<U>>`, `query::<&T>().filter::<With<U>>()`"
)]
pub unsafe trait QueryData<W: RawWorld>: Data {
    /// The components that the items read and write, and those that every matched entity has.
    ///
    /// The default is for types that never are query data, since their impl has a condition that
    /// never holds: components by value. Items in each of these impls would take 10 % of the time
    /// of `cargo check`.
    const ACCESS: Access = panic!("query data without access");
    /// The columns of `world` that the data is read from.
    ///
    /// # Safety
    /// While the columns are used, no one else accesses the world in a way that clashes with
    /// `ACCESS`.
    unsafe fn columns(_world: WorldCell<'_, W>) -> Self::Columns {
        unreachable!("query data without columns")
    }
}

/// A `#[derive(Query)]` struct, which is made of the item of its fields.
#[doc(hidden)]
pub trait QueryStruct: Data {
    /// The tuple of the fields.
    type Fields: Data;
    /// The struct with the items of its fields.
    fn assemble(item: <Self::Fields as Data>::Item<'_>) -> Self::Item<'_>;
}

/// [`Data`] without mutable references: the data that [`World::query`](crate::World::query)
/// accepts, which borrows the world shared.
///
/// # Safety
/// No item gives mutable access to the world. Data that reads a component reads it from the column
/// of that component, as `&T` does.
#[diagnostic::on_unimplemented(
    message = "`{Self}` borrows mutably, and the world is borrowed shared",
    label = "needs a mutable borrow of the world",
    note = "use `query_mut`"
)]
pub unsafe trait ReadData: Data {}

/// Collects the components that query data borrows in a type-level set, so that a component that is
/// borrowed twice, once mutably, is a type error: see the module `typeset`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not something that a query of world `{W}` can ask for",
    label = "not query data of `{W}`",
    note = "if `{Self}` is a component, borrow it: `&{Self}`, or `&mut {Self}` to change it",
    note = "a query asks for `&T`, `&mut T`, `Option<&T>`, `Option<&mut T>` or `Is<T>` of components, for `Ref<T>` or `Mut<T>` of tracked ones, for `Entity`, for a tuple of one to twelve of these, or for a `#[derive(Query)]` struct; filters come after the data: `Query<&T, With<U>>`, `query::<&T>().filter::<With<U>>()`"
)]
pub trait Borrows<W: RawWorld, S>: QueryData<W> {
    /// The set `S` with the components that this data borrows.
    type Out;
}

/// [`QueryData`] that borrows no component twice with one borrow mutable: the bound of
/// [`World::query`](crate::World::query) and [`World::query_mut`](crate::World::query_mut).
///
/// For data that borrows a single component, and for tuples that only read, the bounds [`Has`] or
/// [`HasMut`] on the world are enough. Code that is generic over its world and uses a tuple with a
/// mutable element states this trait as a bound, with `'static` for each lifetime:
///
/// ```
/// use ecs::{Has, WorldData};
/// use ecs::prelude::*;
///
/// #[derive(Component)] struct Position(f32);
/// #[derive(Component)] struct Velocity(f32);
///
/// fn fastest<W: Has<Velocity>>(world: &W) -> Option<Entity> {
///     let all = world.query::<(Entity, &Velocity)>();
///     all.iter().max_by(|(_, a), (_, b)| a.0.total_cmp(&b.0)).map(|(entity, _)| entity)
/// }
///
/// fn movement<W: World>(world: &mut W)
/// where
///     (&'static mut Position, &'static Velocity): WorldData<W>,
/// {
///     for (position, velocity) in world.query_mut::<(&mut Position, &Velocity)>() {
///         position.0 += velocity.0;
///     }
/// }
///
/// # world! { struct Game { components { Position, Velocity } } }
/// let mut game = Game::new();
/// let ball = game.spawn((Position(0.0), Velocity(1.0)));
/// movement(&mut game);
/// assert_eq!(fastest(&game), Some(ball));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not something that a query of world `{W}` can ask for",
    label = "not query data of `{W}`",
    note = "if `{Self}` is a component, borrow it: `&{Self}`, or `&mut {Self}` to change it",
    note = "a query asks for `&T`, `&mut T`, `Option<&T>`, `Option<&mut T>` or `Is<T>` of components, for `Ref<T>` or `Mut<T>` of tracked ones, for `Entity`, for a tuple of one to twelve of these, or for a `#[derive(Query)]` struct; filters come after the data: `Query<&T, With<U>>`, `query::<&T>().filter::<With<U>>()`"
)]
pub trait WorldData<W: RawWorld>: QueryData<W> {}

impl<W: RawWorld> WorldData<W> for Entity {}
impl<T: 'static, W: Has<T>> WorldData<W> for Is<T> {}

/// The address of the presence masks of a word and of the words after it in its page.
#[derive(Clone, Copy)]
pub struct PresenceBase(*const u64);

impl PresenceBase {
    /// Whether slot `i`, counted from the base's word, has a value.
    ///
    /// # Safety
    /// The slot is in the same page of the column as the base's word.
    #[inline(always)]
    unsafe fn has(self, i: usize) -> bool {
        // SAFETY: masks are allocated for whole pages, so if the mask of the base's word exists, so
        // do those of the page's other words.
        !self.0.is_null() && unsafe { *self.0.add(i / 64) } >> (i % 64) & 1 == 1
    }
}

macro_rules! component_elements {
    ($($element:ty, $item:ty, $read:ty, $columns:ty, $base:ty,
       |$column:ident, $word:ident| $to_base:expr, |$from:ident, $i:ident| $at:expr;)*) => {$(
        // SAFETY: either the mask is the column's presence mask (`RequiredColumn`), or the item
        // checks the bit. A base is the address of a value in a page, and `WORDS` is the page's
        // number of words.
        unsafe impl<T: 'static> Data for $element {
            type Columns = $columns;
            type Base = $base;
            type Item<'q> = $item;
            type ReadOnly = $read;
            const WORDS: usize = Column::<T>::WORDS;
            #[inline(always)]
            unsafe fn base($column: $columns, $word: usize) -> $base { $to_base }
            #[inline(always)]
            unsafe fn at<'q>($from: $base, $i: usize) -> Self::Item<'q> { $at }
        }
    )*};
}

// Bases are addresses of bytes, cast to `T` only by `at`: so functions that take bases are compiled
// once for all components.
component_elements! {
    &T, &'q T, Self, RequiredColumn, NonNull<u8>, |column, word|
        // SAFETY: the caller promises that the word is below the end of `words` and that some slot
        // of it has a value.
        unsafe { column.0.base_of_some(word, Column::<T>::SHAPE) }, |base, i|
        // SAFETY: the bit is set, so the value exists; `ACCESS` declares the read, so no one writes
        // the value.
        unsafe { &*(base.as_ptr() as *mut T).add(i) };
    &mut T, &'q mut T, &'static T, RequiredColumn, NonNull<u8>, |column, word|
        // SAFETY: the caller promises that the word is below the end of `words` and that some slot
        // of it has a value.
        unsafe {
            column.0.touch_some(word, Column::<T>::SHAPE);
            column.0.base_of_some(word, Column::<T>::SHAPE)
        }, |base, i|
        // SAFETY: the bit is set, so the value exists; `ACCESS` declares the write, so no one else
        // accesses the value.
        unsafe { &mut *(base.as_ptr() as *mut T).add(i) };
    Is<T>, Is<T>, Self, OptionalColumns<RequiredColumn>, PresenceBase,
        |columns, word| PresenceBase(columns.0.0.masks_from(word)), |base, i|
        // SAFETY: `has` only reads the presence mask; the slot is in the page of the base, since
        // `WORDS` is the page's number of words.
        unsafe { Is(base.has(i), PhantomData) };
}

macro_rules! component_access {
    ($($element:ty, $has:ident, |$world:ident| $columns:expr, $access:expr, $borrow:ident;)*) => {$(
        // SAFETY: `$access` declares the read or write of the component with index `W::INDEX`, and
        // the column is that of `world`.
        unsafe impl<T: 'static, W: $has<T>> QueryData<W> for $element {
            const ACCESS: Access = $access(W::INDEX);
            #[inline(always)]
            unsafe fn columns($world: WorldCell<'_, W>) -> Self::Columns {
                // SAFETY: the caller promises that no clashing access happens while the columns are
                // used.
                unsafe { $columns }
            }
        }
        impl<T: 'static, W: $has<T>, S: crate::base::typeset::$borrow<W::TypeIndex, T>> Borrows<W, S> for $element {
            type Out = S::Out;
        }
        impl<T: 'static, W: $has<T>> WorldData<W> for $element {}
    )*};
}

const fn tracked_read(index: usize) -> Access {
    Access::read(index).timed()
}

const fn tracked_write(index: usize) -> Access {
    Access::write(index).timed()
}

component_access! {
    &T, Has, |world| RequiredColumn(world.raw_column::<T>()), Access::read, BorrowSharedAt;
    &mut T, HasMut, |world| RequiredColumn(world.raw_column::<T>()), Access::write, BorrowUniqueAt;
    Ref<'_, T>, HasStamps, |world| TrackedColumn::of::<T, W>(world), tracked_read, BorrowSharedAt;
    Mut<'_, T>, HasTracked, |world| TrackedColumn::of::<T, W>(world), tracked_write, BorrowUniqueAt;
}

// SAFETY: the item tells whether the entity has `T`, and `ACCESS` declares that the presence of `T`
// is read.
unsafe impl<T: 'static, W: Has<T>> QueryData<W> for Is<T> {
    const ACCESS: Access = Access::presence(W::INDEX);
    #[inline(always)]
    unsafe fn columns(world: WorldCell<'_, W>) -> Self::Columns {
        // SAFETY: the caller promises that no one adds or removes `T` while the column is used.
        OptionalColumns(RequiredColumn(unsafe { world.raw_column::<T>() }))
    }
}

impl<T: 'static, W: Has<T>, S> Borrows<W, S> for Is<T> {
    type Out = S;
}

// SAFETY: the item is a shared reference.
unsafe impl<T: 'static> ReadData for &T {}
// SAFETY: the item is a `bool`.
unsafe impl<T: 'static> ReadData for Is<T> {}
// SAFETY: the item is a copy of the id.
unsafe impl ReadData for Entity {}

/// Query data: whether the entity has the component `T`, as a `bool` behind `Deref`.
///
/// It matches every entity, and does not access the value of `T`.
///
/// ```
/// # use ecs::prelude::*;
/// # #[derive(Component)] struct Boss;
/// # #[derive(Component)] struct Goblin;
/// # world! { struct Game { components { Boss, Goblin } } }
/// let mut game = Game::new();
/// game.spawn((Goblin, Boss));
/// game.spawn(Goblin);
/// assert_eq!(game.query::<(&Goblin, Is<Boss>)>().iter().filter(|(_, is_boss)| **is_boss).count(), 1);
/// ```
pub struct Is<T>(bool, PhantomData<fn() -> T>);

impl<T> Is<T> {
    /// Makes a value, to call a per-entity system as a plain function.
    pub const fn new(present: bool) -> Self {
        Self(present, PhantomData)
    }
}

impl<T> Deref for Is<T> {
    type Target = bool;
    fn deref(&self) -> &bool {
        &self.0
    }
}

impl<T> Clone for Is<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Is<T> {}

impl<T> fmt::Debug for Is<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

/// Parameter of a per-entity system: the item of the `#[derive(Query)]` struct `Q`.
///
/// ```
/// use ecs::prelude::*;
///
/// #[derive(Component)] struct Position(f32);
/// #[derive(Component)] struct Velocity(f32);
///
/// #[derive(Query)]
/// struct Moving<'q> { position: &'q mut Position, velocity: &'q Velocity }
///
/// world! { struct Game { components { Position, Velocity } } schedule tick { step } }
///
/// #[system(Game)]
/// fn step(moving: Each<Moving>) {
///     moving.0.position.0 += moving.0.velocity.0;
/// }
///
/// let mut game = Game::new();
/// let ball = game.spawn((Position(1.0), Velocity(2.0)));
/// game.tick();
/// assert_eq!(game.get::<Position>(ball).unwrap().0, 3.0);
/// ```
#[derive(Debug)]
pub struct Each<Q>(pub Q);

impl<Q> Deref for Each<Q> {
    type Target = Q;
    fn deref(&self) -> &Q {
        &self.0
    }
}

impl<Q> DerefMut for Each<Q> {
    fn deref_mut(&mut self) -> &mut Q {
        &mut self.0
    }
}

/// The addresses of the generations of a world's slots: the columns of [`Entity`] as query data.
#[derive(Clone, Copy)]
pub struct RawEntities {
    generations: *const u32,
    words: usize,
}

impl RawEntities {
    /// The columns of a world without entities.
    pub(crate) const NONE: Self = Self { generations: core::ptr::null(), words: 0 };

    #[inline(always)]
    pub(crate) fn new(entities: &Entities) -> Self {
        let generations = entities.generations();
        Self { generations: generations.as_ptr(), words: generations.len() / 64 }
    }

    /// Whether an entity is alive.
    ///
    /// # Safety
    /// The world is still borrowed.
    #[inline(always)]
    pub(crate) unsafe fn contains(self, entity: Entity) -> bool {
        let slot = entity.slot() as usize;
        // SAFETY: there is a generation for each slot of the words.
        slot / 64 < self.words && unsafe { *self.generations.add(slot) } == entity.generation().get()
    }
}

/// The address of the generations of a word, and the number of its first slot.
#[derive(Clone, Copy)]
pub struct EntityBase {
    pub(crate) generations: *const u32,
    pub(crate) slot: u32,
}

impl EntityBase {
    /// # Safety
    /// The generations have an element `i` after the base's first.
    #[inline(always)]
    pub(crate) unsafe fn at(self, i: usize) -> Entity {
        // SAFETY: the caller promises that element `i` exists. A generation without the flag `DEAD`
        // is never zero.
        unsafe {
            Entity::from_parts(
                self.slot + i as u32,
                NonZeroU32::new_unchecked(*self.generations.add(i) & !DEAD),
            )
        }
    }
}

// SAFETY: every slot below `words` has a generation, so an item may be made for it.
unsafe impl SlotMatcher for RawEntities {
    #[inline(always)]
    fn words(self) -> Span {
        Span::up_to(self.words)
    }
    #[inline(always)]
    unsafe fn mask(self, _: usize) -> u64 {
        u64::MAX
    }
}

// SAFETY: `words` is the number of words that have generations, so `base` and `at` stay within
// them. The items are copies.
unsafe impl Data for Entity {
    type Columns = RawEntities;
    type Base = EntityBase;
    type Item<'q> = Entity;
    type ReadOnly = Self;
    const WORDS: usize = page::MAX_WORDS;
    #[inline(always)]
    unsafe fn base(columns: RawEntities, word: usize) -> EntityBase {
        EntityBase { generations: columns.generations.wrapping_add(word * 64), slot: (word * 64) as u32 }
    }
    #[inline(always)]
    unsafe fn at<'q>(base: EntityBase, i: usize) -> Self::Item<'q> {
        // SAFETY: the caller promises that the slot is below the end of `words`, so it has a
        // generation.
        unsafe { base.at(i) }
    }
}

// SAFETY: `ACCESS` declares that ids are read; they change only through an exclusive borrow of the
// world.
unsafe impl<W: RawWorld> QueryData<W> for Entity {
    const ACCESS: Access = Access::ENTITIES;
    #[inline(always)]
    unsafe fn columns(world: WorldCell<'_, W>) -> RawEntities {
        RawEntities::new(world.entities())
    }
}

impl<W: RawWorld, S> Borrows<W, S> for Entity {
    type Out = S;
}

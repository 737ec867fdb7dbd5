//! What a query asks of each entity.
#![expect(unsafe_code, reason = "elements are reached by address, after their bits were seen")]

use core::fmt;
use core::marker::PhantomData;
use core::num::NonZeroU32;
use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;

use super::change::{OptionalTrackedColumn, TrackedColumn};
use super::slots::{OptionalColumn, RequiredColumn, SlotMatcher};
use crate::base::mask::Span;
use crate::base::page::{self, Shape};
use crate::change::{Mut, Ref};
use crate::component::{Has, HasMut, HasStamps, HasTracked};
use crate::entity::Entity;
use crate::entity::allocator::{DEAD, Entities};
use crate::storage::column::Column;
use crate::storage::table::RawTable;
use crate::system::access::Access;
use crate::world::{World, WorldCell};

/// What a query asks of each entity, independent of any world: `&T`, `&mut T`, [`Ref`] and [`Mut`] of tracked
/// components, `Option` of those, [`Entity`], [`Is<T>`], tuples of up to twelve and `#[derive(Query)]` structs, nested.
///
/// What is not written in an implementation is that of data that matches nothing, as components by value are, whose
/// columns are `MatchesNothing`: the derive of each would have to say it again, and the compiler to read it.
///
/// # Safety
/// `at` gives an item only of what [`QueryData::ACCESS`] declares, and only of slots whose bit is set in the `mask` of the
/// columns. `WORDS` divides the page length of every column touched; `base` is valid up to the end of that many words.
/// `ReadOnly` is of the same components, element by element: their columns do not tell which those are.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not something that a query can ask for",
    label = "not query data",
    note = "a query asks for `&T`, `&mut T`, `Option<&T>`, `Option<&mut T>` or `Is<T>` of components, for `Ref<T>` or `Mut<T>` of tracked ones, for `Entity`, for a tuple of one to twelve of these, or for a `#[derive(Query)]` struct; filters stand apart: `Query<&T, With<U>>`, `query::<&T>().filter::<With<U>>()`"
)]
pub unsafe trait Data {
    /// The columns as addresses.
    type Columns: SlotMatcher;
    /// The addresses of the values of a word.
    type Base: Copy;
    /// What one entity gives.
    type Item<'q>;
    /// The same, read only: `&T` for `&mut T`. A `#[derive(Query)]` struct with a mutable field becomes the tuple of
    /// its fields.
    type ReadOnly: ReadData<Columns = Self::Columns>;
    /// How many words a base is good for, counted from a multiple of it.
    const WORDS: usize = 1;
    /// The addresses for a word.
    ///
    /// # Safety
    /// The columns are those that [`QueryData::columns`] gave for this data, and are still borrowed; the word is below the end
    /// of their `words`, and some slot of it matches.
    unsafe fn base(_columns: Self::Columns, _word: usize) -> Self::Base {
        unreachable!("nothing matches")
    }
    /// The item of the slot that is `i` after the base's first.
    ///
    /// # Safety
    /// The base is one of this data. The slot's bit is set, the slot is within `WORDS` of the base, and nobody else has an item
    /// that clashes.
    unsafe fn at<'q>(_base: Self::Base, _i: usize) -> Self::Item<'q> {
        unreachable!("nothing matches")
    }
}

/// [`Data`] of components that world `W` has.
///
/// # Safety
/// `ACCESS` covers all that items reach, and `columns` are those of `world`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not something that a query of world `{W}` can ask for",
    label = "not query data of `{W}`",
    note = "a query asks for `&T`, `&mut T`, `Option<&T>`, `Option<&mut T>` or `Is<T>` of components, for `Ref<T>` or `Mut<T>` of tracked ones, for `Entity`, for a tuple of one to twelve of these, or for a `#[derive(Query)]` struct; filters stand apart: `Query<&T, With<U>>`, `query::<&T>().filter::<With<U>>()`"
)]
pub unsafe trait QueryData<W: World>: Data {
    /// What it touches.
    const ACCESS: Access;
    /// The columns of a world.
    ///
    /// # Safety
    /// For as long as they are used, nobody else accesses the world in a way that clashes with `ACCESS`.
    unsafe fn columns(world: WorldCell<'_, W>) -> Self::Columns;
}

/// [`Data`] that only reads: what a shared borrow of a world may ask for.
///
/// # Safety
/// No item gives mutable access to anything of the world. A component's columns are those of `&T`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` borrows mutably, and the world is borrowed shared",
    label = "needs a mutable borrow of the world",
    note = "use `query_mut`"
)]
pub unsafe trait ReadData: Data {}

/// The sets of components of a query that is written where it is used: see `typeset`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not something that a query of world `{W}` can ask for",
    label = "not query data of `{W}`",
    note = "a query asks for `&T`, `&mut T`, `Option<&T>`, `Option<&mut T>` or `Is<T>` of components, for `Ref<T>` or `Mut<T>` of tracked ones, for `Entity`, for a tuple of one to twelve of these, or for a `#[derive(Query)]` struct; filters stand apart: `Query<&T, With<U>>`, `query::<&T>().filter::<With<U>>()`"
)]
pub trait Borrows<W: World, S>: QueryData<W> {
    /// The set with what this borrows.
    type Out;
}

/// What [`World::query`] and [`World::query_mut`] take: [`QueryData`] that borrows no component twice.
///
/// Of one component, and of any that are only read, this is no more than [`Has`] or [`HasMut`] of each, in a tuple as well. Code
/// that is generic over its world, and writes a component of a tuple with several, names the trait, with `'static` for each
/// lifetime:
///
/// ```
/// use ecs::WorldData;
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
    note = "a query asks for `&T`, `&mut T`, `Option<&T>`, `Option<&mut T>` or `Is<T>` of components, for `Ref<T>` or `Mut<T>` of tracked ones, for `Entity`, for a tuple of one to twelve of these, or for a `#[derive(Query)]` struct; filters stand apart: `Query<&T, With<U>>`, `query::<&T>().filter::<With<U>>()`"
)]
pub trait WorldData<W: World>: QueryData<W> {}

impl<W: World> WorldData<W> for Entity {}
impl<T: 'static, W: Has<T>> WorldData<W> for Is<T> {}

/// The address of values and of the bits that say which of them are there.
#[derive(Clone, Copy)]
pub struct OptionalColumnBase {
    values: *mut u8,
    masks: *const u64,
}

impl OptionalColumnBase {
    /// # Safety
    /// The shape is that of the column's values.
    #[inline(always)]
    unsafe fn new(column: RawTable, word: usize, shape: Shape) -> Self {
        // SAFETY: the caller's promise.
        Self { values: unsafe { column.base(word, shape) }, masks: column.masks_from(word) }
    }

    /// Whether there is a value.
    ///
    /// # Safety
    /// `i` is within the column's page that the base begins in.
    #[inline(always)]
    unsafe fn has(self, i: usize) -> bool {
        // SAFETY: masks come by the page, so if the base's word exists, so do the others of its page.
        !self.masks.is_null() && unsafe { *self.masks.add(i / 64) } >> (i % 64) & 1 == 1
    }

    /// # Safety
    /// As for [`has`](Self::has), and the base is of a column of `T`.
    #[inline(always)]
    unsafe fn at<T>(self, i: usize) -> Option<*mut T> {
        // SAFETY: the caller's promise; the bit says that page and value exist.
        unsafe { self.has(i).then(|| (self.values as *mut T).add(i)) }
    }
}

macro_rules! component_elements {
    ($($element:ty, $item:ty, $read:ty, $columns:ty, $base:ty,
       |$column:ident, $word:ident| $to_base:expr, |$from:ident, $i:ident| $at:expr;)*) => {$(
        // SAFETY: bits are the column's own, or items look at them, and bases are good for a page of the column.
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

// Addresses are of bytes until they are those of an item: functions that take them are the same for all components then.
component_elements! {
    &T, &'q T, Self, RequiredColumn, NonNull<u8>, |column, word|
        // SAFETY: the word is within bounds, and some slot of it has a value.
        unsafe { column.0.base_of_some(word, Column::<T>::SHAPE) }, |base, i|
        // SAFETY: the bit is set, so the value exists; the access sets keep writers away.
        unsafe { &*(base.as_ptr() as *mut T).add(i) };
    &mut T, &'q mut T, &'static T, RequiredColumn, NonNull<u8>, |column, word|
        // SAFETY: the word is within bounds, and some slot of it has a value.
        unsafe {
            column.0.touch_some(word, Column::<T>::SHAPE);
            column.0.base_of_some(word, Column::<T>::SHAPE)
        }, |base, i|
        // SAFETY: the bit is set, so the value exists; the access sets keep everybody else away.
        unsafe { &mut *(base.as_ptr() as *mut T).add(i) };
    Option<&T>, Option<&'q T>, Self, OptionalColumn, OptionalColumnBase,
        // SAFETY: the shape is that of `T`.
        |column, word| unsafe { OptionalColumnBase::new(column.0, word, Column::<T>::SHAPE) }, |base, i|
        // SAFETY: the base checks the bit; the access sets keep writers away.
        unsafe { base.at::<T>(i).map(|value| &*value) };
    Option<&mut T>, Option<&'q mut T>, Option<&'static T>, OptionalColumn, OptionalColumnBase, |column, word|
        // SAFETY: the shape is that of `T`.
        unsafe {
            column.0.touch(word, Column::<T>::SHAPE);
            OptionalColumnBase::new(column.0, word, Column::<T>::SHAPE)
        }, |base, i|
        // SAFETY: the base checks the bit; the access sets keep everybody else away.
        unsafe { base.at::<T>(i).map(|value| &mut *value) };
    Is<T>, Is<T>, Self, OptionalColumn, OptionalColumnBase,
        // SAFETY: the shape is that of `T`.
        |column, word| unsafe { OptionalColumnBase::new(column.0, word, Column::<T>::SHAPE) }, |base, i|
        // SAFETY: the base checks the bit; the value is not touched.
        unsafe { Is(base.has(i), PhantomData) };
}

macro_rules! component_access {
    ($($element:ty, $has:ident, |$world:ident| $columns:expr, $access:expr, $borrow:ident;)*) => {$(
        // SAFETY: the access is that of the element, and the column is the world's.
        unsafe impl<T: 'static, W: $has<T>> QueryData<W> for $element {
            const ACCESS: Access = $access(W::INDEX);
            #[inline(always)]
            unsafe fn columns($world: WorldCell<'_, W>) -> Self::Columns {
                // SAFETY: the caller keeps clashing accesses away for as long as the columns are used.
                unsafe { $columns }
            }
        }
        impl<T: 'static, W: $has<T>, S: crate::base::typeset::$borrow<W::Slot, T>> Borrows<W, S> for $element {
            type Out = S::Out;
        }
        impl<T: 'static, W: $has<T>> WorldData<W> for $element {}
    )*};
}

const fn optional_read(index: usize) -> Access {
    Access::read(index).optional()
}

const fn optional_write(index: usize) -> Access {
    Access::write(index).optional()
}

const fn optional_tracked_read(index: usize) -> Access {
    tracked_read(index).optional()
}

const fn optional_tracked_write(index: usize) -> Access {
    tracked_write(index).optional()
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
    Option<&T>, Has, |world| OptionalColumn(world.raw_column::<T>()), optional_read, BorrowSharedAt;
    Option<&mut T>, HasMut, |world| OptionalColumn(world.raw_column::<T>()), optional_write, BorrowUniqueAt;
    Option<Ref<'_, T>>, HasStamps, |world| OptionalTrackedColumn(TrackedColumn::of::<T, W>(world)), optional_tracked_read, BorrowSharedAt;
    Option<Mut<'_, T>>, HasTracked, |world| OptionalTrackedColumn(TrackedColumn::of::<T, W>(world)), optional_tracked_write, BorrowUniqueAt;
}

// SAFETY: presence is read, no value.
unsafe impl<T: 'static, W: Has<T>> QueryData<W> for Is<T> {
    const ACCESS: Access = Access::presence(W::INDEX);
    #[inline(always)]
    unsafe fn columns(world: WorldCell<'_, W>) -> OptionalColumn {
        // SAFETY: as above.
        OptionalColumn(unsafe { world.raw_column::<T>() })
    }
}

impl<T: 'static, W: Has<T>, S> Borrows<W, S> for Is<T> {
    type Out = S;
}

// SAFETY: these give shared references or presence only.
unsafe impl<T: 'static> ReadData for &T {}
// SAFETY: as above.
unsafe impl<T: 'static> ReadData for Option<&T> {}
// SAFETY: as above.
unsafe impl<T: 'static> ReadData for Is<T> {}
// SAFETY: ids are copied.
unsafe impl ReadData for Entity {}

/// As a query element: whether the entity has `T`. Reads as a `bool` through `*`.
pub struct Is<T>(bool, PhantomData<fn() -> T>);

impl<T> Is<T> {
    /// An element for a unit test of a system.
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

/// As a parameter of a per-entity system: the item of a `#[derive(Query)]` struct.
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

/// The generations of a world's slots.
#[derive(Clone, Copy)]
pub struct RawEntities {
    generations: *const u32,
    words: usize,
}

impl RawEntities {
    #[inline(always)]
    pub(crate) fn new(entities: &Entities) -> Self {
        let generations = entities.generations();
        Self { generations: generations.as_ptr(), words: generations.len() / 64 }
    }
}

/// Where a word's generations are.
#[derive(Clone, Copy)]
pub struct EntityBase {
    pub(crate) generations: *const u32,
    pub(crate) slot: u32,
}

impl EntityBase {
    /// # Safety
    /// The base is `i` slots or more before the end of the generations.
    #[inline(always)]
    pub(crate) unsafe fn at(self, i: usize) -> Entity {
        // SAFETY: within bounds by the caller's promise; without the mark of the dead a generation is never zero.
        unsafe {
            Entity::new(self.slot + i as u32, NonZeroU32::new_unchecked(*self.generations.add(i) & !DEAD))
        }
    }
}

// SAFETY: every slot has an id, and there are 64 for each word.
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

// SAFETY: the words of the columns keep `base` and `at` within the generations.
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
        // SAFETY: the slot exists, by the contract of this method.
        unsafe { base.at(i) }
    }
}

// SAFETY: ids are read; they change only through `&mut` of the world.
unsafe impl<W: World> QueryData<W> for Entity {
    const ACCESS: Access = Access::ENTITIES;
    #[inline(always)]
    unsafe fn columns(world: WorldCell<'_, W>) -> RawEntities {
        RawEntities::new(world.entities())
    }
}

impl<W: World, S> Borrows<W, S> for Entity {
    type Out = S;
}

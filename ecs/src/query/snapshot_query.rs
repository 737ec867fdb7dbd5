//! [`SnapshotQuery`]: queries of snapshots, `snapshot.query::<D>().filter::<F>()`.
//!
//! A snapshot keeps the values of a page without gaps, so that the addresses that queries of worlds
//! compute do not exist there. Query data and filters say here, once more and in safe code, how
//! they are read from a snapshot: the slots that match, a word at a time, and the items of these
//! slots.

use alloc::vec::Vec;
use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;

use super::data::{Data, Is, QueryData};
use super::filter::{AllowDisabled, And, Filter, Not, Or, QueryFilter, With, Without};
use super::param::only;
use super::passed_over::NamedComponents;
use crate::base::tuples::for_tuples;
use crate::component::Has;
use crate::entity::Entity;
use crate::error::SingleError;
use crate::raw_world::{RawWorld, Snapshot, WorldFields};
use crate::storage::snapshot_pages::FrozenWord;

/// Query data that can be read from a [`Snapshot`]: `&T`, [`Is<T>`], [`Entity`], tuples of one to
/// twelve of these, `#[derive(Query)]` structs of these, and `Option`s.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from a snapshot of world `{W}`",
    label = "not data of a snapshot",
    note = "a query of a snapshot asks for `&T`, `Option<&T>` or `Is<T>` of components, for `Entity`, for a tuple of one to twelve of these, or for a `#[derive(Query)]` struct of these; nothing in a snapshot can be changed: write `&T` for `&mut T`, `Mut<T>` or `Ref<T>`"
)]
pub trait SnapshotData<W: RawWorld>: QueryData<W> {
    /// The values of the 64 slots of a word.
    #[doc(hidden)]
    type Word<'s>;
    /// The values of a word in the world of a snapshot.
    #[doc(hidden)]
    fn word(world: &W, word: usize) -> Self::Word<'_>;
    /// The slots of a word that match.
    #[doc(hidden)]
    fn mask(word: &Self::Word<'_>) -> u64;
    /// The item of a slot that matches.
    #[doc(hidden)]
    fn item<'s>(word: &Self::Word<'s>, bit: usize) -> Self::Item<'s>;
}

/// A filter of queries of a [`Snapshot`]: [`With`], [`Without`], [`And`], [`Or`], [`Not`] and
/// tuples of these.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a filter of a snapshot of world `{W}`",
    label = "not a filter of a snapshot",
    note = "filters of a snapshot are `With<T>`, `Without<T>`, `And<(..)>`, `Or<(..)>`, `Not<F>`, and tuples of these; `Changed<T>` and `Added<T>` need the world: compare the values of two snapshots, or ask the world with `changed_since`"
)]
pub trait SnapshotFilter<W: RawWorld>: QueryFilter<W> {
    /// The slots of a word that pass; slots without a live entity may be among them.
    #[doc(hidden)]
    fn passing(world: &W, word: usize) -> u64;
}

impl<W: RawWorld> Snapshot<W> {
    /// A query of the snapshot, as [`World::query`](crate::World::query) of the world that was.
    /// [`filter`](SnapshotQuery::filter) adds a filter.
    ///
    /// The snapshot is not changed and not restored, so that several threads can read it while the
    /// world goes on.
    ///
    /// ```
    /// use ecs::prelude::*;
    ///
    /// #[derive(Component, Clone, PartialEq, Debug)] struct Position(i32);
    /// #[derive(Component, Clone)] struct Velocity(i32);
    /// #[derive(Component, Clone)] struct Frozen;
    ///
    /// world! {
    ///     #[derive(Clone)]
    ///     struct Game { components { Position, Velocity, Frozen } }
    ///     schedule tick { movement }
    /// }
    ///
    /// #[system(Game)]
    /// fn movement(position: &mut Position, velocity: &Velocity, _: Without<Frozen>) { position.0 += velocity.0; }
    ///
    /// let mut game = Game::new();
    /// let ball = game.spawn((Position(1), Velocity(2)));
    /// game.spawn((Position(5), Velocity(2), Frozen));
    /// let before = game.snapshot();
    /// std::thread::scope(|scope| {
    ///     scope.spawn(|| {
    ///         let moving = before.query::<(Entity, &Position, &Velocity)>().filter::<Without<Frozen>>();
    ///         let moving: Vec<_> = moving.iter().map(|(entity, position, velocity)| (entity, position.0, velocity.0)).collect();
    ///         assert_eq!(moving, [(ball, 1, 2)]);
    ///     });
    ///     game.tick();
    /// });
    /// assert_eq!(game.get(ball), Some(&Position(3)));
    /// ```
    ///
    /// Cost: the bits of the components, as for a query of the world; for each word of 64 slots
    /// with a match, a count of the bits before it in its page, of at most 64 words; and a list of
    /// the word's items.
    pub fn query<D: SnapshotData<W>>(&self) -> SnapshotQuery<'_, W, D> {
        SnapshotQuery {
            world: self.world(),
            mask: mask::<W, D>,
            filter: <()>::passing,
            components: const { NamedComponents::of(&D::ACCESS) },
            fill: fill::<W, D>,
            shape: PhantomData,
        }
    }

    /// The number of entities that were alive; counts the bits.
    pub fn len(&self) -> usize {
        self.query::<Entity>().len()
    }

    /// Whether no entity was alive.
    pub fn is_empty(&self) -> bool {
        self.query::<Entity>().is_empty()
    }
}

/// A query of a [`Snapshot`]. [`Snapshot::query`] returns it.
///
/// ```
/// # use ecs::prelude::*;
/// # #[derive(Component, Clone, PartialEq, Debug)] struct Health(u32);
/// # #[derive(Component, Clone)] struct Hero;
/// # world! { #[derive(Clone)] struct Game { components { Health, Hero } } }
/// let mut game = Game::new();
/// let hero = game.spawn((Health(5), Hero));
/// game.spawn(Health(1));
/// let before = game.snapshot();
/// game.clear();
/// assert_eq!(before.query::<&Health>().filter::<With<Hero>>().single().unwrap(), &Health(5));
/// assert_eq!(before.query::<(&Health, Is<Hero>)>().get(hero).map(|(health, is_hero)| (health.0, *is_hero)), Some((5, true)));
/// ```
pub struct SnapshotQuery<'s, W: RawWorld, D: Data, F: Filter = ()> {
    world: &'s W,
    // Functions, so that iterators need no bound with the world: a mistake in the query would be a
    // second error there.
    mask: fn(&W, usize) -> u64,
    filter: fn(&W, usize) -> u64,
    fill: Fill<'s, W, D>,
    components: NamedComponents,
    shape: PhantomData<fn() -> F>,
}

/// Adds the items of some slots of a word to a list, the last slot first.
type Fill<'s, W, D> = fn(&'s W, usize, u64, &mut Vec<<D as Data>::Item<'s>>);

fn mask<W: RawWorld, D: SnapshotData<W>>(world: &W, word: usize) -> u64 {
    D::mask(&D::word(world, word))
}

fn fill<'s, W: RawWorld, D: SnapshotData<W>>(
    world: &'s W,
    word: usize,
    mut slots: u64,
    items: &mut Vec<D::Item<'s>>,
) {
    let values = D::word(world, word);
    while slots != 0 {
        let bit = slots.ilog2();
        slots ^= 1 << bit;
        items.push(D::item(&values, bit as usize));
    }
}

impl<'s, W: RawWorld, D: Data> SnapshotQuery<'s, W, D> {
    /// Restricts the query to the entities that pass `F`: one filter, or a tuple of filters.
    pub fn filter<F: SnapshotFilter<W>>(self) -> SnapshotQuery<'s, W, D, F> {
        let Self { world, mask, fill, components, .. } = self;
        let components = components.and(const { NamedComponents::of(&F::ACCESS) });
        SnapshotQuery { world, mask, filter: F::passing, fill, components, shape: PhantomData }
    }
}

impl<'s, W: RawWorld, D: Data, F: Filter> SnapshotQuery<'s, W, D, F> {
    /// The items, in the order of the slots.
    pub fn iter(&self) -> SnapshotIter<'s, W, D, F> {
        SnapshotIter { query: *self, word: 0, items: Vec::new() }
    }

    /// The item of an entity; `None` if the entity was not alive or does not match.
    pub fn get(&self, entity: Entity) -> Option<D::Item<'s>> {
        if !self.contains(entity) {
            return None;
        }
        let mut item = Vec::new();
        (self.fill)(self.world, entity.slot() as usize / 64, 1 << (entity.slot() % 64), &mut item);
        item.pop()
    }

    /// Whether an entity was alive and matches.
    pub fn contains(&self, entity: Entity) -> bool {
        self.world.__living().frozen_contains(entity)
            && self.matches(entity.slot() as usize / 64) >> (entity.slot() % 64) & 1 == 1
    }

    /// The item of the only entity that matches.
    ///
    /// # Errors
    /// If no entity matches, or more than one.
    pub fn single(&self) -> Result<D::Item<'s>, SingleError> {
        only(self.iter())
    }

    /// The number of entities that match; counts the bits.
    pub fn len(&self) -> usize {
        (0..self.words()).map(|word| self.matches(word).count_ones() as usize).sum()
    }

    /// Whether no entity matches.
    pub fn is_empty(&self) -> bool {
        (0..self.words()).all(|word| self.matches(word) == 0)
    }

    fn words(&self) -> usize {
        self.world.__living().frozen_words()
    }

    /// The slots of a word that match.
    fn matches(&self, word: usize) -> u64 {
        let alive = self.world.__living().frozen_alive_in(word);
        if alive == 0 {
            return 0;
        }
        let passing = alive & (self.filter)(self.world, word);
        if passing == 0 {
            return 0;
        }
        passing & (self.mask)(self.world, word) & !self.components.frozen_mask(self.world, word)
    }
}

impl<W: RawWorld, D: Data, F: Filter> Clone for SnapshotQuery<'_, W, D, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W: RawWorld, D: Data, F: Filter> Copy for SnapshotQuery<'_, W, D, F> {}

impl<W: RawWorld, D: Data, F: Filter> fmt::Debug for SnapshotQuery<'_, W, D, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SnapshotQuery").field("world", &W::WORLD_NAME).finish_non_exhaustive()
    }
}

impl<'s, W: RawWorld, D: Data, F: Filter> IntoIterator for SnapshotQuery<'s, W, D, F> {
    type Item = D::Item<'s>;
    type IntoIter = SnapshotIter<'s, W, D, F>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'s, W: RawWorld, D: Data, F: Filter> IntoIterator for &SnapshotQuery<'s, W, D, F> {
    type Item = D::Item<'s>;
    type IntoIter = SnapshotIter<'s, W, D, F>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// An iterator over the items of a [`SnapshotQuery`], in the order of the slots.
pub struct SnapshotIter<'s, W: RawWorld, D: Data, F: Filter> {
    query: SnapshotQuery<'s, W, D, F>,
    /// The next word.
    word: usize,
    /// The items of the word before, the last one first.
    items: Vec<D::Item<'s>>,
}

impl<'s, W: RawWorld, D: Data, F: Filter> Iterator for SnapshotIter<'s, W, D, F> {
    type Item = D::Item<'s>;

    #[inline]
    fn next(&mut self) -> Option<D::Item<'s>> {
        while self.items.is_empty() && self.word < self.query.words() {
            let slots = self.query.matches(self.word);
            if slots != 0 {
                (self.query.fill)(self.query.world, self.word, slots, &mut self.items);
            }
            self.word += 1;
        }
        self.items.pop()
    }
}

impl<W: RawWorld, D: Data, F: Filter> FusedIterator for SnapshotIter<'_, W, D, F> {}

impl<W: RawWorld, D: Data, F: Filter> fmt::Debug for SnapshotIter<'_, W, D, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SnapshotIter").field("word", &self.word).finish_non_exhaustive()
    }
}

impl<T: 'static, W: Has<T>> SnapshotData<W> for &T {
    type Word<'s> = FrozenWord<'s, T>;
    fn word(world: &W, word: usize) -> FrozenWord<'_, T> {
        world.column().frozen_word(word)
    }
    fn mask(word: &FrozenWord<'_, T>) -> u64 {
        word.mask
    }
    fn item<'s>(word: &Self::Word<'s>, bit: usize) -> Self::Item<'s> {
        word.get(bit).expect("the slot matches, so that it has a value")
    }
}

impl<D: SnapshotData<W>, W: RawWorld> SnapshotData<W> for Option<D> {
    type Word<'s> = (u64, D::Word<'s>);
    fn word(world: &W, word: usize) -> Self::Word<'_> {
        let values = D::word(world, word);
        (D::mask(&values), values)
    }
    fn mask(_: &Self::Word<'_>) -> u64 {
        u64::MAX
    }
    fn item<'s>((mask, values): &Self::Word<'s>, bit: usize) -> Self::Item<'s> {
        (mask >> bit & 1 == 1).then(|| D::item(values, bit))
    }
}

impl<T: 'static, W: Has<T>> SnapshotData<W> for Is<T> {
    type Word<'s> = u64;
    fn word(world: &W, word: usize) -> u64 {
        With::<T>::passing(world, word)
    }
    fn mask(_: &u64) -> u64 {
        u64::MAX
    }
    fn item<'s>(word: &u64, bit: usize) -> Self::Item<'s> {
        Self::new(word >> bit & 1 == 1)
    }
}

impl<W: RawWorld> SnapshotData<W> for Entity {
    type Word<'s> = (&'s W, usize);
    fn word(world: &W, word: usize) -> (&W, usize) {
        (world, word)
    }
    fn mask(_: &(&W, usize)) -> u64 {
        u64::MAX
    }
    fn item<'s>(&(world, word): &Self::Word<'s>, bit: usize) -> Self::Item<'s> {
        world.__living().frozen_at(word * 64 + bit).expect("the slot matches, so that it has an entity")
    }
}

impl<T: 'static, W: Has<T>> SnapshotFilter<W> for With<T> {
    fn passing(world: &W, word: usize) -> u64 {
        world.column::<T>().frozen_mask(word)
    }
}

impl<T: 'static, W: Has<T>> SnapshotFilter<W> for Without<T> {
    fn passing(world: &W, word: usize) -> u64 {
        !With::<T>::passing(world, word)
    }
}

impl<W: RawWorld> SnapshotFilter<W> for AllowDisabled {
    fn passing(_: &W, _: usize) -> u64 {
        u64::MAX
    }
}

impl<W: RawWorld, F: SnapshotFilter<W>> SnapshotFilter<W> for And<F> {
    fn passing(world: &W, word: usize) -> u64 {
        F::passing(world, word)
    }
}

impl<W: RawWorld, F: SnapshotFilter<W>> SnapshotFilter<W> for Not<F> {
    fn passing(world: &W, word: usize) -> u64 {
        !F::passing(world, word)
    }
}

macro_rules! tuples {
    ($($name:ident $index:tt)+) => {
        impl<W: RawWorld, $($name: SnapshotData<W>),+> SnapshotData<W> for ($($name,)+) {
            type Word<'s> = ($($name::Word<'s>,)+);
            fn word(world: &W, word: usize) -> Self::Word<'_> {
                ($($name::word(world, word),)+)
            }
            fn mask(word: &Self::Word<'_>) -> u64 {
                u64::MAX $(& $name::mask(&word.$index))+
            }
            fn item<'s>(word: &Self::Word<'s>, bit: usize) -> Self::Item<'s> {
                ($($name::item(&word.$index, bit),)+)
            }
        }
        impl<W: RawWorld, $($name: SnapshotFilter<W>),+> SnapshotFilter<W> for ($($name,)+) {
            fn passing(world: &W, word: usize) -> u64 {
                u64::MAX $(& $name::passing(world, word))+
            }
        }
        impl<W: RawWorld, $($name: SnapshotFilter<W>),+> SnapshotFilter<W> for Or<($($name,)+)> {
            fn passing(world: &W, word: usize) -> u64 {
                0 $(| $name::passing(world, word))+
            }
        }
    };
}
for_tuples!(tuples);

impl<W: RawWorld> SnapshotFilter<W> for () {
    fn passing(_: &W, _: usize) -> u64 {
        u64::MAX
    }
}

impl<W: RawWorld> SnapshotFilter<W> for Or<()> {
    fn passing(_: &W, _: usize) -> u64 {
        0
    }
}

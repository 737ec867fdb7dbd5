//! Iteration over the items of a query in another order than that of the slots.

use alloc::vec::{self, Vec};
use core::cmp::Ordering;

use super::data::{Data, ReadData};
use super::filter::Filter;
use super::param::{Query, ReadItem};
use super::world_query::WorldQuery;
use crate::raw_world::RawWorld;

impl<D: Data, F: Filter> Query<'_, D, F> {
    /// Iterates over the items, with shared references, in the order of their keys. Items with
    /// equal keys keep the order of the slots, so that the order is the same in every run of the
    /// program.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Component)] struct Layer(u8);
    /// # #[derive(Component, PartialEq, Debug)] struct Sprite(char);
    /// # world! { struct Game { components { Layer, Sprite } } }
    /// let mut game = Game::new();
    /// game.spawn_batch([(Layer(2), Sprite('c')), (Layer(1), Sprite('a')), (Layer(1), Sprite('b'))]);
    /// let sprites = game.query::<(&Layer, &Sprite)>();
    /// assert!(sprites.sorted_by_key(|(layer, _)| layer.0).map(|(_, sprite)| sprite.0).eq(['a', 'b', 'c']));
    /// assert!(sprites.sorted_by_key(|(layer, _)| layer.0).rev().map(|(_, sprite)| sprite.0).eq(['c', 'b', 'a']));
    /// ```
    ///
    /// Cost: a list of the keys and items of all matching entities, and the time of a stable sort.
    /// `key` is called once for each entity. To sort by numbers with a fraction use
    /// [`sorted_by`](Self::sorted_by) and `total_cmp`.
    pub fn sorted_by_key<K: Ord>(
        &self,
        key: impl FnMut(&ReadItem<'_, D>) -> K,
    ) -> vec::IntoIter<ReadItem<'_, D>> {
        by_key(self.iter(), key)
    }

    /// Iterates over the items in the order of their keys: see
    /// [`sorted_by_key`](Self::sorted_by_key).
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Component)] struct Speed(u32);
    /// # #[derive(Component)] struct Turn(usize);
    /// # world! { struct Game { components { Speed, Turn } } }
    /// # let mut game = Game::new();
    /// # game.spawn_batch([3, 9, 5].map(|speed| (Speed(speed), Turn(0))));
    /// let mut fighters = game.query_mut::<(&Speed, &mut Turn)>();
    /// for (number, (_, turn)) in fighters.sorted_by_key_mut(|(speed, _)| core::cmp::Reverse(speed.0)).enumerate() {
    ///     turn.0 = number;
    /// }
    /// assert!(game.query::<&Turn>().iter().map(|turn| turn.0).eq([2, 0, 1]));
    /// ```
    pub fn sorted_by_key_mut<K: Ord>(
        &mut self,
        key: impl FnMut(&D::Item<'_>) -> K,
    ) -> vec::IntoIter<D::Item<'_>> {
        by_key(self.iter_mut(), key)
    }

    /// Iterates over the items, with shared references, in the order that `compare` gives. Items
    /// that it finds equal keep the order of the slots.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Component)] struct Depth(f32);
    /// # world! { struct Game { components { Depth } } }
    /// # let mut game = Game::new();
    /// # game.spawn_batch([0.5, -1.0, 2.0].map(Depth));
    /// let depths = game.query::<&Depth>();
    /// assert!(depths.sorted_by(|a, b| b.0.total_cmp(&a.0)).map(|depth| depth.0).eq([2.0, 0.5, -1.0]));
    /// ```
    ///
    /// Cost: a list of the items of all matching entities, and the time of a stable sort.
    ///
    /// # Panics
    /// The sort may panic if `compare` is not a total order.
    pub fn sorted_by(
        &self,
        compare: impl FnMut(&ReadItem<'_, D>, &ReadItem<'_, D>) -> Ordering,
    ) -> vec::IntoIter<ReadItem<'_, D>> {
        by(self.iter(), compare)
    }

    /// Iterates over the items in the order that `compare` gives: see
    /// [`sorted_by`](Self::sorted_by).
    ///
    /// # Panics
    /// The sort may panic if `compare` is not a total order.
    pub fn sorted_by_mut(
        &mut self,
        compare: impl FnMut(&D::Item<'_>, &D::Item<'_>) -> Ordering,
    ) -> vec::IntoIter<D::Item<'_>> {
        by(self.iter_mut(), compare)
    }
}

/// For queries that only read: the items live as long as the borrow of the world.
impl<'w, W: RawWorld, D: ReadData, F: Filter> WorldQuery<'w, W, D, F> {
    /// See [`Query::sorted_by_key`].
    pub fn sorted_by_key<K: Ord>(&self, key: impl FnMut(&D::Item<'_>) -> K) -> vec::IntoIter<D::Item<'w>> {
        by_key(self.iter(), key)
    }

    /// See [`Query::sorted_by`].
    ///
    /// # Panics
    /// The sort may panic if `compare` is not a total order.
    pub fn sorted_by(
        &self,
        compare: impl FnMut(&D::Item<'_>, &D::Item<'_>) -> Ordering,
    ) -> vec::IntoIter<D::Item<'w>> {
        by(self.iter(), compare)
    }
}

impl<W: RawWorld, D: Data, F: Filter> WorldQuery<'_, W, D, F> {
    /// See [`Query::sorted_by_key_mut`].
    pub fn sorted_by_key_mut<K: Ord>(
        &mut self,
        key: impl FnMut(&D::Item<'_>) -> K,
    ) -> vec::IntoIter<D::Item<'_>> {
        by_key(self.query.iter_mut(), key)
    }

    /// See [`Query::sorted_by_mut`].
    ///
    /// # Panics
    /// The sort may panic if `compare` is not a total order.
    pub fn sorted_by_mut(
        &mut self,
        compare: impl FnMut(&D::Item<'_>, &D::Item<'_>) -> Ordering,
    ) -> vec::IntoIter<D::Item<'_>> {
        by(self.query.iter_mut(), compare)
    }
}

fn by_key<I, K: Ord>(items: impl Iterator<Item = I>, mut key: impl FnMut(&I) -> K) -> vec::IntoIter<I> {
    let mut items: Vec<(K, I)> = items.map(|item| (key(&item), item)).collect();
    items.sort_by(|(one, _), (other, _)| one.cmp(other));
    items.into_iter().map(|(_, item)| item).collect::<Vec<I>>().into_iter()
}

fn by<I>(items: impl Iterator<Item = I>, compare: impl FnMut(&I, &I) -> Ordering) -> vec::IntoIter<I> {
    let mut items: Vec<I> = items.collect();
    items.sort_by(compare);
    items.into_iter()
}

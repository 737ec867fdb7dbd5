//! Several items of a query at once: of entities that are named, in pairs and in combinations.
#![expect(unsafe_code, reason = "several items live at once, of different slots or to read only")]

use alloc::vec::Vec;
use core::array;
use core::borrow::Borrow;

use super::data::{Data, ReadData};
use super::filter::Filter;
use super::param::{Query, ReadItem};
use crate::base::mask::Bits;
use crate::entity::Entity;
use crate::error::GetManyError;

impl<D: Data, F: Filter> Query<'_, D, F> {
    /// The items of several entities at the same time, with shared references. An id may occur
    /// twice.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Component, PartialEq, Debug)] struct Gold(u32);
    /// # world! { struct Game { components { Gold } } }
    /// let mut game = Game::new();
    /// let (buyer, seller) = (game.spawn(Gold(10)), game.spawn(Gold(3)));
    /// let golds = game.query::<&Gold>();
    /// let [from, to] = golds.get_many([buyer, seller])?;
    /// assert_eq!(from.0 - to.0, 7);
    /// # Ok::<(), ecs::error::GetManyError>(())
    /// ```
    ///
    /// # Errors
    /// If an entity is despawned or does not match.
    pub fn get_many<const N: usize>(
        &self,
        entities: [Entity; N],
    ) -> Result<[ReadItem<'_, D>; N], GetManyError> {
        match entities.iter().find(|entity| !self.contains(**entity)) {
            Some(&entity) => Err(GetManyError::NoMatch(entity)),
            None => Ok(entities.map(|entity| self.get(entity).expect("found above"))),
        }
    }

    /// Iterates over the items of some entities, in their order, with shared references. Entities
    /// that are despawned or do not match are left out; an id may occur twice.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Component)] struct Weight(u32);
    /// # world! { struct Game { components { Weight } } }
    /// # let mut game = Game::new();
    /// let bag = [game.spawn(Weight(2)), game.spawn(()), game.spawn(Weight(3))];
    /// let weights = game.query::<&Weight>();
    /// assert_eq!(weights.iter_many(bag).map(|weight| weight.0).sum::<u32>(), 5);
    /// assert_eq!(weights.iter_many(&bag[..2]).count(), 1);
    /// ```
    pub fn iter_many(
        &self,
        entities: impl IntoIterator<Item: Borrow<Entity>>,
    ) -> impl Iterator<Item = ReadItem<'_, D>> {
        entities.into_iter().filter_map(|entity| self.get(*entity.borrow()))
    }

    /// Iterates over all combinations of `K` different entities, each once, with shared references.
    /// The entities of a combination, and the combinations, are in the order of the slots.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Component)] struct Charge(i32);
    /// # world! { struct Game { components { Charge } } }
    /// # let mut game = Game::new();
    /// game.spawn_batch([1, 2, 3].map(Charge));
    /// let charges = game.query::<&Charge>();
    /// let pairs = charges.iter_combinations().map(|[one, other]| one.0 * other.0);
    /// assert!(pairs.eq([2, 3, 6]));
    /// assert_eq!(charges.iter_combinations::<3>().count(), 1);
    /// ```
    ///
    /// Cost: a list of the slots that match, 4 bytes for each, and `K` lookups for each
    /// combination. [`pairs_mut`](Self::pairs_mut) lends the two items of each pair mutably.
    pub fn iter_combinations<const K: usize>(&self) -> impl Iterator<Item = [ReadItem<'_, D>; K]> {
        let query = self.as_read_only();
        // SAFETY: the query borrows the world.
        let masks = unsafe { self.rows().masks() };
        let slots: Vec<u32> =
            masks.flat_map(|(word, mask)| Bits(mask).map(move |bit| (word * 64 + bit) as u32)).collect();
        let mut chosen: [usize; K] = array::from_fn(|place| place);
        let mut is_open = K <= slots.len();
        core::iter::from_fn(move || {
            if !is_open {
                return None;
            }
            let items = chosen.map(|index| {
                let slot = slots[index] as usize;
                // SAFETY: the slot matches, and the query only reads.
                unsafe { query.at(slot / 64, slot % 64) }
            });
            is_open = next_combination(&mut chosen, slots.len());
            Some(items)
        })
    }

    /// The items of several entities at the same time.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Component, PartialEq, Debug)] struct Gold(u32);
    /// # world! { struct Game { components { Gold } } }
    /// let mut game = Game::new();
    /// let (buyer, seller) = (game.spawn(Gold(10)), game.spawn(Gold(0)));
    /// let mut golds = game.query_mut::<&mut Gold>();
    /// let [from, to] = golds.get_many_mut([buyer, seller]).unwrap();
    /// core::mem::swap(from, to);
    /// assert!(golds.get_many_mut([buyer, buyer]).is_err());
    /// assert_eq!(game.get::<Gold>(seller), Some(&Gold(10)));
    /// ```
    ///
    /// # Errors
    /// If an id occurs twice, or an entity is despawned or does not match.
    pub fn get_many_mut<const N: usize>(
        &mut self,
        entities: [Entity; N],
    ) -> Result<[D::Item<'_>; N], GetManyError> {
        for (i, &entity) in entities.iter().enumerate() {
            if entities[..i].contains(&entity) {
                return Err(GetManyError::Twice(entity));
            }
            if !self.contains(entity) {
                return Err(GetManyError::NoMatch(entity));
            }
        }
        // SAFETY: the ids differ and all are alive, so their slots differ and the items do not
        // overlap; `&mut self` excludes other items.
        Ok(entities.map(|entity| unsafe { self.item(entity) }.expect("found above")))
    }

    /// The item of an entity, and the items of all others with shared references: for agents that
    /// act one by one, each of which looks at the others and changes itself.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Component, PartialEq, Debug)] struct Position(f32);
    /// # world! { struct Game { components { Position } } }
    /// # let mut game = Game::new();
    /// let birds: Vec<Entity> = game.spawn_batch([0.0, 4.0, 6.0].map(Position)).collect();
    /// let mut positions = game.query_mut::<&mut Position>();
    /// for &bird in &birds {
    ///     let Some((position, others)) = positions.split_one_mut(bird) else { continue };
    ///     assert!(others.get(bird).is_none());
    ///     position.0 = others.iter().map(|other| other.0).sum::<f32>() / 2.0;
    /// }
    /// assert_eq!(positions.get(birds[2]), Some(&Position(5.25)));
    /// ```
    ///
    /// `None` if the entity is despawned or does not match. The loop itself gives the order: that of
    /// a list of ids, of [`sorted_by_key`](Self::sorted_by_key), or a random one.
    ///
    /// Cost: one access by id, as of [`get_mut`](Self::get_mut).
    #[inline]
    #[expect(clippy::type_complexity, reason = "the own row and the others")]
    pub fn split_one_mut(&mut self, entity: Entity) -> Option<(D::Item<'_>, Others<'_, D::ReadOnly, F>)> {
        let (word, bit) = self.find(entity)?;
        let others = Others { query: self.as_read_only(), own: (word, 1 << bit), entity };
        // SAFETY: `find` returned the word and the bit. `Others` gives no item of this slot, and
        // `&mut self` excludes other items.
        Some((unsafe { self.at(word, bit) }, others))
    }

    /// Calls `f` with the items of every unordered pair of different entities.
    ///
    /// Cost: with `n` entities, `n * (n - 1) / 2` calls.
    pub fn pairs_mut(&mut self, mut f: impl FnMut(D::Item<'_>, D::Item<'_>)) {
        let rows = self.rows();
        // SAFETY: the loops keep words below `rows.words`, and `base` is asked only for words with
        // a match. The two slots differ, so the items do not overlap. Both items end when `f`
        // returns, since `f` accepts any lifetime; `&mut self` excludes others.
        unsafe {
            for first in rows.first..rows.words {
                for i in Bits(rows.mask(first)) {
                    let base = D::base(rows.data, first);
                    let above = if i == 63 { 0 } else { u64::MAX << (i + 1) };
                    for j in Bits(rows.mask(first) & above) {
                        f(D::at(base, i), D::at(base, j));
                    }
                    for second in first + 1..rows.words {
                        let mask = rows.mask(second);
                        if mask != 0 {
                            let other = D::base(rows.data, second);
                            for j in Bits(mask) {
                                f(D::at(base, i), D::at(other, j));
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The items of a query without those of one entity, from [`Query::split_one_mut`].
pub struct Others<'q, D: ReadData, F: Filter = ()> {
    query: Query<'q, D, F>,
    /// The word of the entity that is left out, and its bit alone.
    own: (usize, u64),
    entity: Entity,
}

impl<'q, D: ReadData, F: Filter> Others<'q, D, F> {
    /// The item of an entity; `None` if the entity is the one that is left out, is despawned or does
    /// not match.
    #[inline]
    pub fn get(&self, entity: Entity) -> Option<D::Item<'q>> {
        if entity == self.entity {
            return None;
        }
        // SAFETY: the query only reads, and the id is another one than that of the only mutable
        // item, so the slot is another one.
        unsafe { self.query.item(entity) }
    }

    /// Whether the entity is another one, is alive and matches.
    #[inline]
    pub fn contains(&self, entity: Entity) -> bool {
        entity != self.entity && self.query.contains(entity)
    }

    /// Iterates over the items, in the order of the slots.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = D::Item<'q>> + use<'q, D, F> {
        let (query, (own, bit)) = (self.query, self.own);
        // SAFETY: the query borrows the world.
        let masks = unsafe { query.rows().masks() };
        masks.flat_map(move |(word, mask)| {
            let mask = if word == own { mask & !bit } else { mask };
            // SAFETY: a slot of the word matches.
            let base = (mask != 0).then(|| unsafe { D::base(query.data, word) });
            // SAFETY: the slot matches and is not that of the only mutable item.
            let items = move |base| Bits(mask).map(move |bit| unsafe { D::at(base, bit) });
            base.into_iter().flat_map(items)
        })
    }
}

impl<D: ReadData, F: Filter> Clone for Others<'_, D, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: ReadData, F: Filter> Copy for Others<'_, D, F> {}

/// The next choice of different indices below `len`, in ascending order; `false` after the last one.
fn next_combination(chosen: &mut [usize], len: usize) -> bool {
    let most = |place: usize| len - (chosen.len() - place);
    let Some(place) = (0..chosen.len()).rev().find(|&place| chosen[place] < most(place)) else {
        return false;
    };
    let first = chosen[place] + 1;
    chosen[place..].iter_mut().zip(first..).for_each(|(index, next)| *index = next);
    true
}

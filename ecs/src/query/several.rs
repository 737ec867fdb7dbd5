//! Several items of a query at once: of entities that are named, in pairs and in combinations.
#![expect(unsafe_code, reason = "several items live at once, of different slots or to read only")]

use alloc::vec::Vec;
use core::array;
use core::borrow::Borrow;

use super::data::Data;
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

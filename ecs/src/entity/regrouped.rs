//! [`Regrouped`]: the entities that [`WorldMemory::regroup`](crate::world::WorldMemory::regroup)
//! moved to other slots, with their former and their present ids.

use alloc::vec::Vec;

use super::Entity;

/// The entities that [`WorldMemory::regroup`](crate::world::WorldMemory::regroup) moved, each with
/// its former and its present id.
///
/// An entity that is not listed has kept its id.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[must_use = "ids of these entities that the program keeps outside of the world are no longer valid"]
pub struct Regrouped {
    /// Pairs of the former and the present id, sorted by the former one. No slot is twice among the
    /// former ids, or twice among the present ones.
    pairs: Vec<(Entity, Entity)>,
}

impl Regrouped {
    /// `pairs` are sorted by the former id, and no slot is twice on either side.
    pub(super) fn of(pairs: Vec<(Entity, Entity)>) -> Self {
        debug_assert!(pairs.is_sorted_by(|a, b| a.0.slot() < b.0.slot()));
        Self { pairs }
    }

    /// Returns the present id of an entity that was moved, by its former id; `None` if no entity
    /// with this id was moved.
    ///
    /// Cost: a binary search among the entities that were moved.
    pub fn get(&self, former: Entity) -> Option<Entity> {
        let at = self.pairs.binary_search_by_key(&former, |pair| pair.0).ok()?;
        Some(self.pairs[at].1)
    }

    /// Returns the present id of an entity: another one if it was moved, else the same.
    pub fn current(&self, id: Entity) -> Entity {
        self.get(id).unwrap_or(id)
    }

    /// Replaces an id by the present id of its entity. Returns whether the entity was moved.
    ///
    /// ```
    /// use ecs::prelude::*;
    /// use ecs::world::WorldMemory;
    ///
    /// #[derive(Component)] struct Shield;
    /// #[derive(Component)] struct Health(u32);
    /// #[derive(Component)] struct Aims { at: Entity }
    ///
    /// world! { struct Game { components { Shield, Health, Aims } } }
    ///
    /// let mut game = Game::new();
    /// let mut player = game.spawn(Health(5));
    /// let archer = game.spawn(Aims { at: player });
    /// game.insert(player, Shield)?;
    ///
    /// let moved = game.regroup();
    /// moved.update(&mut player);
    /// for aims in game.query_mut::<&mut Aims>() {
    ///     moved.update(&mut aims.at);
    /// }
    /// assert_eq!(game.get::<Aims>(moved.current(archer)).map(|aims| aims.at), Some(player));
    /// assert!(game.has::<Shield>(player));
    /// # Ok::<(), ecs::error::InsertError>(())
    /// ```
    pub fn update(&self, id: &mut Entity) -> bool {
        let present = self.get(*id);
        *id = present.unwrap_or(*id);
        present.is_some()
    }

    /// The present slot of the entity that had a slot before.
    pub(crate) fn current_slot(&self, former: u32) -> u32 {
        let at = self.pairs.binary_search_by_key(&former, |pair| pair.0.slot());
        at.map_or(former, |at| self.pairs[at].1.slot())
    }

    /// Iterates over pairs of the former and the present id, in the order of the former slots.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Entity, Entity)> + '_ {
        self.pairs.iter().copied()
    }

    /// Returns the number of entities that were moved.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Returns `true` if no entity was moved.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }
}

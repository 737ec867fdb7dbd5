//! Reading a snapshot without restoring it: its entities, the values of their components, its
//! resources.
//!
//! A snapshot has no pages of values as a world has them, only shared copies without gaps (see
//! `storage::snapshot_pages`). Its queries are in `query::snapshot_query`.

use super::fields::{erased_column, table};
use super::{RawWorld, Snapshot, WorldFields};
use crate::component::Has;
use crate::entity::Entity;
use crate::resource::HasResource;

/// Reading without a restore.
///
/// ```
/// use ecs::prelude::*;
///
/// #[derive(Component, Clone, PartialEq, Debug)]
/// struct Health(u32);
/// #[derive(Component, Clone)]
/// struct Hero;
///
/// world! {
///     #[derive(Clone)]
///     struct Game { components { Health, Hero } }
/// }
///
/// let mut game = Game::new();
/// let hero = game.spawn((Health(3), Hero));
/// let before = game.snapshot();
/// game.get_mut::<Health>(hero).unwrap().0 = 1;
/// let rat = game.spawn(Health(1));
///
/// // who lost health since then?
/// let hurt = before.iter::<Health>().filter(|&(entity, old)| game.get(entity) != Some(old));
/// assert_eq!(hurt.collect::<Vec<_>>(), [(hero, &Health(3))]);
/// assert!(before.contains(hero) && !before.contains(rat));
/// assert!(before.get::<Hero>(hero).is_some());
/// ```
impl<W: RawWorld> Snapshot<W> {
    /// Whether the entity was alive.
    pub fn contains(&self, entity: Entity) -> bool {
        self.world.__living().frozen_contains(entity)
    }

    /// The entities that were alive, in the order of their slots.
    pub fn entities(&self) -> impl Iterator<Item = Entity> {
        let entities = self.world.__living();
        entities.frozen_alive().filter_map(|slot| entities.frozen_at(slot))
    }

    /// The value that an entity had; `None` if it had none or was not alive.
    ///
    /// Cost: counts up to 64 words of bits.
    pub fn get<T: 'static>(&self, entity: Entity) -> Option<&T>
    where
        W: Has<T>,
    {
        if self.contains(entity) { self.world.column::<T>().frozen_value(entity.slot()) } else { None }
    }

    /// Whether an entity had the component.
    pub fn has<T: 'static>(&self, entity: Entity) -> bool
    where
        W: Has<T>,
    {
        self.get::<T>(entity).is_some()
    }

    /// The values of a component with their entities, in the order of the slots.
    pub fn iter<T: 'static>(&self) -> impl Iterator<Item = (Entity, &T)>
    where
        W: Has<T>,
    {
        let entities = self.world.__living();
        self.world
            .column::<T>()
            .frozen_values()
            .filter_map(|(slot, value)| Some((entities.frozen_at(slot)?, value)))
    }

    /// Calls `f` with each page of values that the snapshot holds: a number that is the same in all
    /// snapshots that share the page, as long as one of them exists, and its size in bytes. Memory
    /// that the values own, such as the text of a `String`, is not counted, and neither are the
    /// list of entities, resources and events.
    ///
    /// ```
    /// # use std::collections::HashMap;
    /// # use ecs::prelude::*;
    /// # #[derive(Component, Clone)] struct Position([f32; 4]);
    /// # #[derive(Component, Clone)] struct Health(u64);
    /// # world! { #[derive(Clone)] struct Game { components { Position, Health } } }
    /// # let mut game = Game::new();
    /// game.spawn_batch((0..1000).map(|n| (Position([0.0; 4]), Health(n))));
    /// let before = game.snapshot();
    /// game.query_mut::<&mut Health>().for_each(|health| health.0 += 1);
    /// let after = game.snapshot();
    /// let mut pages = HashMap::new();
    /// for snapshot in [&before, &after] {
    ///     snapshot.for_each_page(|page, bytes| _ = pages.insert(page, bytes));
    /// }
    /// assert_eq!(pages.len(), 3);                        // the positions did not change
    /// ```
    pub fn for_each_page(&self, mut f: impl FnMut(usize, usize)) {
        for index in 0..W::OFFSETS.len() {
            if table(&*self.world, index).is_some() {
                erased_column(&*self.world, index).for_each_copy(&mut f);
            }
        }
    }

    /// A resource as it was.
    pub fn resource<R: 'static>(&self) -> &R
    where
        W: HasResource<R>,
    {
        self.world.resource_of::<R>()
    }
}

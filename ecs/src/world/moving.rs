//! [`MoveComponents`]: components that leave their entity, entities that leave their world, and
//! clones of several entities.

use super::exchange::{self, BundleTypes, WorldTypes};
use super::verbs::{World, no_such};
use super::{CloneEntity, clone, transfer};
use crate::base::component_set::ComponentSet;
use crate::bundle::{Bundle, BundleComponents, Replaced};
use crate::entity::Entity;
use crate::error::{InsertError, MissingError, NoSuchEntity};
use crate::raw_world::{RawWorld, targets};

/// Methods of every world that move components to other entities, entities to other worlds, and
/// clone trees of entities. Import it to call them: `use ecs::world::MoveComponents;`.
pub trait MoveComponents: RawWorld {
    /// Exchanges the values of a bundle's components between two entities.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::world::MoveComponents;
    /// # #[derive(Component, PartialEq, Debug)] struct Seat(u32);
    /// # #[derive(Component, PartialEq, Debug)] struct Driver;
    /// # world! { struct Game { components { Seat, Driver } } }
    /// # let mut game = Game::new();
    /// let (ann, ben) = (game.spawn((Seat(1), Driver)), game.spawn(Seat(2)));
    /// game.swap::<(Seat, Driver)>(ann, ben)?;
    /// assert_eq!((game.get(ann), game.has::<Driver>(ann)), (Some(&Seat(2)), false));
    /// assert_eq!((game.get(ben), game.has::<Driver>(ben)), (Some(&Seat(1)), true));
    /// # Ok::<(), ecs::error::InsertError>(())
    /// ```
    ///
    /// A value of a component that both entities have counts as changed. A component that only one
    /// of them has is removed there and inserted at the other one, which also gets the components
    /// that it requires. Rules are checked for the state after the exchange: a unique component and
    /// a key can change their entity. Hooks are called for the values, but do not validate them
    /// again.
    ///
    /// Cost: moves each value once. No value is cloned, except for the log of removed values.
    ///
    /// # Errors
    /// If one of the entities is not alive, or a rule refuses a value for its new entity, such as a
    /// relation that would point to itself. Nothing changes then.
    ///
    /// # Panics
    /// If the hook, the `Hash` or the `Clone` of a component panics, or the `Default` of a required
    /// one. The other components are exchanged before the panic goes on.
    fn swap<B: Bundle<Self>>(&mut self, a: Entity, b: Entity) -> Result<(), InsertError> // `swap::<(A, B)>(a, b)`
    {
        exchange::swap::<Self, BundleTypes<B>>(self, a, b)
    }

    /// Exchanges all components of two entities: [`swap`](Self::swap) of all components of the
    /// world. Relations and ids that point to one of the entities still point to it.
    ///
    /// # Errors
    /// As for [`swap`](Self::swap).
    fn swap_all(&mut self, a: Entity, b: Entity) -> Result<(), InsertError> {
        exchange::swap::<Self, WorldTypes>(self, a, b)
    }

    /// Moves the components of a bundle that `from` has to `to`. Returns the values that they
    /// replace there, an `Option` for each component of the bundle.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::world::MoveComponents;
    /// # #[derive(Component, PartialEq, Debug)] struct Score(u32);
    /// # #[derive(Component, PartialEq, Debug)] struct Cursed;
    /// # world! { struct Game { components { Score, Cursed } } }
    /// # let mut game = Game::new();
    /// let (old, new) = (game.spawn((Score(7), Cursed)), game.spawn(Score(1)));
    /// assert_eq!(game.move_components::<(Score, Cursed)>(old, new), Ok((Some(Score(1)), None)));
    /// assert_eq!((game.get(new), game.has::<Cursed>(new)), (Some(&Score(7)), true));
    /// assert!(game.contains(old) && !game.has::<Score>(old));
    /// # Ok::<(), ecs::error::InsertError>(())
    /// ```
    ///
    /// Each value is removed from `from` and inserted into `to`, which also gets the components
    /// that it requires. Rules are checked for the state after the move. Nothing moves if the two
    /// are the same entity.
    ///
    /// # Errors
    /// If one of the entities is not alive, or a rule refuses a value for `to`. Nothing changes
    /// then.
    fn move_components<B: Bundle<Self>>(
        &mut self,
        from: Entity,
        to: Entity,
    ) -> Result<Replaced<Self, B>, InsertError> // `move_components::<(A, B)>(from, to)`
    {
        exchange::move_bundle::<Self, B>(self, from, to)
    }

    /// Moves all components of `from` to `to`, and drops the values that they replace. `from`
    /// stays, without components; other components of `to` stay, too.
    ///
    /// # Errors
    /// As for [`move_components`](Self::move_components).
    ///
    /// # Panics
    /// If the `Drop` of a replaced value panics. All components are moved before the panic goes on.
    fn move_all_components(&mut self, from: Entity, to: Entity) -> Result<(), InsertError> {
        exchange::move_all(self, from, to)
    }

    /// Moves entities with all their components to another world of the same type. Returns their
    /// ids there, in the order of `entities`; one that is listed twice is moved once.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::world::MoveComponents;
    /// # #[derive(Component, PartialEq, Debug)] struct Health(u32);
    /// # world! { struct Room { components { Health, ChildOf } } }
    /// let (mut cave, mut tower) = (Room::new(), Room::new());
    /// let knight = cave.spawn(Health(3));
    /// let horse = cave.spawn((Health(9), ChildOf(knight)));
    /// let moved = cave.move_entities(&[knight, horse], &mut tower)?;
    /// assert_eq!((cave.entities().len(), tower.get(moved[0])), (0, Some(&Health(3))));
    /// assert_eq!(tower.target::<ChildOf>(moved[1]), Some(moved[0]));
    /// # Ok::<(), ecs::error::InsertError>(())
    /// ```
    ///
    /// A relation between two of the entities points to the new ids. A relation to an entity that
    /// stays is dropped; one of a source that stays sees its target despawned. Ids in components
    /// that are no relations stay as they are. In this world the components are removed and the
    /// entities are despawned, as by [`despawn`](crate::World::despawn); in the other one they are
    /// spawned and inserted.
    ///
    /// To move an entity to a world of another type, see [`take_entity`](Self::take_entity);
    /// `save::move_entities` moves selected components of entities, and maps all ids in them, by
    /// serde.
    ///
    /// # Errors
    /// If one of the entities is not alive, the other world has a unique component or a key of
    /// theirs, or a hook of the other world refuses a value; hooks validate each value with their
    /// state before the move. Nothing changes then.
    ///
    /// # Panics
    /// If code of a component panics: the new entities are despawned, and the old ones stay without
    /// the components that were moved. If the `Drop` of a value panics that is dropped with its
    /// entity, all entities are moved before the panic goes on.
    fn move_entities(
        &mut self,
        entities: &[Entity],
        to: &mut Self,
    ) -> Result<alloc::vec::Vec<Entity>, InsertError> {
        transfer::transfer_entities(self, entities, to)
    }

    /// Despawns an entity and returns the values of a bundle's components, an `Option` for each.
    /// Its other components are dropped.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::world::MoveComponents;
    /// # #[derive(Component, PartialEq, Debug)] struct Loot(u32);
    /// # #[derive(Component)] struct Ghost;
    /// # world! { struct Cave { components { Loot, Ghost } } }
    /// # world! { struct Tower { components { Loot } } }
    /// # let (mut cave, mut tower) = (Cave::new(), Tower::new());
    /// let chest = cave.spawn((Loot(5), Ghost));
    /// let (loot, _) = cave.take_entity::<(Loot, Ghost)>(chest)?;
    /// assert!(!cave.contains(chest));
    /// let chest = loot.map(|loot| tower.spawn(loot)); // a world of another type
    /// # assert!(chest.is_some());
    /// # Ok::<(), ecs::error::NoSuchEntity>(())
    /// ```
    ///
    /// # Errors
    /// If the entity is not alive.
    fn take_entity<B: Bundle<Self>>(&mut self, entity: Entity) -> Result<Replaced<Self, B>, NoSuchEntity> // `take_entity::<(A, B)>(entity)`
    {
        let values = self.remove::<B>(entity)?;
        // no error: a relation may have despawned it when it lost a component
        let _ = self.despawn(entity);
        Ok(values)
    }

    /// Removes all components of a bundle from an entity and returns them. If one is missing, the
    /// world is unchanged.
    ///
    /// # Errors
    /// If the entity is not alive, or lacks one of the components.
    fn try_remove<B: Bundle<Self>>(&mut self, entity: Entity) -> Result<B, MissingError> // `try_remove::<A>(entity)`
    {
        if !self.contains(entity) {
            return Err(no_such::<Self>(entity).into());
        }
        let missing = |index: usize| MissingError::Missing {
            entity,
            component: Self::COMPONENT_NAMES[index],
            world: Self::WORLD_NAME,
        };
        if let Some(index) = B::BundleComponents::find(self, entity.slot(), false) {
            return Err(missing(index));
        }
        let losing = targets::losing(self, [entity]);
        let components = B::BundleComponents::all(B::BundleComponents::take(losing.world, entity));
        drop(losing);
        Ok(B::from_components(components.expect("`find` has found all components")))
    }

    /// Spawns a clone of each of these entities, in their order, with clones of all their
    /// components. A cloned relation to one of the entities points to its clone; other relations,
    /// and ids in other components, stay as they are.
    ///
    /// A component is left out if its rule refuses the clone, as for a unique component or a key,
    /// and so is a symmetric exclusive relation to an entity that is not cloned, which has its
    /// partner.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::world::MoveComponents;
    /// # #[derive(Component, Clone)] struct Wheel;
    /// world! {
    ///     #[derive(Clone)]
    ///     struct Game { components { Wheel, ChildOf } }
    /// }
    ///
    /// let mut game = Game::new();
    /// let cart = game.spawn(());
    /// let wheel = game.spawn((Wheel, ChildOf(cart)));
    /// let clones = game.clone_entities(&[cart, wheel])?;
    /// assert_eq!(game.target::<ChildOf>(clones[1]), Some(clones[0]));
    /// # Ok::<(), ecs::error::NoSuchEntity>(())
    /// ```
    ///
    /// # Errors
    /// If one of the entities is not alive. Nothing changes then.
    ///
    /// # Panics
    /// If the `Clone` of a component panics. No entity is spawned then.
    fn clone_entities(&mut self, entities: &[Entity]) -> Result<alloc::vec::Vec<Entity>, NoSuchEntity>
    where
        Self: CloneEntity,
    {
        match entities.iter().find(|entity| !self.contains(**entity)) {
            Some(&dead) => Err(no_such::<Self>(dead)),
            None => Ok(clone::clone_entities(self, entities, ComponentSet::EMPTY)),
        }
    }

    /// Spawns an entity with clones of the components of another entity, without those of the
    /// bundle `B`, which are not cloned.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::world::MoveComponents;
    /// # #[derive(Component, Clone)] struct Position(i32);
    /// # #[derive(Component, Clone)] struct Target(Entity);
    /// # #[derive(Component, Clone)] struct Burning;
    /// world! {
    ///     #[derive(Clone)]
    ///     struct Game { components { Position, Target, Burning } }
    /// }
    ///
    /// let mut game = Game::new();
    /// let wolf = game.spawn(());
    /// let knight = game.spawn((Position(3), Target(wolf), Burning));
    /// let other = game.clone_entity_without::<(Target, Burning)>(knight)?;
    /// assert!(game.has::<Position>(other) && !game.has::<Target>(other));
    /// # Ok::<(), ecs::error::NoSuchEntity>(())
    /// ```
    ///
    /// A component that the others require is left out as well: a requirement holds when a component
    /// is inserted, and a clone has what its original has.
    ///
    /// # Errors
    /// If the entity is not alive.
    ///
    /// # Panics
    /// If the `Clone` of a component panics. No entity is spawned then.
    #[rustfmt::skip]
    fn clone_entity_without<B: Bundle<Self>>(&mut self, entity: Entity) -> Result<Entity, NoSuchEntity> // `clone_entity_without::<(A, B)>(entity)`
    where
        Self: CloneEntity,
    {
        if !self.contains(entity) {
            return Err(no_such::<Self>(entity));
        }
        Ok(clone::clone_entities(self, &[entity], B::BundleComponents::OWN)[0])
    }
}

#[diagnostic::do_not_recommend]
impl<W: RawWorld> MoveComponents for W {}

//! The trait [`World`], which has the methods of every world: spawn, despawn, insert, remove, get,
//! query, snapshot, run.
//!
//! It is one trait, so that one import brings all methods. The work is done by functions of other
//! files: `bundle/batch.rs` (spawning), `raw_world/fields.rs` and `storage/rules.rs` (single
//! components), `raw_world/discard.rs` (despawning), and `query/world_query.rs`.
//!
//! The comment behind a signature is for callers with wrong arguments: the compiler shows them that
//! line.

use alloc::vec;
use core::ops::RangeBounds;
use core::sync::atomic::Ordering;

use super::{CloneEntity, EntityMut, EntityRef, EntityWith, GenericComponents, Stats, bulk, clone};
use crate::base::component_set::ComponentSet;
use crate::bundle::batch::{Spawned, put, spawn_accepted, spawn_batch};
use crate::bundle::{Bundle, BundleComponents, Replaced};
use crate::change::{Mut, Ref};
use crate::command::{Commands, FailurePolicy};
use crate::component::unique::UniqueHolder;
use crate::component::{
    EntityRange, FoundEntities, Groups, Has, HasMut, HasStamps, HasTracked, HasUnique, Indexed, LookupKey,
    Ordered, ordered,
};
use crate::entity::Entity;
use crate::entity::spawn_sites::SpawnSite;
use crate::error::{InsertError, MissingError, NoSuchEntity, PresentError, Refused, refuse};
use crate::event::{HasEvent, SentTo};
use crate::query::{QueryFilter, QueryTuple, ReadData, WorldData, WorldQuery};
use crate::raw_world::{RawWorld, Snapshot, SnapshotWorld, WorldFields, discard, targets};
use crate::resource::HasResource;
use crate::schedule::states;
use crate::storage::kind::ColumnKind;
use crate::system::{InputSystem, System};

/// A world: entities with their components, resources and events. The macro `world!` declares the
/// struct, and this trait is implemented for it.
///
/// The bounds of a method name the components, resources and events that it needs, such as
/// `Self: Has<T>`. A call with a component that the world does not have fails `cargo check`.
///
/// # Cost
/// A method for one entity costs in proportion to its components, and to the relations that change;
/// a method for many or all entities in proportion to these. It does not depend on how many other
/// entities there are, nor on how many of them share a target, a source or the key of an index. The
/// text of a method says if it costs more.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a world",
    label = "not a world",
    note = "a world is what `world! {{ struct Name {{ .. }} }}` makes; a system names one, or a type parameter of its own: `#[system(Game)]`, `#[system(W)] fn name<W: World>(..)`"
)]
pub trait World: RawWorld {
    /// The name of the struct.
    const NAME: &'static str = Self::WORLD_NAME;
    /// The names of the components, as they are spelled in the declaration.
    const COMPONENTS: &'static [&'static str] = Self::COMPONENT_NAMES;
    /// The names of the components' fields, in the order of [`COMPONENTS`](Self::COMPONENTS).
    const FIELDS: &'static [&'static str] = Self::FIELD_NAMES;
    /// The names of the resources, as they are spelled in the declaration.
    const RESOURCES: &'static [&'static str] = Self::RESOURCE_NAMES;
    /// The names of the events, as they are spelled in the declaration.
    const EVENTS: &'static [&'static str] = Self::EVENT_NAMES;

    /// Spawns an entity with these components and the components that they require. `spawn(())`
    /// spawns one without components.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Component, PartialEq, Debug)] struct Position(i32);
    /// # #[derive(Component)] struct Frozen;
    /// # world! { struct Game { components { Position, Frozen } } }
    /// let mut game = Game::new();
    /// let ball = game.spawn((Position(3), Frozen));
    /// assert_eq!(game.get::<Position>(ball), Some(&Position(3)));
    /// ```
    ///
    /// # Panics
    /// If the world holds more than about four thousand million slots; if a rule of a component
    /// refuses its value ([`try_spawn`](Self::try_spawn) returns an error instead); or if the
    /// `Default` of a required component panics, in which case the new entity is despawned.
    #[inline]
    #[track_caller]
    fn spawn<B: Bundle<Self>>(&mut self, bundle: B) -> Entity // a tuple: `spawn((A, B))`
    {
        let components = bundle.into_components();
        if let Some(refuse_by_rule) = const { B::BundleComponents::REFUSE }
            && let Some(refused) = refuse_by_rule(&components, self, None)
        {
            refuse(refused);
        }
        spawn_accepted(self, components)
    }

    /// Spawns an entity with these components, unless a rule of a component refuses its value: then
    /// the world is unchanged and the bundle is dropped.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// #[derive(Component)]
    /// #[component(unique)]
    /// struct Camera;
    ///
    /// # world! { struct Game { components { Camera } } }
    /// # let mut game = Game::new();
    /// assert!(game.try_spawn(Camera).is_ok());
    /// assert!(game.try_spawn(Camera).is_err());
    /// ```
    ///
    /// # Errors
    /// If a rule of a component refuses its value.
    ///
    /// # Panics
    /// For the other reasons for which [`spawn`](Self::spawn) panics.
    #[cfg_attr(debug_assertions, track_caller)]
    fn try_spawn<B: Bundle<Self>>(&mut self, bundle: B) -> Result<Entity, Refused> // a tuple: `try_spawn((A, B))`
    {
        let components = bundle.into_components();
        if let Some(refused) = components.refuse(self, None) {
            return Err(refused);
        }
        Ok(spawn_accepted(self, components))
    }

    /// Spawns an entity for each bundle, and returns the ids in the order of the bundles.
    ///
    /// Columns are written in bulk, and the bundles of a `Vec` are read from its memory. The new
    /// entities have consecutive slots, unless slots of despawned entities with the same set of
    /// components are free: those are filled first.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Component)] struct Position(i32);
    /// # world! { struct Game { components { Position } } }
    /// # let mut game = Game::new();
    /// let row: Vec<Entity> = game.spawn_batch((0..100).map(Position)).collect();
    /// assert_eq!(game.get::<Position>(row[7]).map(|position| position.0), Some(7));
    /// ```
    ///
    /// # Panics
    /// If the iterator panics, or for the reasons for which [`spawn`](Self::spawn) panics. The
    /// entities that were spawned before the panic stay.
    #[cfg_attr(debug_assertions, track_caller)]
    fn spawn_batch<B: Bundle<Self>>(&mut self, bundles: impl IntoIterator<Item = B>) -> Spawned<'_> // `spawn_batch(vec![(A, B), (A, B)])`
    {
        spawn_batch(self, bundles.into_iter(), SpawnSite::of_caller())
    }

    /// Despawns an entity and drops its components.
    ///
    /// Entities that are related to it may be despawned with it: see
    /// [`Relation`](trait@crate::Relation).
    ///
    /// Cost: proportional to the number of components that entities of the same block of slots have
    /// ever had, not to the number of components of the world.
    ///
    /// # Errors
    /// If the entity is not alive.
    ///
    /// # Panics
    /// If the `Drop` of a component panics, or code that a rule calls. The entity is despawned
    /// before the panic goes on.
    #[rustfmt::skip]
    fn despawn(&mut self, entity: Entity) -> Result<(), NoSuchEntity> // several: `for entity in entities { .. }`
    {
        if discard::despawn(self, entity) { Ok(()) } else { Err(no_such::<Self>(entity)) }
    }

    /// Despawns all entities that pass a filter, and returns the number of despawned entities.
    /// Entities that are despawned with them by a [`Relation`](trait@crate::Relation) count, too.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Component)] struct Bullet;
    /// # #[derive(Component)] struct Wall;
    /// # world! { struct Game { components { Bullet, Wall } } }
    /// # let mut game = Game::new();
    /// game.spawn(Wall);
    /// game.spawn_batch([(); 10].map(|()| Bullet));
    /// assert_eq!(game.despawn_all::<With<Bullet>>(), 10);
    /// assert_eq!(game.entities().len(), 1);
    /// ```
    ///
    /// Cost: as for [`despawn`](Self::despawn) of each entity. [`clear`](Self::clear) despawns all
    /// entities of the world faster.
    ///
    /// # Panics
    /// If the `Drop` of a component panics. All the entities are despawned before the panic goes
    /// on.
    fn despawn_all<F: QueryFilter<Self>>(&mut self) -> usize // a filter: `despawn_all::<With<A>>()`
    {
        bulk::despawn_all::<Self, F>(self)
    }

    /// Despawns the entities that match a query and for which `keep` returns `false`. Entities that
    /// do not match stay. Returns the number of despawned entities, as
    /// [`despawn_all`](Self::despawn_all) does.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Component)] struct Health(u32);
    /// # world! { struct Game { components { Health } } }
    /// # let mut game = Game::new();
    /// game.spawn_batch((0..10).map(Health));
    /// assert_eq!(game.retain::<&Health>(|health| health.0 > 3), 4);
    /// assert!(game.query::<&Health>().iter().all(|health| health.0 > 3));
    /// ```
    ///
    /// # Panics
    /// If `keep` panics: no entity is despawned then. If the `Drop` of a component panics: all the
    /// entities are despawned before the panic goes on.
    fn retain<D: WorldData<Self> + ReadData>(&mut self, keep: impl FnMut(D::Item<'_>) -> bool) -> usize // `retain::<&A>(|a| ..)`
    {
        bulk::retain::<Self, D>(self, keep)
    }

    /// Spawns an entity with clones of all components of another entity.
    ///
    /// A component is left out if its rule refuses the clone, as for a unique component or a key,
    /// and so is a symmetric exclusive relation to an entity that is not cloned, which has its
    /// partner.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Component, Clone, PartialEq, Debug)] struct Position(i32);
    /// world! {
    ///     #[derive(Clone)]
    ///     struct Game { components { Position } }
    /// }
    ///
    /// let mut game = Game::new();
    /// let sheep = game.spawn(Position(3));
    /// let dolly = game.clone_entity(sheep)?;
    /// assert_eq!(game.get::<Position>(dolly), Some(&Position(3)));
    /// # Ok::<(), ecs::error::NoSuchEntity>(())
    /// ```
    ///
    /// # Errors
    /// If the entity is not alive.
    ///
    /// # Panics
    /// If the `Clone` of a component panics. No entity is spawned then.
    #[rustfmt::skip]
    fn clone_entity(&mut self, entity: Entity) -> Result<Entity, NoSuchEntity> where Self: CloneEntity
    {
        if !self.contains(entity) {
            return Err(no_such::<Self>(entity));
        }
        Ok(clone::clone_entities(self, &[entity], ComponentSet::EMPTY)[0])
    }

    /// Whether the entity is alive.
    #[inline]
    fn contains(&self, entity: Entity) -> bool {
        self.__living().contains(entity)
    }

    /// Inserts components into an entity, with the components that they require. Returns the
    /// replaced values, an `Option` for each component of the bundle.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Component, PartialEq, Debug)] struct Position(i32);
    /// # #[derive(Component, PartialEq, Debug)] struct Frozen;
    /// # world! { struct Game { components { Position, Frozen } } }
    /// # let mut game = Game::new();
    /// let ball = game.spawn(Position(3));
    /// assert_eq!(game.insert(ball, (Position(4), Frozen)), Ok((Some(Position(3)), None)));
    /// ```
    ///
    /// # Errors
    /// If the entity is not alive, or a rule of a component refuses its value. The world is
    /// unchanged then and the bundle is dropped.
    ///
    /// # Panics
    /// If the `Default` of a required component panics, or code that a rule calls. The components
    /// that were inserted before stay inserted.
    #[inline]
    #[rustfmt::skip]
    fn insert<B: Bundle<Self>>(&mut self, entity: Entity, bundle: B) -> Result<Replaced<Self, B>, InsertError> // a tuple: `(A, B)`
    {
        if !self.contains(entity) {
            return Err(no_such::<Self>(entity).into());
        }
        let components = bundle.into_components();
        if let Some(refused) = components.refuse(self, Some(entity)) {
            return Err(refused.into());
        }
        Ok(put(self, entity, components).into())
    }

    /// Inserts components into an entity that has none of them. On an error the world is unchanged
    /// and the bundle is dropped.
    ///
    /// # Errors
    /// If the entity is not alive, already has one of the components, or a rule of a component
    /// refuses its value.
    ///
    /// # Panics
    /// As [`insert`](Self::insert) does.
    fn insert_if_new<B: Bundle<Self>>(&mut self, entity: Entity, bundle: B) -> Result<(), PresentError> // a tuple: `(A, B)`
    {
        if !self.contains(entity) {
            return Err(no_such::<Self>(entity).into());
        }
        match B::BundleComponents::find(self, entity.slot(), true) {
            Some(index) => {
                Err(PresentError::Present { entity, component: Self::COMPONENTS[index], world: Self::NAME })
            }
            None => Ok(self.insert(entity, bundle).map(drop)?),
        }
    }

    /// Removes components from an entity. Returns their values, an `Option` for each component of
    /// the bundle.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Component, PartialEq, Debug)] struct Position(i32);
    /// # #[derive(Component, PartialEq, Debug)] struct Frozen;
    /// # world! { struct Game { components { Position, Frozen } } }
    /// # let mut game = Game::new();
    /// let ball = game.spawn(Position(3));
    /// assert_eq!(game.remove::<(Position, Frozen)>(ball), Ok((Some(Position(3)), None)));
    /// assert!(game.contains(ball)); // the entity is alive, without components
    /// ```
    ///
    /// # Errors
    /// If the entity is not alive.
    #[inline]
    fn remove<B: Bundle<Self>>(&mut self, entity: Entity) -> Result<Replaced<Self, B>, NoSuchEntity> // `remove::<A>(entity)`, `remove::<(A, B)>(entity)`
    {
        if !self.contains(entity) {
            return Err(no_such::<Self>(entity));
        }
        let losing = targets::losing(self, [entity]);
        let taken = B::BundleComponents::take(losing.world, entity);
        drop(losing);
        Ok(taken.into())
    }

    /// Removes components from all entities, drops the values, and returns the number of entities
    /// that had at least one of them.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Component)] struct Stunned;
    /// # #[derive(Component)] struct Health(u32);
    /// # world! { struct Game { components { Stunned, Health } } }
    /// # let mut game = Game::new();
    /// game.spawn_batch((0..3).map(|health| (Health(health), Stunned)));
    /// assert_eq!(game.remove_all::<Stunned>(), 3);
    /// assert!(game.query::<&Stunned>().is_empty());
    /// ```
    ///
    /// Cost: visits every entity of the world.
    ///
    /// # Panics
    /// If the `Drop` of a component panics: the components are removed from all entities before the
    /// panic goes on. If the hook of a component panics, or its `Clone` for the log of removed
    /// values: they are removed from all other entities.
    fn remove_all<B: Bundle<Self>>(&mut self) -> usize // `remove_all::<A>()`, `remove_all::<(A, B)>()`
    {
        bulk::remove_all::<Self, B>(self)
    }

    /// Inserts a bundle into each entity of a batch, and returns the number of entities. Replaced
    /// values are dropped.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Component, PartialEq, Debug)] struct Team(u8);
    /// # world! { struct Game { components { Team } } }
    /// # let mut game = Game::new();
    /// let players: Vec<Entity> = game.spawn_batch([(); 4]).collect();
    /// game.insert_batch(players.iter().map(|&player| (player, Team(1))))?;
    /// assert_eq!(game.get(players[3]), Some(&Team(1)));
    /// # Ok::<(), ecs::error::InsertError>(())
    /// ```
    ///
    /// # Errors
    /// With the first entity that is not alive or whose bundle a rule refuses; the error names it.
    /// The entities before it in the batch keep the inserted components, and the rest of the
    /// iterator is not consumed.
    ///
    /// # Panics
    /// If the iterator, the `Drop` of a replaced value or the `Default` of a required component
    /// panics, or code that a rule calls. The components that were inserted before stay inserted.
    #[rustfmt::skip]
    fn insert_batch<B: Bundle<Self>>(&mut self, batch: impl IntoIterator<Item = (Entity, B)>) -> Result<usize, InsertError> // of pairs: `[(entity, (A, B))]`
    {
        bulk::insert_batch(self, batch.into_iter())
    }

    /// A mutable component of an entity, which is inserted first if the entity lacks it.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Component, PartialEq, Debug)] struct Score(u32);
    /// # world! { struct Game { components { Score } } }
    /// # let mut game = Game::new();
    /// let player = game.spawn(());
    /// game.get_or_insert_with(player, || Score(0))?.0 += 5;
    /// game.get_or_insert_with(player, || Score(0))?.0 += 5;
    /// assert_eq!(game.get(player), Some(&Score(10)));
    /// # Ok::<(), ecs::error::InsertError>(())
    /// ```
    ///
    /// # Errors
    /// If the entity is not alive, or a rule of the component refuses the value.
    ///
    /// # Panics
    /// If `value` panics: the world is unchanged then. If the `Default` of a required component
    /// panics, or code that a rule calls: a value that was inserted before stays inserted.
    fn get_or_insert_with<T: 'static>(
        &mut self,
        entity: Entity,
        value: impl FnOnce() -> T,
    ) -> Result<&mut T, InsertError>
    where
        Self: HasMut<T>,
    {
        if !self.contains(entity) {
            return Err(no_such::<Self>(entity).into());
        }
        if !self.has::<T>(entity) {
            self.insert_one(entity, value())?;
        }
        Ok(self.get_mut(entity).expect("the entity has the component"))
    }

    /// A component of an entity; `None` if the entity is not alive or lacks the component.
    #[inline]
    #[rustfmt::skip]
    fn get<T: 'static>(&self, entity: Entity) -> Option<&T> where Self: Has<T> // a type: `get::<A>(entity)`
    {
        if !self.__living().contains(entity) {
            return None;
        }
        self.column::<T>().get(entity.slot())
    }

    /// A mutable component of an entity; `None` if the entity is not alive or lacks the component.
    ///
    /// For a component with `#[component(tracked)]`, see [`get_tracked`](Self::get_tracked).
    #[inline]
    #[rustfmt::skip]
    fn get_mut<T: 'static>(&mut self, entity: Entity) -> Option<&mut T> // a type: `get_mut::<A>(entity)`
    where
        Self: HasMut<T>,
    {
        if !self.__living().contains(entity) {
            return None;
        }
        self.column_mut::<T>().get_mut(entity.slot())
    }

    /// The entity that has the unique component `T`, with the value; `None` if no entity has it.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// #[derive(Component)]
    /// #[component(unique)]
    /// struct Camera { zoom: f32 }
    ///
    /// # world! { struct Game { components { Camera } } }
    /// # let mut game = Game::new();
    /// let eye = game.spawn(Camera { zoom: 2.0 });
    /// let (entity, camera) = game.unique::<Camera>().unwrap();
    /// assert_eq!((entity, camera.zoom), (eye, 2.0));
    /// game.despawn(eye).unwrap();
    /// assert!(game.unique::<Camera>().is_none());
    /// ```
    #[rustfmt::skip]
    fn unique<T: 'static>(&self) -> Option<(Entity, &T)> where Self: HasUnique<T> // a type: `unique::<A>()`
    {
        let column = self.column::<T>();
        let holder = column.rule_state::<UniqueHolder>()?.0?;
        Some((holder, column.get(holder.slot()).filter(|_| self.contains(holder))?))
    }

    /// The entities whose indexed component `T` has this key, in the order of their slots: see
    /// [`Indexed`]. Systems use [`Lookup`](crate::Lookup) instead.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// #[derive(Component, PartialEq, Eq, Hash)]
    /// #[component(index)]
    /// struct Team(u8);
    ///
    /// # world! { struct Game { components { Team } } }
    /// # let mut game = Game::new();
    /// let ids: Vec<Entity> = game.spawn_batch([1, 2, 1].map(Team)).collect();
    /// assert_eq!(game.find::<Team>(&Team(1)).collect::<Vec<_>>(), [ids[0], ids[2]]);
    /// ```
    ///
    /// The key is a reference to the component's key or to a borrowed form of it:
    /// `find::<Name>("bob")`.
    #[rustfmt::skip]
    fn find<T: Indexed>(&self, key: impl LookupKey<T::Key, T::Form>) -> FoundEntities<'_> where Self: Has<T>
    {
        key.find(self.column::<T>(), self.__living())
    }

    /// The first entity, in the order of the slots, whose indexed component `T` has this key. With
    /// `#[component(key)]` there is at most one.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # world! { struct Game { components { Name } } }
    /// let mut game = Game::new();
    /// let bob = game.spawn(Name::new("bob"));
    /// assert_eq!(game.find_one::<Name>("bob"), Some(bob));
    /// ```
    #[rustfmt::skip]
    fn find_one<T: Indexed>(&self, key: impl LookupKey<T::Key, T::Form>) -> Option<Entity> where Self: Has<T>
    {
        key.find_one(self.column::<T>(), self.__living())
    }

    /// The entities whose component `T` has a key in a range, in ascending order of the keys, with
    /// `rev` in descending order. `T` has an ordered index: see [`Ordered`].
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// #[derive(Component, PartialEq, Eq, PartialOrd, Ord)]
    /// #[component(index(ordered))]
    /// struct Score(u32);
    ///
    /// # world! { struct Game { components { Score } } }
    /// # let mut game = Game::new();
    /// let ids = [40, 20, 30].map(|points| game.spawn(Score(points)));
    /// let top: Vec<Entity> = game.find_range::<Score>(..).rev().take(2).collect();
    /// assert_eq!(top, [ids[0], ids[2]]);
    /// assert_eq!(game.find_range::<Score>(Score(25)..).len(), 2);
    /// ```
    ///
    /// A range whose end is before its start has no entities.
    #[rustfmt::skip]
    fn find_range<T: Ordered>(&self, range: impl RangeBounds<T::Key>) -> EntityRange<'_> where Self: Has<T>
    {
        ordered::find_range(self.column::<T>(), self.__living(), &range)
    }

    /// The values of an indexed component, each with the entities whose keys are equal, in the order
    /// of their slots. With an ordered index the groups come in ascending order of their keys,
    /// otherwise in the order of the first entity of each. The value is that of the first entity.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// #[derive(Component, PartialEq, Eq, Hash)]
    /// #[component(index)]
    /// struct Team(&'static str);
    ///
    /// # world! { struct Game { components { Team } } }
    /// # let mut game = Game::new();
    /// for team in ["red", "blue", "red"] {
    ///     game.spawn(Team(team));
    /// }
    /// let sizes: Vec<_> = game.group_by::<Team>().map(|(team, members)| (team.0, members.len())).collect();
    /// assert_eq!(sizes, [("red", 2), ("blue", 1)]);
    /// ```
    ///
    /// Cost: visits all values. A hash index hashes and sorts them; an ordered index compares each
    /// with the one before.
    #[rustfmt::skip]
    fn group_by<T: Indexed>(&self) -> Groups<'_, T> where Self: Has<T> // a type: `group_by::<A>()`
    {
        Groups::new(self.column::<T>(), self.__living())
    }

    /// The smallest value of a component with an ordered index, and its entity: see [`Ordered`].
    #[rustfmt::skip]
    fn find_first<T: Ordered>(&self) -> Option<(Entity, &T)> where Self: Has<T>
    {
        ordered::find_end(self.column::<T>(), self.__living(), false)
    }

    /// The greatest value of a component with an ordered index, and its entity: see [`Ordered`].
    #[rustfmt::skip]
    fn find_last<T: Ordered>(&self) -> Option<(Entity, &T)> where Self: Has<T>
    {
        ordered::find_end(self.column::<T>(), self.__living(), true)
    }

    /// A tracked component of an entity, with its change ticks; `None` if the entity is not alive
    /// or lacks the component.
    ///
    /// Outside of a system there is no last run to compare with: the value always counts as added
    /// and changed.
    #[inline]
    fn get_ref<T: 'static>(&self, entity: Entity) -> Option<Ref<'_, T>>
    where
        Self: HasStamps<T>,
    {
        if !self.__living().contains(entity) {
            return None;
        }
        self.column::<T>().get_ref(entity.slot(), self.__living().ticks())
    }

    /// A mutable, tracked component of an entity; `None` if the entity is not alive or lacks the
    /// component.
    ///
    /// It replaces [`get_mut`](Self::get_mut) for tracked components. Systems that ask for
    /// [`Changed`](crate::Changed) or [`Ref`] see a change through it in their next run.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// #[derive(Component)]
    /// #[component(tracked)]
    /// struct Health(u32);
    ///
    /// # world! { struct Game { components { Health } } }
    /// # let mut game = Game::new();
    /// let hero = game.spawn(Health(3));
    /// game.get_tracked::<Health>(hero).unwrap().0 -= 1;
    /// assert_eq!(game.get::<Health>(hero).map(|health| health.0), Some(2));
    /// ```
    #[inline]
    fn get_tracked<T: 'static>(&mut self, entity: Entity) -> Option<Mut<'_, T>>
    where
        Self: HasTracked<T>,
    {
        let (column, entities) = self.column_and_entities::<T>();
        if !entities.contains(entity) {
            return None;
        }
        if <Self as Has<T>>::Kind::INDEXED {
            return column.get_indexed(entity.slot(), entities.ticks());
        }
        column.get_tracked(entity.slot(), entities.ticks())
    }

    /// A component of an entity, or an error.
    ///
    /// # Errors
    /// If the entity is not alive, or lacks the component; the error says which.
    fn try_get<T: 'static>(&self, entity: Entity) -> Result<&T, MissingError>
    where
        Self: Has<T>,
    {
        self.get(entity).ok_or_else(|| missing::<Self, T>(self, entity))
    }

    /// A mutable component of an entity, or an error.
    ///
    /// # Errors
    /// If the entity is not alive, or lacks the component; the error says which.
    fn try_get_mut<T: 'static>(&mut self, entity: Entity) -> Result<&mut T, MissingError>
    where
        Self: HasMut<T>,
    {
        if !self.has::<T>(entity) {
            return Err(missing::<Self, T>(self, entity));
        }
        Ok(self.get_mut(entity).expect("`has` has found the component"))
    }

    /// Whether an entity is alive and has the component `T`.
    #[inline]
    #[rustfmt::skip]
    fn has<T: 'static>(&self, entity: Entity) -> bool where Self: Has<T> // a type: `has::<A>(entity)`
    {
        self.get::<T>(entity).is_some()
    }

    /// A handle for reading one entity.
    ///
    /// # Errors
    /// If the entity is not alive.
    fn entity(&self, entity: Entity) -> Result<EntityRef<'_, Self>, NoSuchEntity> {
        if self.contains(entity) { Ok(EntityRef::new(self, entity)) } else { Err(no_such::<Self>(entity)) }
    }

    /// A handle for reading one entity that has all components of a bundle. Its `get` has no
    /// `Option`, and its type says in signatures which components the entity has.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// use ecs::world::EntityWith;
    /// # #[derive(Component)] struct Health(u32);
    /// # #[derive(Component)] struct Armor(u32);
    /// # world! { struct Game { components { Health, Armor } } }
    ///
    /// fn toughness(of: EntityWith<'_, Game, (Health, Armor)>) -> u32 {
    ///     of.get::<Health>().0 + of.get::<Armor>().0
    /// }
    ///
    /// let mut game = Game::new();
    /// let orc = game.spawn((Health(3), Armor(1)));
    /// assert_eq!(toughness(game.entity_with(orc)?), 4);
    /// let ghost = game.spawn(Health(1));
    /// assert!(game.entity_with::<(Health, Armor)>(ghost).is_err());
    /// # Ok::<(), ecs::error::MissingError>(())
    /// ```
    ///
    /// # Errors
    /// If the entity is not alive, or lacks one of the components; the error says which.
    fn entity_with<B: Bundle<Self>>(&self, entity: Entity) -> Result<EntityWith<'_, Self, B>, MissingError> // `entity_with::<(A, B)>(entity)`
    {
        if !self.contains(entity) {
            return Err(no_such::<Self>(entity).into());
        }
        match B::BundleComponents::find(self, entity.slot(), false) {
            Some(index) => {
                Err(MissingError::Missing { entity, component: Self::COMPONENTS[index], world: Self::NAME })
            }
            None => Ok(EntityWith::new(self, entity)),
        }
    }

    /// A handle for reading and changing one entity.
    ///
    /// # Errors
    /// If the entity is not alive.
    fn entity_mut(&mut self, entity: Entity) -> Result<EntityMut<'_, Self>, NoSuchEntity> {
        if self.contains(entity) { Ok(EntityMut::new(self, entity)) } else { Err(no_such::<Self>(entity)) }
    }

    /// A query that only reads. [`filter`](WorldQuery::filter) adds a filter.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Component)] struct Position(i32);
    /// # #[derive(Component)] struct Frozen;
    /// # world! { struct Game { components { Position, Frozen } } }
    /// # let mut game = Game::new();
    /// # game.spawn((Position(3), Frozen));
    /// for (entity, position) in game.query::<(Entity, &Position)>().filter::<With<Frozen>>() {
    ///     println!("{entity} is frozen at {}", position.0);
    /// }
    /// ```
    ///
    /// A query for two components that exclude each other matches no entity. In a system such a
    /// query is a compile error.
    #[inline]
    fn query<D: WorldData<Self> + ReadData>(&self) -> WorldQuery<'_, Self, D> // `query::<(&A, &B)>().filter::<With<C>>()`
    {
        WorldQuery::shared(self)
    }

    /// A query that reads or writes. [`filter`](WorldQuery::filter) adds a filter.
    #[inline]
    fn query_mut<D: WorldData<Self>>(&mut self) -> WorldQuery<'_, Self, D> // `query_mut::<(&mut A, &B)>().filter::<With<C>>()`
    {
        discard::reindex_before(self, const { D::ACCESS.write });
        WorldQuery::exclusive(self)
    }

    /// Up to eight queries at the same time. It is a compile error if one of them borrows a
    /// component mutably that another one borrows.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Component)] struct Hunter(Option<Entity>);
    /// # #[derive(Component)] struct Prey(u32);
    /// # world! { struct Game { components { Hunter, Prey } } }
    /// # let mut game = Game::new();
    /// let (mut hunters, prey) = game.queries::<(&mut Hunter, (Entity, &Prey))>();
    /// for hunter in &mut hunters {
    ///     hunter.0 = prey.iter().max_by_key(|(_, prey)| prey.0).map(|(entity, _)| entity);
    /// }
    /// ```
    #[inline]
    fn queries<Q: QueryTuple<Self>>(&mut self) -> Q::Queries<'_> {
        Q::queries(self)
    }

    /// A query of all entities, in the order of their slots. Like every query it passes over those
    /// that are [`Disabled`](crate::component::Disabled), without the filter
    /// [`AllowDisabled`](crate::query::AllowDisabled). It can be iterated, filtered, or collected
    /// into an [`EntitySet`](crate::EntitySet).
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Component)] struct Position(i32);
    /// # #[derive(Component)] struct Frozen;
    /// # world! { struct Game { components { Position, Frozen } } }
    /// # let mut game = Game::new();
    /// # game.spawn(Position(3));
    /// let all: Vec<Entity> = game.entities().iter().collect();
    /// let moving = game.entities().filter::<(With<Position>, Without<Frozen>)>().to_set();
    /// assert!(moving.contains(all[0]));
    /// ```
    #[inline]
    fn entities(&self) -> WorldQuery<'_, Self, Entity> {
        self.query::<Entity>()
    }

    /// Despawns all entities. The memory of the columns is kept for new entities, until
    /// [`shrink_to_fit`](crate::world::WorldMemory::shrink_to_fit); resources and events stay.
    ///
    /// # Panics
    /// If the `Drop` of a component panics, or code that a rule calls. All entities are despawned
    /// before the panic goes on.
    fn clear(&mut self) {
        discard::clear(self);
    }

    /// Takes a snapshot of the world, which [`restore`](Self::restore) goes back to: see
    /// [`Snapshot`]. The world needs `#[derive(Clone)]`.
    ///
    /// Cost: pages of values that were touched since the last snapshot are copied; the other pages
    /// are shared with that snapshot. Resources, unread events and the states of systems are
    /// cloned.
    ///
    /// # Panics
    /// If a `Clone` panics. The world is unchanged then.
    #[inline]
    #[rustfmt::skip]
    fn snapshot(&mut self) -> Snapshot<Self> where Self: SnapshotWorld
    {
        Snapshot::of(self)
    }

    /// Puts the world into the state of a snapshot, of this world or of another one of the same
    /// type: see [`Snapshot`].
    ///
    /// Cost: copies the pages of values that differ from the snapshot, which are those that were
    /// touched since, and those that had been replaced before.
    ///
    /// # Panics
    /// If a `Clone` or a `Drop` panics. The world has no entities then (or is unchanged, if it was
    /// the `Clone` of a system's state), and can be restored again.
    #[inline]
    #[rustfmt::skip]
    fn restore(&mut self, snapshot: &Snapshot<Self>) // by reference: `restore(&snapshot)`
    {
        snapshot.restore_to(self);
    }

    /// Runs one system once, and returns its output.
    ///
    /// The system has no state from an earlier run, since states belong to places in a schedule:
    /// its `Local`s have their default values, its event readers see all events that are kept, and
    /// every value counts as added and changed.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Component)] struct Health(u32);
    /// # world! { struct Game { components { Health } } }
    /// #[system(Game)]
    /// fn total(healths: Query<&Health>) -> u32 {
    ///     healths.iter().map(|health| health.0).sum()
    /// }
    ///
    /// let mut game = Game::new();
    /// game.spawn_batch([1, 2, 3].map(Health));
    /// assert_eq!(game.run::<total>(), 6);
    /// assert_eq!(total(game.query().into_query()), 6); // a system is a function: a test can call it as such
    /// ```
    ///
    /// `cargo check` reports parameters that clash. For a *generic* system that is called by `run`,
    /// and is in no schedule, only `cargo build` does.
    fn run<NameOfSystem: System<Self>>(&mut self) -> NameOfSystem::Out // a type: `run::<movement>()`
    {
        const { crate::check::check_system(&NameOfSystem::DESC) };
        crate::schedule::once::once::<Self, NameOfSystem>(self)
    }

    /// Runs a system with an [input](crate::In) once, as [`run`](Self::run) does.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Component)] struct Health(u32);
    /// # world! { struct Game { components { Health } } }
    /// #[system(Game)]
    /// fn weaker_than(limit: In<u32>, healths: Query<&Health>) -> usize {
    ///     healths.iter().filter(|health| health.0 < *limit).count()
    /// }
    ///
    /// let mut game = Game::new();
    /// game.spawn_batch([1, 2, 3].map(Health));
    /// assert_eq!(game.run_with::<weaker_than>(3), 2);
    /// ```
    fn run_with<NameOfSystem: InputSystem<Self>>(&mut self, input: NameOfSystem::In) -> NameOfSystem::Out // a type: `run_with::<heal>(5)`
    {
        const { crate::check::check_system(&NameOfSystem::DESC) };
        crate::schedule::once::once_with::<Self, NameOfSystem>(self, input)
    }

    /// Calls a function with [`Commands`], and applies the commands when the function has returned.
    /// This is a way to call a system that takes commands as the function it is.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Component)] struct Ball;
    /// # world! { struct Game { components { Ball } } }
    /// #[system(Game)]
    /// fn serve(mut commands: Commands<Game>) {
    ///     commands.spawn(Ball);
    /// }
    ///
    /// let mut game = Game::new();
    /// game.with_commands(|commands| serve(commands)); // a system is a function: a test can call it as such
    /// assert_eq!(game.query::<&Ball>().iter().count(), 1);
    /// ```
    fn with_commands<R>(&mut self, f: impl FnOnce(Commands<'_, Self>) -> R) -> R {
        crate::command::with(self, f)
    }

    /// Sets the policy for commands that fail, since their entity is despawned before they are
    /// applied, or since a rule refuses a value.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::command::FailurePolicy;
    /// # world! { struct Game {} }
    /// let mut game = Game::new();
    /// game.on_failed_command(FailurePolicy::Ignore);
    /// let ghost = game.spawn(());
    /// game.with_commands(|mut commands| {
    ///     commands.despawn(ghost);
    ///     commands.despawn(ghost);
    /// });
    /// assert_eq!(game.stats().failed_commands, 1);
    /// ```
    fn on_failed_command(&mut self, policy: FailurePolicy) {
        states::of_mut(self).failed_commands.policy = policy;
    }

    /// A shared reference to a resource.
    #[rustfmt::skip]
    fn resource<R: 'static>(&self) -> &R where Self: HasResource<R> // a type: `resource::<A>()`
    {
        self.resource_of::<R>()
    }

    /// A mutable reference to a resource. A [tracked](crate::resource::TrackedResource) one counts
    /// as changed.
    #[rustfmt::skip]
    fn resource_mut<R: 'static>(&mut self) -> &mut R where Self: HasResource<R> // a type: `resource_mut::<A>()`
    {
        if Self::TRACKED
            && let Some(tick) = self.__living().resource_tick(Self::INDEX)
        {
            tick.store(self.__living().tick(), Ordering::Relaxed);
        }
        self.resource_of_mut::<R>()
    }

    /// Sends an event from outside of systems. An event that no system sends is declared
    /// `external`.
    ///
    /// The event is kept until every system with a reader has read it. If no schedule reads the
    /// type, it is kept until [`drain`](Self::drain) takes it. [`Events`](crate::event::Events)
    /// explains how the declaration limits the number of kept events.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// #[derive(Event, PartialEq, Debug)]
    /// struct Key(char);
    ///
    /// world! { struct Game { events { Key(external) } } }
    ///
    /// let mut game = Game::new();
    /// game.send(Key('q'));
    /// assert_eq!(game.drain::<Key>().collect::<Vec<_>>(), [Key('q')]);
    /// assert_eq!(game.drain::<Key>().len(), 0); // a second drain is empty
    /// ```
    ///
    /// # Panics
    /// If the event is declared with `full = panic` and the limit is reached. The event is not sent
    /// then.
    #[rustfmt::skip]
    fn send<E: SentTo<Self>>(&mut self, event: E) // one value: `send(Hit { target, damage: 3 })`
    {
        event.send_to(self);
    }

    /// Removes all kept events of a type and returns them. No reader sees them afterwards.
    ///
    /// These are the events that at least one reader has not read. If no schedule reads the type,
    /// these are all events since the last call.
    #[rustfmt::skip]
    fn drain<E: 'static>(&mut self) -> vec::IntoIter<E> where Self: HasEvent<E> // a type: `drain::<A>()`
    {
        self.events_of_mut::<E>().drain()
    }

    /// Statistics of the world: memory of the columns, numbers of events and of failed commands,
    /// readers that are behind.
    ///
    /// Cost: counts the bits of all columns.
    fn stats(&self) -> Stats {
        Stats::of(self)
    }
}

// A world for every `RawWorld`: bounds of lower modules, such as `W: Has<T>`, imply `W: RawWorld`,
// and generic code has the methods.
#[diagnostic::do_not_recommend]
impl<W: RawWorld> World for W {}

#[cold]
pub(crate) fn no_such<W: World>(entity: Entity) -> NoSuchEntity {
    NoSuchEntity { entity, world: W::NAME }
}

#[cold]
fn missing<W: World + Has<T>, T: 'static>(world: &W, entity: Entity) -> MissingError {
    if !world.contains(entity) {
        return no_such::<W>(entity).into();
    }
    MissingError::Missing { entity, component: W::COMPONENTS[W::INDEX], world: W::NAME }
}

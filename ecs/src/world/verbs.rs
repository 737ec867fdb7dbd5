//! What can be done with a world.
#![expect(unsafe_code, reason = "the borrow of the world says what may be reached through its cell")]

use alloc::vec;

use super::{CloneEntity, EntityMut, EntityRef, Snapshot, SnapshotWorld, Stats, WorldCell, clone, discard};
use crate::base::component_set::ComponentSet;
use crate::base::place::Place;
use crate::base::reader_stats::EventStats;
use crate::bundle::batch::{Spawned, put, put_new, spawn_batch};
use crate::bundle::{Bundle, BundleComponents, Columns, Replaced};
use crate::change::{Mut, Ref};
use crate::command::{Commands, FailurePolicy};
use crate::component::requires::{RequiredInserter, WorldKind};
use crate::component::unique::UniqueHolder;
use crate::component::{
    Found, Has, HasMut, HasStamps, HasTracked, HasUnique, Indexed, Name, StableId, index,
};
use crate::entity::Entity;
use crate::entity::allocator::Entities;
use crate::error::{InsertError, MissingError, NoSuchEntity, PresentError, Refused, refuse};
use crate::event::{HasEvent, SentTo};
use crate::query::{QueryTuple, ReadData, WorldData, WorldQuery};
use crate::resource::HasResource;
use crate::schedule::{Plan, ScheduleStates};
use crate::storage::column_offset::ColumnOffset;
use crate::system::System;
use crate::system::access::is_sound;

/// A world: entities, their components, resources and events. Made by `world!`, which implements this trait.
///
/// The methods are the verbs of every world; each names what it needs of the world in its bounds, so that a component
/// that the world does not have is an error of `cargo check`.
///
/// # Safety
/// The methods that begin with `__` give the fields of the struct, each always the same and none twice; `COMPONENTS`,
/// `FIELDS`, `REQUIRES`, `CLOSURES` and `OFFSETS` have one length, an index of [`Has`] is an index into them, and an
/// offset is that of the column which `Has` gives. Every component, resource and event is [`ThreadSafe`](crate::ThreadSafe).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a world",
    label = "not a world",
    note = "a world is what `world! {{ struct Name {{ .. }} }}` makes; a system names one, or a type parameter of its own: `#[system(Game)]`, `#[system(W)] fn name<W: World>(..)`"
)]
pub unsafe trait World: Sized + 'static {
    /// The struct's name.
    const NAME: &'static str;
    /// The components, as they are spelled in the declaration.
    const COMPONENTS: &'static [&'static str];
    /// The fields of the components.
    const FIELDS: &'static [&'static str];
    /// The resources, as they are spelled in the declaration.
    const RESOURCES: &'static [&'static str];
    /// The events, as they are spelled in the declaration.
    const EVENTS: &'static [&'static str];
    /// Which of the events are declared `external`: they are sent or read outside of the systems.
    #[doc(hidden)]
    const EXTERNAL_EVENTS: &'static [bool] = &[];
    #[doc(hidden)]
    const REQUIRES: &'static [ComponentSet];
    #[doc(hidden)]
    const CLOSURES: &'static [ComponentSet];
    #[doc(hidden)]
    const OFFSETS: &'static [ColumnOffset];
    #[doc(hidden)]
    #[cfg(feature = "serde")]
    type Saving;
    #[doc(hidden)]
    const GENERATION: u32;
    #[doc(hidden)]
    fn __schedules() -> &'static [&'static Plan<Self>];
    /// The names of the schedule and of the system at a place.
    #[doc(hidden)]
    fn __system_names(place: Place) -> (&'static str, &'static str);

    #[doc(hidden)]
    /// # Safety
    /// `this` points to a world.
    unsafe fn __entities(this: *mut Self) -> *mut Entities;
    #[doc(hidden)]
    /// # Safety
    /// `this` points to a world.
    unsafe fn __schedule_states(this: *mut Self) -> *mut ScheduleStates;
    #[doc(hidden)]
    fn __trim_events(&mut self);
    #[doc(hidden)]
    fn __event_stats(&self, each: &mut dyn FnMut(EventStats));

    #[doc(hidden)]
    #[inline(always)]
    fn __living(&self) -> &Entities {
        WorldCell::shared(self).entities()
    }

    /// Makes an entity with these components, and with those that they require; `spawn(())` one without any.
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
    /// If the world holds more than about four thousand million slots; if a rule of a component refuses its value
    /// ([`try_spawn`](Self::try_spawn) says so instead); or if the `Default` of a required component panics: then the
    /// entity is gone again.
    #[inline]
    fn spawn<B: Bundle<Self>>(&mut self, bundle: B) -> Entity {
        let (cell, parts) = (WorldCell::new(self), bundle.into_components());
        if let Some(why) = const { B::BundleComponents::REFUSE }
            // SAFETY: the world is borrowed mutably, and nothing of it is lent.
            && let Some(refused) = unsafe { why(&parts, cell, None) }
        {
            refuse(refused);
        }
        let kind = const { &B::BundleComponents::SET.kind(Self::COMPONENTS.len()) };
        // SAFETY: the world is borrowed mutably, and the borrow of the entities ends with the statement.
        let entity = unsafe { cell.entities_mut() }.spawn(kind);
        // SAFETY: as above.
        unsafe { put_new(cell, entity, parts) };
        entity
    }

    /// Makes an entity with these components, unless a rule of one of them refuses its value: then nothing changes and
    /// the bundle is dropped.
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
    /// If a component with a rule cannot have its value.
    ///
    /// # Panics
    /// As [`spawn`](Self::spawn) for the other reasons.
    fn try_spawn<B: Bundle<Self>>(&mut self, bundle: B) -> Result<Entity, Refused> {
        let (cell, parts) = (WorldCell::new(self), bundle.into_components());
        // SAFETY: the world is borrowed mutably, and nothing of it is lent.
        if let Some(refused) = unsafe { parts.refuse(cell, None) } {
            return Err(refused);
        }
        let kind = const { &B::BundleComponents::SET.kind(Self::COMPONENTS.len()) };
        // SAFETY: the world is borrowed mutably, and the borrow of the entities ends with the statement.
        let entity = unsafe { cell.entities_mut() }.spawn(kind);
        // SAFETY: as above.
        unsafe { put_new(cell, entity, parts) };
        Ok(entity)
    }

    /// Makes an entity for each bundle, writing the columns in bulk; gives the ids in the order of the bundles.
    ///
    /// The slots are one range where no despawned entity of the same kind left a hole.
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
    /// If the iterator does, or where [`spawn`](Self::spawn) would: the entities before that are there.
    fn spawn_batch<B: Bundle<Self>>(&mut self, bundles: impl IntoIterator<Item = B>) -> Spawned<'_> {
        spawn_batch(self, bundles.into_iter())
    }

    /// Makes entities from columns of values: the first entity gets the first value of each column, and so on. Gives the ids in
    /// that order.
    ///
    /// Where values come component by component, this is faster than [`spawn_batch`](Self::spawn_batch): some thousand values
    /// of one column are written after each other, then those of the next. If a component has a rule, or requires others, it is
    /// row by row.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Component)] struct Position(i32);
    /// # #[derive(Component, PartialEq, Debug)] struct Velocity(i32);
    /// # world! { struct Game { components { Position, Velocity } } }
    /// # let mut game = Game::new();
    /// let (positions, velocities) = (vec![Position(1), Position(2)], [Velocity(10), Velocity(20)]);
    /// let pair: Vec<Entity> = game.spawn_columns((positions, velocities)).collect();
    /// assert_eq!(game.get(pair[1]), Some(&Velocity(20)));
    ///
    /// let row = game.spawn_columns(((0..100).map(Position), (0..100).map(Velocity)));
    /// assert_eq!(row.len(), 100);
    /// ```
    ///
    /// # Panics
    /// If the columns are not equally long, or announce more entities than there is room or memory for; if an iterator panics or
    /// gives less than it said, or if a rule of a component refuses a value. Then there are no new entities.
    fn spawn_columns<C: Columns<Self>>(&mut self, columns: C) -> Spawned<'_> {
        columns.spawn(self)
    }

    /// Ends the life of an entity and drops its components.
    ///
    /// Cost: follows what entities of its kind have ever held, not what the world declares.
    ///
    /// # Errors
    /// If it does not live.
    fn despawn(&mut self, entity: Entity) -> Result<(), NoSuchEntity> {
        // SAFETY: the world is borrowed mutably, and this borrow ends with the statement.
        if !unsafe { WorldCell::new(self).entities_mut() }.despawn(entity) {
            return Err(no_such::<Self>(entity));
        }
        discard::of_entity(self, entity);
        Ok(())
    }

    /// Makes an entity with clones of all components of another one.
    ///
    /// What a rule refuses is left out: of a unique component, or a key, there is no second one.
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
    /// # Ok::<(), ecs::NoSuchEntity>(())
    /// ```
    ///
    /// # Errors
    /// If it does not live.
    ///
    /// # Panics
    /// If the `Clone` of a component does: then there is no new entity.
    fn clone_entity(&mut self, entity: Entity) -> Result<Entity, NoSuchEntity>
    where
        Self: CloneEntity,
    {
        if !self.contains(entity) {
            return Err(no_such::<Self>(entity));
        }
        Ok(clone::clone_entity(self, entity))
    }

    /// Whether the entity lives.
    #[inline]
    fn contains(&self, entity: Entity) -> bool {
        self.__living().contains(entity)
    }

    /// Gives an entity components, with those that they require, and gives what they replace: an `Option` for each.
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
    /// If it does not live, or a rule of a component refuses its value: nothing changes and the bundle is dropped.
    #[inline]
    fn insert<B: Bundle<Self>>(
        &mut self,
        entity: Entity,
        bundle: B,
    ) -> Result<Replaced<Self, B>, InsertError> {
        if !self.contains(entity) {
            return Err(no_such::<Self>(entity).into());
        }
        let (cell, parts) = (WorldCell::new(self), bundle.into_components());
        // SAFETY: the world is borrowed mutably, and nothing of it is lent.
        if let Some(refused) = unsafe { parts.refuse(cell, Some(entity)) } {
            return Err(refused.into());
        }
        // SAFETY: as above.
        Ok(unsafe { put(cell, entity, parts) })
    }

    /// Gives an entity components of which it has none; else nothing changes and the bundle is dropped.
    ///
    /// # Errors
    /// If it does not live, has one of the components, or a rule of one refuses its value.
    fn try_insert<B: Bundle<Self>>(&mut self, entity: Entity, bundle: B) -> Result<(), PresentError> {
        if !self.contains(entity) {
            return Err(no_such::<Self>(entity).into());
        }
        // SAFETY: the world is borrowed mutably, and nothing of it is lent.
        match unsafe { B::BundleComponents::find(WorldCell::new(self), entity.slot(), true) } {
            Some(index) => {
                Err(PresentError::Present { entity, component: Self::COMPONENTS[index], world: Self::NAME })
            }
            None => Ok(self.insert(entity, bundle).map(drop)?),
        }
    }

    /// Gives an entity one component, for code that is generic over the component; else as [`insert`](Self::insert).
    ///
    /// # Errors
    /// If it does not live, or a rule of the component refuses the value.
    #[inline]
    fn insert_one<T: 'static>(&mut self, entity: Entity, value: T) -> Result<Option<T>, InsertError>
    where
        Self: Has<T>,
    {
        if !self.contains(entity) {
            return Err(no_such::<Self>(entity).into());
        }
        let cell = WorldCell::new(self);
        // SAFETY: the world is borrowed mutably, and nothing of it is lent.
        if let Some(refused) = unsafe { cell.refuse(Some(entity), &value) } {
            return Err(refused.into());
        }
        // SAFETY: as above.
        let replaced = unsafe { cell.put(entity.slot(), value) };
        // SAFETY: as above.
        Self::Kind::fill(&mut unsafe { RequiredInserter::new(cell, entity) });
        Ok(replaced)
    }

    /// Takes one component away, for code that is generic over the component; else as [`remove`](Self::remove).
    ///
    /// # Errors
    /// If it does not live.
    #[inline]
    fn remove_one<T: 'static>(&mut self, entity: Entity) -> Result<Option<T>, NoSuchEntity>
    where
        Self: Has<T>,
    {
        if !self.contains(entity) {
            return Err(no_such::<Self>(entity));
        }
        // SAFETY: the world is borrowed mutably, and nothing of it is lent.
        Ok(unsafe { WorldCell::new(self).take(entity.slot()) })
    }

    /// Takes components away, those that the entity has, and gives them: an `Option` for each.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # #[derive(Component, PartialEq, Debug)] struct Position(i32);
    /// # #[derive(Component, PartialEq, Debug)] struct Frozen;
    /// # world! { struct Game { components { Position, Frozen } } }
    /// # let mut game = Game::new();
    /// let ball = game.spawn(Position(3));
    /// assert_eq!(game.remove::<(Position, Frozen)>(ball), Ok((Some(Position(3)), None)));
    /// assert!(game.contains(ball)); // it lives on, without components
    /// ```
    ///
    /// # Errors
    /// If it does not live.
    #[inline]
    fn remove<B: Bundle<Self>>(&mut self, entity: Entity) -> Result<Replaced<Self, B>, NoSuchEntity> {
        if !self.contains(entity) {
            return Err(no_such::<Self>(entity));
        }
        // SAFETY: the world is borrowed mutably, and nothing of it is lent.
        Ok(unsafe { B::BundleComponents::take(WorldCell::new(self), entity.slot()) })
    }

    /// Takes all components of a bundle away and gives them; if one is missing nothing changes.
    ///
    /// # Errors
    /// If it does not live, or lacks one of the components.
    fn try_remove<B: Bundle<Self>>(&mut self, entity: Entity) -> Result<B, MissingError> {
        if !self.contains(entity) {
            return Err(no_such::<Self>(entity).into());
        }
        let missing = |index: usize| MissingError::Missing {
            entity,
            component: Self::COMPONENTS[index],
            world: Self::NAME,
        };
        let cell = WorldCell::new(self);
        // SAFETY: the world is borrowed mutably, and nothing of it is lent.
        if let Some(index) = unsafe { B::BundleComponents::find(cell, entity.slot(), false) } {
            return Err(missing(index));
        }
        // SAFETY: as above.
        let parts = B::BundleComponents::all(unsafe { B::BundleComponents::take(cell, entity.slot()) });
        Ok(B::from_components(parts.expect("none is missing")))
    }

    /// A component of an entity; `None` if it lacks the component or does not live.
    #[inline]
    fn get<T: 'static>(&self, entity: Entity) -> Option<&T>
    where
        Self: Has<T>,
    {
        let cell = WorldCell::shared(self);
        if !cell.entities().contains(entity) {
            return None;
        }
        // SAFETY: the world is borrowed shared: nobody writes.
        unsafe { &*Self::__column_ptr(core::ptr::from_ref(self).cast_mut()) }.get(entity.slot())
    }

    /// A component of an entity, mutable; `None` if it lacks the component or does not live.
    #[inline]
    fn get_mut<T: 'static>(&mut self, entity: Entity) -> Option<&mut T>
    where
        Self: HasMut<T>,
    {
        let cell = WorldCell::new(self);
        if !cell.entities().contains(entity) {
            return None;
        }
        // SAFETY: the world is borrowed mutably, and nothing else of it is lent.
        unsafe { cell.column_mut::<T>() }.get_mut(entity.slot())
    }

    /// The entity that has the unique component `T`, and its value.
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
    fn unique<T: 'static>(&self) -> Option<(Entity, &T)>
    where
        Self: HasUnique<T>,
    {
        let cell = WorldCell::shared(self);
        // SAFETY: the world is borrowed shared: nobody writes.
        let column = unsafe { cell.column::<T>() };
        let holder = column.rule_state::<UniqueHolder>()?.0?;
        Some((holder, column.get(holder.slot()).filter(|_| self.contains(holder))?))
    }

    /// The entities whose `T` is found by `key`, in the order of their slots: see [`Indexed`]. In systems:
    /// [`Lookup`](crate::Lookup).
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
    fn find<T: Indexed>(&self, key: &T::Key) -> Found<'_>
    where
        Self: Has<T>,
    {
        let cell = WorldCell::shared(self);
        // SAFETY: the world is borrowed shared: nobody writes.
        index::find(unsafe { cell.column::<T>() }, cell.entities(), key, |key| key)
    }

    /// The first of the entities whose `T` is found by `key`; of a key, the only one.
    fn find_one<T: Indexed>(&self, key: &T::Key) -> Option<Entity>
    where
        Self: Has<T>,
    {
        let cell = WorldCell::shared(self);
        // SAFETY: the world is borrowed shared: nobody writes.
        index::find_one(unsafe { cell.column::<T>() }, cell.entities(), key, |key| key)
    }

    /// The first entity with this [`Name`].
    fn named(&self, name: &str) -> Option<Entity>
    where
        Self: Has<Name>,
    {
        let cell = WorldCell::shared(self);
        // SAFETY: the world is borrowed shared: nobody writes.
        index::find_one(unsafe { cell.column::<Name>() }, cell.entities(), name, |name| name)
    }

    /// The entity with this [`StableId`].
    fn stable(&self, id: StableId) -> Option<Entity>
    where
        Self: Has<StableId>,
    {
        self.find_one::<StableId>(&id)
    }

    /// A tracked component of an entity, and when it was changed; `None` if it lacks the component or does not live.
    ///
    /// There is no last run here: everything is new.
    #[inline]
    fn get_ref<T: 'static>(&self, entity: Entity) -> Option<Ref<'_, T>>
    where
        Self: HasStamps<T>,
    {
        let cell = WorldCell::shared(self);
        if !cell.entities().contains(entity) {
            return None;
        }
        // SAFETY: the world is borrowed shared: nobody writes.
        unsafe { cell.column::<T>() }.get_ref(entity.slot(), cell.ticks())
    }

    /// A tracked component of an entity, mutable: what [`get_mut`](Self::get_mut) is for others. A change is seen by
    /// every system that asks for [`Changed`](crate::Changed) or [`Ref`] from its next run on. `None` if the entity
    /// lacks the component or does not live.
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
        let cell = WorldCell::new(self);
        if !cell.entities().contains(entity) {
            return None;
        }
        // SAFETY: the world is borrowed mutably, and nothing else of it is lent.
        unsafe { cell.column_mut::<T>() }.get_tracked(entity.slot(), cell.ticks())
    }

    /// A component of an entity.
    ///
    /// # Errors
    /// If it lacks the component or does not live; the error says which.
    fn try_get<T: 'static>(&self, entity: Entity) -> Result<&T, MissingError>
    where
        Self: Has<T>,
    {
        self.get(entity).ok_or_else(|| missing::<Self, T>(self, entity))
    }

    /// A component of an entity, mutable.
    ///
    /// # Errors
    /// If it lacks the component or does not live; the error says which.
    fn try_get_mut<T: 'static>(&mut self, entity: Entity) -> Result<&mut T, MissingError>
    where
        Self: HasMut<T>,
    {
        if !self.has::<T>(entity) {
            return Err(missing::<Self, T>(self, entity));
        }
        Ok(self.get_mut(entity).expect("it has one"))
    }

    /// Whether an entity lives and has a component.
    #[inline]
    fn has<T: 'static>(&self, entity: Entity) -> bool
    where
        Self: Has<T>,
    {
        self.get::<T>(entity).is_some()
    }

    /// One entity, shared.
    ///
    /// # Errors
    /// If it does not live.
    fn entity(&self, entity: Entity) -> Result<EntityRef<'_, Self>, NoSuchEntity> {
        if self.contains(entity) { Ok(EntityRef::new(self, entity)) } else { Err(no_such::<Self>(entity)) }
    }

    /// One entity, mutable.
    ///
    /// # Errors
    /// If it does not live.
    fn entity_mut(&mut self, entity: Entity) -> Result<EntityMut<'_, Self>, NoSuchEntity> {
        if self.contains(entity) { Ok(EntityMut::new(self, entity)) } else { Err(no_such::<Self>(entity)) }
    }

    /// A query that only reads. [`filter`](WorldQuery::filter) narrows it.
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
    /// A query that asks for two components that exclude each other matches nobody; in a system that is a compile error.
    #[inline]
    fn query<D: WorldData<Self> + ReadData>(&self) -> WorldQuery<'_, Self, D> {
        // SAFETY: the data only reads, and the world is borrowed shared.
        unsafe { WorldQuery::new(WorldCell::shared(self)) }
    }

    /// A query that may write.
    #[inline]
    fn query_mut<D: WorldData<Self>>(&mut self) -> WorldQuery<'_, Self, D> {
        // SAFETY: the world is borrowed mutably.
        unsafe { WorldQuery::new(WorldCell::new(self)) }
    }

    /// Several queries at once, up to eight, none of which borrows mutably what another one borrows.
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
        // SAFETY: the world is borrowed mutably.
        unsafe { Q::queries(WorldCell::new(self)) }
    }

    /// All entities that live, in the order of their slots: a query of [`Entity`], to be iterated, filtered, or turned
    /// into a set.
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

    /// Ends every life. Memory is kept, resources and events stay.
    fn clear(&mut self) {
        discard::log_all(self);
        // SAFETY: the world is borrowed mutably, and the borrow of the entities ends with the statement.
        unsafe { WorldCell::new(self).entities_mut() }.clear();
        discard::all(self);
        discard::trim(self);
    }

    /// The world as it is now, to come back to: see [`Snapshot`]. Of a world with `#[derive(Clone)]`.
    ///
    /// Cost: follows the pages of values that were touched since the last snapshot, which are copied; the others are shared
    /// with it. Resources, events that wait and what systems remember are cloned.
    ///
    /// # Panics
    /// If a `Clone` panics: the world is as it was.
    #[inline]
    fn snapshot(&mut self) -> Snapshot<Self>
    where
        Self: SnapshotWorld,
    {
        Snapshot::of(self)
    }

    /// Makes the world what it was when the snapshot was taken, or what another world of the type was: see [`Snapshot`].
    ///
    /// Cost: follows the pages of values that differ: those that were touched since, and those that were other ones then.
    ///
    /// # Panics
    /// If a `Clone` or a `Drop` panics: then the world is left without entities, and can be restored anew.
    #[inline]
    fn restore(&mut self, snapshot: &Snapshot<Self>)
    where
        Self: SnapshotWorld,
    {
        snapshot.restore_to(self);
    }

    /// Runs one system once.
    ///
    /// Its `Local`s begin with their defaults, its readers see all events that are kept, and all that there is is new to
    /// it: what a system remembers belongs to its place in a schedule.
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
    /// That the parameters of a *generic* system go together for these types is found by `cargo build`; in a schedule,
    /// and for any other system, by `cargo check`.
    fn run<S: System<Self>>(&mut self) -> S::Out {
        const {
            crate::check::check_system::<Self>(S::NAME, S::PARAMS);
            assert!(is_sound(S::PARAMS), "the parameters of this system clash");
        }
        crate::schedule::run::once::<Self, S>(self)
    }

    /// Runs systems by hand: what they ask for through these commands is done when `f` has returned.
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

    /// What happens with commands that come too late: for entities that are gone by then.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::FailurePolicy;
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
    fn on_failed_command(&mut self, on: FailurePolicy) {
        // SAFETY: the world is borrowed mutably, and the borrow of its places ends with the statement.
        unsafe { WorldCell::new(self).schedule_states_mut() }.failed_commands.on = on;
    }

    /// A resource.
    fn resource<R: 'static>(&self) -> &R
    where
        Self: HasResource<R>,
    {
        // SAFETY: the world is borrowed shared: nobody writes.
        unsafe { &*WorldCell::shared(self).resource_ptr::<R>() }
    }

    /// A resource, mutable.
    fn resource_mut<R: 'static>(&mut self) -> &mut R
    where
        Self: HasResource<R>,
    {
        // SAFETY: the world is borrowed mutably, and nothing else of it is lent.
        unsafe { &mut *WorldCell::new(self).resource_ptr::<R>() }
    }

    /// Sends an event from outside the systems. A type that no system sends is declared `external`.
    ///
    /// It is kept until every place with a reader has read it; if no schedule reads the type, until it is drained. How
    /// many are kept at most, and how the declaration says that, see at [`Events`](crate::Events).
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
    /// If the event is declared with `full = panic` and does not fit; it is not sent then.
    fn send<E: SentTo<Self>>(&mut self, event: E) {
        event.send_to(self);
    }

    /// Takes all events of a type that are kept: those that some reader has not seen, or, if no schedule reads the
    /// type, all that were sent since it was drained last. No reader sees them any more.
    fn drain<E: 'static>(&mut self) -> vec::IntoIter<E>
    where
        Self: HasEvent<E>,
    {
        // SAFETY: the world is borrowed mutably, and nothing else of it is lent.
        unsafe { &mut *WorldCell::new(self).events_ptr::<E>() }.drain()
    }

    /// How the world uses its memory, and how far the readers of its events are.
    fn stats(&self) -> Stats {
        Stats::of(self)
    }
}

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

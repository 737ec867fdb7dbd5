//! [`Reflection`]: the handle of a world whose components, resources and events are named at run
//! time.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Deref;

use super::allow::{AllowList, Shows};
use super::erased::ErasedWorld;
use super::error::{NameKind, ReflectError};
use super::path::ValuePath;
use crate::base::component_set::ComponentSet;
use crate::base::nearest::nearest;
use crate::entity::Entity;
use crate::error::{NoSuchEntity, Reason, Refused};
use crate::raw_world::discard;
use crate::value::boxed::ValueBox;
use crate::value::description::ValueType;
use crate::value::tree::{DynamicValue, EntityNames, NO_NAMES, read_named_tree, tree_of_described};
use crate::world::World;

/// A handle of a world whose components, resources and events are named at run time: [`ReflectRef`]
/// for reading, [`ReflectMut`] for reading and changing. [`ReflectWorld`](super::ReflectWorld)
/// makes it.
///
/// Hidden types do not occur: the handle behaves as if the world did not have them.
#[derive(Clone)]
pub struct Reflection<A> {
    pub(super) world: A,
    pub(super) shows: Shows,
}

/// The handle for reading a world by names.
pub type ReflectRef<'w> = Reflection<&'w (dyn ErasedWorld + 'w)>;

/// The handle for reading and changing a world by names.
pub type ReflectMut<'w> = Reflection<&'w mut (dyn ErasedWorld + 'w)>;

impl<'w, A: Deref<Target = dyn ErasedWorld + 'w>> Reflection<A> {
    /// The handle of everything that is not hidden.
    pub(super) fn new(world: A) -> Self {
        let set = |count: usize, is_shown: &dyn Fn(usize) -> bool| {
            (0..count)
                .filter(|&index| is_shown(index))
                .fold(ComponentSet::EMPTY, |set, index| set.with(index))
        };
        let shows = Shows {
            components: set(world.component_names().len(), &|index| world.component_facts(index).is_some()),
            resources: set(world.resource_names().len(), &|index| {
                world.value_facts(NameKind::Resources, index).is_some()
            }),
            events: set(world.event_names().len(), &|index| {
                world.value_facts(NameKind::Events, index).is_some()
            }),
            systems: None,
            read_only: false,
        };
        Self { world, shows }
    }

    /// A handle that shows only what both this handle and the list allow.
    ///
    /// ```
    /// use ecs::prelude::*;
    /// use ecs::reflect::{AllowList, ReflectWorld};
    /// # use serde::{Deserialize, Serialize};
    /// # #[derive(Component, Serialize, Deserialize)] struct Health(u32);
    /// # #[derive(Component, Serialize, Deserialize)] struct Password(String);
    /// # world! { #[derive(Reflect)] struct Game { components { Health, Password } } }
    /// let mut game = Game::new();
    /// let player = game.spawn((Health(3), Password("secret".into())));
    /// let guest = game.reflect().restrict(&AllowList::new().components(["Health"]))?;
    /// assert_eq!(guest.components_of(player)?, ["Health"]);
    /// assert!(guest.read(player, "Password").is_err());
    /// # Ok::<(), ecs::reflect::ReflectError>(())
    /// ```
    ///
    /// # Errors
    /// If the world has nothing of a name in the list, or hides it.
    pub fn restrict(self, list: &AllowList) -> Result<Self, ReflectError> {
        let mut shows = self.shows.clone();
        let lists = [
            (&list.components, NameKind::Components, &mut shows.components),
            (&list.resources, NameKind::Resources, &mut shows.resources),
            (&list.events, NameKind::Events, &mut shows.events),
        ];
        for (names, kind, set) in lists {
            if let Some(names) = names {
                let mut allowed = ComponentSet::EMPTY;
                for name in names {
                    allowed = allowed.with(self.number(kind, name)?);
                }
                *set = set.and(allowed);
            }
        }
        if let Some(names) = &list.systems {
            for name in names {
                self.system(name)?;
            }
            shows.systems = Some(names.clone());
        }
        shows.read_only |= list.read_only;
        Ok(Self { shows, ..self })
    }

    /// Whether the handle is for reading only: see [`AllowList::read_only`].
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::reflect::{AllowList, ReflectWorld};
    /// # world! { #[derive(Reflect)] struct Game {} }
    /// let mut game = Game::new();
    /// let guest = game.reflect_mut().restrict(&AllowList::new().read_only())?;
    /// assert!(guest.is_read_only() && !game.reflect_mut().is_read_only());
    /// # Ok::<(), ecs::reflect::ReflectError>(())
    /// ```
    pub fn is_read_only(&self) -> bool {
        self.shows.read_only
    }

    /// The name of the world.
    pub fn name(&self) -> &'static str {
        self.world.world_name()
    }

    /// The number of live entities.
    pub fn len(&self) -> usize {
        self.world.living().len()
    }

    /// Whether no entity is alive.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the entity is alive.
    pub fn contains(&self, entity: Entity) -> bool {
        self.world.living().contains(entity)
    }

    /// The live entities in the order of their slots: those after `after`, at most `limit`. The
    /// last one is the `after` of the next page.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::reflect::ReflectWorld;
    /// # world! { #[derive(Reflect)] struct Game {} }
    /// let mut game = Game::new();
    /// let [a, b, c] = [(); 3].map(|()| game.spawn(()));
    /// let page = game.reflect().entities(None, 2);
    /// assert_eq!(page, [a, b]);
    /// assert_eq!(game.reflect().entities(page.last().copied(), 2), [c]);
    /// ```
    pub fn entities(&self, after: Option<Entity>, limit: usize) -> Vec<Entity> {
        match after.map_or(Some(0), |after| after.slot().checked_add(1)) {
            Some(first) => self.entities_from(first, limit),
            None => Vec::new(),
        }
    }

    /// The live entities from a slot on, in the order of their slots, at most `limit`. A page can
    /// begin at any slot, for instance where an entity has been despawned.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::reflect::ReflectWorld;
    /// # world! { #[derive(Reflect)] struct Game {} }
    /// let mut game = Game::new();
    /// let [a, b, c] = [(); 3].map(|()| game.spawn(()));
    /// game.despawn(b)?;
    /// assert_eq!(game.reflect().entities_from(b.slot(), 2), [c]);
    /// assert_eq!(game.reflect().entities_from(0, 2), [a, c]);
    /// # Ok::<(), ecs::error::NoSuchEntity>(())
    /// ```
    pub fn entities_from(&self, slot: u32, limit: usize) -> Vec<Entity> {
        let (living, first) = (self.world.living(), slot as usize);
        let words = living.alive().iter().enumerate().skip(first / 64);
        let slots = words.flat_map(|(word, &bits)| {
            let from = first.saturating_sub(word * 64);
            let bits = if from < 64 { bits >> from << from } else { 0 };
            crate::base::mask::Bits(bits).map(move |bit| word * 64 + bit)
        });
        slots.take(limit).map(|slot| living.at(slot)).collect()
    }

    /// The names of the entity's components, in the order of the world's declaration.
    ///
    /// # Errors
    /// If the entity is not alive.
    pub fn components_of(&self, entity: Entity) -> Result<Vec<&'static str>, ReflectError> {
        Ok(self.held(entity)?.map(|index| self.world.component_names()[index]).collect())
    }

    /// The numbers of the entity's components.
    fn held(&self, entity: Entity) -> Result<impl Iterator<Item = usize> + use<'_, 'w, A>, ReflectError> {
        self.alive(entity)?;
        let slot = entity.slot();
        let held = self.world.living().columns_of(slot);
        Ok(held.filter(move |&index| self.shows.components.contains(index) && self.world.has_at(index, slot)))
    }

    /// Whether the entity has the component.
    ///
    /// # Errors
    /// If the entity is not alive, or the world has no component of this name.
    pub fn has(&self, entity: Entity, component: &str) -> Result<bool, ReflectError> {
        self.alive(entity)?;
        let index = self.number(NameKind::Components, component)?;
        Ok(self.world.has_at(index, entity.slot()))
    }

    /// The sources of a relation to an entity, such as the children of a parent, in the order in
    /// which they were related to it, at most `limit`; none if the component is no relation.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::reflect::ReflectWorld;
    /// # world! { #[derive(Reflect)] struct Game { components { ChildOf } } }
    /// let mut game = Game::new();
    /// let pack = game.spawn(());
    /// let wolf = game.spawn(ChildOf(pack));
    /// assert_eq!(game.reflect().sources("ChildOf", pack, 10)?, [wolf]);
    /// # Ok::<(), ecs::reflect::ReflectError>(())
    /// ```
    ///
    /// # Errors
    /// If the world has no component of this name.
    pub fn sources(&self, relation: &str, target: Entity, limit: usize) -> Result<Vec<Entity>, ReflectError> {
        let sources = self.world.sources(self.number(NameKind::Components, relation)?, target);
        Ok(sources.iter().copied().take(limit).collect())
    }

    /// Reads a component of an entity, or a part of it: `"Health"`, `"Health.now"`.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::reflect::{DynamicValue, ReflectWorld};
    /// # use serde::{Deserialize, Serialize};
    /// # #[derive(Component, Serialize, Deserialize)] struct Health { now: u32, max: u32 }
    /// # world! { #[derive(Reflect)] struct Game { components { Health } } }
    /// let mut game = Game::new();
    /// let wolf = game.spawn(Health { now: 3, max: 7 });
    /// assert_eq!(game.reflect().read(wolf, "Health.now")?, DynamicValue::Int(3));
    /// let error = game.reflect().read(wolf, "Helth").unwrap_err();
    /// assert_eq!(error.to_string(), "world `Game` has no component `Helth`: did you mean `Health`?");
    /// # Ok::<(), ecs::reflect::ReflectError>(())
    /// ```
    ///
    /// # Errors
    /// If the entity is not alive or lacks the component, or the path leads nowhere.
    pub fn read(&self, entity: Entity, path: &str) -> Result<DynamicValue, ReflectError> {
        let (name, steps) = split(Some(entity), path)?;
        self.alive(entity)?;
        let index = self.number(NameKind::Components, name)?;
        let value = self.value_of(entity, index)?;
        get(Some(entity), name, &steps, &value).cloned()
    }

    /// Reads all components of an entity, with their names, in the order of the world's
    /// declaration.
    ///
    /// # Errors
    /// If the entity is not alive.
    pub fn read_all(&self, entity: Entity) -> Result<Vec<(&'static str, DynamicValue)>, ReflectError> {
        let names = self.world.component_names();
        self.held(entity)?.map(|index| Ok((names[index], self.value_of(entity, index)?))).collect()
    }

    /// Reads a resource, or a part of it.
    ///
    /// # Errors
    /// If the world has no resource of this name, or the path leads nowhere.
    pub fn read_resource(&self, path: &str) -> Result<DynamicValue, ReflectError> {
        let (name, steps) = split(None, path)?;
        let index = self.number(NameKind::Resources, name)?;
        let value = self.resource_value(index)?;
        get(None, name, &steps, &value).cloned()
    }

    fn resource_value(&self, index: usize) -> Result<DynamicValue, ReflectError> {
        let name = self.world.resource_names()[index];
        let value =
            self.world.resource(index).map_or(Ok(DynamicValue::Unit), |(value, _)| DynamicValue::of(value));
        value.map_err(|reason| ReflectError::Value { entity: None, path: name.into(), reason })
    }

    /// The value of a component of a live entity.
    pub(super) fn value_of(&self, entity: Entity, index: usize) -> Result<DynamicValue, ReflectError> {
        let component = self.world.component_names()[index];
        let value = self.world.value(index, entity.slot());
        let value = value.ok_or(ReflectError::Missing { entity, component })?;
        tree_of_described(value).map_err(|reason| ReflectError::Value {
            entity: Some(entity),
            path: component.into(),
            reason,
        })
    }

    pub(super) fn alive(&self, entity: Entity) -> Result<(), ReflectError> {
        if self.contains(entity) {
            return Ok(());
        }
        Err(NoSuchEntity { entity, world: self.name() }.into())
    }

    /// The names of a section, and the numbers of those that are shown.
    pub(super) fn section(&self, kind: NameKind) -> (&'static [&'static str], ComponentSet) {
        match kind {
            NameKind::Resources => (self.world.resource_names(), self.shows.resources),
            NameKind::Events => (self.world.event_names(), self.shows.events),
            _ => (self.world.component_names(), self.shows.components),
        }
    }

    /// The number of a component, resource or event that is shown.
    pub(super) fn number(&self, kind: NameKind, name: &str) -> Result<usize, ReflectError> {
        let (names, shown) = self.section(kind);
        let found = names.iter().enumerate().find(|&(index, known)| *known == name && shown.contains(index));
        if let Some((index, _)) = found {
            return Ok(index);
        }
        let known: Vec<&'static str> =
            shown.indices().filter_map(|index| names.get(index).copied()).collect();
        Err(self.unknown(kind, name, &known))
    }

    pub(super) fn unknown(&self, kind: NameKind, name: &str, known: &[&'static str]) -> ReflectError {
        let nearest = nearest(name, known);
        ReflectError::UnknownName { kind, name: name.into(), nearest, world: self.name() }
    }

    /// Reads a value of a component from its tree.
    pub(super) fn component_value(
        &self,
        entity: Option<Entity>,
        name: &str,
        of: &'static ValueType,
        value: &DynamicValue,
        names: &EntityNames,
    ) -> Result<ValueBox, ReflectError> {
        read_named_tree(value, names, &mut |form| ValueBox::read(of, form))
            .map_err(|mistake| of_tree(entity, name, mistake))
    }

    /// Reads the values of components from their trees. They are in the order of the world, since a
    /// map of names has no order.
    pub(super) fn typed_components(
        &self,
        entity: Option<Entity>,
        values: &[(&str, DynamicValue)],
        names: &EntityNames,
    ) -> Result<(Vec<(usize, ValueBox)>, ComponentSet), ReflectError> {
        let (mut typed, mut set) = (Vec::with_capacity(values.len()), ComponentSet::EMPTY);
        for (name, value) in values {
            let index = self.number(NameKind::Components, name)?;
            let component = self.world.component_names()[index];
            if set.contains(index) {
                return Err(ReflectError::Twice { component });
            }
            if let Some(other) = self.world.excluded(index).and(set).first() {
                let other = self.world.component_names()[other];
                return Err(ReflectError::Excludes { component: other, other: component });
            }
            set = set.with(index);
            let Some(facts) = self.world.component_facts(index) else { continue };
            typed.push((index, self.component_value(entity, component, (facts.of)(), value, names)?));
        }
        typed.sort_unstable_by_key(|(index, _)| *index);
        Ok((typed, set))
    }

    /// The error of a refused value, without the names of hidden components.
    fn refused(&self, refused: Refused) -> ReflectError {
        if let Reason::Excluded(other) = refused.reason
            && self.number(NameKind::Components, other).is_err()
        {
            return ReflectError::RefusedByHidden { entity: refused.entity, component: refused.component };
        }
        ReflectError::Refused(refused)
    }
}

impl<'w> ReflectRef<'w> {
    /// The world itself, if it has this type: for methods of a program that are reached through
    /// handles. It also has what the handle hides.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::reflect::ReflectWorld;
    /// # world! { #[derive(Reflect)] struct Game {} }
    /// let mut game = Game::new();
    /// let mut handle = game.reflect_mut();
    /// assert!(handle.as_ref().downcast_ref::<Game>().is_some());
    /// handle.downcast_mut::<Game>().unwrap().spawn(());
    /// assert_eq!(game.entities().len(), 1);
    /// ```
    pub fn downcast_ref<W: World>(&self) -> Option<&'w W> {
        self.world.any().downcast_ref()
    }
}

impl<'w> ReflectMut<'w> {
    /// [`downcast_ref`](ReflectRef::downcast_ref) for changing the world; `None` if the handle is
    /// [for reading only](AllowList::read_only).
    pub fn downcast_mut<W: World>(&mut self) -> Option<&mut W> {
        if self.shows.read_only {
            return None;
        }
        self.world.any_mut().downcast_mut()
    }

    /// A handle for reading, which shows the same.
    pub fn as_ref(&self) -> ReflectRef<'_> {
        Reflection { world: &*self.world, shows: self.shows.clone() }
    }

    /// The same handle for a shorter time.
    pub fn reborrow(&mut self) -> ReflectMut<'_> {
        Reflection { world: &mut *self.world, shows: self.shows.clone() }
    }

    pub(super) fn writable(&self) -> Result<(), ReflectError> {
        if self.shows.read_only { Err(ReflectError::ReadOnly) } else { Ok(()) }
    }

    /// Spawns an entity with these components and those that they require.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::reflect::ReflectWorld;
    /// # use serde::{Deserialize, Serialize};
    /// # #[derive(Component, Serialize, Deserialize)] struct Health { now: u32, max: u32 }
    /// # #[derive(Component, Serialize, Deserialize)] struct Frozen;
    /// # world! { #[derive(Reflect)] struct Game { components { Health, Frozen } } }
    /// let mut game = Game::new();
    /// let wolf = game.reflect_mut().spawn(&[
    ///     ("Health", serde_json::from_str(r#"{ "now": 3, "max": 7 }"#)?),
    ///     ("Frozen", ().into()),
    /// ])?;
    /// assert!(game.has::<Frozen>(wolf));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a name is unknown, a value is not of its type, two components exclude each other, or a
    /// rule refuses a value. No entity is spawned then.
    ///
    /// # Panics
    /// If the `Default` of a required component panics. The new entity is despawned then.
    pub fn spawn(&mut self, components: &[(&str, DynamicValue)]) -> Result<Entity, ReflectError> {
        self.writable()?;
        let (values, set) = self.typed_components(None, components, &NO_NAMES)?;
        self.accepted(None, &values)?;
        let closure = set.indices().fold(set, |all, index| all.or(self.world.closure(index)));
        let entity = self.world.spawn_with(closure);
        let mut new = UnfinishedEntities { world: self.reborrow(), entities: Vec::from([entity]) };
        put_all(new.world.world, entity, values);
        new.entities.clear();
        Ok(entity)
    }

    /// Despawns an entity, as [`World::despawn`](crate::World::despawn).
    ///
    /// # Errors
    /// If the entity is not alive.
    pub fn despawn(&mut self, entity: Entity) -> Result<(), ReflectError> {
        self.writable()?;
        self.alive(entity)?;
        self.world.despawn_one(entity);
        Ok(())
    }

    /// Gives back memory that the values do not need: see
    /// [`WorldMemory::shrink_to_fit`](crate::world::WorldMemory::shrink_to_fit).
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::reflect::ReflectWorld;
    /// # use serde::{Deserialize, Serialize};
    /// # #[derive(Component, Serialize, Deserialize)] struct Health(u32);
    /// # world! { #[derive(Reflect)] struct Game { components { Health } } }
    /// let mut game = Game::new();
    /// game.spawn_batch((0..10_000).map(Health));
    /// game.clear();
    /// let before = game.stats().bytes;
    /// game.reflect_mut().shrink_to_fit()?;
    /// assert!(game.stats().bytes < before);
    /// # Ok::<(), ecs::reflect::ReflectError>(())
    /// ```
    ///
    /// # Errors
    /// If the handle is for reading only.
    pub fn shrink_to_fit(&mut self) -> Result<(), ReflectError> {
        self.writable()?;
        self.world.shrink();
        Ok(())
    }

    /// Inserts a component into an entity, with the components that it requires, or replaces it.
    ///
    /// # Errors
    /// As [`insert_all`](Self::insert_all).
    pub fn insert(
        &mut self,
        entity: Entity,
        component: &str,
        value: impl Into<DynamicValue>,
    ) -> Result<(), ReflectError> {
        self.insert_all(entity, &[(component, value.into())])
    }

    /// Inserts components into an entity, with the components that they require, or replaces them.
    ///
    /// # Errors
    /// If the entity is not alive, a name is unknown, a value is not of its type, or a rule refuses
    /// a value. Nothing is inserted then.
    pub fn insert_all(
        &mut self,
        entity: Entity,
        components: &[(&str, DynamicValue)],
    ) -> Result<(), ReflectError> {
        self.writable()?;
        self.alive(entity)?;
        let (values, _) = self.typed_components(Some(entity), components, &NO_NAMES)?;
        self.accepted(Some(entity), &values)?;
        put_all(self.world, entity, values);
        Ok(())
    }

    /// Asks the rules of the components, without a change.
    pub(super) fn accepted(
        &mut self,
        entity: Option<Entity>,
        values: &[(usize, ValueBox)],
    ) -> Result<(), ReflectError> {
        for (index, value) in values {
            if let Some(refused) = self.world.refuse(*index, entity, value) {
                return Err(self.refused(refused));
            }
        }
        Ok(())
    }

    /// Changes a component, or a part of it: `patch(wolf, "Health.now", 3)`.
    ///
    /// The component is read, changed and inserted again, so that its rules and its change tick
    /// hold as for [`World::insert`](crate::World::insert). A field that serde skips gets its
    /// default.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::reflect::ReflectWorld;
    /// # use serde::{Deserialize, Serialize};
    /// # #[derive(Component, Serialize, Deserialize)] struct Health { now: u32, max: u32 }
    /// # world! { #[derive(Reflect)] struct Game { components { Health } } }
    /// let mut game = Game::new();
    /// let wolf = game.spawn(Health { now: 3, max: 7 });
    /// game.reflect_mut().patch(wolf, "Health.now", 5)?;
    /// assert_eq!(game.get::<Health>(wolf).map(|health| health.now), Some(5));
    /// let error = game.reflect_mut().patch(wolf, "Health.now", "five").unwrap_err();
    /// assert_eq!(error.to_string(), format!("`Health.now` of entity {wolf}: invalid type: string \"five\", expected u32"));
    /// # Ok::<(), ecs::reflect::ReflectError>(())
    /// ```
    ///
    /// # Errors
    /// If the entity is not alive or lacks the component, the path leads nowhere, the result is not
    /// of the component's type, or a rule refuses it.
    pub fn patch(
        &mut self,
        entity: Entity,
        path: &str,
        value: impl Into<DynamicValue>,
    ) -> Result<(), ReflectError> {
        self.writable()?;
        let (name, steps) = split(Some(entity), path)?;
        self.alive(entity)?;
        let index = self.number(NameKind::Components, name)?;
        let mut whole = self.value_of(entity, index)?;
        *get_mut(Some(entity), name, &steps, &mut whole)? = value.into();
        self.insert_all(entity, &[(name, whole)])
    }

    /// Removes a component from an entity. Returns whether the entity had it.
    ///
    /// # Errors
    /// If the entity is not alive, or the world has no component of this name.
    pub fn remove(&mut self, entity: Entity, component: &str) -> Result<bool, ReflectError> {
        self.remove_all(entity, &[component]).map(|count| count == 1)
    }

    /// Removes components from an entity. Returns how many of them the entity had.
    ///
    /// # Errors
    /// If the entity is not alive, or a name is unknown. Nothing is removed then.
    pub fn remove_all(&mut self, entity: Entity, components: &[&str]) -> Result<usize, ReflectError> {
        self.writable()?;
        self.alive(entity)?;
        let numbers = components.iter().map(|name| self.number(NameKind::Components, name));
        let numbers = numbers.collect::<Result<Vec<usize>, _>>()?;
        Ok(numbers.into_iter().filter(|&index| self.world.take(index, entity).is_some()).count())
    }

    /// Changes a resource, or a part of it: `patch_resource("Clock.step", 0.5)`.
    ///
    /// # Errors
    /// If the world has no resource of this name, the path leads nowhere, or the result is not of
    /// the resource's type.
    pub fn patch_resource(&mut self, path: &str, value: impl Into<DynamicValue>) -> Result<(), ReflectError> {
        self.writable()?;
        let (name, steps) = split(None, path)?;
        let index = self.number(NameKind::Resources, name)?;
        let whole = if steps.steps.is_empty() {
            value.into()
        } else {
            let mut whole = self.resource_value(index)?;
            *get_mut(None, name, &steps, &mut whole)? = value.into();
            whole
        };
        self.put_value(NameKind::Resources, index, name, &whole)
    }

    /// Sends an event, as [`World::send`](crate::World::send).
    ///
    /// # Errors
    /// If the world has no event of this name, or the value is not of the event's type.
    pub fn send(&mut self, event: &str, value: impl Into<DynamicValue>) -> Result<(), ReflectError> {
        self.writable()?;
        let index = self.number(NameKind::Events, event)?;
        self.put_value(NameKind::Events, index, event, &value.into())
    }

    /// Sets a resource, or sends an event, of which a tree is given.
    fn put_value(
        &mut self,
        kind: NameKind,
        index: usize,
        name: &str,
        tree: &DynamicValue,
    ) -> Result<(), ReflectError> {
        let Some((_, read)) = self.world.value_facts(kind, index) else { return Ok(()) };
        let value = read_named_tree(tree, &NO_NAMES, &mut |form| read(form));
        self.world.put_value(kind, index, value.map_err(|mistake| of_tree(None, name, mistake))?);
        Ok(())
    }
}

/// Despawns new entities if an error or a panic interrupts their insertions.
pub(super) struct UnfinishedEntities<'w> {
    pub(super) world: ReflectMut<'w>,
    pub(super) entities: Vec<Entity>,
}

impl Drop for UnfinishedEntities<'_> {
    fn drop(&mut self) {
        let mut rest = self.entities.drain(..).rev();
        discard::despite_panics(&mut || {
            rest.next().map(|entity| self.world.world.despawn_one(entity)).is_some()
        });
    }
}

/// Inserts values into a live entity, then the components that they require: a required component
/// is only added to an entity that lacks it.
pub(super) fn put_all(world: &mut (dyn ErasedWorld + '_), entity: Entity, values: Vec<(usize, ValueBox)>) {
    let numbers: Vec<usize> = values.iter().map(|(index, _)| *index).collect();
    for (index, value) in values {
        world.put(index, entity, value);
    }
    for index in numbers {
        if !world.required(index).is_empty() {
            world.fill(index, entity);
        }
    }
}

/// The error of a tree that is not one of a type, with the path of the mistake.
fn of_tree(entity: Option<Entity>, name: &str, (path, reason): (String, String)) -> ReflectError {
    ReflectError::Value { entity, path: format!("{name}{path}"), reason }
}

/// Splits a path into the name of a component or resource and the steps after it.
pub(super) fn split(entity: Option<Entity>, path: &str) -> Result<(&str, ValuePath), ReflectError> {
    ValuePath::split(path).map_err(|reason| ReflectError::Path { entity, path: path.into(), reason })
}

fn get<'v>(
    entity: Option<Entity>,
    name: &str,
    path: &ValuePath,
    value: &'v DynamicValue,
) -> Result<&'v DynamicValue, ReflectError> {
    path.get(value).map_err(|(at, reason)| ReflectError::Path { entity, path: path.text(name, at), reason })
}

pub(super) fn get_mut<'v>(
    entity: Option<Entity>,
    name: &str,
    path: &ValuePath,
    value: &'v mut DynamicValue,
) -> Result<&'v mut DynamicValue, ReflectError> {
    path.get_mut(value).map_err(|(at, reason)| ReflectError::Path {
        entity,
        path: path.text(name, at),
        reason,
    })
}

/// Makes sure that the text of a name is one that is shown.
pub(super) fn is_allowed(allowed: Option<&Vec<String>>, name: &str) -> bool {
    allowed.is_none_or(|allowed| allowed.iter().any(|known| known == name))
}

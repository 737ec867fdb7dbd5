//! [`PrefabLibrary`]: groups of entities with names, which are spawned by name.
//!
//! It is another type than [`Prefab`](crate::Prefab), since its values are trees: it does not
//! depend on the type of the world, can be a resource of the world that spawns it, and can itself
//! be read and changed by names.

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Deref;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::erased::ErasedWorld;
use super::error::{NameKind, ReflectError};
use super::world::{ReflectMut, Reflection, UnfinishedEntities, put_all, split};
use crate::base::nearest::nearest;
use crate::entity::Entity;
use crate::resource::{IsResource, Resource, Unshared};
use crate::value::tree::{DynamicValue, EntityNames};

/// Prefabs that are spawned by name, with changes: a resource for worlds with `#[derive(Reflect)]`.
///
/// In a file it is a map from the name of each prefab to its entities, which are a map from the
/// name of each entity to its components, as in the files of [`Prefab`](crate::Prefab). Where a
/// component contains an [`Entity`], the file has the name of an entity of the same prefab.
/// [`ReflectMut::spawn_prefab`] spawns one.
///
/// ```
/// use ecs::prelude::*;
/// use ecs::reflect::{PrefabLibrary, ReflectWorld};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Component, Serialize, Deserialize, PartialEq, Debug)]
/// struct Health { now: u32, max: u32 }
///
/// world! {
///     #[derive(Reflect)]
///     struct Game { components { Health, ChildOf } resources { PrefabLibrary } }
/// }
///
/// let library = serde_json::from_str(r#"{
///     "goblin": { "goblin": { "Health": { "now": 7, "max": 7 } }, "club": { "ChildOf": "goblin" } }
/// }"#)?;
/// let mut game = Game::new(library);
/// let mut world = game.reflect_mut();
/// assert_eq!(world.prefabs(), ["goblin"]);
/// let spawned = world.spawn_prefab("goblin", &[("goblin", "Health.now", 3.into())])?;
/// let [("goblin", goblin), ("club", club)] = [0, 1].map(|at| (&*spawned[at].0, spawned[at].1)) else { panic!() };
/// assert_eq!(game.get(goblin), Some(&Health { now: 3, max: 7 }));
/// assert_eq!(game.sources::<ChildOf>(goblin), [club]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PrefabLibrary {
    prefabs: BTreeMap<String, PrefabEntities>,
}

/// Things with names, in the order of a file.
type Named<T> = Vec<(String, T)>;

/// The entities of a prefab, each with its components.
type PrefabEntities = Named<Named<DynamicValue>>;

impl PrefabLibrary {
    /// A library without prefabs.
    #[must_use]
    pub const fn new() -> Self {
        Self { prefabs: BTreeMap::new() }
    }

    /// Adds the prefabs of another library. A prefab of the same name is replaced.
    pub fn extend(&mut self, other: Self) {
        self.prefabs.extend(other.prefabs);
    }

    /// The names of the prefabs, in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.prefabs.keys().map(String::as_str)
    }
}

impl Resource for PrefabLibrary {
    const RESOURCE_NAME: &'static str = "PrefabLibrary";
}

#[diagnostic::do_not_recommend]
impl IsResource for PrefabLibrary {}

impl Unshared for PrefabLibrary {}

/// A value in a format that does not describe itself.
#[derive(Serialize, Deserialize)]
enum TaggedValue {
    Unit,
    Bool(bool),
    Int(i128),
    Uint(u128),
    F32(f32),
    F64(f64),
    Char(char),
    Text(String),
    Bytes(Vec<u8>),
    EntityId(Entity),
    Optional(Option<Box<Self>>),
    List(Vec<Self>),
    Mapping(Vec<(Self, Self)>),
    Struct(Vec<(String, Self)>),
    Variant(String, Box<Self>),
}

macro_rules! converts {
    ($from:ident $to:ident) => {
        impl From<$from> for $to {
            fn from(value: $from) -> Self {
                match value {
                    $from::Unit => Self::Unit,
                    $from::Bool(value) => Self::Bool(value),
                    $from::Int(value) => Self::Int(value),
                    $from::Uint(value) => Self::Uint(value),
                    $from::F32(value) => Self::F32(value),
                    $from::F64(value) => Self::F64(value),
                    $from::Char(value) => Self::Char(value),
                    $from::Text(value) => Self::Text(value),
                    $from::Bytes(value) => Self::Bytes(value),
                    $from::EntityId(value) => Self::EntityId(value),
                    $from::Optional(value) => Self::Optional(value.map(|value| Box::new((*value).into()))),
                    $from::List(values) => Self::List(values.into_iter().map(Into::into).collect()),
                    $from::Mapping(entries) => {
                        let entries = entries.into_iter().map(|(key, value)| (key.into(), value.into()));
                        Self::Mapping(entries.collect())
                    }
                    $from::Struct(fields) => {
                        Self::Struct(fields.into_iter().map(|(name, value)| (name, value.into())).collect())
                    }
                    $from::Variant(name, content) => Self::Variant(name, Box::new((*content).into())),
                }
            }
        }
    };
}
converts!(DynamicValue TaggedValue);
converts!(TaggedValue DynamicValue);

impl Serialize for PrefabLibrary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let prefabs = self.prefabs.iter();
        if serializer.is_human_readable() {
            let entity = |(name, of): &(String, _)| (name.clone(), DynamicValue::Struct(Vec::clone(of)));
            let tree = |prefab: &PrefabEntities| DynamicValue::Struct(prefab.iter().map(entity).collect());
            return serializer.collect_map(prefabs.map(|(name, prefab)| (name, tree(prefab))));
        }
        let tagged = |(name, value): &(String, DynamicValue)| (name.clone(), value.clone().into());
        let entity = |(name, of): &(String, Named<DynamicValue>)| -> (String, Named<TaggedValue>) {
            (name.clone(), of.iter().map(tagged).collect())
        };
        let entities = |prefab: &PrefabEntities| -> Vec<_> { prefab.iter().map(entity).collect() };
        serializer.collect_map(prefabs.map(|(name, prefab)| (name, entities(prefab))))
    }
}

impl<'de> Deserialize<'de> for PrefabLibrary {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut prefabs = BTreeMap::new();
        if deserializer.is_human_readable() {
            for (name, prefab) in entries::<D::Error>(DynamicValue::deserialize(deserializer)?, "")? {
                let mut entities = Vec::new();
                for (entity, components) in entries::<D::Error>(prefab, &name)? {
                    let components = entries::<D::Error>(components, &format!("{name}.{entity}"))?;
                    entities.push((entity, components));
                }
                prefabs.insert(name, entities);
            }
        } else {
            let value = |(name, value): (String, TaggedValue)| (name, value.into());
            let entity =
                |(name, of): (String, Named<TaggedValue>)| (name, of.into_iter().map(value).collect());
            for (name, prefab) in BTreeMap::<String, Named<Named<TaggedValue>>>::deserialize(deserializer)? {
                prefabs.insert(name, prefab.into_iter().map(entity).collect());
            }
        }
        for (name, prefab) in &prefabs {
            let mut known = BTreeSet::new();
            if let Some((entity, _)) = prefab.iter().find(|(entity, _)| !known.insert(entity)) {
                return Err(D::Error::custom(format!("prefab `{name}` has two entities `{entity}`")));
            }
        }
        Ok(Self { prefabs })
    }
}

/// The entries of a map with text as keys.
fn entries<E: serde::de::Error>(value: DynamicValue, path: &str) -> Result<Vec<(String, DynamicValue)>, E> {
    match value {
        DynamicValue::Struct(fields) => Ok(fields),
        DynamicValue::Mapping(entries) => {
            let named = entries.into_iter().map(|(key, value)| match key {
                DynamicValue::Text(key) => Ok((key, value)),
                key => Err(E::custom(format!("a name is text, and not {}", key.noun()))),
            });
            named.collect()
        }
        other => Err(E::custom(format!("`{path}` is a map from names, and not {}", other.noun()))),
    }
}

impl<'w, A: Deref<Target = dyn ErasedWorld + 'w>> Reflection<A> {
    /// Calls `read` with the [`PrefabLibrary`] of the world, if a resource that is shown is one.
    fn with_library<R>(&self, read: impl FnOnce(&PrefabLibrary) -> R) -> Option<R> {
        for index in self.shows.resources.indices() {
            if let Some(library) = self.world.resource(index).and_then(|(_, any)| any.downcast_ref()) {
                return Some(read(library));
            }
        }
        None
    }

    /// The names of the prefabs of the world's [`PrefabLibrary`], in alphabetical order; empty if
    /// the world has no such resource.
    pub fn prefabs(&self) -> Vec<String> {
        self.with_library(|library| library.names().map(Into::into).collect()).unwrap_or_default()
    }
}

impl ReflectMut<'_> {
    /// Spawns the entities of a prefab of the world's [`PrefabLibrary`], and returns them with
    /// their names, in the order of the file.
    ///
    /// Each change names an entity of the prefab, and a component or a part of one:
    /// `("goblin", "Health.now", 3.into())`. It may add a component.
    ///
    /// # Errors
    /// If the world has no library or no prefab of this name, a name is unknown, a value is not of
    /// its type, or a rule refuses a value. No entity is spawned then.
    ///
    /// # Panics
    /// If the `Default` of a required component panics. The new entities are despawned then.
    pub fn spawn_prefab(
        &mut self,
        name: &str,
        changes: &[(&str, &str, DynamicValue)],
    ) -> Result<Vec<(String, Entity)>, ReflectError> {
        self.writable()?;
        let found = self.with_library(|library| library.prefabs.get(name).cloned()).flatten();
        let Some(mut entities) = found else {
            let known = self.prefabs();
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            return Err(unknown(name, "the world has no such prefab", name, &known));
        };
        let numbers: BTreeMap<String, usize> =
            entities.iter().zip(0..).map(|((name, _), number)| (name.clone(), number)).collect();
        let mut patches = Vec::new();
        for (entity, path, value) in changes {
            let Some(&at) = numbers.get(*entity) else {
                let known: Vec<&str> = entities.iter().map(|(known, _)| &**known).collect();
                return Err(unknown(name, &format!("it has no entity `{entity}`"), entity, &known));
            };
            let (component, steps) = split(None, path)?;
            self.number(NameKind::Components, component)?;
            if !steps.steps.is_empty() {
                patches.push((at, *path, value));
                continue;
            }
            let components = &mut entities[at].1;
            match components.iter_mut().find(|(known, _)| known == component) {
                Some((_, old)) => *old = value.clone(),
                None => components.push((component.into(), value.clone())),
            }
        }
        self.spawn_entities(&entities, &patches)
    }

    fn spawn_entities(
        &mut self,
        entities: &PrefabEntities,
        patches: &[(usize, &str, &DynamicValue)],
    ) -> Result<Vec<(String, Entity)>, ReflectError> {
        let components: Vec<Vec<(&str, DynamicValue)>> = entities
            .iter()
            .map(|(_, of)| of.iter().map(|(name, value)| (&**name, value.clone())).collect())
            .collect();
        // a first reading finds the mistakes before any entity is spawned; the ids are not known
        // yet
        let unborn = Entity::from_bits(1 << 32);
        let mut names: EntityNames =
            entities.iter().filter_map(|(name, _)| Some((name.clone(), unborn?))).collect();
        let mut sets = Vec::new();
        for values in &components {
            sets.push(self.typed_components(None, values, &names)?.1);
        }
        let mut new = UnfinishedEntities { world: self.reborrow(), entities: Vec::new() };
        for ((name, _), set) in entities.iter().zip(sets) {
            let closure = set.indices().fold(set, |all, index| all.or(new.world.world.closure(index)));
            let spawned = new.world.world.spawn_with(closure);
            new.entities.push(spawned);
            names.insert(name.clone(), spawned);
        }
        for (at, values) in components.iter().enumerate() {
            let entity = new.entities[at];
            let (values, _) = new.world.typed_components(None, values, &names)?;
            new.world.accepted(Some(entity), &values)?;
            put_all(new.world.world, entity, values);
        }
        for (at, path, value) in patches {
            let entity = new.entities[*at];
            new.world.patch(entity, path, (*value).clone())?;
        }
        let spawned = core::mem::take(&mut new.entities);
        Ok(entities.iter().map(|(name, _)| name.clone()).zip(spawned).collect())
    }
}

fn unknown(prefab: &str, mistake: &str, name: &str, known: &[&str]) -> ReflectError {
    let hint = nearest(name, known).map_or_else(String::new, |near| format!(": did you mean `{near}`?"));
    ReflectError::InvalidPrefab { prefab: prefab.into(), reason: format!("{mistake}{hint}") }
}

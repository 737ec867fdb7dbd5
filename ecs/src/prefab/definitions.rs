//! Definitions: default values of components, read from files at run time.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use super::spawn::Unfinished;
use super::{PrefabError, Prefabs};
use crate::base::component_set::ComponentSet;
use crate::base::nearest::meant;
use crate::component::Has;
use crate::entity::Entity;
use crate::persist::erased::FormError;
use crate::raw_world::{WorldFields, journal};
use crate::save::Saved;
use crate::save::column::ValueChunks;
use crate::storage::detached_columns::DetachedColumns;
use crate::world::World;

/// Default values of components, read from JSON files at run time: the files from which
/// [`components_from!`](crate::components_from) made the types, or later versions of them.
///
/// `Default` of the types still returns the values that were compiled in; the methods of
/// `Definitions` use the values of the files.
///
/// ```
/// use ecs::prelude::*;
/// use ecs::prefab::Definitions;
/// use serde::{Deserialize, Serialize};
///
/// // as `components_from! { #[derive(Serialize, Deserialize)] "data/meta.json" }` declares it
/// #[derive(Component, Serialize, Deserialize, PartialEq, Debug)]
/// struct Meta { name: String }
/// impl Default for Meta {
///     fn default() -> Self {
///         Self { name: "".into() }
///     }
/// }
///
/// world! {
///     #[derive(Serialize, Deserialize)]
///     struct Game { components { Meta } }
/// }
///
/// let mut definitions = Definitions::<Game>::new();
/// definitions.read_json("meta.json", r#"{ "type": "meta", "schema": { "name": "nobody" } }"#)?;
///
/// let mut game = Game::new();
/// let player = game.spawn(());
/// definitions.attach(&mut game, player, "meta")?;
/// assert_eq!(game.get(player), Some(&Meta { name: "nobody".into() }));
/// assert_eq!(definitions.make::<Meta>(), Some(Meta { name: "nobody".into() }));
/// # Ok::<(), ecs::prefab::PrefabError>(())
/// ```
///
/// A definition has exactly the fields of its component: a field that is missing, unknown or of
/// another type is an error that gives its position. Type names are converted to camel case, as by
/// `components_from!`: `hit_points` is the component `HitPoints`.
pub struct Definitions<W: World> {
    pub(super) prefabs: Prefabs<W>,
    /// The definitions, in the order in which they were first read.
    read: Vec<Definition>,
}

/// The definition of one component.
#[derive(Clone)]
pub(super) struct Definition {
    /// The name of the component in the file.
    pub(super) name: String,
    /// The position of the component in `sections.components`.
    pub(super) at: usize,
    /// The value in the compact form, as a column with a value in slot 0 only.
    pub(super) bytes: Vec<u8>,
    /// The name of the file that it was read from.
    pub(super) file: Box<str>,
}

impl<W: World> Definitions<W> {
    /// Makes an empty set of definitions.
    #[must_use]
    pub fn new() -> Self
    where
        W: Saved,
    {
        Self { prefabs: Prefabs::new(), read: Vec::new() }
    }

    /// Limits the memory that the values of one file may take while it is read, in bytes, as
    /// [`Prefabs::memory`] does. The default limit is 64 MiB, and 64 bytes more for each byte of
    /// the file.
    #[must_use]
    pub fn memory(self, bytes: u64) -> Self {
        Self { prefabs: self.prefabs.memory(bytes), ..self }
    }

    /// Adds a definition in place of an older one of the same component.
    pub(super) fn put(&mut self, definition: Definition) {
        match self.read.iter_mut().find(|one| one.at == definition.at) {
            Some(older) => *older = definition,
            None => self.read.push(definition),
        }
    }

    /// Iterates over the names of the defined components as they are in the files, in the order in
    /// which they were first read.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.read.iter().map(|definition| definition.name.as_str())
    }

    /// Makes a `T` with the value of its definition; `None` if no file has defined `T`.
    pub fn make<T: 'static>(&self) -> Option<T>
    where
        W: Has<T>,
    {
        let entries = &self.prefabs.sections.components;
        let definition = self.read.iter().find(|one| entries[one.at].index == W::INDEX)?;
        let mut values = DetachedColumns::default();
        self.value(definition, &mut values).ok()?;
        values.of::<T>(W::INDEX).remove(0)
    }

    /// Inserts a component into an entity, with the value of its definition. `name` is the
    /// component's name in the file. An existing value is replaced.
    ///
    /// # Errors
    /// If no file has defined the component, if the entity no longer exists, or if a rule of the
    /// component refuses the value. Then nothing changes.
    pub fn attach(&self, world: &mut W, entity: Entity, name: &str) -> Result<(), PrefabError> {
        let definition = self.find(name)?;
        if !world.contains(entity) {
            return Err(self.fail(definition, format!("entity {entity} does not exist in the world")));
        }
        self.give(world, entity, &[definition])
    }

    /// Spawns an entity with the components that `names` lists, by their names in the files, with
    /// the values of their definitions.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::prefab::Definitions;
    /// # use serde::{Deserialize, Serialize};
    /// # #[derive(Component, Serialize, Deserialize)] struct Health { now: i64 }
    /// # #[derive(Component, Serialize, Deserialize)] struct Frozen;
    /// # world! { #[derive(Serialize, Deserialize)] struct Game { components { Health, Frozen } } }
    /// # let mut game = Game::new();
    /// let mut definitions = Definitions::<Game>::new();
    /// definitions.read_json("all.json", r#"[
    ///     { "type": "health", "schema": { "now": 7 } },
    ///     { "type": "frozen", "schema": {} }
    /// ]"#)?;
    /// let statue = definitions.spawn(&mut game, &["health", "frozen"])?;
    /// assert!(game.has::<Frozen>(statue) && game.get::<Health>(statue).unwrap().now == 7);
    /// # Ok::<(), ecs::prefab::PrefabError>(())
    /// ```
    ///
    /// # Errors
    /// If no file has defined one of the components, if a component is named twice, or if a rule of
    /// a component refuses its value. Then no entity is spawned.
    pub fn spawn(&self, world: &mut W, names: &[&str]) -> Result<Entity, PrefabError> {
        let entries = &self.prefabs.sections.components;
        let (mut all, mut set) = (Vec::new(), ComponentSet::EMPTY);
        for (number, name) in names.iter().enumerate() {
            let definition = self.find(name)?;
            if names[..number].contains(name) {
                return Err(self.fail(definition, "it is named twice".into()));
            }
            set = set.or(W::CLOSURES[entries[definition.at].index]);
            all.push(definition);
        }
        all.sort_unstable_by_key(|definition| entries[definition.at].index);
        let entity = world.entities_mut().spawn(&set.spawn_set(W::COMPONENTS.len()));
        journal::record_spawned(world, core::iter::once(entity.slot()));
        let new = [entity];
        let unfinished = Unfinished { world, new: &new };
        self.give(unfinished.world, entity, &all)?;
        core::mem::forget(unfinished);
        Ok(entity)
    }

    /// Inserts components into a live entity. After an error, the components before the refused one
    /// may have been inserted.
    fn give(&self, world: &mut W, entity: Entity, all: &[&Definition]) -> Result<(), PrefabError> {
        let mut values = DetachedColumns::default();
        for definition in all {
            self.value(definition, &mut values).map_err(|reason| self.fail(definition, reason))?;
        }
        let to = |number: u32| (number == 0).then(|| entity.slot());
        for check_only in [true, false] {
            for definition in all {
                let entry = &self.prefabs.sections.components[definition.at];
                let column = values.any(entry.index, || entry.column());
                entry.move_values(world, column, &to, check_only).map_err(|(_, refused)| PrefabError {
                    refused: Some(Box::new(refused)),
                    ..self.fail(definition, refused.to_string())
                })?;
            }
        }
        for definition in all {
            self.prefabs.sections.components[definition.at].fill(world, entity.slot(), ComponentSet::EMPTY);
        }
        Ok(())
    }

    /// Makes the value of a definition, in slot 0 of the component's column.
    fn value(&self, definition: &Definition, values: &mut DetachedColumns) -> Result<(), String> {
        let entry = &self.prefabs.sections.components[definition.at];
        let column = values.any(entry.index, || entry.column());
        let no_ids = |_| {
            Err(FormError::text(
                "it contains the id of an entity, but a default value cannot refer to entities",
            ))
        };
        let read = entry.read(None, column, &[1], &mut ValueChunks::new(&definition.bytes), Some(&no_ids));
        read.map_err(|(_, fault)| fault.to_string())
    }

    fn find(&self, name: &str) -> Result<&Definition, PrefabError> {
        self.read.iter().find(|one| one.name == name).ok_or_else(|| {
            let names: Vec<&str> = self.names().collect();
            let reason = format!("no file has defined `{name}`{}", meant(name, &names));
            PrefabError { file: "definitions".into(), ..PrefabError::new::<W>(reason) }
        })
    }

    fn fail(&self, definition: &Definition, reason: String) -> PrefabError {
        let component = self.prefabs.sections.components[definition.at].name;
        let file = definition.file.clone();
        PrefabError { file, component: Some(component.into()), ..PrefabError::new::<W>(reason) }
    }
}

impl<W: Saved> Default for Definitions<W> {
    fn default() -> Self {
        Self::new()
    }
}

impl<W: World> Clone for Definitions<W> {
    fn clone(&self) -> Self {
        Self { prefabs: self.prefabs.clone(), read: self.read.clone() }
    }
}

impl<W: World> fmt::Debug for Definitions<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.names().collect();
        f.debug_struct("Definitions").field("world", &W::NAME).field("names", &names).finish_non_exhaustive()
    }
}

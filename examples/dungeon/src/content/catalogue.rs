//! Everything that can be placed on a level, by the name of its kind.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ecs::prefab::PrefabInstance;
use ecs::prelude::*;
use ecs::{Has, Prefab, Prefabs};

use super::source::Source;
use crate::component::Position;
use crate::error::Error;
use crate::point::Point;
use crate::world::Dungeon;

/// The kinds of entities in the content. The catalogue is not saved: a loaded game reads the
/// content again.
#[derive(Resource, Default, Clone)]
#[resource(skip, hidden)]
pub struct Catalogue(BTreeMap<String, Template>);

/// One kind of entity. A clone is cheap.
#[derive(Clone)]
pub struct Template {
    /// The name of the kind, which is the name of its file.
    pub kind: String,
    /// The file of the kind.
    pub file: PathBuf,
    /// The entity and its possessions.
    prefab: Prefab<Dungeon>,
}

impl Template {
    /// Spawns an entity of this kind with its possessions.
    ///
    /// # Errors
    /// The world refuses it, for example a relation to itself.
    pub fn place(&self, world: &mut Dungeon, at: Point) -> Result<PrefabInstance, Error> {
        let placed = self.prefab.spawn(world)?;
        world
            .insert(placed[&self.kind], Position(at))
            .map_err(|error| Error::file(&self.file, error.to_string()))?;
        Ok(placed)
    }

    /// Like [`place`](Self::place), in a system. The entity is spawned when the stage ends.
    pub fn spawn(&self, commands: &mut Commands<'_, Dungeon>, at: Point) {
        let placed = commands.spawn_prefab(&self.prefab);
        commands.insert(placed[&self.kind], Position(at));
    }

    /// Whether an entity of this kind has the component `T`.
    pub fn has<T: 'static>(&self) -> bool
    where
        Dungeon: Has<T>,
    {
        self.prefab.has::<T>(&self.kind)
    }
}

impl Catalogue {
    /// Adds the kind in `source`.
    ///
    /// # Errors
    /// Another kind has the name, or the file has an unknown name or a value of the wrong type.
    pub fn add(&mut self, source: &Source, reader: &Prefabs<Dungeon>) -> Result<(), Error> {
        let file = source.file().to_owned();
        let kind = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let prefab = reader.from_json(&file.display().to_string(), source.text())?;
        if !prefab.names().any(|name| name == kind) {
            return Err(Error::file(
                &file,
                format!("one of the entities in this file must be called `{kind}`"),
            ));
        }
        if let Some(other) = self.0.get(&kind) {
            let folder = other.file.parent().and_then(Path::file_name).unwrap_or_default();
            let reason = format!("there is a `{kind}` in the folder `{}` already", folder.display());
            return Err(Error::file(&file, reason));
        }
        self.0.insert(kind.clone(), Template { kind, file, prefab });
        Ok(())
    }

    /// The kind called `name`.
    pub fn get(&self, name: &str) -> Option<&Template> {
        self.0.get(name)
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

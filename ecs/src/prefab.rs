//! Prefabs: entities as data, to be spawned as often as one likes. With the feature `serde`.
//!
//! A prefab is a map from names to entities, and an entity a map from the names of components to their values, in JSON or
//! any other format of serde that people read. Where a component holds an [`Entity`], the file says the name of one of its
//! own entities.
//!
//! ```
//! use ecs::prelude::*;
//! use ecs::Prefab;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Component, Serialize, Deserialize)]
//! struct Health { now: u32, max: u32 }
//! #[derive(Component, Serialize, Deserialize)]
//! struct Owner(Entity);
//!
//! world! {
//!     #[derive(Serialize, Deserialize)]
//!     struct Game { components { Health, Owner } }
//! }
//!
//! let goblin: Prefab<Game> = serde_json::from_str(r#"{
//!     "goblin": { "Health": { "now": 7, "max": 7 } },
//!     "club":   { "Owner": "goblin" }
//! }"#)?;
//!
//! let mut game = Game::new();
//! let first = goblin.spawn(&mut game)?;
//! let second = goblin.spawn(&mut game)?;
//! assert_eq!(game.get::<Owner>(first["club"]).map(|owner| owner.0), Some(first["goblin"]));
//! assert_ne!(first["goblin"], second["goblin"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Components that a component requires join it, as they do where entities are spawned. A file is read once, and what is
//! wrong with it is said then: a component that the world does not have, a field that a component does not have, a value of
//! another type, a name that nobody has. [`Prefab::from_json`] says in which line.

mod read;
mod strict;

use alloc::boxed::Box;
use alloc::collections::BTreeMap;

use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::Any;
use core::fmt;
use core::ops::Index;

use crate::component::ComponentSet;
use crate::component::set::Words;
use crate::entity::Entity;
use crate::save::Saved;
use crate::save::column::Chunks;
use crate::save::compact::Fault;
use crate::save::draft::{Sections, entities_of};
use crate::storage::mask::Bits;

/// Entities as data, for worlds of type `W`: see the [module](crate::prefab).
pub struct Prefab<W: Saved> {
    /// By number: an entity of the file is a slot of its own.
    names: Vec<String>,
    /// What each has.
    sets: Vec<Words>,
    parts: Vec<Part>,
    /// What the world says of its components; clones share it.
    sections: Arc<Sections<W>>,
}

/// A component: who has it, and the values in the compact form, with numbers of entities for ids.
#[derive(Clone, Debug)]
struct Part {
    /// Its place among the world's entries.
    at: usize,
    words: Vec<u64>,
    bytes: Vec<u8>,
}

/// The entities that were spawned of a prefab, by their names in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placed(BTreeMap<String, Entity>);

impl Placed {
    /// The entity of a name.
    pub fn get(&self, name: &str) -> Option<Entity> {
        self.0.get(name).copied()
    }

    /// All of them, by the alphabet of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Entity)> {
        self.0.iter().map(|(name, entity)| (name.as_str(), *entity))
    }
}

/// # Panics
/// If the prefab has no entity of this name.
impl Index<&str> for Placed {
    type Output = Entity;
    fn index(&self, name: &str) -> &Entity {
        self.0.get(name).unwrap_or_else(|| panic!("the prefab has no entity `{name}`"))
    }
}

/// Something is wrong with a prefab, or a world refuses what is in it. Nothing was made of it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PrefabError {
    /// The file, as it was called; empty if it was not read as one.
    pub file: Box<str>,
    /// Where in it, from 1 on; 0 if that is not known.
    pub line: usize,
    /// The same.
    pub column: usize,
    /// The name of the entity, if it is about one.
    pub entity: Option<Box<str>>,
    /// The component, if it is about one.
    pub component: Option<Box<str>>,
    /// The world.
    pub world: &'static str,
    /// What is wrong.
    pub reason: Box<str>,
}

impl fmt::Display for PrefabError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, entity, component, world, reason } = self;
        match (file.is_empty(), *line) {
            (true, _) => write!(f, "prefab of world `{world}`")?,
            (false, 0) => write!(f, "{file}")?,
            (false, _) => write!(f, "{file}:{line}:{column}")?,
        }
        if let Some(entity) = entity {
            write!(f, ": entity `{entity}`")?;
        }
        if let Some(component) = component {
            write!(f, ": component `{component}`")?;
        }
        write!(f, ": {reason}")
    }
}

impl core::error::Error for PrefabError {}

impl<W: Saved> Prefab<W> {
    /// The names of its entities, in the order in which the file speaks of them.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// Makes its entities.
    ///
    /// # Errors
    /// If a rule of a component refuses its value: nobody is there who was not there before.
    pub fn spawn(&self, world: &mut W) -> Result<Placed, PrefabError> {
        let count = ComponentSet::words_for(W::COMPONENTS.len());
        let new: Vec<Entity> =
            self.sets.iter().map(|set| entities_of(world).spawn_set(*set, count)).collect();
        match self.give(world, &new) {
            Ok(()) => Ok(Placed(self.names.iter().cloned().zip(new).collect())),
            Err(error) => {
                for entity in new {
                    let _ = world.despawn(entity);
                }
                Err(error)
            }
        }
    }

    /// Gives entities their components.
    fn give(&self, world: &mut W, new: &[Entity]) -> Result<(), PrefabError> {
        let map = |number: Entity| {
            let entity = new.get(number.slot() as usize).copied();
            entity.ok_or_else(|| Fault::text("it holds the id of nobody in the prefab"))
        };
        let to = |number: u32| new.get(number as usize).map(|entity| entity.slot());
        for part in &self.parts {
            let entry = &self.sections.components[part.at];
            let component = self.sections.component_names[entry.index()];
            let fail = |number: Option<u32>, reason: String| PrefabError {
                entity: number
                    .and_then(|number| self.names.get(number as usize))
                    .map(|name| name.as_str().into()),
                component: Some(component.into()),
                ..PrefabError::new::<W>(reason)
            };
            let mut column: Box<dyn Any> = entry.column();
            let mut chunks = Chunks::new(&part.bytes);
            let read = entry.read(None, &mut *column, &part.words, &mut chunks, Some(&map));
            read.map_err(|(number, fault)| fail(Some(number), fault.to_string()))?;
            entry.merge(world, column, &to, &Vec::new()).map_err(|reason| fail(None, reason))?;
        }
        // once all is there: what is required joins only those who lack it
        for part in &self.parts {
            let entry = &self.sections.components[part.at];
            for (word, &bits) in part.words.iter().enumerate() {
                Bits(bits)
                    .filter_map(|bit| to((word * 64 + bit) as u32))
                    .for_each(|slot| entry.fill(world, slot));
            }
        }
        Ok(())
    }
}

impl PrefabError {
    fn new<W: Saved>(reason: String) -> Self {
        let (file, reason) = (Box::default(), reason.into_boxed_str());
        Self { file, line: 0, column: 0, entity: None, component: None, world: W::NAME, reason }
    }
}

impl<W: Saved> Clone for Prefab<W> {
    fn clone(&self) -> Self {
        let Self { names, sets, parts, sections } = self;
        Self {
            names: names.clone(),
            sets: sets.clone(),
            parts: parts.clone(),
            sections: Arc::clone(sections),
        }
    }
}

impl<W: Saved> fmt::Debug for Prefab<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prefab").field("world", &W::NAME).field("names", &self.names).finish_non_exhaustive()
    }
}

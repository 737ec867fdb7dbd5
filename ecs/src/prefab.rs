//! Prefabs: groups of entities that are read from files and can be spawned any number of times.
//! Requires the feature `serde`.
//!
//! A prefab is a map from entity names to entities, and each entity is a map from component names
//! to values, in JSON or any other human-readable serde format. Where a component contains an
//! [`Entity`](crate::Entity), the file has the name of an entity of the same prefab.
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
//! Required components are added, as they are by `spawn`. Mistakes in a file are reported when it
//! is read, not when it is spawned: a component that the world does not have, a field that a
//! component does not have, a value of the wrong type, the name of an entity that the prefab does
//! not have. Errors of `Prefab::from_json` give the line and the column.
//!
//! [`Prefabs`] also reads files that name aspects and override values of their components. Entities
//! that refer to one another must be in one file. To read a folder, call one `Prefabs` for each
//! file.
//!
//! With the feature `json`, `Definitions` reads default values of components at run time, from the
//! files from which [`components_from!`](crate::components_from) made the components.
//!
//! A system spawns a prefab with [`Commands::spawn_prefab`](crate::Commands::spawn_prefab), for
//! instance a prefab in a resource that is marked `#[resource(skip)]`.
// Reading begins in `read`. The overrides of an aspect are applied by an `overlay` and stored as a
// `patch`. `spawn` makes entities from the stored values; `splice` applies most overrides there.

mod aspects;
#[cfg(feature = "serde")]
pub(crate) mod commands;
#[cfg(feature = "json")]
mod definitions;
mod error;
mod instance;
mod overlay;
mod patch;
mod read;
mod spawn;
mod strict;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use aspects::KnownAspect;
pub use aspects::Prefabs;
#[cfg(feature = "json")]
pub use definitions::Definitions;
pub use error::PrefabError;
pub use instance::PrefabInstance;
use instance::Roster;
use patch::Patch;

use crate::base::component_set::{SpawnSet, Words};
use crate::base::lock::Lock;
use crate::base::mask::Bits;
use crate::component::Has;
use crate::save::sections::Sections;
use crate::storage::detached_columns::SentColumns;
use crate::world::World;

/// A group of entities that can be spawned in worlds of type `W`: see the [module](crate::prefab).
/// Clones share the content.
pub struct Prefab<W: World>(Arc<Content<W>>);

/// The content of a prefab. Its entities are numbered in the order of the file.
struct Content<W: World> {
    /// The name of the file in errors; empty if the prefab was not read by `from_json`.
    file: Box<str>,
    roster: Arc<Roster>,
    /// The components of each entity, required components included, by the entity's number.
    kinds: Vec<SpawnSet>,
    parts: Vec<PrefabColumn>,
    /// The aspects that entities name, in the order of the file.
    aspects: Vec<NamedAspect<W>>,
    /// The components that occur, by position in `sections.components`.
    used: Vec<usize>,
    /// Pairs of an entity's number and the position of a component of the entity that requires
    /// others.
    requiring: Vec<(u32, usize)>,
    /// Whether no component that occurs has a rule: then values are inserted as they are made,
    /// because no rule can refuse them. If not, a spawn makes them in detached columns.
    direct: bool,
    /// The component types of the world.
    sections: Arc<Sections>,
    /// The columns in which a spawn makes its values, without values, for the next spawn.
    scratch: Lock<SentColumns>,
}

/// The values of one component in the compact form. Ids in the values are numbers of entities of
/// the prefab.
#[derive(Debug)]
struct PrefabColumn {
    /// The position of the component in `sections.components`.
    at: usize,
    /// The numbers of the entities that have the component, as one bit per number.
    words: Vec<u64>,
    bytes: Vec<u8>,
}

/// An aspect that an entity names.
struct NamedAspect<W: World> {
    number: u32,
    known: Arc<KnownAspect<W>>,
    overrides: Vec<Override>,
}

/// The override of one component of an aspect.
struct Override {
    /// The position of the component in `sections.components`.
    at: usize,
    /// The path of the component in the aspect, for instance `Monster.body.health`.
    path: Box<str>,
    patch: Patch,
}

impl<W: World> Prefab<W> {
    /// Iterates over the names of the prefab's entities, in the order in which they first occur in
    /// the file.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.roster.names.iter().map(String::as_str)
    }

    /// Iterates over the names of the components with which the entity of this name is spawned,
    /// required components included, in the order of the world's declaration. Empty if the prefab
    /// has no entity of this name.
    pub fn components(&self, entity: &str) -> impl Iterator<Item = &'static str> {
        let set = self.kind(entity).map_or(Words::EMPTY, |kind| kind.components);
        let indices =
            set.0.into_iter().enumerate().flat_map(|(word, bits)| Bits(bits).map(move |bit| word * 64 + bit));
        indices.filter_map(|index| self.0.sections.component_names.get(index).copied())
    }

    /// Returns `true` if the entity of this name is spawned with a `T`; `false` if the prefab has
    /// no entity of this name.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::Prefab;
    /// # use serde::{Deserialize, Serialize};
    /// # #[derive(Component, Serialize, Deserialize)] struct Health(u32);
    /// # #[derive(Component, Serialize, Deserialize)] struct Frozen;
    /// # world! { #[derive(Serialize, Deserialize)] struct Game { components { Health, Frozen } } }
    /// let goblin: Prefab<Game> = serde_json::from_str(r#"{ "goblin": { "Health": 7 } }"#)?;
    /// assert!(goblin.has::<Health>("goblin") && !goblin.has::<Frozen>("goblin"));
    /// assert_eq!(goblin.components("goblin").collect::<Vec<_>>(), ["Health"]);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn has<T: 'static>(&self, entity: &str) -> bool
    where
        W: Has<T>,
    {
        self.kind(entity).is_some_and(|kind| kind.components.0[W::INDEX / 64] >> (W::INDEX % 64) & 1 == 1)
    }

    /// The components of each entity, by number.
    pub(crate) fn kinds(&self) -> &[SpawnSet] {
        &self.0.kinds
    }

    /// The components of the entity of this name.
    fn kind(&self, entity: &str) -> Option<&SpawnSet> {
        self.0.kinds.get(self.0.roster.find(entity)?)
    }
}

impl<W: World> Clone for Prefab<W> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<W: World> fmt::Debug for Prefab<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = &self.0.roster.names;
        f.debug_struct("Prefab").field("world", &W::NAME).field("names", names).finish_non_exhaustive()
    }
}

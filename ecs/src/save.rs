//! Saving, loading, merging, hashing and comparing worlds. Requires the feature `serde`.
//!
//! A world that derives `Serialize` and `Deserialize` is saved as a whole: entities with their
//! generations, components, resources, unread events, and the state of systems (`Local`s, change
//! ticks, reader positions). A loaded world continues exactly where the saved world stopped: it has
//! the same ids, the same events and, bit for bit, the same values.
//!
//! ```
//! use ecs::prelude::*;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Component, Serialize, Deserialize, PartialEq, Debug)]
//! struct Position(f32, f32);
//! #[derive(Component, Serialize, Deserialize)]
//! struct Target(Entity);
//! #[derive(Resource, Serialize, Deserialize, Default)]
//! struct Clock { seconds: f32 }
//!
//! world! {
//!     #[derive(Serialize, Deserialize)]
//!     struct Game {
//!         components { Position, Target }
//!         resources { clock: Clock = Clock::default() }
//!     }
//!     schedule tick { pass }
//! }
//!
//! #[system(Game)]
//! fn pass(mut clock: ResMut<Clock>, mut runs: Local<u32>) {
//!     clock.seconds += 0.125;
//!     *runs += 1;
//! }
//!
//! let mut game = Game::new();
//! let ball = game.spawn(Position(1.0, 2.0));
//! game.spawn(Target(ball));
//! game.tick();
//!
//! let bytes = game.to_bytes()?;                                // compact: `game.save(file)` writes them anywhere
//! let mut loaded = Game::load(&bytes)?;
//! assert_eq!(loaded.get(ball), Some(&Position(1.0, 2.0)));
//! assert_eq!(loaded.hash(), game.hash());
//!
//! let text = serde_json::to_string_pretty(&game)?;             // by names: for people, in JSON, RON and the like
//! let loaded: Game = serde_json::from_str(&text)?;             // with the feature `json`: `Game::from_json(&text)`
//! assert!(ecs::save::diff(&game, &loaded).is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Two forms
//! The *human-readable* form lists entity by entity, with the names of components and fields. A
//! world's `Serialize` writes it to every format whose serializer is human-readable
//! (`Serializer::is_human_readable`). Its sections are in alphabetical order. A file that was
//! written by hand may omit all sections but `entities`: resources then have the values of a new
//! world, and a resource without a first value is an error.
//!
//! Floating point numbers are restored bit for bit. Numbers that JSON lacks are written as text:
//! `"$NaN"`, `"$inf"`, `"$-inf"`, and `"$NaN(ffc00000)"` for a NaN with other bits. So is a `Some`
//! of nothing, which JSON writes as `None`: `"$Some"` for `Some(())` and `Some(None)`. A text value
//! that looks like one of these gets one more `$` in the file. `serde_json` reads an `f64` of many
//! digits exactly only with its feature `float_roundtrip`, which the feature `json` of this crate
//! turns on. An `f32` in a type whose `Deserialize` calls `deserialize_any` (`#[serde(flatten)]`,
//! `untagged`) is read as an `f64` first, and may be restored as an adjacent `f32`.
//!
//! The *compact* form is written by [`save`](Saved::save): columns of plain numbers, little-endian,
//! with a version, a fingerprint of the schema and a checksum. A format that is not human-readable
//! contains the compact form as one byte string. Saving costs about as much as copying the values:
//! the bytes of a component are copied if all its fields are numbers, `bool`s or arrays of them,
//! without padding between them and without attributes of serde, and other values are serialized. A
//! type whose `Deserialize` calls `deserialize_any` (`#[serde(flatten)]`, `untagged`) or that omits
//! fields (`skip_serializing_if`) has no compact form: saving it returns an error. So does a value
//! that its own `Deserialize` refuses. Types of derives are known to read what they write; each
//! value of another type is read back when it is saved (`try_from`, `with`, adjacent tags, a
//! `Deserialize` that is written by hand).
//!
//! # Saved and skipped state
//! The file contains all state on which later runs of the world depend, except types that are
//! marked `#[component(skip)]`, `#[resource(skip)]` or `#[event(skip)]`:
//! - No entity of a loaded world has a skipped component, unless another component of the entity
//!   requires it: then it has its default value. The same holds for a required component that an
//!   older file lacks.
//! - The queue of a skipped event is empty.
//! - A skipped resource has the value from [`LoadOptions::resource`], or the value in the
//!   declaration of the world, or its `Default`, in this order.
//! - The value of a `Local<T>` is saved, so `T` needs `Serialize` and `Deserialize`. A
//!   `Local<Skip<T>>` is not saved, see [`Skip`]. A file identifies the state of a system by
//!   schedule, system and occurrence.
//!
//! Schedules that are built at run time, the measured times of systems, and the failed commands
//! that were reported to `on_failed_command` are not saved. If a system that takes the whole world
//! saves that world, the file lacks the state of that system.
//!
//! # When types change
//! - A component, resource or event that the file lacks is as in a new world: no entity has the
//!   component, the queue is empty, and the resource has its value in the declaration or its
//!   `Default`.
//! - A component, resource or event that the world lacks is an error that gives its name and the
//!   most similar name in the world; [`LoadOptions::drop_unknown`] ignores it instead.
//!   `#[component(alias = "OldName")]` (or `resource`, `event`) gives a type's former name.
//! - The file contains the *layout* of each type: its fields and their types. It comes from the
//!   type's `Deserialize`, which the first save of a world type in a program runs with dummy
//!   values. In the compact form a different layout is an error that shows both.
//!   `#[component(from = OldPosition)]` converts values: those that were saved with the layout of
//!   `OldPosition` are read as `OldPosition` and converted with `From`; removed values of the older
//!   type, which no `Removed` has read yet, are dropped. In the human-readable form serde's own
//!   attributes (`default`, `alias`, ..) apply as usual.
//!
//! # Untrusted files
//! A file is checked before a world is built: whatever its bytes are, the result is a world or a
//! [`LoadError`] that says where and why, never a panic. Loading takes no more memory than
//! [`LoadOptions::memory`] allows; the default is 64 MiB, and 64 bytes more for each byte of the
//! file. A loaded world can run, and can be saved and loaded again. The checksum detects damage,
//! not forgery. The `Deserialize` of a type decides which values are valid: if it accepts any
//! index, it accepts an index from a forged file, too. In text, more than 64 options directly
//! within each other are an error: give the field of `struct Link(Option<Box<Link>>)` a name.
//!
//! # Entity ids
//! An `Entity` is written as text, for instance `12v3@7`, or as a number. Ids of despawned entities
//! are saved unchanged, and are ids of despawned entities in the loaded world. [`Saved::merge`] and
//! [`Saved::merge_from`] add the entities of a file to a world that already has entities: each gets
//! a new id, and every `Entity` in their components is mapped to the new id, at any depth. An id
//! that a type hides from serde, as text or as a plain number, is not mapped.

pub(crate) mod any_world;
pub(crate) mod column;
mod delta;
mod diff;
pub(crate) mod draft;
pub(crate) mod entry;
pub(crate) mod error;
pub(crate) mod file;
pub(crate) mod human;
#[cfg(feature = "json")]
mod json;
mod layout;
mod merge;
pub(crate) mod sections;
mod selection;
mod skip;
pub(crate) mod sum;
mod system_paths;
mod wire;

#[cfg(feature = "json")]
use alloc::string::String;
use alloc::vec::Vec;
use std::io::{self, Write};

use serde::Deserializer;

pub use crate::entity::saved::ids::ParseEntityError;
pub use delta::apply::{Applied, Replica};
pub use delta::error::DeltaError;
pub use delta::slot_changes::{SlotChange, layout_hash};
pub use delta::{Baseline, ChangedSlots, ComponentChanges, EntityChanges};
pub use diff::{Difference, diff};
pub use draft::{Draft, LoadOptions};
pub use error::{LoadError, SaveError};
pub use merge::{DanglingIds, Merged};
pub use selection::{ComponentList, PresenceIn, Selection, move_entities};
pub use skip::Skip;
pub use wire::{Wire, WireForm};

use crate::persist::erased::ReadForm;
use crate::persist::state::IsSaved;
use crate::world::World;
use any_world::into_world;
use entry::SavedTypes;
use sections::Sections;

/// The format version of both forms.
const VERSION: u32 = 1;

/// The contents of a world that can be saved. `world!` implements it for a world that derives
/// `Serialize` and `Deserialize`.
///
/// A call of `Game::load` for another world names this trait, the missing bound of [`Saved`], with
/// its message.
#[diagnostic::on_unimplemented(
    message = "world `{Self}` cannot be saved: it does not derive `Serialize` and `Deserialize`",
    label = "this world cannot be saved",
    note = "write `#[derive(Serialize, Deserialize)]` before the `struct` in the `world!` of `{Self}`"
)]
pub trait SavedContents: World<Saving = IsSaved> {
    /// Adds the components, resources and events of the world to a list, each kind in the order of
    /// the indexes.
    #[doc(hidden)]
    fn __list(list: &mut SavedTypes);
    #[doc(hidden)]
    fn __make(draft: &mut Draft<'_>) -> Result<Self, LoadError>;
}

#[diagnostic::do_not_recommend]
impl<W: SavedContents> Saved for W {}

/// A world that can be saved and loaded, because it derives `Serialize` and `Deserialize`.
#[diagnostic::on_unimplemented(
    message = "world `{Self}` cannot be saved: it does not derive `Serialize` and `Deserialize`",
    label = "this world cannot be saved",
    note = "write `#[derive(Serialize, Deserialize)]` before the `struct` in the `world!` of `{Self}`"
)]
pub trait Saved: SavedContents {
    /// Writes the world to `writer` in the compact form, in pieces of about 16 kilobytes.
    ///
    /// # Errors
    /// If writing to `writer` fails, or if a value cannot be serialized. In both cases `writer` may
    /// contain a part of the file.
    fn save(&self, mut writer: impl Write) -> Result<(), SaveError> // `save(&mut file)`; or `to_bytes()`, a `Vec<u8>`
    {
        file::save(&Sections::of::<Self>(), self, &mut writer).map(drop)
    }

    /// Returns the world in the compact form.
    ///
    /// # Errors
    /// If a value cannot be serialized.
    fn to_bytes(&self) -> Result<Vec<u8>, SaveError> {
        let mut bytes = Vec::new();
        self.save(&mut bytes)?;
        Ok(bytes)
    }

    /// Loads a world from the compact form.
    ///
    /// # Errors
    /// If the bytes are not a valid file of this world type with its present components, resources
    /// and events. The error says where and why.
    fn load(bytes: &[u8]) -> Result<Self, LoadError> // not a path: `load(&std::fs::read(path)?)`
    {
        Self::load_with(bytes, LoadOptions::new())
    }

    /// Loads a world from the compact form, with options.
    ///
    /// ```
    /// use ecs::prelude::*;
    /// use ecs::save::LoadOptions;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Resource)]
    /// #[resource(skip)]
    /// struct Window(u32);
    ///
    /// world! {
    ///     #[derive(Serialize, Deserialize)]
    ///     struct Game { resources { Window } }
    /// }
    ///
    /// let bytes = Game::new(Window(7)).to_bytes()?;
    /// assert!(Game::load(&bytes).is_err());
    /// let game = Game::load_with(&bytes, LoadOptions::new().resource(Window(8)))?;
    /// assert_eq!(game.resource::<Window>().0, 8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`load`](Self::load).
    fn load_with(bytes: &[u8], mut options: LoadOptions<Self>) -> Result<Self, LoadError> {
        file::load(Sections::of::<Self>(), bytes, &mut options.any).map(into_world)
    }

    /// Returns the world in the human-readable form, as JSON with line breaks: the text of
    /// `serde_json::to_string_pretty(&game)`, by code that was compiled with the library, so that
    /// the program builds faster.
    ///
    /// # Errors
    /// If a value cannot be serialized.
    #[cfg(feature = "json")]
    fn to_json(&self) -> serde_json::Result<String> {
        json::write(&Sections::of::<Self>(), self)
    }

    /// Loads a world from the human-readable form, as JSON: `serde_json::from_str::<Game>(text)`, by
    /// code that was compiled with the library.
    ///
    /// ```
    /// use ecs::prelude::*;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Component, Serialize, Deserialize)]
    /// struct Health(u32);
    ///
    /// world! {
    ///     #[derive(Serialize, Deserialize)]
    ///     struct Game { components { Health } }
    /// }
    ///
    /// let mut game = Game::new();
    /// let hero = game.spawn(Health(7));
    /// let loaded = Game::from_json(&game.to_json()?)?;
    /// assert_eq!(loaded.get(hero).map(|health: &Health| health.0), Some(7));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the text is not a valid file of this world type. The error has the line and the column.
    #[cfg(feature = "json")]
    fn from_json(text: &str) -> serde_json::Result<Self> // not a path: `from_json(&std::fs::read_to_string(path)?)`
    {
        Self::from_json_with(text, LoadOptions::new())
    }

    /// [`from_json`](Self::from_json) with options, as for [`load_with`](Self::load_with).
    ///
    /// # Errors
    /// The errors of [`from_json`](Self::from_json).
    #[cfg(feature = "json")]
    fn from_json_with(text: &str, mut options: LoadOptions<Self>) -> serde_json::Result<Self> {
        json::read(Sections::of::<Self>(), text, &mut options.any).map(into_world)
    }

    /// Returns a 64-bit hash of the saved state: two worlds of one program with the same hash most
    /// likely continue identically.
    ///
    /// The hash of a state is the same on every machine. Floating point numbers are hashed by their
    /// bits. Different programs give different hashes, and so does a type whose `Serialize` has no
    /// fixed order: a `HashMap` iterates in random order, a `BTreeMap` does not. Skipped types are
    /// not hashed.
    ///
    /// Cost: as [`save`](Self::save), without the memory for the file.
    ///
    /// # Panics
    /// If a value cannot be serialized, as in [`save`](Self::save).
    #[track_caller]
    fn hash(&self) -> u64 {
        match file::save(&Sections::of::<Self>(), self, &mut io::sink()) {
            Ok(sum) => sum,
            Err(error) => panic!("{error}"),
        }
    }

    /// Returns the fingerprint of the schema: a hash of the names and layouts of all saved types.
    /// The compact form contains it.
    ///
    /// # Errors
    /// If a type has no compact form.
    fn schema() -> Result<u64, SaveError> {
        file::schema_of(&Sections::of::<Self>())
    }

    /// Adds the entities of a file in the compact form to this world. Each gets a new id, and ids
    /// in their components are mapped to the new ids. Resources, events and the state of systems in
    /// the file are ignored.
    ///
    /// ```
    /// use ecs::prelude::*;
    /// use ecs::save::DanglingIds;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Component, Serialize, Deserialize)]
    /// struct Holds(Vec<Entity>);
    ///
    /// world! {
    ///     #[derive(Serialize, Deserialize)]
    ///     struct Game { components { Holds } }
    /// }
    ///
    /// let mut room = Game::new();
    /// let chest = room.spawn(());
    /// let bearer = room.spawn(Holds(vec![chest]));
    /// let bytes = room.to_bytes()?;
    ///
    /// let mut game = Game::new();
    /// game.spawn(());
    /// let merged = game.merge(&bytes, DanglingIds::Refuse)?;
    /// let bearer = merged.get(bearer).expect("it is in the file");
    /// assert_eq!(game.get::<Holds>(bearer).map(|holds| holds.0[0]), merged.get(chest));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`load`](Self::load); with [`DanglingIds::Refuse`], if a component contains
    /// the id of an entity that is not in the file; and if a component's rule (a unique index, a
    /// relation) refuses a value of the file beside the values of this world. After an error the
    /// world is unchanged.
    ///
    /// # Panics
    /// If a hook or the `Default` of a required component panics. The new entities stay, some of
    /// them without components.
    fn merge(&mut self, bytes: &[u8], dangling: DanglingIds) -> Result<Merged, LoadError> {
        self.merge_with(bytes, dangling, LoadOptions::new())
    }

    /// Merges a file as [`merge`](Self::merge) does, with options: the memory that the file may
    /// take, and whether unknown data is ignored. Resources among the options are ignored.
    ///
    /// ```
    /// use ecs::prelude::*;
    /// use ecs::save::{DanglingIds, LoadOptions};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Component, Serialize, Deserialize)]
    /// struct Position(f32, f32);
    ///
    /// world! {
    ///     #[derive(Serialize, Deserialize)]
    ///     struct Game { components { Position } }
    /// }
    ///
    /// let mut room = Game::new();
    /// room.spawn_batch((0..1000).map(|n| Position(n as f32, 0.0)));
    /// let bytes = room.to_bytes()?;
    ///
    /// let mut game = Game::new();
    /// assert!(game.merge_with(&bytes, DanglingIds::Refuse, LoadOptions::new().memory(1000)).is_err());
    /// assert_eq!(game.entities().len(), 0);
    /// assert_eq!(game.merge_with(&bytes, DanglingIds::Refuse, LoadOptions::new().memory(1 << 20))?.len(), 1000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`merge`](Self::merge).
    ///
    /// # Panics
    /// As [`merge`](Self::merge) does.
    fn merge_with(
        &mut self,
        bytes: &[u8],
        dangling: DanglingIds,
        options: LoadOptions<Self>,
    ) -> Result<Merged, LoadError> {
        merge::merge(Sections::of::<Self>(), self, bytes, dangling, options.any)
    }

    /// Adds the entities of a file in any serde format to this world, as [`merge`](Self::merge)
    /// does. The file may be written by hand or by a world's `Serialize`, for instance in JSON or
    /// RON.
    ///
    /// ```
    /// use ecs::prelude::*;
    /// use ecs::save::DanglingIds;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Component, Serialize, Deserialize)]
    /// struct Holds(Entity);
    ///
    /// world! {
    ///     #[derive(Serialize, Deserialize)]
    ///     struct Game { components { Holds } }
    /// }
    ///
    /// let room = r#"{ "entities": { "0v1@7": {}, "1v1@7": { "Holds": "0v1@7" } } }"#;
    /// let mut game = Game::new();
    /// let merged = game.merge_from(&mut serde_json::Deserializer::from_str(room), DanglingIds::Refuse)?;
    /// assert_eq!(merged.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Cost: values are read, written in the compact form and read again, because only the compact
    /// form shows which values are ids. A type that has no compact form cannot be merged.
    ///
    /// # Errors
    /// The errors of [`merge`](Self::merge).
    ///
    /// # Panics
    /// As [`merge`](Self::merge) does.
    fn merge_from<'de, D: Deserializer<'de>>(
        &mut self,
        deserializer: D,
        dangling: DanglingIds,
    ) -> Result<Merged, D::Error> {
        self.merge_from_with(deserializer, dangling, LoadOptions::new())
    }

    /// Merges as [`merge_from`](Self::merge_from) does, with the options of
    /// [`merge_with`](Self::merge_with).
    ///
    /// # Errors
    /// The errors of [`merge`](Self::merge).
    ///
    /// # Panics
    /// As [`merge`](Self::merge) does.
    fn merge_from_with<'de, D: Deserializer<'de>>(
        &mut self,
        deserializer: D,
        dangling: DanglingIds,
        options: LoadOptions<Self>,
    ) -> Result<Merged, D::Error> {
        let mut form = <dyn ReadForm<'_>>::exact(deserializer);
        let merged = merge::merge_from(Sections::of::<Self>(), self, &mut form, dangling, options.any);
        merged.map_err(|error| form.error(error))
    }
}

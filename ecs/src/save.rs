//! Saving, loading, hashing and comparing worlds. With the feature `serde`.
//!
//! A world that derives `Serialize` and `Deserialize` is saved as a whole: entities with their generations, components,
//! resources, events that are on their way, and what systems remember. The world that is loaded goes on as if it had never
//! stopped: the same ids, the same events, the same values, bit for bit.
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
//! let loaded: Game = serde_json::from_str(&text)?;
//! assert!(ecs::save::diff(&game, &loaded).is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Two forms
//! The *human-readable* form is what a world's `Serialize` writes where `is_human_readable` says so: entity by entity, by
//! the names of components and fields. Its sections come in the order of the alphabet. A file that was written by hand
//! may leave out `allocator`, `components` and `systems`.
//!
//! Floating point numbers come back bit for bit. The numbers that JSON lacks are written as text: `"$NaN"`, `"$inf"`, `"$-inf"`, and
//! `"$NaN(ffc00000)"` for a NaN with other bits; text of your own that looks like that gets one more `$` in the file. `serde_json`
//! reads an `f64` of many digits exactly only with its feature `float_roundtrip`, which the feature `json` of this crate turns on.
//! An `f32` in a type that asks the file what it contains (`#[serde(flatten)]`, `untagged`) is read as an `f64` first, and may come
//! back as its neighbour.
//!
//! The *compact* form is what [`save`](Saved::save) writes: columns of plain numbers, little-endian, with a version, a
//! fingerprint of the schema and a checksum. Other formats that are not human-readable have it as a string of bytes. Saving
//! costs about what copying the values costs. A type that asks the file what it contains (`#[serde(flatten)]`, `untagged`)
//! or leaves fields out (`skip_serializing_if`) cannot be in it: that is an error when it is saved.
//!
//! # What is saved
//! All that decides the future, unless it is marked `#[component(skip)]`, `#[resource(skip)]` or `#[event(skip)]`. In a
//! world that was loaded nobody has a component that is skipped, unless another one requires it: then it begins anew with its
//! default, as does one that older files do not have. Nothing was sent of an event that is skipped. A resource that
//! is skipped is the one that [`LoadOptions::resource`] gives, or the value in the declaration of the world, or its
//! `Default`. What systems remember in a `Local<T>` is saved, so that `T` is `Serialize` and `Deserialize`; what shall begin
//! anew is a `Local<Skip<T>>`, see [`Skip`]. It is known by schedule, system and occurrence.
//!
//! Not saved are schedules that are built at run time, how long systems took, and what `on_failed_command` was told. A system that
//! takes the whole world and saves it does so without what it remembers itself.
//!
//! # When types change
//! - A component, resource or event that the file lacks is as in a new world: nobody has it, the resource is its value in
//!   the declaration or its `Default`.
//! - One that the world lacks is an error that names it, and the nearest that there is; [`LoadOptions::drop_unknown`] leaves
//!   it out. `#[component(alias = "OldName")]`, or `resource` or `event`, tells what it was called before.
//! - What a type consists of, its *layout*, is in the file. In the compact form another layout is an error that shows both.
//!   `#[component(from = OldPosition)]` converts by `From`: values that were saved with the layout of `OldPosition` are read
//!   as that. In the human-readable form serde's own attributes (`default`, `alias`, ..) do what they always do.
//!
//! # Files of others
//! A file is looked at before anything is built: whatever its bytes are, there is a world or a [`LoadError`] that says where
//! and why, and no panic. It takes no more memory than [`LoadOptions::memory`] allows: 64 MiB, and 64 bytes more for each byte
//! of the file, by default. A loaded world can run, and can be saved and loaded again. The checksum finds damage, not forgery.
//! Whether a value is accepted is up to the `Deserialize` of its type: a type that accepts an index accepts it from a forged file, too,
//! and a newtype of an
//! option of itself, `struct Link(Option<Box<Link>>)`, has no end in text: name its field.
//!
//! # Ids
//! An `Entity` is text such as `12v3@7`, or a number. Ids that point to nobody are saved as they are, and point to nobody
//! afterwards. [`Saved::merge`] and [`Saved::merge_from`] add the entities of a file to a world that has others: they get new
//! ids, and every
//! `Entity` in their components is mapped, however deep, because serde shows it. An id that a type hides from serde, as
//! text or as a bare number, is not.

pub(crate) mod column;
pub(crate) mod compact;
mod diff;
pub(crate) mod draft;
pub(crate) mod entry;
pub(crate) mod error;
mod file;
pub(crate) mod human;
pub(crate) mod image;
mod layout;
pub(crate) mod memory;
mod merge;
mod skip;
pub(crate) mod state;
mod sum;
mod value;

use alloc::boxed::Box;
use alloc::vec::Vec;
use std::io::{self, Write};

use serde::Deserializer;

pub use crate::entity::serde::ParseEntityError;
pub use diff::{Difference, diff};
pub use draft::{Draft, LoadOptions};
pub use error::{LoadError, SaveError};
pub use merge::{Dangling, Merged};
pub use skip::Skip;

use crate::world::World;
use entry::{Owned, Queued, Stored};
use state::IsSaved;

/// The version of both forms.
const VERSION: u32 = 1;

/// A world that is saved: one that derives `Serialize` and `Deserialize`.
#[diagnostic::on_unimplemented(
    message = "world `{Self}` is not saved",
    label = "not a world that is saved",
    note = "write `#[derive(Serialize, Deserialize)]` before the `struct` in the `world!` of `{Self}`"
)]
pub trait Saved: World<Saving = IsSaved> {
    #[doc(hidden)]
    fn __entries(
        components: &mut Vec<Box<dyn Stored<Self>>>,
        resources: &mut Vec<Box<dyn Owned<Self>>>,
        events: &mut Vec<Box<dyn Queued<Self>>>,
    );
    #[doc(hidden)]
    fn __make(draft: &mut Draft<'_, Self>) -> Result<Self, LoadError>;

    /// Writes the compact form, in pieces of some 16 kilobytes.
    ///
    /// # Errors
    /// If `to` fails, or a value cannot be written; then part of it is written.
    fn save(&self, to: impl Write) -> Result<(), SaveError> {
        file::save(self, to).map(drop)
    }

    /// The compact form.
    ///
    /// # Errors
    /// If a value cannot be written.
    fn to_bytes(&self) -> Result<Vec<u8>, SaveError> {
        let mut bytes = Vec::new();
        self.save(&mut bytes)?;
        Ok(bytes)
    }

    /// The world in the compact form.
    ///
    /// # Errors
    /// If the bytes are not a world of this type, as it is now; the error says where and why.
    fn load(bytes: &[u8]) -> Result<Self, LoadError> {
        Self::load_with(bytes, LoadOptions::new())
    }

    /// The same, with options.
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
    /// As for [`load`](Self::load).
    fn load_with(bytes: &[u8], mut options: LoadOptions<Self>) -> Result<Self, LoadError> {
        file::load(bytes, &mut options)
    }

    /// A number for all that decides the future: two worlds of a program with the same number most likely go on alike.
    ///
    /// It is the same on every machine; numbers with a point count by their bits. It is not the same for programs that
    /// differ, and not where a type's `Serialize` has no order of its own: a `HashMap` goes through its entries at random,
    /// a `BTreeMap` does not. What is skipped does not count.
    ///
    /// Cost: that of saving, without the memory.
    ///
    /// # Panics
    /// If a value cannot be written, as in [`save`](Self::save).
    fn hash(&self) -> u64 {
        match file::save(self, io::sink()) {
            Ok(sum) => sum,
            Err(error) => panic!("{error}"),
        }
    }

    /// A number for the names and layouts of all that is saved: what the compact form is checked by.
    ///
    /// # Errors
    /// If a type cannot be in the compact form.
    fn schema() -> Result<u64, SaveError> {
        file::schema_of::<Self>()
    }

    /// Adds the entities of a file in the compact form to this world: each gets a new id, and ids in their components are
    /// mapped. Resources, events and what systems remember are not looked at.
    ///
    /// ```
    /// use ecs::prelude::*;
    /// use ecs::save::Dangling;
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
    /// let merged = game.merge(&bytes, Dangling::Refuse)?;
    /// let bearer = merged.get(bearer).expect("it is in the file");
    /// assert_eq!(game.get::<Holds>(bearer).map(|holds| holds.0[0]), merged.get(chest));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As for [`load`](Self::load), and if an id points to nobody and that is refused, or if a component's rule refuses a
    /// value beside those that are here. Then nothing has changed.
    fn merge(&mut self, bytes: &[u8], dangling: Dangling) -> Result<Merged, LoadError> {
        self.merge_with(bytes, dangling, LoadOptions::new())
    }

    /// Merges a file as [`merge`](Self::merge) does, with options: the memory that the file may take, and whether unknown data is left
    /// out. Resources among the options are ignored.
    ///
    /// ```
    /// use ecs::prelude::*;
    /// use ecs::save::{Dangling, LoadOptions};
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
    /// assert!(game.merge_with(&bytes, Dangling::Refuse, LoadOptions::new().memory(1000)).is_err());
    /// assert_eq!(game.entities().len(), 0);
    /// assert_eq!(game.merge_with(&bytes, Dangling::Refuse, LoadOptions::new().memory(1 << 20))?.len(), 1000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As for [`merge`](Self::merge).
    fn merge_with(
        &mut self,
        bytes: &[u8],
        dangling: Dangling,
        options: LoadOptions<Self>,
    ) -> Result<Merged, LoadError> {
        merge::merge(self, bytes, dangling, options)
    }

    /// The same from any format that a world is written in: JSON, RON and the like, by hand or by a world's `Serialize`.
    ///
    /// ```
    /// use ecs::prelude::*;
    /// use ecs::save::Dangling;
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
    /// let merged = game.merge_from(&mut serde_json::Deserializer::from_str(room), Dangling::Refuse)?;
    /// assert_eq!(merged.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Cost: values are read, written in the compact form and read again, since that shows where ids are; so a type that
    /// cannot be in the compact form cannot be merged.
    ///
    /// # Errors
    /// As for [`merge`](Self::merge).
    fn merge_from<'de, D: Deserializer<'de>>(
        &mut self,
        deserializer: D,
        dangling: Dangling,
    ) -> Result<Merged, D::Error> {
        self.merge_from_with(deserializer, dangling, LoadOptions::new())
    }

    /// Merges as [`merge_from`](Self::merge_from) does, with the options of [`merge_with`](Self::merge_with).
    ///
    /// # Errors
    /// As for [`merge`](Self::merge).
    fn merge_from_with<'de, D: Deserializer<'de>>(
        &mut self,
        deserializer: D,
        dangling: Dangling,
        options: LoadOptions<Self>,
    ) -> Result<Merged, D::Error> {
        merge::merge_from(self, deserializer, dangling, options)
    }
}

/// The `Serialize` of a world.
#[doc(hidden)]
pub fn serialize<W: Saved, S: serde::Serializer>(world: &W, serializer: S) -> Result<S::Ok, S::Error> {
    if serializer.is_human_readable() {
        return human::serialize(world, human::Exact(serializer));
    }
    let bytes = world.to_bytes().map_err(serde::ser::Error::custom)?;
    serializer.serialize_bytes(&bytes)
}

/// The `Deserialize` of a world.
#[doc(hidden)]
pub fn deserialize<'de, W: Saved, D: serde::Deserializer<'de>>(deserializer: D) -> Result<W, D::Error> {
    human::deserialize(&mut LoadOptions::new(), deserializer)
}

/// Puts the checksum of a file right, for those who change its bytes in tests.
#[doc(hidden)]
pub fn reseal(bytes: &mut [u8]) {
    if let Some(end) = bytes.len().checked_sub(8) {
        let sum = file::sum(&bytes[..end]);
        bytes[end..].copy_from_slice(&sum.to_le_bytes());
    }
}

/// What [`Saved::hash`] makes of bytes, for those who compare it with others.
#[doc(hidden)]
pub fn hash_of<'b>(parts: impl IntoIterator<Item = &'b [u8]>) -> u64 {
    let mut sum = sum::Sum::new();
    parts.into_iter().for_each(|part| sum.add(part));
    sum.finish()
}

//! What `world!` tells of each component, resource and event of a world that is saved: one value behind a trait, so that
//! what saves and loads is compiled once for a world, and not once for each type in it.
//!
//! Skipped or not, renamed or not is said by derives, on the types; [`Marks`] finds it out. What there is to do with each
//! section is in `component`, `resource` and `event`.

mod component;
mod event;
mod resource;

use alloc::vec::Vec;
use core::marker::PhantomData;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::compact::Fault;
use super::compact::read::Reader;
use super::layout::Layout;
pub(super) use component::mapped;
pub use component::{SaveComponent, SavedComponent};
pub use event::{SaveEvent, SavedEvent};
pub use resource::{SaveResource, SavedResource};

/// What is not saved: `#[component(skip)]` and its like.
pub trait Skipped {}

/// What had other names: `#[component(alias = "Old")]`.
pub trait Renamed {
    /// The names.
    const ALIASES: &'static [&'static str];
}

/// What was of another type: `#[component(from = Old)]`.
pub trait Migrates: Sized + 'static {
    /// The types.
    const OLDS: &'static [Old<Self>];
}

/// How a component is made of an older type.
pub struct Old<T> {
    layout: fn() -> Layout,
    code: fn(&mut dyn erased_serde::Deserializer<'_>) -> Result<T, erased_serde::Error>,
    read: for<'r, 'de, 'm> fn(&'r mut Reader<'de, 'm>) -> Result<T, Fault>,
}

impl<T> Old<T> {
    /// Of the type `O`.
    pub const fn of<O: DeserializeOwned>() -> Self
    where
        T: From<O>,
    {
        Self {
            layout: Layout::of::<O>,
            code: |file| erased_serde::deserialize::<O>(file).map(T::from),
            read: |reader| reader.value::<O>().map(T::from),
        }
    }
}

/// What derives say of `T`: a constant of this name is there if it does, and else that of [`Unmarked`].
pub struct Marks<T>(PhantomData<T>);

/// What holds where a derive says nothing.
pub trait Unmarked {
    /// The type.
    type Of: 'static;
    /// Whether it is skipped.
    const SKIP: bool = false;
    /// Its other names.
    const ALIASES: &'static [&'static str] = &[];
    /// Its older types.
    const OLDS: &'static [Old<Self::Of>] = &[];
    /// Its default, if it has one.
    const DEFAULT: Option<fn() -> Self::Of> = None;
}

impl<T: 'static> Unmarked for Marks<T> {
    type Of = T;
}

impl<T: Skipped> Marks<T> {
    #[allow(missing_docs)]
    pub const SKIP: bool = true;
}

impl<T: Renamed> Marks<T> {
    #[allow(missing_docs)]
    pub const ALIASES: &'static [&'static str] = T::ALIASES;
}

impl<T: Migrates> Marks<T> {
    #[allow(missing_docs)]
    pub const OLDS: &'static [Old<T>] = T::OLDS;
}

impl<T: Default> Marks<T> {
    #[allow(missing_docs)]
    pub const DEFAULT: Option<fn() -> T> = Some(T::default);
}

/// What is known of an entry of any section.
pub trait SavedType: Send + Sync {
    /// The place in its section.
    fn index(&self) -> usize;
    /// Other names that files may have for it.
    fn aliases(&self) -> &'static [&'static str];
    /// Whether it is saved.
    fn is_saved(&self) -> bool {
        true
    }
    /// What its values consist of; nothing if it is not saved.
    fn layout(&self) -> Option<Layout>;
    /// What its older types consist of.
    fn olds(&self) -> Vec<Layout> {
        Vec::new()
    }
}

/// A type all of which is saved.
struct SavedEntry<T: 'static> {
    index: usize,
    aliases: &'static [&'static str],
    olds: &'static [Old<T>],
}

/// A type of which nothing is saved.
struct SkippedEntry<T: 'static> {
    of: SavedEntry<T>,
}

impl<T: 'static> SavedEntry<T> {
    /// An entry without older types.
    const fn new(index: usize, aliases: &'static [&'static str]) -> Self {
        Self { index, aliases, olds: &[] }
    }
}

impl<T: Serialize + DeserializeOwned + 'static> SavedType for SavedEntry<T> {
    fn index(&self) -> usize {
        self.index
    }

    fn aliases(&self) -> &'static [&'static str] {
        self.aliases
    }

    fn layout(&self) -> Option<Layout> {
        Some(Layout::of::<T>())
    }

    fn olds(&self) -> Vec<Layout> {
        self.olds.iter().map(|old| (old.layout)()).collect()
    }
}

impl<T: 'static> SavedType for SkippedEntry<T> {
    fn index(&self) -> usize {
        self.of.index
    }

    fn aliases(&self) -> &'static [&'static str] {
        self.of.aliases
    }

    fn is_saved(&self) -> bool {
        false
    }

    fn layout(&self) -> Option<Layout> {
        None
    }
}

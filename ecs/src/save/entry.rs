//! One trait object for each saved component, resource and event of a world. `world!` lists them. The code that saves and loads a
//! world is compiled once for the world, not once for each type, because it uses the trait objects. Only the values of components in
//! the human-readable form are written and read by code for each type and format, which gets the type from a [`SavedVisitor`]: a trait
//! object would cost a virtual call for each number.
//!
//! The derives on the types declare `skip`, `alias` and `from`; [`Marks`] reads these declarations. The traits of the three
//! sections are in `component`, `resource` and `event`.

mod component;
mod event;
mod resource;

use alloc::vec::Vec;
use core::marker::PhantomData;

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserializer, Serialize};

use super::layout::Layout;
use crate::persist::compact::Fault;
use crate::persist::compact::read::Reader;
use crate::persist::erased::{FormError, ReadForm, read_value};
pub(super) use component::{MakeEntry, fill, mapped};
pub use component::{SaveComponent, SavedVisitor};
pub(crate) use component::{SavedComponent, ValuePlace};
pub use event::{SaveEvent, SavedEvent};
pub use resource::{SaveResource, SavedResource};

/// Types that are not saved: `#[component(skip)]`, `#[resource(skip)]` or `#[event(skip)]`.
pub trait Skipped {}

/// Types that have former names: `#[component(alias = "Old")]`.
pub trait Renamed {
    /// The former names.
    const ALIASES: &'static [&'static str];
}

/// Components that can be converted from older types: `#[component(from = Old)]`.
pub trait Migrates: Sized + 'static {
    /// The older types.
    const OLDS: &'static [Old<Self>];
}

/// An older type of a component: its layout, and the functions that read a value of it and convert the value.
pub struct Old<T> {
    layout: fn() -> Layout,
    code: fn(&mut dyn ReadForm<'_>) -> Result<T, FormError>,
    read: for<'r, 'de, 'm> fn(&'r mut Reader<'de, 'm>) -> Result<T, Fault>,
}

impl<T> Old<T> {
    /// Makes the description of the older type `O`.
    pub const fn of<O: DeserializeOwned>() -> Self
    where
        T: From<O>,
    {
        Self {
            layout: Layout::of::<O>,
            code: |file| read_value::<O>(file).map(T::from),
            read: |reader| reader.value::<O>().map(T::from),
        }
    }
}

impl<T> Old<T> {
    /// Reads a value of the older type from the human-readable form, and converts it.
    pub(super) fn deserialize<'de, D: Deserializer<'de>>(&self, deserializer: D) -> Result<T, D::Error> {
        (self.code)(&mut <dyn ReadForm<'_>>::of(deserializer)).map_err(D::Error::custom)
    }
}

/// The declarations of the derives of `T`, as constants. `Marks::<T>::SKIP` is the inherent constant if a derive implements its trait
/// for `T`, and else the constant of [`Unmarked`], because an inherent item takes precedence over one of a trait.
pub struct Marks<T>(PhantomData<T>);

/// The defaults of [`Marks`] for declarations that a derive does not make.
pub trait Unmarked {
    /// The type.
    type Of: 'static;
    /// Whether the type is skipped.
    const SKIP: bool = false;
    /// The former names of the type.
    const ALIASES: &'static [&'static str] = &[];
    /// The older types from which the type can be converted.
    const OLDS: &'static [Old<Self::Of>] = &[];
    /// `Default::default`, if the type implements `Default`.
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

/// A component, resource or event of a world, as saving sees it.
pub trait SavedType: Send + Sync {
    /// The index of the type among the world's components, resources or events.
    fn index(&self) -> usize;
    /// The former names of the type, which files may contain.
    fn aliases(&self) -> &'static [&'static str];
    /// Whether the type is saved.
    fn is_saved(&self) -> bool {
        true
    }
    /// The layout of the type; `None` if it is not saved.
    fn layout(&self) -> Option<Layout>;
    /// The layouts of the older types.
    fn olds(&self) -> Vec<Layout> {
        Vec::new()
    }
}

/// The [`SavedType`] of a type that is saved.
struct SavedEntry<T: 'static> {
    index: usize,
    aliases: &'static [&'static str],
    olds: &'static [Old<T>],
}

/// The [`SavedType`] of a type that is skipped.
struct SkippedEntry<T: 'static> {
    of: SavedEntry<T>,
}

impl<T: 'static> SavedEntry<T> {
    /// Makes an entry without older types.
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

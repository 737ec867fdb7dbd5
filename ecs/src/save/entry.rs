//! One entry for each saved component, resource and event of a world. `world!` lists them. The code
//! that saves and loads a world is compiled once for the world, not once for each type, because an
//! entry does not have the type of its values, but their description.
//!
//! The derives on the types declare `skip`, `alias` and `from`; [`Marks`] reads these declarations.
//! The traits of the three sections are in `component`, `resource` and `event`.

pub(crate) mod component;
mod event;
mod resource;

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::marker::PhantomData;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::layout::Layout;
use crate::value::Reflect;
pub(super) use component::mapped;
pub use component::{Old, SaveComponent};
pub(crate) use component::{SavedComponent, ValuePlace};
pub use event::SaveEvent;
pub(crate) use event::SavedEvent;
pub use resource::SaveResource;
pub(crate) use resource::SavedResource;

/// The saved components, resources and events of a world, in the order of their indexes.
#[derive(Default)]
pub struct SavedTypes {
    pub(super) components: Vec<SavedComponent>,
    pub(super) resources: Vec<Box<dyn SavedResource>>,
    pub(super) events: Vec<Box<dyn SavedEvent>>,
}

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

/// The declarations of the derives of `T`, as constants. `Marks::<T>::SKIP`, for instance, is the
/// inherent constant if a derive implements its trait for `T`, and else the constant of
/// [`Unmarked`], because an inherent item takes precedence over one of a trait.
pub struct Marks<T>(PhantomData<T>);

/// The defaults of [`Marks`] for declarations that a derive does not make.
pub trait Unmarked {
    /// The type.
    type Of: 'static;
    /// Whether the type is skipped.
    const SKIP: bool = false;
    /// Whether the type is described.
    const DESCRIBED: bool = false;
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

impl<T: Reflect> Marks<T> {
    #[allow(missing_docs)]
    pub const DESCRIBED: bool = true;
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
pub(crate) trait SavedType: Send + Sync {
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

/// The [`SavedType`] of a resource or an event of a world `W` that is saved.
struct SavedEntry<W, T> {
    index: usize,
    aliases: &'static [&'static str],
    of: PhantomData<fn(W) -> T>,
}

/// The [`SavedType`] of a resource or an event that is skipped.
struct SkippedEntry {
    index: usize,
    aliases: &'static [&'static str],
}

impl<W, T> SavedEntry<W, T> {
    const fn new(index: usize, aliases: &'static [&'static str]) -> Self {
        Self { index, aliases, of: PhantomData }
    }
}

impl<W, T: Serialize + DeserializeOwned + 'static> SavedType for SavedEntry<W, T> {
    fn index(&self) -> usize {
        self.index
    }

    fn aliases(&self) -> &'static [&'static str] {
        self.aliases
    }

    fn layout(&self) -> Option<Layout> {
        Some(Layout::of::<T>())
    }
}

impl SavedType for SkippedEntry {
    fn index(&self) -> usize {
        self.index
    }

    fn aliases(&self) -> &'static [&'static str] {
        self.aliases
    }

    fn is_saved(&self) -> bool {
        false
    }

    fn layout(&self) -> Option<Layout> {
        None
    }
}

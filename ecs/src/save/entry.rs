//! One entry for each saved component, resource and event of a world. `world!` lists them. The code
//! that saves and loads a world is compiled once for the world, not once for each type, because an
//! entry does not have the type of its values, but their description.
//!
//! The derives on the types declare `skip`, `alias` and `from`; [`Marks`] reads these declarations.
//! Components are in `component`, resources and events in `value`.

pub(crate) mod component;
mod value;

use alloc::vec::Vec;
use core::marker::PhantomData;

#[cfg(feature = "reflect")]
use crate::base::hidden::TypeDocs;
use crate::persist::image::names;
#[cfg(feature = "reflect")]
use crate::reflect::{aspects::ListAspects, entry::MakeDefault};
use crate::value::Reflect;
pub(super) use component::mapped;
pub use component::{Old, SaveComponent};
pub(crate) use component::{SavedComponent, ValuePlace};
#[cfg(feature = "reflect")]
pub(crate) use value::read_boxed;
pub use value::{SaveEvent, SaveResource};
pub(super) use value::{SavedFunctions, SavedValue, ValueKind};

/// The saved components, resources and events of a world, in the order of their indexes.
#[derive(Default)]
pub struct SavedTypes {
    pub(super) components: Vec<SavedComponent>,
    pub(super) resources: Vec<SavedValue>,
    pub(super) events: Vec<SavedValue>,
}

impl SavedTypes {
    /// Gives the entries their names in files, and returns the names of all components, resources
    /// and events, from those that the world spells.
    pub(super) fn named(&mut self, spelled: [&[&'static str]; 3]) -> [Vec<&'static str>; 3] {
        let [components, resources, events] = spelled.map(names);
        self.components.iter_mut().for_each(|entry| entry.name = components[entry.index]);
        self.resources.iter_mut().for_each(|entry| entry.name = resources[entry.index]);
        self.events.iter_mut().for_each(|entry| entry.name = events[entry.index]);
        [components, resources, events]
    }
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
    /// Whether the type is hidden from reflection.
    #[cfg(feature = "reflect")]
    const HIDDEN: bool = false;
    /// The documentation of the type and its parts.
    #[cfg(feature = "reflect")]
    const DOCS: TypeDocs = &[];
    /// Makes the tree of the default value.
    #[cfg(feature = "reflect")]
    const TREE: Option<MakeDefault> = None;
    /// Makes the list of the aspects of a world, if they have names.
    #[cfg(feature = "reflect")]
    const ASPECTS: Option<ListAspects<Self::Of>> = None;
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

//! One entry for each saved component, resource and event of a world. `world!` lists them. The code that saves and loads a
//! world is compiled once for the world, not once for each type, because an entry does not have the type of its values, but their
//! description.
//!
//! The derives on the types declare `skip`, `alias` and `from`; [`Marks`] reads these declarations. The traits of the three
//! sections are in `component`, `resource` and `event`.
#![expect(unsafe_code, reason = "values of older types are converted at addresses")]

mod component;
mod event;
mod resource;

use alloc::vec::Vec;
use core::marker::PhantomData;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::layout::Layout;
use crate::persist::compact::Fault;
use crate::persist::compact::read::Reader;
use crate::persist::erased::{FormError, ReadForm, read_value};
use crate::value::Reflect;
pub(crate) use component::SavedComponent;
pub(crate) use component::ValuePlace;
pub(super) use component::{MakeEntry, NewColumnValue, fill, mapped};
pub use component::{SaveComponent, SavedVisitor};
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
#[repr(transparent)]
pub struct Old<T>(AnyOld, PhantomData<fn() -> T>);

/// An older type of a component whose type is not known here.
pub(crate) struct AnyOld {
    layout: fn() -> Layout,
    /// # Safety
    /// The address is valid for a write of the component's type. Nothing is written if there is an error.
    read: unsafe fn(&mut dyn ReadForm<'_>, *mut u8) -> Result<(), FormError>,
    /// # Safety
    /// As for `read`.
    read_bytes: unsafe fn(&mut Reader<'_, '_>, *mut u8) -> Result<(), Fault>,
}

impl<T> Old<T> {
    /// Makes the description of the older type `O`.
    pub const fn of<O: DeserializeOwned>() -> Self
    where
        T: From<O>,
    {
        let old = AnyOld {
            layout: Layout::of::<O>,
            // SAFETY: the caller passes an address that is valid for a write of a `T`.
            read: |form, to| unsafe {
                to.cast::<T>().write(T::from(read_value::<O>(form)?));
                Ok(())
            },
            // SAFETY: as above.
            read_bytes: |reader, to| unsafe {
                to.cast::<T>().write(T::from(reader.value::<O>()?));
                Ok(())
            },
        };
        Self(old, PhantomData)
    }
}

impl AnyOld {
    /// The older types without the type of the component.
    fn of<T>(olds: &'static [Old<T>]) -> &'static [Self] {
        // SAFETY: an `Old` has the memory of an `AnyOld`.
        unsafe { core::slice::from_raw_parts(olds.as_ptr().cast(), olds.len()) }
    }

    fn layout(&self) -> Layout {
        (self.layout)()
    }

    /// Reads a value of the older type from the human-readable form, and writes what it is converted to.
    ///
    /// # Safety
    /// The address is valid for a write of the component's type.
    pub(super) unsafe fn read(&self, form: &mut dyn ReadForm<'_>, to: *mut u8) -> Result<(), FormError> {
        // SAFETY: the contract of this function.
        unsafe { (self.read)(form, to) }
    }

    /// Reads a value of the older type from the compact form, and writes what it is converted to.
    ///
    /// # Safety
    /// The address is valid for a write of the component's type.
    pub(super) unsafe fn read_bytes(&self, reader: &mut Reader<'_, '_>, to: *mut u8) -> Result<(), Fault> {
        // SAFETY: the contract of this function.
        unsafe { (self.read_bytes)(reader, to) }
    }
}

/// The declarations of the derives of `T`, as constants. `Marks::<T>::SKIP`, for instance, is the inherent constant if a derive implements its trait
/// for `T`, and else the constant of [`Unmarked`], because an inherent item takes precedence over one of a trait.
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

/// The [`SavedType`] of a resource or an event that is saved.
struct SavedEntry<T: 'static> {
    index: usize,
    aliases: &'static [&'static str],
    of: PhantomData<fn() -> T>,
}

/// The [`SavedType`] of a resource or an event that is skipped.
struct SkippedEntry<T: 'static> {
    of: SavedEntry<T>,
}

impl<T: 'static> SavedEntry<T> {
    const fn new(index: usize, aliases: &'static [&'static str]) -> Self {
        Self { index, aliases, of: PhantomData }
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

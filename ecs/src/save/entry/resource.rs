//! Saving and loading a resource.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{SavedEntry, SavedType, SavedTypes, SkippedEntry};
use crate::persist::compact::write::to_vec;
use crate::persist::compact::{Fault, read};
use crate::persist::erased::{ErasedSerialize, FormError, ReadForm};
use crate::persist::state::ValueCode;
use crate::resource::HasResource;
use crate::save::any_world::AnyWorld;
use crate::save::column::check;
use crate::world::World;

/// A resource of a world, as saving sees it. The provided methods are those of a skipped resource.
pub(crate) trait SavedResource: SavedType {
    /// The value, for the human-readable form.
    fn value<'w>(&self, _world: &'w dyn AnyWorld) -> &'w dyn ErasedSerialize {
        &()
    }
    /// Writes the value in the compact form.
    fn write(&self, _world: &dyn AnyWorld) -> Result<Vec<u8>, Fault> {
        Ok(Vec::new())
    }
    /// Reads a value from the human-readable form.
    fn read_one(&self, _file: &mut dyn ReadForm<'_>) -> Result<Box<dyn Any>, FormError> {
        Ok(Box::new(()))
    }
    /// Reads a value from the compact form.
    fn read(&self, _bytes: &[u8]) -> Result<Box<dyn Any>, Fault> {
        Ok(Box::new(()))
    }
}

/// Resources that a saved world can list: serializable ones, and with `SKIP = true` all resources.
#[diagnostic::on_unimplemented(
    message = "resource `{Self}` of world `{W}`, which is saved, cannot be saved: it needs `Reflect`, or `Serialize` and `Deserialize`",
    label = "not `Reflect`",
    note = "add `#[derive(Reflect)]` to `{Self}`, or the other one of `Serialize` and `Deserialize` if it has one of them; or, if it is not to be saved, `#[resource(skip)]`",
    note = "if `{Self}` is a type of a library with parameters, the types in `<..>` need the derives"
)]
pub trait SaveResource<W: World, const SKIP: bool>: Sized + 'static {
    /// Adds the resource to the list of a world.
    #[doc(hidden)]
    fn list(list: &mut SavedTypes, aliases: &'static [&'static str]);
}

#[diagnostic::do_not_recommend]
impl<W: HasResource<T>, T: Serialize + DeserializeOwned + 'static> SaveResource<W, false> for T {
    fn list(list: &mut SavedTypes, aliases: &'static [&'static str]) {
        list.resources.push(Box::new(SavedEntry::<W, T>::new(<W as HasResource<T>>::INDEX, aliases)));
    }
}

impl<W: HasResource<T>, T: 'static> SaveResource<W, true> for T {
    fn list(list: &mut SavedTypes, aliases: &'static [&'static str]) {
        list.resources.push(Box::new(SkippedEntry { index: <W as HasResource<T>>::INDEX, aliases }));
    }
}

impl<W: HasResource<T>, T: Serialize + DeserializeOwned + 'static> SavedResource for SavedEntry<W, T> {
    fn value<'w>(&self, world: &'w dyn AnyWorld) -> &'w dyn ErasedSerialize {
        world.of::<W>().resource::<T>()
    }

    fn write(&self, world: &dyn AnyWorld) -> Result<Vec<u8>, Fault> {
        let bytes = to_vec(world.of::<W>().resource::<T>())?;
        check::<T, T>(&bytes)?;
        Ok(bytes)
    }

    fn read_one(&self, file: &mut dyn ReadForm<'_>) -> Result<Box<dyn Any>, FormError> {
        Ok(Box::new((ValueCode::<T>::OF.load)(file)?))
    }

    fn read(&self, bytes: &[u8]) -> Result<Box<dyn Any>, Fault> {
        Ok(Box::new(read::from_bytes::<T>(bytes)?))
    }
}

impl SavedResource for SkippedEntry {}

//! Saving and loading an event: its queue and the positions of its readers.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{SavedEntry, SavedType, SavedTypes, SkippedEntry};
use crate::event::HasEvent;
use crate::persist::compact::write::to_vec;
use crate::persist::compact::{Fault, read};
use crate::persist::erased::{ErasedSerialize, FormError, ReadForm, read_value};
use crate::persist::image::{EventsImage, KeptValues, SystemPaths};
use crate::raw_world::WorldFields;
use crate::save::any_world::AnyWorld;
use crate::save::column::check;
use crate::world::World;

/// An event of a world, as saving sees it. The provided methods are those of a skipped event.
pub(crate) trait SavedEvent: SavedType {
    /// The queue, for the human-readable form.
    fn value<'w>(&self, _world: &'w dyn AnyWorld, _keys: &SystemPaths) -> Box<dyn ErasedSerialize + 'w> {
        Box::new(())
    }
    /// Writes the queue in the compact form.
    fn write(&self, _world: &dyn AnyWorld, _keys: &SystemPaths) -> Result<Vec<u8>, Fault> {
        Ok(Vec::new())
    }
    /// Reads a queue from the human-readable form.
    fn read_one(&self, _file: &mut dyn ReadForm<'_>) -> Result<Box<dyn Any>, FormError> {
        Ok(Box::new(()))
    }
    /// Reads a queue from the compact form.
    fn read(&self, _bytes: &[u8]) -> Result<Box<dyn Any>, Fault> {
        Ok(Box::new(()))
    }
    /// Restores the queue in a world.
    fn set(
        &self,
        _world: &mut dyn AnyWorld,
        _queue: Box<dyn Any>,
        _keys: &SystemPaths,
    ) -> Result<(), &'static str> {
        Ok(())
    }
}

/// Events that a saved world can list: serializable ones, and with `SKIP = true` all events.
#[diagnostic::on_unimplemented(
    message = "event `{Self}` of world `{W}`, which is saved, cannot be saved: it needs `Reflect`, or `Serialize` and `Deserialize`",
    label = "not `Reflect`",
    note = "add `#[derive(Reflect)]` to `{Self}`, or the other one of `Serialize` and `Deserialize` if it has one of them; or, if it is not to be saved, `#[event(skip)]`",
    note = "if `{Self}` is a type of a library with parameters, the types in `<..>` need the derives"
)]
pub trait SaveEvent<W: World, const SKIP: bool>: Sized + 'static {
    /// Adds the event to the list of a world.
    #[doc(hidden)]
    fn list(list: &mut SavedTypes, aliases: &'static [&'static str]);
}

#[diagnostic::do_not_recommend]
impl<W: HasEvent<T>, T: Serialize + DeserializeOwned + 'static> SaveEvent<W, false> for T {
    fn list(list: &mut SavedTypes, aliases: &'static [&'static str]) {
        list.events.push(Box::new(SavedEntry::<W, T>::new(<W as HasEvent<T>>::INDEX, aliases)));
    }
}

impl<W: HasEvent<T>, T: 'static> SaveEvent<W, true> for T {
    fn list(list: &mut SavedTypes, aliases: &'static [&'static str]) {
        list.events.push(Box::new(SkippedEntry { index: <W as HasEvent<T>>::INDEX, aliases }));
    }
}

impl<W: HasEvent<E>, E: Serialize + DeserializeOwned + 'static> SavedEvent for SavedEntry<W, E> {
    fn value<'w>(&self, world: &'w dyn AnyWorld, paths: &SystemPaths) -> Box<dyn ErasedSerialize + 'w> {
        Box::new(world.of::<W>().events_of::<E>().image(paths))
    }

    fn write(&self, world: &dyn AnyWorld, paths: &SystemPaths) -> Result<Vec<u8>, Fault> {
        let bytes = to_vec(&world.of::<W>().events_of::<E>().image(paths))?;
        check::<E, EventsImage<KeptValues<E>>>(&bytes)?;
        Ok(bytes)
    }

    fn read_one(&self, file: &mut dyn ReadForm<'_>) -> Result<Box<dyn Any>, FormError> {
        Ok(Box::new(read_value::<EventsImage<KeptValues<E>>>(file)?))
    }

    fn read(&self, bytes: &[u8]) -> Result<Box<dyn Any>, Fault> {
        Ok(Box::new(read::from_bytes::<EventsImage<KeptValues<E>>>(bytes)?))
    }

    fn set(
        &self,
        world: &mut dyn AnyWorld,
        queue: Box<dyn Any>,
        paths: &SystemPaths,
    ) -> Result<(), &'static str> {
        let Ok(queue) = queue.downcast::<EventsImage<KeptValues<E>>>() else { return Ok(()) };
        world.of_mut::<W>().events_of_mut::<E>().restore::<W>(*queue, paths)
    }
}

impl SavedEvent for SkippedEntry {}

//! Saving and loading the values that are saved as a whole: resources, the queues of events with the
//! positions of their readers, and the logs of removed values of components.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::SavedTypes;
use crate::event::HasEvent;
use crate::persist::compact::read;
use crate::persist::compact::write::to_vec;
use crate::persist::erased::{ErasedSerialize, FormError, ReadForm, read_value};
use crate::persist::image::{EventsImage, KeptValues, SystemPaths};
use crate::raw_world::WorldFields;
use crate::resource::HasResource;
use crate::save::any_world::AnyWorld;
use crate::save::column::check;
use crate::save::layout::Layout;
use crate::world::World;

/// The functions of a value that is saved as a whole.
#[expect(clippy::type_complexity, reason = "each function is called once")]
pub(crate) struct SavedValueFunctions {
    /// The value, to be written; `None` if the world has none.
    pub(in crate::save) image:
        for<'w> fn(&'w dyn AnyWorld, &SystemPaths) -> Option<Box<dyn ErasedSerialize + 'w>>,
    /// Reads a value in the human-readable form.
    pub(in crate::save) read: fn(&mut dyn ReadForm<'_>) -> Result<Box<dyn Any>, FormError>,
    /// Reads a value in the compact form.
    pub(in crate::save) read_bytes: fn(&[u8]) -> Result<Box<dyn Any>, FormError>,
    /// Replaces the value of a world by one that was read.
    pub(in crate::save) restore:
        fn(&mut dyn AnyWorld, Box<dyn Any>, &SystemPaths) -> Result<(), &'static str>,
}

/// Reads a value whose type the caller knows.
pub(crate) fn read_boxed<T: DeserializeOwned + 'static>(
    form: &mut dyn ReadForm<'_>,
) -> Result<Box<dyn Any>, FormError> {
    Ok(Box::new(read_value::<T>(form)?))
}

/// Reads a value whose type the caller knows, in the compact form.
pub(super) fn read_boxed_bytes<T: DeserializeOwned + 'static>(
    bytes: &[u8],
) -> Result<Box<dyn Any>, FormError> {
    Ok(Box::new(read::from_bytes::<T>(bytes)?))
}

/// The kinds of values that are listed beside the components.
#[derive(Clone, Copy)]
pub(in crate::save) enum ValueKind {
    Resource,
    Event,
}

impl ValueKind {
    /// Both kinds, in the order of the compact form.
    pub(in crate::save) const ALL: [Self; 2] = [Self::Resource, Self::Event];

    pub(in crate::save) const fn noun(self) -> &'static str {
        match self {
            Self::Resource => "resource",
            Self::Event => "event",
        }
    }
}

/// A resource or an event of a world, as saving sees it.
pub(crate) struct SavedValue {
    pub(in crate::save) index: usize,
    /// The name in files.
    pub(in crate::save) name: &'static str,
    /// The former names of the type, which files may contain.
    pub(in crate::save) aliases: &'static [&'static str],
    /// `None` if the type is skipped.
    pub(in crate::save) functions: Option<&'static SavedFunctions>,
}

/// The functions of a resource or an event that is saved.
pub(crate) struct SavedFunctions {
    pub(in crate::save) layout: fn() -> Layout,
    /// Writes the value in the compact form.
    pub(in crate::save) write: fn(&dyn AnyWorld, &SystemPaths) -> Result<Vec<u8>, FormError>,
    pub(in crate::save) value: SavedValueFunctions,
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
    fn list(list: &mut SavedTypes, aliases: &'static [&'static str]);
}

#[diagnostic::do_not_recommend]
impl<W: HasResource<T>, T: Serialize + DeserializeOwned + 'static> SaveResource<W, false> for T {
    fn list(list: &mut SavedTypes, aliases: &'static [&'static str]) {
        let functions = const {
            &SavedFunctions {
                layout: Layout::of::<T>,
                write: |world, _| {
                    let bytes = to_vec(world.of::<W>().resource::<T>())?;
                    check::<T, T>(&bytes)?;
                    Ok(bytes)
                },
                value: SavedValueFunctions {
                    image: |world, _| Some(Box::new(world.of::<W>().resource::<T>())),
                    read: read_boxed::<T>,
                    read_bytes: read_boxed_bytes::<T>,
                    // a world is made with the resources of the file
                    restore: |_, _, _| Ok(()),
                },
            }
        };
        list.resources.push(SavedValue { index: W::INDEX, name: "", aliases, functions: Some(functions) });
    }
}

impl<W: HasResource<T>, T: 'static> SaveResource<W, true> for T {
    fn list(list: &mut SavedTypes, aliases: &'static [&'static str]) {
        list.resources.push(SavedValue { index: W::INDEX, name: "", aliases, functions: None });
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
    fn list(list: &mut SavedTypes, aliases: &'static [&'static str]);
}

#[diagnostic::do_not_recommend]
impl<W: HasEvent<T>, T: Serialize + DeserializeOwned + 'static> SaveEvent<W, false> for T {
    fn list(list: &mut SavedTypes, aliases: &'static [&'static str]) {
        let functions = const {
            &SavedFunctions {
                layout: Layout::of::<T>,
                write: |world, paths| {
                    let bytes = to_vec(&world.of::<W>().events_of::<T>().image(paths))?;
                    check::<T, EventsImage<KeptValues<T>>>(&bytes)?;
                    Ok(bytes)
                },
                value: SavedValueFunctions {
                    image: |world, paths| Some(Box::new(world.of::<W>().events_of::<T>().image(paths))),
                    read: read_boxed::<EventsImage<KeptValues<T>>>,
                    read_bytes: read_boxed_bytes::<EventsImage<KeptValues<T>>>,
                    restore: |world, queue, paths| match queue.downcast::<EventsImage<KeptValues<T>>>() {
                        Ok(queue) => world.of_mut::<W>().events_of_mut::<T>().restore::<W>(*queue, paths),
                        Err(_) => Ok(()),
                    },
                },
            }
        };
        list.events.push(SavedValue { index: W::INDEX, name: "", aliases, functions: Some(functions) });
    }
}

impl<W: HasEvent<T>, T: 'static> SaveEvent<W, true> for T {
    fn list(list: &mut SavedTypes, aliases: &'static [&'static str]) {
        list.events.push(SavedValue { index: W::INDEX, name: "", aliases, functions: None });
    }
}

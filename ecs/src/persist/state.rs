//! Saving the state of systems. A file identifies a state by schedule, system and occurrence.
//!
//! The type of a system's state cannot be named. Its saved parts implement [`SavedState`]: the
//! values of `Local`s, the history of `Entered` and `Exited` filters, and the slots that commands
//! have reserved. The positions of event readers are not among the parts: they are saved with the
//! queue of the event or with the log of removed values.

use alloc::boxed::Box;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::entity::reserved_slots::ReservedSlots;
use crate::persist::compact::read::Reader;
use crate::persist::erased::{ErasedSerialize, FormError, ReadForm, read_value};

/// A part of a system's state that is saved.
pub trait SavedState: Send + Sync {
    /// A description of the part, for messages.
    fn what(&self) -> &'static str;
    /// The value to save.
    fn save_kept(&self) -> Box<dyn ErasedSerialize + '_>;
    /// Restores the part from a file in the human-readable form.
    fn load_kept(&mut self, file: &mut dyn ReadForm<'_>, context: &LoadContext<'_>) -> Result<(), FormError>;
    /// Restores the part from a file in the compact form.
    fn read_kept(&mut self, file: &mut Reader<'_, '_>, context: &LoadContext<'_>) -> Result<(), FormError> {
        self.load_kept(&mut <dyn ReadForm<'_>>::of(file), context).map_err(FormError::text)
    }
    /// Checks that bytes in the compact form, which are the saved value, can be read.
    fn check(&self, _bytes: &[u8]) -> Result<(), FormError> {
        Ok(())
    }
    /// The reserved slots, if this is the state of `Commands`.
    fn reserved_slots(&mut self) -> Option<&mut ReservedSlots> {
        None
    }
}

/// The data of a file that is needed to restore a part of a system's state.
pub struct LoadContext<'f> {
    /// The tick at which the world was saved.
    pub(crate) tick: u64,
    /// The number of entity slots in the file.
    pub(crate) slots: usize,
    /// Maps the number of a component in the file to its index in the world.
    pub(crate) index_of: &'f dyn Fn(u16) -> Option<usize>,
}

/// Function pointers that save and load a `T`, for callers that cannot require `T: Serialize`.
pub struct ValueCode<T> {
    pub(crate) save: fn(&T) -> &dyn ErasedSerialize,
    pub(crate) load: fn(&mut dyn ReadForm<'_>) -> Result<T, FormError>,
    /// Loads from the compact form. It has its own function, because the memory limit counts the
    /// size of sequence elements.
    pub(crate) read: for<'r, 'de, 'm> fn(&'r mut Reader<'de, 'm>) -> Result<T, FormError>,
}

impl<T> Clone for ValueCode<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for ValueCode<T> {}

impl<T: Serialize + DeserializeOwned> ValueCode<T> {
    pub(crate) const OF: Self =
        Self { save: |value| value, load: |file| read_value(file), read: |reader| reader.value() };
}

/// `World::Saving` of a world that is not saved.
pub enum Unsaved {}

/// `World::Saving` of a world that derives `Serialize` and `Deserialize`.
pub enum IsSaved {}

/// Selects whether the `Local<T>`s of a world are saved. Implemented by `Unsaved` for all `T`, by
/// `IsSaved` for serializable `T`.
pub trait SavesLocal<T> {
    /// The functions that write and read a saved `Local`.
    const CODE: Option<ValueCode<T>>;
}

impl<T> SavesLocal<T> for Unsaved {
    const CODE: Option<ValueCode<T>> = None;
}

impl<T: Serialize + DeserializeOwned> SavesLocal<T> for IsSaved {
    const CODE: Option<ValueCode<T>> = Some(ValueCode::OF);
}

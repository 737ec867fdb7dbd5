//! What systems remember, in files: by schedule, system and occurrence.
//!
//! A state is a value of a type that nobody names. What of it is saved are parts that know themselves how: the values of
//! `Local`s, who passed a filter, the slots of those that commands will spawn. How far readers are, events and logs know.

use alloc::boxed::Box;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::compact::Fault;
use super::compact::read::Reader;
use crate::entity::reserved_slots::ReservedSlots;
use crate::world::World;

/// A part of a system's state.
pub trait SavedState: Send + Sync {
    /// What it is, for messages.
    fn what(&self) -> &'static str;
    /// What is saved.
    fn save_kept(&self) -> Box<dyn erased_serde::Serialize + '_>;
    /// Takes on what a file says.
    fn load_kept(
        &mut self,
        file: &mut dyn erased_serde::Deserializer<'_>,
        context: &LoadContext<'_>,
    ) -> Result<(), erased_serde::Error>;
    /// The same from the compact form.
    fn read_kept(&mut self, file: &mut Reader<'_, '_>, context: &LoadContext<'_>) -> Result<(), Fault> {
        self.load_kept(&mut <dyn erased_serde::Deserializer<'_>>::erase(file), context).map_err(Fault::text)
    }
    /// The reserved slots, if this is the state of `Commands`.
    fn reserved_slots(&mut self) -> Option<&mut ReservedSlots> {
        None
    }
}

/// What there is to know about a file.
pub struct LoadContext<'f> {
    /// When it was saved.
    pub(crate) tick: u64,
    /// How many slots there are.
    pub(crate) slots: usize,
    /// Which component of the world one of the file is.
    pub(crate) index_of: &'f dyn Fn(u16) -> Option<usize>,
}

/// How values are saved and loaded of whose type only these functions know.
pub struct ValueCode<T> {
    pub(crate) save: fn(&T) -> &dyn erased_serde::Serialize,
    pub(crate) load: fn(&mut dyn erased_serde::Deserializer<'_>) -> Result<T, erased_serde::Error>,
    /// From the compact form: there it is known how large the elements of sequences are.
    pub(crate) read: for<'r, 'de, 'm> fn(&'r mut Reader<'de, 'm>) -> Result<T, Fault>,
}

impl<T> Clone for ValueCode<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for ValueCode<T> {}

impl<T: Serialize + DeserializeOwned> ValueCode<T> {
    pub(crate) const OF: Self = Self {
        save: |value| value,
        load: |file| erased_serde::deserialize(file),
        read: |reader| reader.value(),
    };
}

/// Worlds that are not saved.
pub enum Unsaved {}

/// Worlds that are.
pub enum IsSaved {}

/// What a world makes of the values of `Local`s.
pub trait SavesLocal<T> {
    #[doc(hidden)]
    const CODE: Option<ValueCode<T>>;
}

impl<T> SavesLocal<T> for Unsaved {
    const CODE: Option<ValueCode<T>> = None;
}

impl<T: Serialize + DeserializeOwned> SavesLocal<T> for IsSaved {
    const CODE: Option<ValueCode<T>> = Some(ValueCode::OF);
}

/// What a [`Local`](crate::Local) can hold in the systems of a world: anything, unless the world is saved.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a `Local` in world `{W}`, which is saved: it needs `Serialize` and `Deserialize`",
    label = "not `Serialize` and `Deserialize`",
    note = "add `#[derive(Serialize, Deserialize)]` to `{Self}`, or use `Local<Skip<{Self}>>`: it is not saved, and has its default in a loaded world"
)]
pub trait LocalOf<W: World>: Sized {
    #[doc(hidden)]
    const CODE: Option<ValueCode<Self>>;
}

#[diagnostic::do_not_recommend]
impl<T, W: World<Saving: SavesLocal<T>>> LocalOf<W> for T {
    const CODE: Option<ValueCode<T>> = <W::Saving as SavesLocal<T>>::CODE;
}

//! Saving of the values of [`Local`](super::Local)s and of the history of
//! [`Entered`](super::Entered) filters with their world.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::num::NonZeroU32;

use serde::de;

use super::StateParts;
use super::entered::FilterHistory;
use super::local::LocalState;
use crate::base::mask::Slots;
use crate::entity::Entity;
use crate::entity::saved::image::LATEST;
use crate::persist::compact::read::Reader;
use crate::persist::erased::{ErasedSerialize, FormError, ReadForm, read_value};
use crate::persist::state::{LoadContext, SavedState, SavesLocal, ValueCode};
use crate::raw_world::RawWorld;

/// The functions that save and load the value, if the world is saved.
pub(super) type SavingCode<T> = Option<ValueCode<T>>;

/// The bound of `T` in a [`Local<T>`](crate::Local): every type if the world `W` is not saved, else
/// the serializable types.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a `Local` in world `{W}`, which is saved: it needs `Serialize` and `Deserialize`",
    label = "not `Serialize` and `Deserialize`",
    note = "add `#[derive(Serialize, Deserialize)]` to `{Self}`, of a collection to the type in it, or use `Local<Skip<{Self}>>`: it is not saved, and has its default in a loaded world"
)]
pub trait LocalOf<W: RawWorld>: Sized {
    #[doc(hidden)]
    const CODE: Option<ValueCode<Self>>;
}

#[diagnostic::do_not_recommend]
impl<T, W: RawWorld<Saving: SavesLocal<T>>> LocalOf<W> for T {
    const CODE: Option<ValueCode<T>> = <W::Saving as SavesLocal<T>>::CODE;
}

impl<T: Send + Sync + 'static> StateParts for LocalState<T> {
    fn saved_states<'s>(&'s self, each: &mut dyn FnMut(&'s dyn SavedState)) {
        if self.code.is_some() {
            each(self);
        }
    }

    fn saved_states_mut<'s>(&'s mut self, each: &mut dyn FnMut(&'s mut dyn SavedState)) {
        if self.code.is_some() {
            each(self);
        }
    }
}

impl<T: Send + Sync + 'static> SavedState for LocalState<T> {
    fn what(&self) -> &'static str {
        core::any::type_name::<T>()
    }

    fn save_kept(&self) -> Box<dyn ErasedSerialize + '_> {
        match &self.code {
            Some(code) => Box::new((code.save)(&self.value)),
            None => Box::new(()),
        }
    }

    fn load_kept(&mut self, file: &mut dyn ReadForm<'_>, _: &LoadContext<'_>) -> Result<(), FormError> {
        if let Some(code) = &self.code {
            self.value = (code.load)(file)?;
        }
        Ok(())
    }

    fn read_kept(&mut self, file: &mut Reader<'_, '_>, _: &LoadContext<'_>) -> Result<(), FormError> {
        if let Some(code) = &self.code {
            self.value = (code.read)(file)?;
        }
        Ok(())
    }

    fn check(&self, bytes: &[u8]) -> Result<(), FormError> {
        let mut file = Reader::new(bytes);
        match &self.code {
            Some(code) => (code.read)(&mut file).and_then(|_| file.end()),
            None => Ok(()),
        }
    }
}

impl SavedState for FilterHistory {
    fn what(&self) -> &'static str {
        "entities that passed a filter"
    }

    fn save_kept(&self) -> Box<dyn ErasedSerialize + '_> {
        let there = Slots::new(&self.bits).filter_map(|slot| {
            Some(Entity::from_parts(slot, NonZeroU32::new(self.generations[slot as usize])?))
        });
        let seen = self.seen.min(LATEST);
        let mut there: Vec<Entity> =
            self.loaded.iter().chain(&self.displaced).copied().chain(there).collect();
        there.sort_unstable();
        Box::new((seen, there))
    }

    fn load_kept(&mut self, file: &mut dyn ReadForm<'_>, context: &LoadContext<'_>) -> Result<(), FormError> {
        let (seen, there): (u64, Vec<Entity>) = read_value(file)?;
        let words = there.last().map_or(0, |last| last.slot() as usize / 64 + 1);
        if seen > context.tick || words * 64 > context.slots || !there.is_sorted_by(|a, b| a < b) {
            return Err(de::Error::custom(
                "the entities that passed a filter are not sorted, or have slots that the world does not have, or were recorded at a later tick",
            ));
        }
        *self = Self { seen, loaded: there, ..Self::default() };
        Ok(())
    }
}

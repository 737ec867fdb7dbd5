//! Saving of the slots that commands have reserved, as a part of the state of their system.

use alloc::boxed::Box;

use super::CommandState;
use crate::base::component_set::ComponentSet;
use crate::entity::reserved_slots::ReservedSlots;
use crate::persist::erased::{ErasedSerialize, FormError, ReadForm, read_value};
use crate::persist::state::{LoadContext, SavedState};
use crate::raw_world::RawWorld;

impl<W: RawWorld> SavedState for CommandState<W> {
    fn what(&self) -> &'static str {
        "slots reserved for entities that commands spawn"
    }

    fn save_kept(&self) -> Box<dyn ErasedSerialize + '_> {
        Box::new(self.reserved.image())
    }

    fn load_kept(&mut self, file: &mut dyn ReadForm<'_>, context: &LoadContext<'_>) -> Result<(), FormError> {
        let words = ComponentSet::words_for(W::COMPONENT_NAMES.len());
        self.reserved = ReservedSlots::of_image(read_value(file)?, context.index_of, words);
        Ok(())
    }

    fn reserved_slots(&mut self) -> Option<&mut ReservedSlots> {
        Some(&mut self.reserved)
    }
}

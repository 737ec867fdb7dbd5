//! The slots that commands have reserved are saved with the world.

use alloc::boxed::Box;

use super::CommandState;
use crate::base::component_set::ComponentSet;
use crate::entity::reserved_slots::ReservedSlots;
use crate::persist::state::{LoadContext, SavedState};
use crate::raw_world::RawWorld;

impl<W: RawWorld> SavedState for CommandState<W> {
    fn what(&self) -> &'static str {
        "slots reserved for entities that commands spawn"
    }

    fn save_kept(&self) -> Box<dyn erased_serde::Serialize + '_> {
        Box::new(self.reserved.image())
    }

    fn load_kept(
        &mut self,
        file: &mut dyn erased_serde::Deserializer<'_>,
        context: &LoadContext<'_>,
    ) -> Result<(), erased_serde::Error> {
        let words = ComponentSet::words_for(W::COMPONENT_NAMES.len());
        self.reserved = ReservedSlots::of_image(erased_serde::deserialize(file)?, context.index_of, words);
        Ok(())
    }

    fn reserved_slots(&mut self) -> Option<&mut ReservedSlots> {
        Some(&mut self.reserved)
    }
}

//! The history of a filter is saved with the world.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::num::NonZeroU32;

use serde::de;

use super::FilterHistory;
use crate::base::mask::Bits;
use crate::entity::Entity;
use crate::entity::image::LATEST;
use crate::persist::state::{LoadContext, SavedState};
use crate::system::StateParts;

impl StateParts for FilterHistory {
    fn saved_states<'s>(&'s self, each: &mut dyn FnMut(&'s dyn SavedState)) {
        each(self);
    }
    fn saved_states_mut<'s>(&'s mut self, each: &mut dyn FnMut(&'s mut dyn SavedState)) {
        each(self);
    }
}
impl SavedState for FilterHistory {
    fn what(&self) -> &'static str {
        "entities that passed a filter"
    }

    fn save_kept(&self) -> Box<dyn erased_serde::Serialize + '_> {
        let slots =
            self.bits.iter().enumerate().flat_map(|(word, &bits)| Bits(bits).map(move |bit| word * 64 + bit));
        let there =
            slots.filter_map(|slot| Some(Entity::new(slot as u32, NonZeroU32::new(self.generations[slot])?)));
        let seen = self.seen.min(LATEST);
        Box::new((seen, self.loaded.iter().copied().chain(there).collect::<Vec<_>>()))
    }

    fn load_kept(
        &mut self,
        file: &mut dyn erased_serde::Deserializer<'_>,
        context: &LoadContext<'_>,
    ) -> Result<(), erased_serde::Error> {
        let (seen, there): (u64, Vec<Entity>) = erased_serde::deserialize(file)?;
        let words = there.last().map_or(0, |last| last.slot() as usize / 64 + 1);
        if seen > context.tick
            || words * 64 > context.slots
            || !there.is_sorted_by(|a, b| a.slot() < b.slot())
        {
            return Err(de::Error::custom(
                "the entities that passed a filter are not sorted, or have slots that the world does not have, or were recorded at a later tick",
            ));
        }
        *self = Self { seen, loaded: there, ..Self::default() };
        Ok(())
    }
}

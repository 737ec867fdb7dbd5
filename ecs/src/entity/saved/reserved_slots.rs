//! Saving of the slots that commands have reserved, and their registration when a world is loaded.

use super::image::{self, ReservedGroupImage, ReservedSlotsImage};
use crate::base::component_set::SpawnSet;
use crate::entity::allocator::Entities;
use crate::entity::reserved_slots::{Reservation, ReservedBlock, ReservedGroup, ReservedSlots};

impl ReservedSlots {
    pub(in crate::entity) fn number(&self) -> usize {
        self.reservation.number
    }

    pub(in crate::entity) fn set_number(&mut self, number: usize) {
        self.reservation = Reservation::unknown(number);
    }

    /// The blocks that these reserved slots own.
    pub(in crate::entity) fn blocks(&self) -> impl Iterator<Item = u32> + '_ {
        self.groups.iter().flat_map(|entry| entry.blocks.iter().map(|taken| taken.block))
    }

    /// The blocks that these reserved slots own, each with the set of the entities that are spawned
    /// in it.
    #[cfg(test)]
    pub(super) fn blocks_with_sets(&self) -> impl Iterator<Item = (u32, &SpawnSet)> {
        self.groups.iter().flat_map(|entry| entry.blocks.iter().map(|taken| (taken.block, &entry.set)))
    }

    /// The saved form.
    pub(crate) fn image(&self) -> ReservedSlotsImage {
        let Self { reservation, groups, last: _, taken: _, cursor: _, flushed: _ } = self.clone();
        let groups = groups.into_iter().map(|entry| {
            let ReservedGroup { set, requested: _, blocks, used: _, spawned: _, wanted } = entry;
            ReservedGroupImage {
                set: image::indices(&set.components),
                wanted: wanted as u32,
                blocks: blocks.iter().map(|taken| (taken.block, taken.free)).collect(),
            }
        });
        ReservedSlotsImage { number: reservation.number as u32, groups: groups.collect() }
    }

    /// The reserved slots of an image. [`Entities::register_reserved`] must check them before they
    /// are used.
    pub(crate) fn of_image(
        image: ReservedSlotsImage,
        index_of: &dyn Fn(u16) -> Option<usize>,
        words: usize,
    ) -> Self {
        let groups = image.groups.into_iter().map(|entry| ReservedGroup {
            set: SpawnSet::of(image::words(&entry.set, index_of), words),
            requested: None,
            blocks: entry
                .blocks
                .iter()
                .map(|&(block, free)| ReservedBlock { block, free, given: 0, fresh: false })
                .collect(),
            used: 0,
            spawned: 0,
            wanted: entry.wanted as usize,
        });
        let reservation = Reservation::unknown(image.number as usize);
        Self { reservation, groups: groups.collect(), ..Self::default() }
    }

    /// Makes the reservation known to the allocator, limits the slots that can be handed out to the
    /// free ones, and notes the columns of each block.
    pub(in crate::entity) fn fill_again(&mut self, entities: &mut Entities) {
        self.reservation = entities.new_key(self.number());
        for entry in &mut self.groups {
            for taken in &mut entry.blocks {
                taken.free &= entities.free_of(taken.block);
                entities.hold_set(taken.block, &entry.set.components);
            }
        }
    }
}

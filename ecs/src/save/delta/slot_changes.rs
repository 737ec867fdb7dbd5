//! Changes slot by slot, for a sender that sends some entities now and others later.

use alloc::vec::Vec;

use super::sets::{SparseSlots, push};
use super::{Baseline, ChangedSlots};
use crate::base::mask::Bits;
use crate::entity::Entity;
use crate::raw_world::fields::table;
use crate::raw_world::targets::of_saved;
use crate::save::SaveError;
use crate::save::layout::{Layout, fingerprint};
use crate::save::selection::Selection;
use crate::world::World;

/// A change of the entity in a slot, in [`ChangedSlots`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SlotChange {
    /// It came into the selection.
    Came,
    /// Another one, or the same one, left the selection before.
    Left,
    /// The component at this place of the selection was added, changed or removed.
    Component(usize),
}

impl ChangedSlots {
    /// Calls `f` with each change and its slot. The order is that of the lists, not of slots.
    pub fn for_each(&self, mut f: impl FnMut(u32, SlotChange)) {
        let mut each = |set: &SparseSlots, change| {
            for &(word, bits) in set {
                Bits(bits).for_each(|bit| f(word * 64 + bit as u32, change));
            }
        };
        each(&self.came, SlotChange::Came);
        each(&self.gone, SlotChange::Left);
        for (at, lists) in self.components.iter().enumerate() {
            lists.iter().for_each(|list| each(list, SlotChange::Component(at)));
        }
    }
}

impl<W: World> Baseline<W> {
    /// The selected entities in this slot and those after it, in the order of their slots.
    pub fn entities_from(&self, slot: u32) -> impl Iterator<Item = Entity> + '_ {
        let state = self.state.iter();
        state.flat_map(move |(snapshot, chosen)| {
            let words = chosen.entities.iter().enumerate().skip(slot as usize / 64);
            let slots = words.flat_map(|(word, &bits)| Bits(bits).map(move |bit| word * 64 + bit));
            let slots = slots.skip_while(move |&at| at < slot as usize);
            slots.filter_map(move |slot| snapshot.world().__living().frozen_at(slot))
        })
    }
}

impl<W: World> Selection<W> {
    /// The names of the selected components, in their order.
    pub fn names(&self) -> &[&'static str] {
        &self.names
    }

    /// A hash of the layout of the component at this place: two programs with equal hashes read
    /// each other's values.
    pub fn layout_of(&self, component: usize) -> u64 {
        fingerprint([&*self.components[component].layout().text].into_iter())
    }

    /// Whether a rule of the component at this place compares values of several entities, so that
    /// it may refuse a new value beside an old one: relations, keys, unique components.
    pub fn is_coupled(&self, component: usize) -> bool {
        self.components[component].refuses()
    }

    /// The places of the selected components that every target of the relation at this place has,
    /// by its option `target(..)`: a receiver refuses the relation to an entity without them.
    pub fn of_targets(&self, relation: usize) -> impl Iterator<Item = usize> + '_ {
        let named = of_saved::<W>(self.components[relation].index());
        (0..self.components.len()).filter(move |&at| named.contains(self.components[at].index()))
    }

    /// Whether an entity has the component at this place.
    pub fn has(&self, component: usize, world: &W, entity: Entity) -> bool {
        let column = table(world, self.components[component].index());
        world.contains(entity) && column.is_some_and(|column| column.contains(entity.slot()))
    }

    /// The changes of these slots, which ascend, as [`ChangedSlots::for_each`] gives them: for
    /// [`delta_of`](Self::delta_of).
    pub fn changes_of(&self, changes: impl IntoIterator<Item = (u32, SlotChange)>) -> ChangedSlots {
        let components = alloc::vec![Default::default(); self.components.len()];
        let mut made = ChangedSlots { fingerprint: self.fingerprint, components, ..ChangedSlots::default() };
        for (slot, change) in changes {
            match change {
                SlotChange::Came => push(&mut made.came, slot),
                SlotChange::Left => push(&mut made.gone, slot),
                SlotChange::Component(at) => {
                    made.components[at].iter_mut().for_each(|list| push(list, slot));
                }
            }
        }
        made
    }

    /// The ids in the value that an entity has of the component at this place.
    ///
    /// # Errors
    /// If the value cannot be serialized in the compact form.
    pub fn ids(&self, component: usize, world: &W, entity: Entity) -> Result<Vec<Entity>, SaveError> {
        if !self.has_ids[component] || !world.contains(entity) {
            return Ok(Vec::new());
        }
        let slot = entity.slot();
        let ids = self.components[component].ids(world, slot);
        ids.map_err(|fault| self.value_error(component, world, Some(slot as usize), &fault))
    }
}

/// A hash of the layout of a type's serialized values: two programs with equal hashes read each
/// other's values.
pub fn layout_hash<T: serde::de::DeserializeOwned>() -> u64 {
    fingerprint([&*Layout::of::<T>().text].into_iter())
}

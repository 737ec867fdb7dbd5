//! The systems that take and discard items.

use ecs::prelude::*;

use super::{
    CarriedBy, Discard, Discarded, InUse, Inventory, InventoryReason, InventoryRefusal, Stack, Take,
    Takeable, Taken, Weight, free_slot,
};
use crate::places::{Located, Place};

/// System: carries out the requests [`Take`] and then [`Discard`], each in the order in which they
/// were sent. Requests that are not possible are answered by [`InventoryRefusal`].
///
/// A schedule names it with the component that says where an entity is, as `carry_out::<Position>`.
/// To take an item, the bearer needs an [`Inventory`] with a free slot, and the item must be
/// [`Takeable`], lie within its [reach](Inventory::reach), and not be too heavy. A stack goes into
/// stacks of its kind as far as there is room, and needs a slot for the rest only.
///
/// # Cost
/// For each request, linear in the number of items of the bearer.
#[system]
pub fn carry_out<P: Located + Clone>(
    mut takes: EventReader<Take>,
    mut discards: EventReader<Discard>,
    mut packs: Packs<'_, P>,
    mut refused: EventWriter<InventoryRefusal>,
) {
    refused.extend(takes.iter().filter_map(|take| packs.take(*take).err()));
    refused.extend(discards.iter().filter_map(|discard| packs.discard(*discard).err()));
}

/// System: [`carry_out`] that fails with the first request that is not possible. The requests
/// before it are carried out.
///
/// # Errors
/// A request is not possible.
#[system]
pub fn try_carry_out<P: Located + Clone>(
    mut takes: EventReader<Take>,
    mut discards: EventReader<Discard>,
    mut packs: Packs<'_, P>,
) -> Result<(), InventoryRefusal> {
    takes.iter().try_for_each(|take| packs.take(*take))?;
    discards.iter().try_for_each(|discard| packs.discard(*discard))
}

/// System: despawns stacks of no items.
#[system(W)]
pub fn discard_empty<W: World>(stacks: Query<(Entity, &Stack)>, mut commands: Commands<W>) {
    for (entity, _) in stacks.iter().filter(|(_, stack)| stack.count == 0) {
        commands.despawn_if_alive(entity); // a stack in it may be empty, too
    }
}

/// The parameters of [`carry_out`] and [`try_carry_out`], apart from the requests and refusals.
#[derive(SystemParam)]
pub struct Packs<'w, P: Located + Clone> {
    carried: Storage<'w, CarriedBy>,
    places: Storage<'w, P>,
    bearers: Query<'w, &'static Inventory>,
    items: Query<'w, (Is<Takeable>, Is<InUse>, Option<&'static Weight>)>,
    stacks: Query<'w, &'static mut Stack>,
    taken: EventWriter<'w, Taken>,
    discarded: EventWriter<'w, Discarded>,
}

impl<P: Located + Clone> Packs<'_, P> {
    fn take(&mut self, Take { entity, item }: Take) -> Result<(), InventoryRefusal> {
        let taken = self.pick_up(entity, item).map_err(|reason| InventoryRefusal { entity, item, reason })?;
        self.taken.send(taken);
        Ok(())
    }

    fn discard(&mut self, Discard { entity, item }: Discard) -> Result<(), InventoryRefusal> {
        self.put_down(entity, item).map_err(|reason| InventoryRefusal { entity, item, reason })?;
        self.discarded.send(Discarded { entity, item });
        Ok(())
    }

    /// Takes an item from the floor. Returns the event, which names the stack that the item went
    /// into, if it did.
    fn pick_up(&mut self, entity: Entity, item: Entity) -> Result<Taken, InventoryReason> {
        // the item must be at hand, takeable, and not carry its own bearer
        let inventory = *self.bearers.get(entity).ok_or(InventoryReason::NoInventory)?;
        let here = self.places.get(entity).ok_or(InventoryReason::Nowhere)?.place();
        if !self.places.get(item).is_some_and(|there| here.is_within(there.place(), inventory.reach)) {
            return Err(InventoryReason::NotHere);
        }
        if entity == item || !self.items.get(item).is_some_and(|(takeable, ..)| *takeable) {
            return Err(InventoryReason::NotTakeable);
        }
        if self.carried.related().ancestors(entity).any(|bearer| bearer == item) {
            return Err(InventoryReason::CarriesBearer);
        }
        self.weigh(entity, item, inventory)?;

        // a stack that fits into those of its kind needs no slot of its own
        let others = self.fillable(entity, item);
        let count = self.stacks.get(item).map(|stack| u64::from(stack.count));
        let mut room = 0;
        let takes_the_rest = others.iter().find(|(_, more)| {
            room += u64::from(*more);
            count.is_some_and(|count| count <= room)
        });
        let slot = match takes_the_rest {
            Some((stack, _)) => Err(*stack),
            None => {
                let free = free_slot(self.carried.related(), entity, inventory.slots);
                Ok(free.ok_or(InventoryReason::NoFreeSlot)?)
            }
        };
        // from here on nothing can fail
        self.fill(item, &others);
        self.places.remove(item);
        match slot {
            Ok(slot) => {
                self.carried
                    .insert(item, CarriedBy { bearer: entity, slot })
                    .expect("the place says that both live, and the item does not carry the entity");
                Ok(Taken { entity, item, slot })
            }
            // all items of the stack are in others now, and the item has no slot of its own
            Err(item) => {
                Ok(Taken { entity, item, slot: self.carried.get(item).map_or(0, |carried| carried.slot) })
            }
        }
    }

    /// Checks that the bearer can carry the item besides the others.
    fn weigh(&self, entity: Entity, item: Entity, inventory: Inventory) -> Result<(), InventoryReason> {
        if inventory.max_weight == u64::MAX {
            return Ok(());
        }
        let load = self
            .carried
            .related()
            .sources(entity)
            .iter()
            .fold(0u64, |sum, item| sum.saturating_add(self.weight(*item)));
        let (weight, left) = (self.weight(item), inventory.max_weight.saturating_sub(load));
        if weight > left { Err(InventoryReason::TooHeavy { weight, left }) } else { Ok(()) }
    }

    /// The weight of an item, or of all items of a stack.
    fn weight(&self, item: Entity) -> u64 {
        let one = self.items.get(item).and_then(|(.., weight)| weight).map_or(0, |weight| weight.0);
        u64::from(one) * u64::from(self.stacks.get(item).map_or(1, |stack| stack.count))
    }

    /// The stacks of the bearer that the item can go into, with the number of items that each has
    /// room for.
    fn fillable(&self, entity: Entity, item: Entity) -> Vec<(Entity, u32)> {
        let Some(new) = self.stacks.get(item).copied() else { return Vec::new() };
        let others = self
            .carried
            .related()
            .sources(entity)
            .iter()
            .filter(|other| **other != item)
            .filter_map(|other| Some((*other, self.stacks.get(*other)?)));
        let room = others
            .filter(|(_, other)| other.kind == new.kind)
            .map(|(entity, other)| (entity, other.max.saturating_sub(other.count)));
        room.filter(|(_, room)| *room > 0).collect()
    }

    /// Moves items of a stack into others, as far as there is room.
    fn fill(&mut self, item: Entity, others: &[(Entity, u32)]) {
        let Some(mut left) = self.stacks.get(item).map(|stack| stack.count) else { return };
        for (other, room) in others {
            let moved = left.min(*room);
            left -= moved;
            if let Some(other) = self.stacks.get_mut(*other) {
                other.count += moved;
            }
        }
        if let Some(stack) = self.stacks.get_mut(item) {
            stack.count = left;
        }
    }

    /// Puts an item down at the place of its bearer.
    fn put_down(&mut self, entity: Entity, item: Entity) -> Result<(), InventoryReason> {
        // only what the entity carries, does not use, and may part with
        if !self.bearers.contains(entity) {
            return Err(InventoryReason::NoInventory);
        }
        if self.carried.get(item).is_none_or(|carried| carried.bearer != entity) {
            return Err(InventoryReason::NotCarried);
        }
        match self.items.get(item) {
            Some((_, in_use, _)) if *in_use => return Err(InventoryReason::InUse),
            Some((takeable, ..)) if *takeable => {}
            _ => return Err(InventoryReason::NotTakeable),
        }
        // the place first: if it is refused, the item stays in the inventory
        let here = self.places.get(entity).cloned().ok_or(InventoryReason::Nowhere)?;
        if self.places.insert(item, here).is_err() {
            return Err(InventoryReason::Nowhere);
        }
        self.carried.remove(item);
        Ok(())
    }
}

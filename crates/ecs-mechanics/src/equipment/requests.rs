//! The systems that equip and unequip.

use ecs::prelude::*;

use super::{Equip, EquipmentReason, EquipmentRefusal, EquipmentSlot, Equipped, Equips};
use crate::inventory::{CarriedBy, InUse};

/// System: carries out the requests [`Equip`] for a slot, in the order in which they were sent.
/// Requests that are not possible are answered by [`EquipmentRefusal`].
///
/// A schedule names it with the slot, as `change_equipment::<Hand>`. To equip an item, the entity
/// needs the slot and must carry the item; the item must fit, and not be in another slot.
#[system]
pub fn change_equipment<S: EquipmentSlot>(
    mut requests: EventReader<Equip<S>>,
    mut bodies: Bodies<'_, S>,
    mut refused: EventWriter<EquipmentRefusal>,
) {
    refused.extend(requests.iter().filter_map(|request| bodies.change(request).err()));
}

/// System: [`change_equipment`] that fails with the first request that is not possible. The
/// requests before it are carried out.
///
/// # Errors
/// A request is not possible.
#[system]
pub fn try_change_equipment<S: EquipmentSlot>(
    mut requests: EventReader<Equip<S>>,
    mut bodies: Bodies<'_, S>,
) -> Result<(), EquipmentRefusal> {
    requests.iter().try_for_each(|request| bodies.change(request))
}

/// System: empties slots whose item is no longer carried by the wearer, because a thief has it, for
/// instance, and marks the items in the other slots as [`InUse`].
#[system]
pub fn settle<S: EquipmentSlot>(
    mut slots: Storage<Equips<S>>,
    mut in_use: Storage<InUse>,
    items: Query<&CarriedBy>,
    mut equipped: EventWriter<Equipped<S>>,
) {
    let is_lost = |entity, item| items.get(item).is_none_or(|carried| carried.bearer != entity);
    let mut lost = Vec::new();
    for (entity, &Equips { item, .. }) in slots.iter() {
        if is_lost(entity, item) {
            lost.push(entity);
        } else if !in_use.contains(item) {
            in_use.insert(item, InUse).expect("a query has found it");
        }
    }
    for entity in lost {
        if let Some(Equips { item, .. }) = slots.remove(entity) {
            in_use.remove(item);
            equipped.send(Equipped::new(entity, None, Some(item)));
        }
    }
}

/// The parameters of [`change_equipment`] and [`try_change_equipment`], apart from the requests and
/// refusals.
#[derive(SystemParam)]
pub struct Bodies<'w, S: EquipmentSlot> {
    slots: Storage<'w, Equips<S>>,
    in_use: Storage<'w, InUse>,
    wearers: Query<'w, Entity, With<S::Wearer>>,
    items: Query<'w, &'static CarriedBy>,
    fitting: Query<'w, Entity, With<S::Fits>>,
    equipped: EventWriter<'w, Equipped<S>>,
}

impl<S: EquipmentSlot> Bodies<'_, S> {
    /// Carries out a request.
    fn change(&mut self, &Equip { entity, item, .. }: &Equip<S>) -> Result<(), EquipmentRefusal> {
        let before = match item {
            Some(item) => self.equip(entity, item),
            None => self.empty(entity).map(Some),
        };
        let before = before.map_err(|reason| EquipmentRefusal { entity, slot: S::NAME.into(), reason })?;
        self.equipped.send(Equipped::new(entity, item, before));
        Ok(())
    }

    /// Empties the slot. Returns its item.
    fn empty(&mut self, entity: Entity) -> Result<Entity, EquipmentReason> {
        if !self.wearers.contains(entity) {
            return Err(EquipmentReason::NoSlot);
        }
        let Equips { item, .. } = self.slots.remove(entity).ok_or(EquipmentReason::Empty)?;
        self.in_use.remove(item);
        Ok(item)
    }

    /// Puts an item into the slot. Returns the item that was in it before.
    fn equip(&mut self, entity: Entity, item: Entity) -> Result<Option<Entity>, EquipmentReason> {
        // who, what, and whether it fits; nothing changes before all is allowed
        if !self.wearers.contains(entity) {
            return Err(EquipmentReason::NoSlot);
        }
        if self.items.get(item).is_none_or(|carried| carried.bearer != entity) {
            return Err(EquipmentReason::NotCarried(item));
        }
        if !self.fitting.contains(item) {
            return Err(EquipmentReason::DoesNotFit(item));
        }
        // an item in this slot already is no mistake, and in another slot it is
        let before = self.slots.get(entity).map(|slot| slot.item);
        match before {
            Some(before) if before == item => return Ok(Some(item)),
            _ if self.in_use.contains(item) => return Err(EquipmentReason::InUse(item)),
            Some(before) if !S::REPLACES => return Err(EquipmentReason::Occupied(before)),
            _ => {}
        }
        // now the item is in use, and the former one is not any more
        self.slots
            .insert(entity, Equips::new(item))
            .expect("both were given by queries, and no item carries itself");
        self.in_use.insert(item, InUse).expect("a query has found it");
        if let Some(before) = before {
            self.in_use.remove(before);
        }
        Ok(before)
    }
}

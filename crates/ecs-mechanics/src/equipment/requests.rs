//! The systems that equip and unequip.

use ecs::prelude::*;

use super::{Equip, EquipmentReason, EquipmentRefusal, EquipmentSlot, Equipped, Equips, Unequip, Unequipped};
use crate::inventory::{CarriedBy, InUse};

/// System: carries out the requests [`Unequip`] and then [`Equip`] for a slot, each in the order in which they were sent. Requests that are
/// not possible are answered by [`EquipmentRefusal`].
///
/// A schedule names it with the slot, as `change_equipment::<Hand>`. To equip an item, the entity needs the slot and must carry the item;
/// the item must fit, and not be in another slot.
#[system]
pub fn change_equipment<S: EquipmentSlot>(
    mut unequips: EventReader<Unequip<S>>,
    mut equips: EventReader<Equip<S>>,
    slots: Storage<Equips<S>>,
    in_use: Storage<InUse>,
    wearers: Query<Entity, With<S::Wearer>>,
    items: Query<&'static CarriedBy>,
    fitting: Query<Entity, With<S::Fits>>,
    mut equipped: EventWriter<Equipped<S>>,
    mut unequipped: EventWriter<Unequipped<S>>,
    mut refused: EventWriter<EquipmentRefusal>,
) {
    let mut bodies = Bodies { slots, in_use, wearers, items, fitting };
    let refusal = |who, reason| EquipmentRefusal { who, slot: S::NAME.into(), reason };
    for &Unequip { who, .. } in &mut unequips {
        match bodies.unequip(who) {
            Ok(item) => unequipped.send(Unequipped::new(who, item)),
            Err(reason) => refused.send(refusal(who, reason)),
        }
    }
    for &Equip { who, item, .. } in &mut equips {
        match bodies.equip(who, item) {
            Ok(old) => {
                unequipped.extend(old.map(|old| Unequipped::new(who, old)));
                equipped.send(Equipped::new(who, item));
            }
            Err(reason) => refused.send(refusal(who, reason)),
        }
    }
}

/// System: [`change_equipment`] that fails with the first request that is not possible. The requests before it are carried out.
///
/// # Errors
/// A request is not possible.
#[system]
pub fn try_change_equipment<S: EquipmentSlot>(
    mut unequips: EventReader<Unequip<S>>,
    mut equips: EventReader<Equip<S>>,
    slots: Storage<Equips<S>>,
    in_use: Storage<InUse>,
    wearers: Query<Entity, With<S::Wearer>>,
    items: Query<&'static CarriedBy>,
    fitting: Query<Entity, With<S::Fits>>,
    mut equipped: EventWriter<Equipped<S>>,
    mut unequipped: EventWriter<Unequipped<S>>,
) -> Result<(), EquipmentRefusal> {
    let mut bodies = Bodies { slots, in_use, wearers, items, fitting };
    let refusal = |who, reason| EquipmentRefusal { who, slot: S::NAME.into(), reason };
    for &Unequip { who, .. } in &mut unequips {
        let item = bodies.unequip(who).map_err(|reason| refusal(who, reason))?;
        unequipped.send(Unequipped::new(who, item));
    }
    for &Equip { who, item, .. } in &mut equips {
        let old = bodies.equip(who, item).map_err(|reason| refusal(who, reason))?;
        unequipped.extend(old.map(|old| Unequipped::new(who, old)));
        equipped.send(Equipped::new(who, item));
    }
    Ok(())
}

/// System: empties slots whose item is no longer carried by the wearer, because a thief has it, for instance.
#[system]
pub fn release<S: EquipmentSlot>(
    wearers: Query<Entity, With<S::Wearer>>,
    mut slots: Storage<Equips<S>>,
    mut in_use: Storage<InUse>,
    items: Query<&CarriedBy>,
    mut unequipped: EventWriter<Unequipped<S>>,
) {
    for who in &wearers {
        let Some(item) = slots.get(who).map(|slot| slot.item) else { continue };
        if items.get(item).is_none_or(|carried| carried.who != who) {
            slots.remove(who);
            in_use.remove(item);
            unequipped.send(Unequipped::new(who, item));
        }
    }
}

/// The data of the systems.
struct Bodies<'w, S: EquipmentSlot> {
    slots: Storage<'w, Equips<S>>,
    in_use: Storage<'w, InUse>,
    wearers: Query<'w, Entity, With<S::Wearer>>,
    items: Query<'w, &'static CarriedBy>,
    fitting: Query<'w, Entity, With<S::Fits>>,
}

impl<S: EquipmentSlot> Bodies<'_, S> {
    /// Empties the slot. Returns its item.
    fn unequip(&mut self, who: Entity) -> Result<Entity, EquipmentReason> {
        if !self.wearers.contains(who) {
            return Err(EquipmentReason::NoSlot);
        }
        let Equips { item, .. } = self.slots.remove(who).ok_or(EquipmentReason::Empty)?;
        self.in_use.remove(item);
        Ok(item)
    }

    /// Puts an item into the slot. Returns the item that was in it before, if it was another one.
    fn equip(&mut self, who: Entity, item: Entity) -> Result<Option<Entity>, EquipmentReason> {
        if !self.wearers.contains(who) {
            return Err(EquipmentReason::NoSlot);
        }
        if self.items.get(item).is_none_or(|carried| carried.who != who) {
            return Err(EquipmentReason::NotCarried(item));
        }
        if !self.fitting.contains(item) {
            return Err(EquipmentReason::DoesNotFit(item));
        }
        let old = self.slots.get(who).map(|slot| slot.item);
        match old {
            Some(old) if old == item => return Ok(None),
            _ if self.in_use.contains(item) => return Err(EquipmentReason::InUse(item)),
            Some(old) if !S::REPLACES => return Err(EquipmentReason::Occupied(old)),
            _ => {}
        }
        self.slots
            .insert(who, Equips::new(item))
            .expect("both were given by queries, and no item carries itself");
        self.in_use.insert(item, InUse).expect("a query has found it");
        if let Some(old) = old {
            self.in_use.remove(old);
        }
        Ok(old)
    }
}

//! [`EquipmentRefusal`]: a request that was not possible, as an event and as an error.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

/// A request to equip or to unequip is not possible. The event of
/// [`change_equipment`](super::change_equipment), and the error of
/// [`try_change_equipment`](super::try_change_equipment).
#[derive(Event, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EquipmentRefusal {
    /// The entity of the request.
    pub entity: Entity,
    /// The name of the slot.
    pub slot: Cow<'static, str>,
    /// The reason.
    pub reason: EquipmentReason,
}

/// The reason of an [`EquipmentRefusal`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum EquipmentReason {
    /// The entity lacks the component [`Wearer`](super::EquipmentSlot::Wearer) of the slot, or is
    /// despawned.
    NoSlot,
    /// The entity does not carry this item.
    NotCarried(Entity),
    /// This item lacks the component [`Fits`](super::EquipmentSlot::Fits) of the slot.
    DoesNotFit(Entity),
    /// This item is in another slot.
    InUse(Entity),
    /// The slot has this item, and does not replace it.
    Occupied(Entity),
    /// The slot is empty.
    Empty,
}

impl fmt::Display for EquipmentRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entity, slot, reason } = self;
        match reason {
            EquipmentReason::NoSlot => write!(f, "entity {entity} has no slot `{slot}`"),
            EquipmentReason::NotCarried(item) => {
                write!(f, "entity {entity} does not carry item {item} for the slot `{slot}`")
            }
            EquipmentReason::DoesNotFit(item) => {
                write!(f, "item {item} does not fit the slot `{slot}` of entity {entity}")
            }
            EquipmentReason::InUse(item) => {
                write!(
                    f,
                    "item {item} for the slot `{slot}` of entity {entity} is in another slot: unequip it first"
                )
            }
            EquipmentReason::Occupied(item) => {
                write!(f, "the slot `{slot}` of entity {entity} has item {item}: unequip it first")
            }
            EquipmentReason::Empty => write!(f, "the slot `{slot}` of entity {entity} is empty"),
        }
    }
}

impl Error for EquipmentRefusal {}

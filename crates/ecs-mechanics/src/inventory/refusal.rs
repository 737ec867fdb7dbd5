//! [`InventoryRefusal`]: a request that was not possible, as an event and as an error.

use std::error::Error;
use std::fmt;

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

/// A request to take or to discard an item is not possible. The event of
/// [`carry_out`](super::carry_out), and the error of [`try_carry_out`](super::try_carry_out).
#[derive(Event, Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct InventoryRefusal {
    /// The entity of the request.
    pub entity: Entity,
    /// The item of the request.
    pub item: Entity,
    /// The reason.
    pub reason: InventoryReason,
}

/// The reason of an [`InventoryRefusal`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum InventoryReason {
    /// The entity has no [`Inventory`](super::Inventory).
    NoInventory,
    /// The entity is at no place.
    Nowhere,
    /// The item does not lie within the entity's reach, or is despawned.
    NotHere,
    /// The item is not [`Takeable`](super::Takeable).
    NotTakeable,
    /// Every slot is taken.
    NoFreeSlot,
    /// The item weighs more than the entity can carry besides its other items.
    TooHeavy {
        /// The weight of the item.
        weight: u64,
        /// The weight that the entity can still carry.
        left: u64,
    },
    /// The item carries the entity, itself or by way of other bearers.
    CarriesBearer,
    /// The item is not in the inventory.
    NotCarried,
    /// The item is [`InUse`](super::InUse).
    InUse,
}

impl fmt::Display for InventoryRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entity, item, reason } = self;
        match reason {
            InventoryReason::NoInventory => write!(f, "entity {entity} has no inventory for item {item}"),
            InventoryReason::Nowhere => {
                write!(f, "entity {entity} is at no place, where item {item} could lie")
            }
            InventoryReason::NotHere => {
                write!(f, "item {item} does not lie within the reach of entity {entity}")
            }
            InventoryReason::NotTakeable => write!(f, "item {item} is not `Takeable` for entity {entity}"),
            InventoryReason::NoFreeSlot => {
                write!(f, "the inventory of entity {entity} has no free slot for item {item}")
            }
            InventoryReason::TooHeavy { weight, left } => {
                write!(f, "item {item} weighs {weight}, and entity {entity} can carry {left} more")
            }
            InventoryReason::CarriesBearer => {
                write!(f, "item {item} carries entity {entity}, which cannot take it")
            }
            InventoryReason::InUse => write!(f, "item {item} is in use by entity {entity}: unequip it first"),
            InventoryReason::NotCarried => {
                write!(f, "item {item} is not in the inventory of entity {entity}")
            }
        }
    }
}

impl Error for InventoryRefusal {}

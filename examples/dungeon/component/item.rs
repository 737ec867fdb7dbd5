//! Components of items: possession and effects.
//!
//! Possession is a relation, so that it can be queried from both ends: the bearer of an item, and the items of a bearer.

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

use crate::dice::Roll;

/// Fits into a pack.
#[derive(Component, Clone, Debug, Default, Serialize, Deserialize)]
pub struct Portable {}

/// In the pack of a bearer. The item is despawned with its bearer.
#[derive(Relation, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[relation(exclusive, gone = cascade)]
pub struct CarriedBy {
    #[target]
    pub who: Entity,
    /// The key from one to nine that uses the item.
    pub slot: u8,
}

/// Has a [`Weapon`] in hand.
///
/// The bearer points to the weapon, not the other way round: an exclusive relation has one target, so a bearer wields one weapon.
/// When the weapon is despawned, the relation is removed.
#[derive(Relation, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[relation(exclusive, gone = remove)]
pub struct Wields(pub Entity);

/// Has a [`Suit`] on.
#[derive(Relation, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[relation(exclusive, gone = remove)]
pub struct Wears(pub Entity);

impl From<Entity> for Wields {
    fn from(item: Entity) -> Self {
        Self(item)
    }
}

impl From<Entity> for Wears {
    fn from(item: Entity) -> Self {
        Self(item)
    }
}

/// Despawned after its use.
#[derive(Component, Clone, Debug, Default, Serialize, Deserialize)]
pub struct Consumable {}

/// Restores hit points and cures poison.
#[derive(Component, Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Healing {
    pub amount: Roll,
}

/// Burns every enemy in sight.
#[derive(Component, Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Blast {
    pub damage: Roll,
}

/// Shows the level.
#[derive(Component, Clone, Debug, Serialize, Deserialize)]
pub struct Mapping {}

/// Moves its reader to another cell in sight.
#[derive(Component, Clone, Debug, Serialize, Deserialize)]
pub struct Blink {}

/// Replaces the [`Melee`](super::Melee) of the creature that [`Wields`] it.
#[derive(Component, Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Weapon {
    /// Of a hundred blows, how many hit.
    pub aim: u8,
    pub damage: Roll,
}

/// Adds to the [`Armour`](super::Armour) of the creature that [`Wears`] it.
#[derive(Component, Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Suit {
    pub points: u8,
}

/// Opens every [`Lock`](super::Lock) of its shape.
#[derive(Component, Clone, Debug, Serialize, Deserialize)]
pub struct Key {
    pub shape: String,
}

/// The item that the hero must carry out of the dungeon.
#[derive(Component, Clone, Debug, Serialize, Deserialize)]
pub struct Prize {}

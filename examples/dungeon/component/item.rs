//! What can be carried, and what it is good for.
//!
//! Who has what is said by relations, so that it is known from both ends: of an item in whose pack it is, and of a bearer
//! what is in his.

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

use crate::dice::Roll;

/// Fits into a pack.
#[derive(Component, Clone, Debug, Default, Serialize, Deserialize)]
pub struct Portable {}

/// In somebody's pack, with whom it goes when he leaves the world.
#[derive(Relation, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[relation(exclusive, gone = cascade)]
pub struct CarriedBy {
    #[target]
    pub who: Entity,
    /// The key that uses it: from one to nine.
    pub slot: u8,
}

/// Has a [`Weapon`] in hand.
///
/// The bearer points to what he uses, not the other way round: an exclusive relation has one target, and nobody strikes
/// with two weapons. When the weapon is gone the hand is empty.
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

/// Gone once it is used.
#[derive(Component, Clone, Debug, Default, Serialize, Deserialize)]
pub struct Consumable {}

/// Gives hit points back and cures poison.
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

/// Takes its reader to another place in sight.
#[derive(Component, Clone, Debug, Serialize, Deserialize)]
pub struct Blink {}

/// Replaces the [`Melee`](super::Melee) of whoever [`Wields`] it.
#[derive(Component, Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Weapon {
    /// Of a hundred blows, how many hit.
    pub aim: u8,
    pub damage: Roll,
}

/// Adds to the [`Armour`](super::Armour) of whoever [`Wears`] it.
#[derive(Component, Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Suit {
    pub points: u8,
}

/// Opens every [`Lock`](super::Lock) of its shape.
#[derive(Component, Clone, Debug, Serialize, Deserialize)]
pub struct Key {
    pub shape: String,
}

/// What the hero came for.
#[derive(Component, Clone, Debug, Serialize, Deserialize)]
pub struct Prize {}

//! What can be carried, and what it is good for.

use ecs::prelude::*;
use serde::Deserialize;

use crate::dice::Roll;

/// Fits into a pack.
#[derive(Component, Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Item {}

/// In somebody's pack.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Carried {
    pub by: Entity,
    /// The key that uses it: from one to nine.
    pub slot: u8,
}

/// In hand, or worn.
#[derive(Component, Clone, Copy, Debug)]
pub struct Equipped;

/// Gone once it is used.
#[derive(Component, Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Consumable {}

/// Gives hit points back and cures poison.
#[derive(Component, Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Healing {
    pub amount: Roll,
}

/// Burns every enemy in sight.
#[derive(Component, Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Blast {
    pub damage: Roll,
}

/// Shows the level.
#[derive(Component, Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mapping {}

/// Takes its reader to another place in sight.
#[derive(Component, Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Blink {}

/// Replaces the [`Melee`](super::Melee) of whoever holds it.
#[derive(Component, Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weapon {
    /// Of a hundred blows, how many hit.
    pub aim: u8,
    pub damage: Roll,
}

/// Adds to the [`Armour`](super::Armour) of whoever wears it.
#[derive(Component, Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suit {
    pub points: u8,
}

/// Opens every [`Lock`](super::Lock) of its shape.
#[derive(Component, Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    pub shape: String,
}

/// What the hero came for.
#[derive(Component, Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prize {}

//! Components of items: what they are used for, and the slots in which they are used.
//!
//! The pack, and what is in a slot, are mechanics of the library: [`CarriedBy`](super::CarriedBy)
//! and [`Equips`].

use ecs::prelude::*;
use ecs_mechanics::equipment::{EquipmentSlot, Equips};

use super::Player;
use crate::dice::Roll;

/// The slot of the [`Weapon`] that a creature wields.
pub enum Hand {}

impl EquipmentSlot for Hand {
    const NAME: &'static str = "hand";
    type Fits = Weapon;
    type Wearer = Player;
}

/// The slot of the [`Suit`] that a creature wears.
pub enum Torso {}

impl EquipmentSlot for Torso {
    const NAME: &'static str = "torso";
    type Fits = Suit;
    type Wearer = Player;
}

/// Has a weapon in hand.
pub type Wields = Equips<Hand>;

/// Has a suit on.
pub type Wears = Equips<Torso>;

/// Despawned after its use.
#[derive(Component, Clone, Debug, Default, Reflect)]
pub struct Consumable {}

/// Restores hit points and cures poison.
#[derive(Component, Clone, Copy, Debug, Reflect)]
pub struct Healing {
    pub amount: Roll,
}

/// Burns every enemy in sight.
#[derive(Component, Clone, Copy, Debug, Reflect)]
pub struct Blast {
    pub damage: Roll,
}

/// Shows the level.
#[derive(Component, Clone, Debug, Reflect)]
pub struct Mapping {}

/// Moves its reader to another cell in sight.
#[derive(Component, Clone, Debug, Reflect)]
pub struct Blink {}

/// Replaces the [`Melee`](super::Melee) of the creature that [`Wields`] it.
#[derive(Component, Clone, Copy, Debug, Reflect)]
pub struct Weapon {
    /// Of a hundred blows, how many hit.
    pub aim: u8,
    pub damage: Roll,
}

/// Adds to the [`Armour`](super::Armour) of the creature that [`Wears`] it.
#[derive(Component, Clone, Copy, Debug, Reflect)]
pub struct Suit {
    pub points: u8,
}

/// Opens every [`Lock`](super::Lock) of its shape.
#[derive(Component, Clone, Debug, Reflect)]
pub struct Key {
    pub shape: String,
}

/// The item that the hero must carry out of the dungeon.
#[derive(Component, Clone, Debug, Reflect)]
pub struct Prize {}

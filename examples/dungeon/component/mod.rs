//! The components of the game, by theme.
//!
//! Content may name each component, and each set of components in [`aspect`](crate::aspect). Properties are components, not
//! flags: a potion is an entity with [`Healing`], a corpse an entity with [`Fallen`].

mod body;
mod creature;
mod feature;
mod item;

pub use self::body::{Colour, Glyph, Meta, Opaque, Position, Solid};
pub use self::creature::{
    Armour, Burst, Experience, Fallen, Hands, Health, Hunts, Intent, Loot, Melee, Mind, Pace, Player,
    Poisoned, Regrowth, Shot, Trail, Venom,
};
pub use self::feature::{Exit, Hinged, Lock};
pub use self::item::{
    Blast, Blink, Consumable, Hand, Healing, Key, Mapping, Prize, Suit, Torso, Weapon, Wears, Wields,
};
pub use ecs_mechanics::inventory::{CarriedBy, Inventory, Takeable};
pub use ecs_mechanics::sight::{Sight, View};

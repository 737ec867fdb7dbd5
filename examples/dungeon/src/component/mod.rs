//! The components of the game, by theme.
//!
//! Content may name each component, and each set of components in [`aspect`](crate::aspect).
//! Properties are components, not flags: a potion is an entity with [`Healing`], a corpse an entity
//! with [`Fallen`].

mod body;
mod creature;
mod feature;
mod item;
mod mind;

pub use self::body::{Colour, Glyph, Meta, Opaque, Position, Solid};
pub use self::creature::{
    Armour, Burst, Experience, Fallen, Hands, Health, Loot, Melee, Pace, Player, Poisoned, Regrowth, Shot,
    Venom,
};
pub use self::feature::{Exit, Hinged, Lock};
pub use self::item::{
    Blast, Blink, Consumable, Hand, Healing, Key, Mapping, Prize, Suit, Torso, Weapon, Wears, Wields,
};
pub use self::mind::{Chances, Choice, Hunting, Intent, Mind, Minds, Mood, Tactics, Trail, mood};
pub use ecs_mechanics::inventory::{CarriedBy, Inventory, Takeable};
pub use ecs_mechanics::sight::{Sight, View};

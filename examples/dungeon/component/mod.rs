//! The components: what an entity can be, have and do.
//!
//! Content may name every one of them, and the sets of them in [`aspect`](crate::aspect). What something is not is no flag
//! that is false but a component that is not there: a potion is what has [`Healing`], a corpse what has [`Fallen`].

mod body;
mod creature;
mod feature;
mod item;

pub use self::body::{Colour, Glyph, Meta, Opaque, Position, Solid};
pub use self::creature::{
    Armour, Burst, Experience, Fallen, Hands, Health, Hunts, Intent, Loot, Melee, Mind, Pace, Player,
    Poisoned, Regrowth, Shot, Sight, Trail, Venom, View,
};
pub use self::feature::{Exit, Hinged, Lock};
pub use self::item::{
    Blast, Blink, CarriedBy, Consumable, Healing, Key, Mapping, Portable, Prize, Suit, Weapon, Wears, Wields,
};

//! The aspects: named sets of components with default values.
//!
//! A file of content names one aspect and overrides some of its values; see
//! `data/monsters/goblin.json`. It adds single components such as
//! [`Armour`](crate::component::Armour) or [`Loot`](crate::component::Loot), which only some
//! creatures have.

use ecs::{Aspect, Prefabs};
use ecs_mechanics::turns::TURN;

use crate::component::{
    Colour, Consumable, Exit, Experience, Glyph, Hands, Health, Hinged, Inventory, Melee, Meta, Mind, Opaque,
    Player, Regrowth, Sight, Solid, Tactics, Takeable,
};
use crate::dice::Roll;
use crate::world::Dungeon;

/// The number of items that the hero can carry: the keys from one to nine.
pub const SLOTS: u16 = 9;

/// A living being: it blocks the way, can be hurt, and sees.
#[derive(Aspect)]
pub struct Creature {
    pub meta: Meta,
    pub glyph: Glyph,
    pub solid: Solid,
    #[aspect(default = Health::full(10))]
    pub health: Health,
    #[aspect(default = Sight { radius: 8 })]
    pub sight: Sight,
}

/// The creature that the player controls.
#[derive(Aspect)]
pub struct Hero {
    #[aspect(.glyph.symbol = '@')]
    pub body: Creature,
    pub player: Player,
    pub hands: Hands,
    #[aspect(default = Inventory::new(SLOTS))]
    pub pack: Inventory,
    #[aspect(default = Melee { aim: 75, damage: Roll::new(1, 4) })]
    pub melee: Melee,
    #[aspect(default = Regrowth::new(1, 10 * TURN))]
    pub regrowth: Regrowth,
    #[aspect(default = Experience { points: 0, every: 30 })]
    pub experience: Experience,
}

/// A creature that hunts the hero.
#[derive(Aspect)]
pub struct Monster {
    pub body: Creature,
    #[aspect(default = Mind { memory: 5 })]
    pub mind: Mind,
    #[aspect(default = Tactics::new("stalker"))]
    pub tactics: Tactics,
}

/// A thing that can be carried.
#[derive(Aspect)]
pub struct Item {
    pub meta: Meta,
    pub glyph: Glyph,
    pub takeable: Takeable,
}

/// An item that is drunk, and then gone.
#[derive(Aspect)]
pub struct Potion {
    #[aspect(.meta.name = "potion".to_owned(), .glyph.symbol = '!')]
    pub item: Item,
    pub consumable: Consumable,
}

/// An item that is read, and then gone.
#[derive(Aspect)]
pub struct Scroll {
    #[aspect(.meta.name = "scroll".to_owned(), .glyph.symbol = '?')]
    pub item: Item,
    pub consumable: Consumable,
}

/// A door, which is closed at first.
#[derive(Aspect)]
pub struct Door {
    #[aspect(.name = "door".to_owned())]
    pub meta: Meta,
    #[aspect(default = Glyph { symbol: '+', colour: Colour::Yellow })]
    pub glyph: Glyph,
    #[aspect(default = Hinged { open: '\'', closed: '+' })]
    pub hinged: Hinged,
    pub solid: Solid,
    pub opaque: Opaque,
}

/// The way out.
#[derive(Aspect)]
pub struct Stairs {
    #[aspect(.name = "stairs".to_owned())]
    pub meta: Meta,
    #[aspect(default = Glyph { symbol: '<', colour: Colour::White })]
    pub glyph: Glyph,
    pub exit: Exit,
}

/// The reader of content files, which knows the components of the world and these aspects.
pub fn reader() -> Prefabs<Dungeon> {
    Prefabs::new()
        .aspect::<Creature>()
        .aspect::<Hero>()
        .aspect::<Monster>()
        .aspect::<Item>()
        .aspect::<Potion>()
        .aspect::<Scroll>()
        .aspect::<Door>()
        .aspect::<Stairs>()
}

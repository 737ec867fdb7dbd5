//! What kinds of things there are: sets of components with the values that they begin with.
//!
//! A file of content names one of these, and says what is special; see `data/monsters/goblin.json`. What only some have,
//! such as [`Armour`](crate::component::Armour) or [`Loot`](crate::component::Loot), it adds as components.

use ecs::Prefabs;
use ecs::prelude::*;

use crate::component::{
    Colour, Consumable, Exit, Experience, Glyph, Hands, Health, Hinged, Melee, Meta, Mind, Opaque, Player,
    Portable, Regrowth, Sight, Solid,
};
use crate::dice::Roll;
use crate::world::Dungeon;

/// What lives: it stands in the way, can be hurt, and sees.
#[derive(Aspect)]
pub struct Creature {
    pub meta: Meta,
    pub glyph: Glyph,
    pub solid: Solid,
    #[aspect(default = Health { max: 10, lost: 0 })]
    pub health: Health,
    #[aspect(default = Sight { radius: 8 })]
    pub sight: Sight,
}

/// The one who is played.
#[derive(Aspect)]
pub struct Hero {
    #[aspect(.glyph.symbol = '@')]
    pub body: Creature,
    pub player: Player,
    pub hands: Hands,
    #[aspect(default = Melee { aim: 75, damage: Roll::new(1, 4) })]
    pub melee: Melee,
    #[aspect(default = Regrowth { every: 10 })]
    pub regrowth: Regrowth,
    #[aspect(default = Experience { points: 0, every: 30 })]
    pub experience: Experience,
}

/// What hunts him.
#[derive(Aspect)]
pub struct Monster {
    pub body: Creature,
    #[aspect(default = Mind { memory: 5 })]
    pub mind: Mind,
}

/// What can be carried.
#[derive(Aspect)]
pub struct Item {
    pub meta: Meta,
    pub glyph: Glyph,
    pub portable: Portable,
}

/// What is drunk, once.
#[derive(Aspect)]
pub struct Potion {
    #[aspect(.meta.name = "potion".to_owned(), .glyph.symbol = '!')]
    pub item: Item,
    pub consumable: Consumable,
}

/// What is read, once.
#[derive(Aspect)]
pub struct Scroll {
    #[aspect(.meta.name = "scroll".to_owned(), .glyph.symbol = '?')]
    pub item: Item,
    pub consumable: Consumable,
}

/// What opens and closes. Doors begin closed.
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

/// What reads files of content: it knows every component of the world, and these.
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

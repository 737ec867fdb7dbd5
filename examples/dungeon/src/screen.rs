//! The screen as plain data, independent of the world and of the terminal.

use ecs::prelude::*;
use ecs_mechanics::sight::Explored;

use crate::component::{
    CarriedBy, Colour, Exit, Experience, Glyph, Health, Hinged, Meta, Player, Poisoned, Position, Prize,
    Takeable, View, Wears, Wields,
};
use crate::game::Game;
use crate::grid::Grid;
use crate::journal::Entry;
use crate::level::{Level, Terrain};
use crate::outcome::Outcome;
use crate::point::Point;
use crate::world::Dungeon;

/// One picture of the game.
pub struct Screen {
    pub tiles: Grid<Tile>,
    /// The centre of the picture.
    pub hero: Point,
    pub health: Option<Health>,
    pub experience: Option<Experience>,
    pub is_poisoned: bool,
    pub pack: Vec<Packed>,
    pub journal: Vec<Entry>,
    pub turn: u64,
    pub seed: u64,
    pub outcome: Outcome,
}

/// The picture of a cell.
#[derive(Clone, Copy, Debug)]
pub struct Tile {
    pub symbol: char,
    pub colour: Colour,
    /// Whether the hero sees the cell now, not only remembers it.
    pub is_lit: bool,
}

/// A line of the inventory.
pub struct Packed {
    pub slot: u16,
    pub name: String,
    pub is_equipped: bool,
    pub is_prize: bool,
}

/// A cell that the player has not seen.
const DARK: Tile = Tile { symbol: ' ', colour: Colour::Grey, is_lit: false };

impl Screen {
    pub fn of(game: &Game) -> Self {
        let world = game.world();
        let hero = world.query::<(Entity, &Position, &View, Is<Poisoned>)>().filter::<With<Player>>();
        let hero = hero.single().ok();
        Self {
            tiles: tiles(world, hero.map(|(_, _, view, _)| view)),
            hero: hero.map(|(_, position, ..)| position.0).unwrap_or_default(),
            health: game.health(),
            experience: game.experience(),
            is_poisoned: hero.is_some_and(|(.., poisoned)| *poisoned),
            pack: hero.map(|(who, ..)| pack(world, who)).unwrap_or_default(),
            journal: game.journal().entries().to_vec(),
            turn: game.turn(),
            seed: game.seed(),
            outcome: game.outcome(),
        }
    }
}

/// The known part of the level, and the entities in sight.
fn tiles(world: &Dungeon, view: Option<&View>) -> Grid<Tile> {
    let level = world.resource::<Level>();
    let explored = world.resource::<Explored>();
    let mut tiles = Grid::new(level.0.width(), level.0.height(), DARK);
    let is_lit = |at: Point| view.is_some_and(|view| view.contains(at));

    for (at, terrain) in level.0.iter().filter(|(at, _)| explored.contains(*at)) {
        let symbol = match terrain {
            Terrain::Rock => ' ',
            Terrain::Wall => '#',
            Terrain::Floor => '.',
        };
        tiles.set(at, Tile { symbol, colour: Colour::Grey, is_lit: is_lit(at) });
    }

    let mut put = |at: Point, glyph: &Glyph, is_known: bool| {
        if is_known {
            tiles.set(at, Tile { symbol: glyph.symbol, colour: glyph.colour, is_lit: is_lit(at) });
        }
    };
    // remembered features, above them items, above them creatures
    for (position, glyph) in world.query::<(&Position, &Glyph)>().filter::<Or<(With<Hinged>, With<Exit>)>>() {
        put(position.0, glyph, explored.contains(position.0));
    }
    for (position, glyph) in world.query::<(&Position, &Glyph)>().filter::<With<Takeable>>() {
        put(position.0, glyph, is_lit(position.0));
    }
    for (position, glyph) in world.query::<(&Position, &Glyph)>().filter::<With<Health>>() {
        put(position.0, glyph, is_lit(position.0));
    }
    tiles
}

/// The items that a creature carries, in the order of the slots.
fn pack(world: &Dungeon, who: Entity) -> Vec<Packed> {
    let items = world.query::<(Entity, &CarriedBy, &Meta, Is<Prize>)>();
    let in_use = [world.target::<Wields>(who), world.target::<Wears>(who)];
    let line = |(item, carried, meta, is_prize): (Entity, &CarriedBy, &Meta, Is<Prize>)| Packed {
        slot: carried.slot + 1,
        name: meta.name.clone(),
        is_equipped: in_use.contains(&Some(item)),
        is_prize: *is_prize,
    };
    let mut pack: Vec<Packed> =
        world.sources::<CarriedBy>(who).iter().filter_map(|item| items.get(*item)).map(line).collect();
    pack.sort_by_key(|packed| packed.slot);
    pack
}

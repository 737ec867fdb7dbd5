//! The world of the game, and what happens in a turn.

use ecs::prelude::*;

use crate::board::Board;
use crate::clock::{Clock, Outcome};
use crate::component::*;
use crate::content::Catalogue;
use crate::dice::Dice;
use crate::event::*;
use crate::journal::Journal;
use crate::level::{Level, Memory};
use crate::system::*;

world! {
    /// Everything that exists below ground.
    pub struct Dungeon {
        components {
            // Bodies.
            Meta, Glyph, Position, Solid, Opaque,
            // Creatures.
            Player, Health, Melee, Shot, Armour, Venom, Poisoned, Regrowth, Sight, View, Mind, Hunting, Pace, Hands,
            Loot, Fallen,
            // Items.
            Item, Carried, Equipped, Consumable, Spent, Healing, Blast, Mapping, Blink, Weapon, Suit, Key, Prize,
            // Features.
            Door, Lock, Exit,
        }
        resources {
            catalogue: Catalogue,
            level: Level,
            memory: Memory,
            dice: Dice,
            board: Board = Board::default(),
            clock: Clock = Clock::default(),
            journal: Journal = Journal::default(),
            outcome: Outcome = Outcome::default(),
        }
        events { Order(external), Bumped, Loosed, Used, Hurt, Wounded, Deed }
    }

    /// Before the first turn: eyes are opened.
    schedule wake {
        survey;
        look;
        recall;
    }

    /// One order and what follows from it. What comes earlier is seen by what comes later.
    schedule turn {
        begin, survey;
        // The hero acts..
        stride, pick_up, close_doors, climb, reach;
        quaff, burn, chart, blink, equip::<Weapon>, equip::<Suit>, use_up;
        // .. and everybody else, if that took time.
        hunt if time_passes;
        open, strike, shoot;
        sicken if time_passes, mend if time_passes;
        wound, infect, recover;
        fall;
        // What has changed is seen and told.
        look;
        recall, notice if !is_over, tread;
        narrate;
        bury, judge;
    }
}

/// A level of nothing but floor, for the tests of systems.
#[cfg(test)]
pub fn arena(width: i32, height: i32) -> Dungeon {
    use crate::grid::Grid;
    use crate::level::Terrain;

    let level = Level(Grid::new(width, height, Terrain::Floor));
    let memory = Memory(Grid::new(width, height, false));
    Dungeon::new(Catalogue::default(), level, memory, Dice::new(1))
}

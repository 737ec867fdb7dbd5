//! The world of the game, and the schedule of a turn.

use ecs::prelude::*;
use ecs_mechanics::equipment::{self, Equip, Equipped, change_equipment, settle};
use ecs_mechanics::inventory::{self, carry_out};
use ecs_mechanics::meters::{self, regenerate_if};
use ecs_mechanics::minds::tree::{BehaviourRefusal, tick_trees};
use ecs_mechanics::minds::{Machine, StateChange, change_states};
use ecs_mechanics::sight::{self, explore, look};
use ecs_mechanics::turns::{self, Turn, begin, time_passes};
use serde::{Deserialize, Serialize};

use crate::board::Board;
use crate::component::*;
use crate::content::Catalogue;
use crate::dice::Dice;
use crate::event::*;
use crate::journal::Journal;
use crate::level::Level;
use crate::outcome::Outcome;
use crate::system::*;

world! {
    /// The world of the dungeon.
    #[derive(Clone, Reflect, Serialize, Deserialize)]
    pub struct Dungeon {
        include turns::turns;
        include sight::sight;
        include sight::exploration;
        include inventory::inventory;
        include equipment::equipment;
        components {
            // Bodies.
            Meta, Glyph, Position, Solid, Opaque,
            // Creatures.
            Player, Health, Experience, Melee, Shot, Burst, Armour, Venom, Poisoned, Regrowth,
            Mind, mood: Machine<Mood>, Tactics, Chances, Intent, Pace, Hands, Loot, Fallen,
            // Items.
            Wields, Wears, Consumable, Healing, Blast, Mapping, Blink, Weapon, Suit, Key, Prize,
            // Features.
            Hinged, Lock, Exit,
        }
        resources {
            catalogue: Catalogue,
            minds: Minds,
            level: Level,
            dice: Dice,
            board: Board = Board::default(),
            journal: Journal = Journal::default(),
            outcome: Outcome = Outcome::default(),
        }
        events {
            Order(external), Bumped, Loosed, Used, Hurt, Wounded, Died, Deed,
            StateChange<Mood>, BehaviourRefusal(external),
            wield: Equip<Hand>, wielded: Equipped<Hand>, wear: Equip<Torso>, worn: Equipped<Torso>,
        }
    }

    /// Computes the views before the first turn.
    schedule wake {
        survey, settle::<Hand>, settle::<Torso>;
        look::<Position, Board>;
        explore::<Player>;
    }

    /// One order and its effects. Each system sees the changes of the systems before it.
    schedule turn {
        begin, survey;
        // The hero acts..
        stride, pick_up, carry_out::<Position>, stow, close_doors, climb, reach;
        quaff, burn, chart, blink, ready::<Hand>, ready::<Torso>;
        change_equipment::<Hand>, change_equipment::<Torso>, equipped::<Hand>, equipped::<Torso>;
        // .. and all other creatures, if the order took time: first the minds, then the actions.
        weigh if time_passes;
        tick_trees::<Hunting> if time_passes;
        decide if time_passes;
        act if time_passes;
        open, strike, shoot;
        sicken if time_passes, regenerate_if::<meters::Health, Turn, Without<Poisoned>> if time_passes;
        // Harm causes deaths and deaths cause harm. The block ends, because no creature dies twice.
        react { wound, infect, fall, bequeath, burst, learn } max 100_000;
        recover;
        // Views, journal and clock.
        look::<Position, Board>;
        explore::<Player>, notice if is_playing, track if is_playing;
        change_states::<Mood>;
        announce, tread;
        narrate, judge;
        bury, use_up;
    }
}

/// A level of floor only, for the tests of systems.
#[cfg(test)]
pub fn arena(width: i32, height: i32) -> Dungeon {
    use crate::grid::Grid;
    use crate::level::Terrain;

    let level = Level(Grid::new(width, height, Terrain::Floor));
    Dungeon::new(Catalogue::default(), Minds::default(), level, Dice::new(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_system_of_a_turn_takes_the_whole_world() {
        let graph = arena(1, 1).schedule_graph();
        assert!(graph.schedules.iter().flat_map(|schedule| &schedule.nodes).all(|node| !node.exclusive));
    }
}

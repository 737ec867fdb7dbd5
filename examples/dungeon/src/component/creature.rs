//! Components of living beings: health and natural weapons.

use ecs::prelude::*;
use ecs_mechanics::meters::{self, Meter, Regeneration};

use crate::dice::Roll;

/// The creature that obeys the keys.
#[derive(Component, Clone, Debug, Default, Reflect)]
pub struct Player {}

/// The hit points.
pub type Health = Meter<meters::Health>;

/// Gains hit points again and again, unless it is [`Poisoned`].
pub type Regrowth = Regeneration<meters::Health>;

/// An attack on a neighbouring cell.
#[derive(Component, Clone, Copy, Debug, Reflect)]
pub struct Melee {
    /// The percentage of blows that hit.
    pub aim: u8,
    pub damage: Roll,
}

/// An attack at a distance.
#[derive(Component, Clone, Copy, Debug, Reflect)]
pub struct Shot {
    /// The percentage of shots that hit.
    pub aim: u8,
    pub damage: Roll,
    /// In steps.
    pub range: u8,
}

/// A skin that absorbs up to so many points of harm from every blow.
#[derive(Component, Clone, Copy, Debug, Reflect)]
pub struct Armour {
    pub points: u8,
}

/// Blows that poison.
#[derive(Component, Clone, Copy, Debug, Reflect)]
pub struct Venom {
    /// The percentage of hits that poison.
    pub chance: u8,
    pub turns: u8,
}

/// Loses a point every turn, until it is over.
#[derive(Component, Clone, Copy, Debug, Reflect)]
pub struct Poisoned {
    pub turns: u8,
}

/// Acts only every so many turns.
#[derive(Component, Clone, Copy, Debug, Reflect)]
pub struct Pace {
    pub every: u8,
}

/// Bursts when it dies, and harms all creatures near it.
#[derive(Component, Clone, Copy, Debug, Reflect)]
pub struct Burst {
    pub damage: Roll,
    /// In steps.
    pub radius: u8,
}

/// Gains points by the deaths of enemies, and health after every so many points.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Reflect)]
pub struct Experience {
    pub points: u32,
    pub every: u32,
}

impl Experience {
    /// Adds points. Returns whether they complete another round of `every`.
    pub fn gain(&mut self, points: u32) -> bool {
        let rank = |points: u32| points.checked_div(self.every);
        let before = rank(self.points);
        self.points = self.points.saturating_add(points);
        rank(self.points) > before
    }
}

/// Opens doors.
#[derive(Component, Clone, Debug, Default, Reflect)]
pub struct Hands {}

/// Leaves an item behind when it dies.
#[derive(Component, Clone, Debug, Reflect)]
pub struct Loot {
    /// The kind of the item, by its name in the content.
    pub item: String,
}

/// Dead, and about to be despawned.
#[derive(Component, Clone, Copy, Debug, Reflect)]
pub struct Fallen;

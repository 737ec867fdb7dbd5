//! What lives: bodies that can be hurt, weapons that grow on them, and minds.

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

use crate::dice::Roll;
use crate::grid::Grid;
use crate::point::Point;

/// The one who obeys the keys.
#[derive(Component, Clone, Debug, Default, Serialize, Deserialize)]
pub struct Player {}

/// How much harm it bears, and how much it has suffered.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Health {
    pub max: u16,
    pub lost: u16,
}

impl Health {
    /// The hit points that are left.
    pub fn now(self) -> u16 {
        self.max.saturating_sub(self.lost)
    }

    pub fn is_alive(self) -> bool {
        self.now() > 0
    }
}

/// How it fights what stands beside it.
#[derive(Component, Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Melee {
    /// Of a hundred blows, how many hit.
    pub aim: u8,
    pub damage: Roll,
}

/// How it fights what it sees from afar.
#[derive(Component, Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Shot {
    /// Of a hundred shots, how many hit.
    pub aim: u8,
    pub damage: Roll,
    /// In steps.
    pub range: u8,
}

/// A skin that keeps up to so many points of harm out of every blow.
#[derive(Component, Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Armour {
    pub points: u8,
}

/// Blows that poison.
#[derive(Component, Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Venom {
    /// Of a hundred hits, how many poison.
    pub chance: u8,
    pub turns: u8,
}

/// Loses a point every turn, until it is over.
#[derive(Component, Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Poisoned {
    pub turns: u8,
}

/// Gains a point every so many turns.
#[derive(Component, Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Regrowth {
    pub every: u8,
}

/// Eyes. They come with a [`View`].
#[derive(Component, Clone, Copy, Debug, Serialize, Deserialize)]
#[component(requires(View))]
pub struct Sight {
    /// In steps.
    pub radius: u8,
}

/// The cells that its [`Sight`] reaches, true where it does.
#[derive(Component, Clone, Debug, Default, Serialize, Deserialize)]
pub struct View(pub Grid<bool>);

impl View {
    pub fn contains(&self, at: Point) -> bool {
        self.0.get(at) == Some(&true)
    }
}

/// Hunts the player, and remembers for so many turns where it saw him last. Minds come with an [`Intent`].
#[derive(Component, Clone, Copy, Debug, Serialize, Deserialize)]
#[component(requires(Intent))]
pub struct Mind {
    pub memory: u8,
}

/// On the hunt for somebody, until he is gone or forgotten. Hunters have a [`Trail`].
#[derive(Relation, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[relation(exclusive, gone = remove)]
pub struct Hunts(pub Entity);

/// What a hunter knows of its prey. It changes every turn, which a relation does not: it would be replaced.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trail {
    /// Where the prey was seen last.
    pub at: Point,
    /// For how many turns the memory lasts.
    pub patience: u8,
}

/// What a hunter has made up its mind to do this turn.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Intent {
    #[default]
    Wait,
    Walk(Point),
    Strike(Entity),
    Shoot(Entity),
    /// Die, for the sake of what comes of it.
    Burst,
}

/// Acts only every so many turns.
#[derive(Component, Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Pace {
    pub every: u8,
}

/// Bursts when it dies, and harms whatever is near.
#[derive(Component, Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Burst {
    pub damage: Roll,
    /// In steps.
    pub radius: u8,
}

/// Learns from the deaths of its enemies, and bears more after every so many points.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Experience {
    pub points: u16,
    pub every: u16,
}

impl Experience {
    /// Adds points; whether that completes another round of `every`.
    pub fn gain(&mut self, points: u16) -> bool {
        let rank = |points: u16| points.checked_div(self.every);
        let before = rank(self.points);
        self.points = self.points.saturating_add(points);
        rank(self.points) > before
    }
}

/// Opens doors.
#[derive(Component, Clone, Debug, Default, Serialize, Deserialize)]
pub struct Hands {}

/// Leaves something behind.
#[derive(Component, Clone, Debug, Serialize, Deserialize)]
pub struct Loot {
    /// A type of the content.
    pub item: String,
}

/// Dead, and about to be buried.
#[derive(Component, Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Fallen;

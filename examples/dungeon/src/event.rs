//! The events of a turn, from the key to the message in the journal.
//!
//! ```text
//! key -> Order -> Bumped, Loosed, Used -> Hurt -> Wounded, Died -> Deed -> journal
//!                                          ^                |
//!                                          +--- a blast ----+
//! ```

use ecs::prelude::*;

use crate::point::Direction;

/// An order of the player to the hero. [`Game::press`](crate::game::Game::press) sends it from
/// outside the systems.
#[derive(Event, Clone, Copy, Debug, PartialEq, Eq, Reflect)]
pub enum Order {
    Walk(Direction),
    Wait,
    PickUp,
    /// Use the item in this slot, counted from zero.
    Use(u16),
    CloseDoors,
    /// Leave by the stairs.
    Climb,
}

/// A creature walked into something solid: a door to open, or an enemy to hit.
#[derive(Event, Clone, Copy, Debug, Reflect)]
pub struct Bumped {
    pub who: Entity,
    pub into: Entity,
}

/// A creature shot an arrow.
#[derive(Event, Clone, Copy, Debug, Reflect)]
pub struct Loosed {
    pub who: Entity,
    pub at: Entity,
}

/// A creature uses an item that it carries.
#[derive(Event, Clone, Copy, Debug, Reflect)]
pub struct Used {
    pub who: Entity,
    pub item: Entity,
}

/// An attack on a creature, which may miss.
#[derive(Event, Clone, Copy, Debug, Reflect)]
pub struct Hurt {
    pub victim: Entity,
    /// The harm before armour; `None` if the attack misses.
    pub damage: Option<u16>,
    pub cause: Cause,
}

/// A blow or a shot has drawn blood.
#[derive(Event, Clone, Copy, Debug, Reflect)]
pub struct Wounded {
    pub victim: Entity,
    pub by: Entity,
}

/// A creature died of harm. Sent once for each creature.
#[derive(Event, Clone, Copy, Debug, Reflect)]
pub struct Died {
    pub who: Entity,
}

/// The cause of harm.
#[derive(Clone, Copy, Debug, Reflect)]
pub enum Cause {
    Blow(Entity),
    Shot(Entity),
    /// A creature that bursts.
    Burst(Entity),
    Fire,
    Poison,
}

impl Cause {
    /// The creature that attacked, and must be alive to do harm; `None` for other causes.
    pub fn culprit(self) -> Option<Entity> {
        match self {
            Self::Blow(who) | Self::Shot(who) => Some(who),
            Self::Burst(_) | Self::Fire | Self::Poison => None,
        }
    }
}

/// A fact for the journal. Systems send facts, and [`narrate`](crate::system::narrate()) writes the
/// sentences.
#[derive(Event, Clone, Copy, Debug, Reflect)]
pub enum Deed {
    /// The hero walked into a wall.
    Wall,
    /// The hero stands over an item.
    Found {
        item: Entity,
    },
    PickedUp {
        item: Entity,
    },
    NothingHere,
    PackFull,
    /// The hero reached for an empty slot.
    EmptySlot {
        slot: u16,
    },
    /// The item cannot be used by itself.
    Useless {
        item: Entity,
    },
    Equipped {
        item: Entity,
    },
    Healed {
        who: Entity,
        points: u32,
    },
    Flames,
    Mapped,
    Blinked,
    Opened {
        who: Entity,
        door: Entity,
    },
    Unlocked {
        door: Entity,
    },
    Locked {
        who: Entity,
        door: Entity,
    },
    Closed {
        door: Entity,
    },
    NoDoor,
    Noticed {
        who: Entity,
    },
    Missed {
        victim: Entity,
        cause: Cause,
    },
    Suffered {
        victim: Entity,
        damage: u16,
        cause: Cause,
    },
    Poisoned {
        victim: Entity,
    },
    Recovered {
        who: Entity,
    },
    Died {
        who: Entity,
    },
    Burst {
        who: Entity,
    },
    /// A creature gained health by experience.
    Hardened {
        who: Entity,
    },
    NoStairs,
    /// The hero may not leave without the prize.
    EmptyHanded,
    Escaped,
}

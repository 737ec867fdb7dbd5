//! What happens in a turn, from the key that was pressed to the words that tell about it.
//!
//! ```text
//! key -> Order -> Bumped, Loosed, Used -> Hurt -> Wounded, Died -> Deed -> journal
//!                                          ^                |
//!                                          +--- a blast ----+
//! ```

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

use crate::point::Direction;

/// What the player wants the hero to do. Sent from outside, by [`Game::press`](crate::game::Game::press).
#[derive(Event, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Order {
    Walk(Direction),
    Wait,
    PickUp,
    /// Use what is carried in this slot.
    Use(u8),
    CloseDoors,
    /// Leave by the stairs.
    Climb,
}

/// Somebody walked into something solid: a door to open, or an enemy to hit.
#[derive(Event, Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Bumped {
    pub who: Entity,
    pub into: Entity,
}

/// Somebody let an arrow fly.
#[derive(Event, Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Loosed {
    pub who: Entity,
    pub at: Entity,
}

/// Somebody uses something that he carries.
#[derive(Event, Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Used {
    pub who: Entity,
    pub item: Entity,
}

/// Harm comes to somebody, or just misses him.
#[derive(Event, Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Hurt {
    pub victim: Entity,
    /// Before armour; nothing if it misses.
    pub damage: Option<u16>,
    pub cause: Cause,
}

/// A blow or a shot has drawn blood.
#[derive(Event, Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Wounded {
    pub victim: Entity,
    pub by: Entity,
}

/// Harm was more than somebody could bear. Sent once for everybody who dies, when it happens.
#[derive(Event, Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Died {
    pub who: Entity,
}

/// Where harm comes from.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub enum Cause {
    Blow(Entity),
    Shot(Entity),
    /// Somebody who bursts.
    Burst(Entity),
    Fire,
    Poison,
}

impl Cause {
    /// Who did it, if it was somebody, who has to be alive for that.
    pub fn culprit(self) -> Option<Entity> {
        match self {
            Self::Blow(who) | Self::Shot(who) => Some(who),
            Self::Burst(_) | Self::Fire | Self::Poison => None,
        }
    }
}

/// Something worth telling. Systems send facts; [`narrate`](crate::system::narrate()) finds the words.
#[derive(Event, Clone, Copy, Debug, Serialize, Deserialize)]
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
        slot: u8,
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
        points: u16,
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
    /// Experience has made somebody hardier.
    Hardened {
        who: Entity,
    },
    NoStairs,
    /// The hero may not leave without the prize.
    EmptyHanded,
    Escaped,
}

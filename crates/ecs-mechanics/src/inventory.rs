//! Inventories: entities carry items, in slots, up to a weight, and equal items in stacks.
//!
//! To carry is a relation, [`CarriedBy`], so that both ends know it: the bearer of an item, and the
//! items of a bearer. An item that is carried has no place, and an item that lies somewhere has no
//! bearer. Any component with [`Located`](crate::places::Located) may be the place: a position, a
//! room.
//!
//! Systems ask by the events [`Take`] and [`Discard`]. The system [`carry_out`] does what is
//! possible, answers by [`Taken`] and [`Discarded`], and sends an [`InventoryRefusal`] for each
//! request that is not possible. [`try_carry_out`] is strict: it fails with the first refusal, and
//! a schedule `-> Result` returns it. The system [`discard_empty`] despawns stacks that are used
//! up.
//!
//! ```
//! use ecs::prelude::*;
//! use ecs_mechanics::inventory::{self, CarriedBy, Inventory, Stack, Take, Takeable, Weight, carry_out};
//! use ecs_mechanics::movement::Position;
//!
//! world! {
//!     struct Cave {
//!         include inventory::inventory;
//!         components { Position }
//!     }
//!     schedule turn { carry_out::<Position>; include inventory::sweep; }
//! }
//!
//! let mut cave = Cave::new();
//! let hero = cave.spawn((Position::default(), Inventory::new(9).with_max_weight(100)));
//! let anvil = cave.spawn((Position::default(), Takeable, Weight(500)));
//! let arrows = |count| (Position::default(), Takeable, Weight(1), Stack { kind: 7, count, max: 50 });
//! let [quiver, more] = [cave.spawn(arrows(20)), cave.spawn(arrows(10))];
//! for item in [anvil, quiver, more] {
//!     cave.send(Take { entity: hero, item });
//! }
//! cave.turn();
//! assert_eq!(cave.sources::<CarriedBy>(hero), [quiver]);
//! assert_eq!(cave.get::<Stack>(quiver).unwrap().count, 30);
//! assert!(cave.has::<Position>(anvil) && !cave.contains(more));
//! ```

mod refusal;
mod requests;

use ecs::Related;
use ecs::prelude::*;
use serde::{Deserialize, Serialize};

pub use self::refusal::{InventoryReason, InventoryRefusal};
pub use self::requests::{carry_out, discard_empty, try_carry_out};

/// Carries items. A component of the bearer.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Inventory {
    /// The number of items, or stacks of items, that the bearer can carry.
    pub slots: u16,
    /// The greatest weight that the bearer can carry.
    pub max_weight: u64,
    /// The greatest distance to an item that the bearer takes, as [`Place`](crate::places::Place)
    /// measures it.
    #[serde(default)]
    pub reach: u32,
}

impl Inventory {
    /// An inventory with this number of slots, for any weight, whose bearer takes items from its
    /// own place.
    #[must_use]
    pub const fn new(slots: u16) -> Self {
        Self { slots, max_weight: u64::MAX, reach: 0 }
    }

    /// The inventory with this greatest weight.
    #[must_use]
    pub const fn with_max_weight(mut self, max_weight: u64) -> Self {
        self.max_weight = max_weight;
        self
    }

    /// The inventory whose bearer takes items up to this distance.
    #[must_use]
    pub const fn with_reach(mut self, reach: u32) -> Self {
        self.reach = reach;
        self
    }
}

/// Can be taken and discarded. A component of items.
#[derive(Component, Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Takeable;

/// The weight of an item, in a unit of the game's choice. An item without it weighs nothing.
///
/// In a stack, it is the weight of one.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Weight(pub u32);

/// In a slot of its bearer: see [`equipment`](crate::equipment). A component of items, which cannot
/// be discarded while they have it.
#[derive(Component, Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct InUse;

/// Several equal items in one entity and one slot. A component of items.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Stack {
    /// The kind of the items, by a number of the game's choice. Stacks of one kind in one inventory
    /// become one.
    pub kind: u32,
    /// The number of items. [`discard_empty`] despawns an empty stack.
    pub count: u32,
    /// The greatest number of items in one stack.
    pub max: u32,
}

/// In the inventory of a bearer. The item is despawned with its bearer. Nothing carries itself,
/// also not by way of other bearers.
///
/// The systems of this module number slots from 0, and give an item the first one that is free.
#[derive(Relation, Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[relation(exclusive, acyclic, gone = cascade)]
pub struct CarriedBy {
    /// The entity that carries the item.
    #[target]
    pub bearer: Entity,
    /// The slot, counted from 0.
    pub slot: u16,
}

/// Asks to take an item that lies within the reach of the bearer. An event.
#[derive(Event, Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Take {
    /// The entity that takes the item.
    pub entity: Entity,
    /// The item.
    pub item: Entity,
}

/// Asks to put an item down at the place of its bearer. An event.
#[derive(Event, Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Discard {
    /// The entity that carries the item.
    pub entity: Entity,
    /// The item.
    pub item: Entity,
}

/// An item was taken. An event.
#[derive(Event, Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Taken {
    /// The entity that carries the item now.
    pub entity: Entity,
    /// The item; if it was a stack that went into another one, that other one.
    pub item: Entity,
    /// The slot of the item.
    pub slot: u16,
}

/// An item was put down. An event.
#[derive(Event, Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Discarded {
    /// The entity that carried the item.
    pub entity: Entity,
    /// The item.
    pub item: Entity,
}

parts! {
    /// Inventories and items.
    pub inventory {
        components { Inventory, Takeable, Weight, Stack, CarriedBy, InUse }
        events {
            Take(external),
            Discard(external),
            Taken,
            Discarded,
            InventoryRefusal,
        }
        schedule sweep { discard_empty }
    }
}

/// The item in a slot of a bearer.
#[must_use]
pub fn item_in(carried: Related<CarriedBy>, entity: Entity, slot: u16) -> Option<Entity> {
    let is_there = |item: &Entity| carried.relation(*item, entity).is_some_and(|it| it.slot == slot);
    carried.sources(entity).iter().copied().find(is_there)
}

/// The first slot of a bearer that is free, among this number of slots.
#[must_use]
pub fn free_slot(carried: Related<CarriedBy>, entity: Entity, slots: u16) -> Option<u16> {
    let items = carried.sources(entity).iter();
    let mut taken: Vec<u16> = items.filter_map(|item| Some(carried.relation(*item, entity)?.slot)).collect();
    taken.sort_unstable();
    taken.dedup();
    // the first slot that is not at its place in the list
    let free = taken.iter().zip(0..).find(|(taken, slot)| *taken != slot).map(|(_, slot)| slot);
    free.or_else(|| u16::try_from(taken.len()).ok()).filter(|slot| *slot < slots)
}

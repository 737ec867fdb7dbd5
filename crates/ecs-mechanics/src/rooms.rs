//! Rooms: entities are in rooms, walk to adjacent ones, and perceive who else is there.
//!
//! To be in a room and to be adjacent are relations, [`InRoom`] and [`LeadsTo`], so that the
//! presences of a room are `world.sources::<InRoom>(room)` at any time. The system [`perceive`]
//! lists in the [`Perception`] of an entity the other entities in its room, and those that have
//! come or left since its last run.
//!
//! Systems ask by the event [`ChangeRoom`]. The system [`change_room`] does what is possible,
//! answers by [`ChangedRoom`], and sends a [`RoomRefusal`] for each request that is not possible.
//! [`try_change_room`] is strict: it fails with the first refusal.
//!
//! ```
//! use ecs::prelude::*;
//! use ecs_mechanics::rooms::{self, ChangeRoom, InRoom, Perception, Room, connect};
//!
//! world! {
//!     struct House { include rooms::rooms; }
//!     schedule turn { include rooms::walk; include rooms::look_around }
//! }
//!
//! let mut house = House::new();
//! let [hall, cellar] = [house.spawn(Room), house.spawn(Room)];
//! connect(&mut house, hall, cellar)?;
//! let cat = house.spawn((InRoom(hall), Perception::default()));
//! let mouse = house.spawn(InRoom(cellar));
//! house.turn();
//! house.send(ChangeRoom { entity: cat, to: cellar });
//! house.turn();
//! let seen = house.get::<Perception>(cat).unwrap();
//! assert_eq!((seen.present(), seen.arrived()), ([mouse].as_slice(), [mouse].as_slice()));
//! # Ok::<(), ecs::error::InsertError>(())
//! ```

mod change;
mod perception;

use ecs::error::InsertError;
use ecs::prelude::*;
use ecs::{HasRelation, Many, Relations};
use serde::{Deserialize, Serialize};

pub use self::change::{RoomReason, RoomRefusal, change_room, try_change_room};
pub use self::perception::{Perception, perceive};
use crate::places::Located;

/// A room: a component of places in which entities can be.
#[derive(Component, Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Room;

/// Has a door to another room. A relation of a room to any number of rooms; a door that is open in
/// both directions is two of them.
#[derive(Relation, Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[relation(many, gone = remove)]
pub struct LeadsTo(pub Entity);

/// Is in a room. A relation; an entity whose room is despawned is in no room.
#[derive(Relation, Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[relation(exclusive, gone = remove)]
pub struct InRoom(pub Entity);

impl Located for InRoom {
    type Place = Entity;

    fn place(&self) -> Entity {
        self.0
    }
}

/// Asks to walk to an adjacent room. An event.
#[derive(Event, Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ChangeRoom {
    /// The entity that walks.
    pub entity: Entity,
    /// The room.
    pub to: Entity,
}

/// An entity has walked to another room. An event.
#[derive(Event, Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ChangedRoom {
    /// The entity that walked.
    pub entity: Entity,
    /// The room that it has left.
    pub from: Entity,
    /// The room that it is in.
    pub to: Entity,
}

parts! {
    /// Rooms and what is in them.
    pub rooms {
        components { Room, leads_to: Many<LeadsTo>, InRoom, Perception }
        events { ChangeRoom(external), ChangedRoom, RoomRefusal }
        schedule walk { change_room }
        schedule look_around { perceive }
    }
}

/// Connects two rooms in both directions.
///
/// # Errors
/// If one of them is not alive, or they are the same.
pub fn connect<W: HasRelation<LeadsTo>>(
    world: &mut W,
    one: Entity,
    other: Entity,
) -> Result<(), InsertError> {
    world.relate(one, LeadsTo(other))?;
    world.relate(other, LeadsTo(one))?;
    Ok(())
}

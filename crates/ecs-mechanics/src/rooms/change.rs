//! The systems that move entities between rooms, and their refusals.

use std::error::Error;
use std::fmt;

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

use super::{ChangeRoom, ChangedRoom, InRoom, LeadsTo};

/// A request to change rooms is not possible. The event of [`change_room`], and the error of
/// [`try_change_room`].
#[derive(Event, Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RoomRefusal {
    /// The entity of the request.
    pub entity: Entity,
    /// The room of the request.
    pub to: Entity,
    /// The reason.
    pub reason: RoomReason,
}

/// The reason of a [`RoomRefusal`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum RoomReason {
    /// The entity is in no room, or is despawned.
    NotInARoom,
    /// The room of the entity does not lead to the other one.
    NotAdjacent,
}

impl fmt::Display for RoomRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entity, to, reason } = self;
        match reason {
            RoomReason::NotInARoom => {
                write!(f, "entity {entity} is in no room, from where it could walk to room {to}")
            }
            RoomReason::NotAdjacent => write!(f, "the room of entity {entity} does not lead to room {to}"),
        }
    }
}

impl Error for RoomRefusal {}

/// System: carries out the requests [`ChangeRoom`], in the order in which they were sent. Requests
/// that are not possible are answered by [`RoomRefusal`].
#[system]
pub fn change_room(
    mut requests: EventReader<ChangeRoom>,
    mut presences: Presences<'_>,
    mut refused: EventWriter<RoomRefusal>,
) {
    refused.extend(requests.iter().filter_map(|request| presences.walk(*request).err()));
}

/// System: [`change_room`] that fails with the first request that is not possible. The requests
/// before it are carried out.
///
/// # Errors
/// A request is not possible.
#[system]
pub fn try_change_room(
    mut requests: EventReader<ChangeRoom>,
    mut presences: Presences<'_>,
) -> Result<(), RoomRefusal> {
    requests.iter().try_for_each(|request| presences.walk(*request))
}

/// The parameters of [`change_room`] and [`try_change_room`], apart from the requests and refusals.
#[derive(SystemParam)]
pub struct Presences<'w> {
    presences: Storage<'w, InRoom>,
    doors: Related<'w, LeadsTo>,
    changed: EventWriter<'w, ChangedRoom>,
}

impl Presences<'_> {
    /// Carries out a request.
    fn walk(&mut self, ChangeRoom { entity, to }: ChangeRoom) -> Result<(), RoomRefusal> {
        let refusal = |reason| RoomRefusal { entity, to, reason };
        let InRoom(from) = *self.presences.get(entity).ok_or(refusal(RoomReason::NotInARoom))?;
        if self.doors.relation(from, to).is_none() {
            return Err(refusal(RoomReason::NotAdjacent));
        }
        // a room may be in a room, and lead to itself: then it stays
        self.presences.insert(entity, InRoom(to)).map_err(|_| refusal(RoomReason::NotAdjacent))?;
        self.changed.send(ChangedRoom { entity, from, to });
        Ok(())
    }
}

//! The systems that move entities between rooms, and their refusals.

use std::error::Error;
use std::fmt;

use ecs::Related;
use ecs::prelude::*;
use serde::{Deserialize, Serialize};

use super::{ChangeRoom, ChangedRoom, InRoom, LeadsTo};

/// A request to change rooms is not possible. The event of [`change_room`], and the error of [`try_change_room`].
#[derive(Event, Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RoomRefusal {
    /// The entity of the request.
    pub who: Entity,
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
        let Self { who, to, reason } = self;
        match reason {
            RoomReason::NotInARoom => {
                write!(f, "entity {who} is in no room, from where it could walk to room {to}")
            }
            RoomReason::NotAdjacent => write!(f, "the room of entity {who} does not lead to room {to}"),
        }
    }
}

impl Error for RoomRefusal {}

/// System: carries out the requests [`ChangeRoom`], in the order in which they were sent. Requests that are not possible are answered by
/// [`RoomRefusal`].
#[system]
pub fn change_room(
    mut requests: EventReader<ChangeRoom>,
    mut presences: Storage<InRoom>,
    doors: Related<LeadsTo>,
    mut changed: EventWriter<ChangedRoom>,
    mut refused: EventWriter<RoomRefusal>,
) {
    for &request in &mut requests {
        match walk(request, &mut presences, doors) {
            Ok(change) => changed.send(change),
            Err(refusal) => refused.send(refusal),
        }
    }
}

/// System: [`change_room`] that fails with the first request that is not possible. The requests before it are carried out.
///
/// # Errors
/// A request is not possible.
#[system]
pub fn try_change_room(
    mut requests: EventReader<ChangeRoom>,
    mut presences: Storage<InRoom>,
    doors: Related<LeadsTo>,
    mut changed: EventWriter<ChangedRoom>,
) -> Result<(), RoomRefusal> {
    for &request in &mut requests {
        changed.send(walk(request, &mut presences, doors)?);
    }
    Ok(())
}

fn walk(
    ChangeRoom { who, to }: ChangeRoom,
    presences: &mut Storage<InRoom>,
    doors: Related<LeadsTo>,
) -> Result<ChangedRoom, RoomRefusal> {
    let refusal = |reason| RoomRefusal { who, to, reason };
    let InRoom(from) = *presences.get(who).ok_or(refusal(RoomReason::NotInARoom))?;
    if doors.relation(from, to).is_none() {
        return Err(refusal(RoomReason::NotAdjacent));
    }
    // a room may be in a room, and lead to itself: then it stays
    presences.insert(who, InRoom(to)).map_err(|_| refusal(RoomReason::NotAdjacent))?;
    Ok(ChangedRoom { who, from, to })
}

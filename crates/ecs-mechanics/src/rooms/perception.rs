//! [`Perception`]: the entities of a room, as an entity in it knows them.

use ecs::Related;
use ecs::prelude::*;
use serde::{Deserialize, Serialize};

use super::InRoom;

/// The other entities in the room, as [`perceive`] has last seen them. A component.
///
/// Each list is in the order in which the entities came into the room; those that are gone are in
/// the order in which they came.
#[derive(Component, Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Perception {
    present: Vec<Entity>,
    arrived: Vec<Entity>,
    gone: Vec<Entity>,
}

impl Perception {
    /// The entities in the room.
    #[must_use]
    pub fn present(&self) -> &[Entity] {
        &self.present
    }

    /// The entities in the room that were not present the time before: after a change of rooms,
    /// all.
    #[must_use]
    pub fn arrived(&self) -> &[Entity] {
        &self.arrived
    }

    /// The entities that were present the time before and are not: despawned, or in another room.
    #[must_use]
    pub fn gone(&self) -> &[Entity] {
        &self.gone
    }

    /// Whether an entity is in the room.
    #[must_use]
    pub fn contains(&self, entity: Entity) -> bool {
        self.present.contains(&entity)
    }

    fn update(&mut self, now: impl Iterator<Item = Entity>) {
        std::mem::swap(&mut self.present, &mut self.gone);
        self.present.clear();
        self.present.extend(now);
        self.arrived.clear();
        self.arrived.extend(self.present.iter().filter(|entity| !self.gone.contains(entity)));
        self.gone.retain(|entity| !self.present.contains(entity));
    }
}

/// System: shows each entity with [`Perception`] the others in its room. An entity in no room
/// perceives nothing.
///
/// # Cost
/// For each entity with `Perception`, the square of the number of entities in its room.
#[system]
pub fn perceive(entity: Entity, perception: &mut Perception, rooms: Related<InRoom>) {
    let presences = rooms.target(entity).map_or(&[][..], |room| rooms.sources(room));
    perception.update(presences.iter().copied().filter(|other| *other != entity));
}

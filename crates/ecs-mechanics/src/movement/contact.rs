//! [`Contacts`], which say what a body touches, and the events about them.

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

use crate::sight::Cell;
use crate::vector::Vec2;

/// An entity or a cell that has stopped a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Obstacle {
    /// An entity that is [`Solid`](super::Solid).
    Entity(Entity),
    /// A solid cell of the map.
    Cell(Cell),
}

/// A touch of a body and an obstacle, in one step.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Contact {
    /// The obstacle.
    pub with: Obstacle,
    /// The direction from the obstacle to the body, with the length 1.
    pub normal: Vec2,
    /// The speed with which the body came, against the normal.
    pub speed: f32,
}

impl Contact {
    /// Whether a contact of the step before goes on in this one. All cells of a map are one wall: a
    /// body that slides along touches new ones.
    fn continues(&self, before: &Self) -> bool {
        match (self.with, before.with) {
            (Obstacle::Cell(_), Obstacle::Cell(_)) => self.normal == before.normal,
            (now, before) => now == before,
        }
    }
}

/// The obstacles that have stopped a body in the last step, in the order in which it came to them.
/// A component.
///
/// A body that rests on the ground has a contact in each step, since gravity moves it there. A body
/// that only stands beside a wall has none.
#[derive(Component, Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Contacts(Vec<Contact>);

impl Contacts {
    /// The contacts.
    #[must_use]
    pub fn as_slice(&self) -> &[Contact] {
        &self.0
    }

    /// The first contact whose normal is this direction, up to 45 degrees: of the ground, for the
    /// direction that is up.
    #[must_use]
    pub fn against(&self, direction: Vec2) -> Option<&Contact> {
        // the cosine, and a little less, so that a slope of 45 degrees is within it
        self.0.iter().find(|contact| contact.normal.dot(direction) >= 0.707 * direction.length())
    }

    /// Takes the contacts of a step, and calls `begin` for each one that the step before did not
    /// have.
    pub(super) fn update(&mut self, now: &[Contact], mut begin: impl FnMut(&Contact)) {
        for contact in now {
            if !self.0.iter().any(|before| contact.continues(before)) {
                begin(contact);
            }
        }
        self.0.clear();
        self.0.extend_from_slice(now);
    }
}

/// A body has bumped into an obstacle that it did not touch in the step before. An event;
/// [`glide`](super::glide) sends it.
#[derive(Event, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Bumped {
    /// The body.
    pub entity: Entity,
    /// The obstacle.
    pub into: Obstacle,
    /// The direction from the obstacle to the body, with the length 1.
    pub normal: Vec2,
    /// The speed with which the body came, against the normal.
    pub speed: f32,
}

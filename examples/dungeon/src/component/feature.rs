//! Components of fixed features: doors and stairs.

use ecs::prelude::*;

/// Opens and closes; it is closed while it is [`Solid`](super::Solid).
#[derive(Component, Clone, Copy, Debug, Reflect)]
pub struct Hinged {
    /// The symbol of an open door.
    pub open: char,
    /// The symbol of a closed door.
    pub closed: char,
}

/// Keeps a door closed for walkers without the [`Key`](super::Key) of the same shape.
#[derive(Component, Clone, Debug, PartialEq, Eq, Reflect)]
pub struct Lock {
    pub shape: String,
}

/// The way out.
#[derive(Component, Clone, Debug, Default, Reflect)]
pub struct Exit {}

//! Components of fixed features: doors and stairs.

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

/// Opens and closes; it is closed while it is [`Solid`](super::Solid).
#[derive(Component, Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Hinged {
    /// The symbol of an open door.
    pub open: char,
    /// The symbol of a closed door.
    pub closed: char,
}

/// Keeps a door closed for walkers without the [`Key`](super::Key) of the same shape.
#[derive(Component, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lock {
    pub shape: String,
}

/// The way out.
#[derive(Component, Clone, Debug, Default, Serialize, Deserialize)]
pub struct Exit {}

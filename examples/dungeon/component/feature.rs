//! What is built in: doors and stairs.

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

/// Opens and closes; it is closed while it is [`Solid`](super::Solid).
#[derive(Component, Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Hinged {
    /// How it is drawn when it is open.
    pub open: char,
    /// How it is drawn when it is closed.
    pub closed: char,
}

/// Keeps a door closed for whoever lacks the [`Key`](super::Key) of the same shape.
#[derive(Component, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lock {
    pub shape: String,
}

/// The way out.
#[derive(Component, Clone, Debug, Default, Serialize, Deserialize)]
pub struct Exit {}

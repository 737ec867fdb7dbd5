//! The human-readable form: writing and reading a world entity by entity, with the names of
//! components and fields.
//!
//! ```text
//! {
//!   "about": { "world": "Game", "version": 1 },
//!   "allocator": { .. },                                  // optional, as are all sections but `entities`
//!   "components": [{ "name": "Position", "layout": "(f32, f32)", "stamps": [], "finite": true }],
//!   "entities": { "0v1@7": { "Position": [0.5, 1.0], "Frozen": null } },
//!   "events": { "Bumped": { .. } },
//!   "removed": {},
//!   "resources": { "Clock": { "step": 0.125 } },
//!   "systems": { "tick/movement": { "last_run": 12, "off": false, "state": [] } }
//! }
//! ```
//! The sections are in alphabetical order, because some formats sort keys, and the reader relies on
//! this order.

mod components;
mod read;
mod write;

use alloc::string::String;

use serde::{Deserialize, Serialize};

pub use read::deserialize;
#[cfg(feature = "json")]
pub(super) use read::read;
pub(super) use read::{read_bytes, read_entities};
#[cfg(feature = "json")]
pub(super) use write::ReadableWorld;
#[cfg(feature = "reflect")]
pub(crate) use write::ValueMap;
pub(super) use write::places_of;
pub use write::serialize;

#[derive(Serialize, Deserialize)]
struct About {
    world: String,
    version: u32,
}

const SECTIONS: &[&str] =
    &["about", "allocator", "components", "entities", "events", "removed", "resources", "systems"];

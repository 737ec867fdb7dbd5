//! Worlds whose components, resources, events and systems are named at run time, for tools, scripts
//! and the network. Requires the feature `reflect`.
//!
//! A world with `#[derive(Reflect)]` is a [`ReflectWorld`]. Nothing is registered: every component,
//! resource and event that is not hidden implements `Serialize` and `Deserialize`, and a type that
//! does not is a compile error.
//!
//! ```
//! use ecs::prelude::*;
//! use ecs::reflect::ReflectWorld;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Component, Serialize, Deserialize)]
//! struct Health { now: u32, max: u32 }
//! #[derive(Component)]
//! #[component(hidden)]
//! struct Socket(std::sync::mpsc::Sender<u8>);
//!
//! world! {
//!     #[derive(Reflect)]
//!     struct Game { components { Health, Socket } }
//! }
//!
//! let mut game = Game::new();
//! let mut world = game.reflect_mut();
//! let wolf = world.spawn(&[("Health", serde_json::from_str(r#"{ "now": 3, "max": 7 }"#)?)])?;
//! world.patch(wolf, "Health.now", 5)?;
//! assert_eq!(world.read(wolf, "Health")?.to_string(), "{now: 5, max: 7}");
//! assert_eq!(serde_json::to_string(&world.read(wolf, "Health")?)?, r#"{"now":5,"max":7}"#);
//! assert_eq!(game.get::<Health>(wolf).map(|health| health.now), Some(5));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Rules
//! Rules of components (`unique`, `key`, `excludes`, relations), required components, change ticks
//! and logs of removed values hold as for the typed methods. A call that fails changes nothing.
//! [`ReflectError`] names the entity, the component, the path in its value, and what was expected.
//!
//! # Hidden types
//! `#[component(hidden)]`, `#[resource(hidden)]` and `#[event(hidden)]` hide a type from every
//! handle: it is not listed, read, changed, or named in an error. An [`AllowList`] hides more from
//! one handle.
//!
//! Handles alone hide: the `Debug` of an entity and
//! [`schedule_graph`](crate::Schedules::schedule_graph) are for the program itself, and name hidden
//! types, too. A program that sends them to others uses [`Reflection::systems`] instead.
// `entry` has the functions of each type, `erased` those of the world. `world` has the verbs, which
// are compiled once.

mod allow;
pub(crate) mod aspects;
mod changes;
pub(crate) mod entity_ref;
pub(crate) mod entry;
mod erased;
mod error;
mod info;
mod path;
mod prefab;
mod query;
mod schema;
mod systems;
mod world;

pub use crate::schedule::SystemFailure;
pub use crate::value::tree::DynamicValue;
pub use allow::AllowList;
pub use aspects::{AspectInfo, AspectList, AspectNames};
pub use changes::{EventPage, Moment};
#[doc(hidden)]
pub use erased::ErasedWorld;
pub use erased::ReflectWorld;
pub use error::{NameKind, ReflectError};
pub use info::{ComponentInfo, SystemInfo, ValueInfo};
pub use prefab::PrefabLibrary;
pub use query::{Comparison, DynamicQuery, PreparedQuery, QueryPage, QueryRow, QueryRun};
pub use schema::Schema;
pub use world::{ReflectMut, ReflectRef, Reflection};

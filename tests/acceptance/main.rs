//! Acceptance tests: one test for each capability of the four entity component systems that
//! influenced this library. `g` is mvanga's Python gist "entity-component-system in under 50
//! lines", `w` WECS, `r` the minimal registry of RogueBasin's page "Entity Component System", `e`
//! the Go ECS of the engo engine.
#![forbid(unsafe_code)]

mod aspects;
mod console;
mod engo;
mod gist;
mod gist_events;
mod gist_files;
mod identity;
mod prefabs;
mod references;
mod registry;
mod wecs;
mod wecs_costs;
mod wecs_deferred;
mod wecs_reactions;

//! Attempts by safe code to break what the unsafe code relies on. Nothing here may reach undefined behaviour: after
//! each attempt counts agree, and nothing was dropped twice. Run it with a sanitizer as well.
#![forbid(unsafe_code)]

mod aspects;
mod by_hand;
mod columns;
mod commands;
mod door;
mod dynamic;
mod edits;
mod events;
mod exchanged;
mod exclusive;
mod forged;
mod ground;
mod indexes;
mod lies;
mod panics;
mod prefab;
mod reactions;
mod reentry;
mod relations;
mod restored;
mod save;
mod save_values;
mod snapshots;
mod traits;
mod views;

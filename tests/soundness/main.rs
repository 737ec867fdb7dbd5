//! Attempts of safe code to break the invariants of the unsafe code. None may reach undefined
//! behaviour: after each attempt the counts agree, and no value was dropped twice. Run these tests
//! with a sanitizer, too.
#![forbid(unsafe_code)]

mod aspects;
mod bomb;
mod by_hand;
mod by_name;
mod clones;
mod columns;
mod commands;
mod door;
mod dynamic;
mod edits;
mod event_mutator;
mod events;
mod exchanged;
mod exclusive;
mod forged;
mod ghosts;
mod ground;
mod half_made;
mod hooks;
mod indexes;
mod interrupted;
mod kinds;
mod lies;
mod moves;
mod packed;
mod panics;
mod params;
mod prefab;
mod reactions;
mod reentry;
mod regrouped;
mod relations;
mod replaced;
mod restored;
mod save;
mod save_values;
mod shrink;
mod snapshots;
mod target_rules;
mod traits;
mod views;

//! What the four founding systems do, each capability shown by a test named after its row: `g` the gist, `w` WECS,
//! `r` RogueBasin's registry, `e` engo's.
#![forbid(unsafe_code)]

mod engo;
mod gist;
mod gist_events;
mod registry;
mod wecs;

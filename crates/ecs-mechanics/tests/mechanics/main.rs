//! Tests of the mechanics, one file for each module.
#![forbid(unsafe_code)]
#![allow(elided_lifetimes_in_paths, reason = "systems are written as in a program of a user")]

mod casting;
mod clocks;
mod dialogue;
mod equipment;
mod facts;
mod goals;
mod inventory;
mod meters;
mod minds;
mod movement;
mod rooms;
mod saved;
mod sheet;
mod sight;
mod space;
mod trees;
mod turns;

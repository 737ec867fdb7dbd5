//! Worlds under rollback: tests of determinism, two programs over bad networks, spectators, and
//! worlds that part.

#![allow(elided_lifetimes_in_paths, reason = "systems are written as users write them")]

mod game;
mod hostile;
mod local;
mod pairs;
mod parted;
mod processes;
mod spectator;
mod synctest;

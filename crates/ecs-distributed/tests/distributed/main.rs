//! Distributed worlds: the same hash for each number of workers, migration, halos, checkpoints, and
//! what goes wrong.
#![allow(elided_lifetimes_in_paths, reason = "systems are written as users write them")]

mod balance;
mod checkpoint;
mod crowd;
mod errors;
mod faults;
mod halo;
mod hostile;
mod messages;
mod migration;
mod model;
mod network;
mod settlers;
mod store;
mod street;
mod totals;

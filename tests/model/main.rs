//! Random operations on worlds and on plain models of them, which are compared after each.
#![forbid(unsafe_code)]

mod background;
mod batches;
mod disabled;
mod events;
mod executors;
mod followed;
mod hook;
mod index;
mod iteration;
mod kinds;
mod numbers;
mod packed;
mod prefab;
mod reactions;
mod regroup;
mod relations;
mod saves;
mod shrink_and_fill;
mod snapshots;
mod targets;

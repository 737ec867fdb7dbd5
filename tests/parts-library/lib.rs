//! A library for the worlds of other crates: bodies that move, bounce and come to rest, and in a
//! second module fuel that burns. It does not depend on the other entries of the worlds.
#![forbid(unsafe_code)]

pub mod fire;
pub mod growing;
mod motion;
pub mod pool;
pub mod shared;

pub use motion::{
    Bounces, Bumped, Clock, Moved, Position, Resting, Velocity, bounce, movement, rest, settle,
};
pub use motion::{physics, step};

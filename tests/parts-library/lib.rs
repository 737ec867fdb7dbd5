//! A library below every world: things that move, bounce and come to rest, and, in a module of its own, things that
//! burn. Nothing here knows what else the worlds have.
#![forbid(unsafe_code)]

pub mod fire;
mod motion;

pub use motion::{
    Bounces, Bumped, Clock, Moved, Position, Resting, Velocity, bounce, movement, rest, settle,
};
pub use motion::{physics, step};

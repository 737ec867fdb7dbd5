//! Examples of `ecs`, see the files beside this one. This library has what the ten small programs
//! share.

pub mod program;
pub mod screen;

pub use program::{Dice, Key, Program, run};
pub use screen::{Color, Screen};

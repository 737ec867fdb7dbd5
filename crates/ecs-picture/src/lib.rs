//! Pictures of worlds, as SVG and as DOT: the schedules with their stages and waves, the
//! components, resources and events that systems read and write, the components with their
//! relations, and aspects.
//!
//! [`WorldPicture`] has everything that is drawn. A program of a few lines is the command that
//! draws a world:
//!
//! ```
//! use ecs::prelude::*;
//! use ecs_picture::WorldPicture;
//!
//! #[derive(Component)]
//! struct Position(f32);
//! #[derive(Component)]
//! struct Velocity(f32);
//!
//! world! {
//!     struct Game { components { Position, Velocity } }
//!     schedule tick { movement }
//! }
//!
//! #[system(Game)]
//! fn movement(position: &mut Position, velocity: &Velocity) {
//!     position.0 += velocity.0;
//! }
//!
//! // `cargo run --example picture -- --into docs` writes the files, `-- --svg schedules` prints one
//! fn main() -> Result<(), ecs_picture::CommandError> {
//!     let picture = WorldPicture::of(&Game::new());
//!     assert!(picture.svg(ecs_picture::Kind::Schedules).contains(">movement</text>"));
//!     picture.command(std::env::args().skip(1).take(0))
//! }
//! ```
//!
//! The documentation of a crate shows a picture that was written into a file:
//! `#[doc = include_str!("../docs/schedules.svg")]` before the `struct` in `world!`. `--check docs`
//! fails if a file differs from the world.
//!
//! The pictures depend on the world's declaration alone, and are the same on every machine. The
//! layout needs no other program.

mod access;
mod aspects;
mod command;
mod components;
mod rows;
mod schedules;
mod svg;

pub use command::{CommandError, Kind, WorldPicture};

/// The program of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;

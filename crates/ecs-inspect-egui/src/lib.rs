//! An inspector in a window for worlds of `ecs`: it shows the entities, components, relations,
//! systems and resources of a running world in [egui], and changes them by name.
//!
//! It works with every world that derives `Reflect`, in every program that draws egui. Nothing is
//! registered. Its model is that of the terminal inspector, [`ecs_inspect::Inspector`]: each change
//! is a line of the console, with the same undo, messages and permissions.
//!
//! ```
//! use ecs::prelude::*;
//! use ecs_inspect_egui::WindowInspector;
//! use ecs_inspect_egui::ecs_inspect::Inspector;
//! # use serde::{Deserialize, Serialize};
//! # #[derive(Component, Serialize, Deserialize)] struct Health(u32);
//! # world! { #[derive(Reflect)] struct Game { components { Health } } schedule tick { heal } }
//! # #[system(Game)] fn heal(health: &mut Health) { health.0 += 1; }
//!
//! let mut game = Game::new();
//! let mut inspector = WindowInspector::new(Inspector::new());
//! let egui = egui::Context::default();
//! # let input = egui::RawInput::default();
//! // a frame of the program
//! if inspector.pace().runs() {
//!     game.tick();
//! }
//! let output = egui.run_ui(input, |ui| inspector.show(ui, &mut game));
//! # output.drop_without_applying_deltas();
//! ```
//!
//! # Views
//! The tabs are those of the terminal. At the right, the values of the chosen entity are edited in
//! place: numbers are dragged or typed, variants are chosen from a list, elements of lists are added
//! and removed, and the id of an entity is a link to it. A click with the other button on the name
//! of a value shows who has changed it, watches it, or sorts the entities by it. At the bottom are the
//! time line of the history, if the inspector has one, and the console.
//!
//! # Cost
//! A frame reads only the values that are on the screen. The rows of the entities are found by
//! counting, some nanoseconds for each entity before the last one that is shown.
//!
//! # Limits
//! - The limits of [`ecs_inspect`] hold.
//! - Integers beyond 2⁵³ and numbers that are not finite are typed, not dragged.
//! - The first 500 elements of a list or map are shown.

mod content;
mod editor;
mod entities;
mod field;
mod history;
#[cfg(feature = "native")]
pub mod native;
mod relations;
mod resources;
mod systems;
mod window;

/// The crate of the model: [`Inspector`](ecs_inspect::Inspector).
pub use ecs_inspect;
/// The user interface library, in the version that [`WindowInspector::show`] needs.
pub use egui;
pub use window::WindowInspector;

/// The program of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;

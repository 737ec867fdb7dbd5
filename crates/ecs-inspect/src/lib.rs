//! A terminal inspector for worlds of `ecs`: it shows the entities, components, relations, systems
//! and resources of a running world, and changes them by name.
//!
//! It works with every world that derives `Reflect`, through
//! [`ReflectWorld`](ecs::reflect::ReflectWorld). Nothing is registered. The program keeps its own
//! loop: it passes events to [`Inspector::handle`], draws with [`Inspector::draw`], and asks
//! [`Inspector::pace`] whether to run the next tick.
//!
//! ```no_run
//! use std::time::Duration;
//!
//! use ecs::prelude::*;
//! use ecs_inspect::Inspector;
//! use ecs_inspect::ratatui::{self, crossterm::event};
//! # use serde::{Deserialize, Serialize};
//! # #[derive(Component, Serialize, Deserialize)] struct Health(u32);
//! # world! { #[derive(Reflect)] struct Game { components { Health } } schedule tick { heal } }
//! # #[system(Game)] fn heal(health: &mut Health) { health.0 += 1; }
//!
//! let mut game = Game::new();
//! let mut inspector = Inspector::new();
//! let mut terminal = ratatui::init();
//! while !inspector.is_closed() {
//!     if inspector.pace().runs() {
//!         game.tick();
//!     }
//!     terminal.draw(|frame| inspector.draw(frame, &game))?;
//!     if event::poll(Duration::from_millis(16))? {
//!         inspector.handle(event::read()?, &mut game);
//!     }
//! }
//! ratatui::restore();
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # From another process
//! [`InspectorHost`] answers the program `checked-ecs-inspect --attach ADDRESS`, which shows the
//! inspector in a terminal of its own.
//!
//! # Without a terminal
//! The cargo feature `terminal`, which is on by default, has `Inspector::draw`, `Inspector::handle`
//! and `InspectorHost`. Without it, the package is the model of a user interface of another kind:
//! `checked-ecs-inspect-egui` shows it in a window.
//!
//! # Views
//! `1` to `7` choose a view, `?` shows all keys, `:` opens the console, `q` closes the inspector.
//!
//! | key | view | content |
//! |---|---|---|
//! | `1` | entities | the matrix of entities and components; values of the chosen entity; watched values |
//! | `2` | relations | the tree of one relation |
//! | `3` | systems | schedules, their systems, accesses, run times and last failures; the systems that touch the chosen entity |
//! | `4` | resources | the values of resources, and the events that can be sent |
//! | `5` | components | sizes, options and numbers of components |
//! | `6` | content | aspects that have names, and prefabs |
//! | `7` | history | the runs of the program, the systems of a run, and who has changed a value: see [`Inspector::history`] |
//!
//! # Console
//! Every change is a line of the console; keys only write its beginning. [`COMMANDS`] lists the
//! commands. An error of the world is shown in the status line, and the world is unchanged then.
//!
//! # Cost
//! A call of [`Inspector::draw`] reads only the values that are on the screen. A filter or an order
//! reads all entities that it may match: with more than 10,000 entities it does so once, and again
//! at the key `r` or after a change in the console.
//!
//! # Limits
//! - Components that serde skips parts of lose these parts when they are changed or moved: the
//!   world is changed by name, through their `Serialize` and `Deserialize`.
//! - Aspects have names if the program implements [`AspectNames`](ecs::reflect::AspectNames) for
//!   its world. Without it, [`Inspector::group`] names a set of components with values, which
//!   `spawn`, `add` and `remove` accept like an aspect.
//! - A step runs one system: its commands are applied at once, not at the end of its stage, and a
//!   `react` block is run once.
//! - The systems of an entity are those that read, write, or filter by one of its components. A
//!   filter such as `Without` may still leave the entity out.

#![cfg_attr(
    not(feature = "terminal"),
    allow(
        dead_code,
        reason = "the model has the cursors of the terminal's views, beside the rows they move over"
    )
)]

#[cfg(feature = "attach")]
mod attach;
mod complete;
#[cfg(feature = "terminal")]
mod console;
#[cfg(feature = "terminal")]
mod frame;
mod history;
#[cfg(feature = "terminal")]
mod host;
mod inspector;
#[cfg(feature = "terminal")]
mod keys;
mod matrix;
mod model;
mod pace;
mod part;
mod systems;
mod tree;
mod undo;
mod value;
mod verbs;
#[cfg(feature = "terminal")]
mod view;

#[cfg(feature = "attach")]
pub use attach::{Attachment, attach};
/// The crate of the histories that [`Inspector::history`] takes.
pub use ecs_history;
pub use history::{AnswerLine, timeline_place, timeline_title};
#[cfg(feature = "terminal")]
pub use host::InspectorHost;
pub use inspector::{Inspector, View};
pub use model::component_options;
pub use pace::Pace;
pub use part::ValuePart;
/// The terminal library, in the version that `Inspector::draw` needs.
#[cfg(feature = "terminal")]
pub use ratatui;
pub use systems::{SystemLine, micros, systems_of};
pub use tree::TreeRow;
pub use value::{grouped, short as value_text, template as value_template, to_input as value_input};
pub use verbs::{COMMANDS, CommandInfo};

/// The program of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;

//! Agent-based models with [`ecs`]: random numbers, grids, records of a run, and experiments of
//! many runs.
//!
//! A model is a world. Its agents are entities, its rules are systems, its step is a schedule: there
//! is no type of agent and no scheduler besides those of `ecs`. What belongs to the state of the
//! model is in components and resources, so that it is saved, cloned, hashed and rolled back with
//! the world.
//!
//! - [`random`]: [`Random`](random::Random), random numbers with a seed, in order or for each agent.
//! - [`grid`]: [`Grid`](grid::Grid), the shape of a grid; [`Layer`](grid::Layer), a value for each
//!   cell.
//! - [`grid3`]: [`Grid3`](grid3::Grid3), the shape of a grid of three dimensions.
//! - [`cells`]: [`Cell`](cells::Cell) and [`SingleCell`](cells::SingleCell), components that say in
//!   which cell an agent is, and know the agents of each cell.
//! - [`space`]: [`ContinuousSpace`](space::ContinuousSpace), agents at points; [`cell_list`]:
//!   [`CellList`](cell_list::CellList), which knows them.
//! - [`event_queue`]: [`EventQueue`](event_queue::EventQueue), events in continuous time.
//! - [`next`]: [`Next`](next::Next), the next state of agents that all act at once.
//! - `network`, with the feature of this name: networks of agents.
//! - `picture`, with the feature of this name: pictures and animations.
//! - `progress`, with the feature of this name: bars with the time that is left.
//! - [`recorder`]: [`Recorder`](recorder::Recorder), what is measured in a run, as CSV and as
//!   curves.
//! - [`sweep`]: [`Sweep`](sweep::Sweep), a model with many parameters and seeds, on many threads;
//!   designs of experiments.
//! - `window`, with the feature of this name: a model in a window, with sliders and charts.

#![allow(elided_lifetimes_in_paths, reason = "systems are written as in a program of a user")]

pub mod cell_list;
pub mod cells;
pub mod event_queue;
pub mod grid;
pub mod grid3;
#[cfg(feature = "network")]
pub mod network;
pub mod next;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "picture")]
pub mod picture;
#[cfg(feature = "plot")]
mod plot;
#[cfg(feature = "progress")]
pub mod progress;
pub mod random;
pub mod recorder;
pub mod space;
pub mod sweep;
#[cfg(feature = "window")]
pub mod window;

/// The items that a model needs: `use ecs_agents::prelude::*;`. The traits and distributions of `rand` are
/// part of it.
pub mod prelude {
    #[doc(no_inline)]
    pub use rand::{
        Rng, RngExt,
        seq::{IndexedRandom, IteratorRandom, SliceRandom},
    };
    #[doc(no_inline)]
    pub use rand_distr::{Distribution, Exp, Normal, Poisson};

    pub use crate::cell_list::{CellList, Positioned};
    pub use crate::cells::{Cell, CellIndex, SingleCell};
    pub use crate::event_queue::{EventKey, EventQueue};
    pub use crate::grid::{Grid, Layer};
    pub use crate::grid3::Grid3;
    #[cfg(feature = "network")]
    pub use crate::network::Network;
    pub use crate::next::{Next, take_next};
    #[cfg(feature = "picture")]
    pub use crate::picture::{Film, Picture, Rgb};
    #[cfg(feature = "progress")]
    pub use crate::progress::with_progress;
    pub use crate::random::{Draws, Random};
    pub use crate::recorder::{Recorder, Table, run, run_until};
    pub use crate::space::{ContinuousSpace, Neighbour};
    pub use crate::sweep::{Outcome, Sweep, Trial};
    #[cfg(feature = "window")]
    pub use crate::window::ModelWindow;
}

/// The program of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;

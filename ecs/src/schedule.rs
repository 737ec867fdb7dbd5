//! Schedules: the systems of a world in the order in which they are written.
//!
//! `world!` makes a constant [`Plan`] of each `schedule` block, and a method that [runs](run) it. The order of the text
//! is the meaning; what provably commutes may run at the same time. The state of each place, a schedule and a position
//! in it, belongs to the world: see [`Places`].
//!
//! A [`Schedule`] is [built](dynamic) at run time, of the same nodes and with the same plan; its states are its own.

mod bond;
mod dynamic;
pub(crate) mod fixed;
mod graph;
mod nested;
pub(crate) mod node;
mod panics;
pub(crate) mod places;
pub(crate) mod plan;
mod quick;
pub(crate) mod run;
#[cfg(feature = "parallel")]
mod spread;
pub(crate) mod timing;
mod try_run;
mod unused;
mod verbs;

pub use dynamic::Schedule;
pub use fixed::{FixedTime, Steps};
pub use graph::{GraphEdge, GraphNode, GraphSchedule, ScheduleGraph};
pub use nested::Nested;
pub use node::{Condition, Node, Outcome, Question, node};
pub use places::{Places, init_places, system_names};
#[cfg(feature = "serde")]
pub(crate) use places::{SavedPlace, init_states};
pub use plan::{Plan, Stage};
pub(crate) use run::{run, run_fallible};
pub use timing::{Spread, Timing};
pub use try_run::{ConsumedEvents, RunError, RunFailure, TryRunOutput};
pub use unused::Unused;
pub use verbs::Schedules;

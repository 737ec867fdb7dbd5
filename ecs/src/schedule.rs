//! Schedules: the systems of a world in the order in which they are written.
//!
//! The result of a schedule is always that of running its systems in the order of the text; systems
//! whose accesses commute may run at the same time. `world!` makes a method of each `schedule`
//! block. A [`Schedule`] is built at run time. [`Schedules`] has the methods of worlds for
//! schedules, [`ScheduleGraph`] describes the schedules of a world, and [`Parallelism`] chooses the
//! threads.

// `world!` makes a constant `Plan` of each `schedule` block, and a method that calls `run::run`
// with it. A *place* is the position of a system or condition in a schedule. Each place has a
// state, which is stored in the world: see `ScheduleStates`. A `Schedule` (`dynamic`) uses the same
// nodes and the same kind of plan; it stores its states itself.

#[cfg(feature = "reflect")]
pub(crate) mod by_name;
pub(crate) mod condition;
mod dynamic;
mod failures;
mod fast_path;
pub(crate) mod fixed;
mod graph;
pub(crate) mod group;
pub(crate) mod nested;
pub(crate) mod node;
mod observers;
pub(crate) mod once;
pub(crate) mod output;
mod panics;
#[cfg(feature = "parallel")]
mod parallel;
pub(crate) mod plan;
pub(crate) mod run;
#[cfg(feature = "serde")]
pub(crate) mod saved;
pub(crate) mod states;
pub(crate) mod timing;
mod tokens;
mod try_run;
mod unused;
mod verbs;
pub(crate) mod watch;

pub use dynamic::Schedule;
pub use failures::{Failures, SystemFailure};
pub use fixed::{FixedTime, Steps};
pub use graph::{GraphEdge, GraphNode, GraphSchedule, ScheduleGraph};
pub use output::{ObserverOutput, Outcome};
pub use timing::{Parallelism, Timing};
pub use try_run::{ConsumedEvents, RunError, RunFailure, TryRunOutput};
pub use unused::Unused;
pub use verbs::Schedules;
#[cfg(feature = "reflect")]
pub(crate) use verbs::{enable_by_id, is_enabled_by_id};
pub use watch::{StepPart, SystemStep};

//! Schedules: the systems of a world in the order in which they are written.
//!
//! `world!` makes a constant [`Plan`] of each `schedule` block, and a method that [runs](run) it. The result is always that of
//! running the systems in the order of the text; systems whose accesses commute may run at the same time. A *place* is the
//! position of a system or condition in a schedule. Each place has a state, which is stored in the world: see [`ScheduleStates`].
//!
//! A [`Schedule`] is [built](dynamic) at run time from the same nodes and with the same kind of plan; it stores its states itself.

#[cfg(feature = "reflect")]
pub(crate) mod by_name;
mod condition;
mod dynamic;
mod fast_path;
pub(crate) mod fixed;
mod graph;
pub(crate) mod nested;
pub(crate) mod node;
pub(crate) mod once;
mod output;
mod panics;
#[cfg(feature = "parallel")]
mod parallel;
pub(crate) mod plan;
pub(crate) mod run;
pub(crate) mod states;
pub(crate) mod timing;
mod tokens;
mod try_run;
mod unused;
mod verbs;

#[cfg(feature = "reflect")]
pub use by_name::SystemFailure;
pub use condition::Condition;
pub use dynamic::Schedule;
pub use fixed::{FixedTime, Steps};
pub use graph::{GraphEdge, GraphNode, GraphSchedule, ScheduleGraph};
pub use nested::Nested;
pub use node::{ConditionSystem, Node, node};
pub use output::Outcome;
pub use plan::{Plan, Stage};
#[cfg(feature = "serde")]
pub(crate) use states::{SavedPlace, init_states};
pub use states::{ScheduleStates, init_schedule_states, system_names};
pub use timing::{Parallelism, Timing};
pub use try_run::{ConsumedEvents, RunError, RunFailure, TryRunOutput};
pub use unused::Unused;
pub use verbs::Schedules;
#[cfg(feature = "reflect")]
pub(crate) use verbs::{enable_by_id, is_enabled_by_id};

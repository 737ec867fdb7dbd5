//! [`Unused`]: the declarations of a world that its schedules do not use.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

use super::graph::{WorldNames, list};
use super::plan::AnyPlan;
use super::states::ScheduleStates;
use crate::base::quoted::escaped;
use crate::system::Access;

/// The declarations of a world that no schedule uses: part of a
/// [`ScheduleGraph`](crate::schedule::ScheduleGraph).
///
/// Only the parameters of systems count as uses. So data is listed here that is used only by a
/// system that takes the whole world, `&mut Game`, by closures and [`Commands`](crate::Commands),
/// by a schedule that is built at run time, or by code outside of the schedules.
///
/// ```
/// # use ecs::prelude::*;
/// # #[derive(Component)] struct Position(f32);
/// # #[derive(Component)] struct Mass(f32);
/// # #[derive(Event)] struct Bumped;
/// world! {
///     struct Game {
///         components { Position, Mass }
///         events { Bumped(external) }
///     }
///     schedule tick { movement }
/// }
/// # #[system(Game)] fn movement(position: &mut Position) { position.0 += 1.0; }
///
/// let unused = Game::new().schedule_graph().unused;
/// assert_eq!(unused.components, ["Mass"]);
/// assert_eq!((unused.events_unread, unused.events_unsent), (vec!["Bumped"], vec!["Bumped"]));
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Unused {
    /// Components that no system of any schedule reads, writes or filters by.
    pub components: Vec<&'static str>,
    /// Resources that no system of any schedule reads or writes.
    pub resources: Vec<&'static str>,
    /// Events that no system of any schedule reads. An `external` event that a system sends counts
    /// as read.
    pub events_unread: Vec<&'static str>,
    /// Events that no system of any schedule sends. An `external` event that a system reads counts
    /// as sent.
    pub events_unsent: Vec<&'static str>,
    /// Systems that are switched off, each with its schedule: `tick/movement`.
    pub systems_disabled: Vec<String>,
}

impl Unused {
    /// Finds the unused declarations of a world.
    pub(super) fn of_world(names: WorldNames, plans: &[&AnyPlan<'_>], states: &ScheduleStates) -> Self {
        let plans = || plans.iter().zip(&states.schedules);
        let tasks = plans().flat_map(|(plan, _)| plan.entries.iter().flat_map(|entry| entry.node.tasks()));
        // `Commands` and `&mut Game` would count as a use of everything
        let accesses = tasks.flat_map(|task| task.desc.params).map(|param| &param.access);
        let accesses: Vec<&Access> =
            accesses.filter(|access| !access.exclusive && !access.deferred).collect();
        let without = |names: &'static [&'static str], is_in: &dyn Fn(&Access, usize) -> bool| {
            let unused =
                (0..names.len()).filter(|&index| !accesses.iter().any(|access| is_in(access, index)));
            // the name of a declaration that `#[cfg]` has removed is empty
            unused.map(|index| names[index]).filter(|name| !name.is_empty()).collect::<Vec<_>>()
        };
        let is_external = |index: usize| names.external_events.get(index) == Some(&true);
        let systems_disabled = plans().flat_map(|(plan, states)| {
            let nodes = plan.entries.iter().enumerate().filter(|&(at, _)| states.is_disabled(at));
            nodes.map(|(_, entry)| format!("{}/{}", plan.name, entry.node.task.name))
        });
        Self {
            components: without(names.components, &|access, index| {
                let values = access.read.or(access.write).or(access.with).or(access.without);
                values.or(access.presence).or(access.presence_write).or(access.stamps).contains(index)
            }),
            resources: without(names.resources, &|access, index| {
                access.resources_read.contains(index) || access.resources_write.contains(index)
            }),
            events_unread: without(names.events, &|access, index| {
                access.events_read.contains(index)
                    || is_external(index) && access.events_written.contains(index)
            }),
            events_unsent: without(names.events, &|access, index| {
                access.events_written.contains(index)
                    || is_external(index) && access.events_read.contains(index)
            }),
            systems_disabled: systems_disabled.collect(),
        }
    }

    /// The lists, each with the name of its field.
    fn lists(&self) -> [(&'static str, Vec<&str>); 5] {
        [
            ("components", self.components.clone()),
            ("resources", self.resources.clone()),
            ("events_unread", self.events_unread.clone()),
            ("events_unsent", self.events_unsent.clone()),
            ("systems_disabled", self.systems_disabled.iter().map(String::as_str).collect()),
        ]
    }

    /// Appends a box to a DOT graph, with a node for each list that is not empty.
    pub(super) fn write_dot(&self, dot: &mut String) {
        let lists = self.lists().into_iter().filter(|(_, names)| !names.is_empty());
        let mut lists = lists.enumerate().peekable();
        if lists.peek().is_none() {
            return;
        }
        dot.push_str("    subgraph \"cluster_unused\" { label=\"unused\"; style=dotted;\n");
        for (at, (what, names)) in lists {
            let names = escaped(&names.join("\n"));
            let _ = writeln!(
                dot,
                "        unused{at} [label=\"{}:\\n{names}\", style=dotted];",
                what.replace('_', " ")
            );
        }
        dot.push_str("    }\n");
    }

    /// Appends a JSON object with the lists.
    pub(super) fn write_json(&self, json: &mut String) {
        let lists = self.lists().map(|(what, names)| format!("\"{what}\":{}", list(&names)));
        let _ = write!(json, "{{{}}}", lists.join(","));
    }
}

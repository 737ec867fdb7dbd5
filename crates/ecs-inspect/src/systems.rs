//! The lines of the systems: accesses, run times, failures, the next step, and whether a system
//! concerns the chosen entity.

use std::time::Duration;

use ecs::Entity;
use ecs::reflect::{ReflectRef, SystemInfo};
use ecs::schedule::Timing;

use crate::inspector::Inspector;

/// A system at a place of a schedule, with its state.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SystemLine {
    /// The place and the accesses.
    pub info: SystemInfo,
    /// The run times at this place, if they are measured.
    pub timing: Option<Timing>,
    /// The reason of the last failure; at the first place of a schedule only.
    pub failure: Option<String>,
    /// Whether the next step runs it, while a schedule is stepped through.
    pub is_next: bool,
    /// Whether the system reads, writes, or filters by a component of the chosen entity.
    pub touches: bool,
}

impl SystemLine {
    /// The mean run time.
    #[must_use]
    pub fn mean(&self) -> Option<Duration> {
        let timing = self.timing.as_ref()?;
        timing.total.checked_div(u32::try_from(timing.runs).unwrap_or(u32::MAX))
    }

    /// The names of what the system reads and writes, in one line.
    #[must_use]
    pub fn accesses(&self) -> String {
        let info = &self.info;
        // it accesses everything, so the lists would be empty or wrong
        if info.exclusive {
            return match info.condition.as_str() {
                "" => "the whole world".to_owned(),
                condition => format!("the whole world; if {condition}"),
            };
        }
        let reads = info.reads.iter().chain(&info.resources_read).chain(&info.events_read);
        let lists = [
            ("reads", reads.collect::<Vec<_>>()),
            ("writes", info.writes.iter().chain(&info.resources_written).collect()),
            ("filters", info.filters.iter().collect()),
            ("sends", info.events_sent.iter().collect()),
        ];
        let mut parts = Vec::new();
        for (verb, names) in lists.into_iter().filter(|(_, names)| !names.is_empty()) {
            let names: Vec<&str> = names.into_iter().copied().collect();
            parts.push(format!("{verb} {}", names.join(", ")));
        }
        if !info.condition.is_empty() {
            parts.push(format!("if {}", info.condition));
        }
        parts.join("; ")
    }
}

/// A time in microseconds: `12.3µs`.
#[must_use]
pub fn micros(time: Duration) -> String {
    format!("{:.1}µs", time.as_nanos() as f64 / 1000.0)
}

fn is_same(a: &SystemInfo, b: &SystemInfo) -> bool {
    a.schedule == b.schedule && a.system == b.system
}

/// Whether a system reads, writes, or filters by one of the components.
fn touches(info: &SystemInfo, held: &[&'static str]) -> bool {
    info.reads.iter().chain(&info.writes).chain(&info.filters).any(|name| held.contains(name))
}

/// The systems that read, write, or filter by a component of the entity, each once.
#[must_use]
pub fn systems_of(entity: Entity, world: &ReflectRef<'_>) -> Vec<&'static str> {
    let held = world.components_of(entity).unwrap_or_default();
    let mut found = Vec::new();
    for info in world.systems() {
        if touches(&info, &held) && !found.contains(&info.system) {
            found.push(info.system);
        }
    }
    found
}

impl Inspector {
    /// The systems, in the order of the schedules.
    #[must_use]
    pub fn system_lines(&self, world: &ReflectRef<'_>) -> Vec<SystemLine> {
        let systems = world.systems();
        let (timings, failures) = (world.timings(), world.failures());
        let held = self.chosen.and_then(|entity| world.components_of(entity).ok()).unwrap_or_default();
        let steps = &self.steps;
        let is_next =
            |info: &SystemInfo| info.schedule == steps.schedule && info.index >= steps.done && info.enabled;
        let next = systems.iter().position(is_next).filter(|_| steps.done > 0);
        let lines = systems.iter().enumerate().map(|(at, info)| {
            // places of one system in a schedule have one time each, in the same order
            let number = systems[..at].iter().filter(|other| is_same(other, info)).count();
            let of_system =
                |timing: &&Timing| timing.schedule == info.schedule && timing.system == info.system;
            let failure = failures
                .iter()
                .rfind(|failure| failure.schedule == info.schedule && failure.system == info.system);
            SystemLine {
                info: info.clone(),
                timing: timings.iter().filter(of_system).nth(number).cloned(),
                failure: failure.filter(|_| number == 0).map(|failure| failure.reason.to_string()),
                is_next: next == Some(at),
                touches: touches(info, &held),
            }
        });
        lines.collect()
    }
}

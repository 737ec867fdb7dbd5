//! The paths of a world's systems, from the plans of its schedules.

use alloc::collections::BTreeMap;
use alloc::format;

use crate::persist::image::SystemPaths;
use crate::schedule::plan::AnyPlan;

impl SystemPaths {
    pub(crate) fn new(plans: &[&AnyPlan<'_>]) -> Self {
        let schedules = plans.iter().map(|plan| {
            let mut seen = BTreeMap::new();
            let tasks = plan.entries.iter().flat_map(|entry| entry.node.tasks());
            let names = tasks.map(|task| {
                let occurrence = seen.entry(task.name).or_insert(0);
                *occurrence += 1;
                match *occurrence {
                    1 => format!("{}/{}", plan.name, task.name),
                    _ => format!("{}/{}#{occurrence}", plan.name, task.name),
                }
            });
            names.collect()
        });
        Self(schedules.collect())
    }
}

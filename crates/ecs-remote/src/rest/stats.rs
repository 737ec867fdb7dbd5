//! `/components` and `/stats/..`.

use ecs::reflect::ComponentInfo;
use serde_json::{Value, json};

use super::path::Target;
use crate::dispatch::Door;

/// The components, with their sizes and the numbers of entities that have them.
pub(super) fn components(door: &Door<'_>) -> Value {
    let one = |info: &ComponentInfo| {
        json!({
            "name": info.name, "entity_count": info.count,
            "type": { "size": info.size, "alignment": info.align },
            "traits": { "tracked": info.tracked, "unique": info.unique, "key": info.key, "relation": info.relation },
            "requires": info.requires, "excludes": info.excludes,
        })
    };
    door.world.components().iter().map(one).collect()
}

/// The number of entities over time: 60 values, of which each is about a part of the period.
pub(super) fn world(door: &Door<'_>, target: &Target) -> Value {
    json!({ "entities.count": door.history.json(target.parameter("period").unwrap_or("1m")) })
}

/// The times of the systems, in seconds: the mean and the longest of all runs since the program has begun to measure them.
pub(super) fn pipeline(door: &Door<'_>) -> Value {
    let timings = door.world.timings();
    let one = |timing: &ecs::schedule::Timing| {
        let mean = timing.total.as_secs_f64() / timing.runs.max(1) as f64;
        json!({
            "name": timing.system, "schedule": timing.schedule, "runs": timing.runs,
            "disabled": !door.world.is_system_enabled(timing.system).unwrap_or(true),
            "time_spent": { "avg": [mean], "max": [timing.longest.as_secs_f64()], "min": [timing.last.as_secs_f64().min(mean)] },
        })
    };
    timings.iter().map(one).collect()
}

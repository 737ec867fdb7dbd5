//! `/components` and `/stats/..`.

use ecs::reflect::ComponentInfo;
use serde_json::{Value, json};

use super::path::Target;
use crate::dispatch::Door;
use crate::history::places;

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

fn period(target: &Target) -> &str {
    target.parameter("period").unwrap_or("1m")
}

/// Numbers of the world over time: 60 values, of which each is about a part of the period.
pub(super) fn world(door: &Door<'_>, target: &Target) -> Value {
    door.history.world(period(target))
}

/// The times of the systems in seconds, over time, while they are measured. `name` may be a schedule; other names stand for all.
pub(super) fn pipeline(door: &Door<'_>, target: &Target) -> Value {
    let timings = door.world.timings();
    let named = target.parameter("name").filter(|name| door.world.schedules().contains(name));
    let all = places(&timings).zip(&timings);
    all.filter(|(place, _)| named.is_none_or(|name| place.0 == name))
        .map(|(place, timing)| {
            let mean = timing.total.as_secs_f64() / timing.runs.max(1) as f64;
            json!({
                "name": timing.system, "schedule": timing.schedule, "runs": timing.runs,
                "disabled": !door.world.is_system_enabled(timing.system).unwrap_or(true),
                "mean": mean, "longest": timing.longest.as_secs_f64(), "last": timing.last.as_secs_f64(),
                "time_spent": door.history.system(place, period(target)),
            })
        })
        .collect()
}

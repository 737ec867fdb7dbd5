//! `/components`, `/stats/..`, and the numbers that the explorer reads as components of entities of
//! flecs.

use ecs::reflect::ComponentInfo;
use serde_json::{Map, Value, json};

use super::path::Target;
use super::{Answer, RestError, entity};
use crate::dispatch::Door;
use crate::history::places;

/// An entity of flecs that the explorer asks for.
pub(super) fn of_flecs(door: &Door<'_>, module: &str, name: &str) -> Answer {
    match (module, name) {
        ("core", "World") => Ok(heartbeat(door)),
        ("stats", "WorldMemory") => Ok(memory(door)),
        _ => Err(RestError::not_found(format!("there is no entity `flecs.{module}.{name}`"))),
    }
}

/// The sign of life for which the explorer asks each second. It shows the name of the world, its
/// numbers, and the version of the library.
fn heartbeat(door: &Door<'_>) -> Value {
    let (world, history) = (&door.world, door.history);
    let mut summary = json!({ "entity_count": world.len(), "systems_ran_frame": world.systems().len() });
    if let (Some(fps), Some(uptime)) = (history.calls_per_second(), history.uptime()) {
        (summary["fps"], summary["uptime"]) = (json!(fps), json!(uptime.as_secs_f64()));
    }
    // the page writes "flecs v" before it
    let version = concat!("4 REST, checked-ecs ", env!("CARGO_PKG_VERSION"));
    json!({
        "parent": "flecs.core", "name": "World", "id": 0,
        "components": {
            entity::LABEL: { "value": world.name() },
            "flecs.stats.WorldSummary": summary,
            "flecs.core.BuildInfo": {
                "version": version, "compiler": "rustc", "debug": cfg!(debug_assertions), "sanitize": false,
                "perf_trace": false, "addons": [], "flags": [],
            },
        },
    })
}

/// The memory of the columns.
fn memory(door: &Door<'_>) -> Value {
    let components = door.world.components();
    let bytes = components.iter().map(|info| (format!("bytes_{}", info.name), info.bytes.into()));
    json!({
        "parent": "flecs.stats", "name": "WorldMemory", "id": 0,
        "components": { "flecs.stats.WorldMemory": { "components": bytes.collect::<Map<String, Value>>() } },
    })
}

/// The components, with their sizes and the numbers of entities that have them.
pub(super) fn components(door: &Door<'_>) -> Value {
    let one = |info: &ComponentInfo| {
        let traits = [
            ("tracked", info.tracked),
            ("unique", info.unique),
            ("index", info.index),
            ("key", info.key),
            ("relation", info.relation),
        ];
        let traits: Vec<&str> = traits.iter().filter(|(_, is_set)| *is_set).map(|(name, _)| *name).collect();
        json!({
            "name": info.name, "entity_count": info.count, "tables": [],
            "type": { "size": info.size, "alignment": info.align },
            "memory": { "storage": info.bytes, "component_index": {} },
            "traits": traits, "requires": info.requires, "excludes": info.excludes,
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

/// The times of the systems in seconds, over time, while they are measured. `name` may be a
/// schedule; other names stand for all.
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

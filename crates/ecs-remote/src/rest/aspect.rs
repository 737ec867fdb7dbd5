//! `/aspects` and `/aspect/PATH?aspect=NAME`. The explorer does not ask for them: flecs has no
//! aspects.

use serde_json::{Map, Value, json};

use super::path::{self, Target};
use super::{Answer, RestError};
use crate::dispatch::Door;
use crate::json_rpc;

/// The aspects of the world.
pub(super) fn list(door: &mut Door<'_>) -> Answer {
    Ok(json_rpc::aspects(door)?.into())
}

/// The names of the aspects of an entity.
pub(super) fn of_entity(door: &mut Door<'_>, path: &[String]) -> Answer {
    Ok(json!(json_rpc::aspects_of(door, path::find(door, path)?)?))
}

fn named(target: &Target) -> Result<&str, RestError> {
    target.parameter("aspect").ok_or_else(|| RestError::bad("`aspect` is missing"))
}

/// Adds an aspect, with the changes that `changes` names; `instead_of` names an aspect that is
/// removed.
pub(super) fn add(door: &mut Door<'_>, path: &[String], target: &Target) -> Answer {
    let (entity, aspect) = (path::find(door, path)?, named(target)?);
    let changes = match target.parameter("changes").map(serde_json::from_str) {
        None => Map::new(),
        Some(Ok(Value::Object(changes))) => changes,
        Some(_) => return Err(RestError::bad("`changes` is an object of JSON: {\"Health.now\": 3}")),
    };
    let changes = json_rpc::parts(door, &changes)?;
    let changes = json_rpc::borrowed(&changes);
    match target.parameter("instead_of") {
        Some(old) => door.world.swap_aspect(entity, old, aspect, &changes)?,
        None => door.world.add_aspect(entity, aspect, &changes)?,
    }
    Ok(json!({}))
}

/// Removes an aspect.
pub(super) fn remove(door: &mut Door<'_>, path: &[String], target: &Target) -> Answer {
    let entity = path::find(door, path)?;
    door.world.remove_aspect(entity, named(target)?)?;
    Ok(json!({}))
}

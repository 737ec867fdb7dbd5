//! The subset of the REST interface of flecs that the flecs explorer asks for.
//!
//! An entity is named `#` and its number, and its `Name` is a label, since several entities may
//! have one name. Where the explorer shows a name without a label, it is `#12..leader`, of which
//! the explorer shows the part after the last dot. In requests, a path of names along `ChildOf`
//! leads to an entity, too: `/entity/herd/leader`. The path `resources.Clock` leads to a resource.

mod aspect;
mod component;
mod entity;
mod path;
mod query;
mod stats;

use ecs::reflect::{NameKind, ReflectError};
use serde_json::{Value, json};

use crate::dispatch::{Door, DoorError, Method, Request, Response};
use path::Target;

/// A failed request: the status and the reason.
struct RestError(u16, String);

impl From<ReflectError> for RestError {
    fn from(error: ReflectError) -> Self {
        let status = match &error {
            ReflectError::NoSuchEntity(_)
            | ReflectError::UnknownName { .. }
            | ReflectError::Missing { .. } => 404,
            ReflectError::ReadOnly => {
                return Self(403, "this request may not change the world: see `Options::writes`".into());
            }
            _ => 400,
        };
        Self(status, error.to_string())
    }
}

impl From<DoorError> for RestError {
    fn from(error: DoorError) -> Self {
        match error {
            DoorError::World(error) => error.into(),
            DoorError::Limit(message) => Self(422, message),
            // nobody reads it: the request is answered again
            DoorError::Unfinished => Self(503, "the time of this call is over".into()),
        }
    }
}

impl RestError {
    fn not_found(what: impl Into<String>) -> Self {
        Self(404, what.into())
    }

    fn bad(why: impl Into<String>) -> Self {
        Self(400, why.into())
    }
}

type Answer = Result<Value, RestError>;

/// Answers a request.
pub(crate) fn answer(door: &mut Door<'_>, request: &Request) -> Response {
    match route(door, request) {
        Ok(body) => Response { status: 200, body },
        Err(RestError(status, message)) => Response::error(status, &message),
    }
}

/// The JSON of the answer.
fn route(door: &mut Door<'_>, request: &Request) -> Result<String, RestError> {
    let target = Target::parse(&request.target)?;
    let (first, rest) =
        target.path.split_first().map_or(("", &[][..]), |(first, rest)| (first.as_str(), rest));
    let value = match (request.method, first, rest) {
        (Method::Get, "query", []) => return query::run(door, &target, target.parameter("expr")),
        // the page REST of the explorer begins with all entities
        (Method::Get, "world", []) => return query::run(door, &target, Some("")),
        (Method::Get, "entity", [flecs, module, name]) if flecs == "flecs" => {
            stats::of_flecs(door, module, name)
        }
        (Method::Get, "entity", path) => entity::read(door, path, &target),
        (Method::Put, "entity", path) => entity::create(door, path),
        (Method::Delete, "entity", path) => entity::delete(door, path),
        (Method::Get, "component", path) => component::read(door, path, &target),
        (Method::Put, "component", path) => component::write(door, path, &target),
        (Method::Delete, "component", path) => component::remove(door, path, &target),
        (Method::Get, "aspects", []) => aspect::list(door),
        (Method::Get, "aspect", path) => aspect::of_entity(door, path),
        (Method::Put, "aspect", path) => aspect::add(door, path, &target),
        (Method::Delete, "aspect", path) => aspect::remove(door, path, &target),
        (Method::Put, "toggle", path) => toggle(door, path, &target),
        (Method::Put, "action", [action]) if action == "shrink_memory" => {
            door.world.shrink_to_fit()?;
            Ok(json!({}))
        }
        (Method::Get, "components", []) => Ok(stats::components(door)),
        (Method::Get, "type_info", [name]) => {
            let schema = door.schema(NameKind::Components, path::last(name))?;
            Ok(entity::type_info(&schema, None))
        }
        (Method::Get, "stats", [kind]) if kind == "world" => Ok(stats::world(door, &target)),
        (Method::Get, "stats", [kind]) if kind == "pipeline" => Ok(stats::pipeline(door, &target)),
        // a world of this library has columns instead of tables, and its queries are types
        (Method::Get, "tables" | "queries", []) => Ok(json!([])),
        _ => Err(RestError::not_found(format!("there is nothing at `/{}`", target.path.join("/")))),
    };
    Ok(value?.to_string())
}

/// The component by which entities are switched off, and its name with flecs.
const DISABLED: &str = "Disabled";
const FLECS_DISABLED: &str = "flecs.core.Disabled";

/// Switches a system on or off, or an entity of a world with the component `Disabled`.
fn toggle(door: &mut Door<'_>, path: &[String], target: &Target) -> Answer {
    let on = match target.parameter("enable") {
        Some("true") => true,
        Some("false") => false,
        _ => return Err(RestError::bad("`enable` is true or false")),
    };
    // a path that is no entity is the name of a system
    let Some(entity) = path::search(door, path)? else {
        return Ok(json!({ "places": door.world.enable_system(&path.join("."), on)? }));
    };
    if door.world.component(DISABLED).is_err() {
        return Err(RestError::bad(
            "the world has no component `Disabled`, by which entities are switched off",
        ));
    }
    match on {
        true => drop(door.world.remove(entity, DISABLED)?),
        false => door.world.insert(entity, DISABLED, ())?,
    }
    Ok(json!({}))
}

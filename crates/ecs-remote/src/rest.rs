//! The subset of the REST interface of flecs that the flecs explorer asks for.
//!
//! An entity is named `#` and its number, and its `Name` is a label, since several entities may have one name. In requests, a path of names
//! along `ChildOf` leads to an entity, too: `/entity/herd/leader`.

mod aspect;
mod component;
mod entity;
mod path;
mod query;
mod stats;

use ecs::reflect::ReflectError;
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
            DoorError::Work(message) => Self(422, message),
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
        Ok(value) => Response::json(200, &value),
        Err(RestError(status, message)) => Response::error(status, &message),
    }
}

fn route(door: &mut Door<'_>, request: &Request) -> Answer {
    let target = Target::parse(&request.target)?;
    let (first, rest) =
        target.path.split_first().map_or(("", &[][..]), |(first, rest)| (first.as_str(), rest));
    match (request.method, first, rest) {
        (Method::Get, "entity", [a, b, c]) if [a, b, c] == ["flecs", "core", "World"] => Ok(world(door)),
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
        (Method::Get, "query", []) => query::run(door, &target),
        (Method::Get, "components", []) => Ok(stats::components(door)),
        (Method::Get, "stats", [kind]) if kind == "world" => Ok(stats::world(door, &target)),
        (Method::Get, "stats", [kind]) if kind == "pipeline" => Ok(stats::pipeline(door, &target)),
        // a world of this library has columns instead of tables, and its queries are types
        (Method::Get, "tables" | "queries", []) => Ok(json!([])),
        _ => Err(RestError::not_found(format!("there is nothing at `/{}`", target.path.join("/")))),
    }
}

/// The sign of life for which the explorer asks each second. It shows the name.
fn world(door: &Door<'_>) -> Value {
    let name = json!({ "value": door.world.name() });
    json!({ "parent": "flecs.core", "name": "World", "id": 0, "components": { entity::LABEL: name } })
}

/// Switches a system on or off.
fn toggle(door: &mut Door<'_>, path: &[String], target: &Target) -> Answer {
    let on = match target.parameter("enable") {
        Some("true") => true,
        Some("false") => false,
        _ => return Err(RestError::bad("`enable` is true or false")),
    };
    let name = path.join(".");
    if path::find(door, path).is_ok() {
        return Err(RestError::bad(format!("`{name}` is an entity: only systems are switched on and off")));
    }
    Ok(json!({ "places": door.world.enable_system(&name, on)? }))
}

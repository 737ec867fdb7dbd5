//! [`Dispatcher`]: from a [`Request`] and a world to a [`Response`], without a socket, a thread or a clock.

use std::cell::Cell;

use ecs::Entity;
use ecs::reflect::{
    DynamicQuery, DynamicValue, NameKind, QueryPage, ReflectError, ReflectMut, ReflectRef, ReflectWorld,
    Schema,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

use crate::extension::Extensions;
use crate::history::History;
use crate::options::{Limits, Options};
use crate::{ids, json_rpc, rest};

/// A request, as far as the answer depends on it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Request {
    /// The method.
    pub method: Method,
    /// The path and the query, as they were sent: `/entity/hero?values=true`.
    pub target: String,
    /// The body.
    pub body: String,
    /// Whether the request may change the world: see [`Writes`](crate::Writes).
    pub may_write: bool,
}

/// The methods of HTTP that the protocols use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Method {
    /// Reads.
    Get,
    /// Sends a request of JSON-RPC.
    Post,
    /// Creates or changes.
    Put,
    /// Removes.
    Delete,
}

/// An answer: a status of HTTP, and JSON.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Response {
    /// The status.
    pub status: u16,
    /// The JSON; empty with the status 204.
    pub body: String,
}

/// Answers requests. It keeps the limits of a server, and the structure of types that were asked for.
///
/// [`Remote`](crate::Remote) has one. A program that has another way to its clients uses it directly:
///
/// ```
/// # use ecs::prelude::*;
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Component, Serialize, Deserialize)] struct Health { now: u32 }
/// # world! { #[derive(Reflect)] struct Game { components { Health } } }
/// use ecs_remote::{Dispatcher, Method, Options, Request};
///
/// let mut game = Game::new();
/// let mut dispatcher = Dispatcher::new(&Options::new());
/// let list = Request::new(Method::Post, "/", r#"{ "jsonrpc": "2.0", "id": 1, "method": "world.list_components" }"#);
/// assert_eq!(dispatcher.answer(&mut game, &list).body, r#"{"id":1,"jsonrpc":"2.0","result":["Health"]}"#);
/// ```
#[derive(Clone, Debug)]
pub struct Dispatcher {
    pub(crate) options: Options,
    pub(crate) schemas: BTreeMap<(u8, String), Schema>,
    json_schemas: BTreeMap<(u8, String), Map<String, Value>>,
    pub(crate) history: History,
    pub(crate) extensions: Extensions,
}

/// The access of one request to a world: the part of it that the request may see and change, the limits, and the schemas known so far.
pub(crate) struct Door<'w> {
    pub(crate) world: ReflectMut<'w>,
    pub(crate) limits: Limits,
    pub(crate) history: &'w History,
    pub(crate) extensions: &'w Extensions,
    spent: Cell<usize>,
    schemas: &'w mut BTreeMap<(u8, String), Schema>,
    json_schemas: &'w mut BTreeMap<(u8, String), Map<String, Value>>,
}

/// The reason why a request has no result.
pub(crate) enum DoorError {
    /// The world refuses it.
    World(ReflectError),
    /// It needs more steps than [`Limits::work`] allows.
    Work(String),
}

impl From<ReflectError> for DoorError {
    fn from(error: ReflectError) -> Self {
        Self::World(error)
    }
}

impl Request {
    /// A request that may not change the world.
    pub fn new(method: Method, target: impl Into<String>, body: impl Into<String>) -> Self {
        Self { method, target: target.into(), body: body.into(), may_write: false }
    }

    /// The same request, which may change the world.
    #[must_use]
    pub fn may_write(self) -> Self {
        Self { may_write: true, ..self }
    }
}

impl Response {
    pub(crate) fn json(status: u16, value: &Value) -> Self {
        Self { status, body: value.to_string() }
    }

    /// An answer with a JSON object that has the member `error`.
    pub(crate) fn error(status: u16, message: &str) -> Self {
        Self::json(status, &json!({ "error": message }))
    }
}

impl Dispatcher {
    /// A dispatcher with the allow list and the limits of these options.
    #[must_use]
    pub fn new(options: &Options) -> Self {
        Self {
            options: options.clone(),
            schemas: BTreeMap::new(),
            json_schemas: BTreeMap::new(),
            history: History::default(),
            extensions: Extensions::default(),
        }
    }

    /// Adds a method to JSON-RPC: see [`Remote::extend`](crate::Remote::extend). Clones of the dispatcher share its state.
    ///
    /// # Panics
    /// If the name is that of a method which every server has.
    pub fn extend(
        &mut self,
        method: impl Into<String>,
        call: impl FnMut(&mut ReflectMut<'_>, &Map<String, Value>) -> Result<Value, String> + Send + 'static,
    ) {
        let method = method.into();
        assert!(!json_rpc::is_built_in(&method), "method `{method}` exists already: choose another name");
        self.extensions.add(method, call);
    }

    /// Answers a request.
    ///
    /// # Panics
    /// If an implementation of `Serialize`, `Deserialize` or `Default` of the world's types panics.
    pub fn answer(&mut self, world: &mut dyn ReflectWorld, request: &Request) -> Response {
        if request.body.len() > self.options.limits.body {
            return Response::error(413, "the body is too large");
        }
        let limit = self.options.limits.response;
        let mut door = match self.door(world, request.may_write) {
            Ok(door) => door,
            Err(refused) => return refused,
        };
        let response = match (request.method, request.target.as_str()) {
            (Method::Post, "/" | "") => json_rpc::answer(&mut door, &request.body),
            _ => rest::answer(&mut door, request),
        };
        if response.body.len() > limit {
            return Response::error(507, &format!("the answer is longer than {limit} bytes: ask for less"));
        }
        response
    }

    /// The world as far as a request may see and change it.
    pub(crate) fn door<'w>(
        &'w mut self,
        world: &'w mut dyn ReflectWorld,
        may_write: bool,
    ) -> Result<Door<'w>, Response> {
        let handle = world.reflect_mut().restrict(&self.options.allow);
        let handle = handle.and_then(|handle| match may_write {
            true => Ok(handle),
            false => handle.restrict(&ecs::reflect::AllowList::new().read_only()),
        });
        match handle {
            Ok(world) => Ok(Door {
                world,
                limits: self.options.limits,
                history: &self.history,
                extensions: &self.extensions,
                spent: Cell::new(0),
                schemas: &mut self.schemas,
                json_schemas: &mut self.json_schemas,
            }),
            Err(error) => Err(Response::error(500, &format!("the allow list of the server: {error}"))),
        }
    }
}

impl Door<'_> {
    /// The world for reading.
    pub(crate) fn read(&self) -> ReflectRef<'_> {
        self.world.as_ref()
    }

    /// The structure of a type, which is found once.
    pub(crate) fn schema(&mut self, kind: NameKind, name: &str) -> Result<Schema, ReflectError> {
        let key = (kind as u8, name.to_owned());
        if let Some(schema) = self.schemas.get(&key) {
            // the name is one that the world has and this handle may hide
            return match kind {
                NameKind::Components => self.world.component(name).map(|_| schema.clone()),
                _ => Ok(schema.clone()),
            };
        }
        let schema = self.world.schema(kind, name)?;
        self.schemas.insert(key, schema.clone());
        Ok(schema)
    }

    /// The JSON schema of a type that this handle shows, with docs and default values, which is made once.
    pub(crate) fn json_schema(
        &mut self,
        kind: NameKind,
        name: &str,
    ) -> Result<Map<String, Value>, ReflectError> {
        let key = (kind as u8, name.to_owned());
        if let Some(json) = self.json_schemas.get(&key) {
            return Ok(json.clone());
        }
        let schema = self.schema(kind, name)?;
        // a default value that cannot be serialized is left out
        let json = self.world.json_schema(kind, name).unwrap_or_else(|_| schema.to_json_schema());
        let json = match serde_json::to_value(json) {
            Ok(Value::Object(json)) => json,
            _ => Map::new(),
        };
        self.json_schemas.insert(key, json.clone());
        Ok(json)
    }

    /// The spelling of a component that the world has: clients of Bevy send paths such as `bevy_ecs::name::Name`.
    pub(crate) fn spelled<'n>(&self, name: &'n str) -> &'n str {
        match self.world.component(name) {
            Ok(_) => name,
            Err(_) => short(name),
        }
    }

    /// The spelling of a resource that the world has.
    pub(crate) fn resource<'n>(&self, name: &'n str) -> &'n str {
        if self.world.resources().iter().any(|info| info.name == name) { name } else { short(name) }
    }

    /// The value of a JSON value for a part of a component or resource.
    pub(crate) fn part(
        &mut self,
        kind: NameKind,
        name: &str,
        part: &str,
        json: &Value,
    ) -> Result<DynamicValue, ReflectError> {
        let schema = self.schema(kind, name)?;
        let schema = schema_at(&schema, part);
        let reason = |reason| ReflectError::Value { entity: None, path: format!("{name}{part}"), reason };
        ids::value(&self.read(), schema, json).map_err(reason)
    }

    /// Runs the text of a query, unless it compares or sorts too many entities.
    pub(crate) fn run(
        &self,
        text: &str,
        after: Option<Entity>,
        limit: usize,
    ) -> Result<QueryPage, DoorError> {
        let mut query = text.parse::<DynamicQuery>()?.at_most(limit.min(self.limits.results));
        if let Some(after) = after {
            query = query.after(after);
        }
        self.run_query(&query)
    }

    /// Counts steps of this request, before they are done, and refuses more than [`Limits::work`].
    pub(crate) fn spend(&self, steps: usize) -> Result<(), DoorError> {
        let (spent, limit) = (self.spent.get().saturating_add(steps), self.limits.work);
        if spent > limit {
            return Err(DoorError::Work(format!(
                "the request takes {spent} steps, and {limit} are allowed: ask for rarer components, or for less at once"
            )));
        }
        self.spent.set(spent);
        Ok(())
    }

    /// Runs a query, unless it compares or sorts too many entities.
    pub(crate) fn run_query(&self, query: &DynamicQuery) -> Result<QueryPage, DoorError> {
        let prepared = self.world.prepare(query)?;
        self.spend(self.world.cost_prepared(&prepared)?)?;
        Ok(self.world.run_prepared(&prepared)?)
    }
}

/// The last part of a path: `Name` of `bevy_ecs::name::Name`.
pub(crate) fn short(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name)
}

/// The schema of a part, such as `.stops[2].at`.
fn schema_at<'s>(schema: &'s Schema, part: &str) -> &'s Schema {
    let steps =
        part.split(['.', '[', ']']).map(|step| step.trim_matches('"')).filter(|step| !step.is_empty());
    steps.fold(schema, |mut schema, step| {
        while let Schema::Optional(inner) = schema {
            schema = inner;
        }
        let named = |list: &'s [(&'static str, Schema)]| {
            list.iter().find(|(name, _)| *name == step).map(|(_, inner)| inner)
        };
        let inner = match schema {
            Schema::Struct { fields, .. } => named(fields),
            Schema::Enum { variants, .. } => named(variants),
            Schema::List(inner) | Schema::Mapping(_, inner) => Some(&**inner),
            Schema::Tuple(inner) => step.parse().ok().and_then(|at: usize| inner.get(at)),
            _ => None,
        };
        inner.unwrap_or(&Schema::Any)
    })
}

//! [`Dispatcher`]: from a [`Request`] and a world to a [`Response`], without a socket, a thread or
//! a clock.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use ecs::Entity;
use ecs::reflect::{
    AllowList, DynamicQuery, DynamicValue, NameKind, QueryRow, ReflectError, ReflectMut, ReflectRef,
    ReflectWorld, Schema,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::extension::Extensions;
use crate::history::History;
use crate::job::{Job, Progress, Scan};
use crate::json_rpc::Registry;
use crate::options::{Limits, Options};
use crate::{ids, json_rpc, parts, rest};

/// A request, as far as the answer depends on it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
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
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
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

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Delete => "DELETE",
        })
    }
}

impl FromStr for Method {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let all = [Self::Get, Self::Post, Self::Put, Self::Delete];
        let known = all.into_iter().find(|method| method.to_string() == name);
        known.ok_or_else(|| format!("the method `{name}` is not supported"))
    }
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

/// Answers requests. It keeps the limits of a server, and the structure of types that were asked
/// for.
///
/// [`Remote`](crate::Remote) has one. A program that has another way to its clients uses it
/// directly:
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
/// assert_eq!(dispatcher.answer(&mut game, &list).body, r#"{"jsonrpc":"2.0","id":1,"result":["Health"]}"#);
/// ```
#[derive(Clone, Debug)]
pub struct Dispatcher {
    pub(crate) options: Options,
    schemas: BTreeMap<(u8, String), Schema>,
    registry: Registry,
    pub(crate) history: History,
    pub(crate) extensions: Extensions,
}

/// The access of one request to a world: the part of it that the request may see and change, the
/// limits, and the schemas known so far.
pub(crate) struct Door<'w> {
    pub(crate) world: ReflectMut<'w>,
    pub(crate) limits: Limits,
    pub(crate) port: u16,
    pub(crate) history: &'w History,
    pub(crate) extensions: &'w Extensions,
    pub(crate) registry: &'w mut Registry,
    progress: RefCell<&'w mut Progress>,
    schemas: &'w mut BTreeMap<(u8, String), Schema>,
}

/// The reason why a request has no result.
pub(crate) enum DoorError {
    /// The world refuses it.
    World(ReflectError),
    /// It is over a limit of the server.
    Limit(String),
    /// Its time in this call is over. It is answered again in the next call, with the scans that it
    /// has made.
    Unfinished,
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

    /// Whether the request is one of JSON-RPC, or a batch of them.
    pub(crate) fn is_json_rpc(&self) -> bool {
        self.method == Method::Post && matches!(&*self.target, "/" | "")
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
            registry: Registry::default(),
            history: History::default(),
            extensions: Extensions::default(),
        }
    }

    /// Adds a method to JSON-RPC: see [`Remote::extend`](crate::Remote::extend). Clones of the
    /// dispatcher share its state.
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

    /// Answers a request, however long it takes.
    ///
    /// # Panics
    /// If an implementation of `Serialize`, `Deserialize` or `Default` of the world's types panics.
    pub fn answer(&mut self, world: &mut dyn ReflectWorld, request: &Request) -> Response {
        let mut job = Job::new(request.clone());
        loop {
            if let Some(response) = job.work(self, world, None, &mut |_, _| ()) {
                return response;
            }
        }
    }

    /// Answers a request that is no batch; `None` if the time of this call is over.
    pub(crate) fn answer_one(
        &mut self,
        world: &mut dyn ReflectWorld,
        request: &Request,
        progress: &mut Progress,
    ) -> Option<Response> {
        let limit = self.options.limits.response;
        // the queries of an earlier attempt are found by their order
        progress.begin();
        let mut door = match self.door(world, request.may_write, progress) {
            Ok(door) => door,
            Err(refused) => return Some(refused),
        };
        let response = match request.is_json_rpc() {
            true => json_rpc::answer(&mut door, &request.body),
            false => rest::answer(&mut door, request),
        };
        // out of time: the response is not sent, and the next call tries again
        if progress.is_unfinished() {
            return None;
        }
        if response.body.len() > limit {
            return Some(Response::error(
                507,
                &format!("the answer is longer than {limit} bytes: ask for less"),
            ));
        }
        Some(response)
    }

    /// The world as far as a request may see and change it.
    pub(crate) fn door<'w>(
        &'w mut self,
        world: &'w mut dyn ReflectWorld,
        may_write: bool,
        progress: &'w mut Progress,
    ) -> Result<Door<'w>, Response> {
        // first the allow list of the server, then the rights of the request
        let handle = world.reflect_mut().restrict(&self.options.allow);
        let handle = handle.and_then(|handle| match may_write {
            true => Ok(handle),
            false => handle.restrict(&AllowList::new().read_only()),
        });
        match handle {
            Ok(world) => Ok(Door {
                world,
                limits: self.options.limits,
                port: self.options.port,
                history: &self.history,
                extensions: &self.extensions,
                registry: &mut self.registry,
                progress: RefCell::new(progress),
                schemas: &mut self.schemas,
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

    /// The spelling of a component that the world has: clients of Bevy send paths such as
    /// `bevy_ecs::name::Name`.
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

    /// The path of a part of a component or resource, and the value of a JSON value for it. The
    /// path begins with a dot or a bracket, or is empty. `now` is the present value, by which a
    /// field of the active variant is found.
    pub(crate) fn part(
        &mut self,
        (kind, name): (NameKind, &str),
        part: &str,
        now: Option<&DynamicValue>,
        json: &Value,
    ) -> Result<(String, DynamicValue), ReflectError> {
        let schema = self.schema(kind, name)?;
        let (part, schema) = parts::resolve(&schema, now, part);
        let path = format!("{name}{part}");
        match ids::value(&self.read(), schema, json) {
            Ok(value) => Ok((path, value)),
            Err(reason) => Err(ReflectError::Value { entity: None, path, reason }),
        }
    }

    /// Counts steps of this request, before they are done, and refuses more than [`Limits::work`].
    pub(crate) fn spend(&self, steps: usize) -> Result<(), DoorError> {
        let mut progress = self.progress.borrow_mut();
        let (spent, limit) = (progress.spent.saturating_add(steps), self.limits.work);
        if spent > limit {
            return Err(DoorError::Limit(format!(
                "the request takes more than {limit} steps: ask for rarer components, or for less at once"
            )));
        }
        progress.spent = spent;
        Ok(())
    }

    /// The error of a request whose time in this call is over. A request calls this before its
    /// first change of the world, at a place from which its next attempt has less to do.
    pub(crate) fn in_time(&self) -> Result<(), DoorError> {
        if self.progress.borrow_mut().is_late() { Err(DoorError::Unfinished) } else { Ok(()) }
    }

    /// Runs a query, and writes each row as JSON. A run that does not end in this call goes on in
    /// the next one, in which the request asks for it again.
    pub(crate) fn scan(
        &self,
        query: &DynamicQuery,
        row: &mut dyn FnMut(&QueryRow) -> Result<Value, DoorError>,
    ) -> Result<Found, DoorError> {
        let (at, known) = self.progress.borrow_mut().take(query);
        let mut scan = match known {
            Some(scan) => scan,
            None => {
                let prepared = self.world.prepare(query)?;
                Scan::new(query.clone(), self.world.start(&prepared)?, prepared)
            }
        };
        let result = self.go_on(&mut scan, row).map(|()| Found {
            entities: scan.entities.clone(),
            // only the last query of a request has rows, and is not asked for again when it has
            // ended
            rows: std::mem::take(&mut scan.rows),
            more: scan.run.has_more(),
        });
        self.progress.borrow_mut().put(at, scan);
        result
    }

    fn go_on(
        &self,
        scan: &mut Scan,
        row: &mut dyn FnMut(&QueryRow) -> Result<Value, DoorError>,
    ) -> Result<(), DoorError> {
        loop {
            while let Some(entity) = scan.waiting.pop_front() {
                // it may be gone since the call in which it was found
                if !self.world.contains(entity) {
                    continue;
                }
                let json = row(&self.world.row(&scan.prepared, entity)?)?;
                let comma = if scan.entities.is_empty() { "" } else { "," };
                scan.rows += &format!("{comma}{json}");
                scan.entities.push(entity);
                if scan.rows.len() > self.limits.response {
                    let limit = self.limits.response;
                    return Err(DoorError::Limit(format!(
                        "the rows are longer than {limit} bytes: ask for pages, or for fewer components"
                    )));
                }
                self.in_time()?;
            }
            if scan.run.is_done() {
                return Ok(());
            }
            let before = scan.run.steps();
            scan.waiting = self.world.advance(&scan.prepared, &mut scan.run, STEPS)?.into();
            self.spend(scan.run.steps() - before)?;
            self.in_time()?;
        }
    }

    /// The first entity that a query finds.
    pub(crate) fn first(&self, query: DynamicQuery) -> Result<Option<Entity>, DoorError> {
        let found = self.scan(&query.limit(1), &mut |_| Ok(Value::Null))?;
        Ok(found.entities.first().copied())
    }
}

/// The steps of a query between two looks at the clock.
pub(crate) const STEPS: usize = 64;

/// The result of a query.
pub(crate) struct Found {
    pub(crate) entities: Vec<Entity>,
    /// The JSON of the rows, separated by commas.
    pub(crate) rows: String,
    /// Whether the limit of the query has left out rows.
    pub(crate) more: bool,
}

/// The last part of a path: `Name` of `bevy_ecs::name::Name`.
pub(crate) fn short(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name)
}

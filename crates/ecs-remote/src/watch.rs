//! [`Watcher`]: a client that gets messages about changes, at the calls of
//! [`Remote::serve`](crate::Remote::serve).
//!
//! A watcher keeps the values that its client knows, and compares them with the world. It reads the
//! world as a request does, and never changes it. Its messages go through a bounded channel: a
//! client that does not read them in time loses its watch.

use std::collections::BTreeMap;

use ecs::Entity;
use serde_json::{Map, Value, json};
use tokio::sync::{mpsc, oneshot};

use crate::dispatch::{Door, Method, Request};
use crate::json_rpc::{self, COMPONENT_NOT_PRESENT, Outcome, RpcError};

/// The messages that wait for a client which has not read them.
const WAITING: usize = 4;

/// The messages of a watch, for the server.
pub(crate) struct Events {
    pub(crate) messages: mpsc::Receiver<String>,
    /// Ends when the watch ends.
    pub(crate) ended: oneshot::Receiver<()>,
}

/// A client that watches.
pub(crate) struct Watcher {
    watch: Watch,
    messages: mpsc::Sender<String>,
    _ended: oneshot::Sender<()>,
}

/// A request for a watch, and the values that the client knows.
#[derive(Debug)]
pub(crate) struct Watch {
    id: Value,
    entity: Option<Entity>,
    /// The components of `world.get_components+watch`; `None` for `world.list_components+watch`.
    names: Option<Vec<String>>,
    strict: bool,
    known: BTreeMap<String, Value>,
    is_first: bool,
}

/// The JSON of a request whose method is a watch. A request whose text does not contain the name of
/// a watch is not parsed.
pub(crate) fn asked(request: &Request) -> Option<Map<String, Value>> {
    let may_be = request.method == Method::Post && matches!(&*request.target, "/" | "");
    if !may_be || !request.body.contains("+watch") {
        return None;
    }
    let Ok(Value::Object(object)) = serde_json::from_str(&request.body) else { return None };
    let method = object.get("method")?.as_str()?;
    let is_known = json_rpc::WATCHES.iter().any(|(name, former, ..)| method == *name || method == *former);
    (is_known && object.get("jsonrpc")? == "2.0").then_some(object)
}

impl Watch {
    /// The watch of a request. The client knows nothing yet.
    pub(crate) fn new(door: &mut Door<'_>, mut request: Map<String, Value>) -> Result<Self, String> {
        let id = request.remove("id").unwrap_or_default();
        let lists = request["method"].as_str().is_some_and(|method| method.contains("list"));
        let made = match request.remove("params") {
            Some(Value::Object(params)) => Self::of_params(door, id.clone(), params, lists),
            None | Some(Value::Null) => Self::of_params(door, id.clone(), Map::new(), lists),
            Some(_) => Err(RpcError::params("`params` is an object")),
        };
        made.map_err(|error| json_rpc::reply(&id, Err(&error)))
    }

    fn of_params(
        door: &mut Door<'_>,
        id: Value,
        mut params: Map<String, Value>,
        lists: bool,
    ) -> Result<Self, RpcError> {
        // without an entity, a list watches the world
        let whole = Self {
            id,
            entity: None,
            names: None,
            strict: json_rpc::take_flag(&mut params, "strict")?,
            known: BTreeMap::new(),
            is_first: true,
        };
        if lists && params.get("entity").is_none_or(Value::is_null) {
            return Ok(whole);
        }
        let entity = Some(json_rpc::take_entity(door, &mut params, "entity")?);
        if lists {
            return Ok(Self { entity, ..whole });
        }
        // a name counts once, however often it is given
        let mut names = json_rpc::take_names(&mut params, "components")?;
        names.sort_unstable();
        names.dedup();
        // unknown names are errors only in strict mode; otherwise each answer says so
        door.spend(names.len())?;
        for name in &names {
            if let Err(error) = door.world.component(door.spelled(name))
                && whole.strict
            {
                return Err(error.into());
            }
        }
        Ok(Self { entity, names: Some(names), ..whole })
    }

    /// The message about what has changed since the last one, if something has.
    fn message(&mut self, door: &mut Door<'_>) -> Result<Option<String>, RpcError> {
        let (result, has_news) = match self.names.take() {
            Some(names) => {
                let changes = self.changes(door, &names);
                self.names = Some(names);
                changes?
            }
            None => self.comings(door)?,
        };
        let is_first = std::mem::take(&mut self.is_first);
        Ok((is_first || has_news).then(|| json_rpc::reply(&self.id, Ok(&Outcome::from(result)))))
    }

    /// The values that have changed, and the components that were removed.
    fn changes(&mut self, door: &mut Door<'_>, names: &[String]) -> Result<(Value, bool), RpcError> {
        // the watch ends with its entity
        let entity = self.alive(door)?;
        door.spend(names.len())?;
        let (mut components, mut removed, mut errors) = (Map::new(), Vec::new(), Map::new());
        for name in names {
            match door.world.read(entity, door.spelled(name)).map_err(RpcError::from) {
                Ok(value) => {
                    let json = json_rpc::json_of(&value);
                    // a value is news if its JSON differs from the one that was sent last
                    if self.known.get(name) != Some(&json) {
                        self.known.insert(name.clone(), json.clone());
                        components.insert(name.clone(), json);
                    }
                }
                Err(error) if error.code == COMPONENT_NOT_PRESENT => {
                    if self.known.remove(name).is_some() {
                        removed.push(name);
                    }
                }
                Err(error) => drop(errors.insert(name.clone(), error.json())),
            }
        }
        // errors are not: they would be sent again with each call
        let has_news = !components.is_empty() || !removed.is_empty();
        let mut result = json!({ "components": components, "removed": removed });
        if !self.strict {
            result["errors"] = errors.into();
        }
        Ok((result, has_news))
    }

    /// The components that have come and gone.
    fn comings(&mut self, door: &mut Door<'_>) -> Result<(Value, bool), RpcError> {
        let names = match self.entity {
            Some(_) => door.world.components_of(self.alive(door)?)?,
            None => door.world.components().iter().map(|component| component.name).collect(),
        };
        let added: Vec<&str> = names.iter().copied().filter(|name| !self.known.contains_key(*name)).collect();
        let is_gone = |name: &&String| !names.contains(&name.as_str());
        let removed: Vec<String> = self.known.keys().filter(is_gone).cloned().collect();
        let has_news = !added.is_empty() || !removed.is_empty();
        let result = json!({ "added": added, "removed": removed });
        self.known = names.iter().map(|name| ((*name).to_owned(), Value::Null)).collect();
        Ok((result, has_news))
    }

    fn alive(&self, door: &Door<'_>) -> Result<Entity, RpcError> {
        let entity = self.entity.filter(|entity| door.world.contains(*entity));
        entity.ok_or_else(|| {
            RpcError::new(json_rpc::ENTITY_NOT_FOUND, "the watched entity was despawned: this watch ends")
        })
    }
}

impl Watcher {
    /// A watcher, and the other end of its messages.
    pub(crate) fn new(watch: Watch) -> (Self, Events) {
        let (messages, received) = mpsc::channel(WAITING);
        let (end, ended) = oneshot::channel();
        (Self { watch, messages, _ended: end }, Events { messages: received, ended })
    }

    /// Whether the client has closed its connection.
    pub(crate) fn is_gone(&self) -> bool {
        self.messages.is_closed()
    }

    /// Sends the client the changes since the last message. Returns whether the watch goes on.
    pub(crate) fn tell(&mut self, door: &mut Door<'_>) -> bool {
        let (message, goes_on) = match self.watch.message(door) {
            Ok(None) => return true,
            Ok(Some(message)) if message.len() <= door.limits.response => (message, true),
            Ok(Some(_)) => {
                let limit = door.limits.response;
                let error = RpcError::limit(format!("the message is longer than {limit} bytes: watch less"));
                (json_rpc::reply(&self.watch.id, Err(&error)), false)
            }
            Err(error) => (json_rpc::reply(&self.watch.id, Err(&error)), false),
        };
        // a client that has not read the messages before loses its watch
        self.messages.try_send(format!("data: {message}\n\n")).is_ok() && goes_on
    }
}

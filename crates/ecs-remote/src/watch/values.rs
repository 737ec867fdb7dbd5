//! Resources and events.

use serde_json::{Map, Value, json};

use ecs::reflect::Moment;

use super::{Look, News, Subject};
use crate::dispatch::{Door, short};
use crate::json_rpc::{self, RpcError};

/// The value of a resource: `world.get_resources+watch`.
pub(super) struct Resource {
    name: String,
    known: Option<Value>,
}

impl Resource {
    pub(super) fn new(door: &mut Door<'_>, mut params: Map<String, Value>) -> Result<Self, RpcError> {
        let name = json_rpc::take_text(&mut params, "resource")?;
        let name = door.resource(&name).to_owned();
        door.world.read_resource(&name)?;
        Ok(Self { name, known: None })
    }
}

impl Subject for Resource {
    fn look(&mut self, door: &mut Door<'_>) -> Result<Look, RpcError> {
        door.spend(1)?;
        let value = json!({ "value": json_rpc::json_of(&door.world.read_resource(&self.name)?) });
        if self.known.as_ref() == Some(&value) {
            return Ok(Look::Same);
        }
        let result = self.known.insert(value).to_string();
        Ok(Look::News(News { result, count: 1, missed: 0 }))
    }

    fn whole(&self) -> String {
        self.known.as_ref().map(Value::to_string).unwrap_or_default()
    }
}

/// The events of a type from now on: `world.observe+watch`.
pub(super) struct Events {
    name: String,
    /// The number of the next event.
    next: u64,
    /// The moment of the last look.
    moment: Moment,
}

/// The most events in one message.
const PAGE: usize = 256;

impl Events {
    pub(super) fn new(door: &mut Door<'_>, mut params: Map<String, Value>) -> Result<Self, RpcError> {
        let name = short(&json_rpc::take_text(&mut params, "event")?).to_owned();
        if params.get("entity").is_some_and(|entity| !entity.is_null()) {
            return Err(RpcError::params("events have no entity: leave `entity` out"));
        }
        let next = door.world.events_since(&name, u64::MAX, 0)?.next;
        Ok(Self { name, next, moment: door.world.moment() })
    }
}

impl Subject for Events {
    fn look(&mut self, door: &mut Door<'_>) -> Result<Look, RpcError> {
        // after a restore, or in another world, all events of the queue are new
        let moment = door.world.moment();
        let follows = moment.follows(&self.moment);
        let seen = if follows { self.next } else { 0 };
        let mut page = door.world.events_since(&self.name, seen, PAGE)?;
        if !follows {
            page.missed = 0;
        }
        (self.next, self.moment) = (page.next, moment);
        if page.events.is_empty() && page.missed == 0 {
            return Ok(Look::Same);
        }
        door.spend(page.events.len())?;
        let count = page.events.len() as u64;
        let result = page.events.iter().map(json_rpc::json_of).collect::<Value>().to_string();
        Ok(Look::News(News { result, count, missed: page.missed }))
    }

    fn has_state(&self) -> bool {
        false
    }

    fn whole(&self) -> String {
        "[]".to_owned()
    }
}

//! The components of an entity.

use std::collections::BTreeMap;

use ecs::Entity;
use ecs::reflect::{DynamicQuery, Moment, PreparedQuery};
use serde_json::{Map, Value, json};

use super::{Look, News, Subject};
use crate::dispatch::Door;
use crate::json_rpc::{self, COMPONENT_NOT_PRESENT, ENTITY_NOT_FOUND, RpcError};

/// The values of components of an entity: `world.get_components+watch`.
pub(super) struct Components {
    entity: Entity,
    names: Vec<String>,
    strict: bool,
    /// A query of the components that the world has, and the moment of the last look.
    query: PreparedQuery,
    moment: Option<Moment>,
    known: BTreeMap<String, Value>,
    errors: Map<String, Value>,
}

impl Components {
    pub(super) fn new(door: &mut Door<'_>, mut params: Map<String, Value>) -> Result<Self, RpcError> {
        let strict = json_rpc::take_flag(&mut params, "strict")?;
        let entity = json_rpc::take_entity(door, &mut params, "entity")?;
        // a name counts once, however often it is given
        let mut names = json_rpc::take_names(&mut params, "components")?;
        names.sort_unstable();
        names.dedup();
        door.spend(names.len())?;
        let mut query = DynamicQuery::new();
        for name in &names {
            let name = door.spelled(name);
            match door.world.component(name) {
                Ok(_) => query = query.fetch(name),
                // unknown names are errors only in strict mode; otherwise each answer says so
                Err(error) if strict => return Err(error.into()),
                Err(_) => {}
            }
        }
        let query = door.world.prepare(&query)?;
        let (known, errors) = (BTreeMap::new(), Map::new());
        Ok(Self { entity, names, strict, query, moment: None, known, errors })
    }

    /// The JSON of changes.
    fn json(&self, components: Map<String, Value>, removed: Vec<String>) -> String {
        let mut result = json!({ "components": components, "removed": removed });
        if !self.strict {
            result["errors"] = self.errors.clone().into();
        }
        result.to_string()
    }
}

impl Subject for Components {
    fn look(&mut self, door: &mut Door<'_>) -> Result<Look, RpcError> {
        // the watch ends with its entity
        alive(door, self.entity)?;
        let now = door.world.moment();
        if let Some(before) = self.moment.replace(now) {
            let mut changed = vec![self.entity];
            door.world.changed_since(&self.query, &before, &mut changed)?;
            if changed.is_empty() {
                return Ok(Look::Same);
            }
        }
        door.spend(self.names.len())?;
        let (mut components, mut removed) = (Map::new(), Vec::new());
        self.errors.clear();
        for name in &self.names {
            match door.world.read(self.entity, door.spelled(name)).map_err(RpcError::from) {
                Ok(value) => {
                    let json = json_rpc::json_of(&value);
                    // a value is news if its JSON differs from the one that was sent last
                    if self.known.get(name) != Some(&json) {
                        self.known.insert(name.clone(), json.clone());
                        components.insert(name.clone(), json);
                    }
                }
                Err(error) => {
                    if error.code != COMPONENT_NOT_PRESENT {
                        self.errors.insert(name.clone(), error.json());
                    }
                    if self.known.remove(name).is_some() {
                        removed.push(name.clone());
                    }
                }
            }
        }
        // errors are no news: they would be sent again with each call
        if components.is_empty() && removed.is_empty() {
            return Ok(Look::Same);
        }
        Ok(Look::News(News { result: self.json(components, removed), count: 1, missed: 0 }))
    }

    fn whole(&self) -> String {
        let known = self.known.iter().map(|(name, value)| (name.clone(), value.clone()));
        self.json(known.collect(), Vec::new())
    }
}

/// The names of the components of an entity, or of the world: `world.list_components+watch`.
pub(super) struct Names {
    entity: Option<Entity>,
    known: Vec<&'static str>,
}

impl Names {
    pub(super) fn new(door: &mut Door<'_>, mut params: Map<String, Value>) -> Result<Self, RpcError> {
        // without an entity, a list watches the world
        let is_of_world = params.get("entity").is_none_or(Value::is_null);
        let entity = match is_of_world {
            true => None,
            false => Some(json_rpc::take_entity(door, &mut params, "entity")?),
        };
        Ok(Self { entity, known: Vec::new() })
    }
}

impl Subject for Names {
    fn look(&mut self, door: &mut Door<'_>) -> Result<Look, RpcError> {
        let names = match self.entity {
            Some(entity) => {
                alive(door, entity)?;
                door.world.components_of(entity)?
            }
            None => door.world.components().iter().map(|component| component.name).collect(),
        };
        let added: Vec<&str> = names.iter().copied().filter(|name| !self.known.contains(name)).collect();
        let removed: Vec<&str> = self.known.iter().copied().filter(|name| !names.contains(name)).collect();
        if added.is_empty() && removed.is_empty() {
            return Ok(Look::Same);
        }
        let result = json!({ "added": added, "removed": removed }).to_string();
        self.known = names;
        Ok(Look::News(News { result, count: 1, missed: 0 }))
    }

    fn whole(&self) -> String {
        json!({ "added": self.known, "removed": [] }).to_string()
    }
}

fn alive(door: &Door<'_>, entity: Entity) -> Result<(), RpcError> {
    match door.world.contains(entity) {
        true => Ok(()),
        false => Err(RpcError::new(ENTITY_NOT_FOUND, "the watched entity was despawned: this watch ends")),
    }
}

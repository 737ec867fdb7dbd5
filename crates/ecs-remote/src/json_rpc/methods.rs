//! The methods.

use ecs::Entity;
use ecs::reflect::{AspectInfo, DynamicQuery, DynamicValue, NameKind, QueryRow, ReflectError};
use serde_json::{Map, Value, json};

use super::schema::{discover, registry};
use super::{
    COMPONENT_ERROR, ENTITY_NOT_FOUND, EXTENSION_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, Outcome,
    RESOURCE_ERROR, RpcError, SELF_REPARENT,
};
use crate::dispatch::{Door, DoorError, short};
use crate::ids;

type Params = Map<String, Value>;
type Answer = Result<Outcome, RpcError>;
type Call = fn(&mut Door<'_>, &mut Params) -> Answer;

/// The most names in one list of a request. A world has no more components.
const MOST_NAMES: usize = 256;

/// A method: its name, the former name of one that was renamed in Bevy 0.17, and what it does.
type Method = (&'static str, &'static str, &'static str, Call);

/// The methods that only read. Their answers depend on the world and the parameters.
pub(super) const READS: &[Method] = &[
    ("world.get_components", "bevy/get", "the values of components of an entity", get),
    ("world.query", "bevy/query", "the entities with some components, and their values", query),
    ("world.list_components", "bevy/list", "the components of the world or of an entity", list),
    ("world.get_resources", "bevy/get_resource", "the value of a resource", get_resource),
    ("world.list_resources", "bevy/list_resources", "the resources of the world", list_resources),
    ("world.list_prefabs", "", "the prefabs of the world's `PrefabLibrary`", list_prefabs),
    (
        "world.list_aspects",
        "",
        "the aspects of the world with their components, or the names of those of an entity",
        list_aspects,
    ),
    ("registry.schema", "bevy/registry/schema", "the JSON schemas of all types", registry),
    ("schedule.list", "", "the schedules", schedules),
    ("schedule.graph", "", "the systems of a schedule", graph),
    ("rpc.discover", "", "the methods", discover),
];

/// The methods that change the world.
pub(super) const WRITES: &[Method] = &[
    ("world.spawn_entity", "bevy/spawn", "spawns an entity", spawn),
    ("world.insert_components", "bevy/insert", "inserts components into an entity", insert),
    ("world.remove_components", "bevy/remove", "removes components from an entity", remove),
    ("world.despawn_entity", "bevy/destroy", "despawns an entity", despawn),
    ("world.reparent_entities", "bevy/reparent", "moves entities to another parent", reparent),
    ("world.mutate_components", "bevy/mutate_component", "changes a part of a component", mutate),
    ("world.insert_resources", "bevy/insert_resource", "replaces a resource", insert_resource),
    (
        "world.remove_resources",
        "bevy/remove_resource",
        "an error: a world always has its resources",
        remove_resource,
    ),
    ("world.mutate_resources", "bevy/mutate_resource", "changes a part of a resource", mutate_resource),
    ("world.trigger_event", "bevy/trigger_event", "sends an event", trigger),
    ("world.write_message", "bevy/write_message", "sends an event", write_message),
    ("world.spawn_prefab", "", "spawns the entities of a prefab, with changes", spawn_prefab),
    ("world.add_aspect", "", "adds an aspect to an entity, with changes", add_aspect),
    ("world.remove_aspect", "", "removes an aspect from an entity, and returns its values", remove_aspect),
    ("world.swap_aspect", "", "removes an aspect from an entity, and adds another one", swap_aspect),
    ("world.shrink_to_fit", "", "gives back memory that the values do not need", shrink_to_fit),
];

/// The methods that answer with a stream of events.
pub(super) const WATCHES: &[Method] = &[
    ("world.get_components+watch", "bevy/get+watch", "changes of components of an entity, as events", watch),
    (
        "world.list_components+watch",
        "bevy/list+watch",
        "components that are added to an entity and removed, as events",
        watch,
    ),
    ("world.query+watch", "", "rows of a query that come, change and go, as events", watch),
    ("world.get_resources+watch", "", "the value of a resource when it changes, as events", watch),
    ("world.observe+watch", "", "events of the world, as they are sent", watch),
];

/// Calls a method.
pub(super) fn call(door: &mut Door<'_>, method: &str, mut params: Params) -> Answer {
    if let Some((.., call)) = built_in(method) {
        return call(door, &mut params);
    }
    match door.extensions.call(method, &mut door.world, &params) {
        Some(Ok(result)) => Ok(result.into()),
        Some(Err(message)) => Err(RpcError::new(EXTENSION_ERROR, message)),
        None => {
            Err(RpcError::new(METHOD_NOT_FOUND, format!("there is no method `{method}`: see `rpc.discover`")))
        }
    }
}

/// Whether every server has a method of this name.
pub(crate) fn is_built_in(method: &str) -> bool {
    built_in(method).is_some()
}

/// Whether a method of every server only reads.
pub(super) fn only_reads(method: &str) -> bool {
    find(READS, method).is_some()
}

/// The name of a method that is a watch.
pub(crate) fn watch_of(method: &str) -> Option<&'static str> {
    find(WATCHES, method).map(|(name, ..)| *name)
}

fn built_in(method: &str) -> Option<&'static Method> {
    [READS, WRITES, WATCHES].into_iter().find_map(|methods| find(methods, method))
}

fn find(methods: &'static [Method], method: &str) -> Option<&'static Method> {
    methods.iter().find(|(name, former, ..)| *name == method || !former.is_empty() && *former == method)
}

/// The server itself begins a watch; here it is one of a batch, or there is no server.
fn watch(_: &mut Door<'_>, _: &mut Params) -> Answer {
    Err(RpcError::new(INVALID_REQUEST, "a watch needs a connection of its own: it is not a part of a batch"))
}

/// A member of the parameters that a client may leave out. Clients that write all members write
/// `null` for it.
pub(super) fn optional(params: &mut Params, name: &str) -> Option<Value> {
    params.remove(name).filter(|value| !value.is_null())
}

/// A member of the parameters.
fn take(params: &mut Params, name: &str) -> Result<Value, RpcError> {
    params.remove(name).ok_or_else(|| RpcError::params(format!("`{name}` is missing")))
}

pub(crate) fn take_text(params: &mut Params, name: &str) -> Result<String, RpcError> {
    match take(params, name)? {
        Value::String(text) => Ok(text),
        _ => Err(RpcError::params(format!("`{name}` is a text"))),
    }
}

/// A list of names; empty if it is missing.
pub(crate) fn take_names(params: &mut Params, name: &str) -> Result<Vec<String>, RpcError> {
    let mistake = || RpcError::params(format!("`{name}` is a list of names"));
    match optional(params, name) {
        None => Ok(Vec::new()),
        Some(Value::Array(names)) if names.len() > MOST_NAMES => {
            Err(RpcError::params(format!("`{name}` has at most {MOST_NAMES} names")))
        }
        Some(Value::Array(names)) => names
            .into_iter()
            .map(|name| if let Value::String(name) = name { Ok(name) } else { Err(mistake()) })
            .collect(),
        Some(_) => Err(mistake()),
    }
}

pub(super) fn take_object(params: &mut Params, name: &str) -> Result<Params, RpcError> {
    match optional(params, name) {
        None => Ok(Params::new()),
        Some(Value::Object(object)) => Ok(object),
        Some(_) => Err(RpcError::params(format!("`{name}` is an object"))),
    }
}

pub(crate) fn take_flag(params: &mut Params, name: &str) -> Result<bool, RpcError> {
    match optional(params, name) {
        None => Ok(false),
        Some(Value::Bool(flag)) => Ok(flag),
        Some(_) => Err(RpcError::params(format!("`{name}` is true or false"))),
    }
}

fn take_count(params: &mut Params, name: &str) -> Result<Option<usize>, RpcError> {
    match optional(params, name) {
        None => Ok(None),
        Some(value) => match value.as_u64().and_then(|count| usize::try_from(count).ok()) {
            Some(count) => Ok(Some(count)),
            None => Err(RpcError::params(format!("`{name}` is a number"))),
        },
    }
}

/// The path of a part, if there is one. Bevy's begins with a dot or a bracket.
fn take_path(params: &mut Params) -> Result<String, RpcError> {
    match optional(params, "path") {
        None => Ok(String::new()),
        Some(Value::String(part)) if part.is_empty() || part.starts_with(['.', '[']) => Ok(part),
        Some(Value::String(part)) => Ok(format!(".{part}")),
        Some(_) => Err(RpcError::params("`path` is a text")),
    }
}

/// The live entity of a member.
pub(crate) fn take_entity(door: &Door<'_>, params: &mut Params, name: &str) -> Result<Entity, RpcError> {
    entity(door, &take(params, name)?)
}

fn entity(door: &Door<'_>, value: &Value) -> Result<Entity, RpcError> {
    ids::entity(&door.read(), value).map_err(|error| RpcError::new(ENTITY_NOT_FOUND, error))
}

/// The JSON of a value, with ids as numbers.
pub(crate) fn json_of(value: &DynamicValue) -> Value {
    ids::json(value, &|entity| ids::number(entity).into())
}

/// The values of components by their names.
fn values<'p>(door: &mut Door<'_>, components: &'p Params) -> Result<Vec<(&'p str, DynamicValue)>, RpcError> {
    door.spend(components.len())?;
    let one = |(name, json): (&'p String, &Value)| {
        let name = door.spelled(name);
        let schema = door.schema(NameKind::Components, name)?;
        let value = ids::value(&door.read(), &schema, json);
        Ok((name, value.map_err(|error| RpcError::new(COMPONENT_ERROR, format!("`{name}`: {error}")))?))
    };
    components.iter().map(one).collect()
}

fn get(door: &mut Door<'_>, params: &mut Params) -> Answer {
    let (entity, names) = (take_entity(door, params, "entity")?, take_names(params, "components")?);
    let strict = take_flag(params, "strict")?;
    door.spend(names.len())?;
    let (mut components, mut errors) = (Params::new(), Params::new());
    for name in names {
        match door.world.read(entity, door.spelled(&name)).map_err(RpcError::from) {
            Ok(value) => drop(components.insert(name, json_of(&value))),
            Err(error) if strict => return Err(error),
            Err(error) => drop(errors.insert(name, error.json())),
        }
    }
    Ok(if strict { json!(components) } else { json!({ "components": components, "errors": errors }) }.into())
}

/// The parameters of Bevy, and three more: `limit`, `after` (an entity), and `text`, a
/// [`DynamicQuery`] instead of `data` and `filter`.
fn query(door: &mut Door<'_>, params: &mut Params) -> Answer {
    let Some(asked) = AskedQuery::take(door, params)? else { return Ok(json!([]).into()) };
    let found = door.scan(&asked.query, &mut |row| asked.row(door, row))?;
    // most clients do not know that an answer can have a part only
    if found.more && asked.is_cut(door, found.entities.len()) {
        return Err(asked.too_many(door).into());
    }
    let mut result = found.rows;
    result.insert(0, '[');
    result.push(']');
    Ok(Outcome { result, more: found.more })
}

/// A query as a client has asked for it.
pub(crate) struct AskedQuery {
    pub(crate) query: DynamicQuery,
    asked_limit: Option<usize>,
    /// Whether rows have all values of their entities.
    all: bool,
    has: Vec<String>,
    /// The components of `has` whose values are not in the rows.
    only_has: Vec<&'static str>,
    /// The names of components, each with the spelling of the client.
    spellings: Vec<(&'static str, String)>,
}

impl AskedQuery {
    /// The query of the parameters; `None` if the world lacks a component that it needs, so that it
    /// has no rows.
    pub(crate) fn take(door: &Door<'_>, params: &mut Params) -> Result<Option<Self>, RpcError> {
        let (asked_limit, most) = (take_count(params, "limit")?, door.limits.results);
        let limit = asked_limit.unwrap_or(most).min(most);
        let after = optional(params, "after").map(|after| entity(door, &after)).transpose()?;
        let strict = take_flag(params, "strict")?;
        let text = match optional(params, "text") {
            None => String::new(),
            Some(Value::String(text)) => text,
            Some(_) => return Err(RpcError::params("`text` is a text")),
        };
        let (mut data, mut filter) = (take_object(params, "data")?, take_object(params, "filter")?);
        let option = optional(&mut data, "option").unwrap_or_else(|| json!([]));
        let all = option == "all";
        data.insert("option".into(), if all { json!([]) } else { option });
        let option = take_names(&mut data, "option")?;
        let (components, has) = (take_names(&mut data, "components")?, take_names(&mut data, "has")?);
        let (with, without) = (take_names(&mut filter, "with")?, take_names(&mut filter, "without")?);

        let mut query = text.parse::<DynamicQuery>()?.at_most(limit);
        let mut spellings = Vec::new();
        for (names, is_needed, add) in [
            (&components, true, DynamicQuery::fetch as fn(DynamicQuery, String) -> DynamicQuery),
            (&option, false, DynamicQuery::optional),
            (&has, false, DynamicQuery::optional),
            (&with, true, DynamicQuery::with),
            (&without, false, DynamicQuery::without),
        ] {
            for name in names {
                let known = door.spelled(name);
                match door.world.component(known) {
                    Ok(info) => {
                        spellings.push((info.name, name.clone()));
                        query = add(query, known.to_owned());
                    }
                    Err(error) if strict => return Err(error.into()),
                    Err(_) if is_needed => return Ok(None),
                    Err(_) => {}
                }
            }
        }
        if let Some(after) = after {
            query = query.after(after);
        }
        let known = |names: &[String]| -> Vec<&'static str> {
            let info = names.iter().filter_map(|name| door.world.component(door.spelled(name)).ok());
            info.map(|info| info.name).collect()
        };
        let (has_known, values) = (known(&has), [known(&components), known(&option)].concat());
        let only_has = has_known.into_iter().filter(|name| !values.contains(name)).collect();
        Ok(Some(Self { query, asked_limit, all, has, only_has, spellings }))
    }

    /// Whether the values of the rows are those that the query fetches.
    pub(crate) fn has_fetched_only(&self) -> bool {
        !self.all
    }

    /// The JSON of a row.
    pub(crate) fn row(&self, door: &Door<'_>, row: &QueryRow) -> Result<Value, DoorError> {
        let values = if self.all { door.world.read_all(row.entity)? } else { Vec::new() };
        door.spend(values.len())?;
        let is_hidden = |name: &str| self.all || self.only_has.contains(&name);
        let mut json = row_json(row, &self.spellings, values, &is_hidden);
        if !self.has.is_empty() {
            let flag = |name: &String| {
                let is_it = |other: &str| other == name || other == short(name);
                (name.clone(), row.values.iter().any(|(other, value)| is_it(other) && value.is_some()).into())
            };
            json["has"] = Value::Object(self.has.iter().map(flag).collect());
        }
        Ok(json)
    }

    /// Whether the limit of the server, and not one of the client, leaves out rows after this
    /// number of rows.
    pub(crate) fn is_cut(&self, door: &Door<'_>, rows: usize) -> bool {
        rows == door.limits.results && self.asked_limit.is_none()
    }

    /// The error of a query whose rows the limit of the server leaves out.
    pub(crate) fn too_many(&self, door: &Door<'_>) -> DoorError {
        let most = door.limits.results;
        DoorError::Limit(format!(
            "the query has more than {most} rows: ask for pages with `limit` and `after`"
        ))
    }
}

/// A row; a component is named as the client has spelled it.
fn row_json(
    row: &QueryRow,
    spellings: &[(&str, String)],
    all: Vec<(&'static str, DynamicValue)>,
    is_hidden: &dyn Fn(&str) -> bool,
) -> Value {
    let spelled = |name: &str| {
        spellings.iter().find(|(known, _)| *known == name).map_or(name, |(_, spelling)| spelling).to_owned()
    };
    let fetched = row.values.iter().filter(|(name, _)| !is_hidden(name));
    let mut components: Params =
        fetched.filter_map(|(name, value)| Some((spelled(name), json_of(value.as_ref()?)))).collect();
    for (name, value) in all {
        components.insert(spelled(name), json_of(&value));
    }
    json!({ "entity": ids::number(row.entity), "components": components })
}

fn spawn(door: &mut Door<'_>, params: &mut Params) -> Answer {
    let components = take_object(params, "components")?;
    let values = values(door, &components)?;
    let entity = door.world.spawn(&values)?;
    Ok(json!({ "entity": ids::number(entity) }).into())
}

fn insert(door: &mut Door<'_>, params: &mut Params) -> Answer {
    let entity = take_entity(door, params, "entity")?;
    let components = take_object(params, "components")?;
    let values = values(door, &components)?;
    door.world.insert_all(entity, &values)?;
    Ok(Value::Null.into())
}

fn remove(door: &mut Door<'_>, params: &mut Params) -> Answer {
    let (entity, names) = (take_entity(door, params, "entity")?, take_names(params, "components")?);
    door.spend(names.len())?;
    let names: Vec<&str> = names.iter().map(|name| door.spelled(name)).collect();
    door.world.remove_all(entity, &names)?;
    Ok(Value::Null.into())
}

fn despawn(door: &mut Door<'_>, params: &mut Params) -> Answer {
    let entity = take_entity(door, params, "entity")?;
    door.world.despawn(entity)?;
    Ok(Value::Null.into())
}

/// Moves all of the entities or none.
fn reparent(door: &mut Door<'_>, params: &mut Params) -> Answer {
    // check everything that can be checked before the first entity moves
    let Value::Array(children) = take(params, "entities")? else {
        return Err(RpcError::params("`entities` is a list of entities"));
    };
    door.spend(children.len())?;
    let children = children.iter().map(|child| entity(door, child)).collect::<Result<Vec<Entity>, _>>()?;
    let parent = optional(params, "parent").map(|parent| entity(door, &parent)).transpose()?;
    if parent.is_some_and(|parent| children.contains(&parent)) {
        return Err(RpcError::new(SELF_REPARENT, "an entity is no child of itself"));
    }
    let mut ancestor = parent;
    while let Some(entity) = ancestor {
        if children.contains(&entity) {
            return Err(RpcError::new(SELF_REPARENT, "an entity is no child of its own descendant"));
        }
        door.spend(1)?;
        ancestor = match door.world.read(entity, "ChildOf") {
            Ok(DynamicValue::EntityId(parent)) => Some(parent),
            _ => None,
        };
    }
    // then move one after the other; a hook may still refuse one, and then those before it move
    // back, behind their siblings
    let mut former = Vec::with_capacity(children.len());
    for child in children {
        let before = match door.world.read(child, "ChildOf") {
            Ok(before) => Some(before),
            Err(ReflectError::Missing { .. }) => None,
            Err(error) => return Err(error.into()),
        };
        if let Err(error) = set_parent(door, child, parent.map(DynamicValue::EntityId)) {
            for (child, before) in former.into_iter().rev() {
                set_parent(door, child, before)?;
            }
            return Err(error.into());
        }
        former.push((child, before));
    }
    Ok(Value::Null.into())
}

fn set_parent(door: &mut Door<'_>, child: Entity, parent: Option<DynamicValue>) -> Result<(), ReflectError> {
    match parent {
        Some(parent) => door.world.insert(child, "ChildOf", parent),
        None => door.world.remove(child, "ChildOf").map(drop),
    }
}

fn list_prefabs(door: &mut Door<'_>, _: &mut Params) -> Answer {
    Ok(json!(door.world.prefabs()).into())
}

/// `changes` are values by the names of the prefab's entities and by paths:
/// `{ "goblin": { "Health.now": 3 } }`.
fn spawn_prefab(door: &mut Door<'_>, params: &mut Params) -> Answer {
    let (prefab, changes) = (take_text(params, "prefab")?, take_object(params, "changes")?);
    // one list of changes, each with the name of its entity, as the world takes them
    let mut values = Vec::new();
    for (entity, parts) in &changes {
        let Value::Object(parts) = parts else {
            return Err(RpcError::params(format!("the changes of `{entity}` are an object")));
        };
        values.extend(
            self::parts(door, parts)?.into_iter().map(|(path, value)| (entity.as_str(), path, value)),
        );
    }
    let values: Vec<_> =
        values.iter().map(|(entity, path, value)| (*entity, path.as_str(), value.clone())).collect();
    let entities = door.world.spawn_prefab(&prefab, &values)?;
    let entities: Params =
        entities.into_iter().map(|(name, entity)| (name, ids::number(entity).into())).collect();
    Ok(json!({ "entities": entities }).into())
}

fn list_aspects(door: &mut Door<'_>, params: &mut Params) -> Answer {
    if let Some(id) = optional(params, "entity") {
        return Ok(json!(aspects_of(door, entity(door, &id)?)?).into());
    }
    Ok(json!(aspects(door)?).into())
}

/// The names of the aspects of an entity.
pub(crate) fn aspects_of(door: &Door<'_>, entity: Entity) -> Result<Vec<&'static str>, DoorError> {
    let names = door.world.aspects_of(entity)?;
    door.spend(1 + names.len())?;
    Ok(names)
}

/// The aspects, with their docs, components, parts, and the values with which they begin.
pub(crate) fn aspects(door: &Door<'_>) -> Result<Vec<Value>, DoorError> {
    door.spend(door.world.cost_aspects())?;
    let aspects = door.world.aspects();
    let one = |aspect: &AspectInfo| {
        let defaults = door.world.aspect_defaults(aspect.name)?;
        let defaults: Params =
            defaults.iter().map(|(name, value)| ((*name).to_owned(), json_of(value))).collect();
        Ok(json!({
            "name": aspect.name, "description": aspect.docs, "components": aspect.components,
            "aspects": aspect.parts, "entity_count": aspect.count, "defaults": defaults,
        }))
    };
    aspects.iter().map(one).collect()
}

/// `changes` are values by paths: `{ "Health.now": 3 }`.
fn add_aspect(door: &mut Door<'_>, params: &mut Params) -> Answer {
    let (entity, aspect) = (take_entity(door, params, "entity")?, take_text(params, "aspect")?);
    let changes = take_object(params, "changes")?;
    let changes = parts(door, &changes)?;
    door.world.add_aspect(entity, &aspect, &borrowed(&changes))?;
    Ok(Value::Null.into())
}

/// The values of parts of components by their paths.
pub(crate) fn parts(door: &mut Door<'_>, parts: &Params) -> Result<Vec<(String, DynamicValue)>, DoorError> {
    door.spend(parts.len())?;
    let one = |(path, json): (&String, &Value)| {
        let (name, part) = path.split_at(path.find(['.', '[']).unwrap_or(path.len()));
        Ok(door.part((NameKind::Components, name), part, None, json)?)
    };
    parts.iter().map(one).collect()
}

/// The parts with borrowed paths.
pub(crate) fn borrowed(parts: &[(String, DynamicValue)]) -> Vec<(&str, DynamicValue)> {
    parts.iter().map(|(path, value)| (path.as_str(), value.clone())).collect()
}

fn remove_aspect(door: &mut Door<'_>, params: &mut Params) -> Answer {
    let (entity, aspect) = (take_entity(door, params, "entity")?, take_text(params, "aspect")?);
    let values = door.world.remove_aspect(entity, &aspect)?;
    let values: Params = values.iter().map(|(name, value)| ((*name).to_owned(), json_of(value))).collect();
    Ok(json!({ "components": values }).into())
}

fn swap_aspect(door: &mut Door<'_>, params: &mut Params) -> Answer {
    let entity = take_entity(door, params, "entity")?;
    let (old, new) = (take_text(params, "old")?, take_text(params, "new")?);
    let changes = take_object(params, "changes")?;
    let changes = parts(door, &changes)?;
    door.world.swap_aspect(entity, &old, &new, &borrowed(&changes))?;
    Ok(Value::Null.into())
}

fn list(door: &mut Door<'_>, params: &mut Params) -> Answer {
    let names = match optional(params, "entity") {
        Some(id) => door.world.components_of(entity(door, &id)?)?,
        None => door.world.components().iter().map(|component| component.name).collect(),
    };
    Ok(json!(names).into())
}

fn mutate(door: &mut Door<'_>, params: &mut Params) -> Answer {
    let entity = take_entity(door, params, "entity")?;
    let component = take_text(params, "component")?;
    let (name, part, json) = (door.spelled(&component), take_path(params)?, take(params, "value")?);
    let now = door.world.read(entity, name)?;
    let (path, value) = door.part((NameKind::Components, name), &part, Some(&now), &json)?;
    door.world.patch(entity, &path, value)?;
    Ok(Value::Null.into())
}

fn get_resource(door: &mut Door<'_>, params: &mut Params) -> Answer {
    let name = take_text(params, "resource")?;
    Ok(json!({ "value": json_of(&door.world.read_resource(door.resource(&name))?) }).into())
}

fn insert_resource(door: &mut Door<'_>, params: &mut Params) -> Answer {
    let (name, json) = (take_text(params, "resource")?, take(params, "value")?);
    let name = door.resource(&name).to_owned();
    let schema = door.schema(NameKind::Resources, &name)?;
    let value = ids::value(&door.read(), &schema, &json);
    let value = value.map_err(|error| RpcError::new(RESOURCE_ERROR, format!("`{name}`: {error}")))?;
    door.world.patch_resource(&name, value)?;
    Ok(Value::Null.into())
}

fn remove_resource(door: &mut Door<'_>, params: &mut Params) -> Answer {
    let name = take_text(params, "resource")?;
    door.world.read_resource(door.resource(&name))?;
    Err(RpcError::new(
        RESOURCE_ERROR,
        format!("a world always has its resources: `{name}` cannot be removed"),
    ))
}

fn mutate_resource(door: &mut Door<'_>, params: &mut Params) -> Answer {
    let name = take_text(params, "resource")?;
    let (name, part, json) = (door.resource(&name).to_owned(), take_path(params)?, take(params, "value")?);
    let now = door.world.read_resource(&name)?;
    let (path, value) = door.part((NameKind::Resources, &name), &part, Some(&now), &json)?;
    door.world.patch_resource(&path, value)?;
    Ok(Value::Null.into())
}

fn list_resources(door: &mut Door<'_>, _: &mut Params) -> Answer {
    Ok(door.world.resources().iter().map(|resource| resource.name).collect::<Value>().into())
}

fn trigger(door: &mut Door<'_>, params: &mut Params) -> Answer {
    send(door, params, "event")
}

fn write_message(door: &mut Door<'_>, params: &mut Params) -> Answer {
    send(door, params, "message")
}

fn send(door: &mut Door<'_>, params: &mut Params, member: &str) -> Answer {
    let name = take_text(params, member)?;
    let name = short(&name);
    let schema = door.schema(NameKind::Events, name)?;
    let value = ids::value(&door.read(), &schema, &params.remove("value").unwrap_or(Value::Null));
    door.world.send(name, value.map_err(|error| RpcError::params(format!("`{name}`: {error}")))?)?;
    Ok(Value::Null.into())
}

fn shrink_to_fit(door: &mut Door<'_>, _: &mut Params) -> Answer {
    door.world.shrink_to_fit()?;
    Ok(Value::Null.into())
}

fn schedules(door: &mut Door<'_>, _: &mut Params) -> Answer {
    let names = door.world.schedules();
    Ok(json!({ "schedule_labels": names, "unavailable_schedule_labels": [], "empty_schedule_labels": [] })
        .into())
}

fn graph(door: &mut Door<'_>, params: &mut Params) -> Answer {
    let schedule = take_text(params, "schedule_label")?;
    if !door.world.schedules().contains(&schedule.as_str()) {
        return Err(RpcError::new(RESOURCE_ERROR, format!("the world has no schedule `{schedule}`")));
    }
    let systems = door.world.systems();
    let systems = systems.iter().filter(|system| system.schedule == schedule).map(|system| {
        json!({
            "name": system.system, "stage": system.stage, "exclusive": system.exclusive,
            "reads": system.reads, "writes": system.writes,
            "resources_read": system.resources_read, "resources_written": system.resources_written,
            "events_read": system.events_read, "events_sent": system.events_sent,
        })
    });
    Ok(json!({ "schedule_data": { "name": schedule, "systems": systems.collect::<Value>() } }).into())
}

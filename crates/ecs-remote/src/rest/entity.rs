//! `/entity/PATH`.

use ecs::reflect::{DynamicValue, NameKind, Schema};
use serde_json::{Map, Value, json};

use super::path::{self, Target};
use super::{Answer, DISABLED, FLECS_DISABLED, RestError};
use crate::dispatch::Door;
use crate::ids;

/// The component that the explorer shows as the name of an entity.
pub(super) const LABEL: &str = "(flecs.doc.Description,flecs.core.Name)";

/// All components of an entity, with their types if `type_info` is asked for. A resource is shown
/// as an entity with one component.
pub(super) fn read(door: &mut Door<'_>, path: &[String], target: &Target) -> Answer {
    let (mut tags, mut pairs) = (Vec::new(), Map::new());
    let (mut components, mut types) = (Map::new(), Map::new());
    // a resource, in the form of an entity, since the explorer knows nothing else
    if let Some(name) = path::resource(door, path) {
        let value = door.world.read_resource(&name)?;
        types.insert(name.clone(), type_info(&door.schema(NameKind::Resources, &name)?, Some(&value)));
        components.insert(name.clone(), json_of(door, &value));
        return Ok(json!({
            "parent": path::RESOURCES, "name": name, "id": 0, "tags": tags, "pairs": pairs,
            "components": components, "type_info": types,
        }));
    }
    let entity = path::find(door, path)?;
    // tags, relations and values stand in three places, as in flecs
    for (name, value) in door.world.read_all(entity)? {
        let is_relation = door.world.component(name)?.relation;
        match value {
            DynamicValue::Unit if name == DISABLED => tags.push(FLECS_DISABLED),
            DynamicValue::Unit => tags.push(name),
            DynamicValue::EntityId(to) if is_relation => {
                drop(pairs.insert(name.to_owned(), path::labelled(door, to).into()))
            }
            value => {
                components.insert(name.to_owned(), json_of(door, &value));
                if target.is_on("type_info") {
                    let schema = door.schema(NameKind::Components, name)?;
                    types.insert(name.to_owned(), type_info(&schema, Some(&value)));
                }
            }
        }
    }
    if let Some(label) = path::label(door, entity) {
        components.insert(LABEL.to_owned(), json!({ "value": label }));
    }
    // the fields that flecs has for every entity, then those that were asked for
    let mut json = json!({ "name": path::name(entity), "id": ids::number(entity) });
    if let Some(parent) = path::parent(door, entity) {
        json["parent"] = path::name(parent).into();
    }
    json["tags"] = json!(tags);
    json["pairs"] = pairs.into();
    json["components"] = components.into();
    if target.is_on("type_info") {
        json["type_info"] = types.into();
    }
    Ok(json)
}

/// The JSON of a value; the id of an entity is its name.
pub(super) fn json_of(door: &Door<'_>, value: &DynamicValue) -> Value {
    ids::json(value, &|entity| path::labelled(door, entity).into())
}

/// The type of a value, as the explorer needs it for its input fields. An enum with data has the
/// type of its value: the explorer finds the types of the parts by itself if it is told that the
/// value is `["value"]`, an object with one member. A table, whose rows have different values,
/// shows such an enum as text.
pub(super) fn type_info(schema: &Schema, value: Option<&DynamicValue>) -> Value {
    let inner = |schema: &Schema, part: Option<&DynamicValue>| type_info(schema, part);
    match schema {
        Schema::Bool => json!(["bool"]),
        Schema::Integer(_) => json!(["int"]),
        Schema::Float(_) => json!(["float"]),
        Schema::EntityId => json!(["entity"]),
        Schema::Optional(content) => match value {
            Some(DynamicValue::Optional(value)) => inner(content, value.as_deref()),
            value => inner(content, value),
        },
        Schema::List(element) => json!(["array", inner(element, first(value))]),
        // the explorer has one type for all elements; a field of text takes numbers, too
        Schema::Tuple(elements) => match elements.split_first() {
            Some((element, rest)) if rest.iter().all(|other| other == element) => {
                json!(["array", inner(element, first(value))])
            }
            _ => json!(["array", ["text"]]),
        },
        Schema::Mapping(key, content) => {
            let value = match value {
                Some(DynamicValue::Mapping(entries)) => entries.first().map(|(_, value)| value),
                _ => None,
            };
            json!(["map", inner(key, None), inner(content, value)])
        }
        Schema::Struct { fields, .. } => {
            let field = |(name, field): &(&'static str, Schema)| {
                let value = value.and_then(|value| value.field(name));
                ((*name).to_owned(), inner(field, value))
            };
            Value::Object(fields.iter().map(field).collect())
        }
        Schema::Enum { variants, .. } => {
            let units = variants.iter().filter(|(_, content)| *content == Schema::Unit);
            let units: Vec<&str> = units.map(|(name, _)| *name).collect();
            match value {
                Some(DynamicValue::Variant(_, content)) if **content != DynamicValue::Unit => {
                    json!(["value"])
                }
                None if units.len() < variants.len() => json!(["text"]),
                _ => std::iter::once("enum").chain(units).collect(),
            }
        }
        Schema::Any | Schema::Recursive(_) => value.map_or_else(|| json!(["text"]), inferred),
        _ => json!(["text"]),
    }
}

/// The first element of a list.
fn first(value: Option<&DynamicValue>) -> Option<&DynamicValue> {
    match value {
        Some(DynamicValue::List(elements)) => elements.first(),
        _ => None,
    }
}

/// The type of a value whose structure is unknown.
fn inferred(value: &DynamicValue) -> Value {
    match value {
        DynamicValue::Bool(_) => json!(["bool"]),
        DynamicValue::Int(_) | DynamicValue::Uint(_) => json!(["int"]),
        DynamicValue::F32(_) | DynamicValue::F64(_) => json!(["float"]),
        DynamicValue::EntityId(_) => json!(["entity"]),
        DynamicValue::Optional(Some(value)) => inferred(value),
        DynamicValue::List(elements) => {
            json!(["array", elements.first().map_or_else(|| json!(["text"]), inferred)])
        }
        DynamicValue::Struct(fields) => {
            Value::Object(fields.iter().map(|(name, value)| (name.clone(), inferred(value))).collect())
        }
        DynamicValue::Mapping(entries) => {
            let value = entries.first().map_or_else(|| json!(["text"]), |(_, value)| inferred(value));
            json!(["map", ["text"], value])
        }
        DynamicValue::Variant(_, content) if **content != DynamicValue::Unit => json!(["value"]),
        _ => json!(["text"]),
    }
}

/// Spawns an entity with a name, as a child of those before it in the path. An entity that exists
/// is left alone.
pub(super) fn create(door: &mut Door<'_>, path: &[String]) -> Answer {
    if let Some(entity) = path::search(door, path)? {
        return Ok(json!({ "id": ids::number(entity) }));
    }
    let Some((name, parents)) = path.split_last() else { return Err(RestError::bad("the name is missing")) };
    let mut components = vec![("Name", DynamicValue::Text(name.clone()))];
    if !parents.is_empty() {
        components.push(("ChildOf", path::find(door, parents)?.into()));
    }
    Ok(json!({ "id": ids::number(door.world.spawn(&components)?) }))
}

/// Despawns an entity.
pub(super) fn delete(door: &mut Door<'_>, path: &[String]) -> Answer {
    let entity = path::find(door, path)?;
    door.world.despawn(entity)?;
    Ok(json!({}))
}

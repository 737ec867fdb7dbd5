//! `/entity/PATH`.

use ecs::reflect::{DynamicValue, NameKind, Schema};
use serde_json::{Map, Value, json};

use super::path::{self, Target};
use super::{Answer, RestError};
use crate::dispatch::Door;
use crate::ids;

/// The component that the explorer shows as the name of an entity.
pub(super) const LABEL: &str = "(flecs.doc.Description,flecs.core.Name)";

/// All components of an entity, with their types if `type_info` is asked for.
pub(super) fn read(door: &mut Door<'_>, path: &[String], target: &Target) -> Answer {
    let entity = path::find(door, path)?;
    let (mut tags, mut pairs, mut components, mut types) = (Vec::new(), Map::new(), Map::new(), Map::new());
    for (name, value) in door.world.read_all(entity)? {
        let is_relation = door.world.component(name)?.relation;
        match value {
            DynamicValue::Unit => tags.push(name),
            DynamicValue::EntityId(to) if is_relation => {
                drop(pairs.insert(name.to_owned(), path::name(to).into()))
            }
            value => {
                components.insert(name.to_owned(), json_of(&value));
                if target.is_on("type_info") {
                    types.insert(name.to_owned(), type_info(&door.schema(NameKind::Components, name)?));
                }
            }
        }
    }
    if let Some(label) = path::label(door, entity) {
        components.insert(LABEL.to_owned(), json!({ "value": label }));
    }
    let mut json =
        json!({ "name": path::name(entity), "id": ids::number(entity), "tags": tags, "pairs": pairs });
    if let Some(parent) = path::parent(door, entity) {
        json["parent"] = path::name(parent).into();
    }
    json["components"] = components.into();
    if target.is_on("type_info") {
        json["type_info"] = types.into();
    }
    Ok(json)
}

/// The JSON of a value; the id of an entity is its name.
pub(super) fn json_of(value: &DynamicValue) -> Value {
    ids::json(value, &|entity| path::name(entity).into())
}

/// The type of a value, as the explorer needs it for its input fields.
fn type_info(schema: &Schema) -> Value {
    match schema {
        Schema::Bool => json!(["bool"]),
        Schema::Integer(_) => json!(["int"]),
        Schema::Float(_) => json!(["float"]),
        Schema::EntityId => json!(["entity"]),
        Schema::Optional(inner) => type_info(inner),
        Schema::List(inner) => json!(["array", type_info(inner)]),
        Schema::Mapping(key, inner) => json!(["map", type_info(key), type_info(inner)]),
        Schema::Struct { fields, .. } => {
            Value::Object(fields.iter().map(|(name, field)| ((*name).to_owned(), type_info(field))).collect())
        }
        Schema::Enum { variants, .. } if variants.iter().all(|(_, content)| *content == Schema::Unit) => {
            std::iter::once("enum").chain(variants.iter().map(|(name, _)| *name)).collect()
        }
        // the explorer finds the type of such a value by itself
        Schema::Any | Schema::Tuple(_) | Schema::Enum { .. } | Schema::Recursive(_) => Value::Null,
        _ => json!(["text"]),
    }
}

/// Spawns an entity with a name, as a child of those before it in the path. An entity that exists is left alone.
pub(super) fn create(door: &mut Door<'_>, path: &[String]) -> Answer {
    if let Ok(entity) = path::find(door, path) {
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

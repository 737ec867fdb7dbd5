//! `/component/PATH?component=NAME`.

use ecs::Entity;
use ecs::reflect::{DynamicValue, NameKind, Schema};
use serde_json::{Map, Value, json};

use super::path::{self, Target};
use super::{Answer, RestError, entity};
use crate::dispatch::Door;
use crate::ids;

/// The entity of the path, and the component and the target of the parameter.
fn asked(
    door: &Door<'_>,
    path: &[String],
    target: &Target,
) -> Result<(Entity, String, Option<Entity>), RestError> {
    let entity = path::find(door, path)?;
    let text = target.parameter("component").ok_or_else(|| RestError::bad("`component` is missing"))?;
    let (name, to) = path::component(door, text)?;
    door.world.component(&name)?;
    Ok((entity, name, to))
}

/// The value.
pub(super) fn read(door: &mut Door<'_>, path: &[String], target: &Target) -> Answer {
    let (entity, name, _) = asked(door, path, target)?;
    Ok(entity::json_of(&door.world.read(entity, &name)?))
}

/// Inserts a component, with a default value if there is none, or changes the parts of it that the value names.
pub(super) fn write(door: &mut Door<'_>, path: &[String], target: &Target) -> Answer {
    let (entity, name, to) = asked(door, path, target)?;
    if let Some(to) = to {
        door.world.insert(entity, &name, to)?;
        return Ok(json!({}));
    }
    let has = door.world.has(entity, &name)?;
    let Some(text) = target.parameter("value") else {
        if !has {
            let schema = door.schema(NameKind::Components, &name)?;
            door.world.insert(entity, &name, default_of(&schema))?;
        }
        return Ok(json!({}));
    };
    // the explorer sends texts and variants without quotes
    let json = serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()));
    match (json, has) {
        (Value::Object(parts), true) if !is_variant(door, &name)? => change(door, entity, &name, &parts)?,
        (json, _) => {
            let value = door.part(NameKind::Components, &name, "", &json)?;
            door.world.insert(entity, &name, value)?;
        }
    }
    Ok(json!({}))
}

fn is_variant(door: &mut Door<'_>, name: &str) -> Result<bool, RestError> {
    Ok(matches!(door.schema(NameKind::Components, name)?, Schema::Enum { .. }))
}

/// Changes all of the parts, or none.
fn change(
    door: &mut Door<'_>,
    entity: Entity,
    name: &str,
    parts: &Map<String, Value>,
) -> Result<(), RestError> {
    let before = door.world.read(entity, name)?;
    for (part, json) in parts {
        let dot = if part.starts_with('[') { "" } else { "." };
        let part = format!("{dot}{part}");
        let value = door.part(NameKind::Components, name, &part, json);
        if let Err(error) = value.and_then(|value| door.world.patch(entity, &format!("{name}{part}"), value))
        {
            door.world.insert(entity, name, before)?;
            return Err(error.into());
        }
    }
    Ok(())
}

/// A value to begin with: zero, false, empty, or the first variant.
fn default_of(schema: &Schema) -> DynamicValue {
    match schema {
        Schema::Bool => false.into(),
        Schema::Integer(_) => 0.into(),
        Schema::Float(_) => 0.0_f64.into(),
        Schema::Char => ' '.into(),
        Schema::Text => "".into(),
        Schema::Bytes => DynamicValue::Bytes(Vec::new()),
        Schema::Optional(_) => DynamicValue::Optional(None),
        Schema::List(_) => DynamicValue::List(Vec::new()),
        Schema::Tuple(inner) => DynamicValue::List(inner.iter().map(default_of).collect()),
        Schema::Mapping(..) => DynamicValue::Mapping(Vec::new()),
        Schema::Struct { fields, .. } => DynamicValue::Struct(
            fields.iter().map(|(name, field)| ((*name).to_owned(), default_of(field))).collect(),
        ),
        Schema::Enum { variants, .. } => match variants.first() {
            Some((name, content)) => DynamicValue::Variant((*name).to_owned(), Box::new(default_of(content))),
            None => DynamicValue::Unit,
        },
        // an id has no default: the world refuses it
        _ => DynamicValue::Unit,
    }
}

/// Removes a component.
pub(super) fn remove(door: &mut Door<'_>, path: &[String], target: &Target) -> Answer {
    let (entity, name, to) = asked(door, path, target)?;
    if let Some(to) = to
        && let Ok(DynamicValue::EntityId(target)) = door.world.read(entity, &name)
        && target != to
    {
        let pair = ids::number(to);
        return Err(RestError::not_found(format!("`{name}` of the entity does not point to #{pair}")));
    }
    door.world.remove(entity, &name)?;
    Ok(json!({}))
}

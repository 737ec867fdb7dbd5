//! `/component/PATH?component=NAME`.

use ecs::Entity;
use ecs::reflect::{DynamicValue, NameKind, ReflectError, Schema};
use serde_json::{Map, Value, json};

use super::path::{self, Target};
use super::{Answer, RestError, entity};
use crate::dispatch::Door;

/// A component of an entity, or a resource, which no entity has.
struct Asked {
    entity: Option<Entity>,
    name: String,
    /// The target of a relation.
    to: Option<Entity>,
}

impl Asked {
    /// The entity of the path, and the component and the target of the parameter.
    fn of(door: &Door<'_>, path: &[String], target: &Target) -> Result<Self, RestError> {
        if let Some(name) = path::resource(door, path) {
            return Ok(Self { entity: None, name, to: None });
        }
        let entity = path::find(door, path)?;
        let text = target.parameter("component").ok_or_else(|| RestError::bad("`component` is missing"))?;
        let (name, to) = path::component(door, text)?;
        door.world.component(&name)?;
        Ok(Self { entity: Some(entity), name, to })
    }

    fn kind(&self) -> NameKind {
        if self.entity.is_some() { NameKind::Components } else { NameKind::Resources }
    }

    /// The value; `None` if the entity lacks the component.
    fn value(&self, door: &Door<'_>) -> Result<Option<DynamicValue>, ReflectError> {
        let value = match self.entity {
            Some(entity) => door.world.read(entity, &self.name),
            None => door.world.read_resource(&self.name),
        };
        match value {
            Err(ReflectError::Missing { .. }) => Ok(None),
            value => value.map(Some),
        }
    }

    /// Inserts the component, or replaces the value.
    fn put(&self, door: &mut Door<'_>, value: DynamicValue) -> Result<(), ReflectError> {
        match self.entity {
            Some(entity) => door.world.insert(entity, &self.name, value),
            None => door.world.patch_resource(&self.name, value),
        }
    }
}

/// The value.
pub(super) fn read(door: &mut Door<'_>, path: &[String], target: &Target) -> Answer {
    let asked = Asked::of(door, path, target)?;
    let value = match asked.entity {
        Some(entity) => door.world.read(entity, &asked.name)?,
        None => door.world.read_resource(&asked.name)?,
    };
    Ok(entity::json_of(door, &value))
}

/// Inserts a component, with a default value if there is none, or changes the parts of it that the
/// value names.
pub(super) fn write(door: &mut Door<'_>, path: &[String], target: &Target) -> Answer {
    let asked = Asked::of(door, path, target)?;
    // a pair: the relation gets its target, and there is no value
    if let Some(to) = asked.to {
        asked.put(door, to.into())?;
        return Ok(json!({}));
    }
    // an object changes the parts that it names, if there is a value; any other value replaces it
    let (schema, now) = (door.schema(asked.kind(), &asked.name)?, asked.value(door)?);
    match (target.parameter("value"), now) {
        (Some(text), now) => match (json_of(&schema, text), now) {
            (Value::Object(parts), Some(now)) if !is_variant(&schema, &parts) => {
                change(door, &asked, now, &parts)?
            }
            (json, now) => {
                let part = (asked.kind(), asked.name.as_str());
                let (_, value) = door.part(part, "", now.as_ref(), &json)?;
                asked.put(door, value)?;
            }
        },
        // nothing given and nothing there: the default of the type, or else zeros
        (None, None) => {
            let made = door.world.default_of(asked.kind(), &asked.name)?;
            asked.put(door, made.unwrap_or_else(|| default_of(&schema)))?;
        }
        (None, Some(_)) => {}
    }
    Ok(json!({}))
}

/// The JSON of a text. The explorer sends texts, variants and the elements of a tuple without
/// quotes and brackets.
fn json_of(schema: &Schema, text: &str) -> Value {
    let parsed = serde_json::from_str(text);
    match (schema, parsed) {
        (Schema::Optional(inner), Ok(json)) if !json.is_null() => json_of(inner, text),
        (Schema::Text | Schema::Char, Ok(json @ Value::String(_))) => json,
        (Schema::Text | Schema::Char, _) => text.into(),
        (_, Ok(json)) => json,
        (Schema::List(_) | Schema::Tuple(_), Err(_)) => {
            serde_json::from_str(&format!("[{text}]")).unwrap_or_else(|_| text.into())
        }
        (_, Err(_)) => text.into(),
    }
}

/// Whether an object is a whole value of an enum, and not a list of parts.
fn is_variant(schema: &Schema, parts: &Map<String, Value>) -> bool {
    let Schema::Enum { variants, .. } = schema else { return false };
    parts.keys().all(|part| variants.iter().any(|(name, _)| name == part))
}

/// Changes all of the parts, or none.
fn change(
    door: &mut Door<'_>,
    asked: &Asked,
    before: DynamicValue,
    parts: &Map<String, Value>,
) -> Result<(), ReflectError> {
    for (part, json) in parts {
        let dot = if part.starts_with('[') { "" } else { "." };
        let of_type = (asked.kind(), asked.name.as_str());
        let changed = door.part(of_type, &format!("{dot}{part}"), Some(&before), json);
        let changed = changed.and_then(|(path, value)| match asked.entity {
            Some(entity) => door.world.patch(entity, &path, value),
            None => door.world.patch_resource(&path, value),
        });
        if let Err(error) = changed {
            asked.put(door, before)?;
            return Err(error);
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
    let asked = Asked::of(door, path, target)?;
    let Some(entity) = asked.entity else {
        return Err(RestError::bad(format!("a world always has its resources: `{}` stays", asked.name)));
    };
    if let Some(to) = asked.to
        && let Ok(DynamicValue::EntityId(target)) = door.world.read(entity, &asked.name)
        && target != to
    {
        let pair = path::name(to);
        return Err(RestError::not_found(format!("`{}` of the entity does not point to {pair}", asked.name)));
    }
    door.world.remove(entity, &asked.name)?;
    Ok(json!({}))
}

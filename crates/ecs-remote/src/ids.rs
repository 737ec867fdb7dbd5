//! Ids of entities as numbers that JavaScript keeps exact, and values as JSON.
//!
//! [`Entity::to_bits`] needs 63 bits, since the upper half of a generation tells the type of the
//! world. The number of an id is made of its short form `12v3`: the lower half of the generation
//! times 2^32 plus the slot, which is less than 2^48.

use ecs::Entity;
use ecs::reflect::{DynamicValue, ReflectRef, Schema};
use serde_json::{Map, Number, Value};

/// The number of an entity.
pub(crate) fn number(entity: Entity) -> u64 {
    u64::from(entity.generation().get() & 0xffff) << 32 | u64::from(entity.slot())
}

/// The live entity with this number, or with these [bits](Entity::to_bits).
pub(crate) fn find(world: &ReflectRef<'_>, id: u64) -> Option<Entity> {
    let slot = id as u32;
    let entity = *world.entities_from(slot, 1).first()?;
    (entity.slot() == slot && (number(entity) == id || entity.to_bits() == id)).then_some(entity)
}

/// The live entity with this text: `12v3`, `12v3@7`, or a number; with `#` before it and `..` and a
/// label after it.
pub(crate) fn parse(world: &ReflectRef<'_>, text: &str) -> Option<Entity> {
    let text = text.strip_prefix('#').unwrap_or(text);
    let text = text.split_once("..").map_or(text, |(id, _label)| id);
    if let Ok(id) = text.parse() {
        return find(world, id);
    }
    let (short, full) = (text.split('@').next().unwrap_or(text), text.contains('@'));
    let (slot, generation) = short.split_once('v')?;
    let id = u64::from(generation.parse::<u16>().ok()?) << 32 | u64::from(slot.parse::<u32>().ok()?);
    find(world, id).filter(|entity| !full || format!("{entity:#}") == text)
}

/// The live entity that a JSON value names.
pub(crate) fn entity(world: &ReflectRef<'_>, value: &Value) -> Result<Entity, String> {
    let found = match value {
        Value::Number(id) => id.as_u64().and_then(|id| find(world, id)),
        Value::String(text) => parse(world, text),
        _ => return Err("an entity is a number or a text such as `12v3`".into()),
    };
    found.ok_or_else(|| format!("no entity with the id {value} is alive"))
}

/// The JSON of a value. Ids of entities are written by `id`.
pub(crate) fn json(value: &DynamicValue, id: &dyn Fn(Entity) -> Value) -> Value {
    match value {
        DynamicValue::EntityId(entity) => id(*entity),
        // a shortest decimal number that is this `f32`, not the longer one of the equal `f64`
        DynamicValue::F32(float) => float_json(format!("{float:?}").parse().unwrap_or(0.0)),
        DynamicValue::F64(float) => float_json(*float),
        DynamicValue::Optional(None) => Value::Null,
        DynamicValue::Optional(Some(value)) => json(value, id),
        DynamicValue::List(values) => values.iter().map(|value| json(value, id)).collect(),
        DynamicValue::Struct(fields) => {
            Value::Object(fields.iter().map(|(name, value)| (name.clone(), json(value, id))).collect())
        }
        DynamicValue::Mapping(entries) => {
            let key = |key: &DynamicValue| match json(key, id) {
                Value::String(key) => key,
                key => key.to_string(),
            };
            Value::Object(entries.iter().map(|(name, value)| (key(name), json(value, id))).collect())
        }
        DynamicValue::Variant(name, content) if **content == DynamicValue::Unit => {
            Value::String(name.clone())
        }
        DynamicValue::Variant(name, content) => {
            Value::Object(Map::from_iter([(name.clone(), json(content, id))]))
        }
        // an integer beyond 64 bits is no JSON number that clients keep
        value => serde_json::to_value(value).unwrap_or_else(|_| Value::String(value.to_string())),
    }
}

/// A number, or `null` for infinity and NaN, which JSON lacks, as JavaScript and Bevy write it.
fn float_json(float: f64) -> Value {
    Number::from_f64(float).map_or(Value::Null, Value::Number)
}

/// The value of a JSON value for a type with this schema, in which numbers and texts of live
/// entities become their ids.
pub(crate) fn value(world: &ReflectRef<'_>, schema: &Schema, json: &Value) -> Result<DynamicValue, String> {
    let plain = || serde_json::from_value::<DynamicValue>(json.clone()).map_err(|error| error.to_string());
    let text = |text: &str| DynamicValue::Text(text.to_owned());
    // only a schema tells an id from a number or a text, so walk the value along with it
    Ok(match (schema, json) {
        (Schema::EntityId, _) => DynamicValue::EntityId(entity(world, json)?),
        (Schema::Optional(_), Value::Null) => DynamicValue::Optional(None),
        (Schema::Optional(inner), json) => DynamicValue::Optional(Some(Box::new(value(world, inner, json)?))),
        (Schema::List(inner), Value::Array(values)) => {
            DynamicValue::List(values.iter().map(|json| value(world, inner, json)).collect::<Result<_, _>>()?)
        }
        (Schema::Tuple(inner), Value::Array(values)) if inner.len() == values.len() => {
            let values = inner.iter().zip(values).map(|(inner, json)| value(world, inner, json));
            DynamicValue::List(values.collect::<Result<_, _>>()?)
        }
        (Schema::Mapping(key, inner), Value::Object(entries)) if matches!(**key, Schema::Text) => {
            let entries = entries.iter().map(|(key, json)| Ok((text(key), value(world, inner, json)?)));
            DynamicValue::Mapping(entries.collect::<Result<_, String>>()?)
        }
        (Schema::Struct { fields, .. }, Value::Object(entries)) => {
            let entries = entries.iter().map(|(key, json)| {
                let field =
                    fields.iter().find(|(name, _)| name == key).map_or(&Schema::Any, |(_, schema)| schema);
                Ok((text(key), value(world, field, json)?))
            });
            DynamicValue::Mapping(entries.collect::<Result<_, String>>()?)
        }
        (Schema::Enum { variants, .. }, Value::Object(entries)) if entries.len() == 1 => {
            let Some((name, json)) = entries.iter().next() else { return plain() };
            let variant = variants.iter().find(|(known, _)| known == name);
            let content = value(world, variant.map_or(&Schema::Any, |(_, schema)| schema), json)?;
            DynamicValue::Mapping(vec![(text(name), content)])
        }
        // no id can be in there, or the structure differs: the world reports that when it takes the
        // value
        _ => plain()?,
    })
}

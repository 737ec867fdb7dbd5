//! `registry.schema` and `rpc.discover`.

use ecs::reflect::{NameKind, Schema};
use serde_json::{Map, Value, json};

use super::methods::{METHODS, WATCHES};
use super::{Outcome, RpcError};
use crate::dispatch::Door;

/// The JSON schemas of components, resources and events with their docs and default values, and the members that Bevy adds.
pub(super) fn registry(door: &mut Door<'_>, _: &mut Map<String, Value>) -> Result<Outcome, RpcError> {
    let mut names: Vec<(NameKind, &str, &str)> = Vec::new();
    names.extend(door.world.components().iter().map(|info| (NameKind::Components, info.name, "Component")));
    names.extend(door.world.resources().iter().map(|info| (NameKind::Resources, info.name, "Resource")));
    names.extend(door.world.events().iter().map(|info| (NameKind::Events, info.name, "Event")));
    door.spend(names.len())?;
    let mut schemas = Map::new();
    for (kind, name, reflected) in names {
        let schema = door.schema(kind, name)?;
        let mut json = door.json_schema(kind, name)?;
        json.entry("type").or_insert_with(|| "object".into());
        json.insert("typePath".into(), name.into());
        json.insert("shortPath".into(), name.into());
        json.insert("kind".into(), kind_of(&schema).into());
        json.insert("reflectTypes".into(), json!([reflected, "Serialize", "Deserialize"]));
        schemas.insert(name.to_owned(), Value::Object(json));
    }
    Ok(Value::Object(schemas).into())
}

/// The word that Bevy has for the kind of a type.
fn kind_of(schema: &Schema) -> &'static str {
    match schema {
        Schema::Unit | Schema::Struct { .. } => "Struct",
        Schema::Enum { .. } => "Enum",
        Schema::List(_) => "List",
        Schema::Tuple(_) => "TupleStruct",
        Schema::Mapping(..) => "Map",
        _ => "Value",
    }
}

/// The methods as an OpenRPC document. Clients choose the protocol by the version, which is the one of Bevy that has these names.
pub(super) fn discover(door: &mut Door<'_>, _: &mut Map<String, Value>) -> Result<Outcome, RpcError> {
    let methods = METHODS
        .iter()
        .chain(WATCHES)
        .map(|(name, _, summary, _)| json!({ "name": name, "summary": summary, "params": [] }));
    let added = door.extensions.names();
    let added = added.map(|name| json!({ "name": name, "summary": "a method of the program", "params": [] }));
    let methods = methods.chain(added);
    Ok(json!({
        "openrpc": "1.3.2",
        "info": { "title": "Bevy Remote Protocol", "version": "0.19.0" },
        "methods": methods.collect::<Value>(),
    })
    .into())
}

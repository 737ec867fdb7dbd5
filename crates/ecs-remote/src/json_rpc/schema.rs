//! `registry.schema` and `rpc.discover`.
//!
//! The schemas are those of Bevy: an object with the types by their paths, in which a type refers
//! to others by `{ "type": { "$ref": "#/$defs/PATH" } }`. A type of the world has its name in the
//! world as its path.

use ecs::reflect::{NameKind, Schema};
use serde_json::{Map, Value, json};

use super::methods::{READS, WATCHES, WRITES, take_names, take_object};
use super::{Outcome, RpcError, json_of};
use crate::dispatch::Door;

/// The schemas of all types, which are made once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Registry {
    types: Map<String, Value>,
    /// The types of the world whose names are in `named`, and those whose schemas are made.
    known: usize,
    done: usize,
    /// The names in paths, and the types that have them. Types of different modules may have one
    /// name.
    named: Vec<(String, Schema)>,
}

/// The schemas of components, resources and events, and of the types in them.
pub(super) fn registry(door: &mut Door<'_>, params: &mut Map<String, Value>) -> Result<Outcome, RpcError> {
    let (with_crates, without_crates) =
        (take_names(params, "with_crates")?, take_names(params, "without_crates")?);
    let mut limit = take_object(params, "type_limit")?;
    let (mut with, mut without) = (take_names(&mut limit, "with")?, take_names(&mut limit, "without")?);
    // the spelling of `bevy_brp`
    with.extend(take_names(params, "with_types")?);
    without.extend(take_names(params, "without_types")?);

    let mut listed: Vec<(NameKind, &str, &str, &str, &str)> = Vec::new();
    for info in door.world.components() {
        listed.push((NameKind::Components, info.name, "Component", info.type_name, info.docs));
    }
    for info in door.world.resources() {
        listed.push((NameKind::Resources, info.name, "Resource", info.type_name, info.docs));
    }
    for info in door.world.events() {
        listed.push((NameKind::Events, info.name, "Event", info.type_name, info.docs));
    }
    door.spend(listed.len())?;
    if door.registry.types.is_empty() {
        door.registry.add_primitives();
    }
    for &(kind, name, ..) in listed.iter().skip(door.registry.known) {
        let schema = door.schema(kind, name)?;
        door.registry.named.push((name.to_owned(), schema));
        door.registry.known += 1;
        door.in_time()?;
    }
    for &(kind, name, reflected, type_name, docs) in listed.iter().skip(door.registry.done) {
        let schema = door.schema(kind, name)?;
        // a default value that cannot be serialized is left out
        let default = door.world.default_of(kind, name).ok().flatten();
        let mut json = door.registry.of_world(name, &schema);
        let mut reflect_types = vec![reflected, "Serialize", "Deserialize"];
        reflect_types.extend(default.is_some().then_some("Default"));
        json.insert("reflectTypes".into(), json!(reflect_types));
        if let Some((module, _)) = type_name.split('<').next().unwrap_or_default().rsplit_once("::") {
            json.insert("modulePath".into(), module.into());
            json.insert("crateName".into(), module.split("::").next().into());
        }
        if !docs.is_empty() {
            json.insert("description".into(), docs.into());
        }
        for (field, docs) in door.world.docs(kind, name)? {
            if let Some(Value::Object(field)) = json.get_mut("properties").and_then(|of| of.get_mut(*field)) {
                field.insert("description".into(), (*docs).into());
            }
        }
        if let Some(default) = default {
            json.insert("default".into(), json_of(&default));
        }
        door.registry.types.insert(name.to_owned(), Value::Object(json));
        door.registry.done += 1;
        door.in_time()?;
    }
    let is_asked = |schema: &Value| {
        let of_crate = schema["crateName"].as_str();
        let is_one = |names: &[String], name: &str| names.iter().any(|known| known == name);
        let reflects = |names: &[String]| {
            let own = schema["reflectTypes"].as_array();
            own.into_iter().flatten().filter_map(Value::as_str).any(|name| is_one(names, name))
        };
        // a type without a crate is in all answers, as with Bevy
        of_crate.is_none_or(|of| with_crates.is_empty() || is_one(&with_crates, of))
            && !of_crate.is_some_and(|of| is_one(&without_crates, of))
            && (with.is_empty() || reflects(&with))
            && !reflects(&without)
    };
    let asked = door.registry.types.iter().filter(|(_, schema)| is_asked(schema));
    let asked: Map<String, Value> = asked.map(|(name, schema)| (name.clone(), schema.clone())).collect();
    Ok(Value::Object(asked).into())
}

/// A reference to a type.
fn reference(path: &str) -> Value {
    json!({ "type": { "$ref": format!("#/$defs/{path}") } })
}

/// The schema of a type.
fn definition(path: &str, kind: &str, of_type: &str, members: Value) -> Map<String, Value> {
    let generic = path.find('<').unwrap_or(path.len());
    let short = path[..generic].rsplit("::").next().unwrap_or(path);
    let mut json = Map::new();
    json.insert("shortPath".into(), format!("{short}{}", &path[generic..]).into());
    json.insert("typePath".into(), path.into());
    json.insert("kind".into(), kind.into());
    json.insert("type".into(), of_type.into());
    if let Value::Object(members) = members {
        json.extend(members);
    }
    json
}

impl Registry {
    /// Clients of Bevy rely on the types that every program has.
    fn add_primitives(&mut self) {
        let integers = ["u8", "u16", "u32", "u64", "u128", "i8", "i16", "i32", "i64", "i128"];
        for name in integers {
            self.path_of(&Schema::Integer(name));
        }
        for schema in [Schema::Bool, Schema::Float("f32"), Schema::Float("f64"), Schema::Char, Schema::Text] {
            self.path_of(&schema);
        }
    }

    /// The path of a type. Adds its schema, and those of the types in it.
    fn path_of(&mut self, schema: &Schema) -> String {
        let path = match schema {
            Schema::Any => "serde_json::Value".to_owned(),
            Schema::Unit => "()".to_owned(),
            Schema::Bool => "bool".to_owned(),
            Schema::Integer(name) | Schema::Float(name) => (*name).to_owned(),
            Schema::Recursive(name) if self.named.iter().any(|(known, _)| known == name) => {
                return (*name).to_owned();
            }
            Schema::Char => "char".to_owned(),
            Schema::Text => "alloc::string::String".to_owned(),
            Schema::Bytes => "alloc::vec::Vec<u8>".to_owned(),
            Schema::EntityId => "bevy_ecs::entity::Entity".to_owned(),
            Schema::Optional(inner) => format!("core::option::Option<{}>", self.path_of(inner)),
            Schema::List(inner) => format!("alloc::vec::Vec<{}>", self.path_of(inner)),
            Schema::Tuple(elements) => {
                let elements: Vec<String> = elements.iter().map(|element| self.path_of(element)).collect();
                format!("({})", elements.join(", "))
            }
            Schema::Mapping(key, value) => {
                let (key, value) = (self.path_of(key), self.path_of(value));
                format!("std::collections::HashMap<{key}, {value}>")
            }
            Schema::Struct { name, .. } | Schema::Enum { name, .. } => self.name_of(name, schema),
            _ => "serde_json::Value".to_owned(),
        };
        if !self.types.contains_key(&path) {
            // a type that contains itself is not entered again
            self.types.insert(path.clone(), Value::Null);
            let json = self.schema_of(&path, schema);
            self.types.insert(path.clone(), Value::Object(json));
        }
        path
    }

    /// The name of a struct or an enum, with a number if another type has it.
    fn name_of(&mut self, name: &str, schema: &Schema) -> String {
        let numbers = (1..).map(|number| match number {
            1 => name.to_owned(),
            number => format!("{name}_{number}"),
        });
        for name in numbers {
            match self.named.iter().find(|(known, _)| *known == name) {
                Some((_, known)) if known == schema => return name,
                Some(_) => {}
                None => {
                    self.named.push((name.clone(), schema.clone()));
                    return name;
                }
            }
        }
        name.to_owned()
    }

    fn schema_of(&mut self, path: &str, schema: &Schema) -> Map<String, Value> {
        let (kind, of_type, members) = match schema {
            Schema::Unit => ("Tuple", "array", json!({ "items": false })),
            Schema::Bool => ("Value", "boolean", json!({})),
            Schema::Integer(name) => ("Value", if name.starts_with('u') { "uint" } else { "int" }, json!({})),
            Schema::Float(_) => ("Value", "float", json!({})),
            Schema::Char | Schema::Text => ("Value", "string", json!({})),
            Schema::Bytes => ("List", "array", json!({ "items": reference("u8") })),
            Schema::Optional(inner) => {
                let some = json!({ "kind": "Tuple", "type": "array", "typePath": format!("{path}::Some"), "shortPath": "Some",
                    "prefixItems": [reference(&self.path_of(inner))], "items": false });
                let none = json!({ "typePath": format!("{path}::None"), "shortPath": "None" });
                ("Enum", "object", json!({ "oneOf": [none, some] }))
            }
            Schema::List(inner) => ("List", "array", json!({ "items": reference(&self.path_of(inner)) })),
            Schema::Tuple(elements) => ("Tuple", "array", self.elements(elements)),
            Schema::Mapping(key, value) => {
                let (key, value) = (self.path_of(key), self.path_of(value));
                ("Map", "object", json!({ "keyType": reference(&key), "valueType": reference(&value) }))
            }
            Schema::Struct { fields, .. } => ("Struct", "object", self.fields(fields)),
            Schema::Enum { variants, .. } if variants.iter().all(|(_, content)| *content == Schema::Unit) => {
                let names: Value = variants.iter().map(|(name, _)| *name).collect();
                ("Enum", "string", json!({ "oneOf": names }))
            }
            Schema::Enum { variants, .. } => {
                let one = |(name, content): &(&'static str, Schema)| self.variant(path, name, content);
                let variants: Value = variants.iter().map(one).collect();
                ("Enum", "object", json!({ "oneOf": variants }))
            }
            // also the id of an entity, which is opaque in Bevy
            _ => ("Value", "object", json!({})),
        };
        definition(path, kind, of_type, members)
    }

    fn variant(&mut self, path: &str, name: &str, content: &Schema) -> Value {
        let mut json = json!({ "typePath": format!("{path}::{name}"), "shortPath": name });
        let (kind, of_type, members) = match content {
            Schema::Unit => return json,
            Schema::Struct { fields, .. } => ("Struct", "object", self.fields(fields)),
            Schema::Tuple(elements) => ("Tuple", "array", self.elements(elements)),
            content => ("Tuple", "array", self.elements(std::slice::from_ref(content))),
        };
        json["kind"] = kind.into();
        json["type"] = of_type.into();
        if let (Value::Object(json), Value::Object(members)) = (&mut json, members) {
            json.extend(members);
        }
        json
    }

    fn elements(&mut self, elements: &[Schema]) -> Value {
        let items: Value = elements.iter().map(|element| reference(&self.path_of(element))).collect();
        json!({ "prefixItems": items, "items": false })
    }

    fn fields(&mut self, fields: &[(&'static str, Schema)]) -> Value {
        let property = |(name, field): &(&'static str, Schema)| {
            let mut property = reference(&self.path_of(field));
            property["typePath"] = (*name).into();
            ((*name).to_owned(), property)
        };
        let properties: Map<String, Value> = fields.iter().map(property).collect();
        let required = fields.iter().filter(|(_, field)| !matches!(field, Schema::Optional(_)));
        let required: Value = required.map(|(name, _)| *name).collect();
        json!({ "properties": properties, "required": required, "additionalProperties": false })
    }

    /// The schema of a type of the world. A value that is not a struct or an enum is the content of
    /// a newtype.
    fn of_world(&mut self, name: &str, schema: &Schema) -> Map<String, Value> {
        match schema {
            Schema::Struct { .. } | Schema::Enum { .. } => self.schema_of(name, schema),
            Schema::Unit => definition(name, "Struct", "object", self.fields(&[])),
            Schema::Tuple(elements) => definition(name, "TupleStruct", "array", self.elements(elements)),
            content => definition(name, "TupleStruct", "array", self.elements(std::slice::from_ref(content))),
        }
    }
}

/// The methods as an OpenRPC document. Clients choose the protocol by the version, which is the one
/// of Bevy that has these names.
pub(super) fn discover(door: &mut Door<'_>, _: &mut Map<String, Value>) -> Result<Outcome, RpcError> {
    let methods = [READS, WRITES, WATCHES]
        .into_iter()
        .flatten()
        .map(|(name, _, summary, _)| json!({ "name": name, "summary": summary, "params": [] }));
    let added = door.extensions.names();
    let added = added.map(|name| json!({ "name": name, "summary": "a method of the program", "params": [] }));
    let methods = methods.chain(added);
    Ok(json!({
        "openrpc": "1.3.2",
        "info": { "title": "Bevy Remote Protocol", "version": "0.19.0" },
        "methods": methods.collect::<Value>(),
        "servers": [{ "name": door.world.name(), "url": format!("127.0.0.1:{}", door.port) }],
    })
    .into())
}

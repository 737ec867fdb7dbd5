//! Descriptions and default values in a JSON Schema.

use alloc::vec::Vec;

use crate::base::hidden::TypeDocs;
use crate::value::tree::DynamicValue;

/// Adds the documentation of a type and its parts. A part that has another name in serialized
/// values gets none.
pub(super) fn add_docs(schema: &mut DynamicValue, docs: TypeDocs) {
    for (path, text) in docs {
        let steps: Vec<&str> = path.split('.').filter(|step| !step.is_empty()).collect();
        let part = steps.iter().try_fold(root(schema), |schema, step| part(schema, step));
        if let Some(part) = part {
            put(part, "description", (*text).into());
        }
    }
}

/// Adds the default value of a type, and those of its fields.
pub(super) fn add_default(schema: &mut DynamicValue, value: DynamicValue) {
    let schema = root(schema);
    if let DynamicValue::Struct(fields) = &value {
        for (name, value) in fields {
            if let Some(field) = get(schema, "properties").and_then(|properties| get(properties, name)) {
                put(field, "default", value.clone());
            }
        }
    }
    put(schema, "default", value);
}

/// The schema of the type itself, which may be one of the definitions.
fn root(schema: &mut DynamicValue) -> &mut DynamicValue {
    if get(schema, "$ref").is_none() {
        return schema;
    }
    // the type itself is the first definition
    let path = |schema: &DynamicValue| matches!(schema.field("$defs"), Some(DynamicValue::Mapping(defs)) if !defs.is_empty());
    if !path(schema) {
        return schema;
    }
    match schema {
        DynamicValue::Mapping(entries) => {
            let at = entries.iter().position(|(key, _)| *key == "$defs".into()).unwrap_or(0);
            match &mut entries[at].1 {
                DynamicValue::Mapping(defs) => &mut defs[0].1,
                other => other,
            }
        }
        other => other,
    }
}

/// The schema of a field, of a variant, or of a field of a variant.
fn part<'s>(schema: &'s mut DynamicValue, step: &str) -> Option<&'s mut DynamicValue> {
    // the schema of a variant with content has one property, and its parts are those of the content
    let of_variant = schema.field("additionalProperties") == Some(&false.into());
    let DynamicValue::Mapping(entries) = schema else { return None };
    for (key, value) in entries {
        let DynamicValue::Text(key) = key else { continue };
        let found = match (key.as_str(), value) {
            ("properties", properties) if of_variant => {
                only(properties).and_then(|content| part(content, step))
            }
            ("properties", properties) => get(properties, step),
            ("prefixItems", DynamicValue::List(elements)) => {
                step.parse::<usize>().ok().and_then(|at| elements.get_mut(at))
            }
            ("oneOf", DynamicValue::List(variants)) => {
                variants.iter_mut().find(|variant| is_variant(variant, step))
            }
            _ => None,
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

/// Whether a schema is that of a variant with this name.
fn is_variant(schema: &DynamicValue, name: &str) -> bool {
    schema.field("const") == Some(&name.into())
        || schema.field("properties").is_some_and(|properties| properties.field(name).is_some())
}

fn only(map: &mut DynamicValue) -> Option<&mut DynamicValue> {
    match map {
        DynamicValue::Mapping(entries) if entries.len() == 1 => entries.first_mut().map(|(_, value)| value),
        _ => None,
    }
}

fn get<'m>(map: &'m mut DynamicValue, key: &str) -> Option<&'m mut DynamicValue> {
    match map {
        DynamicValue::Mapping(entries) => {
            entries.iter_mut().find(|(known, _)| *known == key.into()).map(|(_, value)| value)
        }
        _ => None,
    }
}

fn put(map: &mut DynamicValue, key: &str, value: DynamicValue) {
    if let DynamicValue::Mapping(entries) = map {
        entries.push((key.into(), value));
    }
}

//! [`Target`]: the path and the parameters of a request, and paths to entities.

use std::collections::BTreeMap;

use ecs::Entity;
use ecs::reflect::{Comparison, DynamicQuery, DynamicValue};

use super::RestError;
use crate::dispatch::Door;
use crate::ids;

/// The decoded target of a request.
pub(super) struct Target {
    pub(super) path: Vec<String>,
    parameters: BTreeMap<String, String>,
}

impl Target {
    pub(super) fn parse(target: &str) -> Result<Self, RestError> {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let segments = path.split('/').filter(|segment| !segment.is_empty());
        let path = segments.map(decode).collect::<Result<_, _>>()?;
        let pairs = query.split('&').filter(|pair| !pair.is_empty());
        let parameters = pairs.map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, "true"));
            Ok((decode(name)?, decode(value)?))
        });
        Ok(Self { path, parameters: parameters.collect::<Result<_, RestError>>()? })
    }

    /// A parameter; the one that is sent last.
    pub(super) fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters.get(name).map(String::as_str)
    }

    pub(super) fn number(&self, name: &str) -> Result<Option<usize>, RestError> {
        let number = self.parameter(name).map(str::parse);
        number.transpose().map_err(|_| RestError::bad(format!("`{name}` is a number")))
    }

    pub(super) fn is_on(&self, name: &str) -> bool {
        self.parameter(name) == Some("true")
    }
}

/// Resolves `%23`.
fn decode(text: &str) -> Result<String, RestError> {
    let mistake = || RestError::bad(format!("`{text}` is not percent-encoded UTF-8"));
    let (mut bytes, mut rest) = (Vec::with_capacity(text.len()), text.as_bytes());
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let (digits, after) = rest.split_at_checked(2).ok_or_else(mistake)?;
        let digit = |digit: u8| char::from(digit).to_digit(16).ok_or_else(mistake);
        bytes.push((digit(digits[0])? << 4 | digit(digits[1])?) as u8);
        rest = after;
    }
    String::from_utf8(bytes).map_err(|_| mistake())
}

/// The name of an entity in answers.
pub(super) fn name(entity: Entity) -> String {
    format!("#{}", ids::number(entity))
}

/// The live entity at a path: names, of which the last may be an id.
pub(super) fn find(door: &Door<'_>, path: &[String]) -> Result<Entity, RestError> {
    let missing = || RestError::not_found(format!("there is no entity `{}`", path.join(".")));
    let Some(last) = path.last() else { return Err(RestError::bad("the path of an entity is missing")) };
    if let Some(id) = last.strip_prefix('#') {
        return ids::parse(&door.read(), id).ok_or_else(missing);
    }
    let mut parent = None;
    for name in path {
        parent = Some(match name.strip_prefix('#') {
            Some(id) => ids::parse(&door.read(), id).ok_or_else(missing)?,
            None => child(door, parent, name)?.ok_or_else(missing)?,
        });
    }
    parent.ok_or_else(missing)
}

/// The first entity with a name among the children of an entity, or among those without a parent.
fn child(door: &Door<'_>, parent: Option<Entity>, name: &str) -> Result<Option<Entity>, RestError> {
    let mut query = DynamicQuery::new().compare("Name", Comparison::Equal, name).limit(1);
    query = match parent {
        Some(parent) => query.compare("ChildOf", Comparison::Equal, parent),
        None if door.world.component("ChildOf").is_ok() => query.without("ChildOf"),
        None => query,
    };
    Ok(door.run_query(&query)?.rows.first().map(|row| row.entity))
}

/// The parent of an entity.
pub(super) fn parent(door: &Door<'_>, entity: Entity) -> Option<Entity> {
    match door.world.read(entity, "ChildOf") {
        Ok(DynamicValue::EntityId(parent)) => Some(parent),
        _ => None,
    }
}

/// The text of the component `Name` of an entity.
pub(super) fn label(door: &Door<'_>, entity: Entity) -> Option<String> {
    match door.world.read(entity, "Name") {
        Ok(DynamicValue::Text(name)) => Some(name),
        _ => None,
    }
}

/// The component and the target of a pair such as `(ChildOf,#12)`, or the component alone.
pub(super) fn component(door: &Door<'_>, text: &str) -> Result<(String, Option<Entity>), RestError> {
    let Some(pair) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) else {
        return Ok((text.to_owned(), None));
    };
    let (first, second) =
        pair.split_once(',').ok_or_else(|| RestError::bad(format!("`{text}` is no pair")))?;
    let path: Vec<String> = second.trim().split('.').map(str::to_owned).collect();
    Ok((last(first).to_owned(), Some(find(door, &path)?)))
}

/// The last name of `flecs.core.ChildOf`.
pub(super) fn last(path: &str) -> &str {
    path.trim().rsplit('.').next().unwrap_or(path)
}

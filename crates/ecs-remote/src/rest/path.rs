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
        // the label in `#12..leader`, whose dots the explorer makes slashes
        let path = match path.split_once("//") {
            Some((id, _label)) if id.rsplit('/').next().is_some_and(|last| last.starts_with("%23")) => id,
            _ => path,
        };
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
    let mistake = || RestError::bad(format!("`{text}` is not percent-encoded"));
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
    // the explorer's page has no charset, so that browsers send Latin-1
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect()))
}

/// The name of an entity in answers.
pub(super) fn name(entity: Entity) -> String {
    format!("#{}", ids::number(entity))
}

/// The name of an entity, with its label if it has one, of which the explorer shows the label.
pub(super) fn labelled(door: &Door<'_>, entity: Entity) -> String {
    label(door, entity).map_or_else(|| name(entity), |label| with_label(entity, &label))
}

pub(super) fn with_label(entity: Entity, label: &str) -> String {
    format!("{}..{}", name(entity), label.replace('.', "\\."))
}

/// The live entity at a path: names, of which the last may be an id.
pub(super) fn find(door: &Door<'_>, path: &[String]) -> Result<Entity, RestError> {
    let missing = || RestError::not_found(format!("there is no entity `{}`", path.join(".")));
    search(door, path)?.ok_or_else(missing)
}

/// The live entity at a path, if there is one.
pub(super) fn search(door: &Door<'_>, path: &[String]) -> Result<Option<Entity>, RestError> {
    let Some(last) = path.last() else { return Err(RestError::bad("the path of an entity is missing")) };
    // an id needs no path: the names before it are not looked at
    if last.starts_with('#') {
        return Ok(ids::parse(&door.read(), last));
    }
    // otherwise each name is that of a child of the one before
    let mut parent = None;
    for name in path {
        let found = match name.starts_with('#') {
            true => ids::parse(&door.read(), name),
            false => child(door, parent, name)?,
        };
        if found.is_none() {
            return Ok(None);
        }
        parent = found;
    }
    Ok(parent)
}

/// The first entity with a name among the children of an entity, or among those without a parent.
fn child(door: &Door<'_>, parent: Option<Entity>, name: &str) -> Result<Option<Entity>, RestError> {
    if door.world.component("Name").is_err() {
        return Ok(None);
    }
    let query = DynamicQuery::new().compare("Name", Comparison::Equal, name);
    Ok(door.first(match parent {
        Some(parent) => query.compare("ChildOf", Comparison::Equal, parent),
        None if door.world.component("ChildOf").is_ok() => query.without("ChildOf"),
        None => query,
    })?)
}

/// The first name in the path of a resource.
pub(super) const RESOURCES: &str = "resources";

/// The resource at a path such as `resources/Clock`.
pub(super) fn resource(door: &Door<'_>, path: &[String]) -> Option<String> {
    let [first, name] = path else { return None };
    let is_known = first == RESOURCES && door.world.resources().iter().any(|info| info.name == name);
    is_known.then(|| name.clone())
}

/// The parent of an entity.
pub(super) fn parent(door: &Door<'_>, entity: Entity) -> Option<Entity> {
    match door.world.read(entity, "ChildOf") {
        Ok(DynamicValue::EntityId(parent)) => Some(parent),
        _ => None,
    }
}

/// Whether an entity has children.
pub(super) fn is_parent(door: &Door<'_>, entity: Entity) -> bool {
    door.world.sources("ChildOf", entity, 1).is_ok_and(|children| !children.is_empty())
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
        return Ok((last(text).to_owned(), None));
    };
    let (first, second) =
        pair.split_once(',').ok_or_else(|| RestError::bad(format!("`{text}` is no pair")))?;
    Ok((last(first).to_owned(), Some(find(door, &names(second))?)))
}

/// The names of a path with dots, in which a backslash may stand before a character: `herd.leader`,
/// `#12..leader`.
pub(super) fn names(path: &str) -> Vec<String> {
    let path = path.trim().replace('\\', "");
    match path.starts_with('#') {
        true => vec![path],
        false => path.split('.').map(str::to_owned).collect(),
    }
}

/// The last name of `flecs.core.ChildOf`.
pub(super) fn last(path: &str) -> &str {
    path.trim().rsplit('.').next().unwrap_or(path)
}

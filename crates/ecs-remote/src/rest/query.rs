//! `/query?expr=..`: the tree of the explorer, its lists of components and resources, and queries.
//!
//! An expression is a list of terms of flecs. A term is one of [`Term`]; other terms are those of
//! [`DynamicQuery`].

use ecs::Entity;
use ecs::reflect::{Comparison, ComponentInfo, DynamicQuery, DynamicValue, NameKind};
use serde_json::{Value, json};

use super::path::{self, Target};
use super::{DISABLED, RestError, entity};
use crate::dispatch::Door;
use crate::ids;

/// The terms of the tree's query, and the places of `?Disabled` and `?ChildOf(_, $this)`, "is a
/// parent", among them.
const TREE_TERMS: usize = 10;
const IS_DISABLED: usize = 7;
const IS_PARENT: usize = 8;
/// The rows of a request without a limit: the explorer's table asks for all, each second.
const PAGE: usize = 1_000;
/// Names of flecs that stand in queries of the explorer without their module.
const FOREIGN: [&str; 6] = ["Query", "Observer", "Component", "Module", "OneOf", "_"];

/// The kind of a row, and the components that rows show: looking for one that the world lacks is
/// slow.
struct Rows {
    is_tree: bool,
    has_names: bool,
    has_parents: bool,
    can_disable: bool,
}

/// The condition of a term.
enum Term {
    /// `(ChildOf,PATH)`: the children of an entity.
    ChildOf(String),
    /// `$this ~= "TEXT"`: the entities whose name contains a text.
    Contains(String),
    /// `$this == "#12"`: one entity.
    Is(String),
    /// A component that entities have, may have, or lack.
    Fetch(String),
    Optional(String),
    Without(String),
    /// A name of flecs that no entity of this library has, and one that it may have, in the tree's
    /// query or another one.
    Foreign(String),
    ForeignOptional {
        of_tree: bool,
    },
    Other(String),
}

impl Term {
    fn of(door: &Door<'_>, text: &str) -> Self {
        // `[none]` and other directions
        let text = match text.strip_prefix('[').and_then(|text| text.split_once(']')) {
            Some((_, text)) => text.trim(),
            None => text,
        };
        let quoted = |text: &str| text.trim().trim_matches('"').to_owned();
        if let Some(filter) = text.strip_prefix("$this") {
            let filter = filter.trim_start();
            if let Some(part) = filter.strip_prefix("~=") {
                return Self::Contains(quoted(part));
            }
            return match filter.strip_prefix("==") {
                Some(id) => Self::Is(quoted(id)),
                None => Self::Foreign(text.to_owned()),
            };
        }
        let (sign, name) = match text.strip_prefix(['?', '!']) {
            Some(name) => (text.as_bytes()[0], name.trim()),
            None => (b' ', text),
        };
        let is_component = door.world.component(name).is_ok();
        let head = name.split(['(', ' ']).next().unwrap_or_default();
        let is_foreign =
            !is_component && (name.contains("flecs") || name.contains('$') || FOREIGN.contains(&head));
        match sign {
            b'?' if is_component => Self::Optional(name.to_owned()),
            b'?' if is_foreign || name.starts_with('(') => {
                Self::ForeignOptional { of_tree: name.starts_with("flecs.core.") }
            }
            b'!' if is_foreign => Self::ForeignOptional { of_tree: false },
            b'!' => Self::Without(name.to_owned()),
            _ if is_component => Self::Fetch(name.to_owned()),
            _ => match child_of(text) {
                Some(parent) if !parent.starts_with("flecs") => Self::ChildOf(parent),
                None if !is_foreign => Self::Other(text.to_owned()),
                _ => Self::Foreign(text.to_owned()),
            },
        }
    }
}

/// The path in `(flecs.core.ChildOf,PATH)`.
fn child_of(term: &str) -> Option<String> {
    let (first, second) = term.strip_prefix('(')?.strip_suffix(')')?.split_once(',')?;
    (path::last(first) == "ChildOf").then(|| second.trim().to_owned())
}

/// The terms of an expression: commas within brackets and quotes do not divide it.
fn terms(expression: &str) -> Vec<String> {
    let (mut terms, mut depth, mut quoted) = (vec![String::new()], 0_usize, false);
    for letter in expression.chars() {
        // only a comma outside of both ends a term
        match letter {
            '"' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth = depth.saturating_sub(1),
            ',' if !quoted && depth == 0 => {
                terms.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(term) = terms.last_mut() {
            term.push(letter);
        }
    }
    terms.iter().map(|term| term.trim().to_owned()).filter(|term| !term.is_empty()).collect()
}

pub(super) fn run(
    door: &mut Door<'_>,
    target: &Target,
    expression: Option<&str>,
) -> Result<String, RestError> {
    // a query with a name: no query of this library has one
    let Some(expression) = expression else { return Ok(answer("", None, &[])) };
    let limit = target.number("limit")?.unwrap_or(PAGE).min(door.limits.results);
    let offset = target.number("offset")?.unwrap_or(0);
    let terms = terms(expression);
    let terms: Vec<Term> = terms.iter().map(|term| Term::of(door, term)).collect();
    let is_table = target.is_on("query_info");
    let is_tree = !is_table
        && terms.iter().any(|term| {
            matches!(term, Term::ForeignOptional { of_tree: true } | Term::ChildOf(_) | Term::Contains(_))
        });
    let has = |name| door.world.component(name).is_ok();
    let rows =
        Rows { is_tree, has_names: has("Name"), has_parents: has("ChildOf"), can_disable: has(DISABLED) };

    // the other terms, by their text, and then those of this function
    let other =
        terms.iter().filter_map(|term| if let Term::Other(text) = term { Some(&**text) } else { None });
    let mut query: DynamicQuery = other.collect::<Vec<&str>>().join(", ").parse()?;
    let (mut fields, mut options, mut foreign, mut contains) = (Vec::new(), Vec::new(), None, None);
    for term in &terms {
        match term {
            Term::ChildOf(parent) if matches!(&**parent, "" | "#0" | "0") => {
                if rows.has_parents {
                    query = query.without("ChildOf");
                }
            }
            Term::ChildOf(parent) => {
                let parent = path::find(door, &path::names(parent))?;
                query = query.compare("ChildOf", Comparison::Equal, parent);
            }
            Term::Contains(part) => {
                contains = Some(part);
                if rows.has_names {
                    query = query.compare("Name", Comparison::Contains, part.as_str());
                } else {
                    foreign.get_or_insert("Name");
                }
            }
            Term::Is(id) => {
                let found = ids::parse(&door.read(), id).map(|entity| rows.row(door, entity, &[]));
                return Ok(answer(&found.map_or_else(String::new, |row| row.to_string()), None, &[]));
            }
            Term::Fetch(name) => {
                query = query.fetch(name);
                fields.push(name.clone());
            }
            Term::Optional(name) => {
                query = query.optional(name);
                options.push(name.clone());
            }
            Term::Without(name) => query = query.without(name),
            Term::Foreign(name) => _ = foreign.get_or_insert(name),
            Term::ForeignOptional { .. } | Term::Other(_) => {}
        }
    }
    fields.extend(options);
    // the dialog "Add Component" and the list "Singletons" ask for entities of flecs that are no
    // entities here
    let is_module = expression.contains("?Module");
    match (foreign, contains) {
        (Some("flecs.core.Singleton"), part) => return Ok(resources(door, part.map_or("", |part| part))),
        (Some("Component"), _) if is_module => return Ok(components(door, "")),
        (_, Some(part)) if is_module => return Ok(components(door, part)),
        (Some(_), _) => return Ok(answer("", Some(false), &info(door, target, &fields)?)),
        (None, _) => {}
    }
    let query = query.skip(offset).at_most(limit);
    let found = door.scan(&query, &mut |found| Ok(rows.row(door, found.entity, &found.values)))?;
    Ok(answer(&found.rows, Some(found.more), &info(door, target, &fields)?))
}

/// The JSON of an answer with these rows and other members.
fn answer(rows: &str, more: Option<bool>, info: &[(&str, Value)]) -> String {
    let more = more.map(|more| ("more", more.into()));
    let members = more.iter().chain(info).map(|(name, value)| format!(r#","{name}":{value}"#));
    format!(r#"{{"results":[{rows}]{}}}"#, members.collect::<String>())
}

/// The columns of the explorer's table.
fn info(
    door: &mut Door<'_>,
    target: &Target,
    fields: &[String],
) -> Result<Vec<(&'static str, Value)>, RestError> {
    let mut info = Vec::new();
    if target.is_on("query_info") {
        info.push(("query_info", json!({ "vars": ["this"], "terms": [] })));
    }
    if target.is_on("field_info") {
        let mut columns = Vec::new();
        for name in fields {
            let schema = door.schema(NameKind::Components, name)?;
            let mut column = json!({ "id": name });
            // a tag has no column
            if door.world.component(name)?.size > 0 {
                column["schema"] = entity::type_info(&schema, None);
            }
            columns.push(column);
        }
        info.push(("field_info", columns.into()));
    }
    Ok(info)
}

/// The names of components that contain a text, as the dialog "Add Component" asks for them.
fn components(door: &Door<'_>, part: &str) -> String {
    let part = part.to_lowercase();
    let one = |info: ComponentInfo| {
        // the terms: the name, a description, a component, a relation, a module
        let is_set = [true, !info.docs.is_empty(), !info.relation, info.relation, false];
        let brief = json!({ "(Description,Brief)": { "value": info.docs } });
        let row = json!({ "name": info.name, "fields": { "is_set": is_set }, "components": brief });
        row.to_string()
    };
    let all = door.world.components().into_iter();
    let named = all.filter(|info| info.name.to_lowercase().contains(&part));
    answer(&named.map(one).collect::<Vec<String>>().join(","), None, &[])
}

/// The resources whose names contain a text, as rows of the tree.
fn resources(door: &Door<'_>, part: &str) -> String {
    let part = part.to_lowercase();
    let all = door.world.resources().into_iter();
    let named = all.filter(|info| info.name.to_lowercase().contains(&part));
    let rows = named.map(|info| {
        let is_set = [false; TREE_TERMS];
        let fields = json!({ "is_set": is_set });
        json!({ "parent": path::RESOURCES, "name": info.name, "id": 0, "fields": fields }).to_string()
    });
    answer(&rows.collect::<Vec<String>>().join(","), None, &[])
}

impl Rows {
    fn row(&self, door: &Door<'_>, entity: Entity, values: &[(&'static str, Option<DynamicValue>)]) -> Value {
        let label = if self.has_names { path::label(door, entity) } else { None };
        // the tree shows the label, and a table the end of the name
        let name = match &label {
            Some(label) if !self.is_tree => path::with_label(entity, label),
            _ => path::name(entity),
        };
        let mut json = json!({ "name": name, "id": ids::number(entity) });
        if self.has_parents
            && let Some(parent) = path::parent(door, entity)
        {
            json["parent"] = path::name(parent).into();
        }
        if let Some(label) = label {
            json["doc"] = json!({ "label": label });
        }
        json["fields"] = if self.is_tree {
            let mut is_set = [false; TREE_TERMS];
            is_set[IS_PARENT] = self.has_parents && path::is_parent(door, entity);
            is_set[IS_DISABLED] = self.can_disable && door.world.has(entity, DISABLED).unwrap_or(false);
            json!({ "is_set": is_set })
        } else {
            let value = |value: &Option<DynamicValue>| {
                value.as_ref().map_or(Value::Null, |value| entity::json_of(door, value))
            };
            json!({
                "ids": values.iter().map(|(name, _)| vec![*name]).collect::<Value>(),
                "is_set": values.iter().map(|(_, value)| value.is_some()).collect::<Value>(),
                "values": values.iter().map(|(_, of)| value(of)).collect::<Value>(),
            })
        };
        json
    }
}

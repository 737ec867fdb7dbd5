//! `/query?expr=..`: the tree of the explorer, and queries.
//!
//! An expression is a list of terms. The tree's query has ten optional terms of flecs, which every world answers alike, and one that
//! asks for the children of an entity. The other terms are those of [`DynamicQuery`], and `!Frozen` for `without Frozen`.

use std::collections::BTreeSet;

use ecs::Entity;
use ecs::reflect::{Comparison, DynamicQuery, DynamicValue, QueryPage, QueryRow};
use serde_json::{Value, json};

use super::path::{self, Target};
use super::{Answer, RestError, entity};
use crate::dispatch::Door;
use crate::ids;

/// The place of `?ChildOf(_, $this)`, "is a parent", among the terms of the tree's query.
const IS_PARENT: usize = 8;
const TREE_TERMS: usize = 10;

pub(super) fn run(door: &mut Door<'_>, target: &Target) -> Answer {
    let Some(expression) = target.parameter("expr") else { return Ok(json!({ "results": [] })) };
    let limit = target.number("limit")?.unwrap_or(usize::MAX).min(door.limits.results);
    let offset = target.number("offset")?.unwrap_or(0);
    let (mut tree, mut other, mut text) = (None, None, Vec::new());
    for term in terms(expression) {
        let term = term.strip_prefix("[none]").unwrap_or(&term).trim();
        if let Some(parent) = child_of(term) {
            tree = Some(parent);
        } else if let Some(name) = term.strip_prefix("$this") {
            other = Some(name.trim().to_owned());
        } else if term.starts_with("?flecs.") {
            tree.get_or_insert_default();
        } else if term.contains("flecs.") {
            return Ok(json!({ "results": [] })); // what only flecs has
        } else {
            text.push(
                term.strip_prefix('!').map_or_else(|| term.to_owned(), |term| format!("without {term}")),
            );
        }
    }
    if let Some(filter) = other {
        return filtered(door, &filter, offset, limit);
    }
    match tree {
        Some(parent) if text.is_empty() => children(door, &parent, offset, limit),
        _ => {
            let query = text.join(", ").parse::<DynamicQuery>()?.skip(offset).at_most(limit);
            let page = door.run_query(&query)?;
            let parents = if tree.is_some() { parents(door)?.0 } else { BTreeSet::new() };
            Ok(results(door, &page, tree.is_some(), &parents))
        }
    }
}

/// The terms of an expression: commas within brackets and quotes do not divide it.
fn terms(expression: &str) -> Vec<String> {
    let (mut terms, mut depth, mut quoted) = (vec![String::new()], 0_usize, false);
    for letter in expression.chars() {
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

/// The path in `(flecs.core.ChildOf,PATH)`.
fn child_of(term: &str) -> Option<String> {
    let (first, second) = term.strip_prefix('(')?.strip_suffix(')')?.split_once(',')?;
    (path::last(first) == "ChildOf").then(|| second.trim().to_owned())
}

/// All children, each with its parent.
type Pairs = Vec<(Entity, Entity)>;

/// All entities that have children, and all children.
fn parents(door: &Door<'_>) -> Result<(BTreeSet<Entity>, Pairs), RestError> {
    let Ok(info) = door.world.component("ChildOf") else { return Ok((BTreeSet::new(), Vec::new())) };
    door.spend(info.count)?;
    let page = door.world.query(&DynamicQuery::new().fetch("ChildOf"))?;
    let pairs = page.rows.iter().filter_map(|row| match row.values.first() {
        Some((_, Some(DynamicValue::EntityId(parent)))) => Some((row.entity, *parent)),
        _ => None,
    });
    let pairs: Pairs = pairs.collect();
    Ok((pairs.iter().map(|(_, parent)| *parent).collect(), pairs))
}

/// The children of an entity; `#0` and nothing stand for the world.
fn children(door: &Door<'_>, parent: &str, offset: usize, limit: usize) -> Answer {
    let (parents, pairs) = parents(door)?;
    if matches!(parent, "" | "#0" | "0") {
        let mut query = DynamicQuery::new().skip(offset).limit(limit);
        if door.world.component("ChildOf").is_ok() {
            query = query.without("ChildOf");
        }
        let page = door.run_query(&query)?;
        return Ok(results(door, &page, true, &parents));
    }
    let path: Vec<String> = parent.split('.').map(|name| name.replace('\\', "")).collect();
    let parent = path::find(door, &path)?;
    let children = pairs.iter().filter(|(_, of)| *of == parent).skip(offset).take(limit);
    let rows = children.map(|(child, _)| row(door, *child, &[], true, &parents));
    Ok(json!({ "results": rows.collect::<Value>() }))
}

/// The entities whose name contains a text (`~= "wolf"`), or the one with an id (`== "#12"`).
fn filtered(door: &Door<'_>, filter: &str, offset: usize, limit: usize) -> Answer {
    let text = |rest: &str| rest.trim().trim_matches('"').to_owned();
    let (parents, _) = parents(door)?;
    if let Some(id) = filter.strip_prefix("==") {
        let found = path::find(door, &[text(id)]);
        let rows: Vec<Value> = found.iter().map(|entity| row(door, *entity, &[], true, &parents)).collect();
        return Ok(json!({ "results": rows }));
    }
    let Some(part) = filter.strip_prefix("~=") else {
        return Err(RestError::bad("`$this` is compared by `==` or `~=`"));
    };
    let query =
        DynamicQuery::new().compare("Name", Comparison::Contains, text(part)).skip(offset).limit(limit);
    let page = door.run_query(&query)?;
    Ok(results(door, &page, true, &parents))
}

fn results(door: &Door<'_>, page: &QueryPage, is_tree: bool, parents: &BTreeSet<Entity>) -> Value {
    let one = |found: &QueryRow| row(door, found.entity, &found.values, is_tree, parents);
    json!({ "results": page.rows.iter().map(one).collect::<Value>(), "more": page.more })
}

fn row(
    door: &Door<'_>,
    entity: Entity,
    values: &[(&'static str, Option<DynamicValue>)],
    is_tree: bool,
    parents: &BTreeSet<Entity>,
) -> Value {
    let mut json = json!({ "name": path::name(entity), "id": ids::number(entity) });
    if let Some(parent) = path::parent(door, entity) {
        json["parent"] = path::name(parent).into();
    }
    if let Some(label) = path::label(door, entity) {
        json["doc"] = json!({ "label": label });
    }
    json["fields"] = if is_tree {
        let mut is_set = [false; TREE_TERMS];
        is_set[IS_PARENT] = parents.contains(&entity);
        json!({ "is_set": is_set })
    } else {
        let value = |value: &Option<DynamicValue>| value.as_ref().map_or(Value::Null, entity::json_of);
        json!({
            "ids": values.iter().map(|(name, _)| vec![*name]).collect::<Value>(),
            "is_set": values.iter().map(|(_, value)| value.is_some()).collect::<Value>(),
            "values": values.iter().map(|(_, of)| value(of)).collect::<Value>(),
        })
    };
    json
}

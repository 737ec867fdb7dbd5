//! Completion of the word at the cursor: commands, names of components, resources, events, systems
//! and schedules, fields, variants.

use ecs::Entity;
use ecs::reflect::{NameKind, ReflectRef, Schema};

use crate::value;
use crate::verbs::{Argument, COMMANDS, split_list};

/// The position of the word before the cursor, and the words that it can become.
pub(crate) fn candidates(
    world: &ReflectRef<'_>,
    groups: &[String],
    chosen: Option<Entity>,
    line: &str,
) -> (usize, Vec<String>) {
    let trimmed = line.trim_start();
    let Some((word, _)) = trimmed.split_once(' ') else {
        let names = COMMANDS.iter().map(|command| command.name.to_owned());
        return matching(line.len() - trimmed.len(), trimmed, names);
    };
    let Some(command) = COMMANDS.iter().find(|command| command.name == word) else {
        return (line.len(), Vec::new());
    };
    // the part of a list that the cursor is in
    let from = line.len() - trimmed.len() + word.len() + 1;
    let part = from + last_part(&line[from..]);
    let (left, value) = match line[part..].split_once('=') {
        Some((left, value)) if command.argument.has_value() => (left, Some(value)),
        _ => (&line[part..], None),
    };
    if let Some(typed) = value {
        let typed = typed.trim_start();
        let path = left.split_whitespace().last().unwrap_or_default();
        return matching(line.len() - typed.len(), typed, values(world, chosen, path, command.argument));
    }
    let start = line.rfind([' ', ',', '?']).map_or(0, |at| at + 1).max(from);
    let typed = &line[start..];
    let names: Vec<String> = match command.argument {
        Argument::Nothing | Argument::Entity => Vec::new(),
        Argument::Path => paths(world, typed, true),
        Argument::Order => paths(world, typed, false).into_iter().chain(["desc".to_owned()]).collect(),
        Argument::Query => {
            let words = ["with", "without", "order by", "limit", "contains", "desc"];
            paths(world, typed, false).into_iter().chain(words.map(str::to_owned)).collect()
        }
        Argument::Components => {
            component_names(world).chain(aspect_names(world)).chain(groups.iter().cloned()).collect()
        }
        Argument::Prefab => world.prefabs(),
        Argument::Aspects => aspect_names(world).chain(["for".to_owned()]).collect(),
        Argument::ComponentsTo => component_names(world).chain(["to".to_owned()]).collect(),
        Argument::Event => world.events().iter().map(|info| info.name.to_owned()).collect(),
        Argument::System => world.systems().iter().map(|info| info.system.to_owned()).collect(),
        Argument::Schedule => world.schedules().iter().map(|name| (*name).to_owned()).collect(),
        Argument::Switch => vec!["on".to_owned(), "off".to_owned()],
        Argument::Travel => vec!["system".to_owned()],
    };
    matching(start, typed, names)
}

fn matching(start: usize, typed: &str, names: impl IntoIterator<Item = String>) -> (usize, Vec<String>) {
    let mut found: Vec<String> = Vec::new();
    for name in names {
        if name.starts_with(typed) && !found.contains(&name) {
            found.push(name);
        }
    }
    (start, found)
}

fn component_names<'a>(world: &'a ReflectRef<'_>) -> impl Iterator<Item = String> + use<'a> {
    world.components().into_iter().map(|info| info.name.to_owned())
}

fn aspect_names<'a>(world: &'a ReflectRef<'_>) -> impl Iterator<Item = String> + use<'a> {
    world.aspects().into_iter().map(|info| info.name.to_owned())
}

/// The position after the last comma that separates parts of a list.
fn last_part(text: &str) -> usize {
    split_list(text).last().map_or(0, |last| last.start)
}

/// The schema of a component, resource or event.
fn schema(world: &ReflectRef<'_>, name: &str, events: bool) -> Option<Schema> {
    if events {
        return world.schema(NameKind::Events, name).ok();
    }
    let component = world.schema(NameKind::Components, name);
    component.or_else(|_| world.schema(NameKind::Resources, name)).ok()
}

/// Names of components (and resources), and behind a name the fields of its value.
fn paths(world: &ReflectRef<'_>, typed: &str, resources: bool) -> Vec<String> {
    // no dot yet: the names themselves
    let Some((inner, _)) = typed.rsplit_once('.') else {
        let resources = if resources { world.resources() } else { Vec::new() };
        return component_names(world).chain(resources.iter().map(|info| info.name.to_owned())).collect();
    };
    // behind a dot: the parts of the value before it, by its schema
    let name = inner.split(['.', '[']).next().unwrap_or_default();
    let schema = schema(world, name, false);
    let mut part = schema.as_ref().and_then(|schema| value::part(schema, &inner[name.len()..]));
    // a path goes through an optional value without a step of its own
    while let Some(Schema::Optional(content)) = part {
        part = Some(content);
    }
    let steps: Vec<String> = match part {
        Some(Schema::Struct { fields, .. }) => fields.iter().map(|(name, _)| (*name).to_owned()).collect(),
        Some(Schema::Enum { variants, .. }) => variants.iter().map(|(name, _)| (*name).to_owned()).collect(),
        Some(Schema::Tuple(elements)) => (0..elements.len()).map(|at| at.to_string()).collect(),
        _ => Vec::new(),
    };
    steps.into_iter().map(|step| format!("{inner}.{step}")).collect()
}

/// The values that a part can have: variants, or a value to begin with.
fn values(world: &ReflectRef<'_>, chosen: Option<Entity>, path: &str, argument: Argument) -> Vec<String> {
    let name = path.split(['.', '[']).next().unwrap_or_default();
    let Some(schema) = schema(world, name, matches!(argument, Argument::Event)) else { return Vec::new() };
    let Some(mut part) = value::part(&schema, &path[name.len()..]) else { return Vec::new() };
    let mut found = Vec::new();
    // `none` is a value of its own, beside those of the content
    while let Schema::Optional(inner) = part {
        found.push("none".to_owned());
        part = inner;
    }
    match part {
        Schema::Bool => found.extend(["true".to_owned(), "false".to_owned()]),
        Schema::Enum { variants, .. } => found.extend(variants.iter().map(|(name, content)| match content {
            Schema::Unit => (*name).to_owned(),
            content => format!("{{\"{name}\": {}}}", value::template(content, chosen)),
        })),
        Schema::Unit => found.push("()".to_owned()),
        part => found.push(value::template(part, chosen)),
    }
    found
}

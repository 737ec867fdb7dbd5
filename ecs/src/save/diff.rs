//! What is different in two worlds.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use super::Saved;
use super::draft::Sections;
use super::human::places;
use super::value::Value;
use crate::entity::Entity;

/// Something that is different in two worlds. It prints as `12v3 Position.0[1]: 1.5 -> 2.0`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// Whose it is; nothing if it is no entity's.
    pub entity: Option<Entity>,
    /// What is different: `Position.0[1]`, `resource Clock.seconds`, `event Bumped.kept[0]`, `system tick/movement.state[0]`.
    /// Empty if it is the entity itself.
    pub path: String,
    /// How it reads in the first world, if it is there.
    pub first: Option<String>,
    /// How it reads in the second world, if it is there.
    pub second: Option<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entity, path, first, second } = self;
        if let Some(entity) = entity {
            let blank = if path.is_empty() { "" } else { " " };
            write!(f, "{entity}{blank}")?;
        }
        write!(f, "{path}: ")?;
        match (first, second) {
            (Some(first), Some(second)) => write!(f, "{first} -> {second}"),
            (Some(_), None) => f.write_str("only in the first"),
            (None, _) => f.write_str("only in the second"),
        }
    }
}

/// What is different in two worlds, in the order of the entities; then resources, events, systems, and what the worlds
/// remember of which slots are free. Nothing if the two go on alike.
///
/// Components are compared by what their `Serialize` shows, numbers with a point by their bits. What is skipped does not
/// count.
///
/// ```
/// use ecs::prelude::*;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Component, Serialize, Deserialize, Clone)]
/// struct Position([f32; 2]);
///
/// world! {
///     #[derive(Clone, Serialize, Deserialize)]
///     struct Game { components { Position } }
/// }
///
/// let mut one = Game::new();
/// let ball = one.spawn(Position([0.0, 1.5]));
/// let mut two = one.clone();
/// two.get_mut::<Position>(ball).unwrap().0[1] = 2.0;
/// let differences: Vec<String> = ecs::save::diff(&one, &two).iter().map(ToString::to_string).collect();
/// assert_eq!(differences, [format!("{ball} Position.0[1]: 1.5 -> 2.0")]);
/// ```
pub fn diff<W: Saved>(first: &W, second: &W) -> Vec<Difference> {
    let sections = Sections::<W>::new();
    let mut found = Vec::new();
    entities(first, second, &sections, &mut found);
    let keys = &sections.keys;
    let mut compare = |name: String, one: Value, two: Value| {
        one.compare(&two, &name, &mut |path, one, two| found.push(difference(None, path, one, two)));
    };
    for entry in &sections.components {
        let name = sections.component_names[entry.index()];
        let stamps = |world: &W| Value::of(&entry.stamps(world, &entry.present(world)));
        compare(format!("component {name}.stamps"), stamps(first), stamps(second));
        let log = |world: &W| entry.log(world, keys).map_or_else(|| Value::of(&()), |log| Value::of(&*log));
        compare(format!("removed values of {name}"), log(first), log(second));
    }
    for entry in &sections.resources {
        let name = sections.resource_names[entry.index()];
        compare(format!("resource {name}"), Value::of(entry.value(first)), Value::of(entry.value(second)));
    }
    for entry in &sections.events {
        let name = sections.event_names[entry.index()];
        let of = |world: &W| Value::of(&*entry.value(world, keys));
        compare(format!("event {name}"), of(first), of(second));
    }
    for ((place, one), (_, two)) in places(first).iter().zip(&places(second)) {
        compare(format!("system {}", keys.of(*place).unwrap_or("")), Value::of(one), Value::of(two));
    }
    let allocator = |world: &W| Value::of(&world.__living().image());
    compare("allocator".into(), allocator(first), allocator(second));
    found
}

fn difference(
    entity: Option<Entity>,
    path: &str,
    first: Option<&Value>,
    second: Option<&Value>,
) -> Difference {
    let read = |value: Option<&Value>| value.map(ToString::to_string);
    Difference { entity, path: path.into(), first: read(first), second: read(second) }
}

fn entities<W: Saved>(first: &W, second: &W, sections: &Sections<W>, found: &mut Vec<Difference>) {
    let mut all: Vec<Entity> = first.__living().living().chain(second.__living().living()).collect();
    all.sort_unstable();
    all.dedup();
    for entity in all {
        let there = [first, second].map(|world| world.contains(entity));
        if there != [true, true] {
            let [one, two] = there.map(|there| there.then(|| entity.to_string()));
            found.push(Difference { entity: Some(entity), path: String::new(), first: one, second: two });
            continue;
        }
        for entry in &sections.components {
            let name = sections.component_names[entry.index()];
            let [one, two] = [first, second].map(|world| entry.value(world, entity.slot()).map(Value::of));
            match (one, two) {
                (None, None) => {}
                (Some(one), Some(two)) => one.compare(&two, name, &mut |path, one, two| {
                    found.push(difference(Some(entity), path, one, two));
                }),
                (one, two) => found.push(difference(Some(entity), name, one.as_ref(), two.as_ref())),
            }
        }
    }
}

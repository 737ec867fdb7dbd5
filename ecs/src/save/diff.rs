//! Comparing two worlds value by value: [`diff`] returns a list of [`Difference`]s.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use super::Saved;
use super::any_world::AnyWorld;
use super::entry::ValueKind;
use super::human::places_of;
use super::sections::Sections;
use crate::entity::Entity;
use crate::persist::erased::ErasedSerialize;
use crate::value::tree::{DynamicValue, tree_of};

/// One difference between two worlds. `Display` writes it as `12v3 Position[1]: 1.5 -> 2.0`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The entity that has the different component; `None` for resources, events, systems and the
    /// allocator.
    pub entity: Option<Entity>,
    /// The path of the different value, for instance `Position[1]`, `resource Clock.seconds`,
    /// `event Bumped.kept[0]` or `system tick/movement.state[0]`. The path of a component is that
    /// of reflection: newtypes have no step. Empty if only one of the worlds has the entity.
    pub path: String,
    /// The value in the first world as text; `None` if the first world has no such value.
    pub first: Option<String>,
    /// The value in the second world as text; `None` if the second world has no such value.
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

/// Returns the differences between the saved states of two worlds: first those of entities, sorted
/// by entity, then those of resources, events, systems, and the allocator's free slots. The list is
/// empty if the two worlds continue identically.
///
/// Values are compared by the output of their `Serialize`, floating point numbers by their bits.
/// Skipped types are not compared.
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
/// assert_eq!(differences, [format!("{ball} Position[1]: 1.5 -> 2.0")]);
/// ```
pub fn diff<W: Saved>(first: &W, second: &W) -> Vec<Difference> {
    differences(&Sections::of::<W>(), first, second)
}

fn differences(sections: &Sections, first: &dyn AnyWorld, second: &dyn AnyWorld) -> Vec<Difference> {
    let mut found = Vec::new();
    entities(first, second, sections, &mut found);
    let paths = &sections.paths;
    let mut compare = |name: String, one: DynamicValue, two: DynamicValue| {
        compare(&one, &two, &name, &mut |path, one, two| found.push(difference(None, path, one, two)));
    };
    for entry in &sections.components {
        let name = entry.name;
        let stamps = |world: &dyn AnyWorld| tree(&entry.stamps(world, &entry.present(world)));
        compare(format!("component {name}.stamps"), stamps(first), stamps(second));
        let log =
            |world: &dyn AnyWorld| entry.log(world, paths).map_or(DynamicValue::Unit, |log| tree(&*log));
        compare(format!("removed values of {name}"), log(first), log(second));
    }
    for kind in ValueKind::ALL {
        for (name, functions) in sections.values(kind).saved() {
            let of = |world| {
                (functions.value.image)(world, paths).map_or(DynamicValue::Unit, |value| tree(&*value))
            };
            compare(format!("{} {name}", kind.noun()), of(first), of(second));
        }
    }
    for ((place, one), (_, two)) in places_of(first).iter().zip(&places_of(second)) {
        compare(format!("system {}", paths.of(*place).unwrap_or("")), tree(one), tree(two));
    }
    let allocator = |world: &dyn AnyWorld| tree(&world.entities().image());
    compare("allocator".into(), allocator(first), allocator(second));
    found
}

fn difference(
    entity: Option<Entity>,
    path: &str,
    first: Option<&DynamicValue>,
    second: Option<&DynamicValue>,
) -> Difference {
    let read = |value: Option<&DynamicValue>| value.map(ToString::to_string);
    Difference { entity, path: path.into(), first: read(first), second: read(second) }
}

fn entities(first: &dyn AnyWorld, second: &dyn AnyWorld, sections: &Sections, found: &mut Vec<Difference>) {
    let mut all: Vec<Entity> = first.entities().living().chain(second.entities().living()).collect();
    all.sort_unstable();
    all.dedup();
    for entity in all {
        let there = [first, second].map(|world| world.entities().contains(entity));
        if there != [true, true] {
            let [one, two] = there.map(|there| there.then(|| entity.to_string()));
            found.push(Difference { entity: Some(entity), path: String::new(), first: one, second: two });
            continue;
        }
        for entry in &sections.components {
            let name = entry.name;
            let of = |world| Some(tree(entry.value(world, entity.slot())?.erased()));
            let [one, two] = [first, second].map(of);
            match (one, two) {
                (None, None) => {}
                (Some(one), Some(two)) => compare(&one, &two, name, &mut |path, one, two| {
                    found.push(difference(Some(entity), path, one, two));
                }),
                (one, two) => found.push(difference(Some(entity), name, one.as_ref(), two.as_ref())),
            }
        }
    }
}

/// The tree of a value. If the value cannot be serialized, the tree is the text of the error, as a
/// variant, which is shown without quotation marks.
fn tree(value: &dyn ErasedSerialize) -> DynamicValue {
    tree_of(value)
        .unwrap_or_else(|error| DynamicValue::Variant(format!("<{error}>"), DynamicValue::Unit.into()))
}

/// The callback for a difference: its path, and the values on both sides.
type EachDifference<'e> = dyn FnMut(&str, Option<&DynamicValue>, Option<&DynamicValue>) + 'e;

/// Calls `each` for each difference of two values, with its path and the values on both sides.
fn compare(one: &DynamicValue, two: &DynamicValue, path: &str, each: &mut EachDifference<'_>) {
    use DynamicValue as V;
    match (one, two) {
        (one, two) if one == two => {}
        (V::Optional(Some(one)), V::Optional(Some(two))) => compare(one, two, path, each),
        (V::Variant(a, one), V::Variant(b, two)) if a == b => {
            compare(one, two, &format!("{path}.{a}"), each);
        }
        (V::List(_), V::List(_)) | (V::Struct(_), V::Struct(_)) | (V::Mapping(_), V::Mapping(_)) => {
            let (a, b) = (parts(one), parts(two));
            for (at, (step, value)) in a.iter().enumerate() {
                match find(&b, at, step) {
                    Some(other) => compare(value, other, &format!("{path}{step}"), each),
                    None => each(&format!("{path}{step}"), Some(value), None),
                }
            }
            for (at, (step, value)) in b.iter().enumerate() {
                if find(&a, at, step).is_none() {
                    each(&format!("{path}{step}"), None, Some(value));
                }
            }
        }
        (one, two) => each(path, Some(one), Some(two)),
    }
}

/// The part at this step, which is most likely at this position.
fn find<'v>(parts: &[(String, &'v DynamicValue)], at: usize, step: &str) -> Option<&'v DynamicValue> {
    let there = parts.get(at).filter(|(other, _)| other == step);
    there.or_else(|| parts.iter().find(|(other, _)| other == step)).map(|(_, value)| *value)
}

/// The parts of a value, each with its step in a path: `.x`, `[3]`, `["key"]`. The entries of a map
/// are sorted by key, because a `HashMap` has no fixed order.
fn parts(value: &DynamicValue) -> Vec<(String, &DynamicValue)> {
    match value {
        DynamicValue::List(values) => {
            values.iter().enumerate().map(|(at, value)| (format!("[{at}]"), value)).collect()
        }
        DynamicValue::Struct(fields) => {
            fields.iter().map(|(name, value)| (format!(".{name}"), value)).collect()
        }
        DynamicValue::Mapping(entries) => {
            let mut entries: Vec<(String, &DynamicValue)> =
                entries.iter().map(|(key, value)| (format!("[{key}]"), value)).collect();
            entries.sort_by(|a, b| a.0.cmp(&b.0));
            entries
        }
        _ => Vec::new(),
    }
}

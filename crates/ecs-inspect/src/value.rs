//! Values as text: short forms for cells, lines of an entity's values, and values that are typed
//! into the console.

use std::fmt::{self, Write};

use ecs::Entity;
use ecs::reflect::{DynamicValue, ReflectRef, Schema};

use crate::part::ValuePart;

/// The text of a value, cut after a number of characters, so that a huge value costs no more than
/// its beginning.
#[must_use]
pub fn short(value: &DynamicValue, limit: usize) -> String {
    // the error of the writer ends the formatting of the value at the limit
    struct Cut {
        text: String,
        left: usize,
    }
    impl Write for Cut {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            for c in text.chars() {
                if self.left == 0 {
                    return Err(fmt::Error);
                }
                self.left -= 1;
                self.text.push(c);
            }
            Ok(())
        }
    }
    let mut cut = Cut { text: String::new(), left: limit };
    if write!(cut, "{value}").is_err() {
        cut.text.pop();
        cut.text.push('…');
    }
    cut.text
}

/// The number of lines of one component's value, at most.
const MAX_LINES: usize = 500;

/// One line of a value: a part with its path.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ValueLine {
    /// The path, with the name of the component or resource: `Health.now`.
    pub(crate) path: String,
    /// The last step of the path.
    pub(crate) label: String,
    /// The depth below the component or resource, which has depth 0.
    pub(crate) depth: usize,
    /// The value; `None` for a struct, list or map, whose parts have lines of their own.
    pub(crate) text: Option<String>,
}

/// The lines of a value: itself, and its parts below it.
pub(crate) fn lines_of(name: &str, value: &DynamicValue) -> Vec<ValueLine> {
    let mut lines = Vec::new();
    push_lines(&mut lines, 0, ValuePart::whole(name, value, &Schema::Any));
    lines
}

fn push_lines(lines: &mut Vec<ValueLine>, depth: usize, part: ValuePart<'_>) {
    if lines.len() >= MAX_LINES || depth > 16 {
        return;
    }
    let parts = match part.content().value {
        // short lists of plain values, such as positions, stay in one line
        DynamicValue::List(list) if list.len() <= 4 && list.iter().all(is_leaf) => Vec::new(),
        DynamicValue::Variant(_, content) if is_leaf(content) => Vec::new(),
        _ => part.parts(MAX_LINES),
    };
    let text = parts.is_empty().then(|| short(part.value, 200));
    lines.push(ValueLine { path: part.path, label: part.label, depth, text });
    for part in parts {
        push_lines(lines, depth + 1, part);
    }
}

/// A number with commas between groups of three digits.
#[must_use]
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn is_leaf(value: &DynamicValue) -> bool {
    match value {
        DynamicValue::Optional(Some(inner)) => is_leaf(inner),
        DynamicValue::Struct(_) | DynamicValue::List(_) | DynamicValue::Mapping(_) => false,
        DynamicValue::Variant(_, content) => is_leaf(content),
        _ => true,
    }
}

/// The value as it is typed into the console: JSON.
#[must_use]
pub fn to_input(value: &DynamicValue) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// An id without its world, `12v3`: the entity, if it is alive.
pub(crate) fn entity(world: &ReflectRef<'_>, text: &str) -> Result<Entity, String> {
    let found = match text.parse::<Entity>() {
        Ok(entity) => Some(entity).filter(|entity| world.contains(*entity)),
        Err(_) => {
            let slot = text.split('v').next().and_then(|slot| slot.parse::<u32>().ok());
            let found = slot.and_then(|slot| entities_from(world, slot as usize, 1).first().copied());
            found.filter(|found| found.slot().to_string() == text || found.to_string() == text)
        }
    };
    found.ok_or_else(|| format!("no entity with the id `{text}` is alive"))
}

/// Whether a word has the form of an entity's id: `12v3`, `12v3@7`.
pub(crate) fn is_id(text: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (short, world) = text.split_once('@').unwrap_or((text, "0"));
    short.split_once('v').is_some_and(|(slot, generation)| is_number(slot) && is_number(generation))
        && is_number(world)
}

/// The live entities from a slot on.
pub(crate) fn entities_from(world: &ReflectRef<'_>, slot: usize, limit: usize) -> Vec<Entity> {
    u32::try_from(slot).map_or_else(|_| Vec::new(), |slot| world.entities_from(slot, limit))
}

/// Reads a value that was typed: JSON, `none`, `()`, an id such as `12v3`, or a bare word such as
/// the name of a variant.
pub(crate) fn parse(world: &ReflectRef<'_>, text: &str) -> Result<DynamicValue, String> {
    let text = text.trim();
    let is_word = |text: &str| {
        text.chars().all(|c| c.is_alphanumeric() || c == '_') && !text.as_bytes()[0].is_ascii_digit()
    };
    match text {
        "" => Err("expected a value after `=`".to_owned()),
        "()" => Ok(DynamicValue::Unit),
        "none" | "None" => Ok(DynamicValue::Optional(None)),
        _ if is_id(text) => entity(world, text).map(DynamicValue::EntityId),
        _ => match serde_json::from_str(text) {
            Ok(value) => Ok(value),
            Err(_) if is_word(text) => Ok(DynamicValue::Text(text.to_owned())),
            Err(error) => Err(format!("the value is not JSON: {error}")),
        },
    }
}

/// A value of a schema, as JSON: zeros, empty text and lists, the first variant.
#[must_use]
pub fn template(schema: &Schema, entity: Option<Entity>) -> String {
    match schema {
        Schema::Bool => "false".to_owned(),
        Schema::Integer(_) => "0".to_owned(),
        Schema::Float(_) => "0.0".to_owned(),
        Schema::Char => "\" \"".to_owned(),
        Schema::Text => "\"\"".to_owned(),
        Schema::Bytes | Schema::List(_) => "[]".to_owned(),
        Schema::EntityId => entity.map_or_else(|| "\"\"".to_owned(), |entity| format!("\"{entity:#}\"")),
        Schema::Mapping(..) => "{}".to_owned(),
        Schema::Tuple(elements) => {
            let elements: Vec<String> = elements.iter().map(|inner| template(inner, entity)).collect();
            format!("[{}]", elements.join(", "))
        }
        Schema::Struct { fields, .. } => {
            let fields: Vec<String> = fields
                .iter()
                .map(|(name, field)| format!("\"{name}\": {}", template(field, entity)))
                .collect();
            format!("{{{}}}", fields.join(", "))
        }
        Schema::Enum { variants, .. } => match variants.first() {
            Some((name, Schema::Unit)) => format!("\"{name}\""),
            Some((name, content)) => format!("{{\"{name}\": {}}}", template(content, entity)),
            None => "null".to_owned(),
        },
        _ => "null".to_owned(),
    }
}

/// The schema of a part of a value. Steps in brackets go to the elements of lists and maps.
pub(crate) fn part<'s>(schema: &'s Schema, steps: &str) -> Option<&'s Schema> {
    let mut schema = schema;
    for step in steps.split(['.', '[']).filter(|step| !step.is_empty()) {
        while let Schema::Optional(inner) = schema {
            schema = inner;
        }
        schema = match schema {
            Schema::Struct { fields, .. } => &fields.iter().find(|(name, _)| *name == step)?.1,
            Schema::Enum { variants, .. } => &variants.iter().find(|(name, _)| *name == step)?.1,
            Schema::List(inner) | Schema::Mapping(_, inner) => inner,
            Schema::Tuple(elements) => elements.get(step.trim_end_matches(']').parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    Some(schema)
}

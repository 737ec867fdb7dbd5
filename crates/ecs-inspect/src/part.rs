//! [`ValuePart`]: a part of a value, with its path and the structure of its type.

use ecs::reflect::{DynamicValue, Schema};

use crate::value::short;

/// A component, a resource, or a part of one: a field, an element, an entry of a map, or the content
/// of a variant.
///
/// ```
/// use ecs::prelude::*;
/// use ecs::reflect::{NameKind, ReflectWorld, Schema};
/// use ecs_inspect::ValuePart;
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Component, Serialize, Deserialize)] struct Health { now: u32, max: u32 }
/// # world! { #[derive(Reflect)] struct Game { components { Health } } }
/// let mut game = Game::new();
/// let wolf = game.spawn(Health { now: 3, max: 9 });
/// let world = game.reflect();
/// let schema = world.schema(NameKind::Components, "Health")?;
/// let value = world.read(wolf, "Health")?;
/// let parts = ValuePart::whole("Health", &value, &schema).parts(100);
/// assert_eq!((&*parts[1].path, &*parts[1].label), ("Health.max", "max"));
/// assert_eq!((parts[1].value, parts[1].schema), (&9.into(), &Schema::Integer("u32")));
/// # Ok::<(), ecs::reflect::ReflectError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ValuePart<'v> {
    /// The path, with the name of the component or resource: `Health.now`.
    pub path: String,
    /// The last step of the path.
    pub label: String,
    /// The value.
    pub value: &'v DynamicValue,
    /// The structure of its type; [`Schema::Any`] if it is not known.
    pub schema: &'v Schema,
}

impl<'v> ValuePart<'v> {
    /// The value of a component or resource.
    #[must_use]
    pub fn whole(name: &str, value: &'v DynamicValue, schema: &'v Schema) -> Self {
        Self { path: name.to_owned(), label: name.to_owned(), value, schema }
    }

    /// The content of an option, which has the path of the option; otherwise the part itself.
    #[must_use]
    pub fn content(&self) -> Self {
        let mut part = self.clone();
        if let DynamicValue::Optional(Some(content)) = part.value {
            part.value = content;
        }
        if let Schema::Optional(content) = part.schema {
            part.schema = content;
        }
        part
    }

    /// The parts of the value, or of the content of an option; the first `limit` of a list or map.
    #[must_use]
    pub fn parts(&self, limit: usize) -> Vec<Self> {
        let Self { path, value, schema, .. } = &self.content();
        let part = |path, label, value, schema: Option<&'v Schema>| Self {
            path,
            label,
            value,
            schema: schema.unwrap_or(&Schema::Any),
        };
        match value {
            DynamicValue::Struct(fields) => {
                let known = if let Schema::Struct { fields, .. } = schema { &fields[..] } else { &[] };
                let field = |(name, value): &'v (String, DynamicValue)| {
                    part(format!("{path}.{name}"), name.clone(), value, named(known, name))
                };
                fields.iter().map(field).collect()
            }
            DynamicValue::List(list) => {
                let of = |at: usize| match schema {
                    Schema::List(element) => Some(&**element),
                    Schema::Tuple(elements) => elements.get(at),
                    _ => None,
                };
                let list = list.iter().take(limit).enumerate();
                list.map(|(at, value)| part(format!("{path}[{at}]"), format!("[{at}]"), value, of(at)))
                    .collect()
            }
            DynamicValue::Mapping(entries) => {
                let of = if let Schema::Mapping(_, value) = schema { Some(&**value) } else { None };
                let entries = entries.iter().take(limit).map(|(key, value)| {
                    let key = match key {
                        DynamicValue::Text(key) => key.clone(),
                        key => short(key, 60),
                    };
                    part(format!("{path}[\"{key}\"]"), key.escape_debug().to_string(), value, of)
                });
                entries.collect()
            }
            DynamicValue::Variant(name, content) if **content != DynamicValue::Unit => {
                let known = if let Schema::Enum { variants, .. } = schema { &variants[..] } else { &[] };
                vec![part(format!("{path}.{name}"), name.clone(), content, named(known, name))]
            }
            _ => Vec::new(),
        }
    }
}

/// The structure of a field or a variant.
fn named<'v>(known: &'v [(&'static str, Schema)], name: &str) -> Option<&'v Schema> {
    known.iter().find(|(known, _)| *known == name).map(|(_, schema)| schema)
}

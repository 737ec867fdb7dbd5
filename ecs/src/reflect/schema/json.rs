//! JSON Schema of a [`Schema`].

use alloc::collections::BTreeSet;
use alloc::vec;
use alloc::vec::Vec;

use super::Schema;
use crate::value::tree::DynamicValue;

impl Schema {
    /// The schema as a JSON Schema (draft 2020-12), to be written with `serde_json`. It describes
    /// the JSON that a [`DynamicValue`] of the type is written as. A type that contains itself is
    /// in `$defs`, and is named by `$ref`.
    ///
    /// ```
    /// use ecs::reflect::Schema;
    ///
    /// let schema = Schema::Optional(Box::new(Schema::Integer("u8"))).to_json_schema();
    /// let json = r#"{"anyOf":[{"type":"integer","minimum":0,"maximum":255},{"type":"null"}]}"#;
    /// assert_eq!(serde_json::to_string(&schema)?, json);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[must_use]
    pub fn to_json_schema(&self) -> DynamicValue {
        let mut definitions = SchemaDefinitions { recursive: BTreeSet::new(), done: Vec::new() };
        self.recursive(&mut definitions.recursive);
        let mut schema = self.json(&mut definitions);
        if let (DynamicValue::Mapping(entries), false) = (&mut schema, definitions.done.is_empty()) {
            entries.push((text("$defs"), DynamicValue::Mapping(definitions.done)));
        }
        schema
    }

    /// Adds the names of the types that contain themselves.
    fn recursive(&self, names: &mut BTreeSet<&'static str>) {
        match self {
            Self::Optional(inner) | Self::List(inner) | Self::Mapping(_, inner) => inner.recursive(names),
            Self::Tuple(elements) => elements.iter().for_each(|element| element.recursive(names)),
            Self::Struct { fields: parts, .. } | Self::Enum { variants: parts, .. } => {
                parts.iter().for_each(|(_, part)| part.recursive(names));
            }
            Self::Recursive(name) => _ = names.insert(name),
            _ => {}
        }
    }

    fn json(&self, definitions: &mut SchemaDefinitions) -> DynamicValue {
        let (Self::Struct { name, .. } | Self::Enum { name, .. }) = self else {
            return self.whole_json(definitions);
        };
        if !definitions.recursive.contains(name) {
            return self.whole_json(definitions);
        }
        let key = text(name);
        if !definitions.done.iter().any(|(known, _)| *known == key) {
            let at = definitions.done.len();
            definitions.done.push((key, DynamicValue::Unit));
            definitions.done[at].1 = self.whole_json(definitions);
        }
        reference(name)
    }

    fn whole_json(&self, definitions: &mut SchemaDefinitions) -> DynamicValue {
        match self {
            Self::Any => object([]),
            Self::Unit => of_type("null", []),
            Self::Bool => of_type("boolean", []),
            Self::Integer(name) => {
                let (minimum, maximum) = bounds(name);
                of_type("integer", [("minimum", minimum), ("maximum", maximum)])
            }
            Self::Float(_) => of_type("number", []),
            Self::Char => of_type("string", [("minLength", 1.into()), ("maxLength", 1.into())]),
            Self::Text => of_type("string", []),
            Self::Bytes => of_type("array", [("items", Self::Integer("u8").to_json_schema())]),
            Self::EntityId => of_type("string", [("pattern", "^[0-9]+v[0-9]+@[0-9]+$".into())]),
            Self::Optional(inner) => {
                object([("anyOf", vec![inner.json(definitions), of_type("null", [])].into())])
            }
            Self::List(inner) => of_type("array", [("items", inner.json(definitions))]),
            Self::Tuple(elements) => of_type(
                "array",
                [
                    (
                        "prefixItems",
                        elements.iter().map(|element| element.json(definitions)).collect::<Vec<_>>().into(),
                    ),
                    ("items", false.into()),
                    ("minItems", (elements.len() as u64).into()),
                ],
            ),
            Self::Mapping(_, value) => of_type("object", [("additionalProperties", value.json(definitions))]),
            Self::Struct { name, fields } => {
                let properties = fields.iter().map(|(name, field)| (text(name), field.json(definitions)));
                let required = fields.iter().filter(|(_, field)| !matches!(field, Self::Optional(_)));
                of_type(
                    "object",
                    [
                        ("title", (*name).into()),
                        ("properties", DynamicValue::Mapping(properties.collect())),
                        ("required", required.map(|(name, _)| text(name)).collect::<Vec<_>>().into()),
                    ],
                )
            }
            Self::Enum { name, variants } => {
                let variants = variants.iter().map(|(name, content)| match content {
                    Self::Unit => object([("const", (*name).into())]),
                    content => of_type(
                        "object",
                        [
                            ("properties", object([(*name, content.json(definitions))])),
                            ("required", vec![text(name)].into()),
                            ("additionalProperties", false.into()),
                        ],
                    ),
                });
                object([("title", (*name).into()), ("oneOf", variants.collect::<Vec<_>>().into())])
            }
            Self::Recursive(name) => reference(name),
        }
    }
}

/// The definitions of types that contain themselves.
struct SchemaDefinitions {
    /// The names of these types.
    recursive: BTreeSet<&'static str>,
    /// The names and schemas, in the order in which the types occur.
    done: Vec<(DynamicValue, DynamicValue)>,
}

/// The reference to a definition.
fn reference(name: &str) -> DynamicValue {
    // the characters that a JSON pointer escapes
    let name = name.replace('~', "~0").replace('/', "~1");
    object([("$ref", alloc::format!("#/$defs/{name}").into())])
}

fn text(text: &str) -> DynamicValue {
    text.into()
}

fn object<const N: usize>(entries: [(&str, DynamicValue); N]) -> DynamicValue {
    DynamicValue::Mapping(Vec::from(entries.map(|(key, value)| (text(key), value))))
}

fn of_type<const N: usize>(name: &str, entries: [(&str, DynamicValue); N]) -> DynamicValue {
    let first = (text("type"), text(name));
    let rest = entries.map(|(key, value)| (text(key), value));
    DynamicValue::Mapping(core::iter::once(first).chain(rest).collect())
}

/// The smallest and the largest value of an integer type.
fn bounds(name: &str) -> (DynamicValue, DynamicValue) {
    match name {
        "u8" => (0.into(), u8::MAX.into()),
        "u16" => (0.into(), u16::MAX.into()),
        "u32" => (0.into(), u32::MAX.into()),
        "u64" => (0.into(), u64::MAX.into()),
        "u128" => (0.into(), u128::MAX.into()),
        "i8" => (i8::MIN.into(), i8::MAX.into()),
        "i16" => (i16::MIN.into(), i16::MAX.into()),
        "i32" => (i32::MIN.into(), i32::MAX.into()),
        "i64" => (i64::MIN.into(), i64::MAX.into()),
        _ => (i128::MIN.into(), i128::MAX.into()),
    }
}

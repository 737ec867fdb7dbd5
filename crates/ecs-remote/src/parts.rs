//! Parts of values: their paths and their schemas, as clients spell them.

use ecs::reflect::{DynamicValue, Schema};

/// A step of a path: its name, its text, and whether it is the field of a tuple, as in `.0`.
struct PathStep<'p> {
    name: &'p str,
    text: &'p str,
    is_tuple_field: bool,
}

/// The steps of `.stops[2].at`.
fn steps(part: &str) -> Vec<PathStep<'_>> {
    let (mut steps, mut rest) = (Vec::new(), part);
    while !rest.is_empty() {
        let inner = rest.get(1..).unwrap_or_default();
        let end = match rest.starts_with('[') {
            true => inner.find(']').map_or(rest.len(), |end| end + 2),
            false => inner.find(['.', '[']).map_or(rest.len(), |end| end + 1),
        };
        let (text, after) = rest.split_at(end);
        let name = text.trim_matches(['.', '[', ']', '"']);
        let is_tuple_field = text.starts_with('.') && name.bytes().all(|byte| byte.is_ascii_digit());
        steps.push(PathStep { name, text, is_tuple_field });
        rest = after;
    }
    steps
}

/// The path of a part as worlds spell it, and its schema. Bevy spells two paths in another way: a
/// field of the active variant without the name of the variant, and the content of a newtype, which
/// has no name in a [`DynamicValue`], as `.0`.
pub(crate) fn resolve<'s>(
    schema: &'s Schema,
    now: Option<&DynamicValue>,
    part: &str,
) -> (String, &'s Schema) {
    let (mut path, mut schema, mut now) = (String::new(), schema, now);
    for step in steps(part) {
        (schema, now) = content(schema, now);
        // Bevy leaves out the name of the active variant: add it, and go on in its content
        if let (Schema::Enum { variants, .. }, Some(DynamicValue::Variant(active, inner))) = (schema, now)
            && !variants.iter().any(|(name, _)| *name == step.name)
            && let Some((_, of_active)) = variants.iter().find(|(name, _)| name == active)
            && *of_active != Schema::Unit
        {
            path = format!("{path}.{active}");
            (schema, now) = content(of_active, Some(inner));
        }
        // Bevy's `.0` of a newtype: the content stands for the newtype itself
        let has_steps = matches!(schema, Schema::Tuple(_) | Schema::Any | Schema::Recursive(_));
        if step.is_tuple_field && step.name == "0" && !has_steps {
            continue;
        }
        path += step.text;
        // follow the value, for the active variants further down, and the schema, for the type of
        // the part
        now = now.and_then(|now| match now {
            DynamicValue::Variant(name, inner) => (name == step.name).then_some(&**inner),
            DynamicValue::List(list) => step.name.parse().ok().and_then(|at: usize| list.get(at)),
            value => value.field(step.name),
        });
        let named = |parts: &'s [(&'static str, Schema)]| {
            parts.iter().find(|(name, _)| *name == step.name).map(|(_, inner)| inner)
        };
        let inner = match schema {
            Schema::Struct { fields, .. } => named(fields),
            Schema::Enum { variants, .. } => named(variants),
            Schema::List(inner) | Schema::Mapping(_, inner) => Some(&**inner),
            Schema::Tuple(inner) => step.name.parse().ok().and_then(|at: usize| inner.get(at)),
            _ => None,
        };
        schema = inner.unwrap_or(&Schema::Any);
    }
    (path, schema)
}

/// The type and the value without the options around them.
fn content<'s, 'v>(
    mut schema: &'s Schema,
    mut now: Option<&'v DynamicValue>,
) -> (&'s Schema, Option<&'v DynamicValue>) {
    while let Schema::Optional(inner) = schema {
        schema = inner;
    }
    while let Some(DynamicValue::Optional(inner)) = now {
        now = inner.as_deref();
    }
    (schema, now)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bevy_names_a_field_of_the_active_variant_and_the_content_of_a_newtype() {
        let hungry = Schema::Struct { name: "", fields: vec![("since", Schema::Integer("u64"))] };
        let variants = vec![("Calm", Schema::Unit), ("Hungry", hungry), ("Follows", Schema::EntityId)];
        let mood = Schema::Enum { name: "Mood", variants };
        let since = DynamicValue::Struct(vec![("since".into(), 3.into())]);
        let now = DynamicValue::Variant("Hungry".into(), Box::new(since));
        let path = |schema: &Schema, now, part| resolve(schema, now, part).0;
        assert_eq!(path(&mood, Some(&now), ".since"), ".Hungry.since");
        assert_eq!(path(&mood, Some(&now), ".Hungry.since"), ".Hungry.since");
        assert_eq!(*resolve(&mood, Some(&now), ".since").1, Schema::Integer("u64"));
        let follows = DynamicValue::Variant("Follows".into(), Box::new(5.into()));
        assert_eq!(path(&mood, Some(&follows), ".0"), ".Follows");
        assert_eq!(path(&Schema::Integer("u32"), None, ".0"), "");
        assert_eq!(path(&Schema::List(Box::new(Schema::Text)), None, ".0[1]"), "[1]");
        let pair = Schema::Tuple(vec![Schema::Text, Schema::Bool]);
        assert_eq!(path(&pair, None, ".0"), ".0");
        assert_eq!(*resolve(&pair, None, ".1").1, Schema::Bool);
        let map = Schema::Mapping(Box::new(Schema::Text), Box::new(Schema::Bool));
        assert_eq!(path(&Schema::Optional(Box::new(map)), None, "[\"a.b\"]"), "[\"a.b\"]");
    }
}

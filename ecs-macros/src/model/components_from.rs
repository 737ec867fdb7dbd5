//! Components that files define: structs whose fields have the types of their default values.

mod naming;
mod shape;

use proc_macro2::{Ident, Span};
use syn::punctuated::Punctuated;
use syn::{Attribute, Path, Token, Visibility, parse_quote};

use crate::json::{Entry, Kind, Mistake, Place, Value};
use crate::names::Ecs;
use crate::parse::components_from::{ComponentsFrom, File, located_message};
use naming::{camel_case, field_name, type_name};
use shape::{Shape, shape_of};

/// All declarations of a call.
pub(crate) struct Definitions {
    pub(crate) ecs: Ecs,
    pub(crate) files: Vec<Declared>,
    /// The mistakes in the file, each with the span of its message.
    pub(crate) mistakes: Vec<(Span, String)>,
}

/// The declarations of a file.
pub(crate) struct Declared {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    /// The path in the macro call.
    pub(crate) path: String,
    pub(crate) span: Span,
    /// The full path, if it is UTF-8.
    pub(crate) full: Option<String>,
    /// Whether the file could be read.
    pub(crate) is_read: bool,
    /// The components, each after its nested structs.
    pub(crate) structs: Vec<Struct>,
}

/// A component, or a struct in one.
pub(crate) struct Struct {
    pub(crate) ident: Ident,
    /// The `type` of the definition, or the key under which the object stands.
    pub(crate) defined_as: String,
    pub(crate) is_component: bool,
    pub(crate) fields: Vec<Field>,
    /// The object with the default values; `None` for an object in a list, which has no default.
    pub(crate) value: Option<Value>,
    place: Place,
}

/// A field.
pub(crate) struct Field {
    pub(crate) ident: Ident,
    pub(crate) key: String,
    pub(crate) ty: Type,
}

/// The type of a field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Type {
    Bool,
    Integer,
    Float,
    Text,
    List(Box<Type>),
    Struct(Ident),
}

impl Definitions {
    pub(crate) fn new(parsed: ComponentsFrom) -> Self {
        let mut mistakes = Vec::new();
        let mut files: Vec<Declared> = Vec::new();
        for file in parsed.files {
            let declared = declare(file, &files, &mut mistakes);
            files.push(declared);
        }
        Self { ecs: parsed.ecs, files, mistakes }
    }
}

/// The structs of a file. A mistake in one definition does not hide mistakes in the next.
fn declare(file: File, before: &[Declared], mistakes: &mut Vec<(Span, String)>) -> Declared {
    let File { mut attributes, visibility, path, full, value } = file;
    let (path, span, full) = (path.value(), path.span(), full.to_str().map(str::to_owned));
    attributes.iter_mut().for_each(|attribute| leave_out_derived(attribute, mistakes));
    let (is_read, structs) = (value.is_some(), Vec::new());
    let mut declared = Declared { attributes, visibility, path, span, full, is_read, structs };
    let definitions = match value {
        None => Vec::new(),
        Some(Value { kind: Kind::List(definitions), .. }) => definitions,
        Some(definition) => vec![definition],
    };
    for definition in definitions {
        let found = component(definition, span).and_then(|structs| {
            structs
                .iter()
                .enumerate()
                .try_for_each(|(at, new)| is_new(new, &structs[..at], &declared, before))?;
            Ok(structs)
        });
        match found {
            Ok(structs) => declared.structs.extend(structs),
            Err(mistake) => mistakes.push((span, located_message(&declared.path, &mistake))),
        }
    }
    declared
}

/// Removes the derives that the expansion adds anyway from a `derive`, and reports them.
fn leave_out_derived(attribute: &mut Attribute, mistakes: &mut Vec<(Span, String)>) {
    if !attribute.path().is_ident("derive") {
        return;
    }
    let Ok(derived) = attribute.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated) else {
        return;
    };
    let (mut kept, before): (Vec<Path>, usize) = (Vec::new(), derived.len());
    for path in derived {
        let Some(name) = path.segments.last().map(|last| last.ident.clone()) else { continue };
        let why = match name.to_string().as_str() {
            "Default" => "`Default` returns the values of the file",
            "Component" => "what a file defines is a component",
            _ => {
                kept.push(path);
                continue;
            }
        };
        mistakes.push((name.span(), format!("{why}: it is implemented already, leave `{name}` out")));
    }
    if kept.len() < before {
        *attribute = parse_quote!(#[derive(#(#kept),*)]);
    }
}

/// Refuses two structs of one name in a call.
fn is_new(new: &Struct, own: &[Struct], declared: &Declared, before: &[Declared]) -> Result<(), Mistake> {
    let here = declared.structs.iter().chain(own).map(|other| (declared.path.as_str(), other));
    let there = before.iter().flat_map(|file| file.structs.iter().map(|other| (file.path.as_str(), other)));
    let Some((path, other)) = there.chain(here).find(|(_, other)| other.ident == new.ident) else {
        return Ok(());
    };
    let (Place { line, column }, name) = (other.place, &new.ident);
    Err(new.place.wrong(format!(
        "`{}` becomes type `{name}`, and so does `{}` at {path}:{line}:{column}: give one of them another name",
        new.defined_as, other.defined_as
    )))
}

/// The structs of one definition.
fn component(definition: Value, span: Span) -> Result<Vec<Struct>, Mistake> {
    let (place, noun) = (definition.place, definition.noun());
    let Kind::Object(mut entries) = definition.kind else {
        return Err(place.wrong(format!(
            "a definition is an object, `{{\"type\": \"meta\", \"schema\": {{..}}}}`, found {noun}"
        )));
    };
    let Some(named) = take(&mut entries, "type") else {
        return Err(place.wrong("this definition has no key `type`, which names the component"));
    };
    let noun = named.value.noun();
    let Kind::Text(name) = named.value.kind else {
        return Err(named
            .value
            .place
            .wrong(format!("key `type`: a component's name is a string, found {noun}")));
    };
    let ident = type_name(&name, span)
        .map_err(|why| named.value.place.wrong(format!("key `type`: `{name}` {why}")))?;
    let Some(schema) = take(&mut entries, "schema") else {
        return Err(place.wrong(format!(
            "the definition of `{name}` has no key `schema`, which has the fields and their values"
        )));
    };
    if let Some(Entry { place, key, .. }) = entries.first() {
        return Err(place.wrong(format!(
            "unknown key `{key}` in the definition of `{name}`: the keys are `type` and `schema`"
        )));
    }
    let (noun, place) = (schema.value.noun(), schema.value.place);
    if !matches!(schema.value.kind, Kind::Object(_)) {
        return Err(place.wrong(format!(
            "key `schema` of `{name}` must be an object of fields and their values, found {noun}"
        )));
    }
    let shape = shape_of(&schema.value, &format!("{name}.schema"))?;
    let mut structs = Vec::new();
    declare_struct(shape, Some(schema.value), &ident, (&name, named.value.place), &mut structs)?;
    structs.last_mut().expect("the component is the last").is_component = true;
    Ok(structs)
}

/// The entry of a key.
fn take(entries: &mut Vec<Entry>, key: &str) -> Option<Entry> {
    let at = entries.iter().position(|entry| entry.key == key)?;
    Some(entries.remove(at))
}

/// The type of a shape. For an object it is a struct, which is added to `structs` after its nested
/// structs. `value` is the object if no other object has this shape.
fn declare_struct(
    shape: Shape,
    value: Option<Value>,
    ident: &Ident,
    (defined_as, place): (&str, Place),
    structs: &mut Vec<Struct>,
) -> Result<Type, Mistake> {
    Ok(match shape {
        Shape::Bool => Type::Bool,
        Shape::Integer => Type::Integer,
        Shape::Float => Type::Float,
        Shape::Text => Type::Text,
        Shape::List(element) => {
            Type::List(Box::new(declare_struct(*element, None, ident, (defined_as, place), structs)?))
        }
        Shape::Object(shapes) => {
            let mut values = match &value {
                Some(Value { kind: Kind::Object(entries), .. }) => entries.clone(),
                _ => Vec::new(),
            };
            let mut fields = Vec::new();
            for (Entry { place, key, .. }, shape) in shapes {
                let wrong = |why| place.wrong(format!("key `{key}` of `{defined_as}`: `{key}` {why}"));
                let field = field_name(&key, ident.span()).map_err(wrong)?;
                // only a struct needs a name
                let inner = if shape.has_object() {
                    type_name(&format!("{ident}{}", camel_case(&key)), ident.span()).map_err(wrong)?
                } else {
                    ident.clone()
                };
                let value = take(&mut values, &key).map(|entry| entry.value);
                let ty = declare_struct(shape, value, &inner, (&key, place), structs)?;
                fields.push(Field { ident: field, key, ty });
            }
            let (ident, defined_as) = (ident.clone(), defined_as.to_owned());
            structs.push(Struct {
                ident: ident.clone(),
                defined_as,
                is_component: false,
                fields,
                value,
                place,
            });
            Type::Struct(ident)
        }
    })
}

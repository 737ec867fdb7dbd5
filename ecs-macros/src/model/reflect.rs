//! A type that derives `Reflect`: what of it is written, and by which names.

use proc_macro2::Span;
use syn::{Attribute, Data, ExprPath, Fields, LitStr, Member, Token, Type};

use super::bundle::shown;
use super::numbers::is_packed;
use super::parameter::type_arguments;
use super::subject::Subject;
use crate::names::{Ecs, text, ungroup};
use crate::parse;
use crate::parse::reflect::{FieldOptions, VariantOptions};
use crate::source_file;

/// A type with the derive.
pub(crate) struct Reflect {
    pub(crate) ecs: Ecs,
    pub(crate) subject: Subject,
    /// The name in files that have names of types.
    pub(crate) name: String,
    /// The function that refuses values which were read.
    pub(crate) check: Option<ExprPath>,
    pub(crate) shape: Shape,
    /// The attribute with `packed`.
    pub(crate) packed: Option<Attribute>,
    /// The noun of the type if it has another derive of the library, which reports mistakes of the
    /// type as a whole, too.
    pub(crate) noun: Option<&'static str>,
    /// The traits of serde that the type derives, too, as the file shows.
    pub(crate) derived: Vec<&'static str>,
}

/// The parts of a value, by their kind.
pub(crate) enum Shape {
    Struct(Parts),
    Enum(Vec<Variant>),
    Union(Token![union]),
}

/// The fields of a struct or a variant.
pub(crate) struct Parts {
    pub(crate) style: Style,
    pub(crate) fields: Vec<Field>,
}

/// The way in which fields are written, as in the library.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Style {
    Named,
    Tuple,
    Newtype,
    Unit,
}

/// A field.
pub(crate) struct Field {
    pub(crate) member: Member,
    pub(crate) name: Name,
    pub(crate) ty: Type,
    pub(crate) options: FieldOptions,
}

/// A variant.
pub(crate) struct Variant {
    pub(crate) ident: proc_macro2::Ident,
    pub(crate) name: Name,
    pub(crate) parts: Parts,
}

/// The name of a field or a variant in files.
pub(crate) struct Name {
    pub(crate) text: String,
    /// Where the name is written.
    pub(crate) span: Span,
}

impl Name {
    fn new(own: String, span: Span, rename: Option<&LitStr>) -> Self {
        match rename {
            Some(name) => Self { text: name.value(), span: name.span() },
            None => Self { text: own, span },
        }
    }
}

impl Reflect {
    pub(crate) fn new(parsed: parse::reflect::Reflect) -> Self {
        let parse::reflect::Reflect { item, ecs, rename, check, variants } = parsed;
        let subject = Subject::new(&item);
        let noun = source_file::noun_of(&item.ident);
        let derived = source_file::derives_of_serde(&item.ident);
        let packed = item.attrs.iter().find(|attribute| is_packed(attribute)).cloned();
        let mut options = variants.into_iter();
        let shape = match item.data {
            Data::Struct(data) => {
                let options = options.next().map(|options| options.fields).unwrap_or_default();
                Shape::Struct(Parts::new(data.fields, options))
            }
            Data::Enum(data) => {
                Shape::Enum(data.variants.into_iter().zip(options).map(Variant::new).collect())
            }
            Data::Union(data) => Shape::Union(data.union_token),
        };
        let name = rename.map_or_else(|| text(&item.ident), |name| name.value());
        Self { ecs, subject, name, check, shape, packed, noun, derived }
    }

    /// Whether the type can be described at all.
    pub(crate) fn is_describable(&self) -> bool {
        self.subject.lifetimes.is_empty() && self.packed.is_none() && !matches!(self.shape, Shape::Union(_))
    }

    /// The fields of a struct, or of each variant.
    pub(crate) fn parts(&self) -> Vec<&Parts> {
        match &self.shape {
            Shape::Struct(parts) => vec![parts],
            Shape::Enum(variants) => variants.iter().map(|variant| &variant.parts).collect(),
            Shape::Union(_) => Vec::new(),
        }
    }
}

impl Variant {
    fn new((variant, options): (syn::Variant, VariantOptions)) -> Self {
        let name = Name::new(text(&variant.ident), variant.ident.span(), options.rename.as_ref());
        let mut parts = Parts::new(variant.fields, options.fields);
        if parts.style == Style::Tuple && parts.fields.len() == 1 {
            // without its only field it is written as serde's derive does: as a variant without
            // fields
            parts.style = Style::Unit;
        }
        Self { ident: variant.ident, name, parts }
    }
}

impl Field {
    /// Whether its type has a reference where a value is read.
    pub(crate) fn borrows(&self) -> bool {
        borrows(&self.ty)
    }
}

fn borrows(ty: &Type) -> bool {
    match ungroup(ty) {
        Type::Reference(_) => true,
        Type::Array(array) => borrows(&array.elem),
        Type::Tuple(tuple) => tuple.elems.iter().any(borrows),
        Type::Path(path) => path.path.segments.last().is_some_and(|last| {
            let holds = ["Option", "Vec", "Box", "VecDeque"].iter().any(|name| last.ident == name);
            holds && type_arguments(last).into_iter().any(borrows)
        }),
        _ => false,
    }
}

impl Parts {
    fn new(fields: Fields, options: Vec<FieldOptions>) -> Self {
        let is_skipped = options.iter().any(|options| options.skip.is_some());
        let style = match &fields {
            Fields::Named(_) => Style::Named,
            // without its only field it is an empty tuple
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 && !is_skipped => Style::Newtype,
            Fields::Unnamed(_) => Style::Tuple,
            Fields::Unit => Style::Unit,
        };
        let members: Vec<Member> = fields.members().collect();
        let fields = fields.into_iter().zip(members).zip(options).map(|((field, member), options)| {
            let span = field.ident.as_ref().map_or_else(Span::call_site, proc_macro2::Ident::span);
            let name = Name::new(shown(&member), span, options.rename.as_ref());
            Field { member, name, ty: field.ty, options }
        });
        Self { style, fields: fields.collect() }
    }

    /// The fields that are written and read.
    pub(crate) fn written(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|field| field.options.skip.is_none())
    }
}

//! A relation: its component, its options, and the field of its target.

use proc_macro2::Ident;
use syn::spanned::Spanned;
use syn::{Attribute, Data, Member, Type};

use super::component::Component;
use super::parameter::named;
use crate::names::source;
use crate::parse::relation::{Gone, Options, Relation as Parsed};
use crate::source_file;

/// A relation.
pub(crate) struct Relation {
    /// The relation as a component. With many targets, the component is `Many` of the relation.
    pub(crate) component: Component,
    options: Options,
    /// The word `many` beside `exclusive`. The relation is the one of both that its file lists.
    pub(crate) contradiction: Option<Ident>,
    /// Whether the type derives `Component` as well, as its file shows, and has no options, at which
    /// that derive would report it.
    pub(crate) has_component_derive: bool,
    /// The number of fields; `None` for an item that is not a struct.
    pub(crate) fields: Option<usize>,
    /// The attributes `#[target]`.
    pub(crate) marked: Vec<Attribute>,
    /// The field of the target, and the span of its type.
    pub(crate) target: Option<(Member, proc_macro2::Span)>,
    /// The type of that field, if it is a collection or an `Option` of entities, or a type of the
    /// language.
    pub(crate) holder: Option<Type>,
}

impl Relation {
    pub(crate) fn new(parsed: Parsed) -> Self {
        let Parsed { component, mut options } = parsed;
        let contradiction = options.exclusive.is_some().then(|| options.many.clone()).flatten();
        if contradiction.is_some() {
            let declared = source_file::Declaration::of(&component.item.ident);
            match declared.is_some_and(|declared| declared.is_listed_as_many()) {
                true => options.exclusive = None,
                false => options.many = None,
            }
        }
        let (mut marked, mut target, mut only, mut holder) = (Vec::new(), None, None, None);
        let fields = match &component.item.data {
            Data::Struct(data) => {
                for (member, field) in data.fields.members().zip(&data.fields) {
                    let here = (member, field.ty.span());
                    let is_only = data.fields.len() == 1;
                    if is_only && holds_entities(&field.ty)
                        || is_a_value(&field.ty) && (is_only || field.attrs.iter().any(|mark| is_mark(&mark)))
                    {
                        holder.get_or_insert_with(|| field.ty.clone());
                    }
                    if let Some(mark) = field.attrs.iter().find(is_mark) {
                        marked.push(mark.clone());
                        target.get_or_insert_with(|| here.clone());
                    }
                    only = Some(here);
                }
                Some(data.fields.len())
            }
            _ => None,
        };
        let target = target.or_else(|| only.filter(|_| fields == Some(1)));
        let target = target.filter(|_| holder.is_none());
        let is_without_options =
            !component.item.attrs.iter().any(|attribute| attribute.path().is_ident("relation"));
        let declared = source_file::Declaration::of(&component.item.ident).filter(|_| is_without_options);
        let has_component_derive = declared.is_some_and(|declared| declared.has_derive("Component"));
        let mut component = Component::new(component);
        component.relation = true;
        component.many = options.many.is_some();
        if let Gone::Mark(mark) = &options.gone {
            component.mark = Some((**mark).clone());
        }
        component.targets = options.targets.iter().flat_map(|(_, types)| types).cloned().collect();
        Self { component, options, contradiction, has_component_derive, fields, marked, target, holder }
    }
}

impl std::ops::Deref for Relation {
    type Target = Options;
    fn deref(&self) -> &Options {
        &self.options
    }
}

/// Whether it is `#[target]`.
fn is_mark(attribute: &&Attribute) -> bool {
    attribute.path().is_ident("target")
}

/// Whether a type of the language stands in place of `Entity`.
fn is_a_value(ty: &Type) -> bool {
    const VALUES: [&str; 10] = ["u8", "u16", "u32", "u64", "usize", "i32", "i64", "isize", "String", "bool"];
    VALUES.contains(&source(ty).as_str())
}

/// Whether a type of the standard library holds entities: `Option<Entity>`, `Vec<Entity>`.
fn holds_entities(ty: &Type) -> bool {
    const HOLDERS: [&str; 6] = ["Option", "Vec", "VecDeque", "HashSet", "BTreeSet", "Box"];
    named(ty).is_some_and(|(name, arguments)| {
        HOLDERS.contains(&name.as_str()) && arguments.first().is_some_and(|ty| source(ty).ends_with("Entity"))
    })
}

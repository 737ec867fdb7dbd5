//! A component: its shape, its required components, and its `deref` field.

use proc_macro2::Ident;
use syn::{Data, Fields, Member, Token, Type};

use super::numbers::{self, NumberField};
use super::subject::Subject;
use crate::names::Ecs;
use crate::parse::component::{Component as Parsed, Index as ParsedIndex, Options, Required};

/// The kind of item that a component is.
pub(crate) enum Shape {
    /// A struct without fields.
    Tag,
    Struct,
    Enum,
    /// Not allowed.
    Union(Token![union]),
}

/// The option `deref`.
pub(crate) struct Deref {
    /// The user's word.
    pub(crate) option: Ident,
    /// The only field; `None` for no or several fields.
    pub(crate) field: Option<(Member, Type)>,
    /// The number of fields.
    pub(crate) count: usize,
}

/// A component.
pub(crate) struct Component {
    pub(crate) ecs: Ecs,
    pub(crate) subject: Subject,
    pub(crate) shape: Shape,
    pub(crate) options: Options,
    /// The entries of `requires(..)` whose component is not known.
    pub(crate) unnamed: Vec<Required>,
    pub(crate) deref: Option<Deref>,
    /// Whether it is a relation, and whether a relation with many targets.
    pub(crate) relation: bool,
    pub(crate) many: bool,
    /// For a relation with `gone = mark(..)`: the component that a source gets when its target is
    /// despawned.
    pub(crate) mark: Option<Type>,
    /// For a relation with `target(..)`: the components that every target has.
    pub(crate) targets: Vec<Type>,
    pub(crate) index: Option<Index>,
    /// The fields, if all of them are numbers.
    pub(crate) numbers: Vec<NumberField>,
}

/// The option `index`, or `key`.
pub(crate) struct Index {
    /// The parsed option.
    pub(crate) parsed: ParsedIndex,
    /// The type of the named field, if the field exists, or the type after `by`.
    pub(crate) ty: Option<Type>,
}

impl Component {
    pub(crate) fn new(parsed: Parsed) -> Self {
        let Parsed { item, ecs, deref, index, mut options } = parsed;
        let (unnamed, requires) = options.requires.into_iter().partition(|required| required.unnamed);
        options.requires = requires;
        let shape = Shape::of(&item.data);
        let deref = deref.map(|option| Deref::new(option, &item.data));
        let index = index.map(|parsed| Index::new(parsed, &item.data));
        let numbers = numbers::of(&item);
        let (relation, many, mark, targets) = (false, false, None, Vec::new());
        let subject = Subject::new(&item);
        Self { ecs, subject, shape, options, unnamed, deref, relation, many, mark, targets, index, numbers }
    }

    /// The name of the library's type for the form of the values, and whether they are tracked.
    pub(crate) fn form(&self) -> (&'static str, bool) {
        match &self.index {
            Some(index) if index.parsed.is_key => return ("KeyValue", false),
            Some(_) if self.immutable.is_none() => return ("IndexedValue", true),
            _ => {}
        }
        if self.hook.is_some() {
            return ("KeyValue", false);
        }
        if self.immutable.is_some() && !self.relation {
            return ("KeyValue", self.tracked);
        }
        let form = match &self.shape {
            _ if self.relation => "Immutable",
            Shape::Tag => "Tag",
            _ => "Value",
        };
        (form, self.tracked)
    }
}

impl std::ops::Deref for Component {
    type Target = Options;
    fn deref(&self) -> &Options {
        &self.options
    }
}

impl Shape {
    fn of(data: &Data) -> Self {
        match data {
            Data::Struct(data) if data.fields.is_empty() => Self::Tag,
            Data::Struct(_) => Self::Struct,
            Data::Enum(_) => Self::Enum,
            Data::Union(data) => Self::Union(data.union_token),
        }
    }
}

impl Deref {
    fn new(option: Ident, data: &Data) -> Self {
        let Data::Struct(data) = data else { return Self { option, field: None, count: 0 } };
        let count = data.fields.len();
        let field = (count == 1).then(|| only_field(&data.fields)).flatten();
        Self { option, field, count }
    }
}

impl Index {
    fn new(parsed: ParsedIndex, data: &Data) -> Self {
        let ty = match (data, &parsed.field) {
            (Data::Struct(data), Some(named)) => data
                .fields
                .members()
                .zip(&data.fields)
                .find_map(|(member, field)| (member == *named).then(|| field.ty.clone())),
            _ => parsed.by.clone(),
        };
        Self { parsed, ty }
    }
}

fn only_field(fields: &Fields) -> Option<(Member, Type)> {
    let member = fields.members().next()?;
    let field = fields.iter().next()?;
    Some((member, field.ty.clone()))
}

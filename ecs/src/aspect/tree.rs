//! The description of an aspect as a constant: a tree of its fields.

use crate::base::type_identity::Identity;

/// The content of an aspect's field.
#[derive(Clone, Copy)]
pub enum Part {
    /// A component.
    Component(Identity),
    /// Another aspect.
    Aspect(&'static Tree),
}

/// The description of an aspect.
pub struct Tree {
    /// The identity of the aspect's type.
    pub identity: Identity,
    /// The fields, in order.
    pub fields: &'static [AspectTreeField],
}

/// A field of an aspect.
pub struct AspectTreeField {
    /// The field's name, or its number in a tuple struct.
    pub name: &'static str,
    /// The field's type, as the declaration spells it.
    pub ty: &'static str,
    /// The component or aspect that the field holds.
    pub part: Part,
    /// The default value that the aspect sets for the field, as source text; `None` if it has the
    /// default of its type.
    pub default: Option<&'static str>,
    /// The overrides within the field: each path, and its value as source text.
    pub overrides: &'static [(&'static str, &'static str)],
}

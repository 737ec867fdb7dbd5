//! What is in an aspect, as a constant.

use crate::base::type_identity::Identity;

/// What an aspect has in a field.
#[derive(Clone, Copy)]
pub enum Part {
    /// A component.
    Component(Identity),
    /// Another aspect.
    Aspect(&'static Tree),
}

/// An aspect.
pub struct Tree {
    /// Which type it is.
    pub identity: Identity,
    /// The fields, in order.
    pub fields: &'static [Field],
}

/// A field of an aspect.
pub struct Field {
    /// Its name, or its number.
    pub name: &'static str,
    /// Its type, as it is spelled.
    pub ty: &'static str,
    /// What it is.
    pub part: Part,
    /// What it begins with, as it is written.
    pub default: Option<&'static str>,
    /// Paths within it, and what they begin with instead, as it is written.
    pub overrides: &'static [(&'static str, &'static str)],
}

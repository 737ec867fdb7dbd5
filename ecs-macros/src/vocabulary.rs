//! A table of the library's own types, so that the macros can tell one that stands in a wrong place from a user's type.
//!
//! As everywhere in the macros a type is known by its last name and by the number of its arguments. A path that begins with
//! `crate`, `self` or `super` leads to a type of the user's own.

use syn::Type;

use crate::model::parameter::named;
use crate::names::ungroup;

/// The use of a type of the library.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Role {
    /// A parameter of a system by itself, such as `Res<T>`.
    Parameter,
    /// A query element, which is a parameter of a per-entity system, too.
    Element,
    /// `Each<Q>`: a query struct as a parameter.
    Each,
    /// A filter of queries and of per-entity systems.
    Filter,
}

/// The kind of arguments that a type of the library takes.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Inside {
    Nothing,
    /// Data, or data and a filter.
    Query,
    Component,
    Relation,
    Resource,
    Event,
    Filter,
    QueryStruct,
    /// A world, or a value of the user's own.
    Other,
}

/// A type of the library.
pub(crate) struct Word {
    pub(crate) name: &'static str,
    pub(crate) role: Role,
    pub(crate) inside: Inside,
    /// Whether it has methods that need it to be `mut`.
    pub(crate) mutable: bool,
}

const fn word(name: &'static str, role: Role, inside: Inside, mutable: bool) -> Word {
    Word { name, role, inside, mutable }
}

const WORDS: [Word; 27] = [
    word("Query", Role::Parameter, Inside::Query, true),
    word("Res", Role::Parameter, Inside::Resource, false),
    word("ResMut", Role::Parameter, Inside::Resource, true),
    word("EventReader", Role::Parameter, Inside::Event, true),
    word("EventWriter", Role::Parameter, Inside::Event, true),
    word("Commands", Role::Parameter, Inside::Other, true),
    word("Local", Role::Parameter, Inside::Other, true),
    word("Storage", Role::Parameter, Inside::Component, true),
    word("Lookup", Role::Parameter, Inside::Component, false),
    word("Entered", Role::Parameter, Inside::Filter, false),
    word("Exited", Role::Parameter, Inside::Filter, false),
    word("Removed", Role::Parameter, Inside::Component, true),
    word("Related", Role::Parameter, Inside::Relation, false),
    word("Entity", Role::Element, Inside::Nothing, false),
    word("Is", Role::Element, Inside::Component, false),
    word("Ref", Role::Element, Inside::Component, false),
    word("Mut", Role::Element, Inside::Component, true),
    word("Sources", Role::Element, Inside::Relation, false),
    word("Each", Role::Each, Inside::QueryStruct, true),
    word("With", Role::Filter, Inside::Component, false),
    word("Without", Role::Filter, Inside::Component, false),
    word("Changed", Role::Filter, Inside::Component, false),
    word("Added", Role::Filter, Inside::Component, false),
    word("TargetOf", Role::Filter, Inside::Relation, false),
    word("And", Role::Filter, Inside::Filter, false),
    word("Or", Role::Filter, Inside::Filter, false),
    word("Not", Role::Filter, Inside::Filter, false),
];

impl Word {
    /// The type of the library that this is, if it is one, and its arguments.
    pub(crate) fn of(ty: &Type) -> Option<(&'static Self, Vec<&Type>)> {
        let Type::Path(path) = ungroup(ty) else { return None };
        let first = &path.path.segments.first()?.ident;
        if path.qself.is_some() || ["crate", "self", "super"].iter().any(|own| first == own) {
            return None;
        }
        let (name, arguments) = named(ty)?;
        let word = WORDS.iter().find(|word| word.name == name)?;
        let most = match word.inside {
            Inside::Nothing => 0,
            Inside::Query => 2,
            _ => 1,
        };
        let least = usize::from(word.inside != Inside::Nothing);
        (least..=most).contains(&arguments.len()).then_some((word, arguments))
    }

    /// Whether an `Option` of it is query data.
    pub(crate) fn may_be_missing(&self) -> bool {
        ["Ref", "Mut"].contains(&self.name)
    }
}

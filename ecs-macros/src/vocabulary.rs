//! A table of the library's own types, so that the macros can tell one that stands in a wrong place from a user's type.
//!
//! As everywhere in the macros a type is known by its last name and by the number of its arguments. A path that begins with
//! `crate`, `self` or `super` leads to a type of the user's own.

use syn::Type;

use crate::lifetimes;
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

/// The names of the library's types that have one argument, beside which a second one is an error.
pub(crate) fn of_single_arguments() -> impl Iterator<Item = &'static str> {
    WORDS.iter().filter(|word| word.most() == 1).map(|word| word.name)
}

/// The names that other libraries have.
pub(crate) fn foreign_names() -> impl Iterator<Item = &'static str> {
    FOREIGN.iter().map(|foreign| foreign.name)
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

/// A parameter of a system, or an element of a query, that other libraries have under this name, and this one has under
/// another, or not at all.
pub(crate) struct Foreign {
    pub(crate) name: &'static str,
    /// Its place here. `{}` is its first argument, `{all}` are all of them, and `{name}` is the name of the parameter.
    pub(crate) cure: &'static str,
}

const FOREIGN: [Foreign; 15] = [
    foreign(
        "ParamSet",
        "is a set of parameters: ask for all of it by one query, or keep the queries apart by filters, such as `With<T>` \
         in one and `Without<T>` in the other",
    ),
    foreign(
        "RemovedComponents",
        "has another name here: write `mut {name}: Removed<{}>`, with `#[derive(Clone)]` and `#[component(removed)]` on `{}`",
    ),
    foreign(
        "Single",
        "is a query here: write `mut {name}: Query<{all}>`; its methods `single` and `single_mut` return the one match",
    ),
    foreign(
        "Populated",
        "is a query here: write `mut {name}: Query<{all}>`; its method `is_empty` tells whether anything matches",
    ),
    foreign("NonSend", NON_SEND),
    foreign("NonSendMut", NON_SEND),
    foreign("On", OBSERVER),
    foreign("Trigger", OBSERVER),
    foreign("MessageReader", "has another name here: write `mut {name}: EventReader<{}>`"),
    foreign("MessageWriter", "has another name here: write `mut {name}: EventWriter<{}>`"),
    foreign("ParallelCommands", "has another name here: write `mut {name}: Commands<{world}>`"),
    foreign("Deferred", "is not known here: a system defers changes through `mut {name}: Commands<{world}>`"),
    foreign(
        "Children",
        "is a query element here: `Sources<ChildOf>` are the children of an entity, \
         `{name}: Query<(Entity, Sources<ChildOf>)>`",
    ),
    foreign(
        "Parent",
        "is a component here: write `&ChildOf`, which holds the parent, or `{name}: Query<&ChildOf>`",
    ),
    foreign("Has", "is a trait of worlds: the element that tells whether an entity has `{}` is `Is<{}>`"),
];

const NON_SEND: &str = "is for values of one thread, and a world holds none: keep the value outside of the world, and let \
    the code that has both copy what systems need into a resource";

const OBSERVER: &str = "is the parameter of an observer: a system reads events through `mut {name}: EventReader<{}>`; \
    `Entered<F>` and `Exited<F>` tell which entities begin and cease to match a filter";

const fn foreign(name: &'static str, cure: &'static str) -> Foreign {
    Foreign { name, cure }
}

impl Foreign {
    /// The word of another library that this is. One with a path before it, or with a lifetime, is a type of the user's own.
    pub(crate) fn of(ty: &Type) -> Option<(&'static Self, Vec<&Type>)> {
        let Type::Path(path) = ungroup(ty) else { return None };
        let (name, arguments) = named(ty)?;
        let has_arguments = !["Children", "Parent", "ParallelCommands"].contains(&name.as_str());
        let foreign = FOREIGN.iter().find(|foreign| foreign.name == name)?;
        let is_alone = path.path.segments.len() == 1 && path.qself.is_none();
        (is_alone && lifetimes::in_type(ty).is_empty() && arguments.is_empty() != has_arguments)
            .then_some((foreign, arguments))
    }
}

impl Word {
    /// The type of the library that is named here with more arguments than it has. One with a path before it is a type of the
    /// user's own.
    pub(crate) fn overfull(ty: &Type) -> Option<(&'static Self, Vec<&Type>)> {
        let Type::Path(path) = ungroup(ty) else { return None };
        let (name, arguments) = named(ty)?;
        let word = WORDS.iter().find(|word| word.name == name)?;
        (path.path.segments.len() == 1 && word.most() > 0 && arguments.len() > word.most())
            .then_some((word, arguments))
    }

    fn most(&self) -> usize {
        match self.inside {
            Inside::Nothing => 0,
            Inside::Query => 2,
            _ => 1,
        }
    }

    /// The type of the library that this is, if it is one, and its arguments.
    pub(crate) fn of(ty: &Type) -> Option<(&'static Self, Vec<&Type>)> {
        let Type::Path(path) = ungroup(ty) else { return None };
        let first = &path.path.segments.first()?.ident;
        if path.qself.is_some() || ["crate", "self", "super"].iter().any(|own| first == own) {
            return None;
        }
        let (name, arguments) = named(ty)?;
        let word = WORDS.iter().find(|word| word.name == name)?;
        let least = usize::from(word.inside != Inside::Nothing);
        (least..=word.most()).contains(&arguments.len()).then_some((word, arguments))
    }

    /// Whether an `Option` of it is query data.
    pub(crate) fn may_be_missing(&self) -> bool {
        ["Ref", "Mut"].contains(&self.name)
    }
}

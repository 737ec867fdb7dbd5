//! The table of the library's own parameters, query elements and filters: one row for each type.
//!
//! Every stage reads this table: `model` classifies a parameter by it, `check` finds types in wrong
//! places, and `expand` looks up the bound of a generic system and the calls that a parameter does
//! not need. A new parameter is one row in [`BUILT_INS`].
//!
//! The macros see tokens only, so they know a type by the last name of its path and the number of
//! its type arguments. An alias or a user's own parameter has no row: the expansion asks the
//! `SystemParam` trait about it.

use syn::Type;

use crate::model::parameter::named;
use crate::names::{source, ungroup};
use crate::source_file;

/// The use of a built-in type.
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

/// The kind of type arguments that a built-in type takes.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Argument {
    Nothing,
    /// Data, or data and a filter.
    Query,
    /// A tuple of queries.
    Queries,
    Component,
    Relation,
    /// A relation, and data or a filter of the entity at its other end.
    Followed,
    Resource,
    Event,
    Filter,
    QueryStruct,
    World,
    /// Any value of the user, as in `Local<T>`.
    Value,
}

/// The bound that a generic system gets for a parameter.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Needs {
    Nothing,
    /// `W: Has<T>`
    Component,
    /// `W: HasStamps<T>`
    Stamps,
    /// `W: HasTracked<T>`
    Tracked,
    /// `W: HasRelation<T>`
    Relation,
    /// `W: HasRemoved<T>`
    Removed,
    /// `W: HasResource<T>`
    Resource,
    /// `W: HasEvent<T>`
    Event,
    /// The bounds of the filter in the argument.
    Filter,
    /// The bounds of the queries in the argument.
    Queries,
    /// With the feature `serde`, that the value can be saved by a world that is saved.
    SavedLocal,
    /// Nothing if the argument is the system's world, else `P: SystemParam<W>`.
    World,
    /// `P: SystemParam<W>`, or the trait of data or filters.
    OwnTrait,
}

/// A property of a built-in type.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Flag {
    /// Methods of the parameter take `&mut self`; an element writes.
    Mutable,
    /// An `Option` of it is query data.
    Optional,
    /// It is an element with a lifetime, which a query struct must declare.
    Borrows,
    /// A system in a `react` block never has to run again because of it.
    NoNews,
    /// It never has work to do after a run of the system.
    NoFinish,
    /// It reads a log, whose position is closed when the system is removed.
    ReadsLog,
}

/// A type of the library that stands in the parameters of systems.
pub(crate) struct BuiltIn {
    pub(crate) name: &'static str,
    pub(crate) role: Role,
    pub(crate) argument: Argument,
    pub(crate) needs: Needs,
    flags: &'static [Flag],
}

const fn parameter(name: &'static str, argument: Argument, needs: Needs, flags: &'static [Flag]) -> BuiltIn {
    BuiltIn { name, role: Role::Parameter, argument, needs, flags }
}

const fn element(name: &'static str, argument: Argument, needs: Needs, flags: &'static [Flag]) -> BuiltIn {
    BuiltIn { role: Role::Element, ..parameter(name, argument, needs, flags) }
}

const fn filter(name: &'static str, argument: Argument, needs: Needs) -> BuiltIn {
    BuiltIn { role: Role::Filter, ..parameter(name, argument, needs, &[]) }
}

const BUILT_INS: [BuiltIn; 40] = [
    parameter("Query", Argument::Query, Needs::OwnTrait, &[Flag::Mutable]),
    parameter("Single", Argument::Query, Needs::OwnTrait, &[Flag::Mutable]),
    parameter("Populated", Argument::Query, Needs::OwnTrait, &[Flag::Mutable]),
    parameter("ParamSet", Argument::Queries, Needs::Queries, &[Flag::Mutable, Flag::NoFinish]),
    parameter("Res", Argument::Resource, Needs::Resource, &[Flag::NoNews, Flag::NoFinish]),
    parameter("ResMut", Argument::Resource, Needs::Resource, &[Flag::Mutable, Flag::NoNews, Flag::NoFinish]),
    parameter("EventReader", Argument::Event, Needs::Event, &[Flag::Mutable, Flag::NoFinish, Flag::ReadsLog]),
    parameter(
        "EventMutator",
        Argument::Event,
        Needs::Event,
        &[Flag::Mutable, Flag::NoFinish, Flag::ReadsLog],
    ),
    parameter("EventWriter", Argument::Event, Needs::Event, &[Flag::Mutable, Flag::NoNews]),
    parameter("Commands", Argument::World, Needs::World, &[Flag::Mutable, Flag::NoNews]),
    parameter("ParCommands", Argument::World, Needs::World, &[Flag::Mutable, Flag::NoNews]),
    parameter(
        "Accumulator",
        Argument::Resource,
        Needs::OwnTrait,
        &[Flag::Mutable, Flag::NoNews, Flag::NoFinish],
    ),
    parameter("In", Argument::Value, Needs::Nothing, &[Flag::NoNews, Flag::NoFinish]),
    parameter("Local", Argument::Value, Needs::SavedLocal, &[Flag::Mutable, Flag::NoNews, Flag::NoFinish]),
    parameter(
        "Storage",
        Argument::Component,
        Needs::Component,
        &[Flag::Mutable, Flag::NoNews, Flag::NoFinish],
    ),
    parameter("Lookup", Argument::Component, Needs::Component, &[Flag::NoNews, Flag::NoFinish]),
    parameter("HookState", Argument::Component, Needs::Component, &[Flag::NoNews, Flag::NoFinish]),
    parameter("Entered", Argument::Filter, Needs::Filter, &[Flag::NoFinish]),
    parameter("Exited", Argument::Filter, Needs::Filter, &[Flag::NoFinish]),
    parameter(
        "Removed",
        Argument::Component,
        Needs::Removed,
        &[Flag::Mutable, Flag::NoFinish, Flag::ReadsLog],
    ),
    parameter("Cancelled", Argument::Nothing, Needs::Nothing, &[Flag::NoNews, Flag::NoFinish]),
    parameter("Related", Argument::Relation, Needs::Relation, &[]),
    element("Entity", Argument::Nothing, Needs::Nothing, &[]),
    element("Is", Argument::Component, Needs::Component, &[]),
    element("Ref", Argument::Component, Needs::Stamps, &[Flag::Optional, Flag::Borrows]),
    element("Mut", Argument::Component, Needs::Tracked, &[Flag::Mutable, Flag::Optional, Flag::Borrows]),
    element("Sources", Argument::Followed, Needs::Relation, &[Flag::Borrows]),
    element("Target", Argument::Followed, Needs::Relation, &[Flag::Optional]),
    element("Up", Argument::Followed, Needs::Relation, &[Flag::Optional]),
    BuiltIn { role: Role::Each, ..element("Each", Argument::QueryStruct, Needs::OwnTrait, &[Flag::Mutable]) },
    filter("With", Argument::Component, Needs::Component),
    filter("Without", Argument::Component, Needs::Component),
    filter("Changed", Argument::Component, Needs::Stamps),
    filter("Added", Argument::Component, Needs::Stamps),
    filter("TargetOf", Argument::Relation, Needs::Relation),
    filter("RelatedTo", Argument::Followed, Needs::Relation),
    filter("AllowDisabled", Argument::Nothing, Needs::Nothing),
    filter("And", Argument::Filter, Needs::Filter),
    filter("Or", Argument::Filter, Needs::Filter),
    filter("Not", Argument::Filter, Needs::Filter),
];

/// The names of the built-in types that take one type argument at most.
pub(crate) fn of_single_arguments() -> impl Iterator<Item = &'static str> {
    BUILT_INS.iter().filter(|built_in| built_in.most_arguments() == 1).map(|built_in| built_in.name)
}

/// Whether `name` is the name of a filter.
pub(crate) fn is_filter(name: &str) -> bool {
    BUILT_INS.iter().any(|built_in| built_in.role == Role::Filter && built_in.name == name)
}

/// Whether `name` is the name of a parameter that is made of queries.
pub(crate) fn is_query(name: &str) -> bool {
    let is_one = |argument| matches!(argument, Argument::Query | Argument::Queries);
    BUILT_INS.iter().any(|built_in| is_one(built_in.argument) && built_in.name == name)
}

/// The resources and components of the library that a system brings forward, the section of
/// resources among them, and the system.
const STEPS: [(&str, bool, &str); 6] = [
    ("State", true, "transition"),
    ("SubState", true, "sub_transition"),
    ("ComputedState", true, "compute_state"),
    ("DespawnOnEnter", false, "despawn_on_enter"),
    ("DespawnOnExit", false, "despawn_on_exit"),
    ("Delayed", true, "apply_due"),
];

/// The system of the library that brings an entry of this type forward, as a schedule names it.
pub(crate) fn step_of(ty: &Type, is_resource: bool, is_event: impl Fn(&str) -> bool) -> Option<String> {
    let (name, arguments) = named(ty)?;
    let first = source(*arguments.first()?);
    let (.., step) = STEPS.iter().find(|(known, section, _)| *known == name && *section == is_resource)?;
    if name != "Delayed" {
        return Some(format!("{step}::<{first}>"));
    }
    let step = if is_event(&first) { "send_due" } else { step };
    let tag = arguments.get(1).map_or_else(|| "()".to_owned(), source);
    Some(format!("{step}::<{first}, {tag}>"))
}

impl BuiltIn {
    /// Whether it has a property.
    pub(crate) fn is(&self, flag: Flag) -> bool {
        self.flags.contains(&flag)
    }

    /// The row for `ty` and its type arguments, by the last name of the path and the number of
    /// arguments alone.
    pub(crate) fn named(ty: &Type) -> Option<(&'static Self, Vec<&Type>)> {
        let (name, arguments) = named(ty)?;
        let built_in = BUILT_INS.iter().find(|built_in| built_in.name == name)?;
        (built_in.least_arguments()..=built_in.most_arguments())
            .contains(&arguments.len())
            .then_some((built_in, arguments))
    }

    /// The row for the name of a type that takes arguments.
    pub(crate) fn without_arguments(name: &str) -> Option<&'static Self> {
        BUILT_INS.iter().find(|one| one.name == name && one.argument != Argument::Nothing)
    }

    /// The row for `ty` and its type arguments. `None` if the path begins with `crate`, `self` or
    /// `super`: it leads to a type of the user.
    pub(crate) fn of(ty: &Type) -> Option<(&'static Self, Vec<&Type>)> {
        let Type::Path(path) = ungroup(ty) else { return None };
        let first = &path.path.segments.first()?.ident;
        if path.qself.is_some() || ["crate", "self", "super"].iter().any(|own| first == own) {
            return None;
        }
        Self::named(ty)
    }

    /// The row for `ty` where a correct program has none. `None` if the file declares or imports a
    /// type of the user by this name.
    pub(crate) fn misplaced(ty: &Type) -> Option<(&'static Self, Vec<&Type>)> {
        Self::of(ty).filter(|_| !source_file::is_of_the_user(ty))
    }

    /// The row for `ty` if it has more type arguments than the built-in type takes. `None` for a
    /// path of several segments, which is a type of the user.
    pub(crate) fn with_too_many_arguments(ty: &Type) -> Option<(&'static Self, Vec<&Type>)> {
        let Type::Path(path) = ungroup(ty) else { return None };
        let (name, arguments) = named(ty)?;
        let built_in = BUILT_INS.iter().find(|built_in| built_in.name == name)?;
        let most = built_in.most_arguments();
        (path.path.segments.len() == 1 && most > 0 && arguments.len() > most).then_some((built_in, arguments))
    }

    fn most_arguments(&self) -> usize {
        match self.argument {
            Argument::Nothing => 0,
            Argument::Query | Argument::Followed => 2,
            _ => 1,
        }
    }

    /// The number of type arguments that it takes at least.
    pub(crate) fn least_arguments(&self) -> usize {
        match self.argument {
            Argument::Nothing => 0,
            Argument::Followed if self.name != "Sources" => 2,
            _ => 1,
        }
    }

    /// Whether the first argument is a relation of which an entity has one at most.
    pub(crate) fn follows(&self) -> bool {
        self.least_arguments() == 2
    }
}

//! Types of the library that stand in a wrong place: behind a `&`, in an `Option`, in a query that
//! cannot ask for them.
//!
//! The compiler would say that the world has no such component, and advise to list it. These checks
//! exist for better messages only: traits refuse the mistakes that are not found here, behind an
//! alias for instance.

use syn::{Type, TypeTuple};

use crate::built_in::{Argument, BuiltIn, Flag, Role};
use crate::foreign;
use crate::lifetimes;
use crate::model::parameter::{meant_input, named, option};
use crate::names::{article, snake_case, source, text, ungroup};
use crate::source_file;
use crate::types;
use crate::words::{has_word, is_primitive};

/// A type in a wrong place.
pub(crate) struct Mistake<'a> {
    /// The type that the message underlines.
    pub(crate) at: &'a Type,
    /// The mistake and its cure, as the rest of a sentence that begins with the owner's name.
    pub(crate) text: String,
    /// Whether it is a type of another library that comes with others, such as `View` and
    /// `ViewMut`.
    pub(crate) is_of_a_group: bool,
}

impl<'a> Mistake<'a> {
    pub(super) fn at(at: &'a Type) -> Self {
        Self { at, text: String::new(), is_of_a_group: false }
    }

    pub(super) fn says(self, text: impl Into<String>) -> Option<Self> {
        Some(Self { text: text.into(), ..self })
    }
}

/// The parameter or field that has the type.
pub(crate) struct Owner<'a> {
    /// The name of the parameter or of the field.
    pub(crate) name: &'a str,
    /// The world, if it is known.
    pub(crate) world: Option<&'a str>,
    /// The query struct, of a field.
    pub(crate) query: Option<&'a str>,
}

/// A type without the borrows and `Option`s around it.
struct Layers<'a> {
    borrows: usize,
    options: usize,
    /// Whether the borrow next to the type is `&mut`.
    mutable: bool,
    /// Whether a borrow stands around an `Option`.
    borrows_option: bool,
    leaf: &'a Type,
}

impl<'a> Layers<'a> {
    fn of(ty: &'a Type) -> Self {
        let (mut borrows, mut options, mut mutable, mut borrows_option) = (0, 0, false, false);
        let mut leaf = ungroup(ty);
        loop {
            leaf = match leaf {
                Type::Reference(reference) => {
                    (borrows, mutable) = (borrows + 1, reference.mutability.is_some());
                    ungroup(&reference.elem)
                }
                ty => match option(ty) {
                    Some(inner) => {
                        (borrows_option, options, mutable) = (borrows > 0, options + 1, false);
                        ungroup(inner)
                    }
                    None => return Self { borrows, options, mutable, borrows_option, leaf },
                },
            };
        }
    }

    /// The row for the leaf, which may be a borrowed component of the user with such a name.
    fn built_in(&self) -> Option<(&'static BuiltIn, Vec<&'a Type>)> {
        if self.borrows == 0 { BuiltIn::of(self.leaf) } else { BuiltIn::misplaced(self.leaf) }
    }

    fn is_bare(&self) -> bool {
        self.borrows == 0 && self.options == 0
    }

    /// The type as query data. `None` if it is none, however it is written.
    fn element(&self) -> Option<String> {
        let (ty, built_in) = (source(self.leaf), BuiltIn::of(self.leaf));
        match built_in {
            Some((built_in, _)) if self.options > 0 && built_in.is(Flag::Optional) => {
                Some(format!("Option<{ty}>"))
            }
            Some((built_in, arguments)) => match built_in.role {
                Role::Element => Some(ty),
                Role::Each => arguments.first().map(source),
                Role::Parameter | Role::Filter => None,
            },
            None => {
                let mutable = if self.mutable { "mut " } else { "" };
                let borrowed = format!("&{mutable}{ty}");
                Some(if self.options > 0 { format!("Option<{borrowed}>") } else { borrowed })
            }
        }
    }
}

/// A parameter of a system.
pub(crate) fn of_parameter<'a>(owner: &Owner<'_>, ty: &'a Type) -> Option<Mistake<'a>> {
    let layers = Layers::of(ty);
    if owner.is_world(layers.leaf) {
        let is_taken = layers.borrows == 1 && layers.options == 0;
        let text = || format!("is `{}`: the world is taken as `&mut {}`", source(ty), source(layers.leaf));
        return if is_taken { None } else { Mistake::at(ty).says(text()) };
    }
    if let Some(mistake) = of_another_library(owner, ty).or_else(|| without_arguments(ty)) {
        return Some(mistake);
    }
    if let Some(text) = without_a_size(layers.leaf, "component") {
        return Mistake::at(ty).says(format!("is `{}`: `{}` is {text}", source(ty), source(layers.leaf)));
    }
    if let Type::Tuple(tuple) = layers.leaf {
        return of_tuple(owner, ty, &layers, tuple, &|_| "make it a parameter of its own".to_owned());
    }
    if let Some(text) = overfull(layers.leaf).or_else(|| no_parameter(owner, &layers)) {
        return Mistake::at(ty).says(text);
    }
    if layers.options > 1 {
        let right = owner.dressed(&layers);
        return Mistake::at(ty).says(format!("is an `Option` of an `Option`: write `{right}`"));
    }
    if let Some((built_in, arguments)) = layers.built_in() {
        let is_optional = built_in.is(Flag::Optional) || built_in.name == "Single";
        if layers.is_bare() || layers.borrows == 0 && is_optional {
            return inside(owner, layers.leaf, built_in, &arguments);
        }
        let (shown, right) = (source(layers.leaf), owner.dressed(&layers));
        let text = if layers.options == 0 {
            format!("borrows `{shown}`, which is taken by value: write `{right}`")
        } else if built_in.role == Role::Each {
            format!(
                "is an `Option` of `{shown}`: write `{right}`, and make an `Option` of each field that may be missing"
            )
        } else if built_in.role == Role::Filter {
            format!("is an `Option` of a filter: write `{right}`, or leave it out")
        } else if built_in.is(Flag::Optional) {
            format!("borrows what is taken by value: write `{right}`")
        } else {
            format!("is an `Option` of `{shown}`, which is always there: write `{right}`")
        };
        return Mistake::at(ty).says(text);
    }
    if let Some(mistake) = too_many_arguments(layers.leaf) {
        return Some(mistake);
    }
    if let Some(meant) = meant_input(ty) {
        let (shown, meant, name) = (source(ty), source(&meant), owner.name);
        return Mistake::at(ty).says(format!(
            "is `{shown}`: an input is `{name}: In<{meant}>`, a value that the system keeps from run to run `mut {name}: Local<{meant}>`, and \
             others are fields of components and resources"
        ));
    }
    if matches!((layers.options, layers.borrows), (0, 0 | 1)) {
        return None;
    }
    let (shown, right) = (source(layers.leaf), owner.dressed(&layers));
    match (layers.options, layers.borrows) {
        (0, _) => Mistake::at(ty).says(format!("is a borrow of a borrow: write `{right}`")),
        (_, 0) => {
            let text = format!("is an `Option` of `{shown}` by value: a component is borrowed, `{right}`");
            Mistake::at(ty).says(format!("{text}; a resource is always there, `Res<{shown}>`"))
        }
        (_, 1) if !layers.borrows_option => None,
        _ => Mistake::at(ty).says(format!("borrows an `Option`, which is taken by value: write `{right}`")),
    }
}

/// A field of a query struct.
pub(crate) fn of_field<'a>(owner: &Owner<'_>, ty: &'a Type) -> Option<Mistake<'a>> {
    if let Type::Tuple(tuple) = ungroup(option(ty).unwrap_or(ty)) {
        return tuple.elems.iter().find_map(|ty| of_field(owner, ty));
    }
    let layers = Layers::of(ty);
    if let Some(mistake) = of_another_library(owner, ty).or_else(|| without_arguments(ty)) {
        return Some(mistake);
    }
    if let Some((built_in, arguments)) = BuiltIn::of(layers.leaf)
        && built_in.is(Flag::Borrows)
        && lifetimes::in_type(layers.leaf).is_empty()
    {
        let (query, of, inner) = (owner.query.unwrap_or(".."), built_in.name, source(&arguments[0]));
        return Mistake::at(ty).says(format!(
            "borrows without a lifetime: declare `struct {query}<'a>` and write `{of}<'a, {inner}>`"
        ));
    }
    element(owner, ty, &|wrong| {
        let outside = lifetimes::written(layers.leaf, "'_");
        match wrong {
            Role::Filter => {
                let query = owner.query.unwrap_or("..");
                format!("filters come after the struct: `Query<{query}, {}>`", source(&outside))
            }
            _ => {
                format!("take it beside the query, as a parameter of the system: `{}`", named_after(&outside))
            }
        }
    })
}

/// The `Single` in an `Option<Single<..>>`, the only parameter in an `Option`.
pub(crate) fn optional_single(ty: &Type) -> Option<&Type> {
    option(ungroup(ty))
        .filter(|inner| BuiltIn::of(inner).is_some_and(|(built_in, _)| built_in.name == "Single"))
}

/// A field of a struct of parameters.
pub(crate) fn of_param_field<'a>(owner: &Owner<'_>, ty: &'a Type) -> Option<Mistake<'a>> {
    if let Type::Tuple(tuple) = ungroup(ty) {
        return tuple.elems.iter().find_map(|ty| of_param_field(owner, ty));
    }
    let layers = Layers::of(ty);
    let (leaf, shown) = (source(layers.leaf), source(ty));
    if let Some(mistake) = of_another_library(owner, ty).or_else(|| without_arguments(ty)) {
        return Some(mistake);
    }
    if let Some(text) = overfull(layers.leaf) {
        return Mistake::at(ty).says(text);
    }
    match BuiltIn::of(layers.leaf) {
        Some((built_in, arguments)) if built_in.role == Role::Parameter => {
            if layers.is_bare() || optional_single(ty).is_some() {
                return inside(owner, layers.leaf, built_in, &arguments);
            }
            Mistake::at(ty).says(format!("is `{shown}`, and a parameter is taken by value: write `{leaf}`"))
        }
        Some((built_in, _)) if built_in.role == Role::Filter => Mistake::at(ty).says(format!("is `{shown}`, a filter, which is part of a query: write `Query<'w, Entity, {leaf}>`")),
        Some((built_in, arguments)) if built_in.role == Role::Each => {
            let inner = source(&lifetimes::written(arguments[0], "'static"));
            Mistake::at(ty).says(format!(
                "is `{shown}`, of one entity, and a struct of parameters has queries: write `Query<'w, {inner}>`"
            ))
        }
        Some(_) => {
            let text = "of one entity, and a struct of parameters has queries";
            let element = source(&lifetimes::written(ungroup(ty), "'static"));
            Mistake::at(ty).says(format!("is `{shown}`, {text}: write `Query<'w, {element}>`"))
        }
        None if layers.borrows > 0 => {
            let mutable = if layers.mutable { "mut " } else { "" };
            let res = if layers.mutable { "ResMut" } else { "Res" };
            Mistake::at(ty).says(format!(
                "is `{shown}`, a borrow, and no parameter: write `Query<'w, &'static {mutable}{leaf}>` for a component, `{res}<'w, {leaf}>` for a \
                 resource"
            ))
        }
        None if layers.options > 0 || is_plain_value(layers.leaf) => Mistake::at(ty).says(format!(
            "is `{shown}`, and no parameter: a value that the system keeps from run to run is `Local<'w, {shown}>`"
        )),
        None => too_many_arguments(layers.leaf),
    }
}

/// A type that only other libraries have, at any depth.
fn of_another_library<'a>(owner: &Owner<'_>, ty: &'a Type) -> Option<Mistake<'a>> {
    let found = foreign::find(ty)?;
    let is_whole = std::ptr::eq(found.ty, ungroup(ty));
    if found.name == "Has" && !is_whole {
        return None;
    }
    let verb = if is_whole { "is" } else { "has" };
    let cure = found.cure(owner.name, owner.world);
    let text = format!("{verb} `{}`, which {cure}", source(found.ty));
    Some(Mistake { at: found.ty, text, is_of_a_group: cure.starts_with("is of ") })
}

/// `T` of a `Has<T>`, a trait, in a place of a type.
fn trait_of_worlds(ty: &Type) -> Option<String> {
    foreign::find(ty).filter(|found| found.name == "Has" && std::ptr::eq(found.ty, ty))?;
    named(ty)?.1.first().map(source)
}

/// A type of the library without its arguments, at any depth, such as `Query` or `With`.
fn without_arguments(ty: &Type) -> Option<Mistake<'_>> {
    let paths = types::paths(ty);
    paths.into_iter().find_map(|ty| {
        let (name, arguments) = named(ty)?;
        let built_in = BuiltIn::without_arguments(&name)?;
        if arguments.len() >= built_in.least_arguments() {
            return None;
        }
        let Type::Path(path) = ty else { return None };
        let only = path.path.segments.first().filter(|_| path.path.segments.len() == 1)?;
        let is_own = !lifetimes::in_type(ty).is_empty() || source_file::may_declare(&name, only.ident.span());
        let (noun, example) = match built_in.argument {
            Argument::Query => ("data", "&T"),
            Argument::Queries => ("queries", "(Query<&mut A>, Query<&A>)"),
            Argument::Component => ("component", "T"),
            Argument::Followed if built_in.role == Role::Filter => ("filter", "ChildOf, With<T>"),
            Argument::Followed if built_in.is(Flag::Optional) => ("data", "ChildOf, &T"),
            Argument::Relation | Argument::Followed => ("relation", "ChildOf"),
            Argument::Resource => ("resource", "T"),
            Argument::Event => ("event", "E"),
            Argument::Filter => ("filter", "With<T>"),
            Argument::QueryStruct => ("struct", "Q"),
            Argument::Value => ("type", "u32"),
            Argument::World | Argument::Nothing => return None,
        };
        let (outer, relation) = (built_in.name, arguments.first().map(|ty| source(*ty)));
        let example = relation.map_or_else(|| example.to_owned(), |name| example.replace("ChildOf", &name));
        (!is_own).then(|| {
            Mistake::at(ty).says(format!("has `{outer}` without its {noun}: write `{outer}<{example}>`"))
        })?
    })
}

/// The noun for a type by value, if its file declares it as a component, a resource or an event.
fn noun_by_value(layers: &Layers<'_>) -> Option<&'static str> {
    let Type::Path(path) = layers.leaf else { return None };
    let name = path.path.get_ident().filter(|_| layers.is_bare())?;
    if BuiltIn::of(layers.leaf).is_some() { None } else { source_file::noun_of(name) }
}

/// The message for a component, a resource or an event by value, or a value of the standard
/// library, in the place of a parameter.
fn no_parameter(owner: &Owner<'_>, layers: &Layers<'_>) -> Option<String> {
    if let Some(noun) = noun_by_value(layers).filter(|noun| *noun != "struct of parameters") {
        let shown = source(layers.leaf);
        return Some(match noun {
            "component" | "resource" | "event" => {
                format!("is the {noun} `{shown}` by value: {}", taken(owner.name, noun, &shown))
            }
            _ => format!("is the {noun} `{shown}`: {}", taken(owner.name, noun, &shown)),
        });
    }
    if let (Type::Path(path), true) = (layers.leaf, layers.is_bare())
        && let Some(last) = path.path.segments.last().filter(|_| path.path.segments.len() == 1)
        && let Some(derive) =
            source_file::Declaration::of(&last.ident).and_then(|declared| declared.derive_of_its_fields())
    {
        let (name, shown) = (owner.name, text(&last.ident));
        let taken = match derive {
            "Query" => format!(", and take it as `mut {name}: Each<{shown}>`"),
            _ => String::new(),
        };
        return Some(format!(
            "is the struct `{shown}`, which is no parameter: write `#[derive({derive})]` on it{taken}"
        ));
    }
    // a borrow of what is no component
    if (layers.borrows, layers.options) == (1, 0)
        && let Some(noun) = declared_otherwise(layers, "Component")
    {
        let shown = source(layers.leaf);
        return Some(match noun {
            "struct of parameters" => {
                format!("borrows `{shown}`, which is taken by value: write `mut {}: {shown}`", owner.name)
            }
            _ => format!("borrows the {noun} `{shown}`: {}", taken(owner.name, noun, &shown)),
        });
    }
    if layers.borrows > 0 || layers.options > 0 || !is_plain_value(layers.leaf) {
        return None;
    }
    let shown = source(layers.leaf);
    let borrows = types::references(layers.leaf);
    Some(match borrows.as_slice() {
        [] => format!(
            "is `{shown}`, and no parameter: a value that the system keeps from run to run is `Local<{shown}>`, one that the schedule \
             or the caller gives is `In<{shown}>`, and one of the world is a resource of your own, `Res<T>`"
        ),
        borrows => {
            let data: Vec<String> = borrows.iter().map(source).collect();
            format!(
                "is `{shown}`, a collection of references: a system takes a query, `Query<{}>`",
                in_parentheses(&data)
            )
        }
    })
}

/// The noun for a type that its file declares with another derive than `of_trait`.
fn declared_otherwise(layers: &Layers<'_>, of_trait: &str) -> Option<&'static str> {
    let Type::Path(path) = layers.leaf else { return None };
    source_file::Declaration::of(path.path.get_ident()?)?.derived_otherwise(of_trait)
}

/// How a system takes a type with this noun.
fn taken(name: &str, noun: &str, ty: &str) -> String {
    match noun {
        "resource" => {
            format!("write `{name}: Res<{ty}>`, or `mut {name}: ResMut<{ty}>` to change it")
        }
        "event" => {
            format!("write `mut {name}: EventReader<{ty}>`, or `mut {name}: EventWriter<{ty}>` to send it")
        }
        "component" => format!("write `{name}: &{ty}`, or `{name}: &mut {ty}` to change it"),
        "query" => {
            format!("write `mut {name}: Each<{ty}>` for one entity after the other, or `Query<{ty}>`")
        }
        "enum of states" => {
            format!(
                "write `{name}: Res<State<{ty}>>`, or `mut {name}: ResMut<State<{ty}>>` to change the state"
            )
        }
        "bundle" | "aspect" => "a system asks for its components one by one, such as `&Position`".to_owned(),
        _ => format!("write `{name}: {ty}`"),
    }
}

/// Whether a type is a number, a text or a collection of the standard library, by its name.
fn is_plain_value(ty: &Type) -> bool {
    match ty {
        Type::Array(_) | Type::Slice(_) => true,
        _ => named(ty).is_some_and(|(name, _)| {
            is_primitive(&name) || has_word("String Vec VecDeque HashMap BTreeMap Box", &name)
        }),
    }
}

impl Owner<'_> {
    fn is_world(&self, ty: &Type) -> bool {
        let Type::Path(path) = ty else { return false };
        // most types differ in their last name, and need not be spelled out
        let last = path.path.segments.last().map(|segment| segment.ident.to_string());
        self.world.is_some_and(|world| last.is_some_and(|last| world.contains(&last)) && source(ty) == world)
    }

    /// The corrected parameter, for the message.
    fn dressed(&self, layers: &Layers<'_>) -> String {
        let ty = source(layers.leaf);
        match BuiltIn::of(layers.leaf) {
            Some((built_in, _)) => {
                let mutable = if layers.mutable && built_in.is(Flag::Mutable) { "mut " } else { "" };
                let name = if built_in.role == Role::Filter { "_" } else { self.name };
                let ty = if layers.options > 0 && built_in.is(Flag::Optional) {
                    format!("Option<{ty}>")
                } else {
                    ty
                };
                format!("{mutable}{name}: {ty}")
            }
            None if self.is_world(layers.leaf) => format!("{}: &mut {ty}", self.name),
            None => format!("{}: {}", self.name, layers.element().unwrap_or(ty)),
        }
    }
}

/// The message for a slice or a trait object in the place of a component, a resource, an event or a
/// value: all of them have a size.
pub(crate) fn without_a_size(ty: &Type, noun: &str) -> Option<String> {
    let (kind, holder) = match ungroup(ty) {
        Type::Slice(_) => ("a slice", "a `Vec` or an array"),
        Type::TraitObject(_) => ("a trait object", "a `Box<dyn Trait>`"),
        Type::Path(path) if path.path.is_ident("str") && !source_file::is_of_the_user(ty) => {
            ("a string slice", "a `String`")
        }
        _ => return None,
    };
    let declared = match noun {
        "value" => format!("{kind}, which has no known size: name {holder}"),
        _ => format!(
            "{kind}, and no {noun}: name a struct with `#[derive({})]` that holds {holder}",
            derive_of(noun)
        ),
    };
    Some(declared)
}

/// The type in `ty` that cannot be sent to another thread, and what to take for it. Knows the types
/// of the standard library by their names: a type of the user's own with such a name is written
/// with its path, `self::Rc<T>`.
fn of_one_thread(ty: &Type) -> Option<(&Type, &'static str)> {
    let ty = ungroup(ty);
    if let Type::Ptr(_) = ty {
        return Some((ty, "store an index or an `Entity` for a pointer"));
    }
    if let Type::Tuple(tuple) = ty {
        return tuple.elems.iter().find_map(of_one_thread);
    }
    let (name, arguments) = named(ty)?;
    let Type::Path(path) = ty else { return None };
    let of_std = path.path.segments.len() == 1
        || matches!(path.path.segments[0].ident.to_string().as_str(), "std" | "alloc");
    let cure = match (name.as_str(), arguments.len()) {
        ("Rc", 1) if of_std => "write `Arc` for `Rc`",
        ("RefCell", 1) if of_std => "a `Local` is borrowed mutably, and needs no `RefCell`",
        _ => return arguments.into_iter().find_map(of_one_thread),
    };
    Some((ty, cure))
}

/// The derive that makes a type a component, a relation, a resource or an event.
fn derive_of(noun: &str) -> &'static str {
    match noun {
        "relation" => "Relation",
        "resource" => "Resource",
        "event" => "Event",
        _ => "Component",
    }
}

/// Types in backquotes as one tuple of them.
fn as_tuple(each: &[String]) -> String {
    format!("`({})`", each.join(", ").replace('`', ""))
}

/// The message for a built-in type with too many arguments, such as `Or<A, B>`.
fn overfull(ty: &Type) -> Option<String> {
    let (built_in, arguments) =
        BuiltIn::with_too_many_arguments(ty).filter(|(built_in, _)| built_in.argument != Argument::Query)?;
    let (name, shown) = (built_in.name, source(ty));
    let all: Vec<String> = arguments.iter().map(|ty| source(Layers::of(ty).leaf)).collect();
    let each: Vec<String> = all.iter().map(|ty| format!("`{name}<{ty}>`")).collect();
    let tuple = as_tuple(&each);
    let (all, each) = (all.join(", "), each.join(" and "));
    Some(match (built_in.argument, name) {
        (_, "Not") => format!(
            "has `{shown}`, and `Not` is of one filter: write `Not<Or<({all})>>` for none of them, `Not<And<({all})>>` \
             for not all of them"
        ),
        (Argument::Followed, _) => {
            let (relation, rest) = arguments.split_first()?;
            let rest: Vec<String> = rest.iter().map(|ty| source(*ty)).collect();
            let (relation, rest) = (source(relation), rest.join(", "));
            format!(
                "has `{shown}`, and `{name}` takes a relation and one more type: write `{name}<{relation}, ({rest})>`"
            )
        }
        (Argument::Filter, "And" | "Or") => {
            format!("has `{shown}`: the filters are a tuple, write `{name}<({all})>`")
        }
        (Argument::Filter, _) => {
            format!("has `{shown}`, and `{name}` is of one filter: write `{name}<And<({all})>>`")
        }
        (Argument::Queries, _) => format!("has `{shown}`: the queries are a tuple, write `{name}<({all})>`"),
        (Argument::Component, _) => {
            let each = if matches!(name, "With" | "Without") { tuple } else { each };
            format!("has `{shown}`, and `{name}` names one component: write {each}")
        }
        (Argument::Relation | Argument::Resource | Argument::Event, _) => {
            let noun = match built_in.argument {
                Argument::Relation => "relation",
                Argument::Resource => "resource",
                _ => "event",
            };
            format!("has `{shown}`, and `{name}` names one {noun}: write {each}")
        }
        (
            Argument::Nothing | Argument::Query | Argument::QueryStruct | Argument::World | Argument::Value,
            _,
        ) => {
            format!("has `{shown}`, and `{name}` has one argument")
        }
    })
}

/// `res: Res<Clock>`.
fn named_after(ty: &Type) -> String {
    let leaf = Layers::of(ty).leaf;
    let name = named(leaf).map_or_else(|| "name".to_owned(), |(name, _)| snake_case(&name));
    format!("{name}: {}", source(leaf))
}

/// Checks the arguments of a type of the library.
fn inside<'a>(
    owner: &Owner<'_>,
    ty: &'a Type,
    built_in: &BuiltIn,
    arguments: &[&'a Type],
) -> Option<Mistake<'a>> {
    let (&argument, rest) = arguments.split_first()?;
    match built_in.argument {
        Argument::Query => query(owner, built_in, argument, rest.first().copied()),
        Argument::Queries => queries(owner, ty, argument),
        Argument::Filter => filter(owner, argument, &|_| None),
        Argument::Component | Argument::Relation | Argument::Resource | Argument::Event => {
            names_one(owner, built_in, argument)
        }
        Argument::Followed => names_one(owner, built_in, argument)
            .or_else(|| followed(owner, built_in, argument, rest.first()?)),
        Argument::QueryStruct => {
            let layers = Layers::of(argument);
            let text = format!("is `{}`: `Each` takes a `#[derive(Query)]` struct", source(ty));
            let wrong = !layers.is_bare() || matches!(layers.leaf, Type::Tuple(_));
            match BuiltIn::of(layers.leaf) {
                Some(_) => Mistake::at(ty).says(format!("{text}; write `{}`", owner.dressed(&layers))),
                None if wrong => Mistake::at(ty).says(text),
                None => None,
            }
        }
        Argument::World => {
            let layers = Layers::of(argument);
            let text = || format!("borrows the world in its type: write `Commands<{}>`", source(layers.leaf));
            if layers.borrows > 0 { Mistake::at(argument).says(text()) } else { None }
        }
        Argument::Value => {
            if let Some(text) = without_a_size(argument, "value") {
                return Mistake::at(argument).says(format!("has `{}`, {text}", source(argument)));
            }
            let (inner, cure) = of_one_thread(argument)?;
            Mistake::at(inner).says(format!(
                "has `{}`, which belongs to one thread, and a system may run on any thread: {cure}",
                source(inner)
            ))
        }
        Argument::Nothing => None,
    }
}

/// Checks what is asked of the entity at the other end of a relation.
fn followed<'a>(owner: &Owner<'_>, outer: &BuiltIn, relation: &Type, asked: &'a Type) -> Option<Mistake<'a>> {
    if outer.role == Role::Filter {
        let changes =
            |ty: &Type| matches!(named(ty), Some((name, _)) if name == "Changed" || name == "Added");
        if let Some(ty) = leaves(asked).into_iter().find(|ty| changes(ty)) {
            let (of, relation, shown) = (outer.name, source(relation), source(asked));
            let component = BuiltIn::named(ty).map_or_else(|| "T".to_owned(), |(_, all)| source(all[0]));
            let text = format!(
                "has `{of}<{relation}, {shown}>`, and `{of}` asks only which components the other entity has: ask for \
                 `Target<{relation}, Ref<{component}>>` and look at its `is_changed()` or `is_added()`"
            );
            return Mistake::at(ty).says(text);
        }
        return filter(owner, asked, &|_| None);
    }
    let written = leaves(asked).into_iter().find(|ty| match ungroup(ty) {
        Type::Reference(reference) => reference.mutability.is_some(),
        _ => BuiltIn::named(ty).is_some_and(|(built_in, _)| built_in.is(Flag::Mutable)),
    });
    if written.is_some() {
        let (of, relation, shown) = (outer.name, source(relation), source(asked));
        let read = shown.replace("&mut ", "&").replace("Mut<", "Ref<");
        let text = format!(
            "has `{of}<{relation}, {shown}>`, and several entities may lead to the same one, so that it is only read: write \
             `{of}<{relation}, {read}>`, and change it in a system of its own, by `Query::get_mut`"
        );
        return Mistake::at(asked).says(text);
    }
    leaves(asked).into_iter().find_map(|ty| {
        element(owner, ty, &|wrong| match wrong {
            Role::Filter => {
                let (relation, filter) = (source(relation), source(ty));
                format!("write it among the filters, for the other entity: `RelatedTo<{relation}, {filter}>`")
            }
            _ => format!("write it as a parameter of its own: `{}`", named_after(ty)),
        })
    })
}

/// Checks a type that names a component, a relation, a resource or an event, such as `With<T>`.
fn names_one<'a>(owner: &Owner<'_>, outer: &BuiltIn, ty: &'a Type) -> Option<Mistake<'a>> {
    let (layers, of, shown) = (Layers::of(ty), outer.name, source(ty));
    let (noun, derive) = match outer.argument {
        Argument::Relation | Argument::Followed => ("relation", "Component"),
        Argument::Resource => ("resource", "Resource"),
        Argument::Event => ("event", "Event"),
        _ => ("component", "Component"),
    };
    let (leaf, of_entity) = (source(layers.leaf), derive == "Component");
    let wrong = |text: String| Mistake::at(ty).says(format!("has `{of}<{shown}>`{text}"));
    let itself = |right: &str| wrong(format!(": it names the {noun} itself; write `{of}<{right}>`"));
    if owner.is_world(layers.leaf) && of_entity {
        return wrong(format!(": the world is no {noun}; name a {noun}"));
    }
    if let Some(text) = without_a_size(layers.leaf, noun) {
        return wrong(format!(": `{leaf}` is {text}"));
    }
    if let (Type::Tuple(tuple), true) = (layers.leaf, of_entity) {
        let each: Vec<String> =
            tuple.elems.iter().map(|ty| format!("`{of}<{}>`", source(Layers::of(ty).leaf))).collect();
        let each = if ["With", "Without"].contains(&of) { as_tuple(&each) } else { each.join(" and ") };
        let text = format!("has `{of}` of a tuple: it names one {noun}; write {each}");
        return if tuple.elems.is_empty() { None } else { Mistake::at(ty).says(text) };
    }
    match BuiltIn::of(layers.leaf) {
        Some((built_in, arguments)) if of_entity => {
            let filter = format!(": `{shown}` is a filter by itself; write");
            match (built_in.role, built_in.argument, arguments.as_slice()) {
                (Role::Element, Argument::Nothing, _) => {
                    let text =
                        format!(": `Entity` is the id, which every entity has, and no {noun}; leave it out");
                    wrong(text)
                }
                (Role::Filter, Argument::Filter, _) if of == "Without" => {
                    wrong(format!("{filter} `Not<{shown}>`"))
                }
                (Role::Filter, Argument::Filter, _) => wrong(format!("{filter} it without `{of}`")),
                (_, Argument::Component | Argument::Relation, [inner])
                    if built_in.argument == outer.argument =>
                {
                    itself(&source(inner))
                }
                (Role::Filter, ..) => wrong(format!("{filter} it without `{of}`")),
                _ => {
                    let right = named_after(ty);
                    wrong(format!(
                        ": it names a {noun}, and `{leaf}` is a parameter by itself; write `{right}`"
                    ))
                }
            }
        }
        Some((built_in, arguments)) if built_in.argument == outer.argument => itself(&source(&arguments[0])),
        None if of_entity || !owner.is_world(layers.leaf) => {
            if let ("relation", Some((name, arguments))) = (noun, named(layers.leaf))
                && let ("Many", [relation]) = (name.as_str(), arguments.as_slice())
            {
                return itself(&source(relation));
            }
            if !layers.is_bare() {
                return itself(&leaf);
            }
            let other = declared_otherwise(&layers, derive)?;
            let cure = match other {
                "resource" | "event" if of_entity => {
                    format!("{}, beside the query", taken(&snake_case(&shown), other, &shown))
                }
                _ if of_entity => format!("it names a {noun}"),
                "enum of states" => format!("write `{of}<State<{shown}>>`"),
                _ => taken(owner.name, other, &shown),
            };
            wrong(format!(", and `{shown}` is {} {other}: {cure}", article(other)))
        }
        _ => wrong(format!(": `{of}` is for {noun}s; write `{}`", owner.dressed(&layers))),
    }
}

/// The queries of a `ParamSet`.
fn queries<'a>(owner: &Owner<'_>, set: &'a Type, queries: &'a Type) -> Option<Mistake<'a>> {
    let (shown, at) = (source(set), queries);
    let Type::Tuple(tuple) = ungroup(queries) else {
        return Mistake::at(at).says(format!(
            "is `{shown}`: a set is of two to eight queries, `ParamSet<(Query<&mut A, With<B>>, Query<&mut A>)>`"
        ));
    };
    if !(2..=8).contains(&tuple.elems.len()) {
        let (count, cure) = match tuple.elems.len() {
            0 => ("no query", "write each parameter without the set"),
            1 => ("one query", "write the query without the set"),
            _ => ("more than eight queries", "split the system"),
        };
        return Mistake::at(at).says(format!("is a `ParamSet` of {count}: {cure}"));
    }
    tuple.elems.iter().find_map(|ty| {
        let shown = source(ty);
        let cure = match BuiltIn::of(ty) {
            Some((built_in, arguments)) if built_in.name == "Query" => {
                return inside(owner, ty, built_in, &arguments);
            }
            Some((built_in, _)) if built_in.role == Role::Parameter => {
                format!("write it beside the set, as a parameter of its own: `{}`", named_after(ty))
            }
            None if !matches!(ungroup(ty), Type::Reference(_)) => return None,
            _ => format!("write `Query<{shown}>`"),
        };
        Mistake::at(ty).says(format!("has `{shown}` in a `ParamSet`, which is of queries: {cure}"))
    })
}

/// `Query<D, F>`, or a parameter that is made of a query.
fn query<'a>(
    owner: &Owner<'_>,
    built_in: &BuiltIn,
    data: &'a Type,
    filter_type: Option<&'a Type>,
) -> Option<Mistake<'a>> {
    let (asked, filters) = (leaves(data), filter_type.map(leaves).unwrap_or_default());
    let right = || {
        let [of_data, of_filters] =
            [(&asked, false), (&filters, true)].map(|(all, among)| set_apart(all, among));
        let (data, filters) = ([of_data.0, of_filters.0].concat(), [of_data.1, of_filters.1].concat());
        let data = if data.is_empty() { "Entity".to_owned() } else { in_parentheses(&data) };
        if filters.is_empty() {
            format!("{}<{data}>", built_in.name)
        } else {
            format!("{}<{data}, {}>", built_in.name, in_parentheses(&filters))
        }
    };
    let beside =
        |ty: &Type| format!("write it beside the query, as a parameter of its own: `{}`", named_after(ty));
    let of_data = asked.iter().find_map(|&ty| {
        element(owner, ty, &|wrong| match wrong {
            Role::Filter => format!("filters come after the data: write `{}`", right()),
            _ => beside(ty),
        })
    });
    of_data.or_else(|| {
        filters.iter().find_map(|&ty| {
            filter(owner, ty, &|wrong| match wrong {
                Role::Parameter => Some(beside(ty)),
                _ => Some(format!("data comes before the filters: write `{}`", right())),
            })
        })
    })
}

/// The data and the filters in a list of a query, as they are written in their places.
fn set_apart(all: &[&Type], among_filters: bool) -> (Vec<String>, Vec<String>) {
    let (mut data, mut filters) = (Vec::new(), Vec::new());
    for ty in all {
        let layers = Layers::of(ty);
        let is_filter = match BuiltIn::of(layers.leaf) {
            Some((built_in, _)) => built_in.role == Role::Filter,
            None => among_filters && layers.is_bare(),
        };
        match layers.leaf {
            leaf if is_filter => filters.push(source(leaf)),
            // `Option<(A, B)>`
            tuple @ Type::Tuple(_) if layers.options > 0 => {
                let (inner, others) = set_apart(&leaves(tuple), among_filters);
                data.extend((!inner.is_empty()).then(|| format!("Option<{}>", in_parentheses(&inner))));
                filters.extend(others);
            }
            leaf if layers.is_bare() && BuiltIn::of(leaf).is_none() => data.push(source(*ty)),
            _ => data.extend(layers.element()),
        }
    }
    (data, filters)
}

/// Checks an element of a query's data. `elsewhere` is the advice for a filter or a parameter among
/// the data.
fn element<'a>(owner: &Owner<'_>, ty: &'a Type, elsewhere: &dyn Fn(Role) -> String) -> Option<Mistake<'a>> {
    let (layers, shown) = (Layers::of(ty), source(ty));
    let leaf = source(layers.leaf);
    if owner.is_world(layers.leaf) {
        return Mistake::at(ty)
            .says(format!("asks for `{shown}`: the world is taken as `&mut {leaf}`, not by a query"));
    }
    if let Some(text) = without_a_size(layers.leaf, "component") {
        return Mistake::at(ty).says(format!("asks for `{shown}`: `{leaf}` is {text}"));
    }
    if let Type::Tuple(tuple) = layers.leaf {
        return if layers.is_bare() { None } else { of_tuple(owner, ty, &layers, tuple, elsewhere) };
    }
    if let Some(text) = overfull(layers.leaf) {
        return Mistake::at(ty).says(text);
    }
    if let Some(component) = trait_of_worlds(layers.leaf) {
        return Mistake::at(ty).says(format!(
            "asks for `{shown}`, and `Has` is a trait of worlds: write `Is<{component}>`, which tells whether it is there"
        ));
    }
    let right = layers.element().unwrap_or_default();
    let Some((built_in, arguments)) = layers.built_in() else {
        if noun_by_value(&layers) == Some("component") {
            return Mistake::at(ty).says(format!(
                "asks for the component `{leaf}` by value: write `&{leaf}`, or `&mut {leaf}` to change it"
            ));
        }
        if layers.options == 1 && layers.borrows == 0 && may_be_a_component(layers.leaf) {
            return Mistake::at(ty)
                .says(format!("asks for `{shown}`: a query borrows a component, write `{right}`"));
        }
        let other = declared_otherwise(&layers, "Component").filter(|_| layers.borrows == 1);
        if let Some(other @ ("resource" | "event" | "bundle" | "aspect")) = other {
            let taken = taken(&snake_case(&leaf), other, &leaf);
            let beside = if ["resource", "event"].contains(&other) { ", beside the query" } else { "" };
            let article = article(other);
            return Mistake::at(ty)
                .says(format!("asks for `{shown}`, and `{leaf}` is {article} {other}: {taken}{beside}"));
        }
        let text = if layers.options > 1 { "an `Option` of an `Option`" } else { "a borrow of a borrow" };
        let wrong = layers.options > 1 || layers.options == 0 && layers.borrows > 1;
        return if wrong { Mistake::at(ty).says(format!("asks for {text}: write `{right}`")) } else { None };
    };
    match built_in.role {
        Role::Filter => Mistake::at(ty)
            .says(format!("asks for `{shown}`, which is a filter: {}", elsewhere(Role::Filter))),
        Role::Parameter => Mistake::at(ty)
            .says(format!("asks for `{leaf}`, which is no data of a query: {}", elsewhere(Role::Parameter))),
        Role::Each => Mistake::at(ty)
            .says(format!("asks for `{shown}`: in a query the struct is written alone, write `{right}`")),
        Role::Element if layers.options > 1 => {
            Mistake::at(ty).says(format!("asks for an `Option` of an `Option`: write `{right}`"))
        }
        Role::Element if layers.options > 0 && !built_in.is(Flag::Optional) => Mistake::at(ty)
            .says(format!("asks for an `Option` of `{leaf}`, which is always there: write `{right}`")),
        Role::Element if layers.borrows > 0 => {
            Mistake::at(ty).says(format!("borrows `{leaf}`, which is taken by value: write `{right}`"))
        }
        Role::Element => inside(owner, layers.leaf, built_in, &arguments),
    }
}

/// Checks a tuple that is borrowed, or the elements of one in an `Option`.
fn of_tuple<'a>(
    owner: &Owner<'_>,
    ty: &'a Type,
    layers: &Layers<'_>,
    tuple: &'a TypeTuple,
    elsewhere: &dyn Fn(Role) -> String,
) -> Option<Mistake<'a>> {
    if tuple.elems.is_empty() {
        return None;
    }
    if layers.borrows > 0 {
        return Mistake::at(ty).says("borrows a tuple: borrow each of its elements");
    }
    if layers.options > 1 {
        return Mistake::at(ty).says("makes an `Option` of an `Option`: write the tuple in one `Option`");
    }
    tuple.elems.iter().find_map(|ty| element(owner, ty, elsewhere))
}

/// Whether a type may be a component: its file declares it, and not as query data.
fn may_be_a_component(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    let name = path.path.get_ident().filter(|_| path.qself.is_none());
    name.and_then(source_file::Declaration::of).is_some_and(|declared| !declared.has_derive("Query"))
}

/// Checks a filter, nested or not. `elsewhere` is the advice for data or a parameter among the
/// filters.
fn filter<'a>(
    owner: &Owner<'_>,
    ty: &'a Type,
    elsewhere: &dyn Fn(Role) -> Option<String>,
) -> Option<Mistake<'a>> {
    if let Type::Tuple(tuple) = ungroup(ty) {
        return tuple.elems.iter().find_map(|ty| filter(owner, ty, elsewhere));
    }
    let (layers, shown) = (Layers::of(ty), source(ty));
    if owner.is_world(layers.leaf) {
        return Mistake::at(ty)
            .says(format!("has `{shown}` among its filters, which is the world: leave it out"));
    }
    if let Type::TraitObject(sum) = ungroup(ty) {
        let each: Vec<String> = sum.bounds.iter().map(source).collect();
        let text = format!("joins its filters by `+`: they are a tuple, write `({})`", each.join(", "));
        return if sum.dyn_token.is_none() { Mistake::at(ty).says(text) } else { None };
    }
    if let (Type::Path(path), true) = (layers.leaf, layers.is_bare())
        && let Some(name) = path.path.get_ident()
        && source_file::Declaration::of(name).and_then(|it| it.derived_otherwise("Filter"))
            == Some("component")
    {
        return Mistake::at(ty)
            .says(format!("has the component `{shown}` among its filters: write `With<{shown}>`"));
    }
    if let Some(text) = overfull(layers.leaf) {
        return Mistake::at(ty).says(text);
    }
    if let Some(component) = trait_of_worlds(layers.leaf) {
        return Mistake::at(ty).says(format!(
            "has `{shown}` among its filters, and `Has` is a trait of worlds: write `With<{component}>`"
        ));
    }
    let built_in = BuiltIn::of(layers.leaf);
    let role = built_in.as_ref().map(|(built_in, _)| built_in.role);
    match (built_in, role) {
        (Some((built_in, arguments)), Some(Role::Filter)) if layers.is_bare() => {
            inside(owner, layers.leaf, built_in, &arguments)
        }
        (Some(_), Some(Role::Filter)) => {
            let leaf = source(layers.leaf);
            Mistake::at(ty).says(format!("has `{shown}` among its filters: write `{leaf}`, or leave it out"))
        }
        (None, _) if layers.is_bare() => None,
        (_, role) => {
            let cure = elsewhere(role.unwrap_or(Role::Element)).unwrap_or_else(|| {
                match (&role, option(ungroup(ty))) {
                    (None, None) => format!("write `With<{}>`", source(layers.leaf)),
                    _ => "filters are `With<T>`, `Without<T>` and the like".to_owned(),
                }
            });
            Mistake::at(ty).says(format!("has `{shown}` among its filters: {cure}"))
        }
    }
}

/// `Query<&A, &B, &C>`.
fn too_many_arguments(ty: &Type) -> Option<Mistake<'_>> {
    let (name, arguments) = named(ty)?;
    if !["Query", "Single", "Populated"].contains(&name.as_str()) || arguments.len() < 3 {
        return None;
    }
    let all: Vec<&Type> = arguments.iter().flat_map(|ty| leaves(ty)).collect();
    let is_filter = |ty: &&Type| BuiltIn::of(ty).is_some_and(|(built_in, _)| built_in.role == Role::Filter);
    let (filters, data): (Vec<&Type>, Vec<&Type>) = all.into_iter().partition(is_filter);
    let together = match (data.len(), filters.len()) {
        (..=1, 2..) => "the filters into a tuple",
        (2.., 2..) => "the data into a tuple, and the filters into another one",
        _ => "the data into a tuple",
    };
    let [data, filters] = [data, filters].map(|types| types.into_iter().map(source).collect::<Vec<_>>());
    let mut right = in_parentheses(&data);
    if !filters.is_empty() {
        right = format!("{right}, {}", in_parentheses(&filters));
    }
    Mistake::at(ty)
        .says(format!("is a query of more than data and a filter: put {together}, write `{name}<{right}>`"))
}

/// The types at the ends of tuples.
pub(super) fn leaves(ty: &Type) -> Vec<&Type> {
    match ungroup(ty) {
        Type::Tuple(tuple) => tuple.elems.iter().flat_map(leaves).collect(),
        _ => vec![ty],
    }
}

/// `A`, or `(A, B)`.
fn in_parentheses(types: &[String]) -> String {
    match types {
        [one] => one.clone(),
        several => format!("({})", several.join(", ")),
    }
}

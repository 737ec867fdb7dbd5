//! Types of the library that stand in a wrong place: behind a `&`, in an `Option`, in a query that
//! cannot ask for them.
//!
//! The compiler would say that the world has no such component, and advise to list it. These checks
//! exist for better messages only: traits refuse the mistakes that are not found here, behind an
//! alias for instance.

mod arguments;

use syn::Type;

use crate::built_in::{Argument, BuiltIn, Flag, Role};
use crate::foreign;
use crate::lifetimes;
use crate::model::parameter::{meant_input, named, option};
use crate::names::{snake_case, source, text, ungroup};
use crate::source_file;
use crate::types;
use crate::words::{has_word, is_primitive};
pub(super) use arguments::leaves;
use arguments::{element, in_parentheses, inside, of_tuple, too_many_arguments};

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

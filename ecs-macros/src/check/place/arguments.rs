//! The arguments of a type of the library in a wrong form: the data and the filters of a query, and
//! the component, relation, resource or event that others name.

use syn::{Type, TypeTuple};

use super::{
    Layers, Mistake, Owner, as_tuple, declared_otherwise, named_after, noun_by_value, of_one_thread,
    overfull, taken, trait_of_worlds, without_a_size,
};
use crate::built_in::{Argument, BuiltIn, Flag, Role};
use crate::model::parameter::{named, option};
use crate::names::{article, snake_case, source, ungroup};
use crate::source_file;

/// Checks the arguments of a type of the library.
pub(super) fn inside<'a>(
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
pub(super) fn element<'a>(
    owner: &Owner<'_>,
    ty: &'a Type,
    elsewhere: &dyn Fn(Role) -> String,
) -> Option<Mistake<'a>> {
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
pub(super) fn of_tuple<'a>(
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
pub(super) fn too_many_arguments(ty: &Type) -> Option<Mistake<'_>> {
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
pub(in crate::check) fn leaves(ty: &Type) -> Vec<&Type> {
    match ungroup(ty) {
        Type::Tuple(tuple) => tuple.elems.iter().flat_map(leaves).collect(),
        _ => vec![ty],
    }
}

/// `A`, or `(A, B)`.
pub(super) fn in_parentheses(types: &[String]) -> String {
    match types {
        [one] => one.clone(),
        several => format!("({})", several.join(", ")),
    }
}

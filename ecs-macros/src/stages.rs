//! One function for each macro, which runs its stages: parse, model, check, expand.

use proc_macro2::TokenStream;

use crate::diagnostic::Diagnostics;
use crate::model::marker::{Kind, Marker};
use crate::parse::derive::Derive;
use crate::{check, expand, model, parse};

pub(crate) fn component(tokens: TokenStream) -> TokenStream {
    let mut errors = Diagnostics::default();
    let Some(parsed) = parse::component::parse(tokens, false, &mut errors) else {
        return errors.finish(TokenStream::new());
    };
    let component = model::component::Component::new(parsed);
    check::component::check(&component, &mut errors);
    errors.finish(expand::component::expand(&component))
}

pub(crate) fn relation(tokens: TokenStream) -> TokenStream {
    let mut errors = Diagnostics::default();
    let Some(parsed) = parse::relation::parse(tokens, &mut errors) else {
        return errors.finish(TokenStream::new());
    };
    let relation = model::relation::Relation::new(parsed);
    check::relation::check(&relation, &mut errors);
    errors.finish(expand::relation::expand(&relation))
}

pub(crate) fn resource(tokens: TokenStream) -> TokenStream {
    marker(tokens, Kind::Resource, parse::marker::resource)
}

pub(crate) fn event(tokens: TokenStream) -> TokenStream {
    marker(tokens, Kind::Event, parse::marker::event)
}

fn marker(
    tokens: TokenStream,
    kind: Kind,
    parse: fn(TokenStream, &mut Diagnostics) -> Option<Derive>,
) -> TokenStream {
    let mut errors = Diagnostics::default();
    let Some(parsed) = parse(tokens, &mut errors) else { return errors.finish(TokenStream::new()) };
    let marker = Marker::new(parsed, kind);
    check::marker::check(&marker, &mut errors);
    errors.finish(expand::marker::expand(&marker))
}

pub(crate) fn bundle(tokens: TokenStream) -> TokenStream {
    let mut errors = Diagnostics::default();
    let Some(parsed) = parse::bundle::parse(tokens, &mut errors) else {
        return errors.finish(TokenStream::new());
    };
    let bundle = model::bundle::Bundle::new(parsed);
    check::bundle::check(&bundle, &mut errors);
    errors.finish(expand::bundle::expand(&bundle))
}

pub(crate) fn aspect(tokens: TokenStream) -> TokenStream {
    let mut errors = Diagnostics::default();
    let Some(parsed) = parse::aspect::parse(tokens, &mut errors) else {
        return errors.finish(TokenStream::new());
    };
    let aspect = model::aspect::Aspect::new(parsed);
    check::aspect::check(&aspect, &mut errors);
    errors.finish(expand::aspect::expand(&aspect))
}

pub(crate) fn meta_aspect(tokens: TokenStream) -> TokenStream {
    let mut errors = Diagnostics::default();
    let Some(parsed) = parse::meta_aspect::parse(tokens, &mut errors) else {
        return errors.finish(TokenStream::new());
    };
    let meta = model::meta_aspect::MetaAspect::new(parsed);
    check::meta_aspect::check(&meta, &mut errors);
    errors.finish(expand::meta_aspect::expand(&meta))
}

pub(crate) fn components_from(tokens: TokenStream) -> TokenStream {
    let mut errors = Diagnostics::default();
    let parsed = parse::components_from::parse(tokens, &mut errors);
    let definitions = model::components_from::Definitions::new(parsed);
    check::components_from::check(&definitions, &mut errors);
    errors.finish(expand::components_from::expand(&definitions))
}

pub(crate) fn query(tokens: TokenStream) -> TokenStream {
    let mut errors = Diagnostics::default();
    let Some(parsed) = parse::query::parse(tokens, &mut errors) else {
        return errors.finish(TokenStream::new());
    };
    let query = model::query::Query::new(parsed);
    check::query::check(&query, &mut errors);
    let broken = !errors.is_empty() || query.leaves_out_a_lifetime();
    errors.finish(expand::query::expand(&query, broken))
}

/// A derive of bevy that makes a query.
pub(crate) fn query_data(tokens: TokenStream) -> TokenStream {
    let mut errors = Diagnostics::default();
    let Some(parsed) = parse::query::parse(tokens, &mut errors) else {
        return errors.finish(TokenStream::new());
    };
    errors.at(
        &parsed.item.ident,
        format!(
            "query `{}` derives `QueryData` of bevy: write `#[derive(Query)] struct {0}<'a>`, with fields such as `&'a Position` and \
             `&'a mut Position`, without `#[query_data(..)]`",
            parsed.item.ident
        ),
    );
    errors.finish(expand::query::expand(&model::query::Query::new(parsed), true))
}

/// A derive of bevy that makes a parameter of systems.
pub(crate) fn system_param(tokens: TokenStream) -> TokenStream {
    let mut errors = Diagnostics::default();
    let Some(parsed) = parse::query::parse(tokens, &mut errors) else {
        return errors.finish(TokenStream::new());
    };
    errors.at(
        &parsed.item.ident,
        format!(
            "`{}` derives `SystemParam` of bevy, and structs of parameters do not exist: each is a parameter of the system's function; \
             components of one entity are a struct with `#[derive(Query)]`",
            parsed.item.ident
        ),
    );
    errors.finish(expand::foreign::system_param(&parsed))
}

/// A derive of bevy that makes a state.
pub(crate) fn states(tokens: TokenStream) -> TokenStream {
    let mut errors = Diagnostics::default();
    let Some(parsed) = parse::query::parse(tokens, &mut errors) else {
        return errors.finish(TokenStream::new());
    };
    let name = &parsed.item.ident;
    errors.at(
        name,
        format!(
            "`{name}` derives `States` of bevy: a state is a resource, `#[derive(Resource)]`, and a condition of a schedule is a system \
             that returns `bool`: `#[system(Game)] fn playing(state: Res<{name}>) -> bool`"
        ),
    );
    errors.finish(TokenStream::new())
}

pub(crate) fn system(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Diagnostics::default();
    let parsed = match parse::system::parse(arguments, item, &mut errors) {
        Ok(parsed) => parsed,
        Err(item) => return errors.finish(item),
    };
    let mut system = model::system::System::new(parsed);
    check::system::check(&mut system, &mut errors);
    let output =
        if errors.is_empty() { expand::system::expand(&system) } else { expand::system::stub(&system) };
    errors.finish(output)
}

pub(crate) fn world(tokens: TokenStream) -> TokenStream {
    let mut errors = Diagnostics::default();
    let Some(parsed) = parse::world::parse(tokens.clone(), None, &mut errors) else {
        return errors.finish(TokenStream::new());
    };
    if parsed.includes.paths.is_empty() {
        return known_world(parsed, errors);
    }
    // the second pass in `including_world!` reports the mistakes
    let _reported_in_second_pass = errors.finish(TokenStream::new());
    expand::include::calls(&parsed, "including_world", &tokens)
}

pub(crate) fn including_world(tokens: TokenStream) -> TokenStream {
    let mut errors = Diagnostics::default();
    let (given, tokens) = parse::include::handed_over(tokens);
    match parse::world::parse(tokens, Some(given), &mut errors) {
        Some(parsed) => known_world(parsed, errors),
        None => errors.finish(TokenStream::new()),
    }
}

fn known_world(parsed: parse::world::World, mut errors: Diagnostics) -> TokenStream {
    let mut world = model::world::World::new(parsed);
    check::world::check(&mut world, &mut errors);
    errors.finish(expand::world::expand(&world))
}

pub(crate) fn parts(tokens: TokenStream) -> TokenStream {
    let mut errors = Diagnostics::default();
    let Some(parsed) = parse::parts::parse(tokens.clone(), None, &mut errors) else {
        return errors.finish(TokenStream::new());
    };
    let bodies: Vec<_> =
        parsed.schedules.iter().map(|schedule| (schedule.ident.clone(), schedule.body.clone())).collect();
    let needed = (!parsed.includes.paths.is_empty())
        .then(|| expand::include::calls(&parsed, "including_parts", &tokens));
    let mut parts = model::world::World::new(parsed);
    check::parts::check(&mut parts, &mut errors);
    let listed = expand::parts::of_lists(&parts, &bodies);
    let checked = match needed {
        Some(calls) if errors.is_empty() => calls,
        // the second pass would report the same mistakes
        Some(_) => TokenStream::new(),
        None => expand::parts::of_world(parts),
    };
    errors.finish(expand::parts::expand(&listed, &checked))
}

pub(crate) fn including_parts(tokens: TokenStream) -> TokenStream {
    let mut errors = Diagnostics::default();
    let (given, tokens) = parse::include::handed_over(tokens);
    let Some(parsed) = parse::parts::parse(tokens, Some(given), &mut errors) else {
        return errors.finish(TokenStream::new());
    };
    let mut parts = model::world::World::new(parsed);
    check::parts::check(&mut parts, &mut errors);
    errors.finish(expand::parts::of_world(parts))
}

//! One function for each macro, which runs its stages: parse, model, check, expand.

use proc_macro2::{Span, TokenStream};
use quote::format_ident;

use crate::diagnostic::Diagnostics;
use crate::model::field_struct::FieldStruct;
use crate::model::marker::{Kind, Marker};
use crate::parse::derive::{BUNDLE, EVENT, FOREIGN, META_ASPECT, Of, QUERY, RESOURCE, SYSTEM_PARAM};
use crate::{check, expand, foreign, model, parse, source_file};

/// Runs the stages of a macro. `rest` makes the expansion of what the parser has read; the messages
/// stand before it.
fn run<P>(
    tokens: TokenStream,
    parse: impl FnOnce(TokenStream, &mut Diagnostics) -> Option<P>,
    rest: impl FnOnce(P, &mut Diagnostics) -> TokenStream,
) -> TokenStream {
    let mut errors = Diagnostics::default();
    let expanded = parse(tokens, &mut errors).map(|parsed| rest(parsed, &mut errors));
    errors.finish(expanded.unwrap_or_default())
}

/// Runs the stages of a derive, of which none but the first can fail.
fn derive<P, M>(
    tokens: TokenStream,
    parse: impl FnOnce(TokenStream, &mut Diagnostics) -> Option<P>,
    model: impl FnOnce(P) -> M,
    check: fn(&M, &mut Diagnostics),
    expand: fn(&M) -> TokenStream,
) -> TokenStream {
    run(tokens, parse, |parsed, errors| {
        let model = model(parsed);
        check(&model, errors);
        expand(&model)
    })
}

pub(crate) fn component(tokens: TokenStream) -> TokenStream {
    use model::component::Component;
    let mut errors = Diagnostics::default();
    let parsed = parse::component::parse(tokens.clone(), false, &mut errors);
    let Some(parsed) = parsed else {
        // the impls of a relation, so that no other error follows
        let of_relation = parse::component::is_relation(tokens.clone()).then(|| relation(tokens));
        return errors.finish(of_relation.unwrap_or_default());
    };
    let impls_of_fields = check::unsaved::check(&parsed.item, &parsed.ecs, &mut errors);
    let component = Component::new(parsed);
    check::component::check(&component, &mut errors);
    let mut expanded = expand::component::expand(&component);
    expanded.extend(impls_of_fields);
    errors.finish(expanded)
}

pub(crate) fn relation(tokens: TokenStream) -> TokenStream {
    use model::relation::Relation;
    derive(tokens, parse::relation::parse, Relation::new, check::relation::check, expand::relation::expand)
}

pub(crate) fn resource(tokens: TokenStream) -> TokenStream {
    marker(tokens, &RESOURCE, Kind::Resource)
}

pub(crate) fn event(tokens: TokenStream) -> TokenStream {
    marker(tokens, &EVENT, Kind::Event)
}

fn marker(tokens: TokenStream, of: &Of, kind: Kind) -> TokenStream {
    run(
        tokens,
        |tokens, errors| of.parse(tokens, errors),
        |parsed, errors| {
            let impls_of_fields = check::unsaved::check(&parsed.item, &parsed.ecs, errors);
            let marker = Marker::new(parsed, kind);
            check::marker::check(&marker, errors);
            let mut expanded = expand::marker::expand(&marker);
            expanded.extend(impls_of_fields);
            expanded
        },
    )
}

pub(crate) fn reflect(tokens: TokenStream) -> TokenStream {
    use model::reflect::Reflect;
    derive(tokens, parse::reflect::parse, Reflect::new, check::reflect::check, expand::reflect::expand)
}

pub(crate) fn bundle(tokens: TokenStream) -> TokenStream {
    use model::bundle::Bundle;
    let parse = |tokens, errors: &mut _| BUNDLE.parse(tokens, errors);
    derive(tokens, parse, Bundle::new, check::bundle::check, expand::bundle::expand)
}

pub(crate) fn aspect(tokens: TokenStream) -> TokenStream {
    run(tokens, parse::aspect::parse, |parsed, errors| {
        let model = model::aspect::Aspect::new(parsed);
        check::aspect::check(&model, errors);
        let mut expanded = expand::aspect::expand(&model);
        expanded.extend(check::underived::aspects(&model, errors).into_iter().map(aspect));
        expanded
    })
}

pub(crate) fn meta_aspect(tokens: TokenStream) -> TokenStream {
    use model::meta_aspect::MetaAspect;
    let parse = |tokens, errors: &mut _| META_ASPECT.parse(tokens, errors);
    derive(tokens, parse, MetaAspect::new, check::meta_aspect::check, expand::meta_aspect::expand)
}

pub(crate) fn states(tokens: TokenStream) -> TokenStream {
    use model::states::States;
    derive(tokens, parse::states::parse, States::new, check::states::check, expand::states::expand)
}

/// The states of an enum whose derive is a mistake: the file may have a module with their name.
fn states_beside_modules(tokens: TokenStream) -> TokenStream {
    use model::states::States;
    let model = |parsed| {
        let mut states = States::new(parsed);
        if source_file::declares("mod", &states.module) {
            states.module = format_ident!("states_of_{}", states.module);
        }
        states
    };
    derive(tokens, parse::states::parse, model, check::states::check, expand::states::expand)
}

pub(crate) fn components_from(tokens: TokenStream) -> TokenStream {
    let parse = |tokens, errors: &mut _| Some(parse::components_from::parse(tokens, errors));
    let model = model::components_from::Definitions::new;
    derive(tokens, parse, model, check::components_from::check, expand::components_from::expand)
}

pub(crate) fn query(tokens: TokenStream) -> TokenStream {
    run(
        tokens,
        |tokens, errors| QUERY.parse(tokens, errors),
        |parsed, errors| {
            let query = FieldStruct::new(parsed);
            check::query::check(&query, errors);
            let broken = !errors.is_empty() || query.leaves_out_a_borrow();
            expand::query::expand(&query, broken)
        },
    )
}

pub(crate) fn system_param(tokens: TokenStream) -> TokenStream {
    run(
        tokens,
        |tokens, errors| SYSTEM_PARAM.parse(tokens, errors),
        |parsed, errors| {
            let param = FieldStruct::new(parsed);
            check::system_param::check(&param, errors);
            match errors.is_empty() && !param.leaves_out_a_parameter() {
                true => expand::system_param::expand(&param),
                false => expand::system_param::stub(&param),
            }
        },
    )
}

/// A derive of another library: its error, and the expansion of the derive of this library.
pub(crate) fn foreign_derive(derive: &str, tokens: TokenStream) -> TokenStream {
    let (mut errors, mut unused) = (Diagnostics::default(), Diagnostics::default());
    let name = FOREIGN.parse(tokens.clone(), &mut unused).map(|parsed| parsed.item.ident);
    let _reported_by_the_expansion = unused.finish(TokenStream::new());
    let Some(name) = name else { return errors.finish(TokenStream::new()) };
    let cure = foreign::derive_cure(derive, &name.to_string());
    if !cure.is_empty() {
        errors.at(Span::call_site(), cure);
    }
    let query = |errors: &mut _| QUERY.parse(tokens.clone(), errors).map(FieldStruct::new);
    let expanded = match derive {
        "QueryFilter" => query(&mut errors).map(|query| expand::query::filter_stub(&query)),
        "QueryData" | "WorldQuery" => query(&mut errors).map(|query| expand::query::expand(&query, true)),
        "SubStates" | "State" => Some(states_beside_modules(tokens)),
        "Message" | "EntityEvent" | "event" | "Events" => Some(event(tokens)),
        "Unique" | "resource" | "Resources" => Some(resource(tokens)),
        "component" | "Components" => Some(component(tokens)),
        "bundle" => Some(bundle(tokens)),
        "Deref" | "DerefMut" => expand::deref::expand(derive, &tokens),
        _ => None,
    };
    errors.finish(expanded.unwrap_or_default())
}

/// The attribute `#[systems]`, for `#[system]`.
pub(crate) fn systems(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Diagnostics::default();
    let shown = match arguments.to_string() {
        arguments if arguments.is_empty() => "#[system]".to_owned(),
        arguments => format!("#[system({arguments})]"),
    };
    errors.at(Span::call_site(), format!("the attribute of a system is `{shown}`, without `s`"));
    let expanded = system(arguments, item);
    errors.finish(expanded)
}

pub(crate) fn system(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Diagnostics::default();
    let parsed = match parse::system::parse(arguments, item, &mut errors) {
        Ok(parsed) => parsed,
        Err(item) => return errors.finish(item),
    };
    let mut system = model::system::System::new(parsed);
    check::system::check(&mut system, &mut errors);
    let output = match check::system::unmet_condition(&system).filter(|_| errors.is_empty()) {
        Some((condition, error)) => expand::system::under_condition(system, &condition, &error),
        None if errors.is_empty() => expand::system::expand(&system),
        None => expand::system::stub(&system),
    };
    errors.finish(output)
}

pub(crate) fn world(tokens: TokenStream) -> TokenStream {
    let mut errors = Diagnostics::default();
    let Some(parsed) = parse::world::parse(tokens.clone(), None, &mut errors) else {
        return errors.finish(TokenStream::new());
    };
    if parsed.includes.paths.is_empty() {
        let expanded = known_world(parsed, &mut errors);
        return errors.finish(expanded);
    }
    // the second pass in `including_world!` reports the mistakes
    let _reported_in_second_pass = errors.finish(TokenStream::new());
    expand::include::calls(&parsed, "including_world", &tokens)
}

pub(crate) fn including_world(tokens: TokenStream) -> TokenStream {
    let (given, tokens) = parse::include::handed_over(tokens);
    run(tokens, |tokens, errors| parse::world::parse(tokens, Some(given), errors), known_world)
}

fn known_world(parsed: parse::world::World, errors: &mut Diagnostics) -> TokenStream {
    let mut world = model::world::World::new(parsed);
    world.lacks_steps = !errors.is_empty();
    check::underived::check_lists(&mut world, errors);
    check::world::check(&mut world, errors);
    let underived = check::underived::check(&mut world, errors);
    let import = source_file::is_imported_beside(&world.ident).then(|| world.renamed());
    let mut expanded = expand::world::expand(&world);
    expanded.extend(import);
    expanded.extend(underived.components.into_iter().map(component));
    expanded.extend(underived.resources.into_iter().map(resource));
    expanded.extend(underived.events.into_iter().map(event));
    expanded.extend(underived.states.into_iter().map(states));
    expanded
}

pub(crate) fn parts(tokens: TokenStream) -> TokenStream {
    let mut errors = Diagnostics::default();
    let Some(parsed) = parse::parts::parse(tokens.clone(), None, &mut errors) else {
        return errors.finish(TokenStream::new());
    };
    let adds = parsed.includes.adds;
    let others = (!parsed.includes.paths.is_empty())
        .then(|| expand::include::calls(&parsed, "including_parts", &tokens));
    let mut parts = model::world::World::new(parsed);
    check::parts::check(&mut parts, &mut errors);
    match others {
        // the lists have the entries of the included parts
        Some(calls) if adds && errors.is_empty() => errors.finish(calls),
        Some(calls) => {
            // the second pass would report the same mistakes
            let checked = if errors.is_empty() { calls } else { TokenStream::new() };
            let listed = expand::parts::of_lists(&parts);
            errors.finish(expand::parts::expand(&listed, &checked))
        }
        None => {
            let listed = expand::parts::of_lists(&parts);
            errors.finish(expand::parts::expand(&listed, &expand::parts::of_world(parts)))
        }
    }
}

pub(crate) fn including_parts(tokens: TokenStream) -> TokenStream {
    let (given, tokens) = parse::include::handed_over(tokens);
    run(
        tokens,
        |tokens, errors| parse::parts::parse(tokens, Some(given), errors),
        |parsed, errors| {
            let adds = parsed.includes.adds;
            let mut parts = model::world::World::new(parsed);
            check::parts::check(&mut parts, errors);
            if !adds {
                return expand::parts::of_world(parts);
            }
            let listed = expand::parts::of_lists(&parts);
            expand::parts::expand(&listed, &expand::parts::of_world(parts))
        },
    )
}

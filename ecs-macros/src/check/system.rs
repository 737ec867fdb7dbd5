//! The rules of systems that tokens can show.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Pat, ReturnType, Type, TypeParamBound};

use super::asked;
use super::place::{self, Owner};
use crate::built_in::{Argument, BuiltIn, Role};
use crate::diagnostic::{Culprit, Diagnostics};
use crate::lifetimes;
use crate::model::parameter::{Kind, Parameter, Tree, named};
use crate::model::system::{System, World, trait_without_bounds};
use crate::names::{article, source, text, ungroup};
use crate::source_file;
use crate::types::{self, find_impl, find_macro};

pub(crate) fn check(system: &mut System, errors: &mut Diagnostics) {
    if !is_of_a_world(system, errors) {
        return;
    }
    has_no_misplaced_types(system, errors);
    has_no_longer_tuples(system, errors);
    names_the_world_of_commands(system, errors);
    is_taken_as_a_whole(system, errors);
    super::body::check(system, errors);
    let system = &*system;
    is_a_plain_function(system, errors);
    is_no_method(system, errors);
    let name = system.name();
    for parameter in &system.parameters {
        let shown = &parameter.name;
        for (at, text) in OF_PARAMETERS.iter().flat_map(|rule| rule(system, parameter)) {
            errors.at(at, format!("system `{name}`: parameter `{shown}` {text}"));
        }
        asks_for_something(system, parameter, errors);
        names_its_world(system, parameter, errors);
        names_its_lifetime(system, parameter, errors);
    }
    takes_inputs_first(system, errors);
    background_takes_no_input(system, errors);
    bounds_its_parameters(system, errors);
    returns_owned_data(system, errors);
    returns_nothing_per_entity(system, errors);
    par_is_per_entity(system, errors);
    returns_what_a_skipped_system_returns(system, errors);
    background_reads_a_copy(system, errors);
}

/// The condition under which the world lists a type that the system asks for without a condition,
/// and the error for a program in which it does not hold. The file shows it.
pub(crate) fn unmet_condition(system: &System) -> Option<(TokenStream, syn::Error)> {
    let World::Concrete(world) = &system.world else { return None };
    let world = source(world);
    if system.attributes.iter().any(|attribute| attribute.path().is_ident("cfg")) {
        return None;
    }
    let asked = system.parameters.iter().flat_map(|parameter| types::paths(&parameter.node.ty));
    asked.into_iter().find_map(|ty| {
        let Type::Path(path) = ty else { return None };
        let name = path.path.get_ident()?;
        let condition = source_file::condition_of(name, &world)?;
        let error = path.wrong(format!(
            "system `{}` asks for `{name}`, which world `{world}` lists under `#[cfg({condition})]`, and that does not hold: write \
             `#[cfg({condition})]` before the system, and before the schedule's step with it",
            system.name()
        ));
        Some((condition, error))
    })
}

fn is_a_plain_function(system: &System, errors: &mut Diagnostics) {
    let (name, signature) = (system.name(), &system.signature);
    let mut refuse = |tokens: Option<&dyn ToTokens>, what: &str, cure: &str| {
        if let Some(tokens) = tokens {
            errors.at(&tokens.to_token_stream(), format!("system `{name}` {what}: {cure}"));
        }
    };
    let plain = "a system is a plain function, which a schedule calls";
    refuse(signature.constness.as_ref().map(|it| it as _), "is `const`", plain);
    refuse(
        signature.asyncness.as_ref().map(|it| it as _),
        "is `async`",
        "a schedule runs it to its end; remove `async`",
    );
    let unsafety = match &signature.safety {
        syn::Safety::Unsafe(word) => Some(word as _),
        _ => None,
    };
    refuse(unsafety, "is `unsafe`", plain);
    refuse(signature.abi.as_ref().map(|it| it as _), "is `extern`", plain);
    refuse(signature.variadic.as_ref().map(|it| it as _), "has `...`", "every parameter is one with a type");
    refuse(
        signature.receiver().map(|it| it as _),
        "takes `self`",
        "a system is a free function; what it needs comes as parameters, for instance `Res<T>`",
    );
}

/// Refuses a component, resource or event in place of the world. Its file shows that it is one.
fn is_of_a_world(system: &System, errors: &mut Diagnostics) -> bool {
    let World::Concrete(ty) = &system.world else { return true };
    let Type::Path(path) = &**ty else { return true };
    let is_trait = || path.path.is_ident("World") && !source_file::is_of_the_user(ty);
    if path.path.get_ident().is_some_and(source_file::are_parts) {
        let (name, shown) = (system.name(), source(path));
        errors.push(path.wrong(format!(
            "system `{name}`: `{shown}` are parts, and a system of parts is one of every world that includes them: write `#[system]`"
        )));
        return false;
    }
    let name = system.name();
    if path.path.get_ident().is_some_and(|world| source_file::is_beside_parts(&name, world)) {
        let shown = source(path);
        errors.push(path.wrong(format!(
            "system `{name}` stands beside `parts!`, where there is no world `{shown}`: a system of parts is one of every world that includes them: \
             write `#[system]`"
        )));
        return false;
    }
    let noun = path.path.get_ident().and_then(source_file::noun_of).or_else(|| is_trait().then_some("trait"));
    if let Some(noun) = noun {
        let (name, shown) = (system.name(), source(path));
        let article = article(noun);
        errors.push(path.wrong(format!(
            "system `{name}`: `{shown}` is {article} {noun}, and no world: name the struct in the `world!`, or leave it out for every world, \
             `#[system]`"
        )));
    }
    noun.is_none()
}

/// Refuses an associated function. Its file shows that it is one.
fn is_no_method(system: &System, errors: &mut Diagnostics) {
    if system.is_method && system.signature.receiver().is_none() {
        let name = system.name();
        errors.push(system.ident().wrong(format!(
            "system `{name}` is in an `impl` or a `trait`: a system is a free function; move it out"
        )));
    }
}

/// The culprits in a parameter, and the messages behind its name.
type Found<'p> = Vec<(&'p dyn ToTokens, String)>;

/// The rules of single parameters.
const OF_PARAMETERS: [for<'p> fn(&'p System, &'p Parameter) -> Found<'p>; 5] =
    [impl_trait, macros, conditions, traits_of_worlds, shared_worlds];

fn impl_trait<'p>(_: &'p System, parameter: &'p Parameter) -> Found<'p> {
    let text = "is `impl Trait`: name a type, or add a type parameter to the function";
    find_impl(&parameter.node.ty).map(|found| (found as _, text.to_owned())).into_iter().collect()
}

/// Macros in types: the expansion repeats the type, and a macro could expand to a different type each
/// time.
fn macros<'p>(_: &'p System, parameter: &'p Parameter) -> Found<'p> {
    let text = "has a macro in its type: write the type out, or name it with `type`";
    find_macro(&parameter.node.ty).map(|found| (found as _, text.to_owned())).into_iter().collect()
}

/// Attributes of legion, and conditions of compilation.
fn conditions<'p>(_: &'p System, parameter: &'p Parameter) -> Found<'p> {
    let shown = &parameter.name;
    let mut found: Found<'p> = Vec::new();
    for attribute in &parameter.node.attrs {
        let path = attribute.path();
        if is_of_legion(attribute) {
            let cure = match ungroup(&parameter.node.ty) {
                Type::Reference(reference) if path.is_ident("resource") => {
                    let (declared, res) =
                        if reference.mutability.is_some() { ("mut ", "ResMut") } else { ("", "Res") };
                    format!("write `{declared}{shown}: {res}<{}>`", source(&reference.elem))
                }
                Type::Reference(reference) => {
                    format!("write `mut {shown}: Local<{}>`", source(&reference.elem))
                }
                _ => format!("write `{shown}: Res<T>`"),
            };
            found.push((attribute, format!("has the attribute `{}` of legion: {cure}", source(path))));
        }
        if path.is_ident("cfg") || path.is_ident("cfg_attr") {
            found.push((attribute, "depends on a `cfg`: put it on the whole function".to_owned()));
        }
    }
    found
}

/// `#[resource]` or `#[state]` of a parameter.
fn is_of_legion(attribute: &syn::Attribute) -> bool {
    attribute.path().is_ident("resource") || attribute.path().is_ident("state")
}

fn asks_for_something(system: &System, parameter: &Parameter, errors: &mut Diagnostics) {
    let Kind::Query { data, .. } = &parameter.kind else { return };
    let (name, query) = (system.name(), &parameter.name);
    if data.leaves().is_empty() {
        errors.push(parameter.node.ty.wrong(format!(
            "system `{name}`: query `{query}` is empty: it has no element to match; name a component, or \
                 `Entity` for every entity"
        )));
    } else if data.has_empty_tuple() {
        errors.push(
            parameter
                .node
                .ty
                .wrong(format!("system `{name}`: query `{query}` has an empty tuple in it: remove `()`")),
        );
    }
}

/// `&mut World`, where `World` is the trait.
fn traits_of_worlds<'p>(system: &'p System, parameter: &'p Parameter) -> Found<'p> {
    if !parameter.is_trait_of_worlds() {
        return Vec::new();
    }
    let (name, shown, ty) = (system.name(), &parameter.name, &parameter.node.ty);
    let cure = match &system.world {
        World::Concrete(world) => format!("name the world, `{shown}: &mut {}`", source(world)),
        World::Parameter(world) => format!("name the type parameter, `{shown}: &mut {world}`"),
        World::Any => format!(
            "name the world, `#[system(Game)] fn {name}({shown}: &mut Game)`, or be generic over it, \
             `#[system(W)] fn {name}<W: World>({shown}: &mut W)`"
        ),
    };
    vec![(ty, format!("is `{}`, a trait: {cure}", source(ty)))]
}

fn shared_worlds<'p>(system: &'p System, parameter: &'p Parameter) -> Found<'p> {
    if !matches!(parameter.kind, Kind::SharedWorld) {
        return Vec::new();
    }
    let world = source(&system.world());
    let text = format!(
        "is `&{world}`: a system has the whole world as `&mut {world}`, or the parts it needs as `Query` and `Res`"
    );
    vec![(&parameter.node.ty, text)]
}

/// Refuses types of the library in wrong places. Reports the first mistake of each parameter, and
/// marks the parameter as broken. Of the types of another library that come in groups only the
/// first is reported.
fn has_no_misplaced_types(system: &mut System, errors: &mut Diagnostics) {
    let (name, world) = (system.name(), system.world.spelled());
    let mut is_first = true;
    for parameter in &mut system.parameters {
        let owner = Owner { name: &parameter.name, world: world.as_deref(), query: None };
        if parameter.node.attrs.iter().any(is_of_legion) {
            parameter.broken = true; // the attribute is reported, with the right type
        } else if let Some(mistake) = place::of_parameter(&owner, &parameter.node.ty)
            .or_else(|| asked::refused(world.as_deref(), &parameter.node.ty))
        {
            let (parameter_name, text) = (&parameter.name, mistake.text);
            if is_first || !mistake.is_of_a_group {
                errors.at(mistake.at, format!("system `{name}`: parameter `{parameter_name}` {text}"));
            }
            is_first &= !mistake.is_of_a_group;
            parameter.broken = true;
        }
    }
}

/// Refuses a query with more elements than the tuples of the library have.
fn has_no_longer_tuples(system: &mut System, errors: &mut Diagnostics) {
    const MOST: usize = 12;
    let name = system.name();
    for parameter in system.parameters.iter_mut().filter(|parameter| !parameter.broken) {
        let Kind::Query { data, filter, .. } = &parameter.kind else { continue };
        let Some(count) = [data, filter].into_iter().map(Tree::longest).find(|&count| count > MOST) else {
            continue;
        };
        let shown = &parameter.name;
        errors.push(parameter.node.ty.wrong(format!(
            "system `{name}`: query `{shown}` has a tuple of {count} elements, and tuples have at most twelve: put some of them into a tuple \
             of their own, `(A, B, (C, D))`, or give them names in a struct with `#[derive(Query)]`"
        )));
        parameter.broken = true;
    }
}

/// Refuses a pattern that takes a parameter of the library apart, as in
/// `Single((a, b)): Single<(&A, &B)>`: of these types only `In` has a public field.
fn is_taken_as_a_whole(system: &mut System, errors: &mut Diagnostics) {
    let name = system.name();
    for parameter in system.parameters.iter_mut().filter(|parameter| !parameter.broken) {
        let (pattern, ty) = (&*parameter.node.pat, &parameter.node.ty);
        let Some((built_in, _)) = BuiltIn::named(ty).filter(|(one, _)| one.role == Role::Parameter) else {
            continue;
        };
        let inner = match pattern {
            Pat::TupleStruct(inner) if built_in.name != "In" && inner.elems.len() == 1 => {
                source(&inner.elems)
            }
            Pat::Tuple(inner) => source(inner),
            _ => continue,
        };
        let (shown, ty) = (source(pattern), source(ty));
        let cure = match built_in.name {
            "Single" => format!("write `single: {ty}`, and `let {inner} = single.into_inner();`"),
            _ => format!("write `name: {ty}`, whose methods and fields are found by the name"),
        };
        errors.push(pattern.wrong(format!(
            "system `{name}`: `{shown}` takes `{}` apart, whose fields are private: {cure}",
            built_in.name
        )));
        parameter.broken = true;
    }
}

/// Refuses `Commands` without its world, of `World`, and of a world that the attribute does not
/// name.
///
/// In the last case the system gets the world of its commands, so that no other message follows.
/// `Commands<'_>` is accepted: it is an alias of the user.
fn names_the_world_of_commands(system: &mut System, errors: &mut Diagnostics) {
    let name = system.name();
    let mut found = None;
    for parameter in system.parameters.iter_mut().filter(|parameter| !parameter.broken) {
        let Some((_, arguments)) = named(&parameter.node.ty).filter(|(name, _)| name == "Commands") else {
            continue;
        };
        if arguments.is_empty() && !lifetimes::in_type(&parameter.node.ty).is_empty() {
            continue;
        }
        let shown = &parameter.name;
        let of_trait = arguments.first().is_some_and(|world| source(world) == "World")
            && !matches!(&system.world, World::Concrete(world) if source(world) == "World");
        let text = match (arguments.as_slice(), &system.world) {
            (_, World::Any) if arguments.is_empty() || of_trait => format!(
                "name it, `#[system(Game)] fn {name}(mut {shown}: Commands<Game>)`, or be generic over it, \
                 `#[system(W)] fn {name}<W: World>(mut {shown}: Commands<W>)`"
            ),
            ([], world) => format!("write `Commands<{}>`", world.spelled().unwrap_or_default()),
            ([_], world) if of_trait => format!("write `Commands<{}>`", world.spelled().unwrap_or_default()),
            ([world], World::Any) => {
                found = Some((*world).clone());
                let is_parameter =
                    system.signature.generics.type_params().any(|one| source(&one.ident) == source(world));
                let world = source(world);
                if is_parameter {
                    format!(
                        "name `{world}` in the attribute, `#[system({world})] fn {name}<{world}: World>(..)`"
                    )
                } else {
                    format!("name it in the attribute, `#[system({world})]`")
                }
            }
            _ => continue,
        };
        let wrong = match (arguments.is_empty(), of_trait) {
            (true, _) => "is `Commands` without its world",
            (_, true) => "is `Commands` of `World`, a trait and not a world",
            _ => "gives commands to one world, and `#[system]` alone is for every world",
        };
        errors.at(&parameter.node.ty, format!("system `{name}`: parameter `{shown}` {wrong}: {text}"));
        parameter.broken = true;
    }
    if let Some(world) = found {
        system.world = World::of(Some(world), &system.signature);
    }
}

/// Refuses a borrowed type parameter with the bound `World` if the attribute does not name it.
fn names_its_world(system: &System, parameter: &Parameter, errors: &mut Diagnostics) {
    let (World::Any, Type::Reference(reference)) = (&system.world, ungroup(&parameter.ty)) else { return };
    let world = system
        .signature
        .generics
        .type_params()
        .find(|one| source(&one.ident) == source(&reference.elem) && one.bounds.iter().any(is_world));
    if let Some(world) = world {
        let (name, world) = (system.name(), &world.ident);
        errors.push(parameter.node.ty.wrong(format!(
            "system `{name}`: `{world}` is its world: name it in the attribute, `#[system({world})]`"
        )));
    }
}

/// Refuses a type of the user without a lifetime in a system that is generic, whose bounds name the
/// type: the compiler would ask for a lifetime that a function does not need.
fn names_its_lifetime(system: &System, parameter: &Parameter, errors: &mut Diagnostics) {
    let ty = ungroup(&parameter.node.ty);
    let is_own =
        matches!(parameter.kind, Kind::Other) && matches!(ty, Type::Path(_)) && BuiltIn::named(ty).is_none();
    if system.is_concrete() || parameter.broken || !is_own || !lifetimes::in_type(ty).is_empty() {
        return;
    }
    let Some((last, arguments)) = named(ty).filter(|(last, _)| last != "Tick") else { return };
    let (name, shown, spelled) = (system.name(), &parameter.name, source(ty));
    let inner: Vec<String> = arguments.iter().map(source).collect();
    let right = match inner.as_slice() {
        [] => format!("{last}<'_>"),
        inner => format!("{last}<'_, {}>", inner.join(", ")),
    };
    errors.push(ty.wrong(format!(
        "system `{name}` is generic, and its parameter `{shown}` is `{spelled}` without a lifetime: a struct with `#[derive(SystemParam)]` is \
         written `{right}` here, and a component is borrowed, `&{spelled}`"
    )));
}

fn is_world(bound: &TypeParamBound) -> bool {
    matches!(bound, TypeParamBound::Trait(bound)
        if bound.path.segments.last().is_some_and(|last| last.ident == "World"))
}

/// Refuses an input behind another parameter: the arguments of a schedule are those of the first
/// parameters.
fn takes_inputs_first(system: &System, errors: &mut Diagnostics) {
    let is_input = |parameter: &&Parameter| matches!(parameter.kind, Kind::Input(_));
    let late = system.parameters.iter().skip_while(is_input).find(is_input);
    if let Some(late) = late {
        let (name, parameter) = (system.name(), &late.name);
        errors.push(late.node.ty.wrong(format!(
            "system `{name}`: parameter `{parameter}` is an input: inputs come before all other parameters"
        )));
    }
}

/// Refuses inputs of a system in the background, which starts by itself.
fn background_takes_no_input(system: &System, errors: &mut Diagnostics) {
    let input = system.parameters.iter().find(|parameter| matches!(parameter.kind, Kind::Input(_)));
    if let (Some(_), Some(input)) = (&system.background, input) {
        let (name, parameter) = (system.name(), &input.name);
        errors.push(input.node.ty.wrong(format!("system `{name}` runs in the background, and takes no input: let parameter `{parameter}` be a resource, `Res<T>`")));
    }
}

/// Refuses a type parameter that may be a borrow: a world owns its data.
fn bounds_its_parameters(system: &System, errors: &mut Diagnostics) {
    for parameter in system.unbounded() {
        let (name, ty) = (system.name(), text(&parameter.ident));
        let takes = |argument| system.parameters.iter().any(|one| takes(&one.node.ty, argument, &ty));
        let bound = if takes(Argument::Resource) {
            "Resource"
        } else if takes(Argument::Event) {
            "Event"
        } else if takes(Argument::Value) {
            "Default + Clone + Send + Sync + 'static"
        } else {
            "Component"
        };
        if let Some(of) = parameter.bounds.iter().find_map(trait_without_bounds) {
            errors.push(of.wrong(format!(
                "system `{name}`: type parameter `{ty}` has the bound `{of}`, which a borrow may have: write `trait {of}: {bound}`"
            )));
            continue;
        }
        errors.push(parameter.ident.wrong(format!(
            "system `{name}`: type parameter `{ty}` has no bound, and may be a borrow: write `{ty}: {bound}`"
        )));
    }
}

/// Whether the type is a built-in type that takes arguments of this kind, and `parameter` is one of
/// them.
fn takes(ty: &Type, argument: Argument, parameter: &str) -> bool {
    BuiltIn::named(ty).is_some_and(|(built_in, arguments)| {
        built_in.argument == argument && arguments.iter().any(|argument| source(argument) == parameter)
    })
}

fn returns_owned_data(system: &System, errors: &mut Diagnostics) {
    let name = system.name();
    let ReturnType::Type(_, ty) = &system.signature.output else { return };
    if let Some(found) = find_impl(ty) {
        errors.at(found, format!("system `{name}` returns `impl Trait`: name the type that it returns"));
    } else if let Some(right) = system.complete_result() {
        errors.at(ty, format!("system `{name}` returns `{}` without its types: write `{right}`", source(ty)));
    } else if matches!(**ty, Type::Never(_)) {
        errors.push(
            ty.wrong(format!("system `{name}` never returns: the schedule would end with it; remove `-> !`")),
        );
    } else if lifetimes::borrows(&system.signature.output) {
        errors.push(ty.wrong(format!(
            "system `{name}` returns a borrow of one of its parameters, which ends with the call: return a copy"
        )));
    }
}

fn returns_nothing_per_entity(system: &System, errors: &mut Diagnostics) {
    let ReturnType::Type(_, ty) = &system.signature.output else { return };
    let is_nothing = matches!(ungroup(ty), Type::Tuple(tuple) if tuple.elems.is_empty());
    let Some(row) = system.parameters.iter().find(|parameter| parameter.is_row()) else { return };
    if !is_nothing {
        let (name, row, ty_text) = (system.name(), &row.name, source(ty));
        errors.push(ty.wrong(format!(
            "system `{name}` returns `{ty_text}`, but runs once for every entity because of its \
                parameter `{row}`: \
                 return nothing, or take a `Query`"
        )));
    }
}

/// Refuses a return type without a value for a system that `Single` or `Populated` skips.
fn returns_what_a_skipped_system_returns(system: &System, errors: &mut Diagnostics) {
    let ReturnType::Type(_, ty) = &system.signature.output else { return };
    let Some(parameter) = system.parameters.iter().find(|parameter| parameter.skips()) else { return };
    if system.is_per_entity() || system.skipped_output().is_some() {
        return;
    }
    let (name, shown, ty_text) = (system.name(), &parameter.name, source(ty));
    errors.push(ty.wrong(format!(
        "system `{name}` returns `{ty_text}`, and its parameter `{shown}` may skip it: return `Option<{ty_text}>`, `bool`, \
         `Result<(), E>` or nothing, or take a `Query` and call its method `single`"
    )));
}

/// Refuses `par` on a system that does not run once for each entity.
fn par_is_per_entity(system: &System, errors: &mut Diagnostics) {
    let Some(par) = &system.par else { return };
    let name = system.name();
    if system.is_exclusive() {
        errors.at(par, format!("system `{name}` takes the whole world, which one thread has: remove `par`"));
    } else if !system.is_per_entity() {
        errors.push(par.wrong(format!(
            "system `{name}` runs once: `par` spreads the entities of a system that runs once for each, such as \
             `fn {name}(position: &mut Position)`; within a system, `par_for_each` spreads those of a query"
        )));
    }
}

/// Refuses what a system in the background could change in its copy of the world only, and what is
/// not in the copy.
fn background_reads_a_copy(system: &System, errors: &mut Diagnostics) {
    let Some(background) = &system.background else { return };
    let name = system.name();
    if let Some(par) = &system.par {
        errors.push(par.wrong(format!(
            "system `{name}` runs in the background, on one thread of its own: remove `par`, or `{}`",
            background.word
        )));
    }
    if let ReturnType::Type(_, ty) = &system.signature.output
        && !matches!(ungroup(ty), Type::Tuple(tuple) if tuple.elems.is_empty())
        && !named(ty).is_some_and(|(name, _)| name.contains("Result"))
    {
        errors.push(ty.wrong(format!(
            "system `{name}` runs in the background and returns `{}`: it returns nothing, or `Result<(), E>` in a \
             `schedule .. -> Result`; write values by `EventWriter<E>`, `ParCommands<{}>` or `Accumulator<R>`",
            source(ty),
            source(&system.world())
        )));
    }
    for parameter in system.parameters.iter().filter(|parameter| !parameter.broken) {
        if let Some((at, text)) = changes_a_copy(system, parameter) {
            let shown = &parameter.name;
            errors.at(at, format!("system `{name}` runs in the background, on a copy of the world: parameter `{shown}` {text}"));
        }
    }
}

/// The part of a parameter's type by which it changes the world, or reads what a copy does not
/// have, and the cure.
fn changes_a_copy<'a>(system: &System, parameter: &'a Parameter) -> Option<(&'a Type, String)> {
    let world = source(&system.world());
    if matches!(parameter.kind, Kind::World) {
        return Some((
            &parameter.node.ty,
            format!(
                "would change the copy only: take what the system reads, such as `Query<&T>`, and change the world by \
             `mut commands: ParCommands<{world}>`, for example `commands.run(|world| ..)`"
            ),
        ));
    }
    let elements = match &parameter.kind {
        Kind::Query { .. } => query_data(&parameter.node.ty),
        Kind::Element(_) => vec![&*parameter.node.ty],
        _ => Vec::new(),
    };
    if let Some((at, component)) = elements.into_iter().find_map(written) {
        return Some((
            at,
            format!("would change the copy only: read `&{component}`, and write by `ParCommands<{world}>`"),
        ));
    }
    let (named, arguments) = named(&parameter.node.ty)?;
    let shown = &parameter.name;
    let argument = arguments.first().map(source).unwrap_or_default();
    let logged = format!(
        "reads a log that goes on without the copy: read it in a system before `{}`, and keep it in a resource",
        system.name()
    );
    let text = match named.as_str() {
        "Commands" => format!(
            "would reserve ids in the copy: write `mut {shown}: ParCommands<{world}>`, whose `spawn` returns no id; \
             `spawn_then(bundle, |world, entity| ..)` gets it later"
        ),
        "ResMut" => format!(
            "would change the copy only: read `Res<{argument}>`, and write by `Accumulator<{argument}>`, or by \
             `ParCommands<{world}>`: `commands.run(|world| ..)`"
        ),
        "Storage" => format!(
            "would change the copy only: write `mut commands: ParCommands<{world}>`, with its `insert` and `remove`"
        ),
        "EventReader" | "EventMutator" | "Removed" | "Entered" | "Exited" => logged,
        "Single" | "Populated" => {
            "would skip a run that has begun: take a `Query`, and return if it has no entity; or run the \
             system `if` a condition holds"
                .to_owned()
        }
        "ParamSet" => {
            "is for queries that write, and would change the copy only: take each query as a parameter"
                .to_owned()
        }
        _ => return None,
    };
    BuiltIn::of(&parameter.node.ty).map(|_| (&*parameter.node.ty, text))
}

/// The elements of a query, as the user wrote them.
fn query_data(ty: &Type) -> Vec<&Type> {
    let data = named(ty).and_then(|(_, arguments)| arguments.first().copied());
    data.map(place::leaves).unwrap_or_default()
}

/// The element if it writes, with its component.
fn written(element: &Type) -> Option<(&Type, String)> {
    match ungroup(element) {
        Type::Reference(reference) => reference.mutability.map(|_| (element, source(&reference.elem))),
        _ => match named(element)? {
            (name, arguments) if name == "Option" => written(arguments.first()?),
            (name, arguments) if name == "Mut" => Some((element, source(arguments.first()?))),
            _ => None,
        },
    }
}

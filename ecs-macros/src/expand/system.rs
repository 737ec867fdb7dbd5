//! A system: the unchanged function, a type of the same name, and the impl of `System` for it.
//!
//! The type is a struct with braces, which is in the type namespace only: one `use` imports
//! function and type together.

mod access;
mod background;
mod bounds;
mod run;
mod skip;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Attribute, FnArg, GenericParam, Generics, Pat, PatType, ReturnType, Type, parse_quote};

use self::bounds::mentions;
use super::docs;
use super::tuple::nest;
use crate::built_in;
use crate::foreign;
use crate::lifetimes;
use crate::model::parameter::{Kind, meant_input};
use crate::model::system::{System, World};
use crate::names::{Ecs, allow, allow_impls, allow_struct};
use crate::span::call_of;
use crate::types::find_impl;

pub(crate) fn expand(system: &System) -> TokenStream {
    let (item, declared, cfg) = (function(system), of_struct(system), cfg(system));
    let (params, checks) = access::checks(system);
    let implemented = of_system(system, params.is_some());
    let allow = allow_impls(!system.is_concrete());
    quote! {
        #item
        #declared
        #(#cfg)*
        #allow
        const _: () = {
            #params
            #implemented
            #checks
        };
    }
}

/// The system where the condition holds, and otherwise the error with the stub of the system.
pub(crate) fn under_condition(
    mut system: System,
    condition: &TokenStream,
    error: &syn::Error,
) -> TokenStream {
    let mut under = |condition: TokenStream, expand: fn(&System) -> TokenStream| {
        let cfg: Attribute = parse_quote!(#[cfg(#condition)]);
        system.attributes.push(cfg.clone());
        let expanded = expand(&system);
        system.attributes.pop();
        quote!(#cfg #expanded)
    };
    let (holding, other) = (under(condition.clone(), expand), under(quote!(not(#condition)), stub));
    let error = error.to_compile_error();
    quote!(#holding #[cfg(not(#condition))] #error #other)
}

/// The expansion after a reported mistake: an impl for every world, so that schedules with the
/// system cause no further messages.
pub(crate) fn stub(system: &System) -> TokenStream {
    let ecs = &system.ecs;
    let item = corrected(system).unwrap_or_else(|| function(system));
    if system.is_method {
        return item;
    }
    let (declared, name, cfg, allow) = (of_struct(system), system.name(), cfg(system), allow());
    let (mut parameters, ty) = (system.struct_parameters(), system.ty());
    for parameter in &mut parameters {
        if let GenericParam::Type(ty) = parameter {
            ty.bounds.push(parse_quote!('static));
        }
    }
    let without_world = input_without_world(system);
    // a condition causes no further message about its output
    let is_bool =
        matches!(system.output(), Type::Path(path) if path.qself.is_none() && path.path.is_ident("bool"));
    let (output, value) = if is_bool {
        (quote!(#ecs::__private::BrokenOutput), quote!(#ecs::__private::BrokenOutput))
    } else {
        (quote!(()), quote!())
    };
    let of_inputs = |inputs: Vec<&Type>| {
        let (of_trait, taken, input) = match inputs.is_empty() {
            true => (quote!(System), None, None),
            false => (
                quote!(__private::InputSystem),
                Some(quote!(type In = (#(#inputs),*);)),
                Some(quote!(, _: <Self as #ecs::__private::InputSystem<__A>>::In)),
            ),
        };
        quote! {
            unsafe impl<#(#parameters,)* __A: #ecs::World> #ecs::#of_trait<__A> for #ty {
                #taken
                const DESC: #ecs::__private::SystemDesc<__A> = #ecs::__private::SystemDesc {
                    has_news: ::core::option::Option::Some(|_, _| false),
                    kind: #ecs::__private::SystemKind::Broken,
                    ..#ecs::__private::SystemDesc::new(#name, &[])
                };
                type Out = #output;
                unsafe fn run(
                    _: #ecs::__private::WorldCell<'_, __A>,
                    _: &mut #ecs::__private::SystemState
                    #input
                ) -> Self::Out { #value }
            }
        }
    };
    let own = of_inputs(system.inputs());
    // a schedule that gives values to parameters which are meant to be inputs causes no further
    // message
    let meant = system.meant_inputs();
    let meant = (system.inputs().is_empty() && !meant.is_empty()).then(|| {
        let (parameters, predicates) = system.parameters_without_world();
        let of_inputs = of_inputs(meant.iter().collect());
        quote! {
            #of_inputs
            impl<#(#parameters),*> #ecs::__private::SystemInput for #ty where #(#predicates),* {
                type In = (#(#meant),*);
            }
        }
    });
    quote! {
        #item
        #declared
        #(#cfg)*
        #allow
        const _: () = {
            #without_world
            #own
            #meant
        };
    }
}

/// The function. Its signature declares a query, so the advice of these lints does not apply.
fn function(system: &System) -> TokenStream {
    let item = docs::with_access(system);
    quote! {
        #[cfg_attr(clippy, allow(
            clippy::needless_pass_by_ref_mut, clippy::needless_pass_by_value, clippy::too_many_arguments,
            clippy::trivially_copy_pass_by_ref, clippy::type_complexity
        ))]
        #item
    }
}

/// The function without the mistakes that the compiler would report a second time: `self`, `...`,
/// queries without elements or with types that are no query data, `&mut World`, and returned
/// references.
fn corrected(system: &System) -> Option<TokenStream> {
    let System { attributes, visibility, parameters, .. } = system;
    let ecs = &system.ecs;
    let mut signature = system.signature.clone();
    // rustc would ask for the lifetimes of parameters
    let is_async = signature.asyncness.take().is_some();
    let mut changed = system.broken_body
        || signature.receiver().is_some()
        || signature.variadic.take().is_some()
        || is_async;
    if let (World::Parameter(world), true) = (&system.world, parameters.iter().any(|one| one.broken)) {
        changed = true;
        let clause = signature.generics.make_where_clause();
        clause.predicates.push(parse_quote!(#world: #ecs::World));
    }
    let unbounded: Vec<Ident> =
        system.unbounded().into_iter().map(|parameter| parameter.ident.clone()).collect();
    for parameter in signature.generics.type_params_mut().filter(|one| unbounded.contains(&one.ident)) {
        changed = true;
        parameter.bounds.push(parse_quote!('static));
    }
    let nodes = parameters.iter().map(|parameter| {
        let mut node = parameter.node.clone();
        let count = node.attrs.len();
        node.attrs.retain(|one| !one.path().is_ident("resource") && !one.path().is_ident("state"));
        changed |= node.attrs.len() != count;
        let is_empty = matches!(&parameter.kind, Kind::Query { data, .. } if data.has_empty_tuple());
        if parameter.is_trait_of_worlds() {
            changed = true;
            *node.ty = parse_quote!(());
        } else if let (Some(input), Pat::TupleStruct(_), true) =
            (meant_input(&node.ty), &*node.pat, parameter.broken)
        {
            changed = true;
            *node.ty = parse_quote!(#ecs::system::In<#input>);
        } else if is_empty
            || parameter.broken
                && (foreign::find(&node.ty).is_some() || mentions(node.ty.to_token_stream(), &unresolved()))
        {
            changed = true;
            *node.ty = parse_quote!(#ecs::Query<'_, #ecs::Entity>);
        }
        if parameter.broken && matches!(*node.pat, Pat::TupleStruct(_) | Pat::Tuple(_)) {
            changed = true;
            *node.pat = parse_quote!(_);
        }
        node
    });
    let nodes: Vec<PatType> = nodes.collect();
    signature.inputs = if system.has_tuple() {
        let types = nodes.iter().map(|node| node.ty.to_token_stream());
        system.call_arguments(types).into_iter().map(|ty| -> FnArg { parse_quote!(_: #ty) }).collect()
    } else {
        nodes.into_iter().map(FnArg::Typed).collect()
    };
    let is_impl = matches!(&signature.output, ReturnType::Type(_, ty) if find_impl(ty).is_some());
    if is_impl || lifetimes::borrows(&signature.output) || system.complete_result().is_some() {
        changed = true;
        signature.output = ReturnType::Default;
    }
    changed
        .then(|| quote!(#(#attributes)* #[allow(unused)] #visibility #signature { ::core::unreachable!() }))
}

/// The names of types that the compiler cannot resolve, or with bounds that it checks: it would
/// report the mistake again.
fn unresolved() -> Vec<String> {
    ["Query"].into_iter().chain(built_in::of_single_arguments()).map(str::to_owned).collect()
}

fn cfg(system: &System) -> impl Iterator<Item = &Attribute> {
    system.attributes.iter().filter(|attribute| attribute.path().is_ident("cfg"))
}

fn of_struct(system: &System) -> TokenStream {
    let (ident, visibility, cfg) = (system.ident(), &system.visibility, cfg(system));
    let (parameters, arguments) = (system.struct_parameters(), system.arguments());
    let types: Vec<_> = system
        .type_parameters()
        .zip(arguments)
        .filter_map(|(parameter, name)| matches!(parameter, GenericParam::Type(_)).then_some(name))
        .collect();
    let allow = if parameters.is_empty() { allow_struct() } else { allow() };
    let generics = (!parameters.is_empty()).then(|| quote!(<#(#parameters),*>));
    let types = (!types.is_empty())
        .then(|| quote!(__types: ::core::marker::PhantomData<fn() -> (#(*const #types,)*)>));
    quote! {
        #(#cfg)*
        #[cfg_attr(doc, doc(hidden))]
        #allow
        #visibility struct #ident #generics { #types }
    }
}

fn of_system(system: &System, has_params: bool) -> TokenStream {
    let ecs = &system.ecs;
    let mut generics = Generics::default();
    generics.params.extend(system.impl_parameters());
    let clause = generics.make_where_clause();
    clause.predicates.extend(system.predicates());
    clause.predicates.extend(bounds::leaves(system));
    if let Some(background) = &system.background {
        return background::of_system(system, background, &generics, has_params);
    }
    let (parameters, _, clause) = generics.split_for_impl();
    let (world, ty, output) = (system.world(), system.ty(), system.output());
    let ((desc, states), run) = (desc(system, &generics, has_params), run::body(system));
    let (of_trait, taken, input) = inputs(system);
    let without_world = input_without_world(system);
    let allow_unused = (!run::is_spread(system)).then(|| quote!(#[allow(unused_variables, unused_mut)]));
    quote! {
        #without_world
        #states
        #[doc(hidden)]
        unsafe impl #parameters #ecs::#of_trait<#world> for #ty #clause {
            #taken
            const DESC: #ecs::__private::SystemDesc<#world> = #desc;
            type Out = #output;
            #allow_unused
            unsafe fn run(
                __world: #ecs::__private::WorldCell<'_, #world>,
                __state: &mut #ecs::__private::SystemState,
                #input
            ) -> Self::Out {
                #run
            }
        }
    }
}

/// The description of the function, and the impl of `StateFunctions` that it names. Only fields
/// with another value than that of `SystemDesc::new` are written.
fn desc(system: &System, generics: &Generics, has_params: bool) -> (TokenStream, Option<TokenStream>) {
    let (ecs, world, ty, name) = (&system.ecs, system.world(), system.ty(), system.name());
    let params = if has_params { quote!(__PARAMS) } else { access::params(system) };
    let desc = quote!(#ecs::__private::SystemDesc);
    let (init, finish, news) = (init(system), run::finish(system), run::news(system));
    let (mut new, mut states) = (quote!(#desc::new(#name, #params)), None);
    if init.is_some() || news.is_some() {
        // readers only have work when the place is closed
        let finishes = match (finish.is_some(), run::finishes(system)) {
            (false, _) => quote!(::core::option::Option::None),
            (true, finishes) => quote!(::core::option::Option::Some(#finishes)),
        };
        let reacts = news.is_some();
        new = quote!(#desc::with_states::<Self>(#name, #params, #finishes, #reacts));
        let (parameters, _, clause) = generics.split_for_impl();
        states = Some(quote! {
            #[doc(hidden)]
            unsafe impl #parameters #ecs::__private::StateFunctions<#world> for #ty #clause {
                #init
                #finish
                #news
            }
        });
    }
    let mut fields = Vec::new();
    if !system.is_concrete() {
        fields.push(quote!(is_generic: true));
    }
    if system.of_state {
        fields.push(quote!(kind: #ecs::__private::SystemKind::InState));
    }
    fields.extend(skip::may_skip_system(system).map(|may_skip| quote!(may_skip: #may_skip)));
    let called = [(quote!(setup), &system.init), (quote!(exit), &system.exit)];
    fields.extend(called.into_iter().filter_map(|(field, function)| {
        let function = function.as_ref()?;
        Some(quote!(#field: ::core::option::Option::Some({
            let __called: fn(&mut #world) = #function;
            __called
        })))
    }));
    match fields.is_empty() {
        true => (new, states),
        false => (quote!(#desc { #(#fields,)* ..#new }), states),
    }
}

/// The types of the inputs without a world, for schedules of parts; nothing for a system without
/// inputs, or whose inputs depend on the world.
fn input_without_world(system: &System) -> Option<TokenStream> {
    let (ecs, ty, inputs) = (&system.ecs, system.ty(), system.inputs());
    if inputs.is_empty() || system.has_inputs_of_world() {
        return None;
    }
    let (parameters, predicates) = system.parameters_without_world();
    let generics: Generics = parse_quote!(<#(#parameters),*>);
    let clause = (!predicates.is_empty()).then(|| parse_quote!(where #(#predicates),*));
    let without =
        never_a_system(ecs, Generics { where_clause: clause, ..generics }, &ty, "SystemWithoutInput");
    Some(quote! {
        #[doc(hidden)]
        impl<#(#parameters),*> #ecs::__private::SystemInput for #ty where #(#predicates),* {
            type In = (#(#inputs),*);
        }
        #without
    })
}

/// The type `ty` as a system of every world, under a condition of `Mistakes` that never holds: its
/// message says what to write.
pub(super) fn never_a_system(
    ecs: &Ecs,
    mut generics: Generics,
    ty: &impl ToTokens,
    condition: &str,
) -> TokenStream {
    let condition = Ident::new(condition, Span::call_site());
    generics.params.push(parse_quote!(__W: #ecs::World));
    let predicate = parse_quote!(#ecs::__private::Mistakes: #ecs::__private::#condition<#ty, __W>);
    generics.make_where_clause().predicates.push(predicate);
    let (parameters, _, clause) = generics.split_for_impl();
    quote! {
        #[doc(hidden)]
        unsafe impl #parameters #ecs::System<__W> for #ty #clause {
            const DESC: #ecs::__private::SystemDesc<__W> = #ecs::__private::SystemDesc::new("", &[]);
            type Out = ();
            unsafe fn run(_: #ecs::__private::WorldCell<'_, __W>, _: &mut #ecs::__private::SystemState) {}
        }
    }
}

/// The trait of the system, and for one with inputs their type and the parameter of `run`.
fn inputs(system: &System) -> (TokenStream, Option<TokenStream>, Option<TokenStream>) {
    let (ecs, world, inputs) = (&system.ecs, system.world(), system.inputs());
    if inputs.is_empty() {
        return (quote!(System), None, None);
    }
    let input = quote!(__input: <Self as #ecs::__private::InputSystem<#world>>::In,);
    (quote!(__private::InputSystem), Some(quote!(type In = (#(#inputs),*);)), Some(input))
}

/// `init`, which creates the states of the parameters; `None` if no parameter has a state. Each
/// state is created by its own statement, so that a compile error underlines the type of one
/// parameter.
fn init(system: &System) -> Option<TokenStream> {
    let (ecs, world) = (&system.ecs, system.world());
    let (mut made, mut names) = (Vec::new(), Vec::new());
    for (index, parameter) in run::others(system) {
        let state = run::state(index);
        let value = call_of(&parameter.ty, ecs, "SystemParam", &world, "init", quote!(__world));
        made.push(quote!(let #state = #value;));
        names.push(quote!(#state));
    }
    let states = nest(&names);
    (!made.is_empty()).then(|| {
        quote! {
            fn init(__world: &mut #world) -> #ecs::__private::SystemState {
                #(#made)*
                #ecs::__private::SystemState::new(#states)
            }
        }
    })
}

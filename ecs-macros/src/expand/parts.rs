//! Parts: a type and a macro for the parts and for each of their schedules. The type lists the
//! entries, and a world calls the macro to include them. A hidden world of exactly these parts
//! checks them in their own crate.

use std::hash::{DefaultHasher, Hash, Hasher};

use proc_macro2::{Delimiter, Ident, Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{ConstParam, GenericParam, Path, Type, TypeParam, Visibility, parse_quote};

use super::docs;
use super::system::never_a_system;
use super::world::schedules::{Called, Owner, called};
use crate::check::parts::{DERIVED, bounds, has_examples};
use crate::model::schedule::Schedule;
use crate::model::world::{Entry, World};
use crate::names::{allow, field_of, only, text};
use crate::parse::include::entries::Included;
use crate::parse::include::given::{Origin, names_one_of};
use crate::parse::include::{self, PARTS, SCHEDULE};
use crate::span::{Ends, Text, at};

/// The items of the lists, and `checked`: the world of these parts, or the macro call that expands
/// to it.
pub(crate) fn expand(listed: &TokenStream, checked: &TokenStream) -> TokenStream {
    let allow = allow();
    quote! {
        #listed
        #allow
        const _: () = { #checked };
    }
}

/// For the parts and each schedule a type and a macro.
pub(crate) fn of_lists(parts: &World) -> TokenStream {
    let listed = of_parts(parts);
    let schedules = parts.schedules.iter().map(|schedule| of_schedule(parts, schedule));
    quote!(#listed #(#schedules)*)
}

/// The components, resources and events.
fn of_parts(parts: &World) -> TokenStream {
    let World { ident, attributes, .. } = parts;
    let sections = [&parts.components, &parts.resources, &parts.events].map(|entries| own(entries));
    let entries = || sections.iter().flatten().copied();
    let listed: TokenStream =
        entries().enumerate().map(|(index, entry)| of_entry(parts, index, entry)).collect();
    let [components, resources, events] = sections
        .each_ref()
        .map(|entries| entries.iter().map(|one| entry(parts, one)).collect::<TokenStream>());
    let list = quote!(components { #components } resources { #resources } events { #events });
    let origins: Vec<TokenStream> = entries().map(origin).collect();
    let doc = format!("The struct of a world includes these parts: `include {};`.", path(parts, ident));
    let docs = docs::of_world(parts, false);
    let doc = quote!(#(#attributes)* #[doc = ""] #[doc = #doc] #docs);
    let list = List { word: PARTS, entries: list, origins, needs: None };
    item(parts, ident, &doc, &listed, &list)
}

/// The entries of a section without those that the parts only need.
fn own(entries: &[Entry]) -> Vec<&Entry> {
    let is_needed = |entry: &&Entry| entry.included.as_ref().is_some_and(|included| included.needed);
    entries.iter().filter(|entry| !is_needed(entry)).collect()
}

/// The type of an entry in the list, and its first value.
fn of_entry(parts: &World, index: usize, entry: &Entry) -> TokenStream {
    let (ecs, world) = (&parts.ecs, format_ident!("__W"));
    let (ty, value) = match &entry.included {
        Some(Included { path, index, .. }) => (
            Type::Path(include::listed(ecs, &world, path, *index)),
            entry.value.as_ref().map(|_| include::value(ecs, &world, path, *index)),
        ),
        None => (entry.ty.clone(), entry.value.clone()),
    };
    let listed = listed(parts, &parts.ident, index, &ty);
    let valued = value.map(|value| {
        let index = Literal::usize_unsuffixed(index);
        let (generics, name, clause) = implemented(parts, &parts.ident);
        quote! {
            #[doc(hidden)]
            impl #generics #ecs::__private::Valued<__W, #index> for #name #clause {
                fn value() -> <Self as #ecs::__private::Listed<__W, #index>>::Item {
                    #value
                }
            }
        }
    });
    quote!(#listed #valued)
}

/// An entry in the syntax that `including_world!` reads. A first value is a call of
/// `Valued::value`, not the expression itself. A field whose name is that of a generic type has
/// none, since the name depends on the arguments of the `include`.
fn entry(parts: &World, entry: &Entry) -> TokenStream {
    let Entry { attributes, field, event, .. } = entry;
    let value = entry.value.as_ref().map(|_| quote!(= ()));
    let external = event.external.then(|| quote!(external));
    let options: Vec<TokenStream> = [
        external,
        event.keep.as_ref().map(ToTokens::to_token_stream),
        event.full.as_ref().map(ToTokens::to_token_stream),
        event.skip.as_ref().map(ToTokens::to_token_stream),
    ]
    .into_iter()
    .flatten()
    .collect();
    let options = (!options.is_empty()).then(|| quote!((#(#options),*)));
    let ty = match &entry.included {
        Some(included) => included.spelled.parse().unwrap_or_default(),
        None => entry.ty.to_token_stream(),
    };
    let is_derived = || field_of(&entry.ty).is_some_and(|derived| text(&derived) == text(field));
    let is_parameter = |name: &str| parameters(parts).any(|parameter| text(parameter) == name);
    let depends = !parts.generics.params.is_empty() && names_one_of(ty.clone(), &is_parameter);
    let name = (!(depends && is_derived())).then(|| quote!(#field:));
    quote!(#(#attributes)* #name #ty #options #value,)
}

/// The list that declares an entry, if it is another one, with the arguments that the entry depends
/// on.
fn origin(entry: &Entry) -> TokenStream {
    let origin = entry.included.as_ref().map(|included| &included.origin);
    let named = origin.and_then(|origin| syn::parse_str::<Ident>(&origin.list).ok().zip(Some(origin)));
    match named {
        Some((list, Origin { index, arguments, .. })) => {
            let index = Literal::usize_unsuffixed(*index);
            let arguments = (!arguments.is_empty()).then(|| quote!([#({#arguments})*]));
            quote!(#list #index #arguments)
        }
        None => quote!(_),
    }
}

/// The systems, in the order of their places.
fn of_schedule(parts: &World, schedule: &Schedule) -> TokenStream {
    let Schedule { attributes, ident, body, .. } = schedule;
    let systems = schedule.places().into_iter().enumerate();
    let listed: TokenStream = systems
        .map(|(index, place)| {
            if place.is_plain() {
                return listed(parts, ident, index, &place.system);
            }
            let Called { items, ty } =
                called(&parts.ecs, place, &format!("__Arguments{index}"), &Owner::Parts(&parts.generics));
            let listed = listed(parts, ident, index, &ty);
            quote!(#items #listed)
        })
        .collect();
    let doc = format!("A schedule of a world includes these systems: `include {};`.", path(parts, ident));
    let stages = docs::of_listed_schedule(schedule);
    let doc = quote!(#(#attributes)* #[doc = ""] #[doc = #doc] #stages);
    let list =
        List { word: SCHEDULE, entries: quote!(#body), origins: Vec::new(), needs: Some(needs(parts)) };
    let no_system = no_system(parts, ident);
    item(parts, ident, &doc, &quote!(#listed #no_system), &list)
}

/// The type of a schedule as a system, under a condition that never holds and says what to write.
fn no_system(parts: &World, schedule: &Ident) -> TokenStream {
    let (_, arguments, _) = parts.generics.split_for_impl();
    never_a_system(&parts.ecs, parts.generics.clone(), &quote!(#schedule #arguments), "ScheduleAsSystem")
}

/// The name of the parts and the names of their types, and the paths of the parts that they need,
/// for the message of a world that lacks one.
fn needs(parts: &World) -> TokenStream {
    let (name, needs) = (&parts.ident, parts.needs.iter().map(|path| outside(path.clone())));
    let entries = [&parts.components, &parts.resources, &parts.events].map(|entries| own(entries));
    let types = entries.iter().flatten().filter_map(|entry| match &entry.ty {
        Type::Path(path) if entry.included.is_none() => path.path.segments.last().map(|last| &last.ident),
        _ => None,
    });
    quote!([{#name #(#types)*} #({#needs})*])
}

/// The path from another crate: the name of the crate in place of `crate`.
fn outside(mut path: Path) -> Path {
    let name = std::env::var("CARGO_CRATE_NAME").ok();
    let name = name.and_then(|name| syn::parse_str::<Ident>(&name).ok());
    if let (Some(first), Some(name)) = (path.segments.first_mut(), name)
        && first.ident == "crate"
    {
        first.ident = name;
    }
    path
}

/// `impl<W> Listed<W, index> for name`, with the span of the user's type, so that a message about
/// its privacy underlines it.
fn listed(parts: &World, name: &Ident, index: usize, ty: &impl Text) -> TokenStream {
    let (ecs, index, ends) = (&parts.ecs, Literal::usize_unsuffixed(index), Ends::of(ty));
    let (item, end) = (at(quote!(type Item =), ends.first), at(quote!(;), ends.last));
    let (generics, name, clause) = implemented(parts, name);
    quote! {
        #[doc(hidden)]
        impl #generics #ecs::__private::Listed<__W, #index> for #name #clause { #item #ty #end }
    }
}

/// The parameters of an impl for any world, the type of `name`, and the where clause.
fn implemented(parts: &World, name: &Ident) -> (TokenStream, TokenStream, TokenStream) {
    let mut generics = parts.generics.clone();
    generics.params.push(parse_quote!(__W));
    let (generics, _, clause) = generics.split_for_impl();
    let (_, arguments, _) = parts.generics.split_for_impl();
    (quote!(#generics), quote!(#name #arguments), quote!(#clause))
}

/// The names of the type parameters and constants.
fn parameters(parts: &World) -> impl Iterator<Item = &Ident> {
    parts.generics.params.iter().filter_map(|parameter| match parameter {
        GenericParam::Type(parameter) => Some(&parameter.ident),
        GenericParam::Const(parameter) => Some(&parameter.ident),
        GenericParam::Lifetime(_) => None,
    })
}

/// The path in an `include`, with the parameters: `pool::<T>`.
fn path(parts: &World, name: &Ident) -> String {
    let parameters: Vec<String> = parameters(parts).map(text).collect();
    let name = text(name);
    if parameters.is_empty() { name } else { format!("{name}::<{}>", parameters.join(", ")) }
}

/// The parameters with their defaults, for the macro.
fn handed_over(parts: &World) -> TokenStream {
    let parameters = parts.generics.params.iter().map(|parameter| match parameter {
        GenericParam::Type(TypeParam { ident, default, .. }) => {
            let default = default.as_ref().map(|(_, default)| quote!(= {#default}));
            quote!(#ident #default,)
        }
        GenericParam::Const(ConstParam { ident, default, .. }) => {
            let default = default.as_ref().map(|(_, default)| quote!(= {#default}));
            quote!(#ident #default,)
        }
        GenericParam::Lifetime(_) => TokenStream::new(),
    });
    parameters.collect()
}

/// The struct of one name. It has braces, so that it takes no name in the value namespace.
fn declared(parts: &World, name: &Ident) -> TokenStream {
    let (visibility, generics, ends) = (&parts.visibility, &parts.generics, Ends::of(name));
    let keyword = at(quote!(struct), ends.first);
    let types = generics.type_params().enumerate().map(|(index, TypeParam { ident, .. })| {
        let field = format_ident!("__{index}");
        quote!(#field: ::core::marker::PhantomData<#ident>,)
    });
    let body = ends.group(Delimiter::Brace, types.collect());
    let clause = &generics.where_clause;
    quote!(#visibility #keyword #name #generics #clause #body)
}

/// The tokens that the macro of one name passes on: see [`given`](crate::parse::include::given).
struct List {
    /// The kind of the list.
    word: &'static str,
    entries: TokenStream,
    origins: Vec<TokenStream>,
    needs: Option<TokenStream>,
}

/// The type and the macro of one name.
fn item(parts: &World, name: &Ident, doc: &TokenStream, listed: &TokenStream, list: &List) -> TokenStream {
    let List { word, entries: list, origins, needs } = list;
    let (visibility, allow, word) = (&parts.visibility, allow(), format_ident!("{word}"));
    let hidden = hidden(parts, name, list);
    let exported = matches!(visibility, Visibility::Public(_)).then(|| quote!(#[macro_export]));
    let (help, declared) = (help(&path(parts, name), &word), declared(parts, name));
    let parameters = handed_over(parts);
    quote! {
        #doc
        #allow
        #declared
        #allow
        const _: () = { #listed };
        #[doc(hidden)]
        #exported
        #[allow(unused_macros, non_local_definitions)]
        macro_rules! #hidden {
            ({{$($next:tt)*} $($rest:tt)*} {$($before:tt)*} $($world:tt)*) => {
                $($next)*! {
                    {$($rest)*}
                    {$($before)* {#word {#list} {#hidden [#parameters] [#(#origins),*] #needs}}}
                    $($world)*
                }
            };
            ($($any:tt)*) => { ::core::compile_error! { #help } };
        }
        #[doc(hidden)]
        #[allow(unused_imports)]
        #visibility use #hidden as #name;
    }
}

fn help(name: &str, word: &Ident) -> String {
    let place = if word == PARTS { "struct Game" } else { "schedule tick" };
    let bare = name.split("::<").next().unwrap_or(name);
    format!("`{bare}` is not called: a world includes it, `{place} {{ include {name}; .. }}`")
}

/// The unique name of the exported macro: exported macros of all modules share one namespace.
fn hidden(parts: &World, name: &Ident, list: &TokenStream) -> Ident {
    let mut hasher = DefaultHasher::new();
    (parts.name(), list.to_string(), place(name)).hash(&mut hasher);
    format_ident!("__{}_{:016x}", text(name), hasher.finish(), span = proc_macro2::Span::call_site())
}

/// The line and the column of the name, if they are known. The file is left out: its path differs
/// between machines.
fn place(name: &Ident) -> Option<(usize, usize)> {
    proc_macro::is_available().then(|| {
        let span = name.span().unwrap();
        (span.line(), span.column())
    })
}

/// A world of these parts for the checks, with a name of its own. Events need no senders and
/// readers here. A type parameter stands for its default, or for a type that is declared here, see
/// [`check::parts`](crate::check::parts).
pub(crate) fn of_world(mut parts: World) -> TokenStream {
    if !has_examples(&parts.generics) {
        return TokenStream::new();
    }
    parts.ident = only(&parts.ident);
    let arguments = examples(&parts);
    let world = super::world::checked(&parts);
    quote!(#arguments #world)
}

/// An item for each parameter, under its name.
fn examples(parts: &World) -> TokenStream {
    let allow = allow();
    let examples = parts.generics.params.iter().map(|parameter| match parameter {
        GenericParam::Type(TypeParam { ident, default: Some((_, default)), .. }) => {
            quote!(#allow type #ident = #default;)
        }
        GenericParam::Type(TypeParam { ident, .. }) => {
            let derives = derives(parts, ident);
            quote!(#[derive(#(#derives),*)] #allow struct #ident(::core::primitive::u8);)
        }
        GenericParam::Const(ConstParam { ident, ty, default: Some((_, default)), .. }) => {
            quote!(#allow const #ident: #ty = #default;)
        }
        _ => TokenStream::new(),
    });
    examples.collect()
}

/// The derives for the bounds of a type parameter.
fn derives(parts: &World, parameter: &Ident) -> Vec<TokenStream> {
    let ecs = &parts.ecs;
    let derives = bounds(&parts.generics, parameter).into_iter().filter_map(|bound| {
        let name = bound.path.segments.last()?.ident.clone();
        match text(&name).as_str() {
            "Component" | "Resource" | "Event" => Some(quote!(#ecs::#name)),
            word => DERIVED.iter().find(|(known, _)| *known == word).map(|(_, module)| {
                let module = format_ident!("{module}");
                quote!(::core::#module::#name)
            }),
        }
    });
    derives.collect()
}

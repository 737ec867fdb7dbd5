//! Parts: a type and a macro for the parts and for each of their schedules. The type lists the entries, and a world calls the
//! macro to include them. A hidden world of exactly these parts checks them in their own crate.

use std::hash::{DefaultHasher, Hash, Hasher};

use proc_macro2::{Delimiter, Ident, Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::Visibility;

use super::docs;
use crate::model::schedule::Schedule;
use crate::model::world::{Entry, World};
use crate::names::{Ecs, allow, only, text};
use crate::parse::include::{PARTS, SCHEDULE};
use crate::span::{Ends, Text, at};

/// The items of the lists, and `checked`: the world of these parts, or the macro call that expands to it.
pub(crate) fn expand(listed: &TokenStream, checked: &TokenStream) -> TokenStream {
    let allow = allow();
    quote! {
        #listed
        #allow
        const _: () = { #checked };
    }
}

/// For the parts and each schedule a type and a macro.
pub(crate) fn of_lists(parts: &World, bodies: &[(Ident, TokenStream)]) -> TokenStream {
    let listed = of_parts(parts);
    let schedules = parts.schedules.iter().map(|schedule| of_schedule(parts, schedule, bodies));
    quote!(#listed #(#schedules)*)
}

/// The components, resources and events.
fn of_parts(parts: &World) -> TokenStream {
    let World { ecs, ident, attributes, .. } = parts;
    let entries = || parts.components.iter().chain(&parts.resources).chain(&parts.events);
    let listed = entries().enumerate().map(|(index, entry)| {
        let (listed, index) = (listed(ecs, ident, index, &entry.ty), Literal::usize_unsuffixed(index));
        let valued = entry.value.as_ref().map(|value| {
            quote! {
                #[doc(hidden)]
                impl<__W> #ecs::__private::Valued<__W, #index> for #ident {
                    fn value() -> <Self as #ecs::__private::Listed<__W, #index>>::Item {
                        #value
                    }
                }
            }
        });
        quote!(#listed #valued)
    });
    let listed = quote!(#(#listed)*);
    let [components, resources, events] = [&parts.components, &parts.resources, &parts.events]
        .map(|entries| entries.iter().map(entry).collect::<TokenStream>());
    let list = quote!(components { #components } resources { #resources } events { #events });
    let doc = format!("The struct of a world includes these parts: `include {};`.", parts.name());
    let docs = docs::of_world(parts, false);
    let doc = quote!(#(#attributes)* #[doc = ""] #[doc = #doc] #docs);
    item(parts, ident, &doc, &listed, PARTS, &list)
}

/// An entry in the syntax that `including_world!` reads. A first value is a call of `Valued::value`, not the expression itself.
fn entry(entry: &Entry) -> TokenStream {
    let Entry { attributes, field, ty, event, .. } = entry;
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
    quote!(#(#attributes)* #field: #ty #options #value,)
}

/// The systems, in the order of their places.
fn of_schedule(parts: &World, schedule: &Schedule, bodies: &[(Ident, TokenStream)]) -> TokenStream {
    let (ecs, Schedule { attributes, ident, .. }) = (&parts.ecs, schedule);
    let systems = schedule.places().into_iter().enumerate();
    let listed: TokenStream =
        systems.map(|(index, place)| listed(ecs, ident, index, &place.system)).collect();
    let body = bodies.iter().find(|(name, _)| name == ident).map(|(_, body)| body);
    let doc = format!("A schedule of a world includes these systems: `include {};`.", text(ident));
    let stages = docs::of_listed_schedule(schedule);
    let doc = quote!(#(#attributes)* #[doc = ""] #[doc = #doc] #stages);
    item(parts, ident, &doc, &listed, SCHEDULE, &quote!(#body))
}

/// `impl<W> Listed<W, index> for name`, with the span of the user's type, so that a message about its privacy underlines it.
fn listed(ecs: &Ecs, name: &Ident, index: usize, ty: &impl Text) -> TokenStream {
    let (index, ends) = (Literal::usize_unsuffixed(index), Ends::of(ty));
    let (item, end) = (at(quote!(type Item =), ends.first), at(quote!(;), ends.last));
    quote!(#[doc(hidden)] impl<__W> #ecs::__private::Listed<__W, #index> for #name { #item #ty #end })
}

/// The type and the macro of one name. The type has braces, so that it takes no name in the value namespace.
fn item(
    parts: &World,
    name: &Ident,
    doc: &TokenStream,
    listed: &TokenStream,
    word: &str,
    list: &TokenStream,
) -> TokenStream {
    let (visibility, allow, word) = (&parts.visibility, allow(), format_ident!("{word}"));
    let hidden = hidden(parts, name, list);
    let exported = matches!(visibility, Visibility::Public(_)).then(|| quote!(#[macro_export]));
    let (help, ends) = (help(&text(name), &word), Ends::of(name));
    let (keyword, body) = (at(quote!(struct), ends.first), ends.group(Delimiter::Brace, quote!()));
    quote! {
        #doc
        #allow
        #visibility #keyword #name #body
        #allow
        const _: () = { #listed };
        #[doc(hidden)]
        #exported
        #[allow(unused_macros, non_local_definitions)]
        macro_rules! #hidden {
            ({{$($next:tt)*} $($rest:tt)*} {$($before:tt)*} $($world:tt)*) => {
                $($next)*! { {$($rest)*} {$($before)* {#word {#list}}} $($world)* }
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
    format!("`{name}` is not called: a world includes it, `{place} {{ include {name}; .. }}`")
}

/// The unique name of the exported macro: exported macros of all modules share one namespace.
fn hidden(parts: &World, name: &Ident, list: &TokenStream) -> Ident {
    let mut hasher = DefaultHasher::new();
    (parts.name(), list.to_string(), place(name)).hash(&mut hasher);
    format_ident!("__{}_{:016x}", text(name), hasher.finish(), span = proc_macro2::Span::call_site())
}

/// The line and the column of the name, if they are known. The file is left out: its path differs between machines.
fn place(name: &Ident) -> Option<(usize, usize)> {
    proc_macro::is_available().then(|| {
        let span = name.span().unwrap();
        (span.line(), span.column())
    })
}

/// A world of these parts for the checks, with a name of its own. Events need no senders and readers here.
pub(crate) fn of_world(mut parts: World) -> TokenStream {
    parts.ident = only(&parts.ident);
    super::world::checked(&parts)
}

//! The inherent methods `new`, `columns`, `columns_mut` and those of schedules, and the impl of
//! `Default`.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::declaration::has_no_certain_column;
use super::each;
use super::schedules;
use crate::cfg;
use crate::expand::docs::Included;
use crate::model::world::{Entry, World};
use crate::names::{allow, text};
use crate::source_file;

pub(super) fn of_methods(world: &World, included: &Included) -> TokenStream {
    let (ident, allow) = (&world.ident, allow());
    let (new, columns, schedules) = (of_new(world, included), of_columns(world), schedules::methods(world));
    quote! {
        #allow
        impl #ident {
            #new
            #columns
        }
        impl #ident {
            #schedules
        }
    }
}

/// The resources that are parameters of `new`.
fn given(world: &World) -> impl Iterator<Item = &Entry> {
    world.resources.iter().filter(|entry| entry.value.is_none())
}

/// The expression for the first value of a resource. All functions that make a world have the same
/// tokens, so that a mistake in the value is one error.
pub(super) fn first_value(entry: &Entry) -> Option<TokenStream> {
    let (ty, value) = (&entry.ty, entry.value.as_ref()?);
    Some(quote!({
        let __value: #ty = #value;
        __value
    }))
}

fn of_new(world: &World, included: &Included) -> TokenStream {
    let World { ecs, visibility, ident, .. } = world;
    let doc = new_doc(world);
    // the compiler shows where it is defined, and for `world!` it would be the whole call
    let new = Ident::new("new", ident.span());
    let parameters = given(world).map(|entry| {
        let (cfg, field, ty) = (entry.cfg(), &entry.field, &entry.ty);
        match included.shown(entry) {
            Some(shown) => quote!(#cfg #[cfg(not(doc))] #field: #ty, #cfg #[cfg(doc)] #field: #shown),
            None => quote!(#cfg #field: #ty),
        }
    });
    let components =
        each(&world.components, |field, ty, _| quote!(#field: #ecs::__private::new_column::<Self, #ty>(),));
    let resources = world.resources.iter().map(|entry| {
        let (cfg, field) = (entry.cfg(), &entry.field);
        match first_value(entry) {
            Some(value) => quote!(#cfg #field: #value,),
            None => quote!(#cfg #field,),
        }
    });
    let events = each(&world.events, |field, _, _| quote!(#field: #ecs::__private::Events::new(),));
    quote! {
        #[doc = #doc]
        #[must_use]
        #visibility fn #new(#(#parameters),*) -> Self {
            let mut __world = #ident {
                #components
                #(#resources)*
                #events
                __entities: #ecs::__private::Entities::new::<Self>(),
                __schedule_states: #ecs::__private::ScheduleStates::new(),
            };
            #ecs::__private::init_schedule_states(&mut __world);
            __world
        }
    }
}

fn new_doc(world: &World) -> String {
    let resources: Vec<String> = given(world).map(|entry| format!("`{}`", text(&entry.field))).collect();
    match resources.as_slice() {
        [] => "A world without entities.".to_owned(),
        [one] => format!("A world without entities, with the resource {one}."),
        several => format!("A world without entities, with the resources {}.", several.join(", ")),
    }
}

fn of_columns(world: &World) -> TokenStream {
    let World { ecs, visibility, .. } = world;
    let columns = world.columns();
    let shared = each(
        &world.components,
        |field, _, _| quote!(#field: #ecs::__private::view(&self.#field, &self.__entities),),
    );
    let unique = each(
        &world.components,
        |field, _, index| quote!(#field: #ecs::__private::view_mut(&mut self.#field, &self.__entities, #index),),
    );
    let unused = has_no_certain_column(world).then(|| quote!(__borrow: ::core::marker::PhantomData,));
    quote! {
        /// The columns, shared: a view for each component, under the component's field name.
        #[must_use]
        #visibility fn columns(&self) -> #columns<'_, #ecs::__private::Shared> {
            #columns { #shared #unused }
        }
        /// The columns, mutable and apart: destructure the result to borrow several at once.
        #[must_use]
        #visibility fn columns_mut(&mut self) -> #columns<'_, #ecs::__private::Exclusive> {
            #columns { #unique #unused }
        }
    }
}

/// The impl of `Default`, with the bound that each parameter of `new` is `Default`. Each bound has
/// an unused `for<'__a>`: without parameters, an unfulfilled bound would be an error by itself.
pub(super) fn of_default(world: &World, included: &Included) -> TokenStream {
    if source_file::implements("Default", &world.ident) {
        return TokenStream::new();
    }
    let types = || given(world).map(alias_or_type);
    let shown = given(world).zip(types()).map(|(entry, ty)| included.shown(entry).unwrap_or(ty));
    let (real, allow) = (implemented(world, types()), allow());
    let real = quote!(#allow const _: () = { #real };);
    if given(world).all(|entry| included.shown(entry).is_none()) {
        return real;
    }
    let shown = implemented(world, shown);
    quote!(#[cfg(not(doc))] #real #[cfg(doc)] #allow const _: () = { #shown };)
}

/// `impl Default` with bounds on `types`, the types of the resources that `new` is given.
fn implemented(world: &World, types: impl Iterator<Item = TokenStream>) -> TokenStream {
    let (ident, types) = (&world.ident, types.collect::<Vec<_>>());
    let aliases = given(world).map(alias);
    let arguments = given(world).zip(&types).map(|(entry, ty)| {
        let cfg = entry.cfg();
        quote!(#cfg <#ty as ::core::default::Default>::default())
    });
    let clause = (!types.is_empty()).then(|| quote!(where #(for<'__a> #types: ::core::default::Default),*));
    quote! {
        #(#aliases)*
        impl ::core::default::Default for #ident #clause {
            fn default() -> Self {
                Self::new(#(#arguments),*)
            }
        }
    }
}

/// An alias for the type of a resource with `#[cfg]`, which is `()` if the resource is compiled
/// out: a where clause takes no `#[cfg]`.
fn alias(entry: &Entry) -> TokenStream {
    let attributes = cfg::of(&entry.attributes);
    let Some(opposite) = cfg::opposite(&attributes) else { return TokenStream::new() };
    let (name, ty) = (alias_name(entry), &entry.ty);
    quote!(#(#attributes)* type #name = #ty; #opposite type #name = ();)
}

fn alias_or_type(entry: &Entry) -> TokenStream {
    let (name, ty) = (alias_name(entry), &entry.ty);
    if entry.cfg().is_empty() { quote!(#ty) } else { quote!(#name) }
}

fn alias_name(entry: &Entry) -> syn::Ident {
    format_ident!("__Resource{}", entry.index)
}

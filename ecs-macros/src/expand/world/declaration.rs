//! The struct of the world, and the struct of views that `columns()` returns.

use proc_macro2::{Delimiter, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Attribute, Type};

use super::each;

use crate::expand::docs::{self, Included};
use crate::model::world::{Entry, World};
use crate::names::allow;
use crate::span::Ends;

pub(super) fn of_struct(world: &World) -> TokenStream {
    let World { ecs, visibility, .. } = world;
    // a generated span, so that rustc does not advise to make the world generic when a type is
    // unknown
    let ends = Ends::of(&world.ident).generated();
    // messages about the world show its name, and not the whole call
    let (keyword, ident) = (quote_spanned!(ends.first=> struct), ends.closing(&world.ident));
    let attributes = world.attributes.iter().filter(|attribute| !is_derive(attribute));
    let docs = docs::of_world(world, true);
    let each = |entries: &[Entry], stored: &dyn Fn(&Type) -> TokenStream| -> TokenStream {
        let fields = entries.iter().map(|Entry { attributes, field, ty, .. }| {
            let stored = stored(ty);
            quote!(#(#attributes)* #field: #stored,)
        });
        fields.collect()
    };
    let components = each(&world.components, &|ty| quote!(#ecs::__private::Column<#ty>));
    let resources = each(&world.resources, &|ty| quote!(#ty));
    let events = each(&world.events, &|ty| quote!(#ecs::__private::Events<#ty>));
    let fields = quote! {
        #components
        #resources
        #events
        #[doc(hidden)]
        __entities: #ecs::__private::Entities,
        #[doc(hidden)]
        __schedule_states: #ecs::__private::ScheduleStates,
    };
    let fields = ends.group(Delimiter::Brace, fields);
    quote! {
        #[allow(clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
        #(#attributes)*
        #docs
        #visibility #keyword #ident #fields
    }
}

/// Borrows every field, which is a compile error in a packed struct.
pub(super) fn aligned(world: &World) -> TokenStream {
    let World { ident, .. } = world;
    let borrows = each(world.entries(), |field, _, _| quote!(let _ = &__world.#field;));
    quote! {
        fn __aligned(__world: &#ident) {
            #borrows
            let _ = (&__world.__entities, &__world.__schedule_states);
        }
    }
}

fn is_derive(attribute: &Attribute) -> bool {
    attribute.path().is_ident("derive")
}

pub(super) fn of_columns(world: &World, included: &Included) -> TokenStream {
    let World { ecs, visibility, ident, .. } = world;
    let (columns, allow) = (world.columns(), allow());
    let fields = world.components.iter().map(|entry| {
        let (attributes, field, ty) = (entry.doc_and_cfg(), &entry.field, &entry.ty);
        let real = quote!(pub #field: __M::View<'__w, #ty>,);
        match included.shown(entry) {
            Some(shown) => quote! {
                #attributes #[cfg(not(doc))] #real
                #attributes #[cfg(doc)] pub #field: __M::View<'__w, #shown>,
            },
            None => quote!(#attributes #real),
        }
    });
    let module = included.module();
    let unused = has_no_certain_column(world).then(|| {
        quote! {
            #[doc(hidden)]
            pub __borrow: ::core::marker::PhantomData<(&'__w (), fn() -> __M)>,
        }
    });
    let doc = format!(
        "Views of the columns of [`{ident}`], one for each component: see its `columns` and `columns_mut`."
    );
    quote! {
        #module
        #[doc = #doc]
        #allow
        #visibility struct #columns<'__w, __M: #ecs::__private::Mode> {
            #(#fields)*
            #unused
        }
    }
}

/// Whether `#[cfg]` may remove all fields of the struct of views, so that it needs a field that
/// uses its parameters.
pub(super) fn has_no_certain_column(world: &World) -> bool {
    world.components.iter().all(|entry| !entry.cfg().is_empty())
}

//! Types of included parts in signatures.
//!
//! A world knows the types of included parts by their places in a list of another crate,
//! `<physics as Listed<Game, 1>>::Item`, and rustdoc shows this text. Under `cfg(doc)` the
//! signatures therefore name empty types with the names of the real ones, from a hidden module.
//! rustdoc does not compile bodies, so that no value of these types is needed.

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{GenericArgument, PathArguments, Type, TypePath};

use crate::model::world::{Entry, World};
use crate::names::{allow, text, ungroup};

/// The names of the types that a world includes.
pub(in crate::expand) struct Included {
    module: Ident,
    /// The number of type arguments of each declared type.
    declared: BTreeMap<String, usize>,
}

impl Included {
    pub(in crate::expand) fn of(world: &World) -> Self {
        let mut names =
            Self { module: format_ident!("__included_by_{}", text(&world.ident)), declared: BTreeMap::new() };
        for entry in world.components.iter().chain(&world.resources) {
            if let Some(ty) = spelled(entry) {
                names.declare(&ty);
            }
        }
        names
    }

    /// The hidden module with the declared types.
    pub(in crate::expand) fn module(&self) -> TokenStream {
        if self.declared.is_empty() {
            return TokenStream::new();
        }
        let (module, allow) = (&self.module, allow());
        let types = self.declared.iter().map(|(name, arguments)| {
            let name = crate::names::identifier(name, proc_macro2::Span::call_site());
            let parameters: Vec<Ident> = (0..*arguments).map(|index| format_ident!("__T{index}")).collect();
            quote!(pub struct #name<#(#parameters),*>(#(::core::marker::PhantomData<#parameters>),*);)
        });
        quote! {
            #[cfg(doc)]
            #[doc(hidden)]
            #allow
            pub mod #module { #(#types)* }
        }
    }

    /// `real` as it stands in the docs; nothing if the entry's own type can stand there.
    pub(in crate::expand) fn shown(&self, entry: &Entry) -> Option<TokenStream> {
        self.path(&spelled(entry)?)
    }

    fn declare(&mut self, ty: &TypePath) {
        let Some(last) = ty.path.segments.last() else { return };
        let arguments = arguments(&last.arguments);
        arguments.iter().for_each(|argument| self.declare(argument));
        self.declared.entry(text(&last.ident)).or_insert(arguments.len());
    }

    /// The path of the declared type. Nothing if it is declared with another number of arguments.
    fn path(&self, ty: &TypePath) -> Option<TokenStream> {
        let last = ty.path.segments.last()?;
        let arguments = arguments(&last.arguments);
        let (module, name) = (&self.module, &last.ident);
        if self.declared.get(&text(name)) != Some(&arguments.len()) {
            return None;
        }
        let arguments: Option<Vec<TokenStream>> =
            arguments.iter().map(|argument| self.path(argument)).collect();
        let arguments = arguments?;
        let name = crate::names::identifier(&text(name), proc_macro2::Span::call_site());
        Some(if arguments.is_empty() {
            quote!(#module::#name)
        } else {
            quote!(#module::#name<#(#arguments),*>)
        })
    }
}

/// The type of an included entry, as its library spells it.
fn spelled(entry: &Entry) -> Option<TypePath> {
    syn::parse_str(&entry.included.as_ref()?.spelled).ok()
}

/// The type arguments that are paths; other arguments are left out.
fn arguments(arguments: &PathArguments) -> Vec<TypePath> {
    let PathArguments::AngleBracketed(arguments) = arguments else { return Vec::new() };
    let types = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => match ungroup(ty) {
            Type::Path(path) => Some(path.clone()),
            _ => None,
        },
        _ => None,
    });
    types.collect()
}

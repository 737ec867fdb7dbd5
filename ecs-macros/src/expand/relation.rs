//! The impls of a relation: those of its component, and `Relation` with its target.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Type, WherePredicate, parse_quote};

use super::component;
use crate::model::component::Component;
use crate::model::relation::Relation;
use crate::names::allow_impls;
use crate::parse::relation::Gone;
use crate::span::{Ends, at, local};

pub(crate) fn expand(relation: &Relation) -> TokenStream {
    let of_component = match relation.many {
        // its derive, which is reported, makes the same
        _ if relation.has_component_derive => TokenStream::new(),
        None => component::expand(&relation.component),
        Some(_) => {
            let (allow, wrong) = (allow_impls(true), of_wrong_listing(relation));
            let logged = component::of_logged(&relation.component).unwrap_or_default();
            let deref = component::of_deref(&relation.component);
            quote!(#allow const _: () = { #wrong #logged #deref };)
        }
    };
    let (allow, of_relation, of_named) = (allow_impls(true), of_relation(relation), of_named(relation));
    quote! {
        #of_component
        #allow
        const _: () = {
            #of_relation
            #of_named
        };
    }
}

fn of_relation(relation: &Relation) -> TokenStream {
    let component = &relation.component;
    let (ecs, subject) = (&component.ecs, &component.subject);
    let (name, kind) = (subject.name(), component::kind(component, false));
    let stored = if relation.many.is_some() {
        let shown = format!("Many<{name}>");
        quote!(const __STORED: &'static ::core::primitive::str = #shown; type Stored = #ecs::Many<Self>;)
    } else {
        quote!(
            type Stored = Self;
        )
    };
    let gone = match &relation.gone {
        Gone::Remove => TokenStream::new(),
        Gone::Keep => quote!(const RELATION_GONE: #ecs::__private::Gone = #ecs::__private::Gone::Keep;),
        Gone::Cascade => quote!(const RELATION_GONE: #ecs::__private::Gone = #ecs::__private::Gone::Cascade;),
        Gone::Mark(_) => quote!(const RELATION_GONE: #ecs::__private::Gone = #ecs::__private::Gone::Mark;),
    };
    let acyclic = relation.acyclic.as_ref().map(|_| {
        quote!(
            const RELATION_ACYCLIC: ::core::primitive::bool = true;
        )
    });
    let to_self = relation.to_self.as_ref().map(|_| {
        quote!(
            const RELATION_TO_SELF: ::core::primitive::bool = true;
        )
    });
    let targets = relation.targets.as_ref().map(|_| {
        quote!(
            const RELATION_TARGETS: ::core::primitive::bool = true;
        )
    });
    let target = match &relation.target {
        Some((member, ty)) => {
            let this = local("self", *ty);
            quote_spanned!(*ty=> #this.#member)
        }
        None => quote!(::core::unreachable!()),
    };
    let set_target = match &relation.target {
        Some((member, ty)) => {
            let this = local("self", *ty);
            // the parameter's own span: that of the type may be of a `macro_rules!`, which does not
            // see the parameter
            let target = Ident::new("target", Span::call_site());
            Some(quote_spanned!(*ty=> #ecs::__private::set_target(&mut #this.#member, #target);))
        }
        None => None,
    };
    let with_target = with_target(relation);
    let mut predicates: Vec<WherePredicate> = subject.owned_data().into_iter().collect();
    if relation.symmetric.is_some() && subject.is_generic() {
        predicates.push(parse_quote!(#subject: ::core::clone::Clone));
    }
    let (parameters, clause) = subject.generics(TokenStream::new(), &predicates);
    quote! {
        impl #parameters #ecs::Relation for #subject #clause {
            const RELATION_NAME: &'static ::core::primitive::str = #name;
            #gone
            #acyclic
            #to_self
            #targets
            #stored
            type Kind = #kind;
            #[inline(always)]
            fn target(&self) -> #ecs::Entity {
                #target
            }
            fn __set_target(&mut self, target: #ecs::Entity) {
                #set_target
            }
            #with_target
        }
    }
}

/// The components that the options name: the one that a source gets when its target is despawned,
/// and those that every target has.
fn of_named(relation: &Relation) -> Option<TokenStream> {
    let Component { ecs, subject, mark, targets, .. } = &relation.component;
    if mark.is_none() && targets.is_empty() {
        return None;
    }
    let bounds = mark.iter().chain(targets).map(|ty| {
        let ends = Ends::of(ty);
        let (open, close) = (at(quote!(#ecs::Has<), ends.first), at(quote!(>), ends.last));
        quote!(#open #ty #close)
    });
    let (parameters, clause) = subject.generics(quote!(__W: #(#bounds)+*), subject.owned_data().as_slice());
    let index = |ty: &Type| quote!(<__W as #ecs::Has<#ty>>::INDEX);
    let given = mark.as_ref().map(|mark| {
        quote! {
            fn mark(at: &mut #ecs::__private::RequiredInserter<'_, __W>) {
                at.require(<#mark as ::core::default::Default>::default);
            }
        }
    });
    let (mark, targets) = (mark.as_ref().map(index), targets.iter().map(index));
    let mark = mark.map_or(quote!(None), |mark| quote!(Some(#mark)));
    Some(quote! {
        impl #parameters #ecs::__private::NamesComponents<__W> for #subject #clause {
            const COMPONENTS: #ecs::__private::RelationComponents = #ecs::__private::RelationComponents {
                mark: ::core::option::Option::#mark,
                targets: #ecs::__private::ComponentSet::EMPTY #(.with(#targets))*,
            };
            #given
        }
    })
}

/// `Relation::with_target`: the value that the target of a symmetric relation gets.
fn with_target(relation: &Relation) -> Option<TokenStream> {
    let (ecs, subject) = (&relation.component.ecs, &relation.component.subject);
    let (symmetric, (member, _)) = (relation.symmetric.as_ref()?, relation.target.as_ref()?);
    let (open, close) = (
        at(quote!(<), symmetric.span()),
        at(quote!(as #ecs::__private::SymmetricRelation>::twin), symmetric.span()),
    );
    Some(quote! {
        const RELATION_SYMMETRIC: ::core::primitive::bool = true;
        fn with_target(&self, target: #ecs::Entity) -> ::core::option::Option<Self> {
            let mut other = #open #subject #close(self);
            other.#member = target;
            ::core::option::Option::Some(other)
        }
    })
}

/// The `ComponentOf` of a relation with many targets, with a bound that fails: a world must list
/// `Many` of it instead.
fn of_wrong_listing(relation: &Relation) -> TokenStream {
    let component = &relation.component;
    let (ecs, subject, kind) = (&component.ecs, &component.subject, component::kind_without_part(component));
    let (parameters, clause) = subject.generics(
        quote!(__W: #ecs::World + #ecs::__private::ListsMany<#subject>),
        subject.owned_data().as_slice(),
    );
    quote! {
        impl #parameters #ecs::__private::ComponentOf<__W> for #subject #clause {
            type Kind = #kind;
        }
    }
}

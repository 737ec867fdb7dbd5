//! The impls of a component: its kind, the bundle of one component, its requirements and
//! exclusions.

use std::collections::BTreeSet;
use std::env;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, PoisonError};

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Index, Type, WherePredicate, parse_quote};

use super::{described, saving};
use crate::model::component::Component;
use crate::names::allow_impls;
use crate::parse::component::{Options, Removed, Required};
use crate::span::{Ends, at};

pub(crate) fn expand(component: &Component) -> TokenStream {
    let impls = [
        of_component(component),
        of_distinct(component).unwrap_or_default(),
        of_requirements(component),
        of_exclusion(component).unwrap_or_default(),
        of_logged(component).unwrap_or_default(),
        of_index(component).unwrap_or_default(),
        of_hook(component).unwrap_or_default(),
        of_deref(component),
        of_data(component),
        saving::expand(&component.ecs, &component.subject, &component.saving),
        described::expand(&component.ecs, &component.subject),
    ];
    // an impl that names other components may trip more lints
    let is_plain = component.requires.is_empty()
        && component.excludes.is_empty()
        && component.disables.is_none()
        && !component.subject.is_generic();
    let allow = allow_impls(!is_plain);
    quote! {
        #allow
        const _: () = {
            #(#impls)*
        };
    }
}

fn of_component(component: &Component) -> TokenStream {
    let Component { ecs, subject, .. } = component;
    let (identity, kind, numbers) = (subject.identity(ecs), kind(component, false), numbers(component));
    let (parameters, clause) = subject.generics(TokenStream::new(), &found_by(component));
    // `for<'__a>` keeps rustc from checking the bound here: `world!` checks it, once. The impl with
    // this bound has no items: rustc would evaluate all that they name without its cache, which
    // took 10 % of `cargo check`.
    let bound = quote!(for<'__a> #subject: #ecs::__private::ThreadSafe);
    let found_by = found_by(component);
    let predicates = subject.predicates(&found_by);
    let bounded = quote!(where #bound #(, #predicates)*);
    let no_recommendation = do_not_recommend(component);
    quote! {
        #no_recommendation
        #[doc(hidden)]
        impl #parameters #ecs::__private::IsComponent for #subject #clause {
            const __IDENTITY: #ecs::__private::Identity = #identity;
            #numbers
            type Kind = #kind;
        }
        #no_recommendation
        impl #parameters #ecs::Component for #subject #bounded {}
    }
}

/// The constant that lists the numbers of a value, for a component that has no other fields.
fn numbers(component: &Component) -> Option<TokenStream> {
    let Component { ecs, numbers, .. } = component;
    let fields = numbers.iter().map(|(member, depth)| {
        let mut numbers = quote!(&__value.#member);
        if *depth == 0 {
            numbers = quote!(::core::slice::from_ref(#numbers));
        }
        for _ in 1..*depth {
            numbers = quote!((#numbers).as_flattened());
        }
        quote!(__fields.add(#numbers);)
    });
    // only saves use it
    (cfg!(feature = "serde") && !numbers.is_empty()).then(|| {
        quote! {
            const __NUMBERS: ::core::option::Option<#ecs::__private::ListNumbers<Self>> =
                ::core::option::Option::Some(|__value, __fields| { #(#fields)* });
        }
    })
}

/// The component's kind, a type of the library: see `Kind` there. With `in_world`, the kind in a
/// world, which includes the required and excluded components.
pub(super) fn kind(component: &Component, in_world: bool) -> TokenStream {
    let ecs = &component.ecs;
    let demands =
        !component.requires.is_empty() || !component.excludes.is_empty() || component.disables.is_some();
    let mut part = (in_world && demands).then(|| quote!(#ecs::__private::Demands<Self>));
    // for a relation with many targets, a world asks `Many` for its kind
    if (component.mark.is_some() || !component.targets.is_empty()) && (in_world || component.many) {
        part = Some(match part {
            None => quote!(#ecs::__private::Naming<Self>),
            Some(part) => quote!(#ecs::__private::Naming<Self, #part>),
        });
    }
    kind_with(component, part)
}

/// The part of a kind for the storage, around the part that depends on the world.
fn stored(component: &Component, part: Option<TokenStream>) -> Option<TokenStream> {
    let ecs = &component.ecs;
    match part {
        _ if component.packed.is_none() => part,
        None => Some(quote!(#ecs::__private::Packed)),
        Some(part) => Some(quote!(#ecs::__private::Packed<#part>)),
    }
}

/// The component's kind with the properties that depend on the world.
fn kind_with(component: &Component, world_part: Option<TokenStream>) -> TokenStream {
    let (ecs, (form, tracked)) = (&component.ecs, component.form());
    let world_part = stored(component, world_part);
    let form = Ident::new(form, Span::call_site());
    let rule = if component.relation {
        let stored = if component.many { quote!(#ecs::Many<Self>) } else { quote!(Self) };
        Some(quote!(#ecs::__private::RelationRule<#stored>))
    } else if component.index.is_some() {
        Some(quote!(#ecs::__private::IndexRule<Self>))
    } else if component.hook.is_some() {
        Some(quote!(#ecs::__private::HookRule<Self>))
    } else {
        component.unique.then(|| quote!(#ecs::__private::UniqueRule<Self>))
    };
    let log = component.removed.as_ref().map(|Removed { most, .. }| match most {
        Some(usize::MAX) => quote!(#ecs::__private::Logged<{ ::core::primitive::usize::MAX }>),
        // 0 means the default bound of the library
        most => {
            let most = most.unwrap_or(0);
            quote!(#ecs::__private::Logged<#most>)
        }
    });
    let excludes = (!component.excludes.is_empty()).then(|| quote!(true));
    let options = [
        (rule, quote!(#ecs::__private::NoRule)),
        (log, quote!(#ecs::__private::NotLogged)),
        (world_part, quote!(())),
        (excludes, quote!(false)),
    ];
    // the parameters after the last option have their defaults
    let given = options.iter().rposition(|(option, _)| option.is_some()).map_or(0, |last| last + 1);
    let options = options.into_iter().take(given).map(|(option, default)| option.unwrap_or(default));
    quote!(#ecs::__private::Kind<#ecs::__private::#form, #tracked #(, #options)*>)
}

/// The kind of a relation with many targets where a world lists the relation instead of `Many`.
pub(super) fn kind_without_part(component: &Component) -> TokenStream {
    kind_with(component, None)
}

/// The impl of `LoggedValue` for a component with `removed`, whose body checks that it is `Clone`. A
/// generic component has it where it is `Clone`.
pub(super) fn of_logged(component: &Component) -> Option<TokenStream> {
    let Component { ecs, subject, .. } = component;
    component.removed.as_ref()?;
    let is_clone = subject.is_generic().then(|| syn::parse_quote!(Self: ::core::clone::Clone));
    let (parameters, clause) = subject.generics(TokenStream::new(), is_clone.as_slice());
    let no_recommendation = do_not_recommend(component);
    let copy = quote_spanned! {subject.ident.span()=>
        #[inline]
        fn copy(&self) -> Self {
            #ecs::__private::CloneOfRemoved::clone_of(self)
        }
    };
    Some(quote! {
        #no_recommendation
        impl #parameters #ecs::__private::LoggedValue for #subject #clause {
            #copy
        }
    })
}

/// The attribute before the impls of the library's own components: rustc should not suggest them
/// for a type that is no component.
fn do_not_recommend(component: &Component) -> Option<TokenStream> {
    component.ecs.is_own().then(|| quote!(#[diagnostic::do_not_recommend]))
}

/// The impl of `Indexed`: the value by which entities are found.
fn of_index(component: &Component) -> Option<TokenStream> {
    let Component { ecs, subject, .. } = component;
    let index = component.index.as_ref()?;
    let (ty, key) = match (&index.parsed.field, &index.ty) {
        (Some(field), Some(ty)) => (quote!(#ty), quote!(&self.#field)),
        (None, Some(ty)) => (quote!(#ty), quote!(<#ty as ::core::convert::From<&Self>>::from(self))),
        (None, None) => (quote!(#subject), quote!(self)),
        // `check` has reported it
        (Some(_), None) => (quote!(()), quote!(&())),
    };
    let is_key = index.parsed.is_key;
    // a key without the traits that the form needs is an error over the name of the component
    let (span, form) =
        (subject.ident.span(), if index.parsed.ordered { "OrderedIndex" } else { "HashIndex" });
    let form = at(quote!(#ecs::component::), span).into_iter().chain([Ident::new(form, span).into()]);
    let form: TokenStream = form.collect();
    let (parameters, clause) = subject.generics(TokenStream::new(), found_by(component).as_slice());
    let no_recommendation = do_not_recommend(component);
    let ordered = index.parsed.ordered.then(|| {
        quote! {
            #no_recommendation
            impl #parameters #ecs::__private::Ordered for #subject #clause {}
        }
    });
    Some(quote! {
        #no_recommendation
        impl #parameters #ecs::__private::Indexed for #subject #clause {
            type Key = #ty;
            type Form = #form;
            const IS_KEY: ::core::primitive::bool = #is_key;
            #[inline]
            fn key(&self) -> impl ::core::borrow::Borrow<#ty> {
                #key
            }
        }
        #ordered
    })
}

/// The impl of `Hooked`: the hook of the component.
fn of_hook(component: &Component) -> Option<TokenStream> {
    let Component { ecs, subject, .. } = component;
    let (_, hook) = component.hook.as_ref()?;
    let (parameters, clause) = subject.generics(TokenStream::new(), &found_by(component));
    Some(quote! {
        impl #parameters #ecs::__private::Hooked for #subject #clause {
            type Hook = #hook;
        }
    })
}

/// The bounds of a generic component: it owns its data, and an indexed value is the key of
/// its index.
fn found_by(component: &Component) -> Vec<WherePredicate> {
    let Component { ecs, subject, .. } = component;
    let mut demands: Vec<_> = subject.owned_data().into_iter().collect();
    if let Some(index) = component.index.as_ref().filter(|_| subject.is_generic()) {
        let ty = index.ty.as_ref().map_or_else(|| quote!(#subject), |ty| quote!(#ty));
        let demand = if index.parsed.ordered { quote!(OrderedKey) } else { quote!(IndexKey) };
        demands.push(parse_quote!(#ty: #ecs::__private::#demand));
    }
    demands
}

/// The check of a bundle for the components that this one excludes. The library has the check of
/// other components.
fn of_distinct(component: &Component) -> Option<TokenStream> {
    let (ecs, subject, excludes) = (&component.ecs, &component.subject, &component.excludes);
    if excludes.is_empty() {
        return None;
    }
    let span = subject.ident.span();
    let ecs = ecs.at(span);
    let shape = |excludes: bool| quote_spanned!(span=> #ecs::__private::ComponentShape<#excludes>);
    let (own, plain) = (shape(true), shape(false));
    let keys: Vec<_> = excludes
        .iter()
        .map(|ty| quote_spanned!(span=> <#ty as #ecs::__private::ExcludesOthers<__W>>::At))
        .collect();
    let mut predicates: Vec<WherePredicate> = subject.owned_data().into_iter().collect();
    predicates.extend(known(component));
    predicates.push(parse_quote!(#subject: #ecs::__private::Distinct<__W, __S, #plain>));
    let find = excludes.iter().zip(&keys).map(
        |(ty, key)| quote_spanned!(span=> #ecs::__private::Find<#key, Found: #ecs::__private::Lacks<#subject, #ty>>),
    );
    let more = quote_spanned!(span=> __W: #ecs::Has<#subject>, __S: #(#find)+*);
    let (parameters, clause) = subject.generics(more, &predicates);
    let mut of_set: Vec<WherePredicate> = subject.owned_data().into_iter().collect();
    of_set.push(parse_quote!(#subject: #ecs::__private::AddTo<__W, __S, #plain>));
    let (with_set, set_clause) =
        subject.generics(quote_spanned!(span=> __W: #ecs::Has<#subject>, __S), &of_set);
    let out = quote_spanned!(span=> <#subject as #ecs::__private::AddTo<__W, __S, #plain>>::Out);
    let out = if subject.is_generic() {
        out
    } else {
        quote_spanned!(span=> #ecs::__private::WithExclusion<#out, #subject>)
    };
    Some(quote_spanned! {span=>
        #[doc(hidden)]
        impl #parameters #ecs::__private::Distinct<__W, __S, #own> for #subject #clause {}
        #[doc(hidden)]
        impl #with_set #ecs::__private::AddTo<__W, __S, #own> for #subject #set_clause {
            type Out = #out;
        }
    })
}

fn of_requirements(component: &Component) -> TokenStream {
    let Component { ecs, subject, mark, targets, .. } = component;
    let Options { requires, excludes, disables, .. } = &component.options;
    let kind = kind(component, true);
    let types: Vec<&Type> = requires.iter().map(|required| &required.ty).collect();
    let disabled = disables.iter().flat_map(|disables| &disables.components);
    let named = types.iter().copied().chain(mark).chain(targets);
    let demands = named.chain(disabled.clone()).map(|ty| {
        let ends = Ends::of(ty);
        let (open, close) = (at(quote!(+ #ecs::Has<), ends.first), at(quote!(>), ends.last));
        quote!(#open #ty #close)
    });
    let mut predicates = found_by(component);
    predicates.extend(known(component));
    let (parameters, clause) = subject.generics(quote!(__W: #ecs::World #(#demands)*), &predicates);
    let of_trait = {
        let (span, ecs) = (subject.ident.span(), ecs.at(subject.ident.span()));
        quote_spanned!(span=> #ecs::__private::ComponentOf<__W>)
    };
    let fill = fill(requires);
    // items with their default value are left out: each costs compile time in every component
    let listed = (!requires.is_empty()).then(|| {
        quote! {
            const DIRECT: #ecs::__private::ComponentSet = #ecs::__private::ComponentSet::EMPTY
                #(.with(<__W as #ecs::Has<#types>>::INDEX))*;
            fn fill(__at: &mut #ecs::__private::RequiredInserter<'_, __W>) {
                #fill
            }
        }
    });
    let excluded = (!excludes.is_empty()).then(|| {
        quote! {
            const EXCLUSION: #ecs::__private::Exclusion = #ecs::__private::Exclusion {
                own: ::core::option::Option::Some(<Self as #ecs::__private::ExcludesOthers<__W>>::KEY),
                others: &[#(<#excludes as #ecs::__private::ExcludesOthers<__W>>::KEY),*],
            };
        }
    });
    let passed_over = disables.as_ref().map(|disables| {
        let of = match disables.components.is_empty() {
            true => quote!(Entity),
            false => quote! {
                Components(#ecs::__private::ComponentSet::EMPTY #(.with(<__W as #ecs::Has<#disabled>>::INDEX))*)
            },
        };
        quote!(const DISABLES: #ecs::__private::Disables = #ecs::__private::Disables::#of;)
    });
    let no_recommendation = do_not_recommend(component);
    quote! {
        #no_recommendation
        #[doc(hidden)]
        impl #parameters #of_trait for #subject #clause {
            type Kind = #kind;
            #listed
            #excluded
            #passed_over
        }
    }
}

/// Inserts the required components: first all of the list, and then those that these require in
/// turn, so that the values of the list count.
fn fill(requires: &[Required]) -> TokenStream {
    let make = |Required { ty, value, .. }: &Required| match value {
        Some(value) => quote!(|| -> #ty { #value }),
        None => quote!(<#ty as ::core::default::Default>::default),
    };
    if let [one] = requires {
        let make = make(one);
        return quote!(__at.require(#make););
    }
    let (makes, numbers) = (requires.iter().map(make), (0..requires.len()).map(Index::from));
    let types = requires.iter().map(|required| &required.ty);
    quote! {
        let __new = (#(__at.insert(#makes),)*);
        #(if __new.#numbers { __at.fill::<#types>(); })*
    }
}

/// The bounds that every excluded component excludes this one, too, and, for a generic component,
/// that the world has it.
fn known(component: &Component) -> Vec<WherePredicate> {
    let (ecs, subject, excludes) = (&component.ecs, &component.subject, &component.excludes);
    let of_itself =
        (subject.is_generic() && !excludes.is_empty()).then(|| parse_quote!(__W: #ecs::Has<#subject>));
    let known = excludes.iter().map(|ty| {
        let ends = Ends::of(ty);
        let (open, close) =
            (at(quote!(: #ecs::__private::Excludes<__W,), ends.first), at(quote!(>), ends.last));
        parse_quote!(#ty #open #subject #close)
    });
    known.chain(of_itself).collect()
}

/// The impls that identify the component to those that it excludes: by a number, or by the place in
/// the world if it is generic.
fn of_exclusion(component: &Component) -> Option<TokenStream> {
    let (ecs, subject, excludes) = (&component.ecs, &component.subject, &component.excludes);
    if excludes.is_empty() {
        return None;
    }
    let mut of_number = None;
    let (bound, of, key) = if subject.is_generic() {
        let has = quote!(<__W as #ecs::Has<#subject>>);
        (quote!(#ecs::Has<#subject>), quote!(#has::TypeIndex), quote!(Index(#has::INDEX)))
    } else {
        let number = number(component);
        let bits = (0..u32::BITS).fold(quote!(()), |rest, bit| {
            let bit = Ident::new(if number >> bit & 1 == 1 { "Bit1" } else { "Bit0" }, Span::call_site());
            quote!((#ecs::__private::#bit, #rest))
        });
        of_number = Some(quote!(impl #ecs::__private::Numbered for #subject { type Bits = #bits; }));
        (quote!(#ecs::World), quote!(#ecs::__private::ByNumber<#subject>), quote!(Number(#number)))
    };
    let (parameters, clause) = subject.generics(quote!(__W: #bound), subject.owned_data().as_slice());
    Some(quote! {
        #of_number
        impl #parameters #ecs::__private::ExcludesOthers<__W> for #subject #clause {
            type At = #of;
            const KEY: #ecs::__private::ExclusionKey = #ecs::__private::ExclusionKey::#key;
        }
        #(impl #parameters #ecs::__private::Excludes<__W, #excludes> for #subject #clause {})*
    })
}

/// The component's number: a hash of its name, its crate and its source position. Components that a
/// macro declares under one name at one position get consecutive numbers.
fn number(component: &Component) -> u32 {
    static GIVEN: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());
    let ident = &component.subject.ident;
    let place = proc_macro::is_available().then(|| {
        let span = ident.span().unwrap();
        (span.line(), span.column())
    });
    let of_crate =
        ["CARGO_PKG_NAME", "CARGO_PKG_VERSION", "CARGO_CRATE_NAME"].map(|name| env::var(name).ok());
    let mut hasher = DefaultHasher::new();
    (component.subject.name(), place, of_crate).hash(&mut hasher);
    let mut number = hasher.finish() as u32;
    let mut given = GIVEN.lock().unwrap_or_else(PoisonError::into_inner);
    while !given.insert(number) {
        number = number.wrapping_add(1);
    }
    number
}

/// An impl of `Data` that matches no entity and belongs to no world. With it, a query of a
/// component by value gives one message, of the missing `QueryData`. The library has the impl for
/// filters.
fn of_data(component: &Component) -> TokenStream {
    let Component { ecs, subject, .. } = component;
    let (parameters, clause) = subject.generics(TokenStream::new(), subject.owned_data().as_slice());
    let owned = subject.owned_data();
    let (parameters_and_world, _) = subject.generics(quote!(__W: #ecs::World), owned.as_slice());
    // the condition never holds, and its message says that a query borrows the component
    let predicates = subject.predicates(owned.as_slice());
    let condition = quote!(where #(#predicates,)* #ecs::__private::Mistakes: #ecs::__private::NamedByValue<#subject, __W>);
    // for a path with the span of the derive, rustc advises to implement the trait by hand
    let span = subject.ident.span();
    let (at, query_data) = (ecs.at(span), Ident::new("QueryData", span));
    quote! {
        #[doc(hidden)]
        unsafe impl #parameters #ecs::__private::Data for #subject #clause {
            type Columns = #ecs::__private::MatchesNothing;
            type Base = ();
            type Item<'__q> = &'__q Self;
            type ReadOnly = Self;
        }
        #[doc(hidden)]
        unsafe impl #parameters #ecs::__private::ReadData for #subject #clause {}
        #[doc(hidden)]
        unsafe impl #parameters_and_world #at::__private::#query_data<__W> for #subject #condition {}
    }
}

pub(super) fn of_deref(component: &Component) -> TokenStream {
    let Component { subject, .. } = component;
    let Some((member, target)) = component.deref.as_ref().and_then(|deref| deref.field.as_ref()) else {
        return TokenStream::new();
    };
    let (parameters, clause) = subject.generics(TokenStream::new(), &[]);
    quote! {
        impl #parameters ::core::ops::Deref for #subject #clause {
            type Target = #target;
            #[inline]
            fn deref(&self) -> &Self::Target {
                &self.#member
            }
        }
        impl #parameters ::core::ops::DerefMut for #subject #clause {
            #[inline]
            fn deref_mut(&mut self) -> &mut Self::Target {
                &mut self.#member
            }
        }
    }
}

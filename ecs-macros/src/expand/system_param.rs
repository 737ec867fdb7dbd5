//! The impls of a struct of parameters: each forwards to its fields.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{Type, WherePredicate, parse_quote};

use super::tuple::nest;
use crate::model::bundle::shown;
use crate::model::field_struct::{Field, FieldStruct};
use crate::model::subject::Impl;
use crate::names::allow;
use crate::span::{Ends, Text, at, call_of, item_of};

pub(crate) fn expand(param: &FieldStruct) -> TokenStream {
    let (allow, of_param, of_shared) = (allow(), of_system_param(param), of_shared_param(param));
    quote! {
        #allow
        const _: () = {
            #of_param
            #of_shared
        };
    }
}

/// The expansion after a reported mistake: an impl for every world, whose items are never made.
pub(crate) fn stub(param: &FieldStruct) -> TokenStream {
    let (ecs, allow, (parameters, clause)) = (&param.ecs, allow(), generics(param, &[]));
    let (subject, item) = (param.ty(None), param.ty(Some("'__w")));
    quote! {
        #allow
        const _: () = {
            unsafe impl #parameters #ecs::system::SystemParam<__W> for #subject #clause {
                const ACCESS: #ecs::__private::Access = #ecs::__private::Access::NONE;
                type State = ();
                type Item<'__w> = #item;
                fn init(_: &mut __W) {}
                unsafe fn get<'__w>(_: #ecs::__private::WorldCell<'__w, __W>, _: &'__w mut ()) -> Self::Item<'__w> {
                    ::core::unreachable!()
                }
                fn lend<'__w>(_: &'__w mut Self::Item<'_>) -> Self::Item<'__w> {
                    ::core::unreachable!()
                }
            }
        };
    }
}

/// The generics of an impl for every world.
fn generics(param: &FieldStruct, predicates: &[WherePredicate]) -> Impl {
    let ecs = &param.ecs;
    param.generics(quote!(__W: #ecs::World), predicates)
}

/// The bound of a field: a parameter whose value has the type of the field.
///
/// It names the type of the value, so that the compiler knows it in the impl, where the bound
/// stands for the impl of the field's type.
fn bound(param: &FieldStruct, field: &Field, of_trait: &str) -> WherePredicate {
    let ecs = &param.ecs;
    let (subject, item) = (param.of_field(field, "'static"), param.of_field(field, "'__x"));
    let of_trait = format_ident!("{of_trait}");
    let of_trait = quote!(for<'__x> #ecs::__private::#of_trait<__W, Item<'__x> = #item>);
    let of_trait = at(of_trait, Ends::of(&field.ty).first);
    parse_quote!(#subject: #of_trait)
}

fn bounds(param: &FieldStruct, of_trait: &str) -> Vec<WherePredicate> {
    param.fields.iter().map(|field| bound(param, field, of_trait)).collect()
}

/// A field's type with the spans of the user's, for paths to its items.
struct Subject {
    ty: Type,
    ends: Ends,
}

impl ToTokens for Subject {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.ty.to_tokens(tokens);
    }
}

impl Text for Subject {
    fn ends(&self) -> Ends {
        self.ends
    }
}

/// The parts of the impls that are written for each field.
struct Forwarded<'a> {
    param: &'a FieldStruct,
    subjects: Vec<Subject>,
}

impl<'a> Forwarded<'a> {
    fn of(param: &'a FieldStruct) -> Self {
        let subject = |field: &Field| Subject {
            ty: param.of_field(field, "'static"),
            ends: Ends::of(&field.ty).generated(),
        };
        Self { param, subjects: param.fields.iter().map(subject).collect() }
    }

    /// `<Field as SystemParam<W>>::item` for each field.
    fn items(&self, item: &str) -> Vec<TokenStream> {
        let ecs = &self.param.ecs;
        let of = |subject| item_of(subject, ecs, "SystemParam", &quote!(__W), item);
        self.subjects.iter().map(of).collect()
    }

    /// A call of a function of the trait for each field, with the arguments for its index.
    fn calls(
        &self,
        of_trait: &str,
        function: &str,
        arguments: impl Fn(usize) -> TokenStream,
    ) -> Vec<TokenStream> {
        let ecs = &self.param.ecs;
        let call =
            |(index, subject)| call_of(subject, ecs, of_trait, &quote!(__W), function, arguments(index));
        self.subjects.iter().enumerate().map(call).collect()
    }

    /// The struct, with a value for each field.
    fn assembled(&self, values: &[TokenStream]) -> TokenStream {
        let ident = &self.param.ident;
        let members = self.param.fields.iter().map(|field| &field.member);
        quote!(#ident { #(#members: #values),* })
    }

    /// The variables for the states or outputs of the fields.
    fn variables(&self) -> Vec<Ident> {
        (0..self.subjects.len()).map(|index| format_ident!("__s{index}")).collect()
    }
}

fn of_system_param(param: &FieldStruct) -> TokenStream {
    let (ecs, forwarded) = (&param.ecs, Forwarded::of(param));
    let (parameters, clause) = generics(param, &bounds(param, "SystemParam"));
    let (subject, item) = (param.ty(None), param.ty(Some("'__w")));
    let infos = param.fields.iter().zip(forwarded.items("ACCESS")).map(|(field, access)| {
        let name = shown(&field.member);
        quote!(#ecs::__private::ParamInfo { name: #name, kind: #ecs::__private::ParamKind::Other, access: #access })
    });
    let variables = forwarded.variables();
    let states: Vec<TokenStream> = variables.iter().map(ToTokens::to_token_stream).collect();
    let (pattern, types) = (nest(&states), nest(&forwarded.items("State")));
    let members: Vec<_> = param.fields.iter().map(|field| &field.member).collect();
    let with_state = |index: usize| {
        let state = &variables[index];
        quote!(__world, #state)
    };
    let init = nest(&forwarded.calls("SystemParam", "init", |_| quote!(&mut *__world)));
    let get = forwarded.assembled(&forwarded.calls("SystemParam", "get", with_state));
    let lend = forwarded.assembled(&forwarded.calls("SystemParam", "lend", |index| {
        let member = members[index];
        quote!(&mut __item.#member)
    }));
    let finish = forwarded.calls("SystemParam", "finish", |index| {
        let state = &variables[index];
        quote!(__world, #state, __phase)
    });
    let news = forwarded.calls("SystemParam", "has_news", with_state);
    let ready = forwarded.calls("SystemParam", "is_ready", with_state);
    let may_skip = forwarded.items("MAY_SKIP");
    let cell = quote!(#ecs::__private::WorldCell);
    quote! {
        unsafe impl #parameters #ecs::system::SystemParam<__W> for #subject #clause {
            const ACCESS: #ecs::__private::Access = #ecs::__private::Access::of_fields(&[#(#infos),*]);
            type State = #types;
            type Item<'__w> = #item;
            fn init(__world: &mut __W) -> Self::State {
                #init
            }
            #[inline(always)]
            unsafe fn get<'__w>(__world: #cell<'__w, __W>, __state: &'__w mut Self::State) -> Self::Item<'__w> {
                let #pattern = __state;
                unsafe { #get }
            }
            #[inline(always)]
            fn lend<'__w>(__item: &'__w mut Self::Item<'_>) -> Self::Item<'__w> {
                #lend
            }
            #[inline]
            unsafe fn finish(
                __world: #cell<'_, __W>,
                __state: &mut Self::State,
                __phase: &mut #ecs::__private::SystemPhase<'_, __W>,
            ) {
                let #pattern = __state;
                unsafe { #(#finish;)* }
            }
            unsafe fn has_news(__world: #cell<'_, __W>, __state: &mut Self::State) -> ::core::primitive::bool {
                let #pattern = __state;
                unsafe { false #(| #news)* }
            }
            const MAY_SKIP: ::core::primitive::bool = false #(|| #may_skip)*;
            #[inline(always)]
            unsafe fn is_ready(__world: #cell<'_, __W>, __state: &mut Self::State) -> ::core::primitive::bool {
                let #pattern = __state;
                unsafe { true #(&& #ready)* }
            }
        }
    }
}

/// `SharedParam`, if all fields are shared by the threads of a system that is marked `par`.
fn of_shared_param(param: &FieldStruct) -> TokenStream {
    let (ecs, forwarded) = (&param.ecs, Forwarded::of(param));
    let mut predicates = bounds(param, "SystemParam");
    predicates.extend(param.fields.iter().map(|field| -> WherePredicate {
        let subject = param.of_field(field, "'static");
        let of_trait = at(quote!(#ecs::__private::SharedParam<__W>), Ends::of(&field.ty).first);
        parse_quote!(#subject: #of_trait)
    }));
    let (parameters, clause) = generics(param, &predicates);
    let (subject, variables) = (param.ty(None), forwarded.variables());
    let members: Vec<_> = param.fields.iter().map(|field| &field.member).collect();
    let output = forwarded.calls("SharedParam", "output", |_| TokenStream::new());
    let share = forwarded.assembled(&forwarded.calls("SharedParam", "share", |index| {
        let (member, output) = (members[index], &variables[index]);
        quote!(&__item.#member, #output)
    }));
    let join = forwarded.calls("SharedParam", "join", |index| {
        let (member, output) = (members[index], &variables[index]);
        quote!(&mut __item.#member, #output)
    });
    quote! {
        unsafe impl #parameters #ecs::__private::SharedParam<__W> for #subject #clause {
            fn output() -> #ecs::__private::SharedOutput {
                #ecs::__private::SharedOutput::list([#(#output),*])
            }
            fn share<'__w>(
                __item: &'__w Self::Item<'_>,
                __output: &'__w mut #ecs::__private::SharedOutput,
            ) -> Self::Item<'__w> {
                let [#(#variables),*] = __output.list_mut();
                #share
            }
            fn join(__item: &mut Self::Item<'_>, __output: &mut #ecs::__private::SharedOutput) {
                let [#(#variables),*] = __output.list_mut();
                #(#join;)*
            }
        }
    }
}

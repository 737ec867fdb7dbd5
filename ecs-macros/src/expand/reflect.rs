//! `unsafe impl Reflect for X`, the description of a type, and the impls of `Serialize` and
//! `Deserialize`, which read it.

use proc_macro2::{Delimiter, Ident, Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{ExprPath, Type, WherePredicate, parse_quote};

use crate::model::reflect::{Field, Parts, Reflect, Shape, Style, Variant};
use crate::model::subject::Impl;
use crate::names::allow_impls;
use crate::span::{Ends, at};

pub(crate) fn expand(reflect: &Reflect) -> TokenStream {
    if !cfg!(feature = "serde") {
        return TokenStream::new();
    }
    let Reflect { ecs, subject, .. } = reflect;
    let allow = allow_impls(subject.is_generic());
    let value_type = value_type(reflect);
    let (parameters, clause) = reflect.generics(TokenStream::new());
    let of_serde = of_serde(reflect);
    quote! {
        #allow
        const _: () = {
            unsafe impl #parameters #ecs::Reflect for #subject #clause {
                fn value_type() -> &'static #ecs::__private::value::ValueType {
                    #value_type
                }
            }
            #of_serde
        };
    }
}

/// The impls of serde's traits, without those that the type derives.
fn of_serde(reflect: &Reflect) -> TokenStream {
    let Reflect { ecs, subject, derived, .. } = reflect;
    let (serde, value) = (quote!(#ecs::__private::serde), quote!(#ecs::__private::value));
    let (parameters, clause) = reflect.generics(TokenStream::new());
    // a name that no parameter of the type has
    let (names, mut format) = (subject.to_token_stream().to_string(), format_ident!("__F"));
    while names.contains(&format.to_string()) {
        format = format_ident!("{format}_");
    }
    let serialize = (!derived.contains(&"Serialize")).then(|| {
        quote! {
            impl #parameters #serde::Serialize for #subject #clause {
                #[inline]
                fn serialize<#format: #serde::Serializer>(
                    &self,
                    serializer: #format,
                ) -> ::core::result::Result<#format::Ok, #format::Error> {
                    #value::serialize(self, serializer)
                }
            }
        }
    });
    let (parameters, clause) = reflect.generics(quote!('__de));
    let deserialize = (!derived.contains(&"Deserialize")).then(|| {
        quote! {
            impl #parameters #serde::Deserialize<'__de> for #subject #clause {
                #[inline]
                fn deserialize<#format: #serde::Deserializer<'__de>>(
                    deserializer: #format,
                ) -> ::core::result::Result<Self, #format::Error> {
                    #value::deserialize(deserializer)
                }
            }
        }
    });
    quote!(#serialize #deserialize)
}

/// The body of the function that returns the description. No path of the user stands in an `unsafe`
/// block, where it could call an unsafe function.
fn value_type(reflect: &Reflect) -> TokenStream {
    let Reflect { ecs, name, .. } = reflect;
    if !reflect.is_describable() {
        return quote!(::core::unreachable!());
    }
    let value = quote!(#ecs::__private::value);
    let description = match &reflect.shape {
        Shape::Struct(parts) => {
            let (checked, parts) = (parts.checked(&value), reflect.parts_of(parts, true));
            quote! {
                #checked
                let __parts = #parts;
                unsafe { #value::ValueType::of_struct::<Self>(#name, __parts) }
            }
        }
        Shape::Enum(variants) => reflect.of_enum(variants),
        Shape::Union(_) => TokenStream::new(),
    };
    let checked = reflect.check.as_ref().map(|check| {
        let value_of = quote!(unsafe { &*__value.cast::<Self>() });
        let call = Ends::of(&check.path).call(
            ecs,
            &["value", "check_value"],
            at(quote!(_, _), Ends::of(&check.path).last),
            quote!(#value_of, #check),
        );
        quote! {
            let __check: unsafe fn(*const ::core::primitive::u8) -> _ = |__value| #call;
            let __description = unsafe { __description.checked(__check) };
        }
    });
    // rustc sees an import that is not needed as the user's if the path is
    let unused = (!ecs.is_default()).then(|| quote!(#[allow(unused_imports)]));
    quote! {
        #unused
        use #value::WithSerde as _;
        const {
            &{
                let __description = { #description };
                #checked
                __description
            }
        }
    }
}

impl Reflect {
    /// The generics of the impls: each type parameter has a description, and each field that takes
    /// its `Default` value has one.
    fn generics(&self, lifetime: TokenStream) -> Impl {
        let Self { ecs, subject, .. } = self;
        let described = |name| -> WherePredicate { parse_quote!(#name: #ecs::Reflect) };
        let mut predicates: Vec<WherePredicate> = subject.type_parameters().map(described).collect();
        if subject.is_generic() && self.is_describable() {
            let fields = self.parts().into_iter().flat_map(|parts| &parts.fields);
            predicates.extend(fields.filter(|field| field.needs_default()).map(|field| -> WherePredicate {
                let ty = &field.ty;
                parse_quote!(#ty: ::core::default::Default)
            }));
        }
        subject.generics_behind(lifetime, &predicates)
    }

    /// `FieldList::new(..)`. The fields of a variant have no offsets.
    fn parts_of(&self, parts: &Parts, are_of_struct: bool) -> TokenStream {
        let ecs = &self.ecs;
        let value = quote!(#ecs::__private::value);
        let style = match parts.style {
            Style::Named => quote!(Named),
            Style::Tuple => quote!(Tuple),
            Style::Newtype => quote!(Newtype),
            Style::Unit => quote!(Unit),
        };
        if parts.fields.is_empty() {
            return quote!(#value::FieldList::new(#value::Style::#style, &[], &[]));
        }
        let names = parts.written().map(|field| &field.name.text);
        let fields = parts.fields.iter().map(|field| self.field(field, are_of_struct));
        quote! {
            #value::FieldList::new(#value::Style::#style, const { &[#(#names),*] }, const { &[#(#fields),*] })
        }
    }

    /// `Field::new(..)`.
    fn field(&self, field: &Field, is_of_struct: bool) -> TokenStream {
        let ecs = &self.ecs;
        let value = quote!(#ecs::__private::value);
        let Field { member, name, ty, options } = field;
        let name = &name.text;
        let offset = if is_of_struct { quote!(::core::mem::offset_of!(Self, #member)) } else { quote!(0) };
        // a missing trait is reported under the type of the field
        let ends = Ends::of(ty);
        let around = |open: TokenStream, close: TokenStream| {
            let (open, close) = (at(open, ends.first), at(close, ends.last));
            quote!(#open #ty #close)
        };
        let of = match options.skip.is_some() || field.borrows() {
            true => quote!(#value::undescribed::<#ty>),
            false => around(quote!(#value::FieldType::<), quote!(>::describe)),
        };
        let new = quote!(#value::Field::new(#name, #offset, #of));
        let default = match &options.default_path {
            Some(path) => written_by(path, ty),
            None if field.needs_default() => around(quote!(#value::default_of::<), quote!(>)),
            None => return new,
        };
        let method = if options.skip.is_some() { quote!(skipped) } else { quote!(or_default) };
        quote! {
            {
                let __field = #new;
                let __default: unsafe fn(*mut ::core::primitive::u8) = #default;
                unsafe { __field.#method(__default) }
            }
        }
    }

    fn of_enum(&self, variants: &[Variant]) -> TokenStream {
        let (ecs, name) = (&self.ecs, &self.name);
        let value = quote!(#ecs::__private::value);
        let names = variants.iter().map(|variant| &variant.name.text);
        let descriptions = variants.iter().map(|variant| {
            let (name, parts) = (&variant.name.text, self.parts_of(&variant.parts, false));
            quote!(#value::Variant::new(#name, #parts))
        });
        let (parts, build) = if variants.is_empty() {
            (quote!(|_, _| ::core::unreachable!()), quote!(|_, _, _| ::core::unreachable!()))
        } else {
            let (parts, build) = (
                variants.iter().enumerate().map(|(number, variant)| variant.parts_of(number, &value)),
                variants.iter().enumerate().map(|(number, variant)| variant.built(number)),
            );
            (
                quote!(|__value, __each| match unsafe { &*__value.cast::<Self>() } { #(#parts)* }),
                quote!(|__variant, __parts, __to| unsafe {
                    __to.cast::<Self>().write(match (__variant, __parts) {
                        #(#build)*
                        _ => ::core::unreachable!(),
                    })
                }),
            )
        };
        quote! {
            let __variants = const { &[#(#descriptions),*] };
            unsafe {
                #value::ValueType::of_enum::<Self>(#name, const { &[#(#names),*] }, __variants, #parts, #build)
            }
        }
    }
}

impl Field {
    /// Whether its value may be that of `Default`.
    fn needs_default(&self) -> bool {
        let options = &self.options;
        options.default_path.is_none() && (options.skip.is_some() || options.default.is_some())
    }
}

impl Parts {
    /// The variables of the fields.
    fn variables(&self) -> Vec<Ident> {
        (0..self.fields.len()).map(|index| format_ident!("__{index}")).collect()
    }

    /// `{ x: __0, y: __1 }`
    fn pattern(&self) -> TokenStream {
        let (members, variables) = (self.fields.iter().map(|field| &field.member), self.variables());
        quote!({ #(#members: #variables),* })
    }

    /// The addresses of the fields. An attribute macro below the derive may change fields that the
    /// derive has read: the types are compared.
    fn pointers(&self, value: &TokenStream) -> Vec<TokenStream> {
        let fields = self.fields.iter().zip(self.variables());
        let pointer = |(Field { ty, .. }, variable): (&Field, Ident)| {
            quote! {
                {
                    let __field = ::core::ptr::from_ref(#variable);
                    #value::field_pointer::<#ty>(__field)
                }
            }
        };
        fields.map(pointer).collect()
    }

    /// Compares the fields of a struct with those that the derive has read. Mutable pointers, since
    /// one to a field of a subtype would not do: a value of the type is written to the field. The
    /// arms of an enum compare both ways.
    fn checked(&self, value: &TokenStream) -> TokenStream {
        let pattern = self.pattern();
        let compared = self.fields.iter().zip(self.variables()).map(|(Field { ty, .. }, variable)| {
            quote! {
                let __field = ::core::ptr::from_mut(#variable);
                #value::is_field::<#ty>(__field);
            }
        });
        quote! {
            let _ = |__value: &mut Self| {
                let Self #pattern = __value;
                #(#compared)*
            };
        }
    }
}

impl Variant {
    /// `Self::A { x: __0 } => each(1, &[..]),`
    fn parts_of(&self, number: usize, value: &TokenStream) -> TokenStream {
        let (ident, number) = (&self.ident, number_of(number));
        let (pattern, pointers) = (self.parts.pattern(), self.parts.pointers(value));
        quote! {
            Self::#ident #pattern => __each(#number, &[#(#pointers),*]),
        }
    }

    /// `(1, [__0]) => Self::A { x: __0.cast::<X>().read() },`
    fn built(&self, number: usize) -> TokenStream {
        let (ident, variables, number) = (&self.ident, self.parts.variables(), number_of(number));
        let fields = self
            .parts
            .fields
            .iter()
            .zip(&variables)
            .map(|(Field { member, ty, .. }, variable)| quote!(#member: #variable.cast::<#ty>().read()));
        quote!((#number, [#(#variables),*]) => Self::#ident { #(#fields),* },)
    }
}

fn number_of(variant: usize) -> Literal {
    Literal::u32_suffixed(u32::try_from(variant).unwrap_or(u32::MAX))
}

/// The function that writes the result of a user's function to an address.
fn written_by(path: &ExprPath, ty: &Type) -> TokenStream {
    let call = Ends::of(&path.path).group(Delimiter::Parenthesis, TokenStream::new());
    quote! {
        |__to| {
            let __value: #ty = #path #call;
            unsafe { __to.cast::<#ty>().write(__value) }
        }
    }
}

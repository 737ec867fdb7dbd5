//! Lifetimes in the user's types: finding and replacing them.
//!
//! Lifetimes that a `for<'a>`, a function pointer or `Fn(..)` declares belong to that type and are
//! not replaced.

use std::collections::HashSet;

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{
    BoundLifetimes, GenericArgument, Lifetime, NamedArg, ParenthesizedGenericArguments, PathArguments,
    ReturnType, TraitBound, Type, TypeFnPtr, TypeReference, WherePredicate,
};

use crate::names::{text, ungroup};

/// The treatment of elided lifetimes.
#[derive(Clone, Copy, PartialEq)]
enum Elided {
    /// `&T` stays `&T`.
    Kept,
    /// `&T` becomes `&'static T`.
    Replaced,
}

struct Replace<'a> {
    by: Lifetime,
    elided: Elided,
    which: &'a dyn Fn(&Lifetime) -> bool,
    bound: HashSet<String>,
}

impl Replace<'_> {
    fn within(&mut self, lifetimes: Option<&BoundLifetimes>, walk: impl FnOnce(&mut Self)) {
        let outer = self.bound.clone();
        for parameter in lifetimes.iter().flat_map(|lifetimes| &lifetimes.lifetimes) {
            if let syn::GenericParam::Lifetime(parameter) = parameter {
                self.bound.insert(parameter.lifetime.to_string());
            }
        }
        walk(self);
        self.bound = outer;
    }

    fn keep_elided(&mut self, walk: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.elided, Elided::Kept);
        walk(self);
        self.elided = outer;
    }
}

impl VisitMut for Replace<'_> {
    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if !self.bound.contains(&lifetime.to_string()) && (self.which)(lifetime) {
            *lifetime = Lifetime { apostrophe: lifetime.apostrophe, ident: self.by.ident.clone() };
        }
    }

    fn visit_type_reference_mut(&mut self, reference: &mut TypeReference) {
        if reference.lifetime.is_none() && self.elided == Elided::Replaced {
            reference.lifetime = Some(self.by.clone());
        }
        visit_mut::visit_type_reference_mut(self, reference);
    }

    fn visit_type_fn_ptr_mut(&mut self, function: &mut TypeFnPtr) {
        let lifetimes = function.lifetimes.clone();
        self.keep_elided(|this| {
            this.within(lifetimes.as_ref(), |this| {
                function.inputs.iter_mut().for_each(|input: &mut NamedArg| this.visit_named_arg_mut(input));
                this.visit_return_type_mut(&mut function.output);
            });
        });
    }

    fn visit_parenthesized_generic_arguments_mut(&mut self, arguments: &mut ParenthesizedGenericArguments) {
        self.keep_elided(|this| {
            arguments.inputs.iter_mut().for_each(|input: &mut NamedArg| this.visit_named_arg_mut(input));
            this.visit_return_type_mut(&mut arguments.output);
        });
    }

    fn visit_trait_bound_mut(&mut self, bound: &mut TraitBound) {
        let lifetimes = bound.lifetimes.clone();
        self.within(lifetimes.as_ref(), |this| this.visit_path_mut(&mut bound.path));
    }
}

fn replace(by: Lifetime, elided: Elided, which: &dyn Fn(&Lifetime) -> bool) -> Replace<'_> {
    Replace { by, elided, which, bound: HashSet::new() }
}

/// The type with every lifetime replaced by `'static`, also the elided one of `&T`.
pub(crate) fn all_static(ty: &Type) -> Type {
    let mut ty = ty.clone();
    replace(Lifetime::new("'static", Span::call_site()), Elided::Replaced, &|_| true).visit_type_mut(&mut ty);
    ty
}

/// The type with every written lifetime replaced by `by`.
pub(crate) fn written(ty: &Type, by: &str) -> Type {
    let mut ty = ty.clone();
    replace(Lifetime::new(by, Span::call_site()), Elided::Kept, &|_| true).visit_type_mut(&mut ty);
    ty
}

/// The type with the lifetimes `names` replaced by `by`.
pub(crate) fn replaced(ty: &Type, names: &[Lifetime], by: &str) -> Type {
    let mut ty = ty.clone();
    let which = |lifetime: &Lifetime| names.contains(lifetime);
    replace(Lifetime::new(by, Span::call_site()), Elided::Kept, &which).visit_type_mut(&mut ty);
    ty
}

/// The type of a parameter of the library with the lifetime `by`, which may be left out in the
/// signature of a function.
pub(crate) fn of_parameter(ty: &Type, by: &str) -> Type {
    let mut ty = written(ungroup(ty), by);
    if let Type::Path(path) = &mut ty
        && let Some(last) = path.path.segments.last_mut()
        && let PathArguments::AngleBracketed(arguments) = &mut last.arguments
        && !matches!(arguments.args.first(), Some(GenericArgument::Lifetime(_)))
    {
        arguments.args.insert(0, GenericArgument::Lifetime(Lifetime::new(by, Span::call_site())));
    }
    ty
}

/// The lifetime arguments of a path: `'w` of `Res<'w, T>`.
pub(crate) fn of_path(ty: &Type) -> Vec<Lifetime> {
    let Type::Path(path) = ungroup(ty) else { return Vec::new() };
    let Some(PathArguments::AngleBracketed(arguments)) =
        path.path.segments.last().map(|last| &last.arguments)
    else {
        return Vec::new();
    };
    let lifetime = |argument: &GenericArgument| match argument {
        GenericArgument::Lifetime(lifetime) => Some(lifetime.clone()),
        _ => None,
    };
    arguments.args.iter().filter_map(lifetime).collect()
}

/// The type with the lifetimes `names` left to inference.
pub(crate) fn inferred(ty: &Type, names: &[Lifetime]) -> Type {
    if names.is_empty() { ty.clone() } else { replaced(ty, names, "'_") }
}

/// The predicate with every written lifetime replaced by `'static`.
pub(crate) fn static_predicate(predicate: &WherePredicate) -> WherePredicate {
    let mut predicate = predicate.clone();
    let mut replace = replace(Lifetime::new("'static", Span::call_site()), Elided::Kept, &|_| true);
    match &mut predicate {
        WherePredicate::Type(bound) => {
            let lifetimes = bound.lifetimes.clone();
            replace.within(lifetimes.as_ref(), |this| {
                this.visit_type_mut(&mut bound.bounded_ty);
                bound.bounds.iter_mut().for_each(|bound| this.visit_type_param_bound_mut(bound));
            });
        }
        other => replace.visit_where_predicate_mut(other),
    }
    predicate
}

/// The generic parameter with every written lifetime in its bounds replaced by `'static`.
pub(crate) fn static_parameter(parameter: &mut syn::GenericParam) {
    replace(Lifetime::new("'static", Span::call_site()), Elided::Kept, &|_| true)
        .visit_generic_param_mut(parameter);
}

/// The parameters of a function, with `&'static T` for `&T` in the types that `is_query` names: the
/// items of a query have the lifetime of the query, and a helper may take a type with `'static`,
/// such as an alias. The tokens keep their spans.
pub(crate) fn static_in_queries(parameters: TokenStream, is_query: &dyn Fn(&str) -> bool) -> TokenStream {
    within(parameters, is_query, false)
}

fn within(tokens: TokenStream, is_query: &dyn Fn(&str) -> bool, is_inside: bool) -> TokenStream {
    let (mut output, mut depth, mut before) = (TokenStream::new(), 0_usize, None);
    let mut trees = tokens.into_iter().peekable();
    while let Some(tree) = trees.next() {
        let next = trees.peek().map(ToString::to_string).unwrap_or_default();
        match &tree {
            TokenTree::Punct(sign) if sign.as_char() == '<' => {
                let begins = matches!(&before, Some(TokenTree::Ident(name)) if is_query(&text(name)));
                depth += usize::from(depth > 0 || begins);
            }
            TokenTree::Punct(sign) if sign.as_char() == '>' => {
                let is_arrow = matches!(&before, Some(TokenTree::Punct(sign)) if sign.as_char() == '-');
                depth = depth.saturating_sub(usize::from(!is_arrow));
            }
            _ => {}
        }
        let is_inside = is_inside || depth > 0;
        let borrows = matches!(&tree, TokenTree::Punct(sign) if sign.as_char() == '&');
        let lifetime = (is_inside && borrows && next != "'").then(|| Lifetime::new("'static", tree.span()));
        before = Some(tree.clone());
        match tree {
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), within(group.stream(), is_query, is_inside));
                inner.set_span(group.span());
                output.extend([TokenTree::Group(inner)]);
            }
            tree => output.extend([tree]),
        }
        output.extend(lifetime.into_token_stream());
    }
    output
}

#[derive(Default)]
struct Find<'a> {
    written: Vec<Lifetime>,
    elided: Option<&'a TypeReference>,
    bound: Vec<String>,
}

impl<'a> Visit<'a> for Find<'a> {
    fn visit_lifetime(&mut self, lifetime: &'a Lifetime) {
        if !self.bound.contains(&lifetime.to_string()) {
            self.written.push(lifetime.clone());
        }
    }

    fn visit_bound_lifetimes(&mut self, lifetimes: &'a BoundLifetimes) {
        for parameter in &lifetimes.lifetimes {
            if let syn::GenericParam::Lifetime(parameter) = parameter {
                self.bound.push(parameter.lifetime.to_string());
            }
        }
    }

    fn visit_type_reference(&mut self, reference: &'a TypeReference) {
        if reference.lifetime.is_none() {
            self.elided.get_or_insert(reference);
        }
        visit::visit_type_reference(self, reference);
    }

    fn visit_parenthesized_generic_arguments(&mut self, _: &'a ParenthesizedGenericArguments) {}

    fn visit_type_fn_ptr(&mut self, _: &'a TypeFnPtr) {}
}

/// The lifetimes written in a type.
pub(crate) fn in_type(ty: &Type) -> Vec<Lifetime> {
    let mut find = Find::default();
    find.visit_type(ty);
    find.written
}

/// Whether the return type has a lifetime other than `'static`.
pub(crate) fn borrows(output: &ReturnType) -> bool {
    let mut find = Find::default();
    find.visit_return_type(output);
    find.elided.is_some() || find.written.iter().any(|lifetime| lifetime.ident != "static")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::source;
    use syn::parse_quote;

    #[test]
    fn elided_and_written_lifetimes_become_static() {
        let ty: Type = parse_quote!((&A, Option<&'a mut B>, Mover<'_>, fn(&C) -> &C));
        let expected = "(&'static A, Option<&'static mut B>, Mover<'static>, fn(&C)->&C)";
        assert_eq!(source(&all_static(&ty)), expected);
    }

    #[test]
    fn the_data_of_queries_is_static() {
        let is_query = |name: &str| name == "Query";
        let of = |ty| source(&static_in_queries(ty, &is_query));
        assert_eq!(
            of(quote::quote!(a: &A, b: Query<(&A, &'a B), With<C>>, c: &C)),
            of(quote::quote!(a: &A, b: Query<(&'static A, &'a B), With<C>>, c: &C))
        );
    }

    #[test]
    fn bound_lifetimes_stay() {
        let ty: Type = parse_quote!(&'a dyn for<'b> Fn(&'b A));
        assert_eq!(source(&written(&ty, "'__q")), source(&quote::quote!(&'__q dyn for<'b> Fn(&'b A))));
    }

    #[test]
    fn returned_references_are_found() {
        assert!(borrows(&parse_quote!(-> Option<&A>)));
        assert!(borrows(&parse_quote!(-> Holder<'a>)));
        assert!(!borrows(&parse_quote!(-> Result<&'static str, fn(&A)>)));
    }
}

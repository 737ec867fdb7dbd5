//! Spans: places generated code over the user's text, so that compile errors underline the text.
//!
//! Stable Rust cannot join two spans. But rustc underlines an expression or item from its first to
//! its last token. If the first has the span of the user's first token and the last that of the
//! last, the message underlines exactly the user's text.
//!
//! A bound, too, has the span of the user's type. Otherwise rustc would attribute an unfulfilled
//! bound to the derive, and advise to write the impl by hand.
//!
//! An `unsafe` token must never have the user's span: it would violate the user's
//! `#![forbid(unsafe_code)]`. [`Ends::generated`] keeps the position and takes the hygiene of the
//! call site, which that lint ignores.

use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, TokenStreamExt, quote_spanned};
use syn::{Path, PathArguments, Type, TypePath};

use crate::names::Ecs;

/// The spans of the first and the last token of a piece of the user's text.
#[derive(Clone, Copy)]
pub(crate) struct Ends {
    pub(crate) first: Span,
    pub(crate) last: Span,
}

impl Ends {
    /// The ends of a piece of text.
    pub(crate) fn of(text: &(impl Text + ?Sized)) -> Self {
        text.ends()
    }

    /// The ends of `tokens`; the call site for no tokens.
    fn of_tokens(tokens: &(impl ToTokens + ?Sized)) -> Self {
        let mut tokens = tokens.to_token_stream().into_iter();
        let Some(first) = tokens.next() else {
            return Self { first: Span::call_site(), last: Span::call_site() };
        };
        let last = tokens.last().unwrap_or_else(|| first.clone());
        Self { first: open(&first), last: close(&last) }
    }

    /// The same positions with the hygiene of the call site, which marks generated code.
    pub(crate) fn generated(self) -> Self {
        let here = Span::call_site();
        Self { first: here.located_at(self.first), last: here.located_at(self.last) }
    }

    /// `ecs::__private::path::<generic>(arguments)` with these ends. `generic` keeps its spans.
    pub(crate) fn call(
        self,
        ecs: &Ecs,
        path: &[&str],
        generic: impl ToTokens,
        arguments: TokenStream,
    ) -> TokenStream {
        let (ecs, path) = (ecs.at(self.first), path.iter().map(|name| Ident::new(name, self.first)));
        let arguments = self.group(Delimiter::Parenthesis, arguments);
        quote_spanned!(self.first=> #ecs::__private #(::#path)* ::<#generic> #arguments)
    }

    /// `ecs::__private::name::<generic>` with these ends. `generic` keeps its spans.
    pub(crate) fn path(self, ecs: &Ecs, name: &str, generic: &TokenStream) -> TokenStream {
        let (ecs, name) = (ecs.at(self.first), Ident::new(name, self.first));
        let close = self.closed();
        quote_spanned!(self.first=> #ecs::__private::#name::<#generic #close)
    }

    /// `>` with the span of the last token.
    fn closed(self) -> Punct {
        let mut close = Punct::new('>', Spacing::Alone);
        close.set_span(self.last);
        close
    }

    /// A group with the span of the last token.
    pub(crate) fn group(self, delimiter: Delimiter, tokens: TokenStream) -> TokenTree {
        let mut group = Group::new(delimiter, tokens);
        group.set_span(self.last);
        TokenTree::Group(group)
    }

    /// `name` with the span of the last token.
    pub(crate) fn closing(self, name: &Ident) -> Ident {
        let mut name = name.clone();
        name.set_span(self.last);
        name
    }
}

/// A variable of the expansion with the position of `span` and the hygiene of the macro call. With
/// the hygiene of a user's token from a `macro_rules!`, the variable would not be found.
pub(crate) fn local(name: &str, span: Span) -> Ident {
    Ident::new(name, Span::call_site().located_at(span))
}

/// `<ty as ecs::__private::Trait<world>>::item` with the ends of `ty`. rustc underlines the user's
/// type in an error about it, and merges the errors of all uses, which have equal spans.
pub(crate) fn item_of(
    ty: &(impl Text + ?Sized),
    ecs: &Ecs,
    of_trait: &str,
    world: &impl ToTokens,
    item: &str,
) -> TokenStream {
    let (ends, mut open) = (Ends::of(ty), Punct::new('<', Spacing::Alone));
    open.set_span(ends.first);
    let (ecs, of_trait, item) =
        (ecs.at(ends.last), Ident::new(of_trait, ends.last), Ident::new(item, ends.last));
    quote_spanned!(ends.last=> #open #ty as #ecs::__private::#of_trait<#world>>::#item)
}

/// A call of [`item_of`].
pub(crate) fn call_of(
    ty: &(impl Text + ?Sized),
    ecs: &Ecs,
    of_trait: &str,
    world: &impl ToTokens,
    item: &str,
    arguments: TokenStream,
) -> TokenStream {
    let mut call = item_of(ty, ecs, of_trait, world, item);
    call.append(Ends::of(ty).group(Delimiter::Parenthesis, arguments));
    call
}

/// A piece of the user's text with its ends. The impls take them from `syn` nodes where they can:
/// converting a node to tokens costs a round trip to the compiler.
pub(crate) trait Text: ToTokens {
    fn ends(&self) -> Ends {
        Ends::of_tokens(self)
    }
}

impl Text for TokenStream {}

impl<T: Text + ?Sized> Text for &T {
    fn ends(&self) -> Ends {
        (**self).ends()
    }
}

impl<T: Text + ?Sized> Text for Box<T> {
    fn ends(&self) -> Ends {
        (**self).ends()
    }
}

impl Text for Ident {
    fn ends(&self) -> Ends {
        Ends { first: self.span(), last: self.span() }
    }
}

impl Text for Type {
    fn ends(&self) -> Ends {
        match self {
            Type::Path(path) => path.ends(),
            Type::Reference(reference) => {
                Ends { first: reference.and_token.span, last: reference.elem.ends().last }
            }
            _ => Ends::of_tokens(self),
        }
    }
}

impl Text for TypePath {
    fn ends(&self) -> Ends {
        if self.qself.is_some() { Ends::of_tokens(self) } else { self.path.ends() }
    }
}

impl Text for Path {
    fn ends(&self) -> Ends {
        let (Some(first), Some(last)) = (self.segments.first(), self.segments.last()) else {
            return Ends::of_tokens(self);
        };
        let first = self.leading_colon.map_or_else(|| first.ident.span(), |colons| colons.spans[0]);
        let last = match &last.arguments {
            PathArguments::None => last.ident.span(),
            PathArguments::AngleBracketed(arguments) => arguments.gt_token.span,
            PathArguments::Parenthesized(_) => return Ends::of_tokens(self),
        };
        Ends { first, last }
    }
}

fn open(tree: &TokenTree) -> Span {
    match tree {
        TokenTree::Group(group) => group.span_open(),
        other => other.span(),
    }
}

fn close(tree: &TokenTree) -> Span {
    match tree {
        TokenTree::Group(group) => group.span_close(),
        other => other.span(),
    }
}

/// `tokens`, all at `span`.
pub(crate) fn at(tokens: TokenStream, span: Span) -> TokenStream {
    tokens
        .into_iter()
        .map(|mut tree| {
            if let TokenTree::Group(group) = &tree {
                tree = TokenTree::Group(Group::new(group.delimiter(), at(group.stream(), span)));
            }
            tree.set_span(span);
            tree
        })
        .collect()
}

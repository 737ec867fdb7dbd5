//! Spans: how generated code is made to point at the user's text.
//!
//! Stable Rust cannot join two spans. An expression or item, however, reaches from its first to its last
//! token, so one that starts with the span of the user's first token and ends with that of the last
//! underlines exactly the user's text.
//!
//! A bound has the span of the user's type that it is about, too. The compiler would explain an unfulfilled
//! one as a flaw of the derive otherwise, and advise to write the impl by hand.
//!
//! An `unsafe` token must never carry the user's span as it is: the user's `#![forbid(unsafe_code)]` would
//! find it. [`Ends::generated`] keeps the place and takes the call site as the origin, which that lint leaves
//! alone.

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

    /// The ends of `tokens`; the call site where there are none.
    fn of_tokens(tokens: &(impl ToTokens + ?Sized)) -> Self {
        let mut tokens = tokens.to_token_stream().into_iter();
        let Some(first) = tokens.next() else {
            return Self { first: Span::call_site(), last: Span::call_site() };
        };
        let last = tokens.last().unwrap_or_else(|| first.clone());
        Self { first: open(&first), last: close(&last) }
    }

    /// The same places, as code that the macro has generated.
    pub(crate) fn generated(self) -> Self {
        let here = Span::call_site();
        Self { first: here.located_at(self.first), last: here.located_at(self.last) }
    }

    /// `ecs::__private::path::<generic>(arguments)` that lies over these ends; `generic` keeps its spans.
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

    /// `ecs::__private::name::<generic>` that lies over these ends; `generic` keeps its spans.
    pub(crate) fn path(self, ecs: &Ecs, name: &str, generic: &TokenStream) -> TokenStream {
        let (ecs, name) = (ecs.at(self.first), Ident::new(name, self.first));
        let close = self.closed();
        quote_spanned!(self.first=> #ecs::__private::#name::<#generic #close)
    }

    /// `>`, lying over the last end.
    fn closed(self) -> Punct {
        let mut close = Punct::new('>', Spacing::Alone);
        close.set_span(self.last);
        close
    }

    /// A group that ends where these ends end.
    pub(crate) fn group(self, delimiter: Delimiter, tokens: TokenStream) -> TokenTree {
        let mut group = Group::new(delimiter, tokens);
        group.set_span(self.last);
        TokenTree::Group(group)
    }

    /// `name`, an item's name, lying over the last end.
    pub(crate) fn closing(self, name: &Ident) -> Ident {
        let mut name = name.clone();
        name.set_span(self.last);
        name
    }
}

/// A variable of the expansion that lies at `span`. It keeps the hygiene of the macro call: with that of the user's token it
/// would not be found where `macro_rules!` has brought the token along.
pub(crate) fn local(name: &str, span: Span) -> Ident {
    Ident::new(name, Span::call_site().located_at(span))
}

/// `<ty as ecs::Trait<world>>::item`, lying over `ty`: whatever is wrong with it is said under the user's
/// type, and said once, since every use looks the same.
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
    quote_spanned!(ends.last=> #open #ty as #ecs::#of_trait<#world>>::#item)
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

/// A piece of the user's text. What it begins and ends with is mostly at hand; asked of its tokens, they are handed to the
/// compiler and back.
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

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

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};

use crate::names::Ecs;

/// The spans of the first and the last token of a piece of the user's text.
#[derive(Clone, Copy)]
pub(crate) struct Ends {
    pub(crate) first: Span,
    pub(crate) last: Span,
}

impl Ends {
    /// The ends of `tokens`; the call site where there are none.
    pub(crate) fn of(tokens: &impl ToTokens) -> Self {
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

    /// `path::<generic>(arguments)` that lies over these ends; `generic` keeps its spans.
    pub(crate) fn call(
        self,
        path: TokenStream,
        generic: &TokenStream,
        arguments: TokenStream,
    ) -> TokenStream {
        let (open, close) = (at(quote!(#path::<), self.first), at(quote!(>), self.first));
        let arguments = self.group(Delimiter::Parenthesis, arguments);
        quote!(#open #generic #close #arguments)
    }

    /// `path::<generic>` that lies over these ends; `generic` keeps its spans.
    pub(crate) fn path(self, path: TokenStream, generic: &TokenStream) -> TokenStream {
        let (open, close) = (at(quote!(#path::<), self.first), at(quote!(>), self.last));
        quote!(#open #generic #close)
    }

    /// A group that ends where these ends end.
    pub(crate) fn group(self, delimiter: Delimiter, tokens: TokenStream) -> TokenTree {
        let mut group = Group::new(delimiter, tokens);
        group.set_span(self.last);
        TokenTree::Group(group)
    }

    /// `name`, lying over the last end.
    pub(crate) fn closing(self, name: &Ident) -> Ident {
        let mut name = name.clone();
        name.set_span(self.last);
        name
    }
}

/// `<ty as ecs::Trait<world>>::item`, lying over `ty`: whatever is wrong with it is said under the user's
/// type, and said once, since every use looks the same.
pub(crate) fn item_of(
    ty: &impl ToTokens,
    ecs: &Ecs,
    of_trait: &str,
    world: &TokenStream,
    item: &str,
) -> TokenStream {
    let ends = Ends::of(ty);
    let (of_trait, item) = (format_ident!("{of_trait}"), format_ident!("{item}"));
    let open = at(quote!(<), ends.first);
    let (as_trait, close) = (at(quote!(as #ecs::#of_trait<), ends.last), at(quote!(>>::#item), ends.last));
    quote!(#open #ty #as_trait #world #close)
}

/// A call of [`item_of`].
pub(crate) fn call_of(
    ty: &impl ToTokens,
    ecs: &Ecs,
    of_trait: &str,
    world: &TokenStream,
    item: &str,
    arguments: TokenStream,
) -> TokenStream {
    let path = item_of(ty, ecs, of_trait, world, item);
    let arguments = Ends::of(ty).group(Delimiter::Parenthesis, arguments);
    quote!(#path #arguments)
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

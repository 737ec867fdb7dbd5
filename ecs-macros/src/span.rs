//! Spans: how generated code is made to point at the user's text.
//!
//! Stable Rust cannot join two spans. An expression or item, however, reaches from its first to its last token, so one
//! that starts with the span of the user's first token and ends with that of the last underlines exactly the user's
//! text.
//!
//! An `unsafe` token must never carry the user's span as it is: the user's `#![forbid(unsafe_code)]` would find it.
//! [`Ends::generated`] keeps the place and takes the call site as the origin, which that lint leaves alone.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;

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

    /// `path(arguments)` that lies over these ends.
    pub(crate) fn call(self, path: TokenStream, arguments: TokenStream) -> TokenStream {
        let mut call = at(path, self.first);
        let mut arguments = Group::new(proc_macro2::Delimiter::Parenthesis, arguments);
        arguments.set_span(self.last);
        call.extend([TokenTree::Group(arguments)]);
        call
    }

    /// `name`, lying over the last end.
    pub(crate) fn closing(self, name: &Ident) -> Ident {
        let mut name = name.clone();
        name.set_span(self.last);
        name
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
